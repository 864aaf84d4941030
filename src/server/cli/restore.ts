/** `npm run restore`: a backup into an empty database, or in the place of one with data (docs/operations.md). */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Unusable } from '../backup/archive.ts'
import { dropReplaced, restoreBackup } from '../backup/put.ts'
import { readConfig } from '../config.ts'
import { locateDatabase } from '../db/open.ts'
import { StartRefused } from '../postgres/startup.ts'

const usage = `npm run restore -- FILE [--replace]
npm run restore -- --drop-replaced

Restores FILE, a backup, into the database in DATA_DIR or that of DATABASE_URL, and brings it to the newest schema.
Everybody signs in anew.

  --replace        the database has data: the backup takes its place, once it was loaded and compared; a running portal
                   goes on with it. What was there is kept as a database of another name.
  --drop-replaced  removes what earlier restores have replaced
`

const log = (sentence: string): void => console.error(sentence)

async function command(words: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'drop-replaced': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [named, ...rest] = positionals
  if (values.help) return console.log(usage)
  const dropping = values['drop-replaced']
  if (rest.length > 0 || (named === undefined) !== dropping || (dropping && values.replace)) throw new Unusable(usage)
  const begun = performance.now()
  const place = await locateDatabase(readConfig(process.env), log)
  try {
    if (named === undefined) {
      const dropped = await dropReplaced(place.url)
      console.log(dropped.length > 0 ? `Removed: ${dropped.join(', ')}` : 'There is nothing to remove.')
      return
    }
    // npm runs a command in the project's directory, and remembers where it was typed
    const file = path.resolve(process.env.INIT_CWD ?? '.', named)
    const { manifest, replaced } = await restoreBackup(place.url, file, {
      replace: values.replace,
      now: new Date(),
      log,
    })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${rows} rows of ${manifest.made} are restored (${seconds} s).`)
    if (replaced)
      console.log(
        `What was there is kept as the database ${replaced}. To remove it: npm run restore -- --drop-replaced`,
      )
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
