/**
 * Who may do what to whose rows, tried out: every call × principal × whose ids × mode (QUALITY 1), every id in a body
 * exchanged for a foreign one (2), fields nobody may set (3), and row-level security alone (4). A leak is a word of
 * somebody else's in an answer, or a changed row of theirs. A call without a row here does not compile.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hotelModes, isHotel, modes, type Mode } from '#domain/site.ts'
import type { Call } from '#contract/call.ts'
import { calls, type Contract } from '#contract/index.ts'
import type { Context, Who } from './handler.ts'
import { Json } from './db.ts'
import { handlers } from './handlers.ts'
import { findSite } from './sites.ts'
import { answered } from './testing/answers.ts'
import { world, type Principal, type Reply, type World } from './testing/world.ts'

/** Rows of one owner, each with a word that stands nowhere else. */
type Owned = {
  customer: number
  site: number
  vehicle: number
  /** At the customer: may be stored. */
  home: number[]
  /** In stock: may be recalled. */
  stored: number[]
  pending: number
  submitted: number
  service: number
  transport: number
  report: number
  article: number
  document: number
  account: number
  /** A text of the dictionary, which belongs to no site. */
  translation: number
  /** A branch of the warehouse that holds nothing, and a place in it. */
  branch: number
  place: number
  /** A site of nobody's, that may go. */
  spare: number
  /** Of the site: a vehicle configuration that no vehicle has, and the number of a label report that may go. */
  config: number
  spareReport: number
  words: string[]
}
type Owner = 'a' | 'b' | 'other'

type Row = {
  /** A body that is right for the owner of these rows. */
  body: (of: Owned) => unknown
  /** Which ids of an owner it names; none: it answers the caller's own rows whatever is asked. */
  names: readonly (keyof Owned)[]
  /** What is left of a GET's path. */
  path?: (of: Owned) => string
}

/** A description in every language. */
const said = (text: string) => ({
  description_nl: text,
  description_fr: text,
  description_en: text,
  description_de: text,
})

const period = () => ({ startDate: '2020-01-01', endDate: '2099-12-31' })
const none = () => ({})

