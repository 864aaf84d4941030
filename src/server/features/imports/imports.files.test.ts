/**
 * Files that others have made (docs/product/files.md "Imports"), with columns as their programs have them. Where each comes from: fixtures/README.md.
 * `REAL_FILES` names a folder with more: `vehicles*.csv` and `articles*.csv`.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportKind } from '#domain/texts/importColumn.ts'
import type { Wire } from '#contract/call.ts'
import { imports } from '#contract/imports.ts'
import { importFile } from '../../cli/import.ts'
import { sendForm } from '../../testing/config.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-24T10:00:00Z') })
})
afterAll(() => at.close())

type Checked = Wire<typeof imports.check>

async function check(kind: ImportKind, file: string): Promise<Checked> {
  const fields: [string, string][] = [
    ['kind', kind],
    ...(kind === 'vehicles' ? [['seq_id', String(at.customers.a)] as [string, string]] : []),
  ]
  const reply = await sendForm(at, imports.check.path, at.who.admin, [
    ...fields,
    ['file', readFileSync(file), 'file.csv'],
  ])
  expect(reply.status, reply.text.slice(0, 300)).toBe(200)
  return reply.answer as Checked
}

test('the open data of a register go in as they are: its category says which kind of vehicle, where its own word does not', async () => {
  const { columns, added, refused, preview } = await check('vehicles', join(import.meta.dirname, 'fixtures/rdw.csv'))
  expect(columns.filter(({ field }) => field !== null).map(({ title, field, by }) => [title, field, by])).toEqual([
    ['kenteken', 'license_plate', 'name'],
    ['merk', 'brand', 'name'],
    ['handelsbenaming', 'description', 'name'],
    ['aantal_wielen', 'wheels', 'name'],
    ['europese_voertuigcategorie', 'kind', 'content'],
  ])
  expect([added, refused, preview.length]).toEqual([8, 0, 8])
})

/** The outcome of importing a file: as the screen shows it, and as the command prints it. */
async function bothSay(kind: ImportKind, name: string) {
  const file = join(import.meta.dirname, 'fixtures', name)
  const { added, unchanged, refused, refusals, preview } = await check(kind, file)
  const lines: [number, string][] = []
  const outcome = await importFile(
    at.database,
    { kind, file, site: 'home', customer: at.customers.a, dryRun: true, now: new Date('2026-11-24T10:00:00Z') },
    {
      rowRefused: (line, reason) => void lines.push([line, reason]),
      rowAdjusted() {},
      remark() {},
      progress() {},
    },
  )
  expect(outcome).toMatchObject({ added, unchanged, refused })
  expect(lines.toSorted(([a], [b]) => a - b)).toEqual(refusals.map(({ row, reason }) => [row, reason]))
  const refusedRows = Object.fromEntries(refusals.map(({ row, reason }) => [row, reason]))
  return { added, unchanged, refused: refusedRows, values: preview.map(({ values }) => values), preview }
}

