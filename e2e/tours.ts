/** Every screen of the portal, by who opens it: for the journeys that look at all of them, and for screenshots. */
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/config.ts'
import { billing } from '#contract/billing.ts'
import { invoices } from '#contract/invoices.ts'
import { invoicing } from '#contract/invoicing.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { receiptPath } from '#domain/texts/paper.ts'
import { type SettingsPage, settingsPages } from '../src/web/searchParams.ts'
import { changeSeasons, seasonChange } from '#domain/season/seasonChange.ts'
import { recommendedLimits } from '#domain/tyres/tread.ts'
import { counts } from '#contract/counts.ts'
import { waves } from '#contract/waves.ts'
import { webhooks } from '#contract/webhooks.ts'
import type { Vehicle } from '#contract/wire.ts'
import { encodeBarcode, encodeCommand, encodeLocation } from '#domain/warehouse/barcode.ts'
import type { Visitor } from './browser.ts'
import { named } from './texts.ts'
import {
  check,
  click,
  fill,
  navigate,
  press,
  pressOnScreen,
  type Step,
  type Stop,
  stop,
  type Tour,
  untuck,
  untuckActions,
  untuckFilters,
} from './tour.ts'
import { sellerDetails } from '../src/server/testing/bodies.ts'
import { camtFile } from '../src/server/testing/statements.ts'
import { whole } from '../src/server/testing/whole.ts'

/** A search in the dialog of new tyres, with an article chosen and placed. */
const addsTyres: Step = async (page, lang) => {
  await page.getByRole('dialog').locator('input[type="search"]').pressSequentially('205/55R16')
  await page
    .getByRole('list', { name: named(lang, 'tyres:add.results') })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('button', { name: named(lang, 'tyres:add.allPositions') }).click()
}

/** A file with a good row and bad ones, and what an import would do with it. */
const importsTyres: Step = async (page, lang) => {
  await page.locator('input[type="file"]').setInputFiles({
    name: 'stock.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Kenteken;Bandenmaat;Merk;Rek;Profiel\n0-NEW-000;205/55 R16 91V;Michelin;A-1;7,5\n0-NEW-001;round;Vredestein;A-1;7,5\n',
    ),
  })
  await page.getByText(named(lang, 'imports:refusedRows')).first().waitFor()
}

/** A bank statement with lines that ask. */
const importsStatement: Step = async (page, lang) => {
  await page.locator('input[type="file"]').setInputFiles({
    name: 'statement.xml',
    mimeType: 'application/xml',
    buffer: camtFile([
      {
        amount: '1250.00',
        payments: [{ payer: 'Transport De Vries', account: 'NL91ABNA0417164300', message: 'F-2026-99999' }],
      },
      { amount: '80.00', currency: 'USD', payments: [{ payer: 'A customer far away' }] },
    ]),
  })
  await page
    .getByRole('button', { name: named(lang, 'payments:bank.assign.which') })
    .first()
    .waitFor()
}

/** A button whose name is the beginning of a tab's. */
const pressButton =
  (key: string): Step =>
  (page, lang) =>
    page
      .getByRole('button', { name: named(lang, key) })
      .first()
      .click()

/** Results for a single letter. */
const findsAnything: Step = async (page, lang) => {
  const dialog = page.getByRole('dialog', { name: named(lang, 'find:title') })
  await dialog.getByRole('combobox').press('a')
  await dialog.getByText(named(lang, 'find:vehicles')).waitFor()
}

/** A dialog whose code is fetched when it is first opened. */
const opensDialog: Step = page => page.getByRole('dialog').waitFor()

const kinds = ({ tyres }: Vehicle): number => new Set(tyres.map(tyre => tyre.tyre_status)).size

/** The vehicle with tyres of most kinds, some of which can be chosen. */
function richest(vehicles: readonly Vehicle[]): Vehicle {
  const [shown] = vehicles
    .filter(({ configuration, tyres }) => configuration !== null && tyres.some(tyre => tyre.operation === null))
    .toSorted((a, b) => kinds(b) - kinds(a) || b.tyres.length - a.tyres.length)
  if (!shown) throw new Error('the demo has no vehicle with tyres')
  return shown
}

