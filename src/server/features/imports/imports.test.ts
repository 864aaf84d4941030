import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { nameKey } from '#domain/texts/letters.ts'
import { contract } from '#contract/index.ts'
import { imports } from '#contract/imports.ts'
import type { Wire } from '#contract/call.ts'
import { serve } from '../../http/serve.ts'
import { buyerDetails } from '../../testing/bodies.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { readWhole, saveChange, sendForm } from '../../testing/config.ts'
import { addOperation, addService } from '../../testing/operations.ts'
import { recordStatements } from '../../testing/recorded.ts'
import { tokenOf } from '../../testing/tokens.ts'
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
  headers: Record<string, string> = {},
): Promise<Reply<A>> {
  const fields = Object.entries(wish).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return (await sendForm(at, path, who, [...fields, ['file', Buffer.from(content), 'file.xlsx']], headers)) as Reply<A>
}
const check = (content: string | Buffer, wish: Wish) => send<Checked>('/imports/check', content, wish)
/** With a key, as a browser sends it. */
const take = (content: string | Buffer, wish: Wish, key: string = randomUUID()) =>
  send<Taken>('/imports/take', content, wish, { 'idempotency-key': key })
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

  test('come in once when the same call is repeated', async () => {
    const key = randomUUID()
    const vehicles = 'Kenteken;Merk;Soort;Wielen\n9-ONE-001;Volvo;personenwagen;4'
    const first = await take(vehicles, { kind: 'vehicles', seq_id: at.customers.a }, key)
    expect(first.status).toBe(200)
    const again = await take(vehicles, { kind: 'vehicles', seq_id: at.customers.a }, key)
    expect(again.text).toBe(first.text)
    expect(await at.query(`select from vehicle where license_plate = '9ONE001'`)).toHaveLength(1)
  })

  test('may have their size in three columns', async () => {
    const parts =
      'Kenteken;Merk;Breedte;Hoogte;Velg\n1-TYR-001;Michelin;205;55;16\n1-TYR-001;Michelin;7.50;;R16\n1-TYR-001;Michelin;215;65;R16C\n1-TYR-001;Michelin;205;;'
    const { status, answer } = await check(parts, { kind: 'tyres' })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ missing: [], added: 3, refused: 1 })
    expect(answer.refusals[0]).toMatchObject({ row: 5 })
  })

  test('with depths of no date say how many count as measured today', async () => {
    const undated = /tread depths? ha(?:s|ve) no date/
    const notesOf = async (...days: string[]) => {
      const lines = days.map(day => `1-TYR-001;Michelin;205/55R16;6;${day}`)
      const content = ['Kenteken;Merk;Maat;Profieldiepte;Profieldatum', ...lines].join('\n')
      const { answer } = await check(content, { kind: 'tyres' })
      expect(answer).toMatchObject({ missing: [], added: days.length, refused: 0 })
      return answer.notes.filter(note => undated.test(note))
    }
    expect(await notesOf('2026-10-01', '', '')).toEqual([
      '2 tread depths have no date: they count as measured today. A column with the date of measurement says otherwise.',
    ])
    expect(await notesOf('2026-10-01')).toEqual([])
  })

  test('are looked at first, and nothing is saved', async () => {
    const before = await snapshot()
    const { status, answer } = await check(csv(rows), { kind: 'tyres' })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ header: 1, row_count: 3, added: 3, refused: 0, missing: [], refusals: [] })
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
    expect([status, answer]).toMatchObject([200, { row_count: 3, added: 3, refused: 0 }])
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

  test('that a document charges cannot be undone before it is withdrawn', async () => {
    const vehicle = await at.addVehicle({ plate: '1TYR077' })
    const line = ['1TYR077', '205/55 R16 91H', 'Michelin', 'winter', 'LV', '', '', '1/10/2026', '', '', '']
    const { answer } = await take(csv([rows[0]!, line]), { kind: 'tyres' })
    await chargeByDay(at)
    const [tyre] = await at.query<{ id: number }>('select id from tyre where vehicle_id = $1', [vehicle])
    const bill = { tyres: [tyre!.id], seq_id: at.customers.a }
    const document = (await at.ask(contract.invoicing.inject, at.who.admin, bill)).answer
    expect(document.amount_excl).toBe(18.9)
    expect((await undo(answer._id)).refusal).toMatchObject({ code: 'import.touched', params: { records: 1 } })
    await at.ask(contract.invoicing.withdraw, at.who.admin, { db_id: document.db_id, reason: 'A mistake' })
    expect((await undo(answer._id)).status).toBe(200)
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

  test('have the week in which they were made; an impossible one is refused, and undoing takes it back', async () => {
    const header = 'plate,size,brand,set,position,DOT,retreaded'
    const dots = () =>
      at.query(`select dot, retreaded from tyre where tyre_set = 'Dated' and removed_at is null order by position`)
    const first = await take(
      `${header}\n1TYR002,205/55R16,Michelin,Dated,1A,DOT 4B9R JU1X 2319,1024\n1TYR002,205/55R16,Michelin,Dated,1B,719,\n`,
      { kind: 'tyres' },
    )
    expect(first.answer).toMatchObject({ added: 2 })
    expect(await dots()).toEqual([
      { dot: '4B9RJU1X2319', retreaded: '1024' },
      { dot: '0719', retreaded: '' },
    ])
    const refused = await check(
      `${header}\n1TYR002,205/55R16,Michelin,Dated,1A,5419,\n1TYR002,205/55R16,Michelin,Dated,1B,0130,\n1TYR002,205/55R16,Michelin,Dated,1A,2319,1018\n`,
      { kind: 'tyres' },
    )
    expect(refused.answer).toMatchObject({ refused: 3 })
    expect(refused.answer.refusals.map(({ reason }) => reason).join('; ')).toMatch(
      /5419.*is not a DOT code.*0130 is a week.*retreaded before/,
    )
    const changed = await take(`${header}\n1TYR002,205/55R16,Michelin,Dated,1B,1120,\n`, { kind: 'tyres' })
    expect(changed.answer).toMatchObject({ changed: 1 })
    expect((await dots())[1]).toEqual({ dot: '1120', retreaded: '' })
    await undo(changed.answer._id)
    expect((await dots())[1]).toEqual({ dot: '0719', retreaded: '' })
  })

  test('of one row with a quantity get the free positions of its set', async () => {
    const { answer } = await take('plate,size,brand,set,quantity\n1TYR002,205/55R16,Michelin,Spare set,4\n', {
      kind: 'tyres',
    })
    expect(answer).toMatchObject({ row_count: 1, added: 1 })
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
    ['1TYR001,205/55R16,Michelin,,,,,,,sold', 9, /neither in storage/],
    ['1TYR001,205/55R16,Michelin,,Z-01-1,,,,,at customer', 4, /is in storage/],
  ])('%s is refused with its column and reason', async (line, column, reason) => {
    const file = `plate,size,brand,position,rack,stored,paid until,depth,quantity,status\n${line}\n`
    const { answer } = await check(file, { kind: 'tyres' })
    expect(answer).toMatchObject({ row_count: 1, refused: 1, refusals: [{ row: 2 }] })
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
    expect(answer).toMatchObject({ row_count: 2, added: 2 })
    expect(
      await at.query(
        `select license_plate, customer_id, description from vehicle where license_plate like '1XLS%' order by 1`,
      ),
    ).toEqual([
      { license_plate: '1XLS001', customer_id: at.customers.b, description: 'V60' },
      { license_plate: '1XLS002', customer_id: at.customers.a, description: '95' },
    ])
  })

  test('and tyres belong to the customer who is called so, whatever is invisible, full-width or not composed', async () => {
    await at.query(
      `insert into customer (site_id, code, name, company) values ($1, 'KÉ-12', U&'Caf\\00E9 Zoë', ''), ($1, U&'KX\\200B-13', U&'Cafe\\0301 \\202AZwei', '')`,
      [at.sites.home],
    )
    const names = [
      'kÉ-12',
      'KE\u0301\u200B-12',
      '\uFEFFKÉ-12',
      'ＫÉ－１２',
      '\u202AKÉ-12\u202C',
      'Cafe\u0301\u00A0 Zoë',
      'KX-13',
      'café zwei',
    ]
    const plates = names.map((_, nth) => `1SEE0${10 + nth}`)
    const { answer } = await take(file(...names.map((name, nth) => `${plates[nth]},Audi,A4,PKW,4,${name}`)), {
      kind: 'vehicles',
    })
    expect(answer).toMatchObject({ added: names.length })
    const owners = await at.query<{ code: string }>(
      `select c.code from vehicle v join customer c on c.id = v.customer_id where license_plate like '1SEE0%' order by license_plate`,
    )
    expect(owners.map(({ code }) => code.slice(0, 2))).toEqual([...Array<string>(6).fill('KÉ'), 'KX', 'KX'])
    const lines = names.map((name, nth) => `${plates[nth]},215/60R17,Falken,winter,${name}`)
    expect(
      (await take(['plate,size,brand,season,customer', ...lines].join('\n'), { kind: 'tyres' })).answer,
    ).toMatchObject({
      refused: 0,
    })
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
    expect(answer).toMatchObject({ missing: ['license_plate', 'kind'], row_count: 0 })
    expect((await take('Note,Brand\nx,Audi\n', { kind: 'vehicles' })).refusal.code).toBe('import.columns_missing')
  })
})

