/** `npm run backup`: all that the portal knows into one file, beside a running portal or without one (docs/operations.md). */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Unusable } from '../backup/archive.ts'
import { takeBackup } from '../backup/take.ts'
import { readConfig } from '../config.ts'
import { locateDatabase } from '../db/open.ts'
import { StartRefused } from '../postgres/startup.ts'

const usage = `npm run backup -- FILE

Writes one moment of the database in DATA_DIR, or of DATABASE_URL, to FILE (a .tar.gz), while the portal goes on working.
FILE must not exist. Whoever can read it can read everything: keep it where only you can.
`

async function command(words: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  })
  const [named, ...rest] = positionals
  if (values.help) return console.log(usage)
  if (!named || rest.length > 0) throw new Unusable(usage)
  // npm runs a command in the project's directory, and remembers where it was typed
  const file = path.resolve(process.env.INIT_CWD ?? '.', named)
  const begun = performance.now()
  const place = await locateDatabase(readConfig(process.env), sentence => console.error(sentence))
  try {
    const { tables } = await takeBackup(place.url, file, { now: new Date() })
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${rows} rows of ${Object.keys(tables).length} tables are in ${file} (${seconds} s).`)
  } finally {
    await place.close()
  }
}

try {
  await command(process.argv.slice(2))
} catch (error) {
  const said =
    error instanceof Unusable ||
    error instanceof StartRefused ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(said ? (error as Error).message : error)
  process.exitCode = 1
}
