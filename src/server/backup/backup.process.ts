/**
 * One backup in a process of its own: compressing, hashing and encrypting a large database would hold up those who work. The parent
 * says what to do and receives its outcome.
 */
import { BackupRefused } from './archive.ts'
import type { BucketAccess } from './bucket.ts'
import { backUpInto, type Taken } from './backUpInto.ts'
import type { Passphrase } from './encryption.ts'
import { openFolder } from './files.ts'

export type Order = {
  readonly url: string
  /** Its path or address, and the key to that. */
  readonly folder: string
  readonly access: BucketAccess | null
  readonly passphrase: Passphrase
  readonly now: string
}
export type Outcome = Taken | { readonly problem: string }

process.once('message', (order: Order) => {
  const { url, folder, access, passphrase, now } = order
  void backUpInto(url, openFolder(folder, access), { now: new Date(now), passphrase })
    .catch((error: Error): Outcome => ({ problem: error instanceof BackupRefused ? error.message : String(error) }))
    .then(outcome => process.send?.(outcome, () => process.disconnect()))
})
