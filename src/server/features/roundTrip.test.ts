/**
 * Every field that a call accepts and another one answers is stored: it is written with a value of its own and read back, after
 * creating and after each change. Fields come from the contract, so a new one is tried as soon as it is declared; a field that is
 * accepted and then lost fails here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Call } from '#contract/call.ts'
import { contract, calls } from '#contract/index.ts'
import { defOf } from '#contract/readInput.ts'
import { serviceIcons } from '#domain/operations/serviceIcon.ts'
import type { Statement } from '../db/statement.ts'
import { openOutbound } from '../outbound/outbound.ts'
import { openSecrets } from '../secrets.ts'
import { leavesOf } from '../testing/inputs.ts'
import { addOperation, addService, addTransport } from '../testing/operations.ts'
import { replaceStatement } from '../testing/races.ts'
import { world, type Principal, type World } from '../testing/world.ts'
import { startProvider, type TestProvider } from '../testing/provider.ts'
import { updateVehicle } from './fleet/vehicles.sql.ts'

let w: World
let provider: TestProvider
const ids: Record<'place' | 'service' | 'otherService' | 'transport' | 'otherTransport', number> = {
  place: 0,
  service: 0,
  otherService: 0,
  transport: 0,
  otherTransport: 0,
}
beforeAll(async () => {
  provider = await startProvider([])
  w = await world({
    now: new Date('2026-11-18T09:00:00Z'),
    served: () => ({ secrets: openSecrets('a key'), outbound: openOutbound({ allowPrivate: true }) }),
  })
  const { home } = w.sites
  await w.setSite(home, { allow_profile_depth: true, allow_tachometer: true })
  ids.place = (await w.addLocations({ places: 1, capacity: 8 }))[0] ?? 0
  ids.service = await addService(w, { name: 'Washing' })
  ids.otherService = await addService(w, { name: 'Balancing' })
  ids.transport = await addTransport(w)
  ids.otherTransport = await addTransport(w)
  elsewhere.transport = await addTransport(w, { site: w.sites.other })
  elsewhere.service = await addService(w, { site: w.sites.other })
  vehicle = await w.addVehicle({})
  articles = (
    await w.query<{ id: number }>(
      `insert into article (site_id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index,
         speed_symbol, season, speed_key, load_key, brand_key, words)
       select site_id, brand, pattern || nth, description, dimension, width, aspect, construction, rim, load_index,
         speed_symbol, season, speed_key || nth, load_key || nth, brand_key, words
       from article, generate_series(1, 5) nth where id = $1 returning id`,
      [w.articles.other],
    )
  ).map(({ id }) => id)
  stored.vehicle = await w.addVehicle({})
  stored.tyre = await w.addTyre({ vehicle: stored.vehicle })
})
afterAll(async () => {
  await w.close()
  await provider.close()
})

// ---- Values ---------------------------------------------------------------------------------------------------------------------

type Schemas = readonly z.ZodType[]

/** A value of a field that differs from round to round, and, as far as there are enough of them, from field to field. */
function valueOf(field: string, schemas: Schemas, nth: number, round: number): unknown {
  const defs = schemas.map(defOf)
  const checks = defs.flatMap(def => def.checks ?? []).map(({ _zod: { def } }) => def)
  const definitionOf = (type: string) => defs.find(def => def.type === type)
  // over the rounds every flag has a pattern of its own, so that two which are exchanged show
  if (definitionOf('boolean')) return Math.floor((nth + 1) / 2 ** round) % 2 === 1
  const options = Object.values(definitionOf('enum')?.entries ?? {})
  if (options.length > 0) return options[(nth + round) % options.length]
  if (definitionOf('number')) {
    const least = Math.max(0, ...checks.flatMap(({ check, value }) => (check === 'greater_than' ? (value ?? 0) : [])))
    const most = Math.min(
      Infinity,
      ...checks.flatMap(({ check, value }) => (check === 'less_than' ? (value ?? 0) : [])),
    )
    const value = least + nth * 2 + round + 1
    // in a small range, such as that of depths in mm, values come again from field to field, not from round to round
    return value > most ? least + ((nth * 3 + round) % (most - least)) + 1 : value
  }
  if (defs.some(({ format }) => format === 'email') || checks.some(({ format }) => format === 'email'))
    return `${round}.${field.replaceAll(/\W/g, '-')}@example.org`
  if (definitionOf('string')) {
    const most = Math.min(60, ...checks.flatMap(({ maximum }) => maximum ?? []))
    return `${round}${String(nth).padStart(2, '0')} ${field}`.slice(0, most).trim()
  }
  throw new Error(`no value is known for a ${defs.map(({ type }) => type).join()} at ${field}`)
}