/** Fleet, vehicle and tyres: what everybody has in every mode. */
function fleetStops(vehicles: readonly Vehicle[]): Stop[] {
  const vehicle = `/fleet/vehicle?id=${richest(vehicles).flt_id}`
  const tyres = '/tyres?tab=tyres&status='
  return [
    stop('home', '/'),
    stop('fleet', '/fleet'),
    stop('fleet-more', '/fleet', untuck),
    stop('find', '/fleet', 'nav:find', findsAnything),
    stop('buying', '/buying?to=winter'),
    stop('buying-summer', '/buying?to=summer'),
    stop('left', '/left'),
    stop('notices', '/notices'),
    stop('fleet-nothing-found', '/fleet?filter=nowhere'),
    stop('fleet-filters', '/fleet?season=winter', untuckFilters),
    stop('fleet-new-vehicle', '/fleet', untuck, 'fleet:newVehicle'),
    stop('fleet-new-vehicle-refused', '/fleet', untuck, 'fleet:newVehicle', 'fleet:addVehicle'),
    stop('vehicle', vehicle),
    stop('vehicle-data', `${vehicle}&tab=data`),
    stop('vehicle-history', `${vehicle}&tab=history`),
    stop('vehicle-position', vehicle, click('g[role="button"]')),
    stop('vehicle-depths', vehicle, 'fleet:enterDepths'),
    stop('vehicle-remove', vehicle, press('fleet:remove')),
    stop('vehicle-none', '/fleet/vehicle'),
    stop('tyres', '/tyres'),
    stop('tyres-unfolded', '/tyres', click('tbody[data-set] button[aria-expanded]')),
    stop('tyres-individual', tyres),
    stop('tyres-nothing-found', '/tyres?filter=nowhere'),
    stop('tyres-worn', `${tyres}&verdict=worn`),
    stop('tyres-reaching', `${tyres}&verdict=reaching`),
    stop('tyres-filters', `${tyres}&verdict=worn`, untuckFilters),
    stop('tyre-detail', '/tyres?tab=tyres&status=in_stock', click('tr[data-tyre] button')),
    stop('not-found', '/no/such/page'),
  ]
}

/** A vehicle has a day. */
const isPlanned: Step = page => page.locator('tr[data-state="planned"]').waitFor()

/** The change of season of the fleet: with a vehicle for which nothing comes back, and one for which something does. */
function seasonStops(vehicles: readonly Vehicle[]): Stop[] {
  const judged = { country: null, kind: 'car', date: '2026-11-20', site: recommendedLimits } as const
  const back = changeSeasons
    .flatMap(to =>
      vehicles.map(({ license_plate, tyres }) => ({ to, license_plate, ...seasonChange(tyres, to, judged) })),
    )
    .find(({ ready, returns }) => ready && returns.length > 0)
  return [
    stop('season', '/season'),
    stop('season-nothing-found', '/season?filter=nowhere'),
    stop('season-filters', '/season?to=winter&verdict=missing', untuckFilters),
    stop('season-chosen', '/season?to=winter', check('tr[data-vehicle]')),
    stop('season-views', '/season?to=winter', click('[data-views]')),
    stop('season-plan', '/season?to=winter', check('tr[data-vehicle]'), click('[data-plan]'), isPlanned),
    ...(back
      ? [
          stop(
            'season-plan-back',
            `/season?to=${back.to}&filter=${back.license_plate}`,
            check('tr[data-vehicle]'),
            click('[data-plan]'),
            isPlanned,
            page => page.locator('[data-parts] input').uncheck(),
          ),
        ]
      : []),
  ]
}

/** The further screens of a site with a hotel, for customers and administrators alike. */
async function hotelStops(visitor: Visitor, vehicles: readonly Vehicle[]): Promise<Stop[]> {
  const created = operations.fetch.output.parse(await visitor.call('/operations/fetch', {}))
  const pending = created.find(({ status }) => status === 'pending')?._id
  const submitted = created.find(({ status }) => status === 'submitted')?._id
  const { flt_id } = richest(vehicles)
  const vehicle = `/fleet/vehicle?id=${flt_id}`
  const bare = vehicles.find(({ configuration }) => configuration === null)
  const plates = vehicles.map(vehicle => vehicle.license_plate)
  const twice = plates.find((plate, at) => plates.indexOf(plate) !== at)
  const stored = vehicles.find(
    ({ configuration, tyres }) =>
      configuration !== null && tyres.some(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null),
  )
  const storable = vehicles.find(({ tyres }) =>
    tyres.some(tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null && tyre.tyre_set !== null),
  )
  const selected = check('tr[data-tyre]')
  return [
    stop('vehicle-add-tyres', vehicle, 'fleet:addTyres', addsTyres),
    stop('vehicle-set-name', vehicle, selected, 'fleet:changeSetName'),
    stop('vehicle-labels', vehicle, 'fleet:printLabels'),
    ...(bare ? [stop('vehicle-without-configuration', `/fleet/vehicle?id=${bare.flt_id}`)] : []),
    stop('tyres-selected', '/tyres', check('tbody[data-set]')),
    stop('tyres-delete', '/tyres?tab=tyres&status=at_customer', selected, 'tyres:action.delete'),
    ...seasonStops(vehicles),
    stop('fleet-sets', '/fleet?sets=noWinter'),
    stop('view-menu', '/fleet?season=winter', click('[data-views]')),
    stop('view-keep', '/fleet?season=winter', click('[data-views]'), click('[data-keep-view]'), opensDialog),
    stop('operations-pending', '/operations'),
    stop('operations-delete', '/operations', press('operations:deleteWhich')),
    stop('operations-submitted', '/operations?tab=submitted'),
    stop('operations-completed', '/operations?tab=completed'),
    stop('wizard-plate', '/wizard/step1'),
    stop('wizard-unknown-plate', '/wizard/step1?plate=XYZ999'),
    ...(twice ? [stop('wizard-several', `/wizard/step1?plate=${twice}`)] : []),
    stop('wizard-service', `/wizard/step2?flt_id=${flt_id}`),
    ...(stored
      ? [stop('request', `/fleet/vehicle?id=${stored.flt_id}`, click('[data-request="to_customer"]'), opensDialog)]
      : []),
    ...(storable
      ? [
          stop(
            'request-storage',
            `/fleet/vehicle?id=${storable.flt_id}`,
            click('[data-request="to_stock"]'),
            opensDialog,
          ),
        ]
      : []),
    ...(stored ? [stop('wizard-tyres', `/wizard/step2?flt_id=${stored.flt_id}&type=to_customer`)] : []),
    ...(pending ? [stop('wizard-details', `/wizard/step3?operation=${pending}`)] : []),
    ...(submitted ? [stop('wizard-done', `/wizard/step4?outcome=submitted&operation=${submitted}`)] : []),
    stop('wizard-cancelled', '/wizard/step4?outcome=cancelled'),
  ]
}

