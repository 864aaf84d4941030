/**
 * Imports the rows of a file into a site (docs/product/files.md "Imports"), all valid rows or nothing. Idempotent: existing records are matched
 * and changed where the file differs.
 */
import { setImmediate } from 'node:timers/promises'
import { languages, type Language } from '#domain/people/account.ts'
import { plainSize } from '#domain/tyres/article.ts'
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { ImportKind } from '#domain/texts/importColumn.ts'
import { nameKey } from '#domain/texts/letters.ts'
import { templateKeys } from '#domain/texts/templateKeys.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { translate } from '../../texts/texts.ts'
import type { Site } from '../handler.ts'
import { lockPutAway } from '../tyres/putAwayLock.sql.ts'
import type { Source } from './import.file.ts'
import { fieldOf, translateMessage } from './import.messages.ts'
import { RowRefused, type Message } from './import.refused.ts'
import { saveAccounts, type Origin } from './import.accounts.ts'
import { saveOdometers } from './import.odometers.ts'
import { saveLocations } from './import.locations.ts'
import type { Shown } from './import.shown.ts'
import {
  articleKey,
  nameAndPostcode,
  rowReaders,
  type ArticleRow,
  type AccountRow,
  type CustomerRow,
  type LocationRow,
  type OdometerRow,
  type RowReader,
  type ServiceRow,
  type TyreRow,
  type VehicleRow,
} from './import.rows.ts'
import { saveServices } from './import.services.ts'
import * as sql from './import.sql.ts'
import { TyreImport, type ImportingSite, type Saved } from './import.tyres.ts'
import { recordAudit } from '../audit/record.ts'

/** How many rows a file had, and the result for each. */
export type Outcome = { row_count: number; added: number; changed: number; unchanged: number; refused: number }

/** A row as its kind reads it: its values by column, and the columns of which something was changed on the way. */
export type ReadRow = { readonly shown: Readonly<Record<string, Shown>>; readonly adjusted: ReadonlySet<string> }

/** Called while an import runs. Lines are those of the file; the header is line 1. */
export type Reporter = {
  /** `field`: what the reason is about, where that is one field. */
  rowRefused(line: number, reason: string, field: string | null): void
  /** The outcome of a row; `read` has the values that will be saved. */
  rowSaved?(line: number, outcome: 'added' | 'changed' | 'unchanged', read: ReadRow): void
  /** A row is imported in a changed form. */
  rowAdjusted(line: number, text: string): void
  /** About the file as a whole. */
  remark(text: string): void
  progress(bytes: number, of: number, rows: number): void
}

/** The kind of import; vehicles need their owner, unless the file names one in each row. */
export type ImportTarget =
  | { readonly kind: 'vehicles'; readonly customer: number | null }
  | { readonly kind: Exclude<ImportKind, 'vehicles'> }

export type ImportRequest = ImportTarget & {
  readonly site: ImportingSite & Pick<Site, 'timeZone' | 'language'>
  readonly source: Source
  /** The name of the file. */
  readonly name: string
  /** The language of the messages about rows. */
  readonly lang: Language
  /** The importing account; `null` at the terminal. */
  readonly account?: number
  readonly dryRun?: boolean | undefined
  /** Whose accounts are made and changed, and whether they get messages; by default nobody does. */
  readonly origin?: Partial<Origin>
  /** Refuses the whole import when a row is refused. */
  readonly allOrNothing?: boolean
  /** Whether the caller has given up; the import then ends without a trace. */
  readonly cancelled?: () => boolean
  readonly now: Date
}

/**
 * Imports rows into a site in the transaction `tx`, and audits it; a dry run changes nothing.
 * @throws FileRefused: the transaction must then be rolled back; Failure `server.busy` while another import of the kind runs there,
 * `import.rows_refused` when all rows were wanted, `import.cancelled`
 */
export async function importRows(
  tx: Tx,
  request: ImportRequest,
  report: Reporter,
): Promise<Outcome & { readonly import: number | null }> {
  const { site, kind, now, name, account, dryRun } = request
  const { locked } = await tx.one(sql.lockImports, { site: site.id, kind })
  if (!locked) throw new Failure('server.busy', { seconds: 5 })
  if (dryRun) await tx.run(sql.beginDryRun, {})
  const customer = request.kind === 'vehicles' ? request.customer : null
  const begun = { site: site.id, kind, customer, file: name, now, account: account ?? null }
  const { id } = await tx.one(sql.beginImport, begun)
  const outcome = await saveRows(tx, { ...request, import: id }, report)
  if (request.allOrNothing === true && outcome.refused > 0)
    throw new Failure('import.rows_refused', { rows: outcome.refused })
  if (dryRun) {
    await tx.run(sql.endDryRun, {})
    return { ...outcome, import: null }
  }
  await tx.run(sql.endImport, { site: site.id, import: id, ...outcome })
  const { row_count: rows, ...others } = outcome
  await recordAudit(
    { tx, site, who: { account: account ?? null }, now },
    `import.${kind}`,
    kind,
    { file: name, rows, ...others },
    customer,
  )
  return { ...outcome, import: id }
}

