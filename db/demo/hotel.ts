/**
 * The deeds of a tyre hotel, and the rows they write: tyres come, are mounted, stored, recalled, measured,
 * moved, invoiced and thrown away. Each deed changes the tyres and records itself, so that a tyre lies where its last
 * storage put it and a document tells of an operation that happened.
 */
import { addDays, weekday, daysBetween, type IsoDate } from '#domain/texts/date.ts'
import { firstDeliveryDate, isDayFull, type TransportRules } from '#domain/operations/delivery.ts'
import { siteRule, storageUnits } from '#domain/money/tariff.ts'
import {
  may,
  statusAfter,
  type OfferedType,
  type OperationType,
  type Rim,
  type TyreStatus,
} from '#domain/tyres/tyre.ts'
import type { Calendar } from './calendar.ts'
import type { Use } from './catalogue.ts'
import { chance, type Chance } from './chance.ts'
import type { Customer, Tyre, TyreGroup, Vehicle } from './fleet.ts'
import type { ServicePlan, SitePlan, TransportPlan } from './sites.ts'
import type { Warehouse } from './warehouse.ts'

export type Service = ServicePlan & { readonly id: number }
export type Transport = TransportPlan & { readonly id: number }

export type Scan = { readonly id: string; readonly tyre: Tyre; readonly at: Date; readonly received: Date }

export type Operation = {
  id: number
  readonly type: OperationType
  readonly status: 'pending' | 'submitted' | 'confirmed' | 'cancelled'
  readonly vehicle: Vehicle
  readonly tyres: readonly Tyre[]
  readonly services: readonly Service[]
  readonly account: number
  readonly created: Date
  readonly submitted: Date | null
  readonly updated: Date
  readonly handled: Date | null
  readonly transport: Transport | null
  readonly deliveryDate: IsoDate | null
  readonly remarks: string
  readonly rims: Rim | null
  readonly bolts: boolean
  readonly hubcaps: boolean
  readonly tachometer: number | null
  readonly scans: readonly Scan[]
}

export type TyreEvent = {
  readonly tyre: Tyre
  readonly kind:
    | 'added'
    | 'received'
    | 'moved'
    | 'measured'
    | 'scanned'
    | 'mounted'
    | 'invoiced'
    | 'scrapped'
    | 'delivered'
    | 'spared'
  readonly at: Date
  readonly account: number
  readonly operation: Operation | null
  /** The state into which this brought the tyre; none for what changes no state. */
  readonly status: TyreStatus | null
  readonly place: number | null
  readonly depth: number | null
  readonly odometer: number | null
  readonly note: string
}

type DocumentLine = {
  readonly article: string | null
  readonly description: string
  readonly quantity: number | null
  readonly price: number | null
}

/** The days after `since`, up to `until`, that a document charges for a tyre. */
type Charge = { readonly tyre: Tyre; readonly since: IsoDate; readonly until: IsoDate }

export type Document = {
  readonly customer: Customer
  readonly vehicle: Vehicle | null
  readonly operation: Operation | null
  readonly type: 'reservation' | 'worknote' | 'deliverynote'
  readonly reason: 'operation' | 'storage'
  readonly year: number
  readonly number: number
  readonly date: IsoDate
  readonly created: Date
  readonly lines: readonly DocumentLine[]
  readonly charges: readonly Charge[]
}

/** The day up to which the present stay of a tyre is paid. */
const since = ({ statusDate, paidTo: paid }: Tyre): IsoDate => (paid !== null && paid > statusDate ? paid : statusDate)

/** The records of a site's two years. */
export type Story = {
  readonly operations: readonly Operation[]
  readonly events: readonly TyreEvent[]
  readonly documents: readonly Document[]
}

