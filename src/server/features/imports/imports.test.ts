import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { imports } from '#contract/imports.ts'
import type { Wire } from '#contract/call.ts'
import { serve } from '../../http/serve.ts'
import { sendForm } from '../../testing/config.ts'
import { recordStatements } from '../../testing/recorded.ts'
import { world, type Principal, type Reply, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-24T10:00:00Z') })
})
afterAll(() => at.close())

type Checked = Wire<typeof imports.check>
type Taken = Wire<typeof imports.take>
type Wish = {
  kind: string
  name?: string
  columns?: (string | null)[]
  rows?: string
  seq_id?: number
  who?: Principal
}

async function send<A>(
  path: string,
  content: string | Buffer,
  { who = at.who.admin, ...wish }: Wish,
): Promise<Reply<A>> {
  const fields = Object.entries(wish).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return (await sendForm(at, path, who, [...fields, ['file', Buffer.from(content), 'file.xlsx']])) as Reply<A>
}
const check = (content: string | Buffer, wish: Wish) => send<Checked>('/imports/check', content, wish)
const take = (content: string | Buffer, wish: Wish) => send<Taken>('/imports/take', content, wish)
const undo = (id: number, who = at.who.admin) => at.ask(imports.undo, who, { _id: id })

const tyresOf = (plate: string) =>
  at.query(
    `select t.position, t.tyre_set, t.description, t.status, t.status_date::text as since, t.profile_depth::float as depth,
       t.profile_date::text as measured, l.path, t.rims, t.bolts, t.hubcaps, t.invoiced_on::text as paid, t.unknown_article as unknown, t.memo
     from tyre t join vehicle v using (site_id) left join location l on l.site_id = t.site_id and l.id = t.location_id
     where v.id = t.vehicle_id and v.license_plate = $1 and t.removed_at is null order by t.tyre_set, t.position`,
    [plate],
  )
/** Everything of the trade that an import may write. */
const snapshot = async () =>
  at.query(`select (select json_agg(v order by id) from vehicle v where removed_at is null) as vehicles,
    (select json_agg(t order by id) from tyre t where removed_at is null) as tyres,
    (select json_agg(a order by id) from article a where retired_at is null) as articles,
    (select json_agg(c order by id) from customer c) as customers,
    (select json_agg(json_build_object('id', id, 'held', held) order by id) from location) as held,
    (select json_agg(s order by id) from stay s) as stays, (select count(*)::int from storage_ledger where released_at is null) as charged`)

const rows = [
  [
    'Kenteken',
    'Bandenmaat',
    'Merk',
    'Seizoen',
    'Positie',
    'Profieldiepte',
    'Rek',
    'Opslagdatum',
    'Betaald tot',
    'Velgen',
    'Bouten',
  ],
  ['1-TYR-001', '205/55 R16 91H', 'Michelin', 'winter', 'LV', '7,25', 'Z 01 1', '44927', '31/12/2023', 'alu', 'ja'],
  ['1-TYR-001', '205/55R16 91H', 'MICHELIN', 'winter', 'RV', '7.25', 'z/01/1', '1/1/2023', '31-12-2023', 'Alu', 'x'],
  ['1-TYR-001', '195/65 R15 91T', 'Vredestein', 'zomer', '', '11', '', '', '', '', ''],
]
const csv = (lines: readonly (readonly string[])[]): string => lines.map(line => line.join(';')).join('\n')

