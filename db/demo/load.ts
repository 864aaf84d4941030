/**
 * The demo tyre hotel: two sites, 300 vehicles, 1,500 tyres and two years of what happened to them. Made by code from
 * fixed seeds, with dates relative to the day on which it is loaded: the same moment makes the same rows, but for the
 * salt of the password and the moment of entering them.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { configurationTemplates, defaultAxleWidth } from '#domain/vehicles/axle.ts'
import { demoPassword as password, type Language, type Role } from '#domain/people/account.ts'
import { hashPassword } from '../../src/server/features/session/password.ts'
import { calendarOf, openDay, type Calendar } from './calendar.ts'
import { catalogue, type Article } from './catalogue.ts'
import { chance } from './chance.ts'
import { demoUsernames } from './logins.ts'
import { buildFleet, type Customer, type Vehicle } from './fleet.ts'
import type { Service, Story, Transport } from './hotel.ts'
import { sitePlans, type SitePlan } from './sites.ts'
import { simulateSite } from './story.ts'
import { buildWarehouse, type Warehouse } from './warehouse.ts'

/** Who may sign in, and at which address: a host, to which the portal's port belongs. */
export type DemoLogin = { site: string; address: string; username: string; password: string }

const timeZone = 'Europe/Brussels'

/** The day before the first vehicle came, on which customers and accounts were made. */
const openedAgo = 740

/**
 * Loads the demo in one transaction, as the owner of the tables. The database is migrated and empty; one that holds a site
 * or an account is refused, and left as it is.
 */
