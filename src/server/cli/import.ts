/**
 * `npm run import`: takes vehicles, articles or customers of a CSV file in, all of it or nothing, beside a running portal or
 * without one. Safe to repeat: what is there already is found again and changed where the file says something new.
 */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openStore } from '../db/open.ts'
import { sources, type Kind } from '../features/imports/import.rows.ts'
import { customerById, siteByCode } from '../features/imports/import.sql.ts'
import {
  beginning,
  firstLine,
  takeIn,
  Unusable,
  type Content,
  type Outcome,
  type Tell,
} from '../features/imports/import.take.ts'
import { StartRefused } from '../postgres/startup.ts'

const usage = `npm run import -- vehicles  FILE --site CODE --customer ID [--dry-run]
npm run import -- articles  FILE --site CODE [--dry-run]
npm run import -- customers FILE --site CODE [--dry-run]

FILE is CSV in UTF-8 with a header line; its columns may stand in any order, separated by comma, semicolon or tab.

  vehicles   license_plate, kind, brand, description; maybe wheels, number, chassis_number, driver_name, mobile_no,
             telephone_no, email. Found again by plate and kind among the vehicles of the customer.
  articles   brand, dimension; maybe pattern, description, load_index, speed_index, season, ean, fuel_class, wet_class,
             noise_db. Found again by brand, pattern, dimension, load and speed.
  customers  name; maybe code, company, street, zipcode, city, email. Found again by code, else by name and postcode.

A blank cell says nothing and changes nothing. Everything is taken in or, when the file cannot be used, nothing. Rows that
make no sense are refused one by one and listed with their line.

  --dry-run  reads and checks everything, tells what would happen, and keeps nothing
`

export type Import = {
  readonly kind: Kind
  readonly file: string
  /** The code of the site. */
  readonly site: string
  /** Whose the vehicles are; only with vehicles. */
  readonly customer?: number | undefined
  readonly dryRun?: boolean
  readonly now: Date
}

/** Takes a file in, in one transaction. @throws Unusable, having kept nothing */
export async function importFile(database: Database, asked: Import, tell: Tell): Promise<Outcome> {
  const site = await database.transaction({ system: true }, tx => tx.maybe<{ id: number }>(siteByCode, [asked.site]))
  if (!site) throw new Unusable(`There is no site ${asked.site}.`)
  return database.transaction({ site: site.id }, async tx => {
    const { kind, customer } = asked
    if (kind === 'vehicles' && !(await tx.maybe(customerById, [site.id, customer])))
      throw new Unusable(`Site ${asked.site} has no customer ${customer ?? '(none was named: --customer ID)'}.`)
    const content = await contentOfFile(asked.file)
    return takeIn(tx, { ...asked, site: site.id, content, name: path.basename(asked.file), lang: 'eng' }, tell)
  })
}

async function contentOfFile(file: string): Promise<Content> {
  try {
    const { size } = await stat(file)
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginning), 0, beginning, 0)
      const header = firstLine(buffer.subarray(0, bytesRead).toString('utf8'))
      return { read: () => createReadStream(file), size, header }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new Unusable(`The file ${file} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

// The command -----------------------------------------------------------------------------------------------------------

/** Runs the command and answers its exit code: 0 when everything was read, 1 when nothing was taken in. */
async function command(words: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      site: { type: 'string' },
      customer: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [kind, file, ...rest] = positionals
  if (!kind || !file || rest.length > 0 || !Object.hasOwn(sources, kind)) throw new Unusable(usage)
  if (!values.site) throw new Unusable('Say which site: --site CODE')
  if (kind === 'vehicles' && !/^[1-9]\d{0,8}$/.test(values.customer ?? ''))
    throw new Unusable('Say whose vehicles they are, by the number of the customer: --customer ID')
  if (kind !== 'vehicles' && values.customer !== undefined) throw new Unusable('--customer goes with vehicles only.')

  const begun = performance.now()
  const store = await openStore(readConfig(process.env), { log: sentence => console.error(sentence), join: true })
  try {
    const screen = screenOf(process.stderr)
    const asked: Import = {
      kind: kind as Kind,
      // npm runs a command in the project's directory, and remembers where it was typed
      file: path.resolve(process.env.INIT_CWD ?? '.', file),
      site: values.site,
      customer: kind === 'vehicles' ? Number(values.customer) : undefined,
      dryRun: values['dry-run'],
      now: new Date(),
    }
    const { rows, added, changed, unchanged, refused } = await importFile(store.database, asked, screen).finally(() =>
      screen.clear(),
    )
    console.log(`${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused`)
    if (values['dry-run']) console.log('This was a dry run: nothing was kept.')
    console.error(`${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return 0
  } finally {
    await store.close()
  }
}

/** Refused and shortened rows go to standard output, progress and remarks to the terminal. */
function screenOf(out: NodeJS.WriteStream): Tell & { clear(): void } {
  const width = 30
  let shown = false
  let quarter = 0
  const clear = (): void => {
    if (shown) out.write('\r\u001B[K')
    shown = false
  }
  const line = (text: string): void => {
    clear()
    console.log(text)
  }
  return {
    clear,
    refused: (at, reason) => line(`line ${at} refused: ${reason}`),
    noted: (at, text) => line(`line ${at}: ${text}`),
    said(text) {
      clear()
      console.error(text)
    },
    progress(bytes, of, rows) {
      const part = of === 0 ? 1 : Math.min(1, bytes / of)
      if (out.isTTY) {
        const full = Math.round(part * width)
        out.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(part * 100)} %, ${rows} rows\u001B[K`)
        shown = true
      } else if (Math.floor(part * 4) > quarter) {
        quarter = Math.floor(part * 4)
        console.error(`${quarter * 25} %, ${rows} rows read`)
      }
    },
  }
}

if (import.meta.main)
  try {
    process.exitCode = await command(process.argv.slice(2))
  } catch (error) {
    const said =
      error instanceof Unusable ||
      error instanceof StartRefused ||
      (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    console.error(said ? (error as Error).message : error)
    process.exitCode = 1
  }