export type Scene = {
  readonly plan: SitePlan
  readonly customers: readonly Customer[]
  readonly vehicles: readonly Vehicle[]
  readonly warehouse: Warehouse
  readonly services: readonly Service[]
  readonly transports: readonly Transport[]
  readonly calendar: Calendar
  /** The number of the article under which storage is invoiced. */
  readonly storageArticle: number
  /** The accounts that act: the administrator's, and those of customers who have one. */
  readonly accounts: { readonly admin: number; readonly of: (customer: Customer) => number | null }
}

/** Documents of operations are made since so many days; before, the site didn't want them. */
const documentsSince = 300

/** Millimetres of tread that go on a thousand kilometres. */
const wearOn: Readonly<Record<Use, number>> = {
  car: 0.13,
  van: 0.12,
  steer: 0.03,
  drive: 0.032,
  trailer: 0.028,
  bus: 0.045,
  towed: 0.05,
  motorcycle: 0.35,
}

const effect = {
  to_stock: 'received',
  to_customer: 'delivered',
  to_waste: 'scrapped',
  to_spare: 'spared',
} as const satisfies Record<OperationType, TyreEvent['kind']>

const minute = 60_000
const hour = 60 * minute

type Handled = Pick<TyreGroup, 'tyres' | 'onRims'>

function requireAllowed(type: OperationType, tyres: readonly Tyre[]): void {
  for (const tyre of tyres) {
    if (!tyre.status || !may(type, { tyre_status: tyre.status }))
      throw new Error(`${type} of a tyre that is ${tyre.status}`)
  }
}

/** The bookings by transport and day. */
type Taken = Map<string, { operations: number; tyres: number }>
type Day = Pick<Operation, 'transport' | 'deliveryDate'>
const noDay: Day = { transport: null, deliveryDate: null }
/** Of the submitted storages the first ones are scanned in part. */
const lastScannedStorage = 2

