/** `npm run backup`: the whole database into one file, beside a running portal or without one (docs/operations.md). */
import { parseArgs } from 'node:util'
import { BackupRefused } from '../backup/archive.ts'
import { StoreRefused } from '../backup/bucket.ts'
import { readConfig } from '../config.ts'
import { takeBackup } from '../backup/takeBackup.ts'
import { joinDatabase, runCommand, stopwatch, UsageError } from './command.ts'
import { resolveBackup } from './backupFile.ts'

const usage = `npm run backup -- FILE

Writes the database in DATA_DIR, or of DATABASE_URL, as it is at one moment to FILE (a .tar.gz, or its address in a store
that speaks S3), while the portal goes on working. FILE must not exist. Whoever can read it can read everything: keep it where only you can, or set BACKUP_KEY, a
passphrase that it is encrypted with.
`

async function backup(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  const [name, ...rest] = positionals
  if (values.help) return console.log(usage)
  if (!name || rest.length > 0) throw new UsageError(usage)
  const file = resolveBackup(name)
  const { BACKUP_KEY: passphrase = null } = readConfig(process.env)
  const elapsed = stopwatch()
  const database = await joinDatabase()
  try {
    const { tables } = await takeBackup(database.url, file, { now: new Date(), passphrase })
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${Object.keys(tables).length} tables are in ${file.name} (${elapsed()}).`)
  } finally {
    await database.close()
  }
}

await runCommand(backup, BackupRefused, StoreRefused)