/** The value at a way through a body as it travels: through one-item lists and the first of longer ones. */
function at(body: unknown, path: string): unknown {
  let value: unknown = body
  for (const piece of path.split('.')) {
    while (Array.isArray(value)) value = value[0]
    if (piece !== '*') value = (value as Record<string, unknown> | null | undefined)?.[piece]
  }
  return value
}

/** As it was sent: without the list around it, flags as booleans, days with dashes. */
function plain(value: unknown, sent: unknown): unknown {
  const inner = Array.isArray(value) && !Array.isArray(sent) ? value[0] : value
  if (typeof sent === 'boolean' && typeof inner !== 'boolean') return inner === 'T' || inner === 'Y'
  // days travel without dashes
  if (typeof sent === 'string' && sent.replaceAll('-', '') === inner) return sent
  return inner
}

/** A body with each value at its way. */
function bodyOf(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [path, value] of values) {
    const pieces = path.split('.')
    let level: Record<string, unknown> = body
    for (const [nth, piece] of pieces.entries()) {
      if (piece === '*') continue
      const listed = pieces[nth + 1] === '*'
      if (nth === pieces.length - 1 || (listed && nth === pieces.length - 2)) level[piece] = listed ? [value] : value
      else if (listed) level = ((level[piece] ??= [{}]) as Record<string, unknown>[])[0] as Record<string, unknown>
      else level = (level[piece] ??= {}) as Record<string, unknown>
    }
  }
  return body
}

// ---- Things ---------------------------------------------------------------------------------------------------------------------

type Write = {
  readonly call: Call
  /** Where the fields of the thing are in the input. */
  readonly at?: string
  /** Further fields of the request. */
  readonly beside?: (id: number) => Record<string, unknown>
  /** The number of the thing in the answer of a call that creates it. */
  readonly id?: (answer: unknown) => number
}
type Thing = {
  readonly what: string
  readonly who?: (world: World) => Principal
  /** Makes the thing where no call writes its fields at once. */
  readonly made?: () => Promise<number>
  readonly create?: Write
  readonly change?: Write
  readonly read: {
    readonly call: Call
    readonly ask: (id: number) => unknown
    readonly pick: (answer: never, id: number) => unknown
  }
  /** Where the fields of the thing are in the output of `read`. */
  readonly answered?: string
  /** Fields that have another name, or another place, in the answer. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Values of fields that name a row or obey a rule, for each round. */
  readonly given?: Readonly<Record<string, (round: number) => unknown>>
  /** Fields that are accepted and not written by this, each with the reason. */
  readonly unwritten?: Readonly<Record<string, string>>
}

const everything = () => ({})
let plates = 0

const operationRead: Thing['read'] = {
  call: contract.operations.fetch,
  ask: everything,
  pick: (answer: { _id: number }[], id) => answer.find(operation => operation._id === id),
}
const tyreRead: Pick<Thing, 'read' | 'answered'> = {
  read: {
    call: contract.fleet.vehicle,
    ask: () => ({ flt_id: vehicle }),
    pick: (answer: { tyres: [{ tyre: { db_id: [number] }[] }] }, id) =>
      answer.tyres[0].tyre.find(tyre => tyre.db_id[0] === id),
  },
  answered: 'tyres.*.tyre.*',
}

/** Values of the entries of a site's configuration. */
const entriesGiven: NonNullable<Thing['given']> = {
  'transportMethods.*._id': () => elsewhere.transport,
  'transportMethods.*.cutoffHour': round => `1${round % 10}:30`,
  'transportMethods.*.operationDays.*': round => round % 7,
  'transportMethods.*.code': round => `T${round}`,
  'services.*._id': () => elsewhere.service,
  'services.*.icon': round => serviceIcons[round % serviceIcons.length],
  'services.*.article_number': round => String(4711 + round),
  'services.*.article_insertion_method': round => ['per_tyre', 'global'][round % 2],
}

