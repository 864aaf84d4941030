import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvBytes, csvFile, csvLines, plainCell, tabCell, tabLines } from './cell.ts'

describe('a cell of tab-separated columns', () => {
  it.each(['=1+1', '+32 2 555 01 01', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', "'quoted", '＝1'])(
    'never begins a formula: %j',
    text => {
      expect(tabCell(text)).toMatch(/^'/)
    },
  )

  it('is left as it is when it is harmless', () => {
    expect(tabCell('205/55R16 91V')).toBe('205/55R16 91V')
    expect(tabCell('a=b')).toBe('a=b')
    expect(tabCell('')).toBe('')
    expect(tabCell(null)).toBe('')
    expect(tabCell(undefined)).toBe('')
  })

  it('holds a negative number as a number', () => {
    expect(tabCell(-3)).toBe('-3')
  })

  it('is one line without tabs', () => {
    expect(tabCell('call first\r\nthen\tdeliver\u2028at the back')).toBe('call first then deliver at the back')
  })

  it('survives whatever a remark holds: as many cells as before, none a formula, the text still there', () => {
    const hostile = fc
      .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ' ', 'a', '1', '|', '\u2029', 'é', '＝'), {
        maxLength: 12,
      })
      .map(letters => letters.join(''))
    fc.assert(
      fc.property(fc.array(fc.array(hostile, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }), rows => {
        const lines = tabLines(rows).split('\n')
        expect(lines).toHaveLength(rows.length)
        for (const [y, line] of lines.entries()) {
          const cells = line.split('\t')
          expect(cells).toHaveLength(3)
          for (const [x, cell] of cells.entries()) {
            expect(cell).not.toMatch(/^\s*[=+\-@＝]/)
            const shown = cell.startsWith("'") ? cell.slice(1) : cell
            expect(shown).toBe(rows[y]?.[x]?.replaceAll(/\r\n|[\t\r\n\u2029]/g, ' '))
          }
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a CSV file', () => {
  const read = (text: string) => parse(text, { delimiter: ';', relax_column_count: true }) as string[][]

  it('names its separator first', () => {
    expect(csvFile([['plate', 'set']])).toBe('sep=;\r\nplate;set\r\n')
  })

  it('is saved in UTF-16 with its mark, in which spreadsheets read every letter behind that line', () => {
    const text = csvFile([['Müller', 'Łódź', 'СА1234', '😀']])
    const bytes = Buffer.from(csvBytes(text))
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
    expect(new TextDecoder('utf-16le').decode(bytes)).toBe(text)
  })

  it('holds formulas as text, and separators, quotes and new lines within their cell', () => {
    expect(read(csvFile([['=HYPERLINK("x";"y")', 'a;b', 'say "no"', 'two\nlines', 7.5, -3, null]]))[1]).toEqual([
      '\'=HYPERLINK("x";"y")',
      'a;b',
      'say "no"',
      'two lines',
      '7.5',
      '-3',
      '',
    ])
  })

  it('has as many cells as were put in, none a formula, whatever they hold', () => {
    const hostile = fc
      .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ';', ' ', 'a', '1', '\u2028', 'é', '＠'), {
        maxLength: 12,
      })
      .map(letters => letters.join(''))
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile, hostile), { minLength: 1, maxLength: 4 }), rows => {
        const [first, ...lines] = read(csvFile(rows))
        expect(first).toEqual(['sep=', ''])
        expect(lines).toEqual(rows.map(row => row.map(cell => tabCell(cell))))
        for (const cell of lines.flat()) expect(cell).not.toMatch(/^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a CSV file that is read back', () => {
  it('has texts in quotes that hold any separator, and numbers as they are', () => {
    expect(csvFile([['a,b', 'a|b', 'say "no"', -2.5]])).toBe('sep=;\r\n"a,b";"a|b";"say ""no""";-2.5\r\n')
    expect(csvLines([['-1', -1.5]], { separator: ',', number: value => String(value).replace('.', ',') })).toBe(
      `'-1,"-1,5"\r\n`,
    )
  })

  it('gives back what was put in, formulas and apostrophes, too', () => {
    const hostile = fc
      .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ';', ',', 's', '1', 'é', '＠', '-H'), { maxLength: 12 })
      .map(letters => letters.join(''))
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile, hostile), { minLength: 1, maxLength: 4 }), rows => {
        const lines = parse(csvFile([['a', 'b', 'c'], ...rows]), { delimiter: ';', from_line: 2 }) as string[][]
        expect(lines.slice(1).map(line => line.map(plainCell))).toEqual(rows)
      }),
      { numRuns: 1000 },
    )
  })

  it("leaves what begins with an apostrophe of its own: 's-Hertogenbosch", () => {
    expect(plainCell("'s-Hertogenbosch")).toBe("'s-Hertogenbosch")
    expect(plainCell(tabCell("'s-Hertogenbosch"))).toBe("'s-Hertogenbosch")
  })
})
