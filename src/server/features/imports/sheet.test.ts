import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { csvBytes, csvFile } from '#domain/texts/cell.ts'
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
/** A text in an encoding of one byte a letter. */
function encodedIn(name: string, text: string): Buffer {
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(name).decode(Uint8Array.of(byte)), byte]),
  )
  return Buffer.from(Array.from(text, letter => bytes.get(letter) ?? 0x3f))
}
const firstSheet = 'xl/worksheets/sheet1.xml'
const refusal = (bytes: Uint8Array, options?: Parameters<typeof readSheet>[2]) =>
  readSheet(bytes, {}, options).then(
    () => 'read',
    (error: unknown) => (error instanceof FileRefused ? error.reason.text : error),
  )

describe('a workbook', () => {
  test('is read with the types of its cells: days, numbers, yes and no, and cells that are blank', async () => {
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
      ['1-ABC-234', { serial: 46_082 }, 4_019_238_012_345, 7.25, true],
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
    expect(await readSheet(bytes, { sheet: 1 })).toMatchObject({ at: 1, rows: [['b']] })
  })

  test('has the first sheet that is not hidden, and says which are', async () => {
    const bytes = await writeWorkbook([
      { sheet: 'Lists', data: [[{ value: 'a' }]] },
      { sheet: 'Cars', data: [[{ value: 'b' }]] },
    ]).toBuffer()
    const parts = unzipSync(bytes)
    const book = strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array()).replace(
      /<sheet (?=[^>]*name="Lists")/,
      '<sheet state="hidden" ',
    )
    const read = await readSheet(zipSync({ ...parts, 'xl/workbook.xml': strToU8(book) }))
    expect(read).toMatchObject({ names: ['Lists', 'Cars'], hidden: [0], at: 1, rows: [['b']] })
  })

  test('says how many rows a filter hides, and has them', async () => {
    const read = await readSheet(
      await forged({
        [firstSheet]: sheet(
          '<row r="1"><c><v>1</v></c></row><row r="2" hidden="1"><c><v>2</v></c></row><row r="3" hidden="1"/>',
        ),
      }),
    )
    expect(read).toMatchObject({ rows: [[1], [2]], notes: [{ text: 'rows_hidden', facts: { count: 1 } }] })
  })

  test('without addresses, styles and numbers that are none is read as far as it says something', async () => {
    const read = await readSheet(
      await forged({
        'xl/styles.xml': '<styleSheet/>',
        [firstSheet]: sheet(
          '<row><c t="str"><v>a</v></c><c s="7"><v>5</v></c></row><row><c><v>NaN</v></c><c t="e"><v>#N/A</v></c></row>',
        ),
      }),
    )
    expect(read.rows).toEqual([
      ['a', 5],
      [{ error: 'NaN' }, { error: '#N/A' }],
    ])
  })

  test.each([
    ['0000', 12, { number: 12, shown: '0012' }],
    ['"K"000', 123, { number: 123, shown: 'K123' }],
    [String.raw`00-000\ 00`, 1_234_567, { number: 1_234_567, shown: '12-345 67' }],
    ['#,##0.00', 1250.5, 1250.5],
    ['#,##0 "€"', 12, 12],
    ['0%', 0.5, { number: 0.5, odd: 'percent' }],
    ['0.00E+00', 1_200_000, { number: 1_200_000, odd: 'exponent' }],
    ['[<=99999]00000;00000-0000', 1067, { number: 1067, odd: 'format' }],
    ['dd/mm/yyyy', 46_143, { serial: 46_143 }],
    ['[h]:mm', 0.5, { serial: 0.5 }],
    ['d-mmm', 46_143, { serial: 46_143 }],
    ['@', 5, 5],
    ['General', 5, 5],
  ])('in the format %s has %d as %j', async (code, value, cell) => {
    const read = await readSheet(
      await forged({
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
        [firstSheet]: sheet(`<row r="1"><c r="A1" s="0"><v>${value}</v></c></row>`),
      }),
    )
    expect(read.rows).toEqual([[cell]])
  })

  test('that counts days from 1904 has the days that it shows', async () => {
    const read = await readSheet(
      await forged({
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
        [firstSheet]: sheet('<row r="1"><c r="A1" s="0"><v>44681</v></c></row>'),
      }),
    )
    expect(read.rows).toEqual([[{ serial: 46_143 }]])
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
    ...(whole ? ([['long', sheet('<row/>'.repeat(1_500_000)), 'empty']] as const) : []),
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
    ['a named separator that no guess would take', Buffer.from('SEP=~\nplate~städte\n1~ü\n')],
    ['a line that names a separator as a program saved it again', Buffer.from('"sep=,",\rplate,städte\r1,ü\r')],
    [
      'an export of the portal',
      Buffer.from(
        csvBytes(
          csvFile([
            ['plate', 'städte'],
            ['1', 'ü'],
          ]),
        ),
      ),
    ],
    ['UTF-16 without its mark', Buffer.from('plate;städte\n1;ü', 'utf16le')],
    ['bars between its cells', Buffer.from('plate|städte\n1|ü\n')],
    ['cells that were copied', Buffer.from('plate\tstädte\n1\tü\n')],
  ])('is read in %s', async (_, bytes) =>
    expect((await readSheet(bytes)).rows.filter(row => row.length > 0)).toEqual([
      ['plate', 'städte'],
      ['1', 'ü'],
    ]),
  )

  test.each([
    ['windows-1252', 'Müller;Größe;Liège;Été;Café'],
    ['windows-1250', 'Łódź;Dvořák;Žižkov;Kőszeg;Święty'],
    ['windows-1251', 'София;Велико Търново;Белшина;Кама'],
    ['windows-1253', 'Αθήνα;Θεσσαλονίκη;Λάρισα;Πάτρα'],
    ['macintosh', 'Müller;Größe;Liège;Été;Café'],
  ] as const)('in %s is guessed, shown with three cells, and can be read otherwise', async (name, line) => {
    const text = `plate;name\n1;${line.replaceAll(';', '\n2;')}\n`
    const bytes = encodedIn(name, text)
    const read = await readSheet(bytes)
    expect(read.encoding).toEqual({ name, samples: line.split(';').slice(0, 3) })
    expect(read.rows.slice(1).map(row => row[1])).toEqual(line.split(';'))
    const another = name === 'windows-1251' ? 'windows-1252' : 'windows-1251'
    const other = await readSheet(bytes, { encoding: another })
    expect(other.encoding?.name).toBe(another)
    expect(other.rows[1]?.[1]).not.toBe(line.split(';')[0])
  })

  test('that is UTF-8 but for a byte is refused with its line', async () => {
    const bytes = Buffer.concat([Buffer.from('name\nMüller\nKöln\n'), Buffer.from('Li\u00E8ge\n', 'latin1')])
    await expect(readSheet(bytes)).rejects.toMatchObject({ reason: { text: 'mixed_encodings', facts: { line: 4 } } })
  })

  test.each([
    ['a web page', '<html><table><tr><td>plate</td></tr></table></html>', 'HTML'],
    [
      'XML of an old Excel',
      '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook></Workbook>',
      'XML',
    ],
    ['a web page with its pictures', 'MIME-Version: 1.0\r\nContent-Type: multipart/related', 'HTML'],
  ])('%s under the name of a workbook is refused, and said to be one', async (_, text, format) =>
    expect(readSheet(Buffer.from(text))).rejects.toMatchObject({ reason: { text: 'other_format', facts: { format } } }),
  )

  test('with too many rows is refused', async () => {
    expect(await refusal(Buffer.from('a;b\n'.repeat(sheetLimits.rows + 1)))).toBe('too_large')
  })

  test('with a quotation mark that is never closed is refused', async () => {
    expect(await refusal(Buffer.from('a;b\n"1;2'))).toBe('quote_open')
  })
})