export async function loadDemo({ client, now }: { client: pg.Client; now: Date }): Promise<{ logins: DemoLogin[] }> {
  // everybody knows this password: one salt for all accounts makes every start check one hash
  const hash = await hashPassword(password)
  const images = await Promise.all(sitePlans.map(readImages))
  const calendar = calendarOf(now, timeZone)
  const numbers = counters()
  const logins: DemoLogin[] = []

  await client.query('begin')
  try {
    // Row-level security binds an owner without superuser rights like everybody else.
    await client.query(`select set_config('app.scope', 'system', true)`)
    const { rows } = await client.query<{ taken: boolean }>(
      'select exists (select from site) or exists (select from account) as taken',
    )
    if (rows[0]?.taken) throw new Error('The demo goes into an empty database; this one has a site or an account.')
    const opened = calendar.moment(openDay(calendar.ago(openedAgo)), 540)

    const account = (
      username: string,
      fullname: string,
      type: Role,
      language: Language,
      owner: { site: number | null; customer: number | null; warehouse?: true },
    ) => ({
      id: numbers.next('account'),
      site_id: owner.site,
      customer_id: owner.customer,
      username,
      fullname,
      type,
      warehouse_only: owner.warehouse ?? false,
      language,
      password: hash,
      created_at: opened,
    })
    await insert(client, 'account', [
      account('superuser', 'Wheelhouse', 'superuser', 'eng', { site: null, customer: null }),
    ])
    logins.push({ site: '', address: 'localhost', username: 'superuser', password })

    for (const [nth, plan] of sitePlans.entries()) {
      const site = numbers.next('site')
      await client.query(`select set_config('app.site', $1, true)`, [String(site)])
      const hotel = make(plan, numbers, calendar)
      const { customers } = hotel
      const admin = account('admin', plan.admin.fullname, 'admin', plan.language, { site, customer: null })
      const accounts = new Map<Customer, ReturnType<typeof account>>()
      for (const customer of customers) {
        const login = customer.plan.account
        if (login)
          accounts.set(
            customer,
            account(login.username, login.fullname, 'user', login.language, { site, customer: customer.id }),
          )
      }
      const warehouse = account('warehouse', plan.warehouse.fullname, 'admin', plan.language, {
        site,
        customer: null,
        warehouse: true,
      })
      const story = simulateSite({
        plan,
        calendar,
        ...hotel,
        storageArticle: placeholderOf(hotel, null),
        accounts: { admin: admin.id, of: customer => accounts.get(customer)?.id ?? null },
      })
      for (const operation of story.operations) operation.id = numbers.next('operation')

      const atSite = (rows: readonly object[]): object[] => rows.map(row => ({ site_id: site, ...row }))
      await insert(client, 'site', [siteRow(site, plan, hotel)])
      await insert(client, 'site_address', atSite(plan.hosts.map(host => ({ host }))))
      await insert(client, 'image', atSite(images[nth] ?? []))
      await insert(client, 'label_report', atSite(plan.labels.map((label, at) => ({ number: at + 1, ...label }))))
      await insert(client, 'customer', atSite(customers.map((customer, at) => customerRow(customer, at, opened))))
      await insert(client, 'account', [admin, ...accounts.values(), warehouse])
      await insert(client, 'vehicle_config', atSite(hotel.configs))
      await insert(client, 'vehicle', atSite(hotel.vehicles.map(vehicle => vehicleRow(vehicle, hotel, calendar))))
      await insert(
        client,
        'article',
        atSite([...hotel.articles.map(({ id, row }) => ({ id, ...row })), ...hotel.placeholders]),
      )
      await insert(client, 'location', atSite(locationRows(hotel.warehouse)))
      await insert(client, 'transport_method', atSite(hotel.transports.map(transport => transportRow(transport, plan))))
      await insert(client, 'closed_day', atSite([...calendar.closed]))
      await insert(client, 'service', atSite(hotel.services.map(service => serviceRow(service, plan))))
      await insert(client, 'tyre', atSite(tyreRows(hotel, plan)))
      await insert(client, 'operation', atSite(operationRows(story, admin.id)))
      await insert(client, 'operation_tyre', atSite(operationTyreRows(story)))
      await insert(client, 'operation_service', atSite(operationServiceRows(story)))
      await insert(client, 'scan', atSite(scanRows(story, admin.id)))
      // the rows were not entered in the order of life: where each wheel is follows from all of them
      await client.query('delete from wheel where site_id = $1', [site])
      await client.query(
        `insert into wheel (site_id, tyre_id, customer_id, status, state, location_id, since, began)
         select site_id, tyre_id, customer_id, status, state, location_id, since, state from wheel_by_records where site_id = $1`,
        [site],
      )
      await insert(client, 'tyre_event', atSite(eventRows(story)))
      // a tyre that was moved lies on its place since then, not since the day on which it was stored
      await client.query(
        `update wheel w set since = moved.at from (
           select tyre_id, max(at) as at from tyre_event where site_id = $1 and kind = 'moved' group by tyre_id) moved
         where w.site_id = $1 and w.tyre_id = moved.tyre_id and w.state = 'at_place' and w.since < moved.at`,
        [site],
      )
      await insertEndedStays(client, site)
      const documents = story.documents.map(document => ({ id: numbers.next('document'), ...document }))
      await insert(client, 'document', atSite(documents.map(document => documentRow(document, admin.id))))
      await insert(client, 'document_line', atSite(documents.flatMap(documentLineRows)))
      await insert(client, 'storage_ledger', atSite(documents.flatMap(ledgerRows)))
      await insert(client, 'document_counter', atSite(counterRows(story)))
      await insert(client, 'audit', atSite(auditRows(story, admin.id)))
      await settleNews(client, site, calendar.moment(calendar.ago(newsDays), 0))

      const address = plan.hosts.find(host => host !== '*') ?? ''
      for (const username of demoUsernames) logins.push({ site: plan.name, address, username, password })
    }
    for (const [table, last] of numbers.last())
      await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, last])
    // by which `npm start` knows whose logins it may print
    await client.query(`comment on table site is 'demo'`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  // good plans from the first request on, not only when autovacuum has come by
  await client.query('analyze')
  return { logins }
}

/** For how many days what happened is news. */
const newsDays = 14

/** Two years were entered at once and all of it noted as news: real news gets its own moment, and the rest is removed. */
async function settleNews(client: pg.Client, site: number, since: Date): Promise<void> {
  await client.query(
    `update happening h set at = coalesce(d.created_at, o.submitted_at)
     from happening own
       left join operation o on o.site_id = own.site_id and o.id = own.operation_id
       left join document d on d.site_id = own.site_id and d.id = own.document_id
     where h.site_id = $1 and h.kind <> 'measured' and own.site_id = h.site_id and own.id = h.id`,
    [site],
  )
  await client.query(`delete from happening where site_id = $1 and (at < $2 or kind = 'measured')`, [site, since])
}

/** Rows of one table, in one statement. The columns are those of the first row; values are what PostgreSQL reads in JSON. */
async function insert(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).join(', ')
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  )
}

/** Numbers of rows, counted over all sites as the tables' own sequences do. */
function counters(): { next: (table: string) => number; last: () => Iterable<[string, number]> } {
  const last = new Map<string, number>()
  return {
    next(table) {
      const number = (last.get(table) ?? 0) + 1
      last.set(table, number)
      return number
    },
    last: () => last,
  }
}

// Sites -----------------------------------------------------------------------------------------------------------------