describe('locations', () => {
  const tree = (site = at.sites.home) =>
    at.query(
      `select l.kind, l.site_name, l.path, above.path as above, l.capacity, l.walk from location l
       left join location above on above.site_id = l.site_id and above.id = l.parent_id
       where l.site_id = $1 and l.site_name like 'Import%' order by l.path`,
      [site],
    )
  const header = 'Magazijn;Zone;Rek;Plaats;Plaats voor banden;Looproute'
  const rows = [header, 'Import 1;A;01;1;4;', 'Import 1;A;01;2;6;', 'import 1;a;02;;;', 'Import 1;;R;9;2;7'].join('\n')

  test('are taken in with what holds them, found again, and undone', async () => {
    const looked = await check(rows, { kind: 'locations' })
    expect(looked.answer).toMatchObject({ row_count: 4, added: 4, missing: [], refusals: [] })
    expect(looked.answer.columns.map(({ field, by }) => [field, by])).toEqual(
      ['site_name', 'zone', 'rack', 'place', 'capacity', 'walk'].map(field => [field, 'name']),
    )
    expect(await tree()).toEqual([])
    const [{ walk }] = (await at.query<{ walk: number }>(
      `select max(walk) as walk from location where capacity > 0`,
    )) as [{ walk: number }]
    const { answer } = await take(rows, { kind: 'locations', name: 'racks.csv' })
    expect(answer).toMatchObject({ row_count: 4, added: 4, refused: 0 })
    const location = (kind: string, path: string, above: string | null, more = {}) => ({
      kind,
      site_name: 'Import 1',
      path,
      above,
      capacity: 0,
      walk: 0,
      ...more,
    })
    expect(await tree()).toEqual([
      location('site', '', null),
      location('zone', 'A', ''),
      location('rack', 'A-01', 'A'),
      location('place', 'A-01-1', 'A-01', { capacity: 4, walk: walk + 1 }),
      location('place', 'A-01-2', 'A-01', { capacity: 6, walk: walk + 2 }),
      location('rack', 'A-02', 'A', { site_name: 'Import 1', path: 'A-02' }),
      location('rack', 'R', ''),
      location('place', 'R-9', 'R', { capacity: 2, walk: 7 }),
    ])
    expect((await take(rows, { kind: 'locations' })).answer).toMatchObject({ added: 0, changed: 0, unchanged: 4 })
    expect(await tree(at.sites.other)).toEqual([])
    expect((await undo(answer._id)).status).toBe(200)
    expect(await tree()).toEqual([])
  })

  test('that differ are changed, a blank cell changes nothing, and undoing restores them', async () => {
    await take(rows, { kind: 'locations' })
    const before = await tree()
    const { answer } = await take(`${header}\nIMPORT 1;A;01;1;9;\nImport 1;A;01;2;;3\nImport 1;;R;9;2;\n`, {
      kind: 'locations',
    })
    expect(answer).toMatchObject({ added: 0, changed: 2, unchanged: 1 })
    expect((await tree()).filter(({ path }) => /01-/.test(String(path)))).toMatchObject([
      { site_name: 'Import 1', capacity: 9 },
      { capacity: 6, walk: 3 },
    ])
    expect((await undo(answer._id)).status).toBe(200)
    expect(await tree()).toEqual(before)
  })

  test.each([
    [';A;01;1;4;', 0, /site_name is blank/],
    ['Import 1;A-1;01;1;4;', 1, /has a dash/],
    [`Import 1;${'A'.repeat(31)};01;1;4;`, 1, /30 is the most/],
    ['Import 1;;A;1;4;', 2, /‘A’ exists already, as a zone/],
    ['Import 1;A;01;1;many;', 4, /whole number from 0 to 10,000/],
    ['Import 1;A;01;1;4;-1', 5, /whole number/],
    ['Import 1;A;01;3;4;\nimport 1;a;01;3;5;', null, /same location as line 2/],
  ])('%s is refused with its column and reason', async (line, column, reason) => {
    const { answer } = await check(`${header}\n${line}\n`, { kind: 'locations' })
    expect(answer.refused).toBe(1)
    expect(answer.refusals[0]).toMatchObject({ column })
    expect(answer.refusals[0]?.reason).toMatch(reason)
  })

  test('are not given less room than for the tyres that lie there, and not taken back from below them', async () => {
    await at.addVehicle({ plate: '1TYR078' })
    const { answer } = await take(`${header}\nImport 2;;R;1;4;\n`, { kind: 'locations' })
    const stored = 'plate,size,brand,season,rack,warehouse,quantity\n1TYR078,205/55R16,Michelin,winter,R-1,Import 2,3'
    await take(stored, { kind: 'tyres' })
    const small = await check(`${header}\nImport 2;;R;1;2;\n`, { kind: 'locations' })
    expect(small.answer.refusals).toMatchObject([{ column: 4 }])
    expect(small.answer.refusals[0]?.reason).toContain('3 tyres are there')
    expect((await undo(answer._id)).refusal.code).toBe('import.touched')
  })

  test('of which another holds something since cannot be undone', async () => {
    const { answer } = await take(`${header}\nImport 3;;R;;;\n`, { kind: 'locations' })
    const below = await take(`${header}\nImport 3;;R;1;4;\n`, { kind: 'locations' })
    expect((await undo(answer._id)).refusal).toMatchObject({ code: 'import.touched', params: { records: 1 } })
    expect((await undo(below.answer._id)).status).toBe(200)
    expect((await undo(answer._id)).status).toBe(200)
  })

  test('where a storage is planned are not made smaller by an undo', async () => {
    await take(`${header}\nImport 4;;R;1;2;\n`, { kind: 'locations' })
    const { answer } = await take(`${header}\nImport 4;;R;1;4;\n`, { kind: 'locations' })
    const vehicle = await at.addVehicle({ plate: '1TYR010' })
    const tyres = await at.addSet({ vehicle, status: 'at_customer' })
    const { id } = await addOperation(at, { vehicle, tyres, status: 'submitted' })
    await at.query(
      `update operation_tyre set planned_location = (select id from location where site_id = $2 and site_name = 'Import 4' and path = 'R-1')
       where operation_id = $1`,
      [id, at.sites.home],
    )
    expect((await undo(answer._id)).refusal.code).toBe('import.touched')
    await at.query('update operation_tyre set planned_location = null where operation_id = $1', [id])
    expect((await undo(answer._id)).status).toBe(200)
  })

  test('are not imported in a site without a hotel', async () => {
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    expect((await check('warehouse\nImport 9', { kind: 'locations' })).refusal.code).toBe('site.mode')
    await at.setSite(at.sites.home, { mode: 'both' })
  })
})

