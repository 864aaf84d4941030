import readWorkbook from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { formats, linesOf, type Sheet, workbookOf } from './workbook.ts'

type Row = { name: string | null; count: number | null; depth: number | null; day: string | null }
const rows: readonly Row[] = [
  { name: '=HYPERLINK("http://elsewhere")', count: 4, depth: 6.55, day: '2026-03-29' },
  { name: '0012', count: null, depth: null, day: null },
  { name: '', count: 0, depth: 8, day: '2024-02-29' },
]
const sheet = (over: Partial<Sheet<Row>> = {}): Sheet<Row> => ({
  name: 'Tyres',
  columns: [
    { header: 'Name', text: ({ name }) => name },
    false,
    { header: 'Count', number: ({ count }) => count },
    { header: 'Depth', number: ({ depth }) => depth, format: formats.depth },
    { header: 'Day', day: ({ day }) => day },
  ],
  rows,
  ...over,
})
const bytesOf = async (workbook: Sheet<Row>) => Buffer.from(await (await workbookOf(workbook)).arrayBuffer())
const read = async (workbook: Sheet<Row>) => (await readWorkbook(await bytesOf(workbook)))[0]

test('a workbook has numbers as numbers, days as days, and texts as they are, formulas and leading zeros too', async () => {
  expect((await read(sheet()))?.data).toEqual([
    ['Name', 'Count', 'Depth', 'Day'],
    ['=HYPERLINK("http://elsewhere")', 4, 6.55, new Date('2026-03-29T00:00:00Z')],
    ['0012', null, null, null],
    [null, 0, 8, new Date('2024-02-29T00:00:00Z')],
  ])
})

test('the lines of a CSV file say the same', () => {
  const { columns } = sheet()
  expect(linesOf(columns, rows)).toEqual([
    ['Name', 'Count', 'Depth', 'Day'],
    ['=HYPERLINK("http://elsewhere")', '4', '6.55', '29/03/2026'],
    ['0012', '', '', ''],
    ['', '0', '8', '29/02/2024'],
  ])
})

test('a workbook without rows has its heading line', async () => {
  expect((await read(sheet({ rows: [] })))?.data).toEqual([['Name', 'Count', 'Depth', 'Day']])
})

test('a name that a sheet can not have becomes one that it can', async () => {
  const readSheet = await read(sheet({ name: 'Reifen [Lager/Hof]: alle Sätze und einzelne Reifen?' }))
  expect(readSheet?.sheet).toBe('Reifen  Lager Hof   alle Sätze ')
})
