/**
 * Takes the rows of a CSV file into a site: vehicles, articles or customers, all that make sense or nothing. Safe to repeat:
 * what is there already is found again and changed where the file says something new.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse, type CsvError } from 'csv-parse'
import type { Language } from '#domain/account.ts'
import { oneLine, plainCell } from '#domain/cell.ts'
import type { Facts } from '#domain/failure.ts'
import { templateKeys } from '#domain/templateKeys.ts'
import type { Tx } from '../../db/database.ts'
import { Refused, sources, type Cells, type Kind, type Sentence, type Source, type VehicleRow } from './import.rows.ts'
import {
  importBatch,
  type ImportBatch,
  beginDryRun,
  configurationFor,
  endDryRun,
  languageOf,
  lockImports,
  recordImport,
} from './import.sql.ts'
import { translate } from '../../texts/texts.ts'

/** A file or a wish that cannot be used: nothing was taken in. The message says why, to the person at the terminal. */
export class Unusable extends Error {}

/** What is in the file makes it unusable, and `why` for whoever does not sit at the terminal. */
export class UnusableFile extends Unusable {
  readonly why: Sentence
  constructor(text: Sentence['text'], facts: Facts = {}, options?: ErrorOptions) {
    super(inWords('eng', { text, facts }), options)
    this.why = { text, facts }
  }
}

/** A sentence about a file in somebody's language; the names of columns stay as files have them. */
export const inWords = (lang: Language, { text, facts }: Sentence): string => translate(lang, 'import', text, facts)

/** How many rows a file had, and what came of them. */
export type Outcome = { rows: number; added: number; changed: number; unchanged: number; refused: number }

/** What is told while an import runs. Lines are those of the file, the header is line 1. */
export type Tell = {
  refused(line: number, reason: string): void
  /** A row that is taken in, but not word for word. */
  noted(line: number, text: string): void
  /** About the file as a whole. */
  said(text: string): void
  progress(bytes: number, of: number, rows: number): void
}

/** What is read: the bytes from their beginning, how many there are, and the line that tells how cells are separated. */
export type Content = { read(): Readable; readonly size: number; readonly header: string }

export type Taken = {
  readonly kind: Kind
  readonly site: number
  /** Whose the vehicles are; only with vehicles. */
  readonly customer?: number | undefined
  readonly content: Content
  /** What the file is called. */
  readonly name: string
  /** In which language is told what becomes of the rows. */
  readonly lang: Language
  /** Who takes it in; nobody at the terminal. */
  readonly account?: number
  readonly dryRun?: boolean | undefined
  readonly now: Date
}

/**
 * Takes rows into a site under `tx`, and leaves a record of it; a dry run leaves nothing.
 * @throws UnusableFile: then the transaction may not be kept
 */
export async function takeIn(tx: Tx, asked: Taken, tell: Tell): Promise<Outcome> {
  await tx.run(lockImports, { site: asked.site, kind: asked.kind })
  if (asked.dryRun) await tx.run(beginDryRun, {})
  const outcome = await takeRows(tx, asked, tell)
  if (asked.dryRun) {
    await tx.run(endDryRun, {})
  } else {
    const { site, kind, customer, now, name, account } = asked
    const facts = JSON.stringify({ file: name, ...outcome })
    await tx.run(recordImport, {
      site,
      customer: customer ?? null,
      now,
      action: `import.${kind}`,
      subject: kind,
      facts,
      actor: account ?? null,
    })
  }
  return outcome
}

/** Rows that go to the database in one statement. */
const batchSize = 500

async function takeRows(tx: Tx, asked: Taken, tell: Tell): Promise<Outcome> {
  const { kind, site, customer, now, lang } = asked
  const source: Source<unknown> = sources[kind]
  const importInto: ImportBatch = importBatch[kind]
  const configurations = new Configurations(tx, site, sentence => tell.said(inWords(lang, sentence)))
  const outcome: Outcome = { rows: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }
  const seen = new Map<string, number>()
  let batch: { line: number; record: object }[] = []

  const refuse = (line: number, why: Sentence): void => {
    outcome.refused++
    tell.refused(line, inWords(lang, why))
  }
  const send = async (): Promise<void> => {
    if (batch.length === 0) return
    const rows = batch.map(({ record }, place) => ({ ...record, place }))
    const {
      added,
      changed,
      unclear = [],
    } = await importInto(tx, {
      site,
      rows: JSON.stringify(rows),
      customer,
      now,
    })
    for (const place of unclear) refuse(batch[place]?.line ?? 0, { text: 'unclear', facts: {} })
    outcome.added += added
    outcome.changed += changed
    outcome.unchanged += batch.length - added - changed - unclear.length
    batch = []
  }

  for await (const { line, cells, misfit } of rowsOf(asked, source, tell)) {
    outcome.rows++
    try {
      if (misfit) throw new Refused('misfit', misfit)
      const notes: Sentence[] = []
      const record = source.read(cells, (text, facts = {}) => notes.push({ text, facts }))
      const twin = source.isNotBeside(record).find(key => seen.has(key))
      if (twin !== undefined) throw new Refused(source.twin, { line: seen.get(twin) ?? 0 })
      for (const key of source.is(record)) seen.set(key, line)
      for (const note of notes) tell.noted(line, inWords(lang, note))
      batch.push({
        line,
        record: kind === 'vehicles' ? await configurations.into(record as VehicleRow) : (record as object),
      })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refuse(line, error.why)
    }
    if (batch.length >= batchSize) await send()
  }
  await send()
  return outcome
}