/** A tyre hotel in which nothing has happened yet. Deeds are done in the order of their moments. */
export function openHotel(scene: Scene, draw: Chance) {
  const { plan, calendar, warehouse, accounts } = scene
  const operations: Operation[] = []
  const events: TyreEvent[] = []
  const documents: Document[] = []
  const lastNumbers = new Map<string, number>()
  const deliveries: Taken = new Map()
  const arriving: Taken = new Map()
  const arrivals = chance(`arrivals of ${plan.code}`)

  // Tyres --------------------------------------------------------------------------------------------------------------

  const odometer = ({ odometer: meter, joined }: Vehicle, day: IsoDate): number | null =>
    meter && Math.round(meter.start + meter.perDay * Math.max(0, daysBetween(calendar.ago(joined), day)))

  /** The kilometres that wear a trailer's tyres are nowhere written, but driven all the same. */
  const travelled = (vehicle: Vehicle, day: IsoDate): number => {
    const perDay = vehicle.odometer?.perDay ?? (vehicle.model.yearly[0] * 1000) / 365
    return perDay * Math.max(0, daysBetween(calendar.ago(vehicle.joined), day))
  }

  const record = (
    tyre: Tyre,
    kind: TyreEvent['kind'],
    at: Date,
    facts: Partial<Pick<TyreEvent, 'operation' | 'status' | 'place' | 'depth' | 'odometer' | 'note'>> = {},
  ): void => {
    if (!tyre.status) throw new Error('unknown tyre')
    events.push({
      tyre,
      kind,
      at,
      account: accounts.admin,
      operation: null,
      status: null,
      place: null,
      depth: null,
      odometer: null,
      note: '',
      ...facts,
    })
  }

  const measure = (tyre: Tyre, at: Date, operation: Operation | null, tacho: number | null): void => {
    const day = calendar.dayOf(at)
    tyre.profileDepth = tyre.depth
    tyre.profileDate = day
    tyre.profileTacho = plan.rules.allowTachometer ? tacho : null
    record(tyre, 'measured', at, { operation, depth: tyre.depth, odometer: tyre.profileTacho })
  }

  /** The tread that has gone since the tyre came on the road, or was last looked at. */
  const wear = (tyre: Tyre, day: IsoDate): void => {
    const now = travelled(tyre.vehicle, day)
    const steering = tyre.position.startsWith('1') ? 1.12 : 0.92
    const left = tyre.depth - ((now - tyre.roadFrom) / 1000) * wearOn[tyre.article.use] * steering
    tyre.depth = Math.max(1.6, Math.round(left * 10) / 10)
    tyre.roadFrom = now
  }

  const addTyres = (tyres: readonly Tyre[], at: Date): void => {
    const day = calendar.dayOf(at)
    const isMeasured = draw.likely(0.93)
    for (const tyre of tyres) {
      tyre.status = 'at_customer'
      tyre.statusDate = day
      tyre.freeSince = at.getTime()
      tyre.roadFrom = travelled(tyre.vehicle, day)
      record(tyre, 'added', at, { status: tyre.status })
      if (isMeasured) measure(tyre, new Date(at.getTime() + 5 * minute), null, odometer(tyre.vehicle, day))
    }
  }

  const mountTyres = (tyres: readonly Tyre[], at: Date): void => {
    const day = calendar.dayOf(at)
    for (const tyre of tyres) {
      tyre.status = 'on_vehicle'
      tyre.statusDate = day
      record(tyre, 'mounted', at, { status: tyre.status, odometer: odometer(tyre.vehicle, day) })
    }
  }

  const puts = (tyres: readonly Tyre[]): void => {
    const place = warehouse.put(tyres.length, holdsOf(tyres))
    for (const tyre of tyres) tyre.place = place
  }

  const leaves = (tyre: Tyre): void => {
    if (tyre.place) warehouse.take(tyre.place)
    tyre.place = null
  }

  /** A rack is tidied: the tyres go to another place. */
  const moveTyres = (tyres: readonly Tyre[], at: Date): void => {
    const note = draw.pick(plan.words.movedBecause)
    for (const tyre of tyres) leaves(tyre)
    puts(tyres)
    for (const tyre of tyres) record(tyre, 'moved', at, { place: tyre.place?.id ?? null, note })
  }

  /** The person in charge of a fleet measures the tyres on the road. */
  const inspectTyres = (tyres: readonly Tyre[], at: Date): void => {
    const day = calendar.dayOf(at)
    for (const tyre of tyres) {
      if (tyre.status !== 'on_vehicle') continue
      wear(tyre, day)
      measure(tyre, at, null, odometer(tyre.vehicle, day))
    }
  }

  // Operations ---------------------------------------------------------------------------------------------------------

  const servicesFor = (type: OperationType): Service[] =>
    scene.services.filter(
      service => service.type === type && (service.preselected || draw.likely((service.share ?? 0) / 100)),
    )

  const creatorOf = (customer: Customer): number => (draw.likely(0.75) ? accounts.of(customer) : null) ?? accounts.admin

  const partsOf = (
    group: Pick<TyreGroup, 'onRims'>,
    type: OperationType,
  ): Pick<Operation, 'rims' | 'bolts' | 'hubcaps'> => {
    const rims = type === 'to_stock' ? group.onRims : null
    return { rims, bolts: rims !== null && draw.likely(0.4), hubcaps: rims === 'steel' && draw.likely(0.55) }
  }

  const scansOf = (tyres: readonly Tyre[], handled: Date): Scan[] => {
    const start = handled.getTime() - draw.between(6, 45) * minute
    return tyres.flatMap((tyre, nth) =>
      Array.from({ length: draw.likely(0.03) ? 2 : 1 }, (_, again) => {
        const at = new Date(start + (nth * 9 + again * 4) * 1000)
        return { id: draw.uuid(), tyre, at, received: new Date(at.getTime() + draw.between(1, 10) * 1000) }
      }),
    )
  }

  /** Whether a transport takes one more operation on a day, counted as the database counts submitted recalls, and storages apart. */
  const hasRoom = (transport: Transport, day: IsoDate, taken: Taken = deliveries): boolean =>
    !isDayFull(taken.get(`${transport.id} ${day}`) ?? { operations: 0, tyres: 0 }, rulesOf(transport))
  const takeRoom = (
    { id }: Transport,
    day: IsoDate,
    { tyres, taken = deliveries }: { tyres: number; taken?: Taken },
  ): void => {
    const before = taken.get(`${id} ${day}`) ?? { operations: 0, tyres: 0 }
    taken.set(`${id} ${day}`, { operations: before.operations + 1, tyres: before.tyres + tyres })
  }
  const closedDays = calendar.closed.map(({ day }) => day)
  const drives = ({ days }: Transport, day: IsoDate) => days.includes(weekday(day)) && !closedDays.includes(day)

  const transportOn = (day: IsoDate, tyres: number): Transport | null => {
    const open = scene.transports.filter(transport => transport.days.includes(weekday(day)) && hasRoom(transport, day))
    const usual = open.find(transport => transport.default && draw.likely(0.7))
    const chosen = usual ?? (open.length > 0 ? draw.pick(open) : null)
    if (chosen) takeRoom(chosen, day, { tyres })
    return chosen
  }

  const tachometerOf = (vehicle: Vehicle, type: OperationType, day: IsoDate): number | null =>
    plan.rules.allowTachometer && type === 'to_stock' && draw.likely(0.85) ? odometer(vehicle, day) : null

  const remarksOf = (type: OperationType): string =>
    type !== 'to_spare' && draw.likely(type === 'to_waste' ? 0.6 : 0.16) ? draw.pick(plan.words.remarks[type]) : ''

  /** An operation asked for some days before it is handled, and never before its tyres were free. */
  const asks = (tyres: readonly Tyre[], handled: Date): Pick<Operation, 'created' | 'submitted'> => {
    const free = Math.max(...tyres.map(tyre => tyre.freeSince)) + 20 * minute
    const wanted = calendar.moment(addDays(calendar.dayOf(handled), -draw.between(1, 8)), draw.between(480, 1260))
    const created = Math.max(wanted.getTime(), free)
    const submitted = Math.min(created + draw.between(2, 50) * minute, handled.getTime() - hour)
    if (submitted < created) throw new Error('an operation was handled before it was asked for')
    return { created: new Date(created), submitted: new Date(submitted) }
  }

  const confirmOperation = (type: OperationType, group: Handled, at: Date, remarks?: string): void => {
    const { tyres } = group
    const [first] = tyres
    if (!first) return
    const day = calendar.dayOf(at)
    const { vehicle } = first
    requireAllowed(type, tyres)
    const unscanned = draw.likely(0.05) ? draw.pick(tyres) : null
    const operation: Operation = {
      id: 0,
      type,
      status: 'confirmed',
      vehicle,
      tyres,
      services: servicesFor(type),
      account: creatorOf(vehicle.customer),
      ...asks(tyres, at),
      updated: at,
      handled: at,
      transport: type === 'to_customer' ? transportOn(day, tyres.length) : null,
      deliveryDate: type === 'to_customer' ? day : null,
      remarks: remarks ?? remarksOf(type),
      ...partsOf(group, type),
      tachometer: tachometerOf(vehicle, type, day),
      scans:
        type === 'to_spare'
          ? []
          : scansOf(
              tyres.filter(tyre => tyre !== unscanned),
              at,
            ),
    }
    operations.push(operation)
    for (const scan of operation.scans) record(scan.tyre, 'scanned', scan.at, { operation })
    const came = new Date(at.getTime() - 3 * minute)
    if (type === 'to_stock') {
      for (const tyre of tyres) {
        wear(tyre, day)
        measure(tyre, came, operation, operation.tachometer)
      }
      puts(tyres)
    }
    for (const tyre of tyres) {
      if (type !== 'to_stock') leaves(tyre)
      tyre.status = statusAfter[type]
      tyre.statusDate = day
      tyre.freeSince = at.getTime()
      const stored = type === 'to_stock'
      Object.assign(tyre, {
        rims: stored ? operation.rims : null,
        bolts: stored && operation.bolts,
        hubcaps: stored && operation.hubcaps,
      })
      if (type === 'to_customer') tyre.roadFrom = travelled(vehicle, day)
      record(tyre, effect[type], at, {
        operation,
        status: tyre.status,
        place: tyre.place?.id ?? null,
        depth: tyre.profileDepth,
        odometer: operation.tachometer,
      })
    }
    documentOf(operation, day, at)
  }

  /** Somebody asks, and takes it back: the tyres stay as they are. */
  const cancelOperation = (type: OfferedType, group: Handled, at: Date): void => {
    const { tyres } = group
    const [first] = tyres
    const long = 3 * 24 * hour
    if (
      !first ||
      tyres.some(
        tyre => !tyre.status || !may(type, { tyre_status: tyre.status }) || at.getTime() - tyre.freeSince < long,
      )
    )
      return
    const day = calendar.dayOf(at)
    operations.push({
      id: 0,
      type,
      status: 'cancelled',
      vehicle: first.vehicle,
      tyres,
      services: servicesFor(type),
      account: creatorOf(first.vehicle.customer),
      ...asks(tyres, at),
      updated: at,
      handled: at,
      transport:
        type === 'to_customer'
          ? (scene.transports.find(transport => transport.days.includes(weekday(day))) ?? null)
          : null,
      deliveryDate: type === 'to_customer' ? day : null,
      remarks: draw.pick(plan.words.cancelled),
      ...partsOf(group, type),
      tachometer: null,
      scans: [],
    })
    for (const tyre of tyres) tyre.freeSince = at.getTime()
  }

  // Documents ----------------------------------------------------------------------------------------------------------

  const addDocument = (document: Omit<Document, 'year' | 'number'>): void => {
    const year = Number(document.date.slice(0, 4))
    const number = (lastNumbers.get(`${document.type} ${year}`) ?? 0) + 1
    lastNumbers.set(`${document.type} ${year}`, number)
    documents.push({ ...document, year, number })
  }

  const documentOf = (operation: Operation, date: IsoDate, created: Date): void => {
    const { rules, language } = plan
    if (date < calendar.ago(documentsSince) || rules.docInsertExceptions.includes(operation.type)) return
    addDocument({
      customer: operation.vehicle.customer,
      vehicle: operation.vehicle,
      operation,
      type: rules.docInsertType,
      reason: 'operation',
      date,
      created,
      lines: operation.services.map(({ method, article, price, texts }) => ({
        article,
        description: texts[language === 'dut' ? 'nl' : 'fr'],
        quantity: method === 'text_line' ? null : method === 'per_tyre' ? operation.tyres.length : 1,
        price: method === 'text_line' ? null : price,
      })),
      charges: [],
    })
  }

  /** Storage is written to a customer's account for what has lain a whole period unpaid (docs/product/money.md "Overdue storage"). */
  const invoices = (customer: Customer, at: Date): void => {
    const { price, documentType, ...rules } = plan.rules.invoicing
    const date = calendar.dayOf(at)
    const overdue = ({ statusDate, invoicedOn }: Tyre) =>
      daysBetween(invoicedOn !== null && invoicedOn > statusDate ? invoicedOn : statusDate, date)
    const owed = (tyre: Tyre) => Math.max(0, daysBetween(since(tyre), date))
    const lines: DocumentLine[] = []
    const charges: Charge[] = []
    for (const { vehicle, tyres } of groupsOf(scene.vehicles.filter(vehicle => vehicle.customer === customer))) {
      const due = tyres.filter(tyre => tyre.status === 'in_stock' && overdue(tyre) >= rules.period && owed(tyre) > 0)
      const [first] = due
      if (!first) continue
      const { units, paid } = storageUnits(
        due.map(tyre => ({
          tyre,
          id: tyre.id,
          vehicle: tyre.vehicle.id,
          set: tyre.setName,
          chosen: true,
          spans: [[since(tyre), date] as const],
          stays: [],
          ofSet: [],
          paid: [],
          paidSeasons: [],
          sizeClass: null,
          withRim: false,
        })),
        [siteRule(rules)],
        date,
      )
      lines.push({
        article: String(scene.storageArticle),
        description: `${plan.words.storage}: ${vehicle.plate}${first.setName ? ` ${first.setName}` : ''}`,
        quantity: units.reduce((sum, unit) => sum + unit.quantity, 0),
        price,
      })
      for (const {
        tyre: { tyre },
        until,
      } of paid) {
        charges.push({ tyre, since: since(tyre), until })
        tyre.paidTo = until
        tyre.invoicedOn = date
        record(tyre, 'invoiced', at)
      }
    }
    if (lines.length > 0)
      addDocument({
        customer,
        vehicle: null,
        operation: null,
        type: documentType,
        reason: 'storage',
        date,
        created: at,
        lines,
        charges,
      })
  }

  // Open operations ----------------------------------------------------------------------------------------------------

  /** An operation that nobody has handled yet; `nth` counts those of its type that are submitted. */
  const opens = (status: 'pending' | 'submitted', type: OfferedType, group: TyreGroup, nth: number): void => {
    const tyres =
      type === 'to_waste' && group.tyres.length > 2 && draw.likely(0.4) ? group.tyres.slice(0, 2) : group.tyres
    const vehicle = (tyres[0] as Tyre).vehicle
    const now = calendar.now.getTime()
    const free = Math.max(...tyres.map(tyre => tyre.freeSince)) + 20 * minute
    const days = status === 'pending' ? draw.between(0, 5) : draw.between(1, 8)
    const wanted =
      days === 0
        ? now - draw.between(10, 150) * minute
        : calendar.moment(calendar.ago(days), draw.between(480, 1260)).getTime()
    const created = Math.min(Math.max(wanted, free), now - 8 * minute)
    const sent = Math.min(created + draw.between(2, 40) * minute, now - 5 * minute)
    const delivery = dayOf[type](status, tyres.length, nth)
    const operation: Operation = {
      id: 0,
      type,
      status,
      vehicle,
      tyres,
      services: servicesFor(type),
      account: creatorOf(vehicle.customer),
      created: new Date(created),
      submitted: status === 'submitted' ? new Date(sent) : null,
      updated: new Date(sent),
      handled: null,
      ...delivery,
      remarks: remarksOf(type),
      ...partsOf(group, type),
      tachometer: tachometerOf(vehicle, type, calendar.today),
      scans: status === 'submitted' ? openScans(type, tyres, sent, nth) : [],
    }
    operations.push(operation)
    for (const scan of operation.scans) record(scan.tyre, 'scanned', scan.at, { operation })
  }

  /** Intake has begun on a few: some scanned in part and, where nothing is confirmed by itself, one as a whole. */
  const openScans = (type: OfferedType, tyres: readonly Tyre[], submitted: number, nth: number): Scan[] => {
    const whole = !plan.rules.autoProcessIntakeOnFullScan
    if (nth > (type === 'to_stock' ? lastScannedStorage : 0) || type === 'to_waste') return []
    const scanned = nth === 2 && whole ? tyres : tyres.slice(0, draw.between(1, Math.max(1, tyres.length - 1)))
    if (scanned.length === tyres.length && !whole) return []
    const start = Math.max(submitted + minute, calendar.now.getTime() - draw.between(12, 90) * minute)
    return scanned.map((tyre, at) => {
      const moment = new Date(start + at * 8000)
      return { id: draw.uuid(), tyre, at: moment, received: new Date(moment.getTime() + 2000) }
    })
  }

  /** The days of the next two weeks on which a transport drives and has room. */
  const daysAhead = (transport: Transport, taken: Taken = deliveries): IsoDate[] => {
    const first = firstDeliveryDate(rulesOf(transport), { ...calendar, closedDays })
    if (first === null) throw new Error(`${plan.name} never delivers by ${transport.code}`)
    return Array.from({ length: 16 }, (_, later) => addDays(first, later)).filter(
      day => drives(transport, day) && hasRoom(transport, day, taken),
    )
  }

  /**
   * How and when a storage arrives: of each three one is collected, one is brought on a day that its customer named, and one
   * comes unannounced. Scanned tyres already have come.
   */
  const arrivalOf = (status: 'pending' | 'submitted', tyres: number, nth: number): Day => {
    const usual = scene.transports.find(transport => transport.default)
    if (!usual || (status === 'submitted' && (nth <= lastScannedStorage || nth % 3 === 2))) return noDay
    if (status === 'pending' && !arrivals.likely(0.4)) return noDay
    if (nth % 3 === 1) {
      const days = Array.from({ length: 12 }, (_, later) => addDays(calendar.today, later + 1))
      const open = days.filter(day => weekday(day) !== 0 && !closedDays.includes(day))
      return { transport: null, deliveryDate: arrivals.pick(open) }
    }
    const day = arrivals.pick(daysAhead(usual, arriving))
    if (status === 'submitted') takeRoom(usual, day, { tyres, taken: arriving })
    return { transport: usual, deliveryDate: day }
  }

  /**
   * How and when a recall goes out. The van's first day is full, so that it can be seen how a day is booked; one
   * customer comes today, when somebody may; the rest is spread over two weeks.
   */
  const deliveryOf = (status: 'pending' | 'submitted', tyres: number, nth: number): Day => {
    const usual = scene.transports.find(transport => transport.default)
    const collected = scene.transports.find(transport => transport.advance === 0)
    if (!usual || !collected) throw new Error(`${plan.name} has no transport of its own`)
    if (status === 'pending') {
      const dated = draw.likely(0.6)
      return { transport: usual, deliveryDate: dated ? draw.pick(daysAhead(usual).slice(1)) : null }
    }
    if (nth < usual.operations) {
      const [first = null] = daysAhead(usual)
      if (first) takeRoom(usual, first, { tyres })
      return { transport: usual, deliveryDate: first }
    }
    if (nth === usual.operations && drives(collected, calendar.today))
      return { transport: collected, deliveryDate: calendar.today }
    const transport = draw.likely(0.5) ? usual : draw.pick(scene.transports)
    const day = draw.pick(daysAhead(transport))
    takeRoom(transport, day, { tyres })
    return { transport, deliveryDate: day }
  }
  const dayOf = { to_stock: arrivalOf, to_customer: deliveryOf, to_waste: () => noDay }

  return {
    joins: addTyres,
    mounts: mountTyres,
    moves: moveTyres,
    inspects: inspectTyres,
    confirms: confirmOperation,
    cancels: cancelOperation,
    invoices,
    opens,
    /** Everything that was written down, each in the order in which it happened. */
    written(): Story {
      return {
        operations: operations.toSorted((a, b) => a.created.getTime() - b.created.getTime()),
        events: events.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
        documents,
      }
    },
  }
}

/** A vehicle's tyres that are handled together: a set, or a tyre without one. */
export function groupsOf(
  vehicles: readonly Vehicle[],
): { vehicle: Vehicle; group: TyreGroup; tyres: readonly Tyre[] }[] {
  return vehicles.flatMap(vehicle => vehicle.groups.map(group => ({ vehicle, group, tyres: group.tyres })))
}

/** In which part of the warehouse tyres go. */
function holdsOf(tyres: readonly Tyre[]): 'sets' | 'loose' | 'heavy' {
  if (tyres.some(({ article }) => ['steer', 'drive', 'trailer', 'bus'].includes(article.use))) return 'heavy'
  return tyres.length < 3 ? 'loose' : 'sets'
}

/** A transport as the rules of delivery dates ask for it. */
const rulesOf = ({ days, advance, cutoff, operations, tyres }: Transport): TransportRules => ({
  operationDays: days,
  advanceDays: advance,
  cutoffHour: cutoff,
  operationsPerDay: operations,
  tyresPerDay: tyres,
})