describe('a file as strangers write it', () => {
  beforeAll(async () => {
    await at.query(`insert into customer (site_id, name) values ($1, 'Amber Molenwiek')`, [at.sites.home])
    await at.addVehicle({ plate: '9ERT001' })
  })

  test('with errors of formulas: each row that has one is refused, and the cell named', async () => {
    const vehicles = await bothSay('vehicles', 'errors-vehicles.xlsx')
    expect(vehicles.added).toBe(1)
    expect(vehicles.refused).toEqual({
      3: expect.stringContaining('customer in cell E3 has the error #N/A'),
      4: expect.stringContaining('customer in cell E4 has the error #REF!'),
      5: expect.stringContaining('brand in cell C5 has the error #N/A'),
    })
    expect((await bothSay('tyres', 'errors-tyres.xlsx')).refused).toEqual({
      2: expect.stringMatching(/in cell [FHI]2 has the error/),
      3: expect.stringMatching(/in cell [FGH]3 has the error/),
    })
  })

  test('with plates of other scripts: look-alikes are one plate, other letters stay', async () => {
    const { added, refused, values } = await bothSay('vehicles', 'cyr.csv')
    expect(added).toBe(9)
    expect(refused).toEqual({ 4: expect.stringContaining('line 2'), 6: expect.stringContaining('line 5') })
    expect(values.map(([plate]) => plate?.replaceAll('-', ''))).toEqual([
      'CA1234BX',
      'BT1234KH',
      'IZH1234',
      'TUAB123',
      'TUAB124',
      'L123',
      'O123',
      'KA7777AA',
      'MA7777AA',
    ])
  })

  test('with plates that a spreadsheet changed: they are refused with what to do, and formats of zeros are kept', async () => {
    const workbook = await bothSay('vehicles', 'plates.xlsx')
    expect(workbook.values.map(([plate]) => plate)).toEqual(['123', '00123', '1-ABC-234'])
    expect(workbook.refused).toEqual({
      2: expect.stringContaining('exponent'),
      3: expect.stringContaining('exponent'),
      6: expect.stringContaining('‘2012-12-12’ was turned into a date'),
      7: expect.stringContaining('turned into a date'),
      9: expect.stringContaining('rounded'),
      10: expect.stringContaining('‘12:00’ was turned into a date or a time'),
      11: expect.stringContaining('yes or no'),
    })
    for (const reason of Object.values(workbook.refused)) expect(reason).toContain('format the column as text')
    const text = await bothSay('vehicles', 'plates.csv')
    expect(text.values.map(([plate]) => plate)).toEqual(['123', '00123', '00124', '121212', '1E234'])
    expect(text.refused).toEqual({
      2: expect.stringContaining('exponent'),
      3: expect.stringContaining('exponent'),
      5: expect.stringContaining('‘12/12/2012’ was turned into a date'),
      6: expect.stringContaining('‘16/mrt’ was turned into a date'),
      11: expect.stringContaining('line 7'),
    })
  })

  test('with codes and postcodes: zeros of their format are kept, days are refused', async () => {
    const codes = await bothSay('customers', 'codes-dates.xlsx')
    expect(codes.values).toEqual([['Number fmt', '0012', '2000']])
    expect(codes.refused).toEqual({ 2: expect.stringContaining('code ‘2026-05-01’ was turned into a date') })
    const postcodes = await bothSay('customers', 'zip.xlsx')
    expect(postcodes.values.map(row => row.slice(0, 3))).toEqual([
      ['Reifen Nord', '0007', '01067'],
      ['Garage du Lac', '00012', '01000'],
      ['Special fmt', 'K123', '12-345 67'],
    ])
    expect(postcodes.refused).toEqual({ 4: expect.stringContaining('line 3') })
  })

  test('that is UTF-8 but for a line is refused, and the line named', async () => {
    const file = join(import.meta.dirname, 'fixtures/cust-mixed.csv')
    const reply = await sendForm(at, imports.check.path, at.who.admin, [
      ['kind', 'customers'],
      ['file', readFileSync(file), 'file.csv'],
    ])
    expect(reply.text).toContain('Line 3 has letters in another encoding')
    await expect(bothSay('customers', 'cust-mixed.csv')).rejects.toThrow()
  })

  test('with one article in three spellings has one article, whose size is written once', async () => {
    const { added, refused, values } = await bothSay('articles', 'articles-twice.csv')
    expect([added, Object.keys(refused)]).toEqual([1, ['3', '4']])
    expect(values[0]?.[2]).toBe('205/55R16 91V')
  })

  test('with eighty spellings of sizes is read but for two bicycles and two sizes in one cell', async () => {
    const { added, refused } = await bothSay('articles', 'sizes.xlsx')
    expect(added).toBe(77)
    expect(Object.values(refused)).toEqual([
      expect.stringContaining('205/55R16 + 225/50R16'),
      expect.stringContaining('27.5x2.25'),
      expect.stringContaining('700x38C'),
    ])
  })

  test('with a UPC and one with the EAN of the same product are one article', async () => {
    const upc = readFileSync(join(import.meta.dirname, 'fixtures/ean-12.csv'))
    const taken = await sendForm(
      at,
      imports.take.path,
      at.who.admin,
      [
        ['kind', 'articles'],
        ['file', upc, 'ean-12.csv'],
      ],
      {
        'idempotency-key': randomUUID(),
      },
    )
    expect(taken.answer).toMatchObject({ added: 1 })
    expect(await bothSay('articles', 'ean-13.csv')).toMatchObject({
      added: 0,
      unchanged: 1,
      values: [expect.arrayContaining(['0029142123453'])],
    })
  })
})

const folder = process.env['REAL_FILES']
const others = folder
  ? readdirSync(folder).flatMap(name => {
      const [, kind] = /^(vehicles|articles).*\.csv$/.exec(name) ?? []
      return kind ? [[name, kind as 'vehicles' | 'articles'] as const] : []
    })
  : []

test.skipIf(others.length === 0).each(others)('of %s at most one row in a thousand is refused', async (name, kind) => {
  const { row_count: rows, added, refused, refusals } = await check(kind, join(folder ?? '', name))
  expect(added + refused).toBe(rows)
  expect(refusals.map(({ row, reason }) => `${row}: ${reason}`).slice(0, Math.max(0, refused - rows / 1000))).toEqual(
    [],
  )
})
