/**
 * `npm run import`: imports vehicles, tyres, articles, customers, locations, services, accounts or odometers from a file, all of it or nothing, beside a running portal or
 * without one. Safe to repeat: existing records are found again and updated where the file differs.
 */
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Failure } from '#domain/failure.ts'
import type { ImportKind } from '#domain/texts/importColumn.ts'
import { readConfig } from '../config.ts'
import type { Database, Tx } from '../db/database.ts'
import { encodings } from '#contract/imports.ts'
import type { Encoding } from '../features/imports/encoding.ts'
import { sheetRows, type Source } from '../features/imports/import.file.ts'
import { translateMessage } from '../features/imports/import.messages.ts'
import { FileRefused, ImportRefused, type Message } from '../features/imports/import.refused.ts'
import { rowReaders } from '../features/imports/import.rows.ts'
import { customerById, siteByCode } from '../features/imports/import.sql.ts'
import { matchSheet } from '../features/imports/matching.ts'
import { parseSheet } from '../features/imports/sheet.parse.ts'
import { importRows, type ImportTarget, type Outcome, type Reporter } from '../features/imports/import.ts'
import { joinStore, resolveFile, runCommand, stopwatch, UsageError } from './command.ts'

const usage = `npm run import -- vehicles  FILE --site CODE [--customer ID] [--encoding NAME] [--dry-run]
npm run import -- tyres     FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- articles  FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- customers FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- locations FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- services  FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- accounts  FILE --site CODE [--encoding NAME] [--dry-run]
npm run import -- odometers FILE --site CODE [--encoding NAME] [--dry-run]

FILE is a workbook (XLSX) or a text with columns, separated by comma, semicolon, tab or bar. Its columns may stand in any order and are
recognised as the screen does: by these names, by those of the trade in four languages, or by what they hold.

  vehicles   license_plate, kind, brand; optionally description, wheels, number, chassis_number, cost_centre, yearly_distance, contract_end, driver_name, mobile_no,
             telephone_no, email, customer. Matched by plate and kind among the vehicles of the customer.
  tyres      license_plate, dimension (or width, aspect and rim_diameter); optionally brand, pattern, season, load_index, speed_index, ean, position, quantity,
             tyre_set, depth, depth_date, location, site_name, stored_since, paid_until, status, rims, bolts, hubcaps, dot, retreaded, memo,
             kind, customer. Matched by vehicle, set, position and article.
  articles   brand, dimension (or width, aspect and rim_diameter); optionally pattern, description, load_index, speed_index, season, ean, fuel_class,
             wet_class, noise_db. Matched by brand, pattern, dimension, load and speed.
  customers  name; optionally code, company, street, zipcode, city, email, vat_number. Matched by code, else by name and postcode.
  locations  site_name; optionally zone, rack, shelf, place, capacity, walk. Matched by these names; what holds a location is
             added with it.
  services   name, operation_type; optionally article_number, insertion_method, description_en, description_nl, description_fr,
             description_de, price. Matched by name and type. A new one needs all but the price.
  accounts   username; optionally fullname, email, customer, role (user or admin), language. Matched by username. A new one is
             invited by e-mail when the portal has a mail server and the row an address; it has no password until one is chosen.
  odometers  license_plate, odometer; optionally odometer_date (YYYY-MM-DD, today without one). One that is lower than an earlier
             reading of its vehicle is refused.

--customer ID owns the vehicles of rows that name none; npm run manage -- customers --site CODE lists the ids.

A blank cell changes nothing. Either the whole file is imported or, when it can't be used, nothing. Invalid rows are refused
one by one and listed with their line.

  --encoding NAME  reads a text in this encoding: ${encodings.join(', ')}. Without it a
             file that is not UTF-8 is read as what is likely, and the report shows words of it.
  --dry-run  reads and checks everything, reports what would happen, and keeps nothing
`

export type Import = {
  readonly kind: ImportKind
  readonly file: string
  /** The code of the site. */
  readonly site: string
  /** The owner of the vehicles whose rows name none; only with vehicles. */
  readonly customer?: number | undefined
  readonly dryRun?: boolean
  /** How the letters of a text are read; by default it is found. */
  readonly encoding?: Encoding | undefined
  /** Whether the portal sends messages: new accounts are invited. */
  readonly sendsMail?: boolean
  readonly now: Date
}

/** Imports a file in one transaction. @throws ImportRefused: nothing was imported */
export async function importFile(database: Database, options: Import, report: Reporter): Promise<Outcome> {
  const { site: code, file, dryRun, sendsMail = false, now } = options
  const site = await database.transaction({ system: true }, tx => tx.maybe(siteByCode, { code }))
  if (!site) throw new ImportRefused(`There is no site ${code}.`)
  const importOnce = (): Promise<Outcome> =>
    database.transaction({ site: site.id }, async tx => {
      const target = await targetOf(tx, site.id, options)
      const remark = (message: Message): void => report.remark(translateMessage('eng', message))
      const source = await sourceOf(options, remark)
      const name = path.basename(file)
      const { import: _, ...outcome } = await importRows(
        tx,
        { ...target, site, source, name, lang: 'eng', dryRun, origin: { sendsMail }, now },
        report,
      )
      return outcome
    })
  // the running one ends first
  for (;;) {
    try {
      return await importOnce()
    } catch (error) {
      if (error instanceof FileRefused) throw new ImportRefused(translateMessage('eng', error.reason), { cause: error })
      if (!(error instanceof Failure) || error.code !== 'server.busy') throw error
    }
    await pause(busyPause)
  }
}