const things: readonly Thing[] = [
  {
    what: 'a vehicle',
    create: {
      call: contract.fleet.new,
      at: 'vehicleData',
      beside: () => ({ seq_id: w.customers.a }),
      id: answer => Number(at(answer, 'flt_id')),
    },
    change: { call: contract.fleet.update, at: 'vehicle', beside: id => ({ flt_id: id }) },
    read: { call: contract.fleet.vehicle, ask: id => ({ flt_id: id }), pick: answer => answer },
    given: {
      license_plate: () => `1R${String(++plates).padStart(5, '0')}`,
      type: round => ['car', 'van', 'truck'][round % 3],
      // set once: the same in every round
      configuration: () => 'Car',
      contract_end: round => `2027-0${1 + (round % 9)}-01`,
    },
    unwritten: { flt_id: 'names the vehicle' },
  },
  {
    what: 'a customer',
    create: { call: contract.customers.save, id: answer => Number(at(answer, 'seq_id')) },
    change: { call: contract.customers.save, beside: id => ({ seq_id: id }) },
    read: { call: contract.customers.customer, ask: id => ({ seq_id: id }), pick: answer => answer },
    given: { email: round => `${round}@example.org` },
    unwritten: { seq_id: 'names the customer' },
  },
  {
    what: 'an article',
    create: { call: contract.articles.save, id: answer => Number(at(answer, '_id')) },
    change: { call: contract.articles.save, beside: id => ({ _id: id }) },
    read: {
      call: contract.articles.list,
      ask: () => ({}),
      pick: (answer: { articles: { _id: number }[] }, id) => answer.articles.find(article => article._id === id),
    },
    answered: 'articles.*',
    given: {
      dimension: round => ['205/55R16', '225/45R17', '195/65R15'][round % 3],
      load_index: round => ['91', '94', '107/105'][round % 3],
      speed_index: round => ['V', 'W', 'T'][round % 3],
      ean: round => ['4019238012347', '4006381333931', '96385074'][round % 3],
      eprel: round => String(400_000 + round),
      fuel_class: round => ['A', 'B', 'C'][round % 3],
      wet_class: round => ['B', 'C', 'D'][round % 3],
    },
    unwritten: { _id: 'names the article' },
  },
  {
    what: 'an account',
    create: { call: contract.customers.saveaccount, id: answer => Number(at(answer, '_id')) },
    change: { call: contract.customers.saveaccount, beside: id => ({ _id: id }) },
    read: {
      call: contract.customers.accounts,
      ask: () => ({ seq_id: w.customers.a }),
      pick: (answer: { _id: number }[], id) => answer.find(account => account._id === id),
    },
    // only an administrator is restricted to the warehouse: customers/warehouse.test.ts
    given: { type: () => 'user', warehouse: () => false, seq_id: () => w.customers.a },
    unwritten: { _id: 'names the account' },
  },
  {
    what: 'a provider of single sign-on',
    create: { call: contract.signOn.save, id: () => 0 },
    change: { call: contract.signOn.save, beside: () => ({ client_secret: '' }) },
    read: { call: contract.signOn.settings, ask: everything, pick: (answer: { provider: unknown }) => answer.provider },
    answered: 'provider',
    given: {
      issuer: () => provider.issuer,
      claim: round => `claim_${round}`,
      seq_id: round => (round % 2 ? w.customers.a : w.customers.b),
    },
  },
  {
    what: "a site's billing details",
    create: { call: contract.invoices.setup, id: () => 0 },
    change: { call: contract.invoices.setup },
    read: { call: contract.invoices.settings, ask: everything, pick: answer => answer },
    given: {
      country: round => ['BE', 'NL'][round % 2],
      vat_number: round => ['BE0739484052', 'NL004495445B01'][round % 2],
      company_scheme: round => ['0208', '0106'][round % 2],
      company_number: round => ['0202239951', '12345678'][round % 2],
      peppol_scheme: round => ['0208', '0106'][round % 2],
      peppol_id: round => ['0403170701', '87654321'][round % 2],
      email: round => `${round}@example.org`,
      iban: round => ['BE68539007547034', 'NL91ABNA0417164300'][round % 2],
      bic: round => ['KREDBEBB', 'ABNANL2A'][round % 2],
      invoice_series: round => `F${round}`,
      credit_series: round => `CN${round}`,
    },
  },
  {
    what: "a customer's billing details",
    made: async () => w.customers.a,
    change: { call: contract.invoices.savebuyer, beside: id => ({ seq_id: id }) },
    read: { call: contract.invoices.buyer, ask: id => ({ seq_id: id }), pick: answer => answer },
    given: {
      country: round => ['BE', 'NL'][round % 2],
      vat_number: round => ['BE0739484052', 'NL004495445B01'][round % 2],
      company_scheme: round => ['0208', '0106'][round % 2],
      company_number: round => ['0202239951', '12345678'][round % 2],
      peppol_scheme: round => ['0208', '0106'][round % 2],
      peppol_id: round => ['0403170701', '87654321'][round % 2],
    },
    unwritten: { seq_id: 'names the customer' },
  },
  {
    what: "a site's administrator",
    who: () => w.who.superuser,
    create: {
      call: contract.hotelconfig.newadmin,
      beside: () => ({ id: w.sites.home }),
      id: answer => Number(at(answer, '_id')),
    },
    read: {
      call: contract.hotelconfig.admins,
      ask: () => ({ id: w.sites.home }),
      pick: (answer: { _id: number }[], id) => answer.find(admin => admin._id === id),
    },
  },
  {
    what: "entries of a site's configuration",
    who: () => w.who.superuser,
    made: async () => w.sites.other,
    change: { call: contract.hotelconfig.editentries, beside: id => ({ id }) },
    read: { call: contract.hotelconfig.adminconfig, ask: id => ({ id }), pick: answer => answer },
    // entries that are left out stay, so it is one day in each round
    given: { ...entriesGiven, 'closedDays.*.day': () => '2026-12-09' },
    unwritten: { id: 'names the site', version: 'is the one that was edited' },
  },
  {
    what: "a site's configuration",
    who: () => w.who.superuser,
    made: async () => w.sites.other,
    change: { call: contract.hotelconfig.edit, beside: id => ({ _id: id }) },
    read: { call: contract.hotelconfig.adminconfig, ask: id => ({ id }), pick: answer => answer },
    given: {
      mode: round => ['both', 'hotelonly'][round % 2],
      time_zone: round => ['Europe/Brussels', 'Europe/Berlin'][round % 2],
      'urls.*': () => 'other.test',
      ...Object.fromEntries(
        [
          'unknownWinterArticleId',
          'unknownSummerArticleId',
          'unknownAllSeasonArticleId',
          'unknownSnowArticleId',
          'invoicing_article_id',
        ].map((field, nth) => [field, (round: number) => articles[(nth + round) % articles.length]]),
      ),
      ...entriesGiven,
      'closedDays.*.day': round => `2026-12-${10 + round}`,
    },
    unwritten: { _id: 'names the site', version: 'is the one that was edited' },
  },
  {
    what: 'a vehicle configuration',
    create: { call: contract.vehicleConfigs.save, id: answer => Number(at(answer, '_id')) },
    change: { call: contract.vehicleConfigs.save, beside: id => ({ _id: id }) },
    read: {
      call: contract.vehicleConfigs.all,
      ask: everything,
      pick: (answer: { _id: number }[], id) => answer.find(config => config._id === id),
    },
    renamed: {
      description: 'config.description',
      axle_height: 'config.configuration.axle_height',
      axle_width: 'config.configuration.axle_width',
      ...Object.fromEntries(
        ['type', 'lift_axle', 'drive_axle', 'steering_axle', 'wheels_left', 'wheels_right'].map(field => [
          `axles.*.${field}`,
          `config.configuration.axles.axle.*.${field}`,
        ]),
      ),
    },
    given: {
      axle_height: round => 40 + round,
      axle_width: round => 100 + round,
      'axles.*.type': () => 'axle',
      'axles.*.wheels_left': round => 1 + (round % 2),
      'axles.*.wheels_right': round => 3 - (round % 2),
    },
    unwritten: { _id: 'names the configuration' },
  },
  {
    what: 'a label report',
    create: { call: contract.labelReports.save, id: answer => Number(at(answer, 'rpt_number')) },
    change: { call: contract.labelReports.save, beside: id => ({ rpt_number: id }) },
    read: {
      call: contract.labelReports.all,
      ask: everything,
      pick: (answer: { rpt_number: [number] }[], id) => answer.find(report => report.rpt_number[0] === id),
    },
    unwritten: { rpt_number: 'names the report' },
  },
  {
    what: 'a location',
    made: async () => ids.place,
    change: { call: contract.locations.edit, beside: id => ({ _id: id }) },
    read: {
      call: contract.locations.all,
      ask: everything,
      pick: (answer: { _id: number }[], id) => answer.find(location => location._id === id),
    },
    given: { name: round => `P${round}` },
    unwritten: { _id: 'names the location' },
  },
  {
    what: 'an operation',
    create: { call: contract.operations.new, at: 'operation', id: answer => Number(at(answer, '_id')) },
    read: operationRead,
    renamed: { operationType: 'type' },
    given: { flt_id: () => stored.vehicle, 'tyres.*.db_id': () => stored.tyre, operationType: () => 'to_stock' },
    unwritten: { vehicle: 'is what a client sends along' },
  },
  {
    what: 'a storage',
    made: async () => (await addOperation(w, { type: 'to_stock' })).id,
    change: { call: contract.operations.update, at: 'operation', beside: id => ({ _id: id }) },
    read: operationRead,
    given: { status: () => 'pending', 'services.*': round => (round % 2 ? ids.service : ids.otherService) },
    unwritten: { _id: 'names the operation', transport: 'a recall has it', deliveryDate: 'a recall has it' },
  },
  {
    what: 'a recall',
    made: async () => (await addOperation(w, { type: 'to_customer' })).id,
    change: { call: contract.operations.update, at: 'operation', beside: id => ({ _id: id }) },
    read: operationRead,
    given: {
      status: () => 'pending',
      transport: round => (round % 2 ? ids.transport : ids.otherTransport),
      deliveryDate: round => `2026-12-${String(10 + round)}`,
    },
    unwritten: {
      _id: 'names the operation',
      'services.*': 'those here are of a storage',
      withRims: 'a storage has it',
      withBolts: 'a storage has it',
      withHubcaps: 'a storage has it',
      tachometer: 'a storage has it',
    },
  },
  {
    what: 'a new tyre',
    create: {
      call: contract.tyres.add,
      beside: () => ({ flt_id: vehicle }),
      id: answer => Number(at(answer, 'db_id')),
    },
    ...tyreRead,
    renamed: { 'tyres.*.position': 'position', 'tyres.*.art_id': 'art_id' },
    given: { 'tyres.*.position': () => '2B', 'tyres.*.art_id': () => w.articles.home },
    unwritten: {
      flt_id: 'names the vehicle',
      'tyres.*.unknown.type': 'is another article',
      'tyres.*.unknown.description': 'is another article',
    },
  },
  {
    what: "a tyre's set",
    made: async () => w.addTyre({ vehicle, position: '1A' }),
    change: { call: contract.tyres.changeset, beside: id => ({ tyres: [id] }) },
    ...tyreRead,
    unwritten: { 'tyres.*': 'names the tyre', 'tyres.*.db_id': 'names the tyre' },
  },
  {
    what: "a tyre's reading",
    made: async () => w.addTyre({ vehicle, position: '1B', depth: null }),
    change: { call: contract.tyres.measure, at: 'readings.*', beside: id => ({ db_id: id }) },
    ...tyreRead,
    given: { profile_depth: round => 7 - round / 2, profile_date: round => `2026-11-1${round}` },
    unwritten: { db_id: 'names the tyre' },
  },
  {
    what: "a tyre's DOT code",
    made: async () => w.addTyre({ vehicle, position: '1A', set: 'Dated' }),
    change: { call: contract.tyres.notedot, beside: id => ({ db_id: id }) },
    read: {
      call: contract.tyres.dots,
      ask: id => ({ tyres: [id] }),
      pick: (answer: { tyre: number }[], id) => answer.find(({ tyre }) => tyre === id),
    },
    given: { dot: round => `1${round}19`, retreaded: round => `2${round}24` },
    unwritten: { db_id: 'names the tyre' },
  },
  {
    what: 'a translation',
    who: () => w.who.superuser,
    create: { call: contract.locale.new, id: answer => Number(at(answer, '_id')) },
    change: { call: contract.locale.update, beside: id => ({ id }) },
    read: {
      call: contract.locale.all,
      ask: everything,
      pick: (answer: { _id: number }[], id) => answer.find(translation => translation._id === id),
    },
    given: { language: () => 'fre', namespace: () => 'common', key: () => 'network' },
    unwritten: { id: 'names the translation' },
  },
  {
    what: 'an invoice date',
    made: async () => w.addTyre({ vehicle, position: '2A', status: 'in_stock' }),
    change: { call: contract.invoicing.markinvoiced, beside: id => ({ tyres: [id] }) },
    ...tyreRead,
    renamed: { date: 'invoicedAt' },
    given: { date: round => `2026-11-1${round}` },
    unwritten: { 'tyres.*': 'names the tyre', 'tyres.*.db_id': 'names the tyre' },
  },
]