/** The vehicle configurations that imported vehicles get, each looked up or made once. */
class Configurations {
  readonly #tx: Tx
  readonly #site: number
  readonly #tell: (sentence: Sentence) => void
  readonly #known = new Map<string, number | null>()
  #language: Language | undefined
  constructor(tx: Tx, site: number, tell: (sentence: Sentence) => void) {
    this.#tx = tx
    this.#site = site
    this.#tell = tell
  }

  async into({ template, ...vehicle }: VehicleRow): Promise<object> {
    if (!template) return vehicle
    const key = `${vehicle.type} ${template.name}`
    if (!this.#known.has(key)) {
      this.#language ??= (await this.#tx.one(languageOf, { site: this.#site })).language
      const name = translate(this.#language, 'config', `vehicleConfigs.template.${templateKeys[template.name]}`)
      const found = await this.#tx.maybe(configurationFor, {
        site: this.#site,
        name,
        axles: JSON.stringify(template.axles),
        kind: vehicle.type,
        template: template.name,
      })
      if (found?.made) this.#tell({ text: 'configuration_new', facts: { name } })
      if (!found) this.#tell({ text: 'configuration_differs', facts: { name } })
      this.#known.set(key, found?.id ?? null)
    }
    return { ...vehicle, config_id: this.#known.get(key) }
  }
}

// The file --------------------------------------------------------------------------------------------------------------

type FileRow = { readonly line: number; readonly cells: Cells; readonly misfit: Facts | null }

/** The rows of a file, read as they are asked for. @throws UnusableFile */
async function* rowsOf({ content, lang }: Taken, source: Source<unknown>, tell: Tell): AsyncGenerator<FileRow> {
  const { size } = content
  const reader = content.read()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(content.header),
    info: true,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  })
  const flow = pipeline(reader, utf8, parser)
  flow.catch(() => {})
  let columns: Map<string, number> | null = null
  let width = 0
  let rows = 0
  let next = 1
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const values = record.map(tidy)
      // the line on which the record begins: blank lines may come before it, and a quoted cell may hold more than one
      const line = next + linesIn(/^\s*/.exec(raw)?.[0] ?? '')
      next += linesIn(raw)
      if (columns) {
        rows++
        if (rows % 200 === 0) tell.progress(info.bytes, size, rows)
        yield { line, cells: cellsOf(columns, values), misfit: misfitOf(values, width) }
      } else {
        columns = columnsOf(values, source, sentence => tell.said(inWords(lang, sentence)))
        width = values.length
      }
    }
    await flow
  } catch (error) {
    throw unusable(error)
  } finally {
    reader.destroy()
  }
  if (!columns) throw new UnusableFile('empty')
  tell.progress(size, size, rows)
}

type Parsed = { record: string[]; raw: string; info: { bytes: number } }

const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** A cell as it is kept: one line, without control characters, composed as databases compare it, and as it was before a
 * file of ours kept it from being a formula. */
const tidy = (text: string): string => plainCell(oneLine(text))

/** The first line is looked for in so much of the beginning. */
export const beginning = 64 * 1024

/** What somebody sent as text instead of a file. */
export function contentOfText(text: string): Content {
  const bytes = Buffer.from(text)
  return { read: () => Readable.from([bytes]), size: bytes.length, header: firstLine(text.slice(0, beginning)) }
}

export const firstLine = (text: string): string => text.split(/\r|\n/, 1)[0] ?? ''

/** How the cells of a file are separated, by its header line. */
export function delimiterOf(header: string): string {
  const count = (sign: string): number => header.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** The text of a file, piece by piece. @throws UnusableFile at the first byte that is not UTF-8 */
async function* utf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let line = 1
  try {
    for await (const piece of pieces) {
      const text = decoder.decode(piece, { stream: true })
      line += text.split('\n').length - 1
      yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnusableFile('not_utf8', { line }, { cause: error })
  }
}

/** What the parser of CSV could not read, as why the file is unusable; any other error stays what it is. */
export function unusable(error: unknown): unknown {
  const { code, lines, message } = error as CsvError & { lines?: number }
  if (!code?.startsWith('CSV_')) return error
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new UnusableFile('quote_open')
  return new UnusableFile('not_csv', { line: lines ?? '?', reason: message }, { cause: error })
}

/** The place of each column that is known. @throws UnusableFile when one that is needed is missing or stands twice */
function columnsOf(
  header: readonly string[],
  source: Source<unknown>,
  tell: (sentence: Sentence) => void,
): Map<string, number> {
  const names = header.map(name => name.toLowerCase().replaceAll(/[\s-]+/g, '_'))
  const missing = source.required.filter(options => !options.some(name => names.includes(name)))
  if (missing.length > 0)
    throw new UnusableFile('columns_missing', {
      columns: missing.map(([name = '']) => name),
      header: header.join(', ') || '–',
    })
  const known = new Set([...source.required.flat(), ...source.optional])
  const columns = new Map<string, number>()
  for (const [at, name] of names.entries()) {
    if (!known.has(name)) continue
    if (columns.has(name)) throw new UnusableFile('column_twice', { column: name })
    columns.set(name, at)
  }
  const unused = names.filter(name => name !== '' && !known.has(name))
  if (unused.length > 0) tell({ text: 'columns_unused', facts: { columns: unused } })
  return columns
}

const cellsOf =
  (columns: ReadonlyMap<string, number>, values: readonly string[]): Cells =>
  column => {
    const at = columns.get(column)
    return (at === undefined ? '' : values[at]) || null
  }

/** A row whose cells cannot be matched with the columns. Blank cells too many are what spreadsheets add. */
function misfitOf(values: readonly string[], width: number): Facts | null {
  const excess = values.slice(width).some(value => value !== '')
  if (values.length < width || excess) return { cells: values.length, width }
  return null
}