const vehiclesOf = async (visitor: Visitor): Promise<Vehicle[]> =>
  fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))

const customersOf = async (visitor: Visitor) =>
  fleet.findcustomerbyname.output.parse(await visitor.call('/fleet/findcustomerbyname', { string: '' }))

/** All tyres in stock, once those that owe nothing are there, too. */
const allInStock: Step = async (page, lang) => {
  const rows = page.locator('main tbody tr')
  const owing = await rows.count()
  await page.getByRole('switch', { name: named(lang, 'invoicing:allInStock') }).check()
  await rows.nth(owing).waitFor()
  await page.getByRole('checkbox', { name: named(lang, 'invoicing:selectAll') }).check()
}

/** Preparations for a tour, by their name and the address of the portal: visitors on the same tour need them only once. */
const done = new Map<string, Promise<number>>()

function onceAt(visitor: Visitor, what: 'wave' | 'settling', work: () => Promise<number>): Promise<number> {
  const key = `${what} ${new URL(visitor.page.url()).origin}`
  const working = done.get(key) ?? work()
  done.set(key, working)
  return working
}

/**
 * Waives one tyre of a customer, and charges two others: all are then on their lists, one of the documents on an invoice. Answers a billing
 * run whose preview is ready.
 */
async function settle(visitor: Visitor, seq_id: number): Promise<number> {
  const tyres = invoicing.tyres.output.parse(await visitor.call('/invoicing/tyres', { seq_id, days: 0 }))
  const owing = tyres.filter(tyre => tyre.owed_days > 0).toReversed()
  // one of each vehicle: a document charges the days of a whole set
  const [waived, charged, another] = [...new Map(owing.map(tyre => [tyre.flt_id, tyre])).values()]
  if (!waived || !charged || !another) throw new Error('the demo has no tyres that owe storage')
  await visitor.call('/invoicing/waive', { tyres: [waived.db_id], seq_id, reason: 'Our mistake' })
  await visitor.call('/invoicing/inject', { tyres: [charged.db_id], seq_id })
  // longer storage is charged when the run counts the debts of its customers
  const rule = { kind: 'overstay', per: 'tyre', after_days: 60, since: '2020-01-01', price_excl: 2.5 }
  await visitor.call('/tariff/add', rule)
  await visitor.call('/invoices/setup', sellerDetails)
  const [open] = invoices.open.output.parse(await visitor.call('/invoices/open', { seq_id }))
  if (open) await visitor.call('/invoices/make', { seq_id, documents: [open.db_id] })
  await visitor.call('/payments/setup', { followed_from: '2020-01-01' })
  await visitor.call('/invoicing/inject', { tyres: [another.db_id], seq_id })
  const input = { covers: 'all', until: new Date().toISOString().slice(0, 10), days: 30, marks: true }
  const { _id } = billing.begin.output.parse(await visitor.call('/billing/begin', input))
  // its customers are there once the preview is ready
  await visitor.page.goto(`/admin/invoicing?tab=runs&run=${_id}`)
  await visitor.page.locator('main tbody tr').first().waitFor()
  return _id
}