let vehicle = 0
const stored = { vehicle: 0, tyre: 0 }
/** The other site, whose configuration is changed without the rest hanging on it. */
const elsewhere = { transport: 0, service: 0 }
let articles: number[] = []

/** Calls that change something and are tried in no thing above: what they accept is not answered as a field. */
const withoutFields: readonly string[] = [
  // payments/payments.test.ts reads them back: what is open of an invoice says what a payment does
  'payments.setup',
  // reminders/reminders.test.ts reads them back: what a letter says depends on the day
  'reminders.setup',
  'reminders.send',
  'reminders.stop',
  'reminders.unstop',
  'payments.record',
  'payments.writeoff',
  'payments.allocate',
  'payments.refund',
  'payments.undo',
  'payments.take',
  'payments.undofile',
  'payments.answer',
  'payments.setaside',
  'account.endsession',
  // what it makes and submits is made and submitted as any other operation (swapping.test.ts)
  'operations.swap',
  // operations/takenBack.test.ts reads it back
  'operations.reschedule',
  // an undo restores the former state: tyres.test.ts and locations.test.ts read it back
  'tyres.undoset',
  'tyres.unmeasure',
  'locations.unmove',
  // mounts/mounts.test.ts reads them back: where a tyre sits depends on what sits there
  'mounts.change',
  'mounts.deny',
  'mounts.undo',
  'odometers.record',
  'odometers.withdraw',
  // the fields of a token are in the answer that creates it; tokens/tokens.test.ts reads it back
  'tokens.make',
  // webhooks/webhooks.test.ts reads them back: an address has to be on the internet
  'webhooks.save',
  'webhooks.remove',
  'webhooks.rotate',
  'webhooks.replay',
  // notices/notices.test.ts reads them back: what can be chosen depends on the account
  'notices.read',
  'notices.choose',
  // views/views.test.ts reads them back: what a filter may hold depends on the list
  'views.save',
  'views.mail',
  'views.remove',
  'tokens.revoke',
  'tokens.makesite',
  'tokens.revokesite',
  // steps and reasons: what a wheel does is answered by its state
  'wheels.step',
  'wheels.close',
  'wheels.settle',
  'wheels.orphan',
  'wheels.identify',
  'wheels.dismiss',
  // cells of a file become records, which imports.test.ts reads back
  'hotelconfig.dismissfirststeps',
  'articles.retire',
  'articles.merge',
  'imports.take',
  'imports.undo',
  // invoices/invoices.test.ts reads back what an invoice says, and a mapping, whose columns are a list
  'invoices.make',
  'invoices.makerun',
  'invoices.credit',
  'invoices.send',
  'invoices.savemapping',
  // what a count found is answered by its report (counts/counts.test.ts)
  'counts.start',
  'counts.place',
  'counts.solve',
  'counts.end',
  // damages/damages.test.ts reads them back
  'damages.report',
  'damages.end',
  'damages.addphoto',
  'waves.plan',
  'waves.planday',
  'waves.scan',
  'waves.miss',
  'waves.undo',
  'waves.end',
  'gate.load',
  'gate.leave',
  'gate.sign',
  // what a paper prints is read in its PDF (papers/papers.test.ts)
  'papers.sign',
  'papers.save',
  'papers.mail',
  'papers.preview',
  // disposals/disposals.test.ts reads them back: a pick-up needs scrapped tyres
  'disposals.record',
  'labels.print',
  'labels.send',
  'fleet.getTyreLabels',
  'disposals.edit',
  'disposals.withdraw',
  'account.endothers',
  'account.addapp',
  'account.removeapp',
  'account.addpasskey',
  'account.removepasskey',
  'account.renewcodes',
  'hotelconfig.editconfigimage',
  'hotelconfig.delete',
  'transports.remove',
  'vehicleConfigs.remove',
  'labelReports.remove',
  'signOn.remove',
  'signOn.unlink',
  'customers.setdisabled',
  'customers.resetpassword',
  'customers.resetfactors',
  'customers.sendlink',
  'customers.import',
  'fleet.inactivate',
  'fleet.transfer',
  // moves/moves.test.ts reads them back: the positions are another vehicle's
  'moves.tyres',
  'moves.leave',
  'tyres.remove',
  'operations.unscan',
  'operations.delete',
  'operations.cancel',
  'operations.withdraw',
  'operations.confirm',
  'operations.closemissing',
  'operations.noshow',
  'operations.markscan',
  // what a run is begun with is answered with it; billing/billing.test.ts reads it back
  'billing.begin',
  'billing.make',
  'billing.cancel',
  'billing.resume',
  'billing.undo',
  // charges/charges.test.ts reads them back: what a rule may say depends on its kind
  'tariff.add',
  'tariff.succeed',
  'tariff.end',
  'tariff.remove',
  'charges.inject',
  'charges.waive',
  'charges.unwaive',
  'charges.counter',
  'billing.mail',
  'invoicing.inject',
  'invoicing.unmarkinvoiced',
  'invoicing.undomarking',
  'invoicing.waive',
  'invoicing.unwaive',
  'invoicing.credit',
  'invoicing.withdraw',
  'locations.make',
  'locations.remove',
  'locations.move',
  'people.erasedriver',
  'people.eraseaccount',
  'locale.delete',
  'locale.forget',
  'locale.import',
  // takes pictures in a form: what it makes of a site is read back in config/config.test.ts
  'hotelconfig.new',
]

