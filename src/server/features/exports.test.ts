/**
 * Every export as CSV leaves by one writer and comes back with the same cells: by the import of its kind where there is one, and by the
 * reader of all imports.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainMapping } from '#domain/money/bookkeeping.ts'
import { csvBytes, csvFile, csvLines, oneLine, plainCell } from '#domain/texts/cell.ts'
import { calls, contract } from '#contract/index.ts'
import { buyerDetails, sellerDetails } from '../testing/bodies.ts'
import { world, type World } from '../testing/world.ts'
import { readSheet } from './imports/sheet.ts'

let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T12:00:00Z') })
})
afterAll(() => w.close())

const home = () => w.who.admin
const elsewhere = () => w.who.otherAdmin

/** Texts that break files: separators, quotes, a new line, accents, text that a spreadsheet runs, and text that it shortens. */
const texts = ['Müller, "Łódź"; é|x', '=1+1', '+32 2 555', '-1', '@SUM(A1)', '007', "'t Hof", '＝1', 'two\nlines, =1+1']
/** As a field of one line has it. */
const kept = texts.map(oneLine)

async function customers() {
  for (const [nth, name] of kept.entries())
    await w.query('insert into customer (site_id, code, name, street, zipcode) values ($1, $2, $3, $3, $4)', [
      w.sites.home,
      `=${nth}`,
      name,
      `0106${nth}`,
    ])
}
const customersOf = (site: number) =>
  w.query(`select code, name, company, street, zipcode, city from customer where site_id = $1 order by code, name`, [
    site,
  ])

/** How each call that answers CSV is filled with these texts and asked, and what takes its file in again. */
const exports: Record<
  string,
  { fill(): Promise<unknown>; file(): Promise<string>; again?(csv: string): Promise<void> }
> = {
  'customers.export': {
    fill: customers,
    file: async () => (await w.ask(contract.customers.export, home(), {})).answer.csv,
    async again(csv) {
      const { answer: same } = await w.ask(contract.customers.import, home(), { csv })
      expect(same).toMatchObject({ added: 0, changed: 0, refused: 0, notes: [], unchanged: same.row_count })
      expect(same.row_count).toBeGreaterThan(kept.length)
      await w.query('delete from account where customer_id = $1', [w.customers.other])
      await w.query('delete from customer where site_id = $1', [w.sites.other])
      expect((await w.ask(contract.customers.import, elsewhere(), { csv })).answer).toMatchObject({
        added: same.row_count,
        refused: 0,
      })
      expect(await customersOf(w.sites.other)).toEqual(await customersOf(w.sites.home))
    },
  },
  'locale.export': {
    async fill() {
      for (const [nth, value] of texts.entries())
        await w.query(`insert into translation (language, namespace, key, value) values ('eng', 'common', $1, $2)`, [
          `export${nth}`,
          oneLine(value),
        ])
    },
    file: async () =>
      (await w.ask(contract.locale.export, w.who.superuser, { language: 'eng', form: 'csv' })).answer.text,
    async again(text) {
      const { answer } = await w.ask(contract.locale.import, w.who.superuser, { language: 'eng', text })
      expect(answer).toMatchObject({ added: 0, changed: 0, restored: 0, refused: 0, unchanged: answer.row_count })
    },
  },
  'audit.export': {
    fill: () =>
      w.query(
        `insert into audit (site_id, action, subject, at) select $1, 'import.customers', text, $2 from unnest($3::text[]) text`,
        [w.sites.home, w.clock.now, texts],
      ),
    file: async () => (await w.ask(contract.audit.export, home(), {})).answer.csv,
  },
  'security.export': {
    fill: () =>
      w.query(
        `with event as (insert into security_event (site_id, kind, at) select $1, 'signInRight', $2 from unnest($3::text[]) returning id)
         insert into security_event_origin (event_id, at, site_id, address, device)
         select id, $2, $1, '', ($3::text[])[row_number() over ()] from event`,
        [w.sites.home, w.clock.now, texts],
      ),
    file: async () => (await w.ask(contract.security.export, home(), {})).answer.csv,
  },
  'invoices.export': {
    async fill() {
      await w.ask(contract.invoices.setup, home(), sellerDetails)
      const columns = texts.map(text => ({ heading: text, field: 'text' as const, text }))
      await w.ask(contract.invoices.savemapping, home(), { ...plainMapping, columns } as never)
      await w.ask(contract.invoices.savebuyer, home(), { ...buyerDetails, seq_id: w.customers.a })
      const [document] = await w.query<{ id: number }>(
        `with made as (insert into document (site_id, customer_id, type, reason, year, number, document_date, amount_excl)
           values ($1, $2, 'worknote', 'storage', 2026, 1, '2026-11-19', 10) returning id)
         insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
         select $1, id, 1, $2, '100', 'Storage', 1, 10 from made returning document_id as id`,
        [w.sites.home, w.customers.a],
      )
      await w.ask(contract.invoices.make, home(), { seq_id: w.customers.a, documents: [document?.id ?? 0] })
    },
    file: async () =>
      (await w.ask(contract.invoices.export, home(), { from: '2026-11-01', to: '2026-11-30' })).answer.csv,
  },
}