type Made = {
  customers: readonly Customer[]
  vehicles: readonly Vehicle[]
  articles: readonly Article[]
  /** The articles of tyres that the catalogue doesn't know, and of storage itself; hidden from the search of tyres. */
  placeholders: readonly { id: number; season: string | null; description: string }[]
  configs: readonly { id: number; description: string }[]
  warehouse: Warehouse
  services: readonly Service[]
  transports: readonly Transport[]
}

function make(plan: SitePlan, numbers: ReturnType<typeof counters>, calendar: Calendar): Made {
  const { words } = plan
  const articles = catalogue().map(article => ({ ...article, id: numbers.next('article') }))
  const placeholder = (description: string, season: string | null) => ({
    id: numbers.next('article'),
    brand: '',
    description,
    season,
    dimension: '',
    pattern: '',
    unknown: true,
    speed_key: '',
    load_key: '',
    brand_key: '',
    words: '',
  })
  return {
    ...buildFleet(
      plan,
      articles,
      {
        customer: () => numbers.next('customer'),
        vehicle: () => numbers.next('vehicle'),
        tyre: () => numbers.next('tyre'),
      },
      calendar,
    ),
    articles,
    placeholders: [
      ...Object.entries(words.unknown).map(([season, description]) => placeholder(description, season)),
      placeholder(words.storage, null),
    ],
    configs: configurationTemplates.map(({ name, axles }) => ({
      id: numbers.next('vehicle_config'),
      description: name,
      source: 'local',
      axle_height: 100,
      axle_width: defaultAxleWidth(axles),
      axles,
    })),
    warehouse: buildWarehouse(plan, () => numbers.next('location'), chance(`warehouse of ${plan.code}`)),
    services: plan.services.map(service => ({ ...service, id: numbers.next('service') })),
    transports: plan.transports.map(transport => ({ ...transport, id: numbers.next('transport_method') })),
  }
}

async function readImages({ code }: SitePlan): Promise<object[]> {
  return Promise.all(
    ['navlogo', 'landinglogo', 'favicon'].map(async kind => {
      const content = await readFile(new URL(`images/${code}-${kind}.png`, import.meta.url))
      const digest = createHash('sha256').update(content).digest('hex')
      return { kind, media_type: 'image/png', digest, content: `\\x${content.toString('hex')}` }
    }),
  )
}

// Rows ------------------------------------------------------------------------------------------------------------------

/** The placeholder of a season, or, of none, the article of storage. */
function placeholderOf({ placeholders }: Made, season: string | null): number {
  const placeholder = placeholders.find(candidate => candidate.season === season)
  if (!placeholder) throw new Error(`no placeholder article for ${season}`)
  return placeholder.id
}

function siteRow(id: number, plan: SitePlan, hotel: Made): object {
  const { rules } = plan
  return {
    id,
    code: plan.code,
    name: plan.name,
    admin_email: plan.email,
    mode: plan.mode,
    language: plan.language,
    time_zone: timeZone,
    account: plan.account,
    default_site_code: plan.defaultSiteCode,
    allow_unknown_article: rules.allowUnknownArticle,
    unknown_winter_article: placeholderOf(hotel, 'winter'),
    unknown_summer_article: placeholderOf(hotel, 'summer'),
    unknown_all_season_article: placeholderOf(hotel, 'all_season'),
    unknown_snow_article: placeholderOf(hotel, 'snow'),
    allow_detailed_stock_report: true,
    allow_profile_depth: true,
    allow_tachometer: rules.allowTachometer,
    show_tyres_on_vehicle: rules.showTyresOnVehicle,
    show_tyres_at_customer: true,
    show_waste_tyres: true,
    invoicing_quantity: rules.invoicing.quantity,
    invoicing_mode: rules.invoicing.mode,
    invoicing_period: rules.invoicing.period,
    invoicing_article: placeholderOf(hotel, null),
    invoicing_price_excl: rules.invoicing.price,
    invoicing_document_type: rules.invoicing.documentType,
    auto_process_intake_on_full_scan: rules.autoProcessIntakeOnFullScan,
    do_doc_insert: true,
    doc_insert_type: rules.docInsertType,
    doc_insert_exceptions: rules.docInsertExceptions,
  }
}

const customerRow = ({ id, plan }: Customer, nth: number, opened: Date): object => ({
  id,
  code: `K${1001 + nth}`,
  name: plan.name,
  company: plan.company,
  street: plan.street,
  zipcode: plan.zipcode,
  city: plan.city,
  email: `${plan.name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.com`,
  created_at: opened,
})