// ---- Writing and reading back -------------------------------------------------------------------------------------------------

/** The fields of a thing in an input, or in an output, without what stands before them. */
function fieldsOf(schema: z.ZodType, before = ''): Map<string, Schemas> {
  const strip = before === '' ? '' : `${before}.`
  return new Map(
    [...leavesOf(schema)].flatMap(([path, leaf]) =>
      path.startsWith(strip) ? [[path.slice(strip.length), leaf] as const] : [],
    ),
  )
}

/** An answer's one-item lists are no lists of the thing. */
const unwrapped = (path: string) =>
  path
    .split('.')
    .filter(piece => piece !== '*')
    .join('.')

/** The fields that a call writes and an answer has, by the way in the input, with the way in the answer. */
function sharedFields(
  { read, answered: before, renamed = {}, unwritten = {} }: Thing,
  write: Write,
): Map<string, { schemas: Schemas; read: string }> {
  const answered = new Set([...fieldsOf(read.call.output, before).keys()].map(unwrapped))
  return new Map(
    [...fieldsOf(write.call.input, write.at)].flatMap(([path, schemas]) => {
      if (path in unwritten) return []
      const there = renamed[path] ?? path
      return answered.has(unwrapped(there)) ? [[path, { schemas, read: there }] as const] : []
    }),
  )
}