type Running = ImportRequest & { readonly import: number }

/**
 * Maximum rows per statement. Vehicles, articles and customers: each statement compares its rows with all rows of the site, so the
 * largest upload is one batch; the known rows are read once and the cost of a row does not grow with the file. Tyres are looked up by
 * the plates of a batch. Locations are one batch: rows hold other rows.
 */
const longestBatch = {
  vehicles: 100_000,
  articles: 100_000,
  customers: 100_000,
  tyres: 2000,
  locations: Number.POSITIVE_INFINITY,
  services: 100_000,
  accounts: 100_000,
  odometers: 100_000,
} as const satisfies Record<ImportKind, number>
/** Yields to the event loop after this many ms of reading rows. */
const readingAtOnce = 10

type Place = { readonly place: number }

/** How a batch of rows is saved, by kind. */
async function saverOf(tx: Tx, request: Running, remark: (message: Message) => void) {
  const { site, now, account = null } = request
  const about = { site: site.id, import: request.import }
  switch (request.kind) {
    case 'vehicles': {
      const owners = new Owners(tx, site.id, request.customer)
      const configurations = new Configurations(tx, site.id, remark)
      const complete = async (row: VehicleRow) => {
        const customer_id = await owners.of(row)
        return { ...(await configurations.addTo(row)), customer_id }
      }
      return async (rows: readonly object[]): Promise<Saved[]> => {
        const { ready, refused } = await completed(rows as readonly (VehicleRow & Place)[], complete)
        return [...refused, ...savedOf(await tx.rows(sql.saveVehicles, { ...about, rows: await inJson(ready), now }))]
      }
    }
    case 'articles':
      return async (rows: readonly object[]): Promise<Saved[]> =>
        savedOf(
          await tx.rows(sql.saveArticles, {
            ...about,
            rows: await inJson(await withKnown(tx, site.id, rows as ArticleRow[])),
          }),
        )
    case 'customers':
      return async (rows: readonly object[]): Promise<Saved[]> => {
        const {
          ready,
          refused,
          known: existing,
        } = await compared(tx, site.id, rows as readonly (CustomerRow & Place)[])
        const saved = await tx.rows(sql.saveCustomers, {
          ...about,
          rows: await inJson(ready),
          known: await inJson(existing),
          now,
        })
        return [...refused, ...savedOf(saved)]
      }
    case 'locations':
      await tx.run(lockPutAway, { site: site.id })
      return (rows: readonly object[]): Promise<Saved[]> =>
        saveLocations({ ...about, tx }, rows as readonly LocationRow[])
    case 'services':
      return (rows: readonly object[]): Promise<Saved[]> =>
        saveServices({ ...about, tx }, rows as readonly ServiceRow[])
    case 'accounts': {
      const owners = new Owners(tx, site.id, null)
      const origin = { ...ofTerminal(site.id), ...request.origin, ...(request.dryRun && { countSecurityEvent() {} }) }
      const importing = { ...about, tx, who: account === null ? null : { account }, now, request: origin }
      return (rows: readonly object[]): Promise<Saved[]> =>
        saveAccounts(importing, row => owners.of(row), rows as readonly AccountRow[])
    }
    case 'odometers': {
      const day = today({ now, timeZone: site.timeZone })
      const importing = { tx, site, import: request.import, account, now, today: day }
      return (rows: readonly object[]): Promise<Saved[]> => saveOdometers(importing, rows as readonly OdometerRow[])
    }
    case 'tyres': {
      await tx.run(lockPutAway, { site: site.id })
      const seasonName = (season: string): string =>
        translate(site.language, 'tyres', `season.${season}` as 'season.winter')
      const day = today({ now, timeZone: site.timeZone })
      const tyres = new TyreImport({ tx, site, import: request.import, account, now, today: day, seasonName })
      return (rows: readonly object[]): Promise<Saved[]> => tyres.save(rows as readonly TyreRow[])
    }
  }
}

const ofTerminal = (site: number): Origin => ({
  site,
  address: '',
  agent: '',
  sendsMail: false,
  countSecurityEvent() {},
  invalidateSessions() {},
})