function vehicleRow(vehicle: Vehicle, { configs }: Made, calendar: Calendar): object {
  const { model, driver } = vehicle
  return {
    id: vehicle.id,
    customer_id: vehicle.customer.id,
    license_plate: vehicle.plate,
    number: vehicle.number,
    chassis_number: vehicle.chassis,
    brand: model.brand,
    description: model.description,
    type: model.kind,
    config_id: configs.find(({ description }) => description === vehicle.template)?.id ?? null,
    driver_name: driver.name,
    driver_mobile: driver.mobile,
    driver_telephone: driver.telephone,
    driver_email: driver.email,
    created_at: calendar.moment(openDay(calendar.ago(vehicle.joined)), 440),
  }
}

const locationRows = ({ locations }: Warehouse): object[] =>
  locations.map(({ id, parent, kind, name, siteName, path, walk, capacity }) => ({
    id,
    parent_id: parent,
    kind,
    name,
    site_name: siteName,
    path,
    walk,
    capacity,
  }))

const texts = ({ nl, fr, en, de }: Service['texts']): object => ({
  description_nl: nl,
  description_fr: fr,
  description_en: en,
  description_de: de,
})
const nameAt = ({ language }: SitePlan, { nl, fr }: Service['texts']): string => (language === 'dut' ? nl : fr)

const transportRow = (transport: Transport, plan: SitePlan): object => ({
  id: transport.id,
  name: nameAt(plan, transport.texts),
  code: transport.code,
  is_default: transport.default ?? false,
  ...texts(transport.texts),
  operation_days: transport.days,
  advance_days: transport.advance,
  cutoff_hour: transport.cutoff,
  operations_per_day: transport.operations,
  tyres_per_day: transport.tyres,
})

const serviceRow = (service: Service, plan: SitePlan): object => ({
  id: service.id,
  icon: service.icon,
  name: nameAt(plan, service.texts),
  operation_type: service.type,
  article_number: service.article,
  article_insertion_method: service.method,
  preselected: service.preselected ?? false,
  blocked: service.blocked ?? false,
  ...texts(service.texts),
  price_excl: service.price,
})

function tyreRows(hotel: Made, plan: SitePlan): object[] {
  return hotel.vehicles.flatMap(vehicle =>
    vehicle.groups.flatMap(({ tyres }) =>
      tyres.map(tyre => {
        if (!tyre.status) throw new Error(`${plan.name}: tyre ${tyre.id} has no history`)
        return {
          id: tyre.id,
          customer_id: vehicle.customer.id,
          vehicle_id: vehicle.id,
          article_id: tyre.unknownAs ? placeholderOf(hotel, tyre.season) : tyre.article.id,
          position: tyre.position,
          description: tyre.unknownAs ?? tyre.article.description,
          memo: tyre.memo,
          tyre_set: tyre.setName,
          status: tyre.status,
          status_date: tyre.statusDate,
          profile_depth: tyre.profileDepth,
          profile_date: tyre.profileDate,
          profile_tacho: tyre.profileTacho,
          location_id: tyre.place?.id ?? null,
          rims: tyre.rims,
          bolts: tyre.bolts,
          hubcaps: tyre.hubcaps,
          invoiced_on: tyre.invoicedOn,
          unknown_article: tyre.unknownAs !== null,
        }
      }),
    ),
  )
}

const operationRows = ({ operations }: Story, admin: number): object[] =>
  operations.map(operation => ({
    id: operation.id,
    customer_id: operation.vehicle.customer.id,
    vehicle_id: operation.vehicle.id,
    account_id: operation.account,
    type: operation.type,
    status: operation.status,
    tyre_count: operation.tyres.length,
    transport_id: operation.transport?.id ?? null,
    delivery_date: operation.deliveryDate,
    remarks: operation.remarks,
    with_rims: operation.rims,
    with_bolts: operation.bolts,
    with_hubcaps: operation.hubcaps,
    tachometer: operation.tachometer,
    created_at: operation.created,
    submitted_at: operation.submitted,
    updated_at: operation.updated,
    handled_at: operation.handled,
    handled_by: operation.handled && admin,
  }))

