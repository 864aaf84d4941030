/** A backup into a folder that keeps some of the last days, weeks and months (docs/decisions/0036). */
import { BackupRefused } from './archive.ts'
import { StoreRefused } from './bucket.ts'
import type { Passphrase } from './encryption.ts'
import type { BackupFolder } from './storage.ts'
import { takeBackup } from './takeBackup.ts'
import { backupName, expiredBackups } from './retention.ts'

export type Taken = { readonly file: string; readonly rows: number; readonly bytes: number }

/** The longest that a backup may take, in ms: an older unfinished one was killed. */
const killedAfter = 24 * 3_600_000

/**
 * Writes a backup into a folder, reads it back, and only then removes those that are no longer kept.
 * @throws BackupRefused when the folder is not there: a share that is not mounted would fill the disk below it
 */
export async function backUpInto(
  url: string,
  folder: BackupFolder,
  { now, passphrase }: { now: Date; passphrase: Passphrase },
): Promise<Taken> {
  await folder.names().catch((error: Error) => {
    if (error instanceof StoreRefused) throw new BackupRefused(error.message, { cause: error })
    throw new BackupRefused(`There is no folder ${folder.name}: is it mounted?`, { cause: error })
  })
  await folder.sweep?.(new Date(now.getTime() - killedAfter))
  const file = folder.file(backupName(now, passphrase !== null))
  const { tables } = await takeBackup(url, file, { now, passphrase, verify: true })
  for (const name of expiredBackups(await folder.names())) await folder.file(name).remove()
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  return { file: file.name, rows, bytes: await file.size() }
}