const rows: { [F in keyof Contract]: { [C in keyof Contract[F]]: Row } } = {
  users: {
    authenticate: { body: () => ({ username: 'customer-a', password: 'not the one' }), names: [] },
    loginstate: { body: none, names: [] },
    logout: { body: none, names: [] },
    language: { body: () => ({ lang: 'eng' }), names: [] },
    password: { body: () => ({ password: 'not the one', wanted: 'another one that is long' }), names: [] },
  },
  site: {
    gsc: { body: none, names: [] },
    tsconfigdata: { body: none, names: [] },
    getvehicleconfigs: { body: none, names: [] },
  },
  hotelconfig: {
    adminconfig: { body: of => ({ id: of.site }), names: ['site'] },
    edit: {
      body: of => ({
        _id: of.site,
        name: 'Edited',
        adminEmail: 'desk@example.org',
        lang: 'eng',
        time_zone: 'Europe/Brussels',
        allowUnknownArticle: false,
        unknownWinterArticleId: null,
        unknownSummerArticleId: null,
        unknownAllSeasonArticleId: null,
        unknownSnowArticleId: of.article,
        allowDetailedStockReport: true,
        allowProfileDepth: true,
        allowTachometer: true,
        showTyresOnVehicle: true,
        showTyresAtCustomer: true,
        showWasteTyres: true,
        invoicing_quantity: 'per_set',
        invoicing_mode: 'per_period',
        invoicing_period: 180,
        invoicing_article_id: null,
        invoicing_document_type: 'reservation',
        autoProcessIntakeOnFullScan: false,
        doDocInsert: false,
        docInsertType: 'worknote',
        docInsertExceptions: [],
        transportMethods: [
          {
            _id: of.transport,
            name: 'Own van',
            code: 'VAN',
            default: true,
            ...said('v'),
            operationDays: [2, 3, 4, 5],
            advanceDays: 1,
            cutoffHour: null,
            operationsPerDay: 0,
            tyresPerDay: 0,
          },
        ],
        services: [
          {
            _id: of.service,
            icon: null,
            name: 'Washing',
            operation_type: 'to_stock',
            article_number: '100',
            article_insertion_method: 'per_tyre',
            preselected: false,
            blocked: false,
            ...said('w'),
            price_excl: 0,
          },
        ],
      }),
      names: ['site'],
    },
    editconfigimage: { body: of => ({ id: of.site }), names: ['site'] },
    getall: { body: none, names: [] },
    new: {
      body: () => ({ name: 'New', webstreamAccount: 'W', adminEmail: 'new@example.org', urls: ['new.example.org'] }),
      names: [],
    },
    // as text, so that a list of ids is not taken for its first one: what is retired here stays so
    delete: { body: of => ({ _id: String(of.spare) }), names: ['spare'] },
    admins: { body: of => ({ id: of.site }), names: ['site'] },
    newadmin: {
      body: of => ({ id: of.site, username: `admin-${Math.random().toString(36).slice(2)}`, password: 'long enough' }),
      names: ['site'],
    },
  },
  vehicleConfigs: {
    all: { body: none, names: [] },
    save: { body: of => ({ _id: of.config, description: `Edited ${String(of.config)}` }), names: ['config'] },
    remove: { body: of => ({ _id: of.config }), names: ['config'] },
  },
  labelReports: {
    all: { body: none, names: [] },
    save: {
      body: of => ({
        rpt_number: of.spareReport,
        rpt_name: `Edited ${String(of.spareReport)}`,
        rpt_layout: 'roll_57x32',
      }),
      names: ['spareReport'],
    },
    remove: { body: of => ({ rpt_number: of.spareReport }), names: ['spareReport'] },
  },
  fleet: {
    fetch: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    vehicle: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    new: {
      body: of => ({
        vehicleData: {
          license_plate: `N${Math.random().toString(36).slice(2, 10)}`,
          brand: 'Volvo',
          description: 'V60',
          type: 'car',
          configuration: 'Car',
        },
        seq_id: of.customer,
      }),
      names: ['customer'],
    },
    update: { body: of => ({ vehicle: { flt_id: of.vehicle, brand: 'Saab' } }), names: ['vehicle'] },
    inactivate: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    history: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    historydocument: { body: of => ({ db_id: of.document, doctype: 'worknote' }), names: ['document'] },
    searcharticles: { body: () => ({ search_value: '2055516H' }), names: [] },
    findcustomerbyname: { body: () => ({ string: 'owner' }), names: [] },
    getTyreLabels: { body: of => ({ tyres: of.home, report_id: of.report }), names: ['home'] },
  },
  tyres: {
    add: {
      body: of => ({ flt_id: of.vehicle, tyre_set: 'spare', tyres: [{ position: '1A', art_id: of.article }] }),
      names: ['vehicle'],
    },
    changeset: { body: of => ({ tyres: of.home, tyre_set: 'other name' }), names: ['home'] },
    remove: { body: of => ({ tyres: of.home }), names: ['home'] },
    measure: {
      body: of => ({
        readings: of.home.map(tyre => ({ db_id: tyre, profile_depth: 2.5, profile_date: '2026-11-01' })),
        deeper: true,
      }),
      names: ['home'],
    },
    events: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    recentstocklocations: { body: of => ({ tyreIds: of.stored }), names: ['stored'] },
  },
  operations: {
    new: {
      body: of => ({ operation: { flt_id: of.vehicle, tyres: of.home, operationType: 'to_stock' } }),
      names: ['vehicle', 'home'],
    },
    update: {
      body: of => ({ operation: { _id: of.pending, remarks: 'seen', services: [of.service] } }),
      names: ['pending'],
    },
    delete: { body: of => ({ operation: { _id: of.pending } }), names: ['pending'] },
    fetch: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    bookedtransportdays: { body: of => ({ transportMethod: of.transport }), names: ['transport'] },
    completedbydate: {
      body: of => ({ startDate: '2026-01-01', endDate: '2026-12-31', seq_id: of.customer }),
      names: ['customer'],
    },
    admin: { body: () => ({ status: 'submitted' }), names: [] },
    adminopsbydate: { body: period, names: [] },
    adminopsbydate_light: { body: period, names: [] },
    cancel: { body: of => ({ operation: { _id: of.submitted } }), names: ['submitted'] },
    confirm: { body: of => ({ operation: { _id: of.submitted }, anyway: true }), names: ['submitted'] },
    markscan: { body: of => ({ operation: { _id: of.submitted } }), names: ['submitted'] },
  },
  invoicing: {
    customers: { body: () => ({ days: 0 }), names: [] },
    tyres: { body: of => ({ seq_id: of.customer, days: 0 }), names: ['customer'] },
    preview: { body: of => ({ tyres: of.stored, seq_id: of.customer }), names: ['stored', 'customer'] },
    inject: { body: of => ({ tyres: of.stored, seq_id: of.customer }), names: ['stored', 'customer'] },
    markinvoiced: { body: of => ({ tyres: of.stored, date: '2026-11-01' }), names: ['stored'] },
    unmarkinvoiced: { body: of => ({ tyreIds: of.stored }), names: ['stored'] },
    documents: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
  },
  customers: {
    list: { body: () => ({ search: 'o' }), names: [] },
    customer: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    save: { body: of => ({ seq_id: of.customer, city: 'Brugge' }), names: ['customer'] },
    accounts: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    saveaccount: {
      body: of => ({ _id: of.account, seq_id: of.customer, type: 'user', fullname: 'Jo' }),
      names: ['account', 'customer'],
    },
    setdisabled: { body: of => ({ _id: of.account, disabled: true }), names: ['account'] },
    resetpassword: { body: of => ({ _id: of.account }), names: ['account'] },
    export: { body: none, names: [] },
    import: { body: () => ({ csv: 'name\nNobody\n', dryRun: true }), names: [] },
  },
  locations: {
    all: { body: none, names: [] },
    tyres: { body: of => ({ _id: of.branch }), names: ['branch'] },
    make: {
      body: of => ({ parent: of.branch, levels: [{ kind: 'rack', pattern: '7 to 8' }], capacity: 4 }),
      names: ['branch'],
    },
    edit: { body: of => ({ _id: of.branch, capacity: 5 }), names: ['branch'] },
    remove: { body: of => ({ _id: of.branch }), names: ['branch'] },
    move: { body: of => ({ tyres: of.stored, location: of.place }), names: ['stored', 'place'] },
    plan: { body: of => ({ operation: of.submitted }), names: ['submitted'] },
    labels: { body: of => ({ locations: [of.place], report_id: of.report }), names: ['place'] },
  },
  people: {
    driver: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    erasedriver: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    account: { body: of => ({ _id: of.account }), names: ['account'] },
    eraseaccount: { body: of => ({ _id: of.account }), names: ['account'] },
  },
  audit: {
    list: { body: of => ({ search: 'vehicle', seq_id: of.customer }), names: [] },
    people: { body: none, names: [] },
    export: { body: of => ({ seq_id: of.customer }), names: [] },
  },
  locale: {
    file: { body: none, names: [], path: () => '/locales/en/failures.json' },
    add: { body: none, names: [], path: () => '/locales/add/en/failures' },
    all: { body: none, names: [] },
    shipped: { body: none, names: [] },
    new: {
      body: () => ({ language: 'ger', namespace: 'common', key: 'cancel', value: 'Abbrechen' }),
      names: [],
    },
    update: { body: of => ({ id: of.translation, value: 'Another' }), names: ['translation'] },
    delete: { body: of => ({ id: of.translation }), names: ['translation'] },
    missing: { body: none, names: [] },
    forget: { body: () => ({ texts: [{ language: 'eng', namespace: 'common', key: 'nothing' }] }), names: [] },
    export: { body: () => ({ language: 'eng', form: 'csv' }), names: [] },
    import: { body: () => ({ language: 'eng', text: 'namespace,key,value\n', dryRun: true }), names: [] },
  },
}

