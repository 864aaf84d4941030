/** Imports in the browser (docs/product/files.md "Imports"): a file is looked at, taken in, and undone as a whole. */
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { headingKey, isClosedToTokens, isOfHotel, type ImportKind } from '#domain/texts/importColumn.ts'
import { shownText } from '#domain/texts/sheetCell.ts'
import { isHotel } from '#domain/site.ts'
import { maxRefusedLines } from '#contract/customers.ts'
import { maxPreviewed, imports as calls } from '#contract/imports.ts'
import type { Input } from '#contract/call.ts'
import type { Tx } from '../../db/database.ts'
import { superusers, type Context, type Handlers, type Site } from '../handler.ts'
import { moveAddress } from '../mail/enqueue.ts'
import { requireFresh } from '../security/fresh.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { lockPutAway } from '../tyres/putAwayLock.sql.ts'
import { accountsOfImport } from './import.accounts.sql.ts'
import { sheetRows } from './import.file.ts'
import { translateMessage } from './import.messages.ts'
import { FileRefused } from './import.refused.ts'
import { previewed } from './import.shown.ts'
import { importRows, type ImportTarget, type ReadRow, type Reporter } from './import.ts'
import { lockImports } from './import.sql.ts'
import { countVersion, lockConfig } from './import.services.sql.ts'
import * as sql from './imports.sql.ts'
import { columnsOfSheet, textsOf, type SheetMatch } from './matching.ts'
import { readSheet, type Sheet } from './sheet.ts'
import { recordAudit } from '../audit/record.ts'

type FileInput = Input<typeof calls.check>
type Progress = { row_count: number; of: number }

/** The imports that this node runs, by site: there is one at a time of each. */
const running = new Map<number, Progress>()

/** @throws Failure `site.mode`, or `token.closed` where an access token asks for what only a session may do */
function requireKind(kind: ImportKind, { site: { mode }, request }: Pick<Asking, 'site' | 'request'>): void {
  if (isOfHotel(kind) && !isHotel(mode)) throw new Failure('site.mode')
  if (isClosedToTokens(kind) && request.session === null) throw new Failure('token.closed')
}

async function targetOf(tx: Tx, site: Site, { kind, seq_id: customer }: FileInput): Promise<ImportTarget> {
  if (kind !== 'vehicles') return { kind }
  if (customer !== undefined) await tx.one(sql.customerOfSite, { site: site.id, customer })
  return { kind, customer: customer ?? null }
}

/** Reads the file of a call and matches its columns. @throws FileRefused */
async function read(
  tx: Tx,
  site: Site,
  input: FileInput,
): Promise<{ sheet: Sheet; match: SheetMatch; target: ImportTarget }> {
  const target = await targetOf(tx, site, input)
  if (!(input.file instanceof Uint8Array)) throw new FileRefused('empty')
  // frees the connection while the file is read
  await tx.commit()
  const sheet = await readSheet(input.file, { sheet: input.sheet ?? null, encoding: input.encoding ?? null })
  const columns = await tx.rows(sql.rememberedColumns, { site: site.id, kind: input.kind })
  const remembered = new Map(columns.map(({ heading, field }) => [heading, field]))
  const header = input.header === undefined ? undefined : Math.min(input.header, sheet.rows.length) - 1
  return { sheet, target, match: columnsOfSheet(input.kind, sheet, { header, fields: input.columns, remembered }) }
}

type Asking = Context<unknown, ['admin']>

type Refusal = { row: number; column: number | null; reason: string; cells: string[] }
type Previewed = {
  row: number
  outcome: 'added' | 'changed' | 'unchanged'
  cells: string[]
  values: string[]
  changed: number[]
}