describe('tyres', () => {
  beforeAll(async () => {
    await at.addVehicle({ plate: '1TYR001' })
    await at.addVehicle({ plate: '1TYR002' })
    await at.addVehicle({ plate: '1TYR003', config: null })
    await at.addLocations({ places: 2, capacity: 4, zone: 'Z' })
  })

  test('are looked at first, and nothing is saved', async () => {
    const before = await snapshot()
    const { status, answer } = await check(csv(rows), { kind: 'tyres' })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ header: 1, rows: 3, added: 3, refused: 0, missing: [], refusals: [] })
    expect(answer.columns.map(column => column.field)).toEqual([
      'license_plate',
      'dimension',
      'brand',
      'season',
      'position',
      'depth',
      'location',
      'stored_since',
      'paid_until',
      'rims',
      'bolts',
    ])
    expect(answer.preview.map(row => [row.row, row.outcome])).toEqual([
      [2, 'added'],
      [3, 'added'],
      [4, 'added'],
    ])
    expect(answer.notes).toContain('4: depth ‘11’ became 10 mm')
    expect(await snapshot()).toEqual(before)
  })

  test('are taken in with sets, depths, places, days and what is paid, found again, and undone', async () => {
    const before = await snapshot()
    const { status, answer } = await take(csv(rows), { kind: 'tyres', name: 'stock.csv' })
    expect([status, answer]).toMatchObject([200, { rows: 3, added: 3, refused: 0 }])
    const stored = {
      tyre_set: 'Winter',
      description: 'Michelin Alpin 6 205/55R16 91H',
      status: 'in_stock',
      since: '2023-01-01',
      depth: 7.25,
      measured: '2026-11-24',
      rims: 'aluminum',
      bolts: true,
      paid: '2023-12-31',
      unknown: false,
    }
    expect(await tyresOf('1TYR001')).toMatchObject([
      {
        position: '1A',
        tyre_set: 'Summer',
        description: 'Vredestein 195/65R15 91T',
        status: 'at_customer',
        depth: 10,
        path: null,
      },
      { position: '1A', ...stored },
      { position: '1B', ...stored },
    ])
    expect(
      await at.query(
        `select since::text, until::text, document_id from storage_ledger where since = '2023-01-01' and until = '2023-12-31'`,
      ),
    ).toHaveLength(2)
    expect((await take(csv(rows), { kind: 'tyres' })).answer).toMatchObject({ added: 0, changed: 0, unchanged: 3 })

    const { answer: list } = await at.ask(imports.list, at.who.admin, {})
    expect(list[1]).toMatchObject({ _id: answer._id, kind: 'tyres', file: 'stock.csv', added: 3, undone: null })
    expect((await undo(answer._id)).answer).toMatchObject({ _id: answer._id, undone: expect.any(String) })
    expect(await snapshot()).toEqual(before)
    expect((await undo(answer._id)).refusal.code).toBe('import.undone')
    const [removed] = await at.query(`select count(*)::int as tyres from tyre_event where kind = 'removed'`)
    expect(removed).toEqual({ tyres: 3 })
  })

  test('that differ are changed, but not where they lie; undoing restores them', async () => {
    const header = 'plate,size,brand,season,position,depth,rims,note,rack'
    await take(`${header}\n1TYR002,205/55R16 91H,Michelin,winter,1A,8,,,\n`, { kind: 'tyres' })
    const before = await tyresOf('1TYR002')
    const { answer } = await take(`${header}\n1TYR002,205/55R16 91H,Michelin,winter,1A,6.5,steel,cut,Z-01-2\n`, {
      kind: 'tyres',
    })
    expect(answer).toMatchObject({ added: 0, changed: 1 })
    expect(await tyresOf('1TYR002')).toMatchObject([
      { depth: 6.5, rims: 'steel', memo: 'cut', status: 'at_customer', path: null },
    ])
    await undo(answer._id)
    expect(await tyresOf('1TYR002')).toEqual(before)
  })

  test('of one row with a quantity get the free positions of its set', async () => {
    const { answer } = await take('plate,size,brand,set,quantity\n1TYR002,205/55R16,Michelin,Spare set,4\n', {
      kind: 'tyres',
    })
    expect(answer).toMatchObject({ rows: 1, added: 1 })
    const set = (await tyresOf('1TYR002')).filter(tyre => tyre.tyre_set === 'Spare set')
    expect(set.map(tyre => tyre.position)).toEqual(['1A', '1B', '2A', '2B'])
    expect(
      (await take('plate,size,brand,set,quantity\n1TYR002,205/55R16,Michelin,spare SET,4\n', { kind: 'tyres' })).answer,
    ).toMatchObject({ unchanged: 1 })
  })

  test.each([
    ['1TYR999,205/55R16,Michelin', 0, /no vehicle has the plate 1TYR999/],
    ['1TYR003,205/55R16,Michelin', 0, /no configuration/],
    ['1TYR001,tall,Michelin', 1, /not a tyre size/],
    ['1TYR001,205/55R16,', 2, /no unknown articles/],
    ['1TYR001,205/55R16,Michelin,9Z', 3, /position ‘9Z’/],
    ['1TYR001,205/55R16,Michelin,,nowhere', 4, /location ‘nowhere’/],
    ['1TYR001,205/55R16,Michelin,,,2027-01-01', 5, /still to come/],
    ['1TYR001,205/55R16,Michelin,,,soon', 5, /not a day/],
    ['1TYR001,205/55R16,Michelin,,,2026-01-01,2025-01-01', 6, /before the day of storage/],
    ['1TYR001,205/55R16,Michelin,,,,,deep', 7, /not a tread depth/],
    ['1TYR001,205/55R16,Michelin,,Z-01-1,,,,5', 4, /no free position|room for/],
    ['1TYR001,205/55R16,Michelin,,,,,,,sold', 9, /neither in stock/],
    ['1TYR001,205/55R16,Michelin,,Z-01-1,,,,,at customer', 4, /is in stock/],
  ])('%s is refused with its column and reason', async (line, column, reason) => {
    const file = `plate,size,brand,position,rack,stored,paid until,depth,quantity,status\n${line}\n`
    const { answer } = await check(file, { kind: 'tyres' })
    expect(answer).toMatchObject({ rows: 1, refused: 1, refusals: [{ row: 2 }] })
    expect(answer.refusals[0]?.reason).toMatch(reason)
    if (!/free position/.test(answer.refusals[0]?.reason ?? '')) expect(answer.refusals[0]?.column).toBe(column)
  })

  test('more than fit on a place are refused, those that fit are not', async () => {
    const line = (position: string) => `1TYR001,205/55R16,Michelin,Full,${position},Z-01-2`
    const lines = [
      'plate,size,brand,set,position,rack',
      ...['1A', '1B', '2A', '2B'].map(line),
      '1TYR002,205/55R16,Michelin,Full,1A,Z-01-2',
    ]
    const { answer } = await check(lines.join('\n'), { kind: 'tyres' })
    expect(answer).toMatchObject({ added: 4, refused: 1, refusals: [{ row: 6, column: 5 }] })
  })

  test('without a brand are unknown articles where the site allows them', async () => {
    await at.setSite(at.sites.home, { allow_unknown_article: true, unknown_winter_article: at.articles.home })
    const { answer } = await take('plate,size,season,set\n1TYR002,225/45R17 94V,winter,Bought\n', { kind: 'tyres' })
    expect(answer).toMatchObject({ added: 1 })
    expect((await tyresOf('1TYR002')).find(tyre => tyre.tyre_set === 'Bought')).toMatchObject({
      description: '225/45R17 94V',
      unknown: true,
    })
    await at.setSite(at.sites.home, { allow_unknown_article: false })
  })

  test('are not imported in a site without a hotel', async () => {
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    expect((await check('plate,size\n1TYR001,205/55R16', { kind: 'tyres' })).refusal.code).toBe('site.mode')
    await at.setSite(at.sites.home, { mode: 'both' })
  })
})