const rowOf = (name: string): Row => {
  const [feature = '', entry = ''] = name.split('.')
  const row = (rows as Record<string, Record<string, Row>>)[feature]?.[entry]
  if (!row) throw new Error(`${name} has no row in the matrix`)
  return row
}

let at: World
let revoked: Principal
let tried = 0
let leaks = 0
let shared: Record<'home' | 'other', { service: number; transport: number }>

beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  const one = async (text: string, values: unknown[]): Promise<number> => {
    const [row] = await at.query<{ id: number }>(text, values)
    return row?.id ?? 0
  }
  const service = (site: number) =>
    one(
      `insert into service (site_id, name, operation_type, article_number, article_insertion_method, description_nl, description_fr, description_en, description_de)
       values ($1, 'Washing', 'to_stock', '100', 'per_tyre', 'w', 'w', 'w', 'w') returning id`,
      [site],
    )
  const transport = (site: number) =>
    one(
      `insert into transport_method (site_id, name, code, is_default, description_nl, description_fr, description_en, description_de)
       values ($1, 'Own van', 'VAN', true, 'v', 'v', 'v', 'v') returning id`,
      [site],
    )
  shared = {
    home: { service: await service(at.sites.home), transport: await transport(at.sites.home) },
    other: { service: await service(at.sites.other), transport: await transport(at.sites.other) },
  }
  for (const site of ['home', 'other'] as const)
    await at.setSite(at.sites[site], { invoicing_article: at.articles[site], invoicing_price_excl: 27.5 })
  revoked = { ...at.who.a, name: 'revoked', cookie: 'wheelhouse=' + 'x'.repeat(43) }
})

