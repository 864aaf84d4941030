import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { FileRefused } from './import.refused.ts'
import { readSheet, sheetLimits } from './sheet.ts'
import { whole } from '../../testing/whole.ts'

const workbook = (data: SheetData): Promise<Buffer> => writeWorkbook(data).toBuffer()
/** A workbook with entries replaced, as no spreadsheet program would write them. */
const forged = async (entries: Record<string, string | Uint8Array>): Promise<Uint8Array> => {
  const parts = unzipSync(await workbook([[{ value: 'plate' }], [{ value: '1ABC234' }]]))
  const changed = Object.entries(entries).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])
  return zipSync({ ...parts, ...Object.fromEntries(changed) })
}
const sheet = (cells: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`
const firstSheet = 'xl/worksheets/sheet1.xml'
const refusal = (bytes: Uint8Array, options?: Parameters<typeof readSheet>[2]) =>
  readSheet(bytes, null, options).then(
    () => 'read',
    (error: unknown) => (error instanceof FileRefused ? error.reason.text : error),
  )

describe('a workbook', () => {
  test('is read as texts: days, numbers, yes and no, and cells that are blank', async () => {
    const bytes = await workbook([
      [
        { value: 'plate' },
        { value: 'day' },
        { value: 'ean' },
        { value: 'depth' },
        { value: 'bolts' },
        { value: 'note' },
      ],
      [
        { value: '1-ABC-234' },
        { value: new Date('2026-03-01T00:00:00Z'), type: Date, format: 'dd/mm/yyyy' },
        { value: 4019238012345 },
        { value: 7.25 },
        { value: true, type: Boolean },
        null,
      ],
      [{ value: '  a\n b ' }, null, null, null, null, { value: "'=1+1" }],
    ])
    const read = await readSheet(bytes)
    expect(read.rows).toEqual([
      ['plate', 'day', 'ean', 'depth', 'bolts', 'note'],
      ['1-ABC-234', '2026-03-01', '4019238012345', '7.25', 'true', ''],
      ['a b', '', '', '', '', '=1+1'],
    ])
  })

  test('has the sheet that is asked for, and without one the first with rows', async () => {
    const bytes = await writeWorkbook([
      { sheet: 'Empty', data: [] },
      { sheet: 'Cars', data: [[{ value: 'a' }]] },
      { sheet: 'Tyres', data: [[{ value: 'b' }]] },
    ]).toBuffer()
    expect(await readSheet(bytes)).toMatchObject({ names: ['Cars', 'Tyres'], at: 0, rows: [['a']] })
    expect(await readSheet(bytes, 1)).toMatchObject({ at: 1, rows: [['b']] })
  })

  test('with formulas has their last results; nothing is calculated', async () => {
    const bytes = await forged({
      [firstSheet]: sheet('<row r="1"><c r="A1" t="str"><f>WEBSERVICE("http://127.0.0.1/")</f><v>kept</v></c></row>'),
    })
    expect((await readSheet(bytes)).rows).toEqual([['kept']])
  })

  test('with merged cells has their value once', async () => {
    const bytes = await forged({
      [firstSheet]: sheet(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>one</t></is></c><c r="B1"/><c r="C1" t="inlineStr"><is><t>two</t></is></c></row>',
      ).replace('</sheetData>', '</sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>'),
    })
    expect((await readSheet(bytes)).rows).toEqual([['one', '', 'two']])
  })

  test('with macros is read, and says that they were not run', async () => {
    const read = await readSheet(await forged({ 'xl/vbaProject.bin': new Uint8Array(100) }))
    expect(read.notes).toEqual([{ text: 'macros', facts: {} }])
    expect(read.rows).toEqual([['plate'], ['1ABC234']])
  })

  test('that declares 10^9 cells is refused, and the process goes on', async () => {
    const bytes = await forged({
      [firstSheet]: sheet(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
      ),
    })
    expect(await refusal(bytes)).toBe('too_large')
    expect((await readSheet(Buffer.from('a;b\n1;2'))).rows).toHaveLength(2)
  })

  test('that unpacks to more than the limit is refused before it is unpacked', async () => {
    const bomb = await forged({ [firstSheet]: new Uint8Array(sheetLimits.unpacked + 1) })
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024)
    expect(await refusal(bomb)).toBe('too_large')
  })

  test('that lies about its size is refused, not unpacked', async () => {
    const bomb = Buffer.from(await forged({ [firstSheet]: sheet('<row/>'.repeat(200_000)) }))
    const entry = bomb.lastIndexOf(firstSheet) - 46
    bomb.writeUInt32LE(10, entry + 24)
    expect(await refusal(bomb)).toBe('workbook_broken')
  })

  test.each([
    ['deep', '<a>'.repeat(10_000_000), 'workbook_broken'],
    ...(whole ? ([['long', sheet('<row/>'.repeat(1_500_000)), 'too_large']] as const) : []),
  ] as const)('that is %s without end is refused, and the process goes on', async (_, content, text) => {
    const bytes = await forged({ [firstSheet]: strToU8(content) })
    expect(bytes.length).toBeLessThan(100_000)
    expect(await refusal(bytes, { memory: 40 })).toBe(text)
    expect((await readSheet(Buffer.from('a;b\n1;2'))).rows).toHaveLength(2)
  })

  test('that expands entities does not', async () => {
    const bytes = await forged({
      [firstSheet]: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row>').slice(21)}`,
    })
    const read = await readSheet(bytes).catch((error: FileRefused) => error.reason.text)
    expect(JSON.stringify(read)).not.toContain('aaaa')
  })

  test.each([
    ['an old or locked one', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old_workbook'],
    ['another archive', zipSync({ 'a.txt': strToU8('a') }), 'not_a_sheet'],
    ['half of one', Buffer.from('504b0304ffff', 'hex'), 'workbook_broken'],
    ['a picture', Buffer.from('89504e470d0a1a0a00', 'hex'), 'not_a_sheet'],
    ['nothing', Buffer.alloc(0), 'empty'],
  ])('%s is refused with what to do', async (_, bytes, text) => expect(await refusal(bytes)).toBe(text))

  test('that takes too long is refused', async () => {
    expect(await refusal(Buffer.from('a;b'), { time: 0 })).toBe('too_large')
  })
})

describe('a text', () => {
  test.each([
    ['UTF-8', Buffer.from('\uFEFFplate;städte\n1;ü')],
    ['Windows', Buffer.from('plate;städte\n1;ü', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFplate;städte\n1;ü', 'utf16le')],
    ['a named separator', Buffer.from('sep=;\r\nplate;städte\r\n1;ü\r\n')],
    ['cells that were copied', Buffer.from('plate\tstädte\n1\tü\n')],
  ])('is read in %s', async (_, bytes) =>
    expect((await readSheet(bytes)).rows).toEqual([
      ['plate', 'städte'],
      ['1', 'ü'],
    ]),
  )

  test('with too many rows is refused', async () => {
    expect(await refusal(Buffer.from('a;b\n'.repeat(sheetLimits.rows + 1)))).toBe('too_large')
  })

  test('with a quotation mark that is never closed is refused', async () => {
    expect(await refusal(Buffer.from('a;b\n"1;2'))).toBe('quote_open')
  })
})