describe('services', () => {
  const services = (site = at.sites.home) =>
    at.query(
      `select name, operation_type, article_number, article_insertion_method as method, description_en, description_nl, description_fr,
         description_de, price_excl::float as price from service where site_id = $1 and removed_at is null order by name`,
      [site],
    )
  const header =
    'Service;Soort opdracht;Artikelnummer;Invoegen van artikel;Engels;Nederlands;Français;Deutsch;Prijs excl. btw'
  const washing = 'Wash;opslag;1001;per band;Washing;Wassen;Lavage;Waschen;€ 2,50'
  const file = `${header}\n${washing}\nCall;Abruf;;Textzeile;Call;Bellen;Appeler;Anrufen;\n`
  const washed = {
    name: 'Wash',
    operation_type: 'to_stock',
    article_number: '1001',
    method: 'per_tyre',
    description_en: 'Washing',
    description_nl: 'Wassen',
    description_fr: 'Lavage',
    description_de: 'Waschen',
    price: 2.5,
  }

  test('are taken in, found again, and undone; each time whoever edits the configuration has to load it again', async () => {
    const { version } = await readWhole(at)
    const looked = await check(file, { kind: 'services' })
    expect(looked.answer).toMatchObject({ row_count: 2, added: 2, missing: [], refusals: [] })
    expect([await services(), (await readWhole(at)).version]).toEqual([[], version])
    const { answer } = await take(file, { kind: 'services', name: 'services.csv' })
    expect(answer).toMatchObject({ row_count: 2, added: 2, refused: 0 })
    expect(await services()).toMatchObject([
      { name: 'Call', operation_type: 'to_customer', article_number: null, method: 'text_line', price: 0 },
      washed,
    ])
    expect(await services(at.sites.other)).toEqual([])
    expect((await readWhole(at)).version).toBe(version + 1)
    expect((await saveChange(at, { version, name: 'Too late' })).refusal.code).toBe('config.changed')
    expect((await take(file, { kind: 'services' })).answer).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    expect((await undo(answer._id)).status).toBe(200)
    expect([await services(), (await readWhole(at)).version]).toEqual([[], version + 2])
  })

  test('that differ are changed, a blank cell changes nothing, and undoing restores them', async () => {
    await take(file, { kind: 'services' })
    const { answer } = await take('Name,Type,Price\nWASH,storage,3\nCall,recall,\n', { kind: 'services' })
    expect(answer).toMatchObject({ added: 0, changed: 1, unchanged: 1 })
    expect((await services())[1]).toEqual({ ...washed, name: 'WASH', price: 3 })
    expect((await undo(answer._id)).status).toBe(200)
    expect((await services())[1]).toEqual(washed)
    await at.query(`delete from service where site_id = $1`, [at.sites.home])
  })

  test.each([
    [';opslag;1;per band;a;b;c;d;', 0, /name is blank/],
    ['X;spare;1;per band;a;b;c;d;', 1, /neither storage, recall nor disposal/],
    ['X;opslag;A1;per band;a;b;c;d;', 2, /characters other than digits/],
    ['X;opslag;;per band;a;b;c;d;', 2, /article_number is blank/],
    ['X;opslag;1;twice;a;b;c;d;', 3, /neither per tyre, once/],
    ['X;opslag;1;;a;b;c;d;', 3, /insertion_method is blank/],
    ['X;opslag;1;per band;a;;c;d;', 5, /description_nl is blank/],
    [`X;opslag;1;per band;${'a'.repeat(201)};b;c;d;`, 4, /200 is the most/],
    ['X;opslag;1;per band;a;b;c;d;free', 8, /not a price/],
    ['X;opslag;1;per band;a;b;c;d;2,5551', 8, /not a price/],
    [`${washing}\nwash;opslag;;;;;;;`, null, /same service as line 2/],
  ])('%s is refused with its column and reason', async (line, column, reason) => {
    const { answer } = await check(`${header}\n${line}\n`, { kind: 'services' })
    expect(answer.refused).toBe(1)
    expect(answer.refusals[0]).toMatchObject({ column })
    expect(answer.refusals[0]?.reason).toMatch(reason)
  })

  test('of one name are not guessed', async () => {
    for (const name of ['Twice', 'twice']) await addService(at, { name, type: 'to_stock' })
    const { answer } = await check('name,type,price\nTwice,storage,3\n', { kind: 'services' })
    expect(answer.refusals[0]?.reason).toContain('several services')
    await at.query(`delete from service where lower(name) = 'twice'`)
  })

  test('are at most as many as a configuration has', async () => {
    const rows = Array.from({ length: 301 }, (_, nth) => `Many ${nth};opslag;1;per band;a;b;c;d;`)
    const { answer } = await check([header, ...rows].join('\n'), { kind: 'services' })
    expect(answer).toMatchObject({ added: 300, refused: 1, refusals: [{ row: 302 }] })
  })

  test('that an operation has cannot be undone', async () => {
    const { answer } = await take(file, { kind: 'services' })
    const { id, customer } = { ...(await addOperation(at)), customer: at.customers.a }
    await at.query(
      `insert into operation_service (site_id, operation_id, service_id, customer_id)
       select site_id, $1, id, $2 from service where site_id = $3 and name = 'Wash' and removed_at is null`,
      [id, customer, at.sites.home],
    )
    expect((await undo(answer._id)).refusal).toMatchObject({ code: 'import.touched', params: { records: 1 } })
  })
})