const valuesFor = (thing: Thing, fields: ReadonlyMap<string, { schemas: Schemas }>, round: number) =>
  new Map(
    [...fields].map(([path, { schemas }], nth) => {
      const given = thing.given?.[path]
      return [path, given ? given(round) : valueOf(path, schemas, nth, round)] as const
    }),
  )

async function send(
  { call, at: before, beside = () => ({}) }: Write,
  who: Principal,
  values: Map<string, unknown>,
  id: number,
) {
  const fields = bodyOf(values)
  const own = beside(id)
  // further fields go with the thing's own, or around them
  const inside = before === undefined || !('seq_id' in own)
  const body = inside ? { ...fields, ...own } : fields
  const around = before === undefined ? body : bodyOf(new Map([[before, body]]))
  const reply = await w.send(call.path, who, inside ? around : { ...around, ...own })
  if (reply.status !== 200) throw new Error(`${call.name} answers ${reply.text}`)
  return reply.answer
}

/** The fields that differ from the value written. */
async function faultsOf(thing: Thing): Promise<string[]> {
  const who = thing.who?.(w) ?? w.who.admin
  const faults: string[] = []
  const check = async (
    fields: ReturnType<typeof sharedFields>,
    values: Map<string, unknown>,
    id: number,
    when: string,
  ) => {
    const { call, ask } = thing.read
    const reply = await (call.method === 'GET' ? w.ask(call, who, ask(id)) : w.send(call.path, who, ask(id)))
    const kept = thing.read.pick(reply.answer as never, id)
    for (const [path, { read }] of fields) {
      const sent = values.get(path)
      const actual = plain(at(kept, read), sent)
      if (JSON.stringify(actual) !== JSON.stringify(sent))
        faults.push(`${thing.what}: ${path} is ${JSON.stringify(actual)} after ${when} with ${JSON.stringify(sent)}`)
    }
  }
  let id = (await thing.made?.()) ?? 0
  if (thing.create) {
    const fields = sharedFields(thing, thing.create)
    const values = valuesFor(thing, fields, 0)
    id = thing.create.id?.(await send(thing.create, who, values, id)) ?? id
    await check(fields, values, id, 'creating')
  }
  if (thing.change) {
    const fields = sharedFields(thing, thing.change)
    const flags = [...fields.values()].filter(({ schemas }) =>
      schemas.some(schema => defOf(schema).type === 'boolean'),
    ).length
    for (let round = 1; round <= 1 + Math.ceil(Math.log2(flags + 2)); round++) {
      const values = valuesFor(thing, fields, round)
      await send(thing.change, who, values, id)
      await check(fields, values, id, 'changing')
    }
  }
  return faults
}

