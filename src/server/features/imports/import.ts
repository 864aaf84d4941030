/**
 * Imports the rows of a CSV file into a site: vehicles, articles or customers, all valid rows or nothing. Idempotent: existing
 * records are matched and changed where the file differs.
 */
import { setImmediate } from 'node:timers/promises'
import type { Language } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import { templateKeys } from '#domain/templateKeys.ts'
import type { Tx } from '../../db/database.ts'
import { translate } from '../../texts/texts.ts'
import { rowsOf, type Content } from './import.file.ts'
import { RowRefused, translateMessage, type Message } from './import.messages.ts'
import { rowReaders, type ImportKind, type RowReader, type VehicleRow } from './import.rows.ts'
import * as sql from './import.sql.ts'

/** How many rows a file had, and the result for each. */
export type Outcome = { rows: number; added: number; changed: number; unchanged: number; refused: number }

/** Called while an import runs. Lines are those of the file; the header is line 1. */
export type Reporter = {
  rowRefused(line: number, reason: string): void
  /** A row is imported in a changed form. */
  rowAdjusted(line: number, text: string): void
  /** About the file as a whole. */
  remark(text: string): void
  progress(bytes: number, of: number, rows: number): void
}

/** The kind of import; vehicles need their owner. */
export type ImportTarget =
  | { readonly kind: 'vehicles'; readonly customer: number }
  | { readonly kind: Exclude<ImportKind, 'vehicles'> }

export type ImportRequest = ImportTarget & {
  readonly site: number
  readonly content: Content
  /** The name of the file. */
  readonly name: string
  /** The language of the messages about rows. */
  readonly lang: Language
  /** The importing account; `null` at the terminal. */
  readonly account?: number
  readonly dryRun?: boolean | undefined
  readonly now: Date
}

/**
 * Imports rows into a site in the transaction `tx`, and audits it; a dry run changes nothing.
 * @throws FileRefused: the transaction must then be rolled back; Failure `server.busy` while another import of the kind runs there
 */
export async function importRows(tx: Tx, request: ImportRequest, report: Reporter): Promise<Outcome> {
  const { site, kind, now, name, account, dryRun } = request
  const { locked } = await tx.one(sql.lockImports, { site, kind })
  if (!locked) throw new Failure('server.busy', { seconds: 5 })
  if (dryRun) await tx.run(sql.beginDryRun, {})
  const outcome = await saveRows(tx, request, report)
  if (dryRun) {
    await tx.run(sql.endDryRun, {})
  } else {
    await tx.run(sql.auditImport, {
      site,
      customer: request.kind === 'vehicles' ? request.customer : null,
      now,
      action: `import.${kind}`,
      subject: kind,
      facts: JSON.stringify({ file: name, ...outcome }),
      account: account ?? null,
    })
  }
  return outcome
}

/**
 * Maximum rows per statement. Each statement compares its rows with all rows of the site: the largest upload is one batch, so that the
 * known rows are read once and the cost of a row does not grow with the file. More would only cost memory.
 */
const longestBatch = 100_000
/** Yields to the event loop after this many ms of reading rows. */
const readingAtOnce = 10

/** Saves a batch of rows, in JSON; `unclear` are those that match several customers, by their place in the batch. */
async function saveBatch(tx: Tx, request: ImportRequest, rows: string) {
  const { site, now } = request
  switch (request.kind) {
    case 'vehicles':
      return { ...(await tx.one(sql.saveVehicles, { site, rows, customer: request.customer, now })), unclear: [] }
    case 'articles':
      return { ...(await tx.one(sql.saveArticles, { site, rows })), unclear: [] }
    case 'customers':
      return tx.one(sql.saveCustomers, { site, rows, now })
  }
}

async function saveRows(tx: Tx, request: ImportRequest, report: Reporter): Promise<Outcome> {
  const { kind, site, lang, content } = request
  const reader: RowReader<unknown> = rowReaders[kind]
  const remark = (message: Message): void => report.remark(translateMessage(lang, message))
  const configurations = new Configurations(tx, site, remark)
  const outcome: Outcome = { rows: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }
  const lineOf = new Map<string, number>()
  let lines: number[] = []
  // as JSON each: all at once would hold up whoever else asks
  let records: string[] = []
  let readSince = performance.now()

  const refuse = (line: number, reason: Message): void => {
    outcome.refused++
    report.rowRefused(line, translateMessage(lang, reason))
  }
  const send = async (): Promise<void> => {
    if (records.length === 0) return
    const { added, changed, unclear } = await saveBatch(tx, request, `[${records.join()}]`)
    for (const place of unclear) refuse(lines[place] ?? 0, { text: 'unclear', facts: {} })
    outcome.added += added
    outcome.changed += changed
    outcome.unchanged += records.length - added - changed - unclear.length
    lines = []
    records = []
  }

  for await (const { line, cells, misfit } of rowsOf(content, reader, { remark, progress: report.progress })) {
    outcome.rows++
    if (performance.now() - readSince > readingAtOnce) {
      await setImmediate()
      readSince = performance.now()
    }
    try {
      if (misfit) throw new RowRefused('misfit', misfit)
      const adjustments: Message[] = []
      const record = reader.read(cells, (text, facts = {}) => adjustments.push({ text, facts }))
      const duplicate = reader.conflictingKeys(record).find(key => lineOf.has(key))
      if (duplicate !== undefined) throw new RowRefused(reader.duplicate, { line: lineOf.get(duplicate) ?? 0 })
      for (const key of reader.keys(record)) lineOf.set(key, line)
      for (const message of adjustments) report.rowAdjusted(line, translateMessage(lang, message))
      const complete = kind === 'vehicles' ? await configurations.addTo(record as VehicleRow) : (record as object)
      lines.push(line)
      records.push(JSON.stringify({ ...complete, place: records.length }))
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      refuse(line, error.reason)
    }
    if (records.length >= longestBatch) await send()
  }
  await send()
  return outcome
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
      const found = await this.#tx.maybe(sql.configurationFor, {
        site: this.#site,
        name,
        axles: JSON.stringify(template.axles),
        kind: vehicle.type,
        englishName: template.name,
      })
      if (found?.made) this.#remark({ text: 'configuration_new', facts: { name } })
      if (!found) this.#remark({ text: 'configuration_differs', facts: { name } })
      this.#known.set(key, found?.id ?? null)
    }
    return { ...vehicle, config_id: this.#known.get(key) }
  }
}