/** Charged and current storage of the customer with the most overdue tyres, who has tyres of both kinds. */
async function invoicingStops(visitor: Visitor): Promise<Stop[]> {
  const days = 30
  const [most] = invoicing.customers.output.parse(await visitor.call('/invoicing/customers', { days }))
  if (!most) throw new Error('the demo has no overdue storage')
  const owed = `/admin/invoicing?days=${days}&customer=${most.seq_id}`
  const run = await onceAt(visitor, 'settling', () => settle(visitor, most.seq_id))
  const first = check('tbody')
  return [
    stop('invoicing', '/admin/invoicing'),
    stop('invoicing-nobody', '/admin/invoicing?days=36500'),
    stop('invoicing-customers', `/admin/invoicing?days=${days}`),
    stop('invoicing-tyres', owed),
    stop('invoicing-selected', owed, first),
    stop('invoicing-mark', owed, first, untuckActions, 'invoicing:mark'),
    stop('invoicing-preview', owed, first, 'invoicing:createDocument'),
    stop('invoicing-clear', owed, allInStock, untuckActions, 'invoicing:clear'),
    stop('invoicing-waive', owed, first, untuckActions, pressButton('invoicing:left.waive')),
    stop('invoicing-charges', '/admin/invoicing?tab=charges'),
    stop('invoicing-charges-waive', '/admin/invoicing?tab=charges', first, pressButton('charges:waive')),
    stop('invoicing-runs', '/admin/invoicing?tab=runs'),
    stop('invoicing-run', `/admin/invoicing?tab=runs&run=${run}`),
    stop('invoicing-left', '/admin/invoicing?tab=left'),
    stop('invoicing-waived', '/admin/invoicing?tab=waived'),
    stop('invoicing-take-back', '/admin/invoicing?tab=waived', click('main tbody button')),
    stop('invoicing-documents', '/admin/invoicing?tab=documents'),
    stop('invoicing-invoices', '/admin/invoicing?tab=invoices'),
    stop('invoicing-new-invoice', '/admin/invoicing?tab=invoices', press('invoices:new.title')),
    stop('invoicing-credit-note', '/admin/invoicing?tab=invoices', press('invoices:credit.which')),
    stop('invoicing-payment', '/admin/invoicing?tab=invoices', press('payments:which')),
    stop('invoicing-reminders', '/admin/invoicing?tab=reminders'),
    stop('invoicing-reminder-settings', '/admin/invoicing?tab=reminders', press('reminders:settings.do')),
    stop('invoicing-bank', '/admin/invoicing?tab=bank'),
    stop('invoicing-bank-file', '/admin/invoicing?tab=bank', importsStatement),
    stop('invoicing-bank-assign', '/admin/invoicing?tab=bank', press('payments:bank.assign.which')),
    stop('invoicing-export', '/admin/invoicing?tab=invoices', press('invoices:export.title')),
    stop('invoicing-mapping', '/admin/invoicing?tab=invoices', press('invoices:mapping.title')),
    stop('invoicing-withdraw', '/admin/invoicing?tab=documents', press('invoicing:withdraw.do')),
  ]
}

const submit = click('[role="dialog"] button[type="submit"]')

/** A webhook to look at. It is off: nothing is ever sent. */
async function addWebhook(visitor: Visitor): Promise<void> {
  const { endpoints } = webhooks.list.output.parse(await visitor.call('/webhooks/list', {}))
  if (endpoints.length > 0) return
  const wanted = {
    url: 'https://8.8.8.8/hooks/wheelhouse',
    kinds: ['operation.submitted', 'tyre.received'],
    enabled: false,
  }
  await visitor.call('/webhooks/save', wanted)
}

async function configStops(visitor: Visitor): Promise<Stop[]> {
  await addWebhook(visitor)
  const config = '/admin/config'
  const at = (page: SettingsPage): string => `${config}?page=${page}`
  const [company, services, transport] = [at('company'), at('services'), at('transport')]
  const [vehicles, team, developers] = [at('vehicles'), at('team'), at('developers')]
  const renamed = fill('#site input', 'Another name')
  return [
    stop('config', config),
    stop('config-found', config, fill('main input[type="search"]', 'a')),
    ...settingsPages.map(page => stop(`config-page-${page}`, at(page))),
    stop('config-billing', company, press('invoices:editDetails')),
    stop('config-changed', company, renamed),
    stop('config-new-webhook', developers, 'webhooks:new'),
    stop('config-webhook-log', developers, click('#webhooks tbody button:nth-of-type(2)')),
    stop('config-new-webhook-refused', developers, 'webhooks:new', submit),
    stop(
      'config-new-token',
      developers,
      'tokens:new',
      fill('[role="dialog"] input[data-autofocus]', 'ERP'),
      'tokens:make',
    ),
    stop('config-wrong', company, fill('#site input', ''), 'config:save'),
    stop('config-leave', company, renamed, 'nav:home'),
    stop('config-article', services, press('config:searchArticleFor'), async page => {
      await page.getByRole('dialog').locator('input').fill('205/55R16')
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    }),
    stop('config-transport', transport, click('#transport tbody button')),
    stop('config-transport-new', transport, 'config:addTo.transportMethods', submit),
    stop(
      'config-transport-wrong',
      transport,
      click('#transport tbody button'),
      (page, lang) => page.getByRole('dialog').getByLabel(named(lang, 'config:transport.advanceDays')).fill('500'),
      submit,
    ),
    stop('config-transport-remove', transport, 'config:removeWhich'),
    stop('config-holidays', transport, 'config:closedDays.addHolidays'),
    stop('config-closed-day', transport, 'config:closedDays.addDay'),
    stop('config-service', services, click('#services tbody button')),
    stop(
      'config-service-icons',
      services,
      click('#services tbody button'),
      click('[role="dialog"] button[aria-expanded]'),
    ),
    stop(
      'config-service-drop',
      services,
      'config:addTo.services',
      fill('[role="dialog"] input', 'Washing'),
      press('common:cancel'),
    ),
    stop('config-sign-on', team, 'config:signOn.add'),
    stop('config-sign-on-refused', team, 'config:signOn.add', submit),
    stop('config-vehicle-new', vehicles, 'config:vehicleConfigs.add'),
    stop('config-vehicle-refused', vehicles, 'config:vehicleConfigs.add', submit),
    // what vehicles have: its wheels stay
    stop('config-vehicle', vehicles, click('#vehicleConfigs tbody button')),
    stop('config-label-new', vehicles, 'config:labelReports.add'),
    stop('config-label', vehicles, click('#labelReports tbody button')),
  ]
}

