/** `npm run restore`: a backup into an empty database, or in place of one with data (docs/operations.md). */
import { parseArgs } from 'node:util'
import { BackupRefused } from '../backup/archive.ts'
import { StoreRefused } from '../backup/bucket.ts'
import { dropReplaced } from '../backup/databases.ts'
import { restoreBackup } from '../backup/restoreBackup.ts'
import { openFolder } from '../backup/files.ts'
import { momentOf } from '../backup/retention.ts'
import { backupAccess, readConfig } from '../config.ts'
import { joinDatabase, log, runCommand, stopwatch, UsageError } from './command.ts'
import { resolveBackup } from './backupFile.ts'

const usage = `npm run restore -- FILE [--replace] [--unencrypted]
npm run restore -- --list
npm run restore -- --drop-replaced

Restores FILE, a backup or its address in a store that speaks S3, into the database in DATA_DIR or of DATABASE_URL, and migrates it to the newest schema. Everybody
has to sign in again. An encrypted backup needs BACKUP_KEY, the passphrase that it was made with.

  --replace        the database has data: the backup replaces it, once it is loaded and compared; a running portal goes on
                   with it. The replaced data are kept as a database of another name.
  --unencrypted    the file is not encrypted although BACKUP_KEY is set: it is from before, or you know where it lay
  --list           prints the backups in BACKUP_TO, the latest first
  --drop-replaced  removes the databases that earlier restores have replaced
`

async function restore(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      unencrypted: { type: 'boolean', default: false },
      'drop-replaced': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [name, ...rest] = positionals
  if (values.help) return console.log(usage)
  const { list, replace, unencrypted, 'drop-replaced': drop } = values
  const wishes = [name !== undefined, list, drop].filter(Boolean).length
  if (rest.length > 0 || wishes !== 1 || ((replace || unencrypted) && name === undefined)) throw new UsageError(usage)
  if (list) return listBackups()
  const elapsed = stopwatch()
  const database = await joinDatabase()
  try {
    if (name === undefined) {
      const dropped = await dropReplaced(database.url)
      console.log(dropped.length > 0 ? `Removed: ${dropped.join(', ')}` : 'There is nothing to remove.')
      return
    }
    const { manifest, replaced } = await restoreBackup(database.url, resolveBackup(name), {
      replace,
      unencrypted,
      passphrase: readConfig(process.env).BACKUP_KEY ?? null,
      now: new Date(),
      log,
    })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${manifest.made} are restored (${elapsed()}).`)
    if (replaced)
      console.log(
        `The replaced data are kept as the database ${replaced}. To remove it: npm run restore -- --drop-replaced`,
      )
  } finally {
    await database.close()
  }
}

/** Lists the automatic backups, as arguments of this command. */
async function listBackups(): Promise<void> {
  const config = readConfig(process.env)
  if (config.BACKUP_TO === undefined) throw new UsageError('BACKUP_TO is not set.')
  const folder = openFolder(config.BACKUP_TO, backupAccess(config))
  const names = (await folder.names()).filter(name => momentOf(name) !== null)
  for (const name of names.toSorted().toReversed()) console.log(folder.file(name).name)
}

await runCommand(restore, BackupRefused, StoreRefused)