/** Rows as JSON, in parts: serializing all at once would block other requests. */
async function inJson(rows: readonly object[]): Promise<string> {
  const texts: string[] = []
  for (const row of rows) {
    texts.push(JSON.stringify(row))
    if (texts.length % 1000 === 0) await setImmediate()
  }
  return `[${texts.join()}]`
}

/**
 * Rows with the articles that they are. One that was saved before sizes had one spelling is found by what its size means; of several
 * the one with the same spelling, else the first.
 */
async function withKnown(tx: Tx, site: number, rows: readonly ArticleRow[]): Promise<object[]> {
  const keys = [...new Set(rows.map(row => row.load_key))]
  const ids = new Map<string, number>()
  for (const { id, ...article } of await tx.rows(sql.articlesAlike, { site, keys })) {
    const dimension = plainSize(article.dimension)
    const key = articleKey({ ...article, dimension })
    if (dimension === article.dimension || !ids.has(key)) ids.set(key, id)
  }
  return rows.map(row => ({ ...row, known: ids.get(articleKey(row)) ?? null }))
}

/**
 * Rows of customers with the keys that they are compared by, and the stored customers that have one of them. A row with the code of
 * several is refused: they were saved when codes that look equal were two.
 */
async function compared(tx: Tx, site: number, rows: readonly (CustomerRow & Place)[]) {
  const keyed = rows.map(row => ({ ...row, code_key: nameKey(row.code ?? ''), name_key: nameAndPostcode(row) }))
  const [codes, names] = [new Map(keyed.map(row => [row.code_key, 0])), new Set(keyed.map(row => row.name_key))]
  codes.delete('')
  const existing: { id: number; code_key: string; name_key: string }[] = []
  for (const { id, code, ...customer } of await tx.rows(sql.customersByName, { site })) {
    const [code_key, name_key] = [nameKey(code), nameAndPostcode(customer)]
    const count = codes.get(code_key)
    if (count !== undefined) codes.set(code_key, count + 1)
    if (count !== undefined || names.has(name_key)) existing.push({ id, code_key, name_key })
  }
  const isSeveral = ({ code_key }: (typeof keyed)[number]): boolean => (codes.get(code_key) ?? 0) > 1
  const refused = keyed.filter(isSeveral).map(({ place, code }): Saved => ({
    place,
    outcome: { refused: { text: 'codes_alike', facts: { text: code ?? '' } } },
  }))
  return { ready: keyed.filter(row => !isSeveral(row)), refused, known: existing }
}

const savedOf = (rows: readonly Row<typeof sql.saveCustomers>[]): Saved[] =>
  rows.map(({ place, outcome }) => ({
    place,
    outcome: outcome === 'unclear' ? { refused: { text: 'unclear', facts: {} } } : outcome,
  }))

/** Adds to each row the values that have to be looked up; refuses the rows for which that fails. */
async function completed<T extends Place>(rows: readonly T[], complete: (row: T) => Promise<object>) {
  const ready: object[] = []
  const refused: Saved[] = []
  for (const row of rows) {
    try {
      ready.push(await complete(row))
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      refused.push({ place: row.place, outcome: { refused: error.reason } })
    }
  }
  return { ready, refused }
}

const nothingAdjusted: ReadonlySet<string> = new Set()