// what a case made is gone before the next one: answers stay small, and so does the time they take
afterEach(() =>
  at.query(
    `truncate scan, tyre_event, document_line, document_tyre, outbox, document, operation_service, operation_tyre, operation, tyre, vehicle, audit, translation`,
  ),
)

afterAll(async () => {
  await at.close()
  process.stdout.write(`\nAuthorisation matrix: ${tried} cases tried, ${leaks} leaks\n`)
})

let nth = 0
/** Fresh rows of an owner: a call that succeeds must not change what the next one finds. */
async function rowsOf(owner: Owner): Promise<Owned> {
  nth++
  const word = `SECRET${owner.toUpperCase()}${nth}X`
  const customer = at.customers[owner]
  const site = owner === 'other' ? at.sites.other : at.sites.home
  const elsewhere = owner === 'other'
  // in one statement: making these rows is what took most of the time
  const [made] = await at.query<
    Pick<
      Owned,
      | 'vehicle'
      | 'home'
      | 'stored'
      | 'pending'
      | 'submitted'
      | 'document'
      | 'translation'
      | 'spare'
      | 'config'
      | 'account'
      | 'branch'
      | 'place'
    >
  >(
    `with car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, driver_name, type, config_id)
       values ($1, $2, $3, 'Volvo', $3, $3, 'car', $4) returning id),
     wheel as (
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, profile_depth, profile_date)
       select $1, $2, car.id, $5, position, 'Michelin Alpin 6 205/55R16 91H', tyre_set, status, since, 3.33, since
       from car, (values ('home', 'at_customer', $6::date), ('stored', 'in_stock', '2026-01-01'),
           ('busyhome', 'at_customer', $6::date), ('busytoo', 'at_customer', $6::date)) wanted (tyre_set, status, since),
         unnest(array['1A', '1B', '2A', '2B']) position
       returning id, tyre_set),
     work as (
       insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, remarks, submitted_at)
       select $1, $2, car.id, 'to_stock', status, 4, $3, case when status = 'submitted' then now() end
       from car, unnest(array['pending', 'submitted']) status returning id, status),
     held as (
       insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
       select $1, work.id, wheel.id, $2 from work
         join wheel on wheel.tyre_set = case work.status when 'pending' then 'busyhome' else 'busytoo' end),
     paper as (
       insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date)
       select $1, $2, car.id, 'worknote', 'operation', 2026, $7, '2026-11-01' from car returning id),
     text as (
       insert into translation (language, namespace, key, value) values ('eng', 'matrix', 'key' || $7::int, 'Said') returning id),
     spare as (
       insert into site (code, name, admin_email) values ('spare-' || $7::int, 'Spare', 'spare@example.org') returning id),
     config as (
       insert into vehicle_config (site_id, description, axles)
       select site_id, 'Spare ' || $7::int, axles from vehicle_config where id = $4 returning id),
     report as (
       insert into label_report (site_id, number, name, layout) values ($1, 1000 + $7::int, 'Spare ' || $7::int, 'roll_62x100')),
     login as (
       insert into account (site_id, customer_id, username, fullname, type, password) values ($1, $2, $3, $3, 'user', '') returning id),
     branch as (
       insert into location (site_id, kind, name, site_name, path, capacity) values ($1, 'zone', $3, 'Hall', $3, 8) returning id),
     place as (
       insert into location (site_id, parent_id, kind, name, site_name, path, capacity)
       select $1, branch.id, 'place', $3, 'Hall', $3 || '-1', 8 from branch returning id)
     select car.id as vehicle, array(select id from wheel where tyre_set = 'home' order by id) as home,
       array(select id from wheel where tyre_set = 'stored' order by id) as stored,
       (select id from work where status = 'pending') as pending, (select id from work where status = 'submitted') as submitted,
       (select id from paper) as document, (select id from text) as translation, (select id from spare) as spare,
       (select id from config) as config, (select id from login) as account, (select id from branch) as branch,
       (select id from place) as place
     from car`,
    [
      site,
      customer,
      word,
      elsewhere ? at.configs.other : at.configs.home,
      elsewhere ? at.articles.other : at.articles.home,
      at.clock.now.toISOString().slice(0, 10),
      nth,
    ],
  )
  if (!made) throw new Error('no rows were made')
  return {
    ...made,
    customer,
    site,
    spareReport: 1000 + nth,
    ...(elsewhere ? shared.other : shared.home),
    report: 1,
    article: elsewhere ? at.articles.other : at.articles.home,
    words: [word],
  }
}