describe('vehicles', () => {
  const file = (...lines: string[]) => ['Kennzeichen,Hersteller,Modell,Fahrzeugart,Räder,Kunde', ...lines].join('\n')

  test('of a workbook belong to the customer that each row names, or to the chosen one', async () => {
    const bytes = await writeWorkbook([
      [{ value: 'Fleet of 2026' }],
      [],
      ['Kenteken', 'Merk', 'Model', 'Soort', 'Klant'].map(value => ({ value })),
      ['1-XLS-001', 'Volvo', 'V60', 'personenwagen', 'lease beta'].map(value => ({ value })),
      [{ value: '1-XLS-002' }, { value: 'DAF' }, { value: 95 }, { value: 'Vrachtwagen' }, null],
    ]).toBuffer()
    const { answer } = await take(bytes, { kind: 'vehicles', seq_id: at.customers.a })
    expect(answer).toMatchObject({ rows: 2, added: 2 })
    expect(
      await at.query(
        `select license_plate, customer_id, description from vehicle where license_plate like '1XLS%' order by 1`,
      ),
    ).toEqual([
      { license_plate: '1XLS001', customer_id: at.customers.b, description: 'V60' },
      { license_plate: '1XLS002', customer_id: at.customers.a, description: '95' },
    ])
  })

  test('of nobody, and of somebody who is unknown, are refused', async () => {
    const { answer } = await check(file('1OWN001,Audi,A4,PKW,4,', '1OWN002,Audi,A4,PKW,4,Nobody'), { kind: 'vehicles' })
    expect(answer.refusals).toMatchObject([
      { row: 2, column: 5 },
      { row: 3, column: 5, cells: ['1OWN002', 'Audi', 'A4', 'PKW', '4', 'Nobody'] },
    ])
  })

  test('with a refused row are imported only when the good ones are wanted', async () => {
    const content = file('1ALL001,Audi,A4,PKW,4,Garage Alfa', '1ALL002,Audi,A4,hovercraft,4,Garage Alfa')
    const refused = await take(content, { kind: 'vehicles' })
    expect(refused.refusal).toMatchObject({ code: 'import.rows_refused', params: { rows: 1 } })
    expect(await at.query(`select from vehicle where license_plate like '1ALL%'`)).toEqual([])
    expect((await take(content, { kind: 'vehicles', rows: 'good' })).answer).toMatchObject({ added: 1, refused: 1 })
  })

  test('cannot be undone once something else has touched them, and nothing is undone then', async () => {
    const { answer } = await take(file('1UND001,Audi,A4,PKW,4,Garage Alfa', '1UND002,Audi,A4,PKW,4,Garage Alfa'), {
      kind: 'vehicles',
    })
    await at.query(`update vehicle set brand = 'Seat' where license_plate = '1UND002'`)
    const before = await snapshot()
    expect((await undo(answer._id)).refusal).toMatchObject({ code: 'import.touched', params: { records: 1 } })
    expect(await snapshot()).toEqual(before)
  })

  test('with tyres on them cannot be undone before these are', async () => {
    const vehicles = (await take(file('1UND003,Audi,A4,PKW,4,Garage Alfa'), { kind: 'vehicles' })).answer
    const tyres = (await take('plate,size,brand,season\n1UND003,205/55R16,Nokian,winter', { kind: 'tyres' })).answer
    expect((await undo(vehicles._id)).refusal.code).toBe('import.touched')
    expect((await undo(tyres._id)).status).toBe(200)
    expect((await undo(vehicles._id)).status).toBe(200)
    expect(
      await at.query(`select removed_at is not null as removed from vehicle where license_plate = '1UND003'`),
    ).toEqual([{ removed: true }])
    // removed tyres keep their article, which is no longer offered
    expect(await at.query(`select retired_at is not null as retired from article where brand = 'Nokian'`)).toEqual([
      { retired: true },
    ])
  })

  test('have the columns that were chosen, which are remembered; other sites do not know them', async () => {
    const content = 'Ref,Make,X,Y\n1MEM001,Audi,A4,PKW\n'
    const first = await check(content, { kind: 'vehicles', seq_id: at.customers.a })
    expect(first.answer.columns.map(column => [column.field, column.by])).toEqual([
      ['license_plate', 'content'],
      ['brand', 'name'],
      [null, null],
      ['kind', 'content'],
    ])
    const columns = ['license_plate', 'brand', 'description', 'kind']
    await take(content, { kind: 'vehicles', seq_id: at.customers.a, columns })
    const again = await check(content, { kind: 'vehicles', seq_id: at.customers.a })
    expect(again.answer.columns.map(column => [column.field, column.by])).toEqual(
      columns.map(field => [field, 'memory']),
    )
    const elsewhere = await check(content, { kind: 'vehicles', who: at.who.otherAdmin })
    expect(elsewhere.answer.columns[2]).toMatchObject({ field: null, by: null })
  })

  test('without a required column are not imported, and the answer says which is missing', async () => {
    const { answer } = await check('Note,Brand\nx,Audi\n', { kind: 'vehicles' })
    expect(answer).toMatchObject({ missing: ['license_plate', 'kind'], rows: 0 })
    expect((await take('Note,Brand\nx,Audi\n', { kind: 'vehicles' })).refusal.code).toBe('import.columns_missing')
  })
})