describe('what is written is read back:', () => {
  test.each(things.map(thing => [thing.what, thing] as const))('%s', async (_, thing) => {
    const fields = [thing.create, thing.change].flatMap(write => (write ? [...sharedFields(thing, write).keys()] : []))
    expect(fields.length).toBeGreaterThan(0)
    expect(await faultsOf(thing)).toEqual([])
  })

  test('every call that changes something is tried, or accepts no field that is answered', () => {
    const tried = new Set(things.flatMap(({ create, change }) => [create?.call.name, change?.call.name]))
    const changing = calls.filter(({ call }) => call.invalidates.length > 0).map(({ name }) => name)
    expect(changing.filter(name => !tried.has(name) && !withoutFields.includes(name))).toEqual([])
  })

  const vehicleThing = things[0] as Thing
  test.each([
    ['brand', updateVehicle, /brand = coalesce\((\$\d+), brand\)/, 'brand = coalesce(nullif($1::text, $1), brand)'],
    [
      'driver.email',
      updateVehicle,
      /driver_email = coalesce\((\$\d+), driver_email\)/,
      'driver_email = coalesce(nullif($1::text, $1), driver_email)',
    ],
  ] as [string, Statement, RegExp, string][])(
    'the control: %s taken out of an update is noticed',
    async (field, changed, column, without) => {
      const restore = replaceStatement(changed, sql => sql.replace(column, without))
      try {
        expect((await faultsOf(vehicleThing)).join()).toContain(`a vehicle: ${field} is`)
      } finally {
        restore()
      }
    },
  )
})