/** What a customer has, by its customer; what belongs to a site, by its site. */
const owned = {
  customer: [
    'vehicle',
    'tyre',
    'operation',
    'operation_tyre',
    'operation_service',
    'tyre_event',
    'scan',
    'document',
    'document_line',
    'document_tyre',
    'outbox',
    'audit',
    'account',
  ],
  site: [
    'location',
    'location_scan',
    'vehicle_config',
    'label_report',
    'service',
    'transport_method',
    'article',
    'customer',
  ],
} as const

/**
 * Fingerprints of everything that these have, in one statement; another one's calls may not change it. What belongs to the
 * site is the other site's alone: that of the first one is shared by its customers.
 */
async function fingerprints(owners: readonly Owner[]): Promise<string[]> {
  if (owners.length === 0) return []
  const print = (table: string, whose: string): string =>
    `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${table} t where ${whose})`
  const parts = [
    ...owned.customer.map(table => print(table, 'customer_id = asked.customer')),
    ...owned.site.map(table => print(table, 'site_id = asked.site')),
    print('site', 't.id = asked.site'),
  ]
  const rows = await at.query<{ print: string }>(
    `select concat_ws(',', ${parts.join(', ')}) as print
     from unnest($1::int[], $2::int[]) with ordinality as asked(customer, site, nth) order by nth`,
    [
      owners.map(owner => at.customers[owner]),
      // a superuser's calls make and edit sites, and administrators the first one
      owners.map(owner => (owner === 'other' ? at.sites.other : null)),
    ],
  )
  return rows.map(row => row.print)
}
const fingerprint = async (owner: Owner): Promise<string> => (await fingerprints([owner]))[0] ?? ''

const visible: Record<string, readonly Owner[]> = {
  anonymous: [],
  revoked: [],
  superuser: [],
  a: ['a'],
  b: ['b'],
  admin: ['a', 'b'],
  otherUser: ['other'],
  otherAdmin: ['other'],
}
const principals = (): Record<string, Principal> => ({ ...at.who, revoked })
const owners = ['a', 'b', 'other'] as const

async function send(call: Call, row: Row, who: Principal, body: unknown, of: Owned): Promise<Reply<unknown>> {
  tried++
  const path = row.path?.(of) ?? call.path
  if (call.method === 'POST') return at.send(path, who, body)
  const reply = await at.app.inject({
    method: 'GET',
    url: path,
    headers: { host: who.host, ...(who.cookie ? { cookie: who.cookie } : {}) },
  })
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.payload,
    answer: null,
    refusal: JSON.parse(reply.payload || 'null'),
  }
}

/** The refusal that everybody gets who may not call this at all, `null` for whoever may. */
function barred(call: Call, name: string, mode: Mode): { status: number; code: string } | null {
  const who = principals()[name]
  if (call.who === 'anyone' || !who) return null
  if (name === 'anonymous' || name === 'revoked') return { status: 401, code: 'session.missing' }
  if (!who.type || !call.who.includes(who.type)) return { status: 403, code: 'session.forbidden' }
  if (who.type !== 'superuser' && !call.modes.includes(mode)) return { status: 403, code: 'site.mode' }
  return null
}

const withoutRequest = (reply: Reply<unknown>): string =>
  `${reply.status} ${reply.text.replace(/"requestId":"[^"]*"/, '').replace(/"seconds":\d+/, '')}`

function expectNoWord(reply: Reply<unknown>, secret: readonly string[], told: string): void {
  const found = secret.filter(word => reply.text.includes(word))
  if (found.length > 0) leaks++
  expect(found, told).toEqual([])
}