test('an erased driver is not kept by the import that changed the vehicle', async () => {
  const vehicle = await at.addVehicle({ plate: '1ERA001' })
  await at.query(`update vehicle set driver_name = 'Secret Driver' where id = $1`, [vehicle])
  const { answer } = await take('plate,type,brand,driver\n1ERA001,car,Opel,Other\n', {
    kind: 'vehicles',
    seq_id: at.customers.a,
  })
  expect(answer).toMatchObject({ changed: 1 })
  await at.send('/people/erasedriver', at.who.admin, { flt_id: vehicle })
  expect(JSON.stringify(await at.query('select before from import_row'))).not.toContain('Secret Driver')
  expect((await undo(answer._id)).refusal.code).toBe('import.touched')
})

test('articles and customers are imported and undone', async () => {
  const before = await snapshot()
  const articles = await take('Marke;Größe;EAN\nNokian;185/65R15 88T;4019238012347\n', { kind: 'articles' })
  const customers = await take('Nom;Ville\nGarage Neuf;Liège\n', { kind: 'customers' })
  expect([articles.answer, customers.answer]).toMatchObject([{ added: 1 }, { added: 1 }])
  await undo(articles.answer._id)
  await undo(customers.answer._id)
  expect(await snapshot()).toEqual(before)
})