test('each call that answers CSV is tried here', () => {
  const answering = calls.filter(({ call }) => {
    const [input, output] = [call.input, call.output].map(
      schema => (schema as { shape?: Record<string, unknown> }).shape ?? {},
    )
    return 'csv' in (output ?? {}) || 'form' in (input ?? {})
  })
  expect(answering.map(({ name }) => name).sort()).toEqual(Object.keys(exports).sort())
})

/** The cells of a file as they stand in it, and the file as the one writer writes these cells. */
function rewritten(csv: string): { cells: string[][]; again: string } {
  const isBookkeeping = csv.startsWith('\uFEFF')
  const rows = parse(csv, { delimiter: ';', bom: true, relax_column_count: true }) as string[][]
  const cells = (isBookkeeping ? rows : rows.slice(1)).map(row => row.map(plainCell))
  const form = { separator: ';', number: String }
  return { cells, again: isBookkeeping ? `\uFEFF${csvLines(cells, form)}` : csvFile(cells) }
}

test.each(Object.entries(exports))(
  '%s is written by the one writer, and read with the same cells',
  async (_, definition) => {
    await definition.fill()
    const csv = await definition.file()
    const { cells, again } = rewritten(csv)
    expect(again).toBe(csv)
    const exportedCells = cells.flat()
    for (const text of kept) expect(exportedCells.filter(cell => cell.includes(text)).length, text).toBeGreaterThan(0)
    for (const cell of parse(csv, { delimiter: ';', bom: true, relax_column_count: true }).flat() as string[])
      expect(cell).not.toMatch(/^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/)
    const { rows } = await readSheet(Buffer.from(csvBytes(csv)))
    expect(rows.filter(row => row.length > 0)).toEqual(
      cells.map(row => row.map(oneLine)).filter(row => row.some(cell => cell !== '')),
    )
    await definition.again?.(csv)
  },
)

test('a file of another writer is noticed: without the line, with commas unquoted, or with a formula', () => {
  for (const other of ['\uFEFFa;b\r\n1;x, y\r\n', 'sep=;\r\na;b\r\n1;x, y\r\n', 'sep=;\r\na;b\r\n1;=1+1\r\n'])
    expect(rewritten(other).again).not.toBe(other)
})

test('no screen makes CSV by itself: each saves by saveCsv.ts, but for the file that a bookkeeping program reads', () => {
  const web = path.join(import.meta.dirname, '../../web')
  const making = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    name =>
      /\.tsx?$/.test(name) &&
      !name.includes('.test.') &&
      /saveFile\([^\n]*csv|csvLines|csvFile\(/.test(readFileSync(path.join(web, name), 'utf8')),
  )
  expect(making.sort()).toEqual(['invoicing/invoices/exportInvoices.tsx', 'shared/saveCsv.ts'])
})