describe.each(modes)('in mode %s', mode => {
  beforeAll(async () => {
    await at.setSite(at.sites.home, { mode })
    await at.setSite(at.sites.other, { mode })
  })

  test.each(calls.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
    const row = rowOf(name)
    let fresh: Record<Owner, Owned> | null = null
    for (const [who, principal] of Object.entries(principals())) {
      // signing out would end the session that the next cases use
      if (name === 'users.logout' && principal.cookie && who !== 'revoked') continue
      const may = visible[who] ?? []
      const strangers = owners.filter(owner => !may.includes(owner))
      // rows serve as long as no call has changed them: making them is what takes most of the time
      fresh ??= { a: await rowsOf('a'), b: await rowsOf('b'), other: await rowsOf('other') }
      const owned: Record<Owner, Owned> = fresh
      const before = await fingerprints(strangers)
      const secret = strangers.flatMap(owner => owned[owner].words)
      const missing: Owned = {
        ...owned.a,
        customer: 2e9,
        vehicle: 2e9,
        home: [2e9],
        stored: [2e9],
        pending: 2e9,
        submitted: 2e9,
        service: 2e9,
        transport: 2e9,
        document: 2e9,
        translation: 2e9,
        site: 2e9,
        spare: 2e9,
        config: 2e9,
        spareReport: 2e9,
        account: 2e9,
        branch: 2e9,
        place: 2e9,
        words: [],
      }
      const refusalOfMissing =
        row.names.length > 0 ? withoutRequest(await send(call, row, principal, row.body(missing), missing)) : ''

      for (const owner of owners) {
        const told = `${name} by ${who} on rows of ${owner} in ${mode}`
        const reply = await send(call, row, principal, row.body(owned[owner]), owned[owner])
        if (reply.status < 400 && call.stales.length > 0) fresh = null
        expect(reply.status, `${told}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
        expectNoWord(reply, secret, told)
        const bar = barred(call, who, mode)
        if (bar) {
          expect([reply.status, reply.refusal.code], told).toEqual([bar.status, bar.code])
        } else if (row.names.length > 0 && strangersOf(principal, owner, may, row)) {
          expect(withoutRequest(reply), `${told} answers as for a missing one`).toBe(refusalOfMissing)
          expect(reply.refusal.code, told).toBe('record.missing')
        } else if (call.who !== 'anyone') {
          expect([401, 403, 404], `${told}: ${reply.text.slice(0, 300)}`).not.toContain(reply.status)
        }
      }

      // most are refused and change nothing: at once
      await Promise.all(
        ['x', -1, 1.5, '1; drop table tyre', null, [2e9, 1], {}, 1e308, true].map(async malformed => {
          const broken: Owned = Object.fromEntries(
            Object.entries(owned.a).map(([key, value]) => [key, Array.isArray(value) ? [malformed] : malformed]),
          ) as unknown as Owned
          const reply = await send(call, row, principal, row.body(broken), owned.a)
          expect(
            reply.status,
            `${name} by ${who} with ${JSON.stringify(malformed)}: ${reply.text.slice(0, 200)}`,
          ).toBeLessThan(500)
          expectNoWord(reply, secret, `${name} by ${who} with a malformed id`)
        }),
      )

      const after = await fingerprints(strangers)
      if (after.join() !== before.join()) leaks++
      expect(after, `${name} by ${who} in ${mode} leaves the rows of ${strangers.join(' and ')}`).toEqual(before)
    }
  })
})

/**
 * Whether the owner's ids mean nothing to this caller. Transport methods belong to the site, not to a customer; sites and
 * the dictionary are all a superuser's.
 */
function strangersOf(who: Principal, owner: Owner, may: readonly Owner[], row: Row): boolean {
  if (row.names.some(name => name === 'site' || name === 'spare' || name === 'translation'))
    return who.type !== 'superuser' && (owner === 'other') !== (who.site === at.sites.other)
  // the warehouse belongs to the site, and so does what it works with
  if (row.names.every(name => ['branch', 'place', 'config', 'spareReport'].includes(name)))
    return (owner === 'other') !== (who.site === at.sites.other)
  if (row.names.includes('transport')) return (owner === 'other') !== (who.site === at.sites.other)
  return !may.includes(owner)
}

describe('every id of a body exchanged for a foreign one', () => {
  beforeAll(async () => {
    for (const site of Object.values(at.sites)) await at.setSite(site, { mode: 'both' })
  })

  test.each(calls.filter(({ name }) => rowOf(name).names.length > 0).map(({ name, call }) => [name, call] as const))(
    '%s',
    async (name, call) => {
      const row = rowOf(name)
      for (const who of ['a', 'admin'] as const) {
        const strangers = who === 'a' ? (['b', 'other'] as const) : (['other'] as const)
        for (const stranger of strangers) {
          const own = await rowsOf('a')
          const foreign = await rowsOf(stranger)
          const body = row.body(own)
          for (const path of numbersIn(body)) {
            const swapped = exchanged(body, path, own, foreign)
            if (!swapped) continue
            const before = await fingerprint(stranger)
            const reply = await send(call, row, at.who[who], swapped, own)
            expect(reply.status).toBeLessThan(500)
            expectNoWord(reply, foreign.words, `${name} by ${who} with the ${path.join('.')} of ${stranger}`)
            const after = await fingerprint(stranger)
            if (after !== before) leaks++
            expect(after).toBe(before)
          }
        }
      }
    },
  )
})

type Path = readonly (string | number)[]

function numbersIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'number') return [path]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    numbersIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function exchanged(body: unknown, path: Path, own: Owned, foreign: Owned): unknown {
  const copy = structuredClone(body) as Record<string | number, unknown>
  let level = copy
  for (const piece of path.slice(0, -1)) level = level[piece] as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  const value = level[last]
  for (const key of Object.keys(own) as (keyof Owned)[]) {
    const mine = own[key]
    const theirs = foreign[key]
    if (mine === theirs) continue
    if (mine === value) level[last] = theirs
    else if (Array.isArray(mine) && Array.isArray(theirs) && mine.includes(value as never))
      level[last] = theirs[mine.indexOf(value as never)]
  }
  return level[last] === value ? null : copy
}

describe('fields that nobody may set', () => {
  const forbidden = {
    site: 2,
    site_id: 2,
    customer: 2,
    customer_id: 2,
    user: { username: 'admin' },
    invoicedAt: ['20200101'],
    invoiced_on: '2020-01-01',
    scanned: ['T'],
    scanned_at: '2020-01-01',
    handledAt: '2020-01-01T00:00:00Z',
    created_at: '2020-01-01T00:00:00Z',
    account_id: 1,
    type: 'to_waste',
    tyre_count: 1,
    open: false,
    removed_at: '2020-01-01T00:00:00Z',
    tyre_status: ['waste'],
    _version: 1,
  }
  const shape = async (of: Owned): Promise<unknown> =>
    at.query(
      `select o.type, o.status, o.customer_id, o.site_id, o.tyre_count, o.handled_at is null as unhandled, o.remarks = $2 as same_remarks,
         (select json_agg(json_build_array(ot.open, ot.scanned_at is null, t.status, t.invoiced_on, t.removed_at, t.customer_id) order by t.id)
          from operation_tyre ot join tyre t on t.id = ot.tyre_id where ot.operation_id = o.id) as tyres,
         (select json_build_array(v.customer_id, v.site_id, v.removed_at) from vehicle v where v.id = o.vehicle_id) as vehicle
       from operation o where o.id = any($1) order by o.id`,
      [[of.pending, of.submitted], of.words[0]],
    )

  test.each(
    calls
      .filter(({ call }) => call.method === 'POST' && call.who !== 'anyone')
      .map(({ name, call }) => [name, call] as const),
  )('%s', async (name, call) => {
    const row = rowOf(name)
    for (const who of ['a', 'admin'] as const) {
      const [plain, injected] = [await rowsOf('a'), await rowsOf('a')]
      await send(call, row, at.who[who], row.body(plain), plain)
      const reply = await send(call, row, at.who[who], inject(row.body(injected)), injected)
      expect(reply.status).toBeLessThan(500)
      expect(await shape(injected), `${name} by ${who}`).toEqual(await shape(plain))
    }
  })

  function inject(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inject)
    if (value === null || typeof value !== 'object') return value
    return { ...forbidden, ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inject(inner)])) }
  }

  test('an account cannot make itself something else', async () => {
    await at.send('/users/language', at.who.a, {
      lang: 'eng',
      type: 'admin',
      customer: at.customers.b,
      site: at.sites.other,
    })
    const [row] = await at.query(`select type, customer_id, site_id from account where id = $1`, [at.who.a.account])
    expect(row).toEqual({ type: 'user', customer_id: at.customers.a, site_id: at.sites.home })
  })
})

/** The depth of every tyre here, not the digits of some moment or number. */
const depthSeen = (text: string): boolean => /(?<![\d:])3\.33(?!\d)/.test(text)

test('while the site hides tread depth, no answer carries one', async () => {
  let carried = 0
  for (const { name, call } of calls) {
    if (name === 'users.logout') continue
    const row = rowOf(name)
    for (const who of ['a', 'admin'] as const) {
      // one of these calls edits the site
      await at.setSite(at.sites.home, { allow_profile_depth: false })
      const of = await rowsOf('a')
      const reply = await send(call, row, at.who[who], row.body(of), of)
      if (/"profile_depth":\[(?!null)/.test(reply.text) || depthSeen(reply.text)) carried++
      expect(depthSeen(reply.text), `${name} by ${who}`).toBe(false)
    }
  }
  leaks += carried
  expect(carried).toBe(0)
  // the control: with depths allowed the same search finds them
  await at.setSite(at.sites.home, { allow_profile_depth: true })
  const of = await rowsOf('a')
  const reply = await at.send('/fleet/vehicle', at.who.a, { flt_id: of.vehicle })
  expect(reply.text).toContain('3.33')
})

/** How often handlers that believe to work for the whole site hand out a stranger's word, with the policies as they are. */
async function leaksOfPolicies(): Promise<{ found: number; changed: number }> {
  let found = 0
  let changed = 0
  const everything: Who = {
    account: at.who.admin.account,
    type: 'admin',
    site: at.sites.home,
    customer: null,
    username: 'admin',
    fullname: '',
    lang: 'eng',
  }
  const site = await findSite(at.database, 'home.test')
  if (!site) throw new Error('no site')
  for (const { name, call } of calls) {
    const row = rowOf(name)
    if (
      call.who === 'anyone' ||
      call.who.includes('superuser') ||
      !call.modes.some(mode => (hotelModes as readonly Mode[]).includes(mode))
    )
      continue
    const [feature = '', entry = ''] = name.split('.')
    const handler = (
      handlers as unknown as Record<string, Record<string, (context: Context<unknown, 'anyone'>) => Promise<unknown>>>
    )[feature]?.[entry]
    for (const stranger of ['b', 'other'] as const) {
      const foreign = await rowsOf(stranger)
      const input = call.input.parse(row.body(foreign))
      tried++
      const before = await fingerprint(stranger)
      const answer = await at.database
        // the transaction is customer A's; the handler is told that it is the administrator's
        .transaction({ site: at.sites.home, customer: at.customers.a }, async tx => {
          const request = {
            id: '',
            address: '',
            site: null,
            page: '',
            session: null,
            keepSession() {},
            forgetSession() {},
            forgetSites() {},
            forgetTexts() {},
            concerns() {},
            etag() {},
          }
          const answered = await handler?.({
            input,
            tx,
            who: everything,
            site,
            now: at.clock.now,
            lang: 'eng',
            request,
          } as Context<unknown, 'anyone'>)
          // of a print, all that would stand on it
          return answered instanceof Json ? answered.text : JSON.stringify(answered)
        })
        .catch((error: Error) => String(error))
      // the racks are the site's, whoever has tyres there, and are named here after one of its customers
      if (['locations.all', 'locations.labels'].includes(name) && stranger === 'b') continue
      if (foreign.words.some(word => String(answer).includes(word))) found++
      // a stranger's rows are neither told nor changed
      if ((await fingerprint(stranger)) !== before) changed++
    }
  }
  return { found, changed }
}

test('row-level security alone keeps customers and sites apart, and the check sees it when it does not', async () => {
  expect(isHotel('both')).toBe(true)
  await at.setSite(at.sites.home, { mode: 'both' })
  const alone = await leaksOfPolicies()
  leaks += alone.found + alone.changed
  expect(alone).toEqual({ found: 0, changed: 0 })
  const guarded = ['customer', ...owned.customer]
  for (const table of guarded) await at.query(`alter table ${table} disable row level security`)
  try {
    const open = await leaksOfPolicies()
    expect(open.found).toBeGreaterThan(0)
    expect(open.changed).toBeGreaterThan(0)
  } finally {
    for (const table of guarded) await at.query(`alter table ${table} enable row level security`)
  }
})

test('the answers of all these calls were held against the API page', () => {
  // these refuse what the matrix sends, such as a wrong password or no picture: tests of their own get their answers
  const refused = [
    'users.authenticate',
    'users.password',
    'hotelconfig.editconfigimage',
    'hotelconfig.new',
    'fleet.inactivate',
    'operations.adminopsbydate',
    'invoicing.preview',
    'invoicing.inject',
  ]
  const unseen = calls.map(({ name }) => name).filter(name => !answered.has(name))
  expect(unseen.filter(name => !refused.includes(name))).toEqual([])
})