/** Runs an import and gathers its results for display. */
async function runImport(
  context: Pick<Context<FileInput, ['admin']>, 'input' | 'tx' | 'site' | 'who' | 'now' | 'lang' | 'request'>,
  { sheet, match, target }: { sheet: Sheet; match: SheetMatch; target: ImportTarget },
  how: { dryRun?: boolean; allOrNothing?: boolean },
) {
  const { input, tx, site, who, now, lang, request } = context
  const cellsOf = (row: number): string[] => match.fields.map((_, at) => shownText(sheet.rows[row - 1]?.[at] ?? ''))
  /** The values of a row that will be saved, by column of the sheet. */
  const valuesOf = (row: number, { shown, adjusted }: ReadRow) =>
    match.fields.map((field, at) => {
      const cell = sheet.rows[row - 1]?.[at] ?? ''
      const isKnown = field !== null && Object.hasOwn(shown, field)
      return previewed(isKnown ? shown[field] : undefined, cell, {
        lang,
        adjusted: field !== null && adjusted.has(field),
      })
    })
  const refusals: Refusal[] = []
  const preview: Previewed[] = []
  const notes: string[] = []
  const progress: Progress = { row_count: 0, of: sheet.rows.length }
  running.set(site.id, progress)
  const reporter: Reporter = {
    rowRefused(row, reason, field) {
      const column = field === null ? -1 : match.fields.indexOf(field)
      if (refusals.length < maxRefusedLines)
        refusals.push({ row, column: column < 0 ? null : column, reason, cells: cellsOf(row) })
    },
    rowSaved(row, outcome, read) {
      if (preview.length >= maxPreviewed) return
      const values = valuesOf(row, read)
      preview.push({
        row,
        outcome,
        cells: cellsOf(row),
        values: values.map(({ text }) => text),
        changed: values.flatMap(({ changed }, at) => (changed ? [at] : [])),
      })
    },
    rowAdjusted: (row, text) => void (notes.length < maxRefusedLines && notes.push(`${row}: ${text}`)),
    remark: text => void notes.push(text),
    progress: (_at, _of, rows) => void (progress.row_count = rows),
  }
  try {
    const outcome = await importRows(
      tx,
      {
        ...target,
        site,
        source: sheetRows(sheet, match),
        name: input.name ?? '',
        lang,
        account: who.account,
        cancelled: request.isClientGone,
        origin: request,
        now,
        ...how,
      },
      reporter,
    )
    refusals.sort((refusal, other) => refusal.row - other.row)
    return { outcome, refusals, preview, notes }
  } finally {
    running.delete(site.id)
  }
}

/** Turns the fault of a file into a message in the caller's language. */
async function readable<T>(lang: Context<unknown, ['admin']>['lang'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new Failure('import.unusable', { reason: translateMessage(lang, error.reason) })
  }
}

/** How many tyres are removed by one statement: no statement may take longer than 30 s. */
const removedAtOnce = 2000

/** How many cells show what a column holds. */
const samplesShown = 3

/** How many rows are looked through for them. */
const sampledRows = 50

function columnsOf(sheet: Sheet, { header, columns }: SheetMatch) {
  const [headings = [], ...rows] = textsOf(sheet, header, header + 1 + sampledRows)
  return columns.map(({ field, by }, at) => ({
    title: headings[at] ?? '',
    field,
    by,
    samples: rows
      .map(row => row[at] ?? '')
      .filter(cell => cell !== '')
      .slice(0, samplesShown),
  }))
}

const nothing = { row_count: 0, added: 0, changed: 0, unchanged: 0, refused: 0 }