test('a file that cannot be read says what to do', async () => {
  const { status, refusal } = await check(Buffer.from('d0cf11e0a1b11ae1', 'hex'), { kind: 'vehicles' })
  expect([status, refusal.code]).toEqual([400, 'import.unusable'])
  expect(refusal.message).toContain('.xlsx')
})

test.each([
  ['vehicles', 'Kenteken;Merk;Model;Soort', (nth: number) => `1MNY${nth};Saab;${nth};PKW`],
  ['articles', 'Marke;Größe', (nth: number) => `Nokian ${nth};185/65R15 88T`],
  ['customers', 'Nom;Ville', (nth: number) => `Garage ${nth};Liège`],
] as const)('%s that are known are read once, however many rows a file has', async (kind, head, row) => {
  const names: string[] = []
  const app = await serve({ database: recordStatements(at.database, names), limits: null, clock: () => at.clock.now })
  const statementsFor = async (count: number): Promise<string[]> => {
    const text = [head, ...Array.from({ length: count }, (_, nth) => row(nth))].join('\n')
    names.length = 0
    const fields = [
      ['kind', kind],
      ['seq_id', String(at.customers.a)],
      ['file', Buffer.from(text), 'file.csv'],
    ] as const
    const reply = await sendForm({ ...at, app }, '/imports/check', at.who.admin, [...fields])
    expect(reply.answer).toMatchObject({ refusals: [], added: count })
    return names.filter(name => name.startsWith('import'))
  }
  try {
    await statementsFor(3)
    const few = await statementsFor(30)
    expect(few.length).toBeGreaterThan(0)
    expect(await statementsFor(3000)).toEqual(few)
  } finally {
    await app.close()
  }
})

test('an import of another site is unknown', async () => {
  const { answer } = await take('Name\nOnly here\n', { kind: 'customers' })
  expect((await undo(answer._id, at.who.otherAdmin)).refusal.code).toBe('record.missing')
  expect((await at.ask(imports.list, at.who.otherAdmin, {})).answer).toEqual([])
})

test('no import runs when none does', async () => {
  expect((await at.ask(imports.progress, at.who.admin, {})).answer).toBeNull()
})
