/** A backup into a folder that keeps some of the last days, weeks and months (docs/decisions/0036). */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { BackupRefused, verifyArchive } from './archive.ts'
import type { Passphrase } from './encryption.ts'
import { takeBackup } from './takeBackup.ts'
import { backupName, superfluous } from './thinned.ts'

export type Taken = { readonly file: string; readonly rows: number; readonly bytes: number }

/**
 * Writes a backup into a folder, reads it back, and only then removes those that are no longer kept.
 * @throws BackupRefused when the folder is not there: a share that is not mounted would fill the disk below it
 */
export async function backUpInto(
  url: string,
  folder: string,
  { now, passphrase }: { now: Date; passphrase: Passphrase },
): Promise<Taken> {
  const there = await stat(folder).catch(() => null)
  if (!there?.isDirectory()) throw new BackupRefused(`There is no folder ${folder}: is it mounted?`)
  const file = path.join(folder, backupName(now, passphrase !== null))
  const written = await takeBackup(url, file, { now, passphrase })
  const read = await verifyArchive(file, passphrase)
  if (JSON.stringify(read) !== JSON.stringify(written))
    throw new BackupRefused(`${file} does not hold what was written.`)
  for (const name of superfluous(await readdir(folder))) await rm(path.join(folder, name), { force: true })
  const rows = Object.values(read.tables).reduce((sum, table) => sum + table.rows, 0)
  return { file, rows, bytes: (await stat(file)).size }
}