export const imports: Handlers['imports'] = {
  async check(context) {
    const { input, tx, site, lang } = context
    requireKind(input.kind, context)
    return readable(lang, async () => {
      const file = await read(tx, site, input)
      const { sheet, match } = file
      const about = {
        sheets: [...sheet.names],
        hidden: [...sheet.hidden],
        sheet: sheet.at,
        encoding: sheet.encoding && { name: sheet.encoding.name, samples: [...sheet.encoding.samples] },
        header: match.header + 1,
        columns: columnsOf(sheet, match),
        missing: [...match.missing],
      }
      if (match.missing.length > 0) return { ...about, ...nothing, preview: [], refusals: [], notes: [] }
      const { outcome, ...shown } = await runImport(context, file, { dryRun: true })
      const { import: _, ...counts } = outcome
      return { ...about, ...counts, ...shown }
    })
  },

  async take(context) {
    const { input, tx, site, lang, request } = context
    requireKind(input.kind, context)
    if (input.kind === 'accounts') requireFresh(context)
    return readable(lang, async () => {
      const file = await read(tx, site, input)
      const { sheet, match } = file
      if (match.missing.length > 0) throw new Failure('import.columns_missing', { columns: [...match.missing] })
      const { outcome, notes } = await runImport(context, file, { allOrNothing: input.rows === 'all' })
      const [headings = []] = textsOf(sheet, match.header, match.header + 1)
      // a column without a heading is another one the next time
      const columns = match.fields
        .map((field, at) => ({ heading: headingKey(headings[at] ?? ''), field }))
        .filter(({ heading }) => heading !== '')
      await tx.run(sql.rememberColumns, { site: site.id, kind: input.kind, columns: JSON.stringify(columns) })
      publish(request, input.kind)
      const { import: id, ...counts } = outcome
      if (id === null) throw new Error('an import that is no dry run has an id')
      return { _id: id, ...counts, notes }
    })
  },

  progress: async ({ site }) => running.get(site.id) ?? null,

  list: ({ tx, site }) => tx.single.json(sql.lastImports, { site: site.id }),

  async undo(context) {
    const { input, tx, site, who, now, request } = context
    const parameters = { site: site.id, import: input._id }
    const { kind, file, customer, undone } = await tx.one(sql.lockImport, parameters)
    requireKind(kind, context)
    if (kind === 'accounts') requireFresh(context)
    if (undone) throw new Failure('import.undone')
    const { locked } = await tx.one(lockImports, { site: site.id, kind })
    if (!locked) throw new Failure('server.busy', { seconds: 5 })
    await tx.run(lockPutAway, { site: site.id })
    if (kind === 'services') await tx.one(lockConfig, { site: site.id })
    await tx.run(sql.lockRecords, parameters)
    const { touched } = await tx.one(sql.touchedRecords, parameters)
    if (touched > 0) throw new Failure('import.touched', { records: touched })
    const by = { now, account: who.account }
    const day = today({ now, timeZone: site.timeZone })
    const added = (await tx.rows(sql.addedTyres, parameters)).map(({ id }) => id)
    for (let from = 0; from < added.length; from += removedAtOnce) {
      const tyres = added.slice(from, from + removedAtOnce)
      await tx.run(sql.releaseStays, { site: site.id, tyres, ...by })
      await tx.run(sql.removeTyres, { site: site.id, tyres, ...by, day })
    }
    await tx.run(sql.restoreTyres, { ...parameters, ...by })
    await tx.run(sql.removeVehicles, { ...parameters, now })
    await tx.run(sql.restoreVehicles, parameters)
    await tx.run(sql.removeArticles, { ...parameters, now })
    await tx.run(sql.restoreArticles, parameters)
    await undoAccounts(context, parameters)
    if (kind === 'services') await undoServices(tx, { ...parameters, now })
    await tx.run(sql.removeLocations, parameters)
    await tx.run(sql.restoreLocations, parameters)
    await tx.run(sql.removeCustomers, parameters)
    await tx.run(sql.restoreCustomers, parameters)
    await tx.run(sql.withdrawReadings, { ...parameters, now })
    await tx.run(sql.markUndone, { ...parameters, ...by })
    await recordAudit({ tx, site, who, now }, 'import.undo', kind, { file }, customer)
    publish(request, kind)
    return tx.json(sql.importById, parameters)
  },
}

/** Tells the pages of the site; the services of a site are part of its configuration, which superusers see, too. */
function publish(request: Asking['request'], kind: ImportKind): void {
  request.notify('everyone')
  if (kind !== 'services') return
  request.invalidateSites()
  request.notify('everyone', { site: superusers })
}

/** The accounts that an import added are gone; those that it changed are as before, and addresses that they lose are told. */
async function undoAccounts(
  context: Asking,
  parameters: { readonly site: number; readonly import: number },
): Promise<void> {
  const { tx, request } = context
  const accounts = await tx.rows(accountsOfImport, parameters)
  if (accounts.length === 0) return
  await tx.run(sql.restoreAccounts, parameters)
  for (const { id, added, former } of accounts) {
    request.invalidateSessions(id)
    if (former !== null) await moveAddress(context, id, former)
    if (added) await recordSecurityEvent(context, { kind: 'rolesChanged', account: id, facts: { disabled: true } })
  }
  await tx.run(sql.removeAccounts, parameters)
}

async function undoServices(
  tx: Tx,
  { now, ...parameters }: { readonly site: number; readonly import: number; readonly now: Date },
): Promise<void> {
  await tx.run(sql.removeServices, { ...parameters, now })
  await tx.run(sql.restoreServices, parameters)
  await tx.run(countVersion, { site: parameters.site })
}