/** Who submitted an operation and who handled it, as the portal notes it. */
const auditRows = ({ operations }: Story, admin: number): object[] =>
  operations
    .flatMap(({ id, vehicle, account, status, submitted, handled }) => {
      const note = (at: Date, by: number, step: string) => ({
        customer_id: vehicle.customer.id,
        account_id: by,
        at,
        action: `operation.${step}`,
        subject: `operation ${id}`,
        facts: {},
      })
      return [
        ...(submitted ? [note(submitted, account, 'submit')] : []),
        ...(handled ? [note(handled, admin, status === 'confirmed' ? 'confirm' : 'cancel')] : []),
      ]
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())

const operationTyreRows = ({ operations }: Story): object[] =>
  operations.flatMap(operation =>
    operation.tyres.map(tyre => {
      const scans = operation.scans.filter(scan => scan.tyre === tyre)
      return {
        operation_id: operation.id,
        tyre_id: tyre.id,
        customer_id: operation.vehicle.customer.id,
        open: operation.handled === null,
        scanned_at: scans[0]?.at ?? null,
        scan_times: scans.length,
      }
    }),
  )

const operationServiceRows = ({ operations }: Story): object[] =>
  operations.flatMap(operation =>
    operation.services.map((service, nth) => ({
      operation_id: operation.id,
      service_id: service.id,
      customer_id: operation.vehicle.customer.id,
      added: nth + 1,
    })),
  )

const scanRows = ({ operations }: Story, admin: number): object[] =>
  operations.flatMap(operation =>
    operation.scans.map(scan => ({
      id: scan.id,
      customer_id: operation.vehicle.customer.id,
      operation_id: operation.id,
      tyre_id: scan.tyre.id,
      account_id: admin,
      scanned_at: scan.at,
      received_at: scan.received,
    })),
  )

/** The stays in the store that have ended, by the events of the tyres, and all of their days as settled: nothing of them is owed. */
async function insertEndedStays(client: pg.Client, site: number): Promise<void> {
  await client.query(
    `with ended as (
       select * from (
         select e.site_id, tyre_id, customer_id, vehicle_id, status, at, (at at time zone s.time_zone)::date as since,
           (lead(at) over (partition by tyre_id order by at, e.id) at time zone s.time_zone)::date as until
         from tyre_event e join site s on s.id = e.site_id where e.site_id = $1 and status is not null) each
       where status = 'in_stock' and until > since
     ), settled as (
       insert into storage_ledger (site_id, tyre_id, customer_id, since, until, at)
       select site_id, tyre_id, customer_id, since, until, at from ended
     )
     insert into stay (site_id, tyre_id, customer_id, vehicle_id, since, until)
     select site_id, tyre_id, customer_id, vehicle_id, since, until from ended`,
    [site],
  )
  // settled or not is said when the ledger is known
  await client.query('update stay set until = until where site_id = $1 and until is not null', [site])
}

const eventRows = ({ events }: Story): object[] =>
  events.map(event => ({
    tyre_id: event.tyre.id,
    customer_id: event.tyre.vehicle.customer.id,
    vehicle_id: event.tyre.vehicle.id,
    kind: event.kind,
    at: event.at,
    account_id: event.account,
    operation_id: event.operation?.id ?? null,
    status: event.status,
    location_id: event.place,
    depth: event.depth,
    odometer: event.odometer,
    note: event.note,
  }))

type NumberedDocument = Story['documents'][number] & { id: number }

const cents = (amount: number): number => Math.round(amount * 100) / 100

const documentRow = (document: NumberedDocument, admin: number): object => ({
  id: document.id,
  customer_id: document.customer.id,
  vehicle_id: document.vehicle?.id ?? null,
  operation_id: document.operation?.id ?? null,
  type: document.type,
  reason: document.reason,
  year: document.year,
  number: document.number,
  document_date: document.date,
  created_at: document.created,
  created_by: admin,
  amount_excl: cents(
    document.lines.reduce((sum, { quantity, price }) => sum + cents((quantity ?? 0) * (price ?? 0)), 0),
  ),
})

const documentLineRows = (document: NumberedDocument): object[] =>
  document.lines.map((line, nth) => ({
    document_id: document.id,
    line: nth + 1,
    customer_id: document.customer.id,
    article_number: line.article,
    description: line.description,
    quantity: line.quantity,
    price_excl: line.price,
  }))

/** The days that it charges of tyres that are still in the store: those of the stays before are settled as they are. */
const ledgerRows = ({ id, customer, created, charges }: NumberedDocument): object[] =>
  charges
    .filter(({ tyre, since }) => tyre.status === 'in_stock' && since >= tyre.statusDate)
    .map(({ tyre, since, until }) => ({
      document_id: id,
      tyre_id: tyre.id,
      customer_id: customer.id,
      since,
      until,
      at: created,
    }))

/** Documents come in the order of their numbers: the last one of a kind and year has the number given last. */
const counterRows = ({ documents }: Story): object[] => [
  ...new Map(documents.map(({ type, year, number }) => [`${type} ${year}`, { type, year, last: number }])).values(),
]