/** The polling interval while another import of the site runs, in ms. */
const busyPause = 300

async function targetOf(tx: Tx, site: number, { kind, customer, site: code }: Import): Promise<ImportTarget> {
  if (kind !== 'vehicles') return { kind }
  if (customer !== undefined && !(await tx.maybe(customerById, { site, customer })))
    throw new ImportRefused(
      `Site ${code} has no customer ${customer}. Its customers with their ids: npm run manage -- customers --site ${code}`,
    )
  return { kind, customer: customer ?? null }
}

/** Files from the command line have no limits: its user already has the machine. */
const noLimits = { rows: Number.MAX_SAFE_INTEGER, columns: 16_384, unpacked: 2 ** 31 }

async function sourceOf({ file, kind, encoding }: Import, remark: (message: Message) => void): Promise<Source> {
  try {
    const sheet = parseSheet(await readFile(file), { sheet: null, encoding: encoding ?? null }, noLimits)
    const { encoding: sheetEncoding } = sheet
    if (sheetEncoding && encoding === undefined)
      remark({
        text: 'encoding_guessed',
        facts: { encoding: sheetEncoding.name, samples: sheetEncoding.samples.join(', ') },
      })
    return sheetRows(sheet, matchSheet(kind, sheet, remark))
  } catch (error) {
    if (error instanceof FileRefused) throw error
    throw new ImportRefused(`The file ${file} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** Runs the command. It exits with code 0 when the file was read, even if rows were refused. */
async function command(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      site: { type: 'string' },
      customer: { type: 'string' },
      encoding: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const [kind, file, ...rest] = positionals
  if (!kind || !file || rest.length > 0 || !Object.hasOwn(rowReaders, kind)) throw new UsageError(usage)
  if (!values.site) throw new UsageError('Missing --site CODE.')
  if (values.customer !== undefined && !/^[1-9]\d{0,8}$/.test(values.customer))
    throw new UsageError('--customer is the id of a customer, as npm run manage -- customers --site CODE lists it.')
  if (kind !== 'vehicles' && values.customer !== undefined) throw new UsageError('--customer goes with vehicles only.')

  const encoding = encodings.find(name => name === values.encoding)
  if (values.encoding !== undefined && !encoding) throw new UsageError(`--encoding is one of ${encodings.join(', ')}.`)

  const fileName = resolveFile(file)
  // before a database is opened or started for it
  if (!statSync(fileName, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`There is no file ${fileName}.`)
  const elapsed = stopwatch()
  const store = await joinStore()
  try {
    const output = outputTo(process.stderr)
    const options: Import = {
      kind: kind as ImportKind,
      file: fileName,
      site: values.site,
      customer: values.customer === undefined ? undefined : Number(values.customer),
      dryRun: values['dry-run'],
      encoding,
      sendsMail: readConfig(process.env).SMTP_URL !== undefined,
      now: new Date(),
    }
    const {
      row_count: rows,
      added,
      changed,
      unchanged,
      refused,
    } = await importFile(store.database, options, output).finally(() => output.clear())
    console.log(`${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused`)
    if (values['dry-run']) console.log('Dry run: nothing was saved.')
    console.error(elapsed())
  } finally {
    await store.close()
  }
}

/** Refused and shortened rows go to standard output; progress and remarks go to the terminal. */
function outputTo(terminal: NodeJS.WriteStream): Reporter & { clear(): void } {
  const barWidth = 30
  let barShown = false
  let quartersShown = 0
  const clear = (): void => {
    if (barShown) terminal.write('\r\u001B[K')
    barShown = false
  }
  const print = (text: string): void => {
    clear()
    console.log(text)
  }
  return {
    clear,
    rowRefused: (line, reason) => print(`line ${line} refused: ${reason}`),
    rowAdjusted: (line, text) => print(`line ${line}: ${text}`),
    remark(text) {
      clear()
      console.error(text)
    },
    progress(bytes, total, rows) {
      const part = total === 0 ? 1 : Math.min(1, bytes / total)
      if (terminal.isTTY) {
        const full = Math.round(part * barWidth)
        const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
        terminal.write(`\r${bar} ${Math.floor(part * 100)} %, ${rows} rows\u001B[K`)
        barShown = true
      } else if (Math.floor(part * 4) > quartersShown) {
        quartersShown = Math.floor(part * 4)
        console.error(`${quartersShown * 25} %, ${rows} rows read`)
      }
    },
  }
}

if (import.meta.main) await runCommand(command, ImportRefused)