describe('accounts', () => {
  const accounts = (site = at.sites.home) =>
    at.query(
      `select username, fullname, email, customer_id as customer, type, language, password, disabled_at as disabled from account
       where site_id = $1 and username like 'imp%' order by username`,
      [site],
    )
  const mails = () =>
    at.query(
      `select a.username, m.kind, m.to_address as "to" from mail m join account a on a.id = m.account_id where a.username like 'imp%' order by m.id`,
    )
  const header = 'Gebruikersnaam;Naam;E-mail;Klant;Rol;Taal'
  const file = [
    header,
    'imp.ann;Ann Peeters;ann@example.org;garage alfa;;nl',
    'imp.bob;Bob;;Lease Beta;klant;',
    'imp.desk;Desk;desk@example.org;;beheerder;Frans',
  ].join('\n')
  const ann = { username: 'imp.ann', fullname: 'Ann Peeters', email: 'ann@example.org', type: 'user', language: 'dut' }
  /** The same world before a server that sends messages. */
  const withMail = async (work: (mailing: World) => Promise<void>) => {
    const app = await serve({ database: at.database, sendsMail: true, limits: null, clock: () => at.clock.now })
    try {
      await work({ ...at, app })
    } finally {
      await app.close()
    }
  }
  const takeBy = async (mailing: World, content: string): Promise<Reply<Taken>> =>
    (await sendForm(mailing, '/imports/take', at.who.admin, [
      ['kind', 'accounts'],
      ['file', Buffer.from(content), 'file.csv'],
    ])) as Reply<Taken>

  test('are taken in without a password, found again, and undone', async () => {
    const looked = await check(file, { kind: 'accounts' })
    expect(looked.answer).toMatchObject({ row_count: 3, added: 3, missing: [], refusals: [] })
    expect(await accounts()).toEqual([])
    const { answer } = await take(file, { kind: 'accounts', name: 'people.csv' })
    expect(answer).toMatchObject({ row_count: 3, added: 3, refused: 0 })
    expect(answer.notes).toContain(
      '2: ‘imp.ann’ gets no invitation and has no password yet: set one in the list of accounts',
    )
    expect(await accounts()).toEqual([
      { ...ann, customer: at.customers.a, password: '', disabled: null },
      {
        username: 'imp.bob',
        fullname: 'Bob',
        email: '',
        customer: at.customers.b,
        type: 'user',
        language: null,
        password: '',
        disabled: null,
      },
      {
        username: 'imp.desk',
        fullname: 'Desk',
        email: 'desk@example.org',
        customer: null,
        type: 'admin',
        language: 'fre',
        password: '',
        disabled: null,
      },
    ])
    expect(await mails()).toEqual([])
    expect(await accounts(at.sites.other)).toEqual([])
    expect(
      await at.query(
        `select facts from security_event where kind = 'rolesChanged' and facts ->> 'created' = 'true' order by id`,
      ),
    ).toEqual(['user', 'user', 'admin'].map(type => ({ facts: { created: true, type } })))
    expect((await take(file, { kind: 'accounts' })).answer).toMatchObject({ added: 0, changed: 0, unchanged: 3 })
    expect((await undo(answer._id)).status).toBe(200)
    expect(await accounts()).toEqual([])
  })

  test('with an address are invited where there is a mail server', async () =>
    withMail(async mailing => {
      const { answer } = await takeBy(mailing, file)
      expect(answer).toMatchObject({ added: 3 })
      expect(answer.notes).toEqual([
        '3: ‘imp.bob’ gets no invitation and has no password yet: set one in the list of accounts',
      ])
      expect(await mails()).toMatchObject([
        { username: 'imp.ann', kind: 'invitation' },
        { username: 'imp.desk', kind: 'invitation' },
      ])
      expect((await undo(answer._id)).status).toBe(200)
      expect(await mails()).toEqual([])
    }))

  test('that differ are changed, the former address is told, and undoing restores them', async () =>
    withMail(async mailing => {
      await takeBy(mailing, file)
      const before = await accounts()
      const { answer } = await takeBy(mailing, 'username,name,email\nIMP.ANN,,new@example.org\nimp.bob,Robert,\n')
      expect(answer).toMatchObject({ added: 0, changed: 2 })
      expect(await accounts()).toMatchObject([{ ...ann, email: 'new@example.org' }, { fullname: 'Robert' }, {}])
      expect((await mails()).at(-1)).toEqual({ username: 'imp.ann', kind: 'emailChanged', to: 'ann@example.org' })
      const kept = JSON.stringify(
        await at.query(`select before from import_row where record = 'account' and before is not null`),
      )
      expect(kept).toContain('ann@example.org')
      expect(kept).not.toContain('password')
      expect((await undo(answer._id)).status).toBe(200)
      expect(await accounts()).toEqual(before)
    }))

  test.each([
    [';A;;Garage Alfa;;', 0, /username is blank/],
    ['im\u0440.x;A;;Garage Alfa;;', 0, /letters of several alphabets/],
    ['superuser;A;;Garage Alfa;;', 0, /is taken/],
    ['imp.x;A;nowhere;Garage Alfa;;', 2, /not an e-mail address/],
    ['imp.x;A;;;;', 3, /customer is blank/],
    ['imp.x;A;;Nobody;;', 3, /is unknown/],
    ['imp.x;A;;Transport Gamma;;', 3, /is unknown/],
    ['imp.x;A;;Garage Alfa;admin;', 3, /belongs to no customer/],
    ['imp.x;A;;Garage Alfa;superuser;', 4, /neither customer nor administrator/],
    ['imp.x;A;;Garage Alfa;;Klingon', 5, /not Dutch/],
    ['customer-a;A;;;admin;', 4, /another role/],
    ['customer-a;A;;Lease Beta;;', 3, /another customer/],
    ['imp.x;A;;Garage Alfa;;\nIMP.X;B;;Garage Alfa;;', null, /same account as line 2/],
  ])('%s is refused with its column and reason', async (line, column, reason) => {
    const { answer } = await check(`${header}\n${line}\n`, { kind: 'accounts' })
    expect(answer.refused).toBe(1)
    expect(answer.refusals[0]).toMatchObject({ column })
    expect(answer.refusals[0]?.reason).toMatch(reason)
  })

  test('of which somebody has chosen a password or signed in cannot be undone', async () => {
    const file = (name: string) => `username,customer\n${name},Garage Alfa\n`
    const chosen = (await take(file('imp.chosen'), { kind: 'accounts' })).answer
    const signed = (await take(file('imp.signed'), { kind: 'accounts' })).answer
    await at.query(`update account set password = 'hash' where username = 'imp.chosen'`)
    await at.query(
      `insert into session (token_hash, account_id, site_id) select 'imp', id, site_id from account where username = 'imp.signed'`,
    )
    for (const { _id } of [chosen, signed])
      expect((await undo(_id)).refusal).toMatchObject({ code: 'import.touched', params: { records: 1 } })
  })

  test('of which one is erased since are not kept by the import that changed them', async () => {
    await take('username,name,customer\nimp.erased,Secret Name,Garage Alfa\n', { kind: 'accounts' })
    const { answer } = await take('username,name\nimp.erased,Other\n', { kind: 'accounts' })
    const [account] = await at.query<{ id: number }>(`select id from account where username = 'imp.erased'`)
    expect((await at.send('/people/eraseaccount', at.who.admin, { _id: account?.id })).status).toBe(200)
    expect(JSON.stringify(await at.query('select before from import_row'))).not.toContain('Secret Name')
    expect((await undo(answer._id)).refusal.code).toBe('import.touched')
  })

  test('need a session whose owner has just shown who it is; looking does not', async () => {
    const { now } = at.clock
    at.clock.now = new Date(now.getTime() + 20 * 60_000)
    expect((await check(file, { kind: 'accounts' })).status).toBe(200)
    expect((await take(file, { kind: 'accounts' })).refusal.code).toBe('session.stale')
    at.clock.now = now
  })

  test.each(['accounts', 'services'])('and services are closed to access tokens: %s', async kind => {
    const who = await tokenOf(at, at.who.admin, { scopes: ['operations'] })
    const content = 'username,name,type\nimp.token,X,user\n'
    expect((await check(content, { kind, who })).refusal.code).toBe('token.closed')
    expect((await take(content, { kind, who })).refusal.code).toBe('token.closed')
    expect((await check('name\nToken\n', { kind: 'customers', who })).status).toBe(200)
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

describe('VAT numbers of customers', () => {
  const rememberedColumns = () =>
    at.query<{ name: string; vat_number: string | null }>(
      `select c.name, b.vat_number from customer c left join customer_billing b on b.customer_id = c.id where c.name like 'VAT%' order by c.name`,
    )
  const kind = { kind: 'customers' } as const

  test('are checked as in their form, and a row with a wrong one is refused with the reason', async () => {
    const rows = [
      'Name;BTW-nummer',
      'VAT 1;be 0739.484.052',
      'VAT 2;BE0739484059',
      'VAT 3;0739484052',
      'VAT 4;NL123',
      'VAT 5;',
    ]
    const checked = await check(rows.join('\n'), kind)
    expect(checked.answer.refusals.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [3, 1, 'vat_number ‘BE0739484059’ has a wrong check digit'],
      [4, 1, 'vat_number ‘0739484052’ does not begin with the letters of a country, as BE0739484052 does'],
      [5, 1, 'vat_number ‘NL123’ does not have the form of its country'],
    ])
    const { answer } = await take(rows.join('\n'), { ...kind, rows: 'good' })
    expect(answer).toMatchObject({ added: 2, refused: 3 })
    expect(await rememberedColumns()).toEqual([
      { name: 'VAT 1', vat_number: 'BE0739484052' },
      { name: 'VAT 5', vat_number: null },
    ])
    await undo(answer._id)
    expect(await rememberedColumns()).toEqual([])
  })

  test('of customers that exist are changed, and an undo brings the former one back', async () => {
    await take('Name;City;VAT\nVAT 6;Gent;BE0739484052\nVAT 7;Gent;', kind)
    const change = 'Name;City;VAT\nVAT 6;Gent;BE0202239951\nVAT 7;Gent;NL004495445B01'
    const { answer } = await take(change, kind)
    expect(answer).toMatchObject({ added: 0, changed: 2 })
    expect((await rememberedColumns()).map(row => row.vat_number)).toEqual(['BE0202239951', 'NL004495445B01'])
    expect((await take(change, kind)).answer).toMatchObject({ changed: 0, unchanged: 2 })
    await undo(answer._id)
    expect((await rememberedColumns()).map(row => row.vat_number)).toEqual(['BE0739484052', ''])
  })

  test('that somebody has changed since are not taken back', async () => {
    const { answer } = await take('Name;VAT\nVAT 8;BE0739484052', kind)
    const [customer] = await at.query<{ id: number }>(`select id from customer where name = 'VAT 8'`)
    await at.ask(contract.invoices.savebuyer, at.who.admin, { ...buyerDetails, seq_id: customer?.id ?? 0 })
    expect((await undo(answer._id)).refusal.code).toBe('import.touched')
    expect((await rememberedColumns()).at(-1)).toEqual({ name: 'VAT 8', vat_number: buyerDetails.vat_number })
  })
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

test('customers are found by a code however it is written, and never get a second one that looks equal', async () => {
  const kind = { kind: 'customers' } as const
  const plain = ['LK-01', 'LK-02', 'LÉ 03', 'LK 04']
  await take(['Code;Name', ...plain.map((code, nth) => `${code};Look ${nth}`)].join('\n'), kind)
  const spellings = [
    (text: string) => text.toLowerCase(),
    (text: string) => text.replaceAll(/[!-~]/g, sign => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
    (text: string) => text.normalize('NFD'),
    (text: string) => `\u202a${text}\u202c`,
    (text: string) => [...text].join('\u200b'),
    (text: string) => text.replaceAll(' ', '\u00a0\u2003'),
  ]
  for (const spelt of spellings) {
    const rows = plain.map((code, nth) => `"${spelt(code)}";Look ${nth};Gent`)
    const { answer } = await take(['Code;Name;City', ...rows].join('\n'), kind)
    expect(answer).toMatchObject({ added: 0, refused: 0 })
  }
  // and within a file
  const twice = await take('Code;Name\nLK-05;Look 5\nＬＫ－０５;Look 6', { ...kind, rows: 'good' })
  expect(twice.answer).toMatchObject({ added: 1, refused: 1 })
  // without a code by name and postcode, as they look
  await take('Name;PLZ\nLook Seven;10 115', kind)
  expect((await take('Name;PLZ\nＬｏｏｋ\u00a0Seven;１０１１５', kind)).answer).toMatchObject({ added: 0 })
  const codes = await at.query<{ code: string }>(`select code from customer where name like 'Look%' and code <> ''`)
  expect(codes).toHaveLength(5)
  expect(new Set(codes.map(({ code }) => nameKey(code))).size).toBe(5)
})

test('a code that several customers have from before, as it looks, names none of them', async () => {
  await at.query(
    `insert into customer (site_id, code, name) values ($1, 'DUP-1', 'Before'), ($1, 'ＤＵＰ－１', 'Before')`,
    [at.sites.home],
  )
  const { answer } = await check('Code;Name\nDUP-1;Before\nDUP-2;After', { kind: 'customers' })
  expect(answer).toMatchObject({ added: 1, refusals: [{ row: 2, column: 0 }] })
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

describe('odometers', () => {
  const log = (plate: string) =>
    at.query(
      `select o.day::text, o.km, o.source, o.withdrawn_at is not null as withdrawn from odometer o
       join vehicle v on v.site_id = o.site_id and v.id = o.vehicle_id where v.license_plate = $1 order by o.day, o.km`,
      [plate],
    )

  test('readings go into the log of their vehicle once, and are taken back whole', async () => {
    await at.addVehicle({ plate: '1ODO001' })
    await at.addVehicle({ plate: '1ODO002' })
    const file = `Kenteken;Kilometerstand;Datum\n1-ODO-001;54600 km;12/11/2026\n1-ODO-001;51000;01/10/2026\n1-ODO-002;8100;\n`
    expect((await check(file, { kind: 'odometers' })).answer).toMatchObject({ added: 3, refused: 0 })
    expect(await log('1ODO001')).toEqual([])
    const { answer } = await take(file, { kind: 'odometers', name: 'km.csv' })
    expect(answer).toMatchObject({ added: 3, refused: 0 })
    expect(await log('1ODO001')).toEqual([
      { day: '2026-10-01', km: 51_000, source: 'import', withdrawn: false },
      { day: '2026-11-12', km: 54_600, source: 'import', withdrawn: false },
    ])
    // without a day it is of today
    expect(await log('1ODO002')).toMatchObject([{ day: '2026-11-24', km: 8100 }])
    expect((await take(file, { kind: 'odometers' })).answer).toMatchObject({ added: 0, unchanged: 3 })
    expect((await undo(answer._id)).status).toBe(200)
    expect((await log('1ODO001')).map(({ withdrawn }) => withdrawn)).toEqual([true, true])
  })

  test('one that contradicts another, lies ahead, or is of no vehicle is refused and says why', async () => {
    await at.addVehicle({ plate: '1ODO003' })
    const file = `plate,odometer,date\n1ODO003,60000,2026-11-01\n1ODO003,59000,2026-11-10\n1ODO003,61000,2027-01-01\n9NOONE9,1,2026-11-01\n`
    const { answer } = await check(file, { kind: 'odometers' })
    expect(answer).toMatchObject({ added: 1, refused: 3 })
    expect(answer.refusals.map(({ reason }) => reason)).toEqual([
      '59,000 km contradicts 60,000 km on 01/11/2026',
      '01/01/2027 is a day that is still to come',
      'no vehicle has the plate 9NOONE9: import the vehicles first',
    ])
  })
})
