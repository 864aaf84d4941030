import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { fleet } from '#contract/fleet.ts'
import { importFile, type Import } from './import.ts'
import { ImportRefused } from '../features/imports/import.refused.ts'
import { importRows as importInto, type Outcome } from '../features/imports/import.ts'
import { sheetRows } from '../features/imports/import.file.ts'
import { matchSheet } from '../features/imports/matching.ts'
import { parseSheet } from '../features/imports/sheet.parse.ts'
import { saveCustomers } from '../features/imports/import.sql.ts'
import type { Tx } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { int } from '../db/types.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let dir: string
beforeAll(async () => {
  at = await world()
  dir = await mkdtemp(path.join(os.tmpdir(), 'wheelhouse-import-'))
})
afterAll(async () => {
  await at.close()
  await rm(dir, { recursive: true })
})

/** Rows of customers that this transaction has read. */
const customersRead = statement({
  name: 'test.customersRead',
  row: { rows: int },
  sql: `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'customer'`,
})
const silent = { rowRefused: () => {}, rowAdjusted: () => {}, remark: () => {}, progress: () => {} }

let files = 0
async function write(content: string | Buffer): Promise<string> {
  const file = path.join(dir, `${++files}.csv`)
  await writeFile(file, content)
  return file
}

type Result = { outcome: Outcome; refused: [number, string][]; adjusted: [number, string][]; remarks: string[] }

async function importRows(
  kind: Import['kind'],
  content: string | Buffer,
  options: Partial<Import> = {},
): Promise<Result> {
  const result: Omit<Result, 'outcome'> = { refused: [], adjusted: [], remarks: [] }
  const outcome = await importFile(
    at.database,
    {
      kind,
      file: await write(content),
      site: 'home',
      ...(kind === 'vehicles' ? { customer: at.customers.a } : {}),
      now: new Date('2026-11-20T10:00:00Z'),
      ...options,
    },
    {
      rowRefused: (line, reason) => result.refused.push([line, reason]),
      rowAdjusted: (line, text) => result.adjusted.push([line, text]),
      remark: text => result.remarks.push(text),
      progress: () => {},
    },
  )
  return { outcome, ...result }
}

const counts = (added: number, changed: number, unchanged: number, refused: number): Outcome => ({
  row_count: added + changed + unchanged + refused,
  added,
  changed,
  unchanged,
  refused,
})

const vehicle = async (plate: string) =>
  at.query(
    `select v.license_plate, v.type, v.brand, v.description, v.number, v.chassis_number, v.driver_name, v.driver_mobile,
       v.driver_telephone, v.driver_email, g.description as configuration, v.customer_id, v.removed_at is not null as removed
     from vehicle v left join vehicle_config g on g.site_id = v.site_id and g.id = v.config_id
     where v.license_plate = $1 order by v.id`,
    [plate],
  )

/** Everything that an import may write, to see that nothing has changed. */
const snapshot = async (): Promise<unknown> =>
  at.query(`select (select json_agg(v order by id) from vehicle v) as vehicles, (select json_agg(a order by id) from article a) as articles,
    (select json_agg(c order by site_id, id) from customer c) as customers,
    (select json_agg(g order by site_id, id) from vehicle_config g) as configs, (select count(*) from audit) as audits`)

const customersNamed = (name: string) =>
  at.query('select code, name, company, street, zipcode, city, email from customer where name ilike $1 order by id', [
    name,
  ])