/** A file of which one customer can be taken in. */
const choosesFile: Step = async page => {
  const lines = [
    'name;code;company;zipcode;city',
    'Janne Vlierhof;V-100;Vlierhof bv;9000;Gent',
    ';V-101;;;',
    'x;V-100;;;',
  ]
  await page
    .getByRole('dialog')
    .locator('input[type="file"]')
    .setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await page.getByRole('dialog').locator('dl').waitFor()
}

async function customerStops(visitor: Visitor): Promise<Stop[]> {
  const all = '/admin/customers'
  const { customers: listed } = customers.list.output.parse(await visitor.call('/customers/list', {}))
  const customer = listed.find(({ accounts }) => accounts > 0)
  if (!customer) throw new Error('the demo has no customer with an account')
  const page = `${all}?id=${customer.seq_id}`
  return [
    stop('customers', all),
    stop('customers-nothing-found', `${all}?filter=nowhere`),
    stop('customers-views', all, click('[data-views]')),
    stop('customers-new', all, 'customers:newCustomer'),
    stop('customers-new-refused', all, 'customers:newCustomer', submit),
    stop('customers-import', all, pressOnScreen('customers:import')),
    stop('customers-import-tried', all, pressOnScreen('customers:import'), choosesFile),
    stop('customer', page),
    stop('customer-billing', page, press('invoices:editDetails')),
    stop('customer-changed', page, fill('main form input', 'Another name')),
    stop('customer-new-account', page, 'customers:newAccount'),
    stop('customer-account', page, 'customers:editWhich'),
    stop('customer-password', page, 'customers:newPasswordOf'),
    stop('customer-disable', page, 'customers:disableWhich'),
  ]
}

async function locationStops(visitor: Visitor): Promise<Stop[]> {
  const page = '/admin/locations'
  const all = locations.all.output.parse(await visitor.call('/locations/all', {}))
  const full = all.find(({ tyre_count }) => tyre_count > 1)
  const site = all.find(({ kind }) => kind === 'site')
  // what holds tyres, or awaits them, can't be removed
  const empty = all.findLast(({ capacity, tyre_count, coming }) => capacity > 0 && tyre_count + coming === 0)
  if (!full || !site || !empty) throw new Error('the demo has no warehouse')
  const place = `${page}?id=${full._id}`
  return [
    stop('locations', page),
    stop('locations-found', `${page}?filter=${full.stock_rack.slice(0, 1)}`),
    stop('locations-nothing-found', `${page}?filter=nowhere`),
    stop('clearup', '/admin/clearup'),
    stop('clearup-register', '/admin/clearup', 'locations:clearUp.register'),
    stop('locations-new-site', page, 'locations:newSite'),
    stop('locations-site', `${page}?id=${site._id}`),
    stop('locations-add', `${page}?id=${site._id}`, 'locations:addInside'),
    stop('location', place),
    stop('location-edit', place, 'locations:edit'),
    stop('location-labels', place, 'locations:labels'),
    stop('location-remove', `${page}?id=${empty._id}`, 'locations:remove'),
    stop('location-move', place, check('[data-face] section:last-child'), 'locations:move'),
  ]
}

/** Scans as fast as a scanner does, and waits for the card. */
const scans =
  (code: string): Step =>
  async page => {
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    await page.keyboard.type(code)
    await page.locator('[data-scan-card] header').waitFor()
  }