async function saveRows(tx: Tx, request: Running, report: Reporter): Promise<Outcome> {
  const { kind, lang, source } = request
  const reader: RowReader<unknown> = rowReaders[kind]
  const remark = (message: Message): void => report.remark(translateMessage(lang, message))
  const save = await saverOf(tx, request, remark)
  const outcome: Outcome = { row_count: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }
  const lineOf = new Map<string, number>()
  let lines: number[] = []
  let records: object[] = []
  let adjusted = new Map<number, Set<string>>()
  let readSince = performance.now()
  let undated = 0

  const refuse = (line: number, reason: Message): void => {
    outcome.refused++
    report.rowRefused(line, translateMessage(lang, reason), fieldOf(reason))
  }
  const send = async (): Promise<void> => {
    if (request.cancelled?.()) throw new Failure('import.cancelled')
    if (records.length === 0) return
    const [saved, adjustedBy] = [records, adjusted]
    for (const { place, outcome: result, note } of await save(records)) {
      const line = lines[place] ?? 0
      if (note) report.rowAdjusted(line, translateMessage(lang, note))
      if (typeof result === 'object') {
        refuse(line, result.refused)
      } else {
        outcome[result]++
        report.rowSaved?.(line, result, {
          get shown() {
            return reader.shows(saved[place])
          },
          adjusted: adjustedBy.get(place) ?? nothingAdjusted,
        })
      }
    }
    lines = []
    records = []
    adjusted = new Map()
  }

  for await (const { line, cells, refusal } of source(languages[request.site.language], {
    remark,
    progress: report.progress,
  })) {
    outcome.row_count++
    if (performance.now() - readSince > readingAtOnce) {
      await setImmediate()
      readSince = performance.now()
    }
    try {
      if (refusal) throw new RowRefused(refusal.text, refusal.facts)
      const adjustments: Message[] = []
      const record = reader.read(cells, (text, facts = {}) => adjustments.push({ text, facts }))
      const duplicate = reader.conflictingKeys(record).find(key => lineOf.has(key))
      if (duplicate !== undefined) throw new RowRefused(reader.duplicate, { line: lineOf.get(duplicate) ?? 0 })
      for (const key of reader.keys(record)) lineOf.set(key, line)
      for (const message of adjustments) report.rowAdjusted(line, translateMessage(lang, message))
      const columns = adjustments.map(fieldOf).filter(column => column !== null)
      if (columns.length > 0) adjusted.set(records.length, new Set(columns))
      if (kind === 'tyres' && isUndated(record as TyreRow)) undated++
      lines.push(line)
      records.push({ ...(record as object), place: records.length })
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      refuse(line, error.reason)
    }
    if (records.length >= longestBatch[kind]) await send()
  }
  await send()
  if (undated > 0 && request.site.allowProfileDepth) remark({ text: 'depths_undated', facts: { count: undated } })
  return outcome
}

const isUndated = ({ depth, depth_date: measured }: TyreRow): boolean => depth !== null && measured === null

function addName(to: Map<string, Set<number>>, name: string, id: number): void {
  const key = nameKey(name)
  if (key !== '') to.set(key, (to.get(key) ?? new Set()).add(id))
}

/** The owners of imported vehicles and accounts: the customer of the import, or the one that a row names by code or name. */
class Owners {
  readonly #tx: Tx
  readonly #site: number
  readonly #usual: number | null
  #known: Map<string, Set<number>> | undefined
  constructor(tx: Tx, site: number, usual: number | null) {
    this.#tx = tx
    this.#site = site
    this.#usual = usual
  }

  /** @throws RowRefused when there is none, or more than one */
  async of({ customer }: Pick<VehicleRow, 'customer'>): Promise<number> {
    if (customer === null) {
      if (this.#usual === null) throw new RowRefused('blank', { column: 'customer' })
      return this.#usual
    }
    this.#known ??= await this.#load()
    const customers = this.#known.get(nameKey(customer))
    if (!customers) throw new RowRefused('no_customer', { text: customer })
    const [owner, ...others] = customers
    if (owner === undefined || others.length > 0) throw new RowRefused('several_customers', { text: customer })
    return owner
  }

  async #load(): Promise<Map<string, Set<number>>> {
    const [named, coded] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()]
    for (const { id, code, name, company } of await this.#tx.rows(sql.customersByName, { site: this.#site })) {
      addName(named, name, id)
      addName(named, company, id)
      addName(coded, code, id)
    }
    // a code belongs to its customer, even when another customer's name equals it
    return new Map([...named, ...coded])
  }
}

/** The vehicle configurations of imported vehicles, each looked up or created once. */
class Configurations {
  readonly #tx: Tx
  readonly #site: number
  readonly #remark: (message: Message) => void
  readonly #known = new Map<string, number | null>()
  #language: Language | undefined
  constructor(tx: Tx, site: number, remark: (message: Message) => void) {
    this.#tx = tx
    this.#site = site
    this.#remark = remark
  }

  async addTo({ template, ...vehicle }: VehicleRow): Promise<object> {
    if (!template) return vehicle
    const key = `${vehicle.type} ${template.name}`
    if (!this.#known.has(key)) {
      this.#language ??= (await this.#tx.one(sql.languageOf, { site: this.#site })).language
      const name = translate(this.#language, 'config', `vehicleConfigs.template.${templateKeys[template.name]}`)
      const configuration = await this.#tx.maybe(sql.configurationFor, {
        site: this.#site,
        name,
        axles: JSON.stringify(template.axles),
        kind: vehicle.type,
        englishName: template.name,
      })
      if (configuration?.made) this.#remark({ text: 'configuration_new', facts: { name } })
      if (!configuration) this.#remark({ text: 'configuration_differs', facts: { name } })
      this.#known.set(key, configuration?.id ?? null)
    }
    return { ...vehicle, config_id: this.#known.get(key) }
  }
}