const run = async (...words: string[]) => {
  const env = {
    ...process.env,
    DATABASE_URL: at.adminUrl,
    DATABASE_APP_URL: at.appUrl,
    ALLOW_UNSAFE_DATABASE: '1',
    INIT_CWD: dir,
  }
  const entry = path.join(import.meta.dirname, 'import.ts')
  return promisify(execFile)(process.execPath, [entry, ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

describe('vehicles', () => {
  test('are imported whatever the order of the columns, and matched when the file is imported again', async () => {
    const file = [
      'Brand;Kind;driver name;Wheels;LICENSE_PLATE;description;Axles;number;chassis_number;mobile_no;telephone_no;email',
      'Volvo;personenwagen;Ann;4;1-imp-001;"V60; break";2;12;YV1;0470;09;ann@example.org',
      'DAF;Camion;;6;1-IMP-002;XF;;;;;;',
      'Krone;Oplegger;;;1-IMP-003;SD;;;;;;',
    ].join('\r\n')
    const first = await importRows('vehicles', `\uFEFF${file}\r\n`)
    expect(first.outcome).toEqual(counts(3, 0, 0, 0))
    expect(first.refused).toEqual([])
    expect(first.remarks).toContain('Columns that are not used: Axles.')
    expect(await vehicle('1IMP001')).toEqual([
      {
        license_plate: '1IMP001',
        type: 'car',
        brand: 'Volvo',
        description: 'V60; break',
        number: '12',
        chassis_number: 'YV1',
        driver_name: 'Ann',
        driver_mobile: '0470',
        driver_telephone: '09',
        driver_email: 'ann@example.org',
        configuration: 'Car, 4 wheels',
        customer_id: at.customers.a,
        removed: false,
      },
    ])
    expect(await vehicle('1IMP002')).toMatchObject([{ type: 'truck', configuration: 'Truck 4x2' }])
    expect(await vehicle('1IMP003')).toMatchObject([{ type: 'trailer', configuration: null }])
    expect((await importRows('vehicles', file)).outcome).toEqual(counts(0, 0, 3, 0))
    const { answer } = await at.ask(fleet.fetch, at.who.a, {})
    expect(answer.map(vehicle => vehicle.license_plate)).toEqual(
      expect.arrayContaining(['1IMP001', '1IMP002', '1IMP003']),
    )
  })

  test('are updated where the file differs; a blank cell and a missing column change nothing', async () => {
    await importRows(
      'vehicles',
      'license_plate,kind,brand,description,driver_name,wheels\n1CHG001,van,Ford,Transit,Jan,\n',
    )
    const again = await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1CHG001,van,Ford,,4\n')
    expect(again.outcome).toEqual(counts(0, 1, 0, 0))
    expect(await vehicle('1CHG001')).toMatchObject([
      { description: 'Transit', driver_name: 'Jan', configuration: 'Van, 4 wheels' },
    ])
    await importRows('vehicles', 'license_plate,kind,brand,description,driver_name\n1CHG001,van,Ford,Transit Custom,\n')
    expect(await vehicle('1CHG001')).toMatchObject([{ description: 'Transit Custom', driver_name: 'Jan' }])
  })

  test('keep their configuration: it is set once', async () => {
    await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1CFG001,van,Ford,Transit,4\n')
    expect(
      (await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1CFG001,van,Ford,Transit,6\n'))
        .outcome,
    ).toEqual(counts(0, 0, 1, 0))
    expect(await vehicle('1CFG001')).toMatchObject([{ configuration: 'Van, 4 wheels' }])
  })

  test('get the configuration that vehicles of their kind already have at the site, whatever its name', async () => {
    const bus = configurationTemplates.find(template => template.name === 'Bus, 3 axles')
    const [own] = await at.query<{ id: number }>(
      `insert into vehicle_config (site_id, description, axles) values ($1, 'Reisbus', $2) returning id`,
      [at.sites.home, JSON.stringify(bus?.axles)],
    )
    await at.addVehicle({ plate: '1OLD001', type: 'bus', config: own?.id ?? null })
    await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1BUS001,autocar,VDL,Futura,8\n')
    expect(await vehicle('1BUS001')).toMatchObject([{ configuration: 'Reisbus' }])
  })

  test("get the configuration named in the site's language, else an existing one named in English", async () => {
    await at.query(`update site set language = 'dut' where id = $1`, [at.sites.home])
    try {
      await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1DUT001,trailer,Krone,SD,8\n')
      expect(await vehicle('1DUT001')).toMatchObject([
        { configuration: 'Aanhangwagen met dissel, 2 assen, dubbele wielen' },
      ])
      await at.query(
        `update vehicle_config set description = 'Drawbar trailer, 2 axles, dual wheels'
         where site_id = $1 and description = 'Aanhangwagen met dissel, 2 assen, dubbele wielen'`,
        [at.sites.home],
      )
      await at.query(`update vehicle set removed_at = now() where license_plate = '1DUT001'`)
      await importRows('vehicles', 'license_plate,kind,brand,description,wheels\n1DUT002,trailer,Krone,SD,8\n')
      expect(await vehicle('1DUT002')).toMatchObject([{ configuration: 'Drawbar trailer, 2 axles, dual wheels' }])
    } finally {
      await at.query(`update site set language = 'eng' where id = $1`, [at.sites.home])
    }
  })

  test("get no configuration where the site's own of that name has other axles", async () => {
    await at.query(`insert into vehicle_config (site_id, description, axles) values ($1, 'Truck 8x4', '[]')`, [
      at.sites.home,
    ])
    const { remarks } = await importRows(
      'vehicles',
      'license_plate,kind,brand,description,wheels\n1OWN001,truck,DAF,CF,12\n',
    )
    expect(remarks.join()).toContain('‘Truck 8x4’ has other axles')
    expect(await vehicle('1OWN001')).toMatchObject([{ configuration: null }])
  })

  test('of another customer or site, and removed ones, are not matched and do not change', async () => {
    await at.addVehicle({ customer: at.customers.b, plate: '1FOR001' })
    await at.addVehicle({ customer: at.customers.other, plate: '1FOR001' })
    const gone = await at.addVehicle({ plate: '1FOR001' })
    await at.query('update vehicle set removed_at = now() where id = $1', [gone])
    expect(
      (await importRows('vehicles', 'license_plate,kind,brand,description\n1FOR001,car,New,Newer\n')).outcome,
    ).toEqual(counts(1, 0, 0, 0))
    expect((await vehicle('1FOR001')).map(({ brand, removed }) => [brand, removed])).toEqual([
      ['Volvo', false],
      ['Volvo', false],
      ['Volvo', true],
      ['New', false],
    ])
  })

  test('of two kinds may have one plate; of one kind the second is refused with the line of the first', async () => {
    const { outcome, refused } = await importRows(
      'vehicles',
      'license_plate,kind,brand,description\n1TWN001,car,A,a\n1TWN001,trailer,B,b\n1-twn-001,auto,C,c\n',
    )
    expect(outcome).toEqual(counts(2, 0, 0, 1))
    expect(refused).toEqual([[4, 'is the same vehicle as line 2']])
  })

  test.each([
    ['--,car,A,a,4,', 'license_plate ‘--’ has no letter and no digit'],
    [',car,A,a,4,', 'license_plate is blank'],
    ['1REF001,,A,a,4,', 'kind is blank'],
    ['1REF001,spaceship,A,a,4,', 'kind ‘spaceship’ is not a known vehicle type'],
    ['1REF001,car,,a,4,', 'brand is blank'],
    ['1REF001,car,A,a,four,', 'wheels ‘four’ is not a whole number from 1 to 99'],
    ['1REF001,car,A,a,0,', 'wheels ‘0’ is not a whole number from 1 to 99'],
    ['1REF001,car,A,a,4,ann', 'email ‘ann’ is not an e-mail address'],
    ['1REF001,car,A,a,4,,b', 'has 7 cells where the header line has 6'],
  ])('%s is refused: %s', async (row, reason) => {
    const { outcome, refused } = await importRows(
      'vehicles',
      `license_plate,kind,brand,description,wheels,email\n${row}\n`,
    )
    expect(outcome).toEqual(counts(0, 0, 0, 1))
    expect(refused).toEqual([[2, reason]])
    expect(await vehicle('1REF001')).toEqual([])
  })

  test.each([
    ['chassis_number', 17],
    ['driver_name', 42],
    ['mobile_no', 25],
    ['telephone_no', 25],
  ])('a %s of more than %i characters is refused, because half of it would be wrong', async (column, limit) => {
    const header = `license_plate,kind,brand,description,${column}`
    const { refused, outcome } = await importRows(
      'vehicles',
      `${header}\n1LNG001,car,A,a,${'x'.repeat(limit + 1)}\n1LNG002,car,A,a,${'x'.repeat(limit)}\n`,
    )
    expect(outcome).toEqual(counts(1, 0, 0, 1))
    expect(refused[0]?.[1]).toMatch(`${limit} is the most`)
    await at.query(`delete from vehicle where license_plate = '1LNG002'`)
  })

  test('a brand or description that is too long is shortened at a word, and reported', async () => {
    const { outcome, adjusted } = await importRows(
      'vehicles',
      `license_plate,kind,brand,description\n1CUT001,car,${'b'.repeat(31)},A description that goes on and on beyond its fifty characters\n`,
    )
    expect(outcome).toEqual(counts(1, 0, 0, 0))
    expect(adjusted).toHaveLength(2)
    expect(await vehicle('1CUT001')).toMatchObject([
      { brand: `${'b'.repeat(29)}…`, description: 'A description that goes on and on beyond its…' },
    ])
  })

  test('a new vehicle without description gets the word for its kind, and it is reported', async () => {
    const { adjusted } = await importRows(
      'vehicles',
      'license_plate,kind,brand,description\n1DES001,Semi-remorque,Krone,\n',
    )
    expect(adjusted).toEqual([[2, 'description is blank: a new vehicle gets its type as description']])
    expect(await vehicle('1DES001')).toMatchObject([{ type: 'trailer', description: 'Semi-remorque' }])
  })

  test('thousands are imported, and each is counted once', async () => {
    const rows = Array.from({ length: 2345 }, (_, nth) => `M${nth},car,Brand ${nth},Model,4`)
    const file = ['license_plate,kind,brand,description,wheels', ...rows].join('\n')
    expect((await importRows('vehicles', file)).outcome).toEqual(counts(2345, 0, 0, 0))
    const changed = file.replaceAll(/Brand (\d*7),/g, 'Other $1,')
    expect((await importRows('vehicles', changed)).outcome).toEqual(counts(0, 234, 2111, 0))
    const [row] = await at.query<{ count: number }>(
      `select count(*)::int from vehicle where license_plate ~ '^M[0-9]+$'`,
    )
    expect(row?.count).toBe(2345)
  })
})

describe('articles', () => {
  const header = 'brand,pattern,dimension,load_index,speed_index,season,ean,fuel_class,wet_class,noise_db'

  test('may have their size in three columns', async () => {
    const file = [
      'brand;width;aspect;rim_diameter;load_index',
      'Parts;205;55;16;91',
      'Parts;205;55;ZR16;91',
      'Parts;215;65;R16C;',
      'Parts;7.50;;16";',
      'Parts;205;55;;',
    ].join('\n')
    const { outcome, refused } = await importRows('articles', file)
    expect(outcome).toEqual(counts(4, 0, 0, 1))
    expect(refused).toHaveLength(1)
    const sizes = await at.query<{ dimension: string }>(
      `select dimension from article where brand = 'Parts' order by id`,
    )
    expect(sizes.map(({ dimension }) => dimension)).toEqual(['205/55R16', '205/55ZR16', '215/65R16C', '7.50R16'])
  })

  test('are imported, matched again, and found by the search', async () => {
    const file = [
      header,
      'Pirelli,Cinturato P7,225/45 R17,91,w,summer,8019227215823,b,A,70',
      'Continental,VanContact,195/75R16C,107/105,R,4-seasons,,,,',
      'Bridgestone,R-Drive 002,315/80R22.5,156/150,L,,,,,',
    ].join('\n')
    expect((await importRows('articles', file)).outcome).toEqual(counts(3, 0, 0, 0))
    expect((await importRows('articles', file)).outcome).toEqual(counts(0, 0, 3, 0))
    const [pirelli, continental] = await at.query(
      `select * from article where brand in ('Pirelli', 'Continental') order by id`,
    )
    expect(pirelli).toMatchObject({
      description: 'Pirelli Cinturato P7 225/45R17 91W',
      width: '225.00',
      aspect: '45.00',
      construction: 'R',
      rim: '17.0',
      load_index: 91,
      load_index_dual: null,
      speed_symbol: 'W',
      season: 'summer',
      ean: '8019227215823',
      fuel_class: 'B',
      wet_class: 'A',
      noise_db: 70,
      unknown: false,
    })
    expect(continental).toMatchObject({ load_index: 107, load_index_dual: 105, season: 'all_season', ean: null })
    for (const [search_value, brand] of [
      ['2254517W', 'Pirelli'],
      ['225451791W*pir', 'Pirelli'],
      ['8019227215823', 'Pirelli'],
      ['19575R16C 107/105R', 'Continental'],
      ['r-drive', 'Bridgestone'],
    ] as const) {
      const { answer } = await at.ask(fleet.searcharticles, at.who.a, { search_value })
      expect(answer.articles.map(article => article.brand)).toContain(brand)
    }
  })

  test('are updated where the file differs, and keep what it does not mention', async () => {
    await importRows('articles', `${header}\nNokian,WR,205/55R16,91,H,winter,6419440166827,,,\n`)
    const again = await importRows(
      'articles',
      'brand,pattern,dimension,load_index,speed_index,noise_db\nNokian,wr,205/55R16,91,H,68\n',
    )
    expect(again.outcome).toEqual(counts(0, 1, 0, 0))
    expect(await at.query(`select pattern, season, ean, noise_db from article where brand = 'Nokian'`)).toEqual([
      { pattern: 'wr', season: 'winter', ean: '6419440166827', noise_db: 68 },
    ])
    const { answer } = await at.ask(fleet.searcharticles, at.who.a, { search_value: '6419440166827' })
    expect(answer.articles).toHaveLength(1)
  })

  test('get load and speed from the size where it contains them', async () => {
    await importRows('articles', 'brand,dimension\nVredestein,205/60 R16 96V XL\n')
    expect(await at.query(`select load_index, speed_symbol from article where brand = 'Vredestein'`)).toEqual([
      { load_index: 96, speed_symbol: 'V' },
    ])
  })

  test('a description that is too long for an index is shortened, and reported', async () => {
    const long = Array.from({ length: 2000 }, (_, nth) => `北${nth}`).join(' ')
    const { outcome, adjusted } = await importRows('articles', `brand,dimension,description\nLang,195/65R15,${long}\n`)
    expect(outcome).toEqual(counts(1, 0, 0, 0))
    expect(adjusted).toHaveLength(1)
    const [article] = await at.query<{ id: number }>(
      `select id from article where brand = 'Lang' and length(description) < 401`,
    )
    const vehicle = await at.addVehicle({})
    const add = (description: string) =>
      at.query(
        `insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, status, status_date)
         select site_id, customer_id, id, $2, '1A', $3, 'at_customer', current_date from vehicle where id = $1`,
        [vehicle, article?.id, description],
      )
    await add(long.slice(0, 400))
    await expect(add(long)).rejects.toThrow(/index row/)
  })

  test('unknown articles of the intake are not matched with those of a file', async () => {
    await at.query(
      `insert into article (site_id, brand, description, dimension, brand_key, unknown) values ($1, 'Barum', 'x', '185/65R15', 'BARUM', true)`,
      [at.sites.home],
    )
    expect((await importRows('articles', 'brand,dimension\nBarum,185/65R15\n')).outcome).toEqual(counts(1, 0, 0, 0))
  })

  test.each([
    [',X,205/55R16,91,V,,,,,', 'brand is blank'],
    ['A,X,,91,V,,,,,', 'dimension is blank'],
    ['A,X,big,91,V,,,,,', 'dimension ‘big’ is not a tyre size'],
    ['A,X,205/55R16,999,V,,,,,', 'load_index ‘999’ is not a load index'],
    ['A,X,385/65R22.5,160/15,K,,,,,', 'load_index ‘160/15’ is not a load index'],
    ['A,X,205/55R16,91,I,,,,,', 'speed_index ‘I’ is not a speed symbol'],
    ['A,X,205/55R16,91,V,autumn,,,,', 'season ‘autumn’ is neither summer, winter, all-season nor snow'],
    ['A,X,205/55R16,91,V,,123,,,', 'ean ‘123’ does not have 8, 12, 13 or 14 digits'],
    ['A,X,205/55R16,91,V,,8019227215824,,,', 'ean ‘8019227215824’ has a wrong check digit'],
    ['A,X,205/55R16,91,V,,,H,,', 'fuel_class ‘H’ is not a class from A to G'],
    ['A,X,205/55R16,91,V,,,,AA,', 'wet_class ‘AA’ is not a class from A to G'],
    ['A,X,205/55R16,91,V,,,,,loud', 'noise_db ‘loud’ is not a whole number from 40 to 100'],
  ])('%s is refused: %s', async (row, reason) => {
    const { outcome, refused } = await importRows('articles', `${header}\n${row}\n`)
    expect(outcome).toEqual(counts(0, 0, 0, 1))
    expect(refused).toEqual([[2, reason]])
  })

  test('an article that occurs twice is refused with the line of the first', async () => {
    const { outcome, refused } = await importRows(
      'articles',
      'brand,pattern,dimension\nToyo,NanoEnergy,175/65R14\nTOYO,nanoenergy,175/65R14\n',
    )
    expect(outcome).toEqual(counts(1, 0, 0, 1))
    expect(refused).toEqual([[3, 'is the same article as line 2']])
  })
})

describe('customers', () => {
  test('are matched by their code, even when they were renamed', async () => {
    const file =
      'code,name,company,street,zipcode,city,email\nK1,Peeters,Peeters BV,Kaai 1,9000,Gent,info@example.org\n'
    expect((await importRows('customers', file)).outcome).toEqual(counts(1, 0, 0, 0))
    expect((await importRows('customers', file)).outcome).toEqual(counts(0, 0, 1, 0))
    expect((await importRows('customers', 'name,code\nPeeters & Zoon,k1\n')).outcome).toEqual(counts(0, 1, 0, 0))
    expect(await customersNamed('Peeters%')).toEqual([
      {
        code: 'k1',
        name: 'Peeters & Zoon',
        company: 'Peeters BV',
        street: 'Kaai 1',
        zipcode: '9000',
        city: 'Gent',
        email: 'info@example.org',
      },
    ])
  })

  test('without a code are matched by name and postcode, and may get a code later', async () => {
    await importRows('customers', 'name,zipcode,city\nDe Smet,1011 AB,Amsterdam\n')
    expect((await importRows('customers', 'name,zipcode,city\nDE SMET,1011ab,Haarlem\n')).outcome).toEqual(
      counts(0, 1, 0, 0),
    )
    expect((await importRows('customers', 'name,zipcode,code\nDe Smet,1011 AB,S1\n')).outcome).toEqual(
      counts(0, 1, 0, 0),
    )
    expect((await importRows('customers', 'name,zipcode,code\nDe Smet,1011 AB,S2\n')).outcome).toEqual(
      counts(1, 0, 0, 0),
    )
    expect((await customersNamed('De Smet')).map(({ code, city }) => [code, city])).toEqual([
      ['S1', 'Haarlem'],
      ['S2', ''],
    ])
  })

  test('that match two are refused, and neither is changed', async () => {
    for (const city of ['Aalst', 'Ath'])
      await at.query(`insert into customer (site_id, name, zipcode, city) values ($1, 'Janssens', '1000', $2)`, [
        at.sites.home,
        city,
      ])
    const { outcome, refused } = await importRows(
      'customers',
      'name,zipcode,city\nOthers,2000,Antwerpen\nJanssens,1000,Brussel\n',
    )
    expect(outcome).toEqual(counts(1, 0, 0, 1))
    expect(refused).toEqual([[3, 'several customers have this name and postcode: give them codes']])
    expect((await customersNamed('Janssens')).map(({ city }) => city)).toEqual(['Aalst', 'Ath'])
  })

  test.each([
    ['x,A\nx,B', 3],
    ['x,Same\n,Same', 3],
    [',Same\nx,Same', 3],
    [',Same\n,same', 3],
  ])('rows about one customer: %j is refused on line %i', async (rows, line) => {
    const { refused } = await importRows('customers', `code,name\n${rows}\n`, { dryRun: true })
    expect(refused).toEqual([[line, 'is the same customer as line 2']])
  })

  test('of the same name with two codes: the first is the customer without one, the other is new', async () => {
    await importRows('customers', 'name,zipcode\nCodeless,1000\n')
    const file = 'code,name,zipcode\nC1,Codeless,1000\nC2,Codeless,1000\n'
    expect((await importRows('customers', file)).outcome).toEqual(counts(1, 1, 0, 0))
    expect((await importRows('customers', file)).outcome).toEqual(counts(0, 0, 2, 0))
    expect((await customersNamed('Codeless')).map(({ code }) => code)).toEqual(['C1', 'C2'])
  })

  test('of a long file are each held against those that were there', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, nth) => `Long ${nth},9000`).join('\n')
    expect((await importRows('customers', `name,zipcode\n${rows(1700)}\n`)).outcome).toEqual(counts(1700, 0, 0, 0))
    expect((await importRows('customers', `name,zipcode\n${rows(1800)}\n`)).outcome).toEqual(counts(100, 0, 1700, 0))
  })

  test('are held against what is known in one statement, which reads as much for many rows as for few', async () => {
    const site = at.sites.home
    /** The cost of importing so many new customers; nothing of it is kept. */
    const costOf = async (rows: number) => {
      const lines = Array.from({ length: rows }, (_, nth) => `New ${nth},9000`)
      const text = Buffer.from(`name,zipcode\n${lines.join('\n')}\n`)
      const sheet = parseSheet(text, { sheet: null, encoding: null })
      const cost = { statements: 0, read: 0 }
      const undone = new Error('undone')
      const work = at.database.transaction({ site }, async tx => {
        const counting: Tx = Object.assign(Object.create(tx) as Tx, {
          rows: (...parameters: Parameters<Tx['rows']>) => {
            if (parameters[0].name === saveCustomers.name) cost.statements++
            return tx.rows(...parameters)
          },
        })
        const before = await tx.one(customersRead, {})
        const request = {
          kind: 'customers',
          site: {
            id: site,
            timeZone: 'Europe/Brussels',
            language: 'eng',
            allowUnknownArticle: false,
            allowProfileDepth: true,
            allowTachometer: true,
          },
          source: sheetRows(sheet, matchSheet('customers', sheet)),
          name: 'new.csv',
          lang: 'eng',
          now: new Date('2026-11-20T10:00:00Z'),
        } as const
        expect(await importInto(counting, request, silent)).toMatchObject(counts(rows, 0, 0, 0))
        cost.read = (await tx.one(customersRead, {})).rows - before.rows
        throw undone
      })
      await expect(work).rejects.toBe(undone)
      return cost
    }
    const customers = Array.from({ length: 300 }, (_, nth) => `Known ${nth},9000`)
    await importRows('customers', `name,zipcode\n${customers.join('\n')}\n`)
    const few = await costOf(500)
    const many = await costOf(20_000)
    expect([few.statements, many.statements]).toEqual([1, 1])
    expect(few.read).toBeGreaterThan(300)
    // PostgreSQL may choose another plan for more rows, of a scan more or less
    expect(many.read).toBeLessThan(few.read * 4)
  })

  test('of the same name with two codes are two customers', async () => {
    expect((await importRows('customers', 'code,name\nT1,Twins\nT2,Twins\n')).outcome).toEqual(counts(2, 0, 0, 0))
  })

  test('of another site are not matched', async () => {
    expect((await importRows('customers', 'name,city\nTransport Gamma,Gent\n')).outcome).toEqual(counts(1, 0, 0, 0))
  })
})

describe('locations', () => {
  const header = 'site_name,zone,rack,shelf,place,capacity,walk'
  const locks = () =>
    at.query(
      `select kind, site_name, path, capacity, walk from location where site_id = $1 and site_name = 'Shed 1' order by path`,
      [at.sites.home],
    )

  test('are imported in any order, with what holds them, and matched when the file is imported again', async () => {
    const file = `${header}\nShed 1,,R,2,1,4,\nShed 1,,R,1,1,4,9\nShed 1,,R,,,,\n`
    expect((await importRows('locations', file, { dryRun: true })).outcome).toEqual(counts(3, 0, 0, 0))
    expect(await locks()).toEqual([])
    expect((await importRows('locations', file)).outcome).toEqual(counts(3, 0, 0, 0))
    expect(await locks()).toEqual([
      { kind: 'site', site_name: 'Shed 1', path: '', capacity: 0, walk: 0 },
      { kind: 'rack', site_name: 'Shed 1', path: 'R', capacity: 0, walk: 0 },
      { kind: 'shelf', site_name: 'Shed 1', path: 'R-1', capacity: 0, walk: 0 },
      { kind: 'place', site_name: 'Shed 1', path: 'R-1-1', capacity: 4, walk: 9 },
      { kind: 'shelf', site_name: 'Shed 1', path: 'R-2', capacity: 0, walk: 0 },
      { kind: 'place', site_name: 'Shed 1', path: 'R-2-1', capacity: 4, walk: 1 },
    ])
    expect((await importRows('locations', file)).outcome).toEqual(counts(0, 0, 3, 0))
    expect((await importRows('locations', 'site_name,rack,shelf,place,capacity\nShed 1,R,1,1,6\n')).outcome).toEqual(
      counts(0, 1, 0, 0),
    )
  })

  test.each([
    [',,R,1,1,4,', 'site_name is blank'],
    ['Shed 1,,R-1,1,1,4,', 'rack ‘R-1’ can’t be the name of a location: it has a dash'],
    ['Shed 1,R,1,,,4,', 'zone ‘R’ exists already, as a rack'],
    ['Shed 1,,R,1,1,10001,', 'capacity ‘10001’ is not a whole number from 0 to 10,000'],
  ])('%s is refused: %s', async (row, reason) => {
    const { outcome, refused } = await importRows('locations', `${header}\n${row}\n`)
    expect(outcome).toEqual(counts(0, 0, 0, 1))
    expect(refused).toEqual([[2, reason]])
  })

  test('are at most 20,000 new ones', async () => {
    const rows = Array.from({ length: 20_000 }, (_, nth) => `Shed 2,,,,${nth},4,`)
    const { outcome, refused } = await importRows('locations', [header, ...rows].join('\n'), { dryRun: true })
    expect(outcome).toEqual(counts(19_999, 0, 0, 1))
    expect(refused).toEqual([[20_001, 'only 20,000 locations are added at once: divide the file']])
  })
})

describe('services', () => {
  const header =
    'name,operation_type,article_number,insertion_method,description_en,description_nl,description_fr,description_de,price'

  test('are imported, matched again by name and type, and updated where the file differs', async () => {
    const file = `${header}\nWash,to_stock,1001,per_tyre,a,b,c,d,2.50\nWash,to_customer,1002,global,a,b,c,d,\n`
    expect((await importRows('services', file)).outcome).toEqual(counts(2, 0, 0, 0))
    expect((await importRows('services', file)).outcome).toEqual(counts(0, 0, 2, 0))
    expect((await importRows('services', 'name,operation_type,price\nwash,recall,4\n')).outcome).toEqual(
      counts(0, 1, 0, 0),
    )
    expect(
      await at.query(
        `select name, article_number, price_excl::float as price from service where site_id = $1 order by article_number`,
        [at.sites.home],
      ),
    ).toEqual([
      { name: 'Wash', article_number: '1001', price: 2.5 },
      { name: 'wash', article_number: '1002', price: 4 },
    ])
  })

  test.each([
    ['New,to_spare,1,global,a,b,c,d,', 'operation_type ‘to_spare’ is neither storage, recall nor disposal'],
    ['New,to_stock,,global,a,b,c,d,', 'article_number is blank'],
    ['New,to_stock,1,global,a,b,c,d,-1', 'price ‘-1’ is not a price in EUR with two decimals'],
  ])('%s is refused: %s', async (row, reason) => {
    const { outcome, refused } = await importRows('services', `${header}\n${row}\n`)
    expect(outcome).toEqual(counts(0, 0, 0, 1))
    expect(refused).toEqual([[2, reason]])
  })
})

describe('accounts', () => {
  test('are imported without a password, invited where messages are sent, and matched again', async () => {
    const file =
      'username,fullname,email,customer,role,language\ncli.ann,Ann,ann@example.org,Garage Alfa,,nl\ncli.desk,Desk,,,admin,\n'
    const { outcome, adjusted } = await importRows('accounts', file, { sendsMail: true })
    expect(outcome).toEqual(counts(2, 0, 0, 0))
    expect(adjusted).toEqual([
      [3, '‘cli.desk’ gets no invitation and has no password yet: set one in the list of accounts'],
    ])
    expect(
      await at.query(
        `select username, type, password, (select kind from mail m where m.account_id = a.id) as mail from account a where username like 'cli.%' order by 1`,
      ),
    ).toEqual([
      { username: 'cli.ann', type: 'user', password: '', mail: 'invitation' },
      { username: 'cli.desk', type: 'admin', password: '', mail: null },
    ])
    expect((await importRows('accounts', file)).outcome).toEqual(counts(0, 0, 2, 0))
    expect((await importRows('accounts', 'username,fullname\nCLI.ann,Anna\n')).outcome).toEqual(counts(0, 1, 0, 0))
    expect((await importRows('accounts', 'username,role\ncli.x,superuser\n')).refused).toEqual([
      [2, 'role ‘superuser’ is neither customer nor administrator'],
    ])
  })
})

describe('a file', () => {
  test('has lines as an editor counts them, with blank lines and cells of several lines', async () => {
    const file =
      'license_plate,kind,brand,description\n\n1LIN001,car,A,"a\nb"\n\n\n1LIN002,x,A,a\n"1LIN003","car","A","two\r\nlines"\n1LIN004,y,B,b'
    const { outcome, refused } = await importRows('vehicles', file)
    expect(outcome).toEqual(counts(2, 0, 0, 2))
    expect(refused.map(([line]) => line)).toEqual([7, 10])
    expect(await vehicle('1LIN003')).toMatchObject([{ description: 'two lines' }])
  })

  test('may come from a spreadsheet: tabs, quotation marks inside, empty columns at the end', async () => {
    const { outcome } = await importRows('articles', 'brand\tpattern\tdimension\t\nFalken\tZE "310"\t205/55R16\t\t\t\n')
    expect(outcome).toEqual(counts(1, 0, 0, 0))
    expect(await at.query(`select pattern from article where brand = 'Falken'`)).toEqual([{ pattern: 'ZE "310"' }])
  })

  test('with nothing below its header has no rows', async () => {
    expect((await importRows('customers', 'name\n')).outcome).toEqual(counts(0, 0, 0, 0))
  })

  const good = 'license_plate,kind,brand,description\n1BAD001,car,A,a\n'
  const long = 'license_plate,kind,brand,description\n'.concat(
    ...Array.from({ length: 3000 }, (_, nth) => `1BAD${nth},car,A,${'a'.repeat(40)}\n`),
  )
  test.each<[string, string | Buffer, Partial<Import>, RegExp]>([
    [
      'without a column it needs',
      'license_plate,brand\nA,B\n',
      {},
      /no column kind\. Its header line says: license_plate, brand/,
    ],
    ['with a column twice', 'license_plate,kind,brand,description,Brand\n', {}, /Brand occurs twice/],
    ['that is empty', '', {}, /empty/],
    [
      'of which one line is in another encoding',
      Buffer.concat([
        Buffer.from(`${good}1BAD002,car,Citroën,C3\n`),
        Buffer.from('1BAD003,car,Citroën,C3\n', 'latin1'),
      ]),
      {},
      /Line 4 has letters in another encoding/,
    ],
    ['with a quotation mark that is never closed', `${long}"1BAD002,car,A,a\n`, {}, /quotation mark/],
    ['that is not there', good, { file: '/nowhere/at/all.csv' }, /cannot be read/],
    ['for a site that is not there', good, { site: 'nowhere' }, /no site nowhere/],
    [
      'for a customer that is not there',
      good,
      { customer: 2_000_000 },
      /no customer 2000000\. Its customers with their ids: npm run manage -- customers --site/,
    ],
  ])('%s cannot be used, and nothing of it is kept', async (_, content, options, reason) => {
    const before = await snapshot()
    const attempt = importRows('vehicles', content, options)
    await expect(attempt).rejects.toThrow(ImportRefused)
    await expect(attempt).rejects.toThrow(reason)
    expect(await snapshot()).toEqual(before)
  })

  test.each<[string, Buffer, Partial<Import>]>([
    ['in Latin-1, which is guessed', Buffer.from('1ENC001,car,Citroën,Été\n', 'latin1'), {}],
    ['in Latin-1, which is said', Buffer.from('1ENC002,car,Citroën,Été\n', 'latin1'), { encoding: 'windows-1252' }],
    ['in UTF-16', Buffer.from('1ENC003,car,Citroën,Été\n', 'utf16le'), {}],
  ])('%s is read, and the report says how', async (_, line, options) => {
    const header = 'license_plate,kind,brand,description\n'
    const wide = line.includes(0)
    const file = Buffer.concat([wide ? Buffer.from(`\uFEFF${header}`, 'utf16le') : Buffer.from(header), line])
    const { outcome, remarks } = await importRows('vehicles', file, options)
    expect(outcome).toEqual(counts(1, 0, 0, 0))
    const plate = /1ENC\d+/.exec(line.toString(wide ? 'utf16le' : 'latin1'))?.[0] ?? ''
    expect(await vehicle(plate)).toMatchObject([{ brand: 'Citroën', description: 'Été' }])
    expect(remarks.some(remark => /read as windows-1252: Citroën, Été/.test(remark))).toBe(!wide && !options.encoding)
  })

  test('for a customer of another site, or for a site that was retired, cannot be used', async () => {
    await expect(importRows('vehicles', good, { customer: at.customers.other })).rejects.toThrow(ImportRefused)
    await at.query(`update site set retired_at = now() where code = 'other'`)
    await expect(importRows('customers', 'name\nA\n', { site: 'other' })).rejects.toThrow(ImportRefused)
    await at.query(`update site set retired_at = null where code = 'other'`)
  })

  test('in a dry run reports what would happen, and nothing is kept', async () => {
    const before = await snapshot()
    const result = await importRows(
      'vehicles',
      'license_plate,kind,brand,description,wheels\n1DRY001,truck,A,a,10\n1DRY002,x,A,a,4\n',
      { dryRun: true },
    )
    expect(result.outcome).toEqual(counts(1, 0, 0, 1))
    expect(result.remarks.join()).toContain('‘Truck 6x4’ is new')
    expect(await snapshot()).toEqual(before)
  })

  test('of which one row makes the database fail is not kept at all, wherever that row is', async () => {
    await at.query(`create function fail_on_row() returns trigger language plpgsql as $$
      begin if new.license_plate = '1FAIL' then raise exception 'no room'; end if; return new; end $$`)
    await at.query('create trigger fail before insert on vehicle for each row execute function fail_on_row()')
    const before = await snapshot()
    for (const nth of [0, 499, 500, 750, 1199]) {
      const rows = Array.from({ length: 1200 }, (_, row) => `${row === nth ? '1FAIL' : `1ROW${row}`},car,A,a,4`)
      await expect(
        importRows('vehicles', ['license_plate,kind,brand,description,wheels', ...rows].join('\n')),
      ).rejects.toThrow('no room')
      expect(await snapshot()).toEqual(before)
    }
    await at.query('drop trigger fail on vehicle')
  })

  test('that is imported several times at once creates each customer once', async () => {
    const file = 'name,zipcode\nTwice Tyres,9000\nTwice Wheels,9000'
    const all = await Promise.all([1, 2, 3, 4].map(() => importRows('customers', file)))
    expect(all.map(({ outcome }) => outcome.added).toSorted()).toEqual([0, 0, 0, 2])
    expect(await at.query(`select name from customer where name like 'Twice %' order by 1`)).toEqual([
      { name: 'Twice Tyres' },
      { name: 'Twice Wheels' },
    ])
  })

  test('leaves a record of its outcome', async () => {
    await importRows('customers', 'name\nRecorded\n')
    expect(await at.query(`select site_id, action, facts from audit order by id desc limit 1`)).toEqual([
      {
        site_id: at.sites.home,
        action: 'import.customers',
        facts: { file: `${files}.csv`, rows: 1, added: 1, changed: 0, unchanged: 0, refused: 0 },
      },
    ])
  })
})

describe('the command', () => {
  test('lists the refused rows, counts all, and exits with code 0', async () => {
    const file = await write('license_plate,kind,brand,description\n1CMD001,car,A,a\n1CMD002,x,A,a\n')
    const { code, stdout } = await run(
      'vehicles',
      path.basename(file),
      '--site',
      'home',
      '--customer',
      String(at.customers.a),
    )
    expect(stdout).toBe(
      'line 3 refused: kind ‘x’ is not a known vehicle type\n2 rows: 1 added, 0 changed, 0 unchanged, 1 refused\n',
    )
    expect(code).toBe(0)
    expect(await vehicle('1CMD001')).toHaveLength(1)
  })

  test('says that a dry run kept nothing', async () => {
    const { code, stdout } = await run('customers', await write('name\nDry\n'), '--site', 'home', '--dry-run')
    expect(stdout).toBe('1 rows: 1 added, 0 changed, 0 unchanged, 0 refused\nDry run: nothing was saved.\n')
    expect(code).toBe(0)
    expect(await at.query(`select from customer where name = 'Dry'`)).toEqual([])
  })

  test('prints its usage', async () => {
    const { code, stdout } = await run('--help')
    expect([code, stdout]).toEqual([0, expect.stringContaining('--dry-run')])
  })

  test.each([
    [[], 'npm run import'],
    [['wheels', 'x.csv', '--site', 'home'], 'npm run import'],
    [['customers', 'x.csv'], '--site CODE'],
    [['vehicles', 'x.csv', '--site', 'home', '--customer', 'abc'], '--customer is the id of a customer'],
    [['customers', 'x.csv', '--site', 'home', '--customer', '1'], 'with vehicles only'],
    [['customers', 'x.csv', '--site', 'home', '--colour'], '--colour'],
    [['customers', 'x.csv', '--site', 'home'], 'There is no file'],
  ])('%j is refused with exit code 1 and a sentence', async (words, sentence) => {
    const { code, stderr, stdout } = await run(...words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })
})

test('vehicles whose rows name their customer need none beside the file; a row without one is refused', async () => {
  const file = await write(
    'license_plate,kind,brand,description,customer\n1ROWN01,car,Volvo,V60,Lease Beta\n1ROWN02,car,Volvo,V60,\n',
  )
  const { code, stdout } = await run('vehicles', file, '--site', 'home')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^line 3 refused: /m)
  expect(stdout).toContain('2 rows: 1 added, 0 changed, 0 unchanged, 1 refused')
  expect(await vehicle('1ROWN01')).toMatchObject([{ customer_id: at.customers.b }])
})

test('a file that is not there is said before a database is opened', async () => {
  const { code, stderr } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, 'import.ts'), 'vehicles', 'nowhere.csv', '--site', 'home'],
    { env: { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere', INIT_CWD: dir } },
  ).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  )
  expect([code, stderr]).toEqual([1, `There is no file ${path.join(dir, 'nowhere.csv')}.\n`])
})