/** The receipt of the storage that was confirmed last; an administrator has it signed. */
async function receiptStops(visitor: Visitor, more: (page: string) => Stop[] = () => []): Promise<Stop[]> {
  const [today, yearAgo] = [0, 365].map(days => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  const period = { startDate: yearAgo, endDate: today }
  const done = operations.completedbydate.output.parse(await visitor.call('/operations/completedbydate', period))
  const storage = done.find(({ type, status }) => type === 'to_stock' && status === 'confirmed')
  if (!storage) throw new Error('the demo has no confirmed storage')
  const page = receiptPath(storage._id)
  return [stop('receipt', page), ...more(page)]
}

async function cardStops(visitor: Visitor): Promise<Stop[]> {
  const places = locations.all.output.parse(await visitor.call('/locations/all', {}))
  const full = places.find(({ tyre_count }) => tyre_count > 1)
  const [stored] = full ? locations.tyres.output.parse(await visitor.call('/locations/tyres', { _id: full._id })) : []
  const submitted = operations.admin.output.parse(await visitor.call('/operations/admin', { status: 'submitted' }))
  const coming = submitted.find(({ type }) => type === 'to_stock')?.tyres[0]
  if (!full || !stored || !coming) throw new Error('the demo has no warehouse')
  const page = '/admin/operations'
  const wheel = scans(encodeBarcode({ tyre: stored.db_id, site: 1 }))
  return [
    stop('card', page, wheel),
    stop('card-coming', page, scans(encodeBarcode({ tyre: coming.db_id, site: 1 }))),
    stop('card-place', page, scans(encodeLocation({ location: full._id, site: 1 }))),
    stop('card-measure', page, wheel, scans(encodeCommand({ command: 'measure', site: 1 }))),
    stop(
      'card-damage',
      page,
      wheel,
      scans(encodeCommand({ command: 'bulge', site: 1 })),
      scans(encodeCommand({ command: 'damaged', site: 1 })),
    ),
    stop('card-other-site', page, scans(encodeBarcode({ tyre: 1, site: 2 }))),
  ]
}

/** A staging lane, and a wave of the first transport that has wheels to pick. */
async function planOnce(visitor: Visitor): Promise<number> {
  const [open] = waves.all.output.parse(await visitor.call('/waves/all', {})).waves
  if (open) return open._id
  const places = locations.all.output.parse(await visitor.call('/locations/all', {}))
  const parent = places.find(({ kind }) => kind === 'site')?._id ?? 0
  await visitor.call('/locations/make', { parent, levels: [{ kind: 'lane', pattern: 'L1 to L3' }], capacity: 40 })
  const { due } = waves.all.output.parse(await visitor.call('/waves/all', {}))
  const load = due.findLast(({ free_count }) => free_count > 0)
  if (!load) throw new Error('the demo has no recalls to pick')
  const input = { day: load.day, transport: load.transport, most: 16, unit: 'wheels' }
  return waves.plan.output.parse(await visitor.call('/waves/plan', input)).wave
}

async function waveStops(visitor: Visitor): Promise<Stop[]> {
  const wave = await onceAt(visitor, 'wave', () => planOnce(visitor))
  return [
    stop('board', '/admin/board'),
    stop('board-week', '/admin/board', click('main table button[aria-expanded]')),
    stop('figures', '/admin/figures'),
    stop('stock', '/admin/stock'),
    stop('disposals', '/admin/stock?tab=disposals'),
    stop('disposals-record', '/admin/stock?tab=disposals', check('main thead'), click('[data-record]')),
    stop('stock-of-customer', '/admin/stock', click('main tbody button')),
    stop('waves', '/admin/waves'),
    stop('waves-plan', '/admin/waves', 'waves:plan'),
    stop('waves-end', '/admin/waves', 'waves:end'),
    stop('gate-choose', '/admin/waves/load'),
    stop('gate', '/admin/waves/load', click('[data-gate] a[href*="day="]')),
    stop('gate-stop', '/admin/waves/load', click('[data-gate] a[href*="day="]'), async page => {
      await page.locator('[data-gate] ul').waitFor({ state: 'attached' })
      await page.keyboard.type(encodeCommand({ command: 'gate', site: 1 }))
      await page.locator('[data-gate] [data-tint]').waitFor()
    }),
    stop('pick', `/admin/waves/pick?wave=${wave}`),
    stop('pick-wrong', `/admin/waves/pick?wave=${wave}`, async page => {
      await page.locator('[data-round] h1, [data-round] section').first().waitFor()
      await page.keyboard.type(encodeBarcode({ tyre: 1, site: 1 }))
      await page.locator('[data-round] [data-tint]').waitFor()
    }),
  ]
}

/** A count of a rack, of which a place was counted and not all is as the records say. */
async function countOnce(visitor: Visitor): Promise<number> {
  const [open] = counts.all.output.parse(await visitor.call('/counts/all', {}))
  if (open) return open._id
  const places = locations.all.output.parse(await visitor.call('/locations/all', {}))
  const zone = places.find(({ kind }) => kind === 'zone')
  const place = places.find(({ kind, stock_rack }) => kind === 'place' && stock_rack.startsWith(`${zone?.stock_rack}-`))
  const { count } = counts.start.output.parse(await visitor.call('/counts/start', { location: zone?._id }))
  const wheels = [{ db_id: 1, ticsId: 1 }, { db_id: 7, ticsId: 2 }, {}]
  await visitor.call('/counts/place', { count, location: place?._id, scanId: crypto.randomUUID(), wheels })
  return count
}

async function countStops(visitor: Visitor): Promise<Stop[]> {
  const count = await countOnce(visitor)
  return [
    stop('counts', '/admin/counts'),
    stop('counts-start', '/admin/counts', 'counts:start'),
    stop('count', `/admin/counts/walk?count=${count}`),
    stop('count-one', '/admin/counts/walk'),
    stop('count-report', `/admin/counts/report?count=${count}`),
  ]
}

async function dictionaryStops({ page }: Visitor): Promise<Stop[]> {
  const dictionary = '/superuser/translations'
  // as a screen asks for a text that does not exist
  await page.request.post('/locales/add/nl/fleet', { data: { 'tour.missing': 'tour.missing' } })
  const texts = `${dictionary}?filter=licen&ns=vehicle`
  return [
    stop('dictionary', dictionary),
    stop('dictionary-found', texts),
    stop('dictionary-nothing-found', `${dictionary}?filter=nowhere-at-all`),
    stop('dictionary-edit', texts, click('[role="gridcell"]')),
    stop(
      'dictionary-preview',
      `${dictionary}?filter=where.device&ns=mail`,
      click('[role="gridcell"]'),
      'translations:preview',
    ),
    stop('dictionary-export', dictionary, 'translations:export'),
    stop('dictionary-import', dictionary, 'translations:import'),
    stop('dictionary-missing', `${dictionary}?tab=missing`),
    stop('dictionary-forget', `${dictionary}?tab=missing`, 'translations:forgetAll'),
  ]
}

/** On behalf of a customer: the first stops look for one, the others are what it changes. */
async function actingStops(visitor: Visitor): Promise<Stop[]> {
  const [customer] = (await customersOf(visitor)).toSorted((a, b) => b.vehicles - a.vehicles)
  if (!customer) throw new Error('the demo has no customers')
  const vehicles = fleet.fetch.output.parse(await visitor.call('/fleet/fetch', { seq_id: customer.seq_id }))
  const management = '/admin/fleetmanagement'
  const tab = (vehicle: Vehicle): string => `${management}?vehicle=${vehicle.flt_id}`
  const shown = richest(vehicles)
  const others = vehicles.filter(vehicle => vehicle !== shown)
  const chosen = click(`[data-customer="${customer.seq_id}"]`)
  // as many vehicles as may be open, and then the one that is not among them
  const eleven: Step = async page => {
    for (const vehicle of [shown, ...others.slice(0, 9)]) await navigate(page, tab(vehicle))
    await navigate(page, management)
    await page.locator('tbody tr').first().waitFor()
    const open = new Set([shown, ...others.slice(0, 9)].map(vehicle => String(vehicle.flt_id)))
    const rows = page.locator('tbody tr[data-vehicle]')
    const ids = await rows.evaluateAll(all => all.map(row => row.getAttribute('data-vehicle') ?? ''))
    await rows.nth(ids.findIndex(id => !open.has(id))).click()
    await page.getByRole('dialog').waitFor()
  }
  return [
    stop('search', management),
    stop('search-nothing-found', management, fill('main input[type="search"]', 'nowhere'), async (page, lang) =>
      page.getByText(named(lang, 'fleetmanagement:noneFound')).waitFor(),
    ),
    stop('choose', '/fleet', 'nav:acting.nobody'),
    stop('customer', management, chosen),
    stop('vehicle', tab(shown)),
    stop('vehicle-changed', tab(shown), press('fleet:tab.data'), fill('main form input', 'X')),
    stop('new-vehicle', management, 'fleet:newVehicle'),
    stop('limit', management, eleven),
    stop('home', '/'),
    stop('fleet', '/fleet'),
    stop('vehicle-screen', `/fleet/vehicle?id=${shown.flt_id}`),
    stop('operations', '/operations'),
    stop('wizard', '/wizard/step1'),
    stop('change', '/fleet', 'nav:acting.for'),
  ]
}

async function superuserStops(visitor: Visitor): Promise<Stop[]> {
  const [site] = hotelconfig.getall.output.parse(await visitor.call('/hotelconfig/getall', {}))
  if (!site) throw new Error('the demo has no site')
  const config = `/superuser/config?id=${site._id}`
  return [
    stop('sites', '/superuser'),
    stop('sites-new', '/superuser', 'sites:newSite'),
    stop('sites-new-refused', '/superuser', 'sites:newSite', submit),
    stop('sites-more', '/superuser', 'sites:moreActionsOf'),
    stop('sites-delete', '/superuser', 'sites:moreActionsOf', 'sites:deleteWhich'),
    stop('site', config),
    stop('site-company', `${config}&page=company`),
    stop('site-new-administrator', `${config}&page=team`, 'sites:newAdministrator'),
    stop('site-none', '/superuser/config'),
    ...(await dictionaryStops(visitor)),
    stop('audit', '/admin/audit'),
    stop('security', '/admin/security'),
    stop('account', '/account'),
  ]
}

/** The menu of the account in the frame. */
const account = click('nav button[aria-haspopup="menu"]')
const accountStops: readonly Stop[] = [
  stop('account-screen', '/account'),
  stop('account-new-token', '/account', 'tokens:new'),
  stop('account-new-webhook', '/account', 'webhooks:new'),
  stop('account-webhook-log', '/account', click('#webhooks ~ * tbody button:nth-of-type(2)')),
  stop('account', '/no/such/page', account),
  stop('recent-actions', '/no/such/page', account, 'nav:recent', opensDialog),
  stop('password', '/no/such/page', account, 'nav:changePassword'),
  stop('password-refused', '/no/such/page', account, 'nav:changePassword', submit),
]

export const tours: readonly Tour[] = [
  {
    name: 'customer',
    user: 'customer',
    mode: 'both',
    async stops(visitor) {
      const vehicles = await vehiclesOf(visitor)
      await addWebhook(visitor)
      return [
        ...fleetStops(vehicles),
        ...(await hotelStops(visitor, vehicles)),
        ...(await receiptStops(visitor)),
        stop('stock', '/stock'),
        ...accountStops,
      ]
    },
  },
  {
    name: 'admin',
    user: 'admin',
    mode: 'both',
    async stops(visitor) {
      const vehicles = await vehiclesOf(visitor)
      const vehicle = `/fleet/vehicle?id=${richest(vehicles).flt_id}`
      const free = richest(vehicles.filter(({ tyres }) => tyres.every(({ operation }) => operation === null)))
      const movable = `/fleet/vehicle?id=${free.flt_id}`
      return [
        // Screens that an administrator sees as a customer does are not shown twice.
        stop('home', '/'),
        stop('fleet', '/fleet'),
        stop('fleet-new-vehicle', '/fleet', untuck, 'fleet:newVehicle'),
        stop('vehicle', vehicle),
        stop('vehicle-not-movable', vehicle, 'fleet:transfer.button'),
        stop('vehicle-other-customer', movable, 'fleet:transfer.button'),
        stop('vehicle-transfer', movable, 'fleet:transfer.button', click('button[data-customer]')),
        stop('tyres', '/tyres'),
        stop('season-choose', '/season'),
        stop('buying-choose', '/buying'),
        stop('desk-recalls', '/admin/operations?type=to_customer'),
        stop('desk-storages', '/admin/operations?type=to_stock'),
        stop('desk-disposals', '/admin/operations?type=to_waste'),
        stop('desk-actions', '/admin/operations?type=to_stock', 'desk:moreActionsOf'),
        stop('desk-cancel', '/admin/operations?type=to_stock', 'desk:moreActionsOf', 'desk:cancel'),
        stop('desk-confirm', '/admin/operations?type=to_stock', 'desk:confirm'),
        stop('desk-completed', '/admin/operations?tab=completed'),
        stop('intake', '/admin/intake'),
        stop('intake-storage', '/admin/intake?type=to_stock'),
        stop('scan', '/admin/intake?type=to_customer&scan=true'),
        ...(await invoicingStops(visitor)),
        ...(await locationStops(visitor)),
        ...(await cardStops(visitor)),
        ...(await receiptStops(visitor, page => [stop('receipt-sign', page, 'papers:sign')])),
        ...(await waveStops(visitor)),
        ...(await countStops(visitor)),
        ...(await configStops(visitor)),
        ...(await customerStops(visitor)),
        stop('articles', '/admin/articles'),
        stop('articles-nothing-found', '/admin/articles?filter=nowhere'),
        stop('articles-new', '/admin/articles', 'articles:add'),
        stop('import', '/admin/import'),
        stop('import-tyres', '/admin/import?kind=tyres', importsTyres),
        stop('audit', '/admin/audit'),
        stop('audit-nothing-found', '/admin/audit?search=nowhere'),
        stop('security', '/admin/security'),
        stop('security-nothing-found', '/admin/security?kind=factorRemoved'),
      ]
    },
  },
  {
    name: 'warehouse',
    user: 'warehouse',
    mode: 'both',
    stops: async () => [
      stop('scan', '/'),
      stop('jobs', '/admin/jobs'),
      stop('clear-up', '/admin/clearup'),
      stop('places', '/admin/locations'),
      stop('find', '/admin/find'),
      stop('account', '/account'),
    ],
  },
  { name: 'acting', user: 'admin', mode: 'both', stops: actingStops },
  { name: 'superuser', user: 'superuser', stops: superuserStops },
  {
    name: 'fleetonly-admin',
    user: 'admin',
    mode: 'fleetonly',
    stops: async () => [stop('home', '/admin'), stop('customers', '/admin/customers')],
  },
  {
    name: 'fleetonly',
    user: 'customer',
    mode: 'fleetonly',
    async stops(visitor) {
      const same = new Set([
        'fleet-nothing-found',
        'fleet-new-vehicle-refused',
        'vehicle-remove',
        'vehicle-none',
        'not-found',
      ])
      return fleetStops(await vehiclesOf(visitor)).filter(({ name }) => !same.has(name))
    },
  },
]

/**
 * The tours of a run. Only a whole run includes those of a warehouse account, of an administrator who acts for a customer, and of a
 * site with fleets only: their screens are those of the others.
 */
export const toured = tours.filter(({ name }) => whole || ['customer', 'admin', 'superuser'].includes(name))
