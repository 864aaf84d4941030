/**
 * `npm run schema`: raises the version of each function in `db/functions` that was changed, migrates an empty database and writes its schema
 * to `db/schema.sql`.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { functionsDirectory, stamped } from '../../src/server/db/functions.ts'
import { migrate } from '../../src/server/db/migrate.ts'
import { startPostgres } from '../../src/server/postgres/supervisor.ts'
import { describeSchema } from './describe.ts'

export const schemaFile = path.join(import.meta.dirname, '..', 'schema.sql')

/** What `db/schema.sql` says of a database. */
export const schemaText = async (client: Client): Promise<string> =>
  `-- The present schema, written by \`npm run schema\` from a migrated database, to be read and not run. The function of a trigger is the file
-- of its name in db/functions; docs/database.md says what triggers are for.

${await describeSchema(client)}`

async function generate(): Promise<void> {
  for (const name of fs.readdirSync(functionsDirectory)) {
    const file = path.join(functionsDirectory, name)
    const before = fs.readFileSync(file, 'utf8')
    const after = stamped(before)
    if (after === before) continue
    fs.writeFileSync(file, after)
    process.stdout.write(`db/functions/${name}: ${after.split('\n')[0]}\n`)
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-schema-'))
  fs.chmodSync(folder, 0o711)
  try {
    const postgres = await startPostgres({ dataDir: path.join(folder, 'data'), unsafe: true, log: () => {} })
    await migrate(postgres.adminUrl)
    const client = new Client({ connectionString: postgres.adminUrl })
    await client.connect()
    fs.writeFileSync(schemaFile, await schemaText(client))
    await client.end()
    await postgres.stop()
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await generate()
