/**
 * A year at a small tyre hotel: what happens on which day, and the sheet of what that comes to. The sheet is a plain script over the
 * wheels' events, day by day: it knows no ledger, no stays and no tariff of the portal. Amounts are in cents.
 */
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import type { TariffKind } from '#domain/money/tariff.ts'
import type { RawInput } from '#contract/call.ts'
import { contract } from '#contract/index.ts'
import { chargeLongStored } from '../features/tariff/overstays.ts'
import { sellerDetails } from './bodies.ts'
import { addOperation, addService } from './operations.ts'
import type { World } from './world.ts'

const prices = {
  storage: [
    { since: '2025-01-01', cents: 35 },
    { since: '2026-07-01', cents: 40 },
  ],
  balancing: { cents: 450, vat: 6 },
  missed: 2500,
  disposal: 250,
  overstay: { days: 200, cents: 300 },
  minimum: 1500,
}
const vatOfSite = 21

type Deed = { day: IsoDate; plate: string; set: 'Summer' | 'Winter' } & (
  | { does: 'store'; balanced?: true; wheels?: readonly Position[]; without?: Position }
  | { does: 'recall' | 'scrap' }
  | { does: 'miss'; waived?: true }
)
const positions = ['1A', '1B', '2A', '2B'] as const
type Position = (typeof positions)[number]

/** Whose vehicles they are; the third customer stores too little for a document without the minimum. */
const plates = {
  'Garage Alfa': ['1ALF001', '1ALF002', '1ALF003'],
  'Lease Beta': ['1BET001', '1BET002'],
  'Gamma Taxi': ['1GAM001'],
} as const

const swap = (day: IsoDate, plate: string, [comes, goes]: readonly ['Summer' | 'Winter', 'Summer' | 'Winter']) =>
  [
    { day, plate, set: comes, does: 'store' },
    { day, plate, set: goes, does: 'recall' },
  ] satisfies Deed[]
const spring = ['Winter', 'Summer'] as const
const autumn = ['Summer', 'Winter'] as const

/** The deeds of the year, in the order of days. */
const deeds: readonly Deed[] = [
  { day: '2025-10-20', plate: '1ALF001', set: 'Summer', does: 'store' },
  { day: '2025-11-03', plate: '1ALF002', set: 'Summer', does: 'store' },
  // it stays for longer than 200 days
  { day: '2025-11-10', plate: '1ALF003', set: 'Summer', does: 'store' },
  { day: '2025-11-12', plate: '1BET001', set: 'Summer', does: 'store', balanced: true },
  { day: '2025-11-30', plate: '1BET002', set: 'Summer', does: 'store' },
  // spring
  ...swap('2026-03-24', '1ALF001', spring),
  { day: '2026-03-27', plate: '1ALF002', set: 'Summer', does: 'miss' },
  ...swap('2026-03-30', '1ALF002', spring),
  // the day on which clocks change
  { day: '2026-03-29', plate: '1BET001', set: 'Winter', does: 'store', balanced: true },
  { day: '2026-04-01', plate: '1BET001', set: 'Summer', does: 'recall' },
  // one of four is missing, and comes a week later
  { day: '2026-04-14', plate: '1BET002', set: 'Winter', does: 'store', without: '2B' },
  { day: '2026-04-14', plate: '1BET002', set: 'Summer', does: 'recall' },
  { day: '2026-04-21', plate: '1BET002', set: 'Winter', does: 'store', wheels: ['2B'] },
  { day: '2026-06-04', plate: '1ALF003', set: 'Summer', does: 'recall' },
  { day: '2026-06-20', plate: '1GAM001', set: 'Winter', does: 'store' },
  // summer
  { day: '2026-07-15', plate: '1ALF003', set: 'Winter', does: 'store', balanced: true },
  { day: '2026-08-06', plate: '1ALF001', set: 'Winter', does: 'scrap' },
  { day: '2026-08-12', plate: '1GAM001', set: 'Winter', does: 'recall' },
  { day: '2026-09-02', plate: '1BET001', set: 'Winter', does: 'miss', waived: true },
  // autumn
  { day: '2026-10-12', plate: '1ALF001', set: 'Summer', does: 'store' },
  ...swap('2026-10-20', '1BET001', autumn),
  ...swap('2026-10-26', '1ALF002', autumn),
  { day: '2026-11-05', plate: '1BET002', set: 'Winter', does: 'recall' },
  { day: '2026-11-06', plate: '1BET002', set: 'Summer', does: 'store', balanced: true },
  { day: '2026-11-16', plate: '1ALF003', set: 'Winter', does: 'recall' },
  { day: '2026-11-16', plate: '1ALF003', set: 'Summer', does: 'store' },
].toSorted((a, b) => a.day.localeCompare(b.day)) as Deed[]

/** The three runs: up to which day each charges, and the day on which it is made. */
export const runs = [
  { until: '2026-06-30', on: '2026-07-02' },
  { until: '2026-09-30', on: '2026-10-02' },
  { until: '2026-12-31', on: '2027-01-04' },
] as const
/** Up to here everything was paid before the year began. */
export const paid = '2025-12-31'

export type Hotel = {
  /** The customers' numbers by name. */
  readonly customers: Readonly<Record<keyof typeof plates, number>>
  /** Lets the days pass up to this one, and what happens on them happen. */
  passTo(day: IsoDate): Promise<void>
  /** The charges of each customer for the days and deeds after `from`, to `until`. */
  sheet(from: IsoDate, until: IsoDate): Promise<Sheet>
}
type SheetLine = { customer: number; day: IsoDate; kind: TariffKind; cents: number; vat: number }
type Sheet = {
  readonly lines: readonly SheetLine[]
  /** The sum of a customer by kind, with the supplement up to the least amount of a document. */
  of(customer: number): { parts: Partial<Record<TariffKind, number>>; net: number; vat: number }
  /** The plates and sets in store at the end of `until`. */
  stored(customer: number): string[]
}

/** Opens the hotel in a world whose clock it then moves: its prices, customers, vehicles, and two sets for each. */
export async function openHotel(w: World): Promise<Hotel> {
  const { admin } = w.who
  const { tariff, operations, charges, invoices, invoicing } = contract
  let today: IsoDate = '2025-10-19'
  await setClock(w, today)
  await w.setSite(w.sites.home, {
    do_doc_insert: false,
    time_zone: 'Europe/Brussels',
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_day',
    invoicing_period: 30,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: prices.storage[0]!.cents / 100,
  })
  const balancing = await addService(w)
  const rule = (fields: Partial<RawInput<typeof tariff.add>> & Pick<RawInput<typeof tariff.add>, 'kind' | 'per'>) =>
    must(w.ask(tariff.add, admin, { since: '2025-01-01', price_excl: 1, ...fields }))
  const [, dearer] = prices.storage
  await rule({ kind: 'storage', per: 'set', mode: 'per_day', since: dearer!.since, price_excl: dearer!.cents / 100 })
  const { cents, vat } = prices.balancing
  await rule({ kind: 'service', per: 'tyre', service: balancing, price_excl: cents / 100, vat_rate: vat })
  await rule({ kind: 'no_show', per: 'operation', price_excl: prices.missed / 100 })
  await rule({ kind: 'disposal', per: 'tyre', price_excl: prices.disposal / 100 })
  const { days, cents: overstay } = prices.overstay
  await rule({ kind: 'overstay', per: 'tyre', after_days: days, price_excl: overstay / 100 })
  await rule({ kind: 'minimum', per: 'document', price_excl: prices.minimum / 100 })
  await must(w.ask(invoices.setup, admin, sellerDetails))

  const customers = {} as Record<keyof typeof plates, number>
  const vehicles = new Map<string, { customer: number; vehicle: number; tyres: Map<string, number[]> }>()
  for (const [name, owned] of Object.entries(plates)) {
    const [row] = await w.query<{ id: number }>(
      `insert into customer (site_id, name, street, city) values ($1, $2, 'Kaai 1', 'Gent') returning id`,
      [w.sites.home, name],
    )
    const customer = (customers[name as keyof typeof plates] = row!.id)
    for (const plate of owned) {
      const vehicle = await w.addVehicle({ customer, plate })
      const tyres = new Map<string, number[]>()
      for (const set of ['Summer', 'Winter']) tyres.set(set, await w.addSet({ vehicle, set, status: 'at_customer' }))
      vehicles.set(plate, { customer, vehicle, tyres })
    }
  }

  async function happen(deed: Deed): Promise<void> {
    const { customer, vehicle, tyres: sets } = vehicles.get(deed.plate)!
    const all = sets.get(deed.set)!
    const at = (wanted: readonly Position[]) => wanted.map(position => all[positions.indexOf(position)]!)
    const brought = deed.does === 'store' && deed.wheels ? at(deed.wheels) : all
    const type = ({ store: 'to_stock', recall: 'to_customer', scrap: 'to_waste', miss: 'to_customer' } as const)[
      deed.does
    ]
    const { id } = await addOperation(w, {
      customer,
      vehicle,
      type,
      status: 'submitted',
      tyres: brought,
      services: deed.does === 'store' && deed.balanced ? [balancing] : [],
      deliveryDate: deed.does === 'miss' ? deed.day : null,
    })
    if (deed.does === 'miss') {
      await must(w.ask(operations.noshow, admin, { operation: id }))
      if (deed.waived) {
        const [missed] = await must(w.ask(charges.list, admin, { all: false }))
        await must(w.ask(charges.waive, admin, { charges: [missed!._id], reason: 'Nobody was told' }))
      }
      // it is asked for again another day
      await w.query(`update operation_tyre set open = false where operation_id = $1`, [id])
      await w.query(`update operation set status = 'cancelled', handled_at = $2 where id = $1`, [id, w.clock.now])
      return
    }
    const absent = deed.does === 'store' && deed.without ? at([deed.without]) : []
    const here = brought.filter(tyre => !absent.includes(tyre))
    await must(w.ask(operations.confirm, admin, { operation: { _id: id }, anyway: true, here }))
  }

  return {
    customers,
    async passTo(day) {
      while (today < day) {
        today = addDays(today, 1)
        await setClock(w, today)
        for (const deed of deeds) if (deed.day === today) await happen(deed)
        await chargeLongStored(w.database, w.clock.now)
        if (today === paid) {
          const stored = await w.query<{ id: number }>(`select id from tyre where status = 'in_stock'`)
          await must(w.ask(invoicing.markinvoiced, admin, { tyres: stored.map(({ id }) => id), date: paid }))
          const open = await must(w.ask(charges.list, admin, { all: false }))
          await must(
            w.ask(charges.waive, admin, { charges: open.map(({ _id }) => _id), reason: 'Paid before the year' }),
          )
        }
      }
    },
    sheet: async (from, until) => sheetOf(await eventsOf(w), { from, until, owners: vehicles }),
  }
}

async function setClock(w: World, day: IsoDate): Promise<void> {
  const now = new Date(`${day}T12:00:00Z`)
  // first, so that a page which asks for something in between is still signed in
  await w.query('update session set seen_at = $1, created_at = $1', [now])
  w.clock.now = now
}

async function must<A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> {
  const { status, text, answer } = await reply
  if (status !== 200) throw new Error(text)
  return answer
}

type Event = { tyre: number; vehicle: number; customer: number; set: string; plate: string; day: IsoDate; kind: string }

/** Whose wheel came or left on which day, as the portal recorded it. */
const eventsOf = (w: World) =>
  w.query<Event>(
    `select e.tyre_id as tyre, t.vehicle_id as vehicle, t.customer_id as customer, t.tyre_set as set, v.license_plate as plate,
       (e.at at time zone 'Europe/Brussels')::date::text as day, e.kind
     from tyre_event e join tyre t on t.id = e.tyre_id join vehicle v on v.id = t.vehicle_id
     where e.kind in ('received', 'delivered', 'scrapped') order by e.id`,
  )

function sheetOf(
  events: readonly Event[],
  { from, until, owners }: { from: IsoDate; until: IsoDate; owners: ReadonlyMap<string, { customer: number }> },
): Sheet {
  const lines: SheetLine[] = []
  const line = (customer: number, day: IsoDate, kind: TariffKind, cents: number, vat = vatOfSite) => {
    if (day > from && day <= until) lines.push({ customer, day, kind, cents, vat })
  }
  /** The stock at the end of a day, with the number of days that each wheel has been there. */
  const present = new Map<number, { event: Event; days: number }>()
  for (let day = events[0]?.day ?? until; day <= until; day = addDays(day, 1)) {
    // the day on which a wheel leaves is stored, the one on which it comes is not
    const sets = new Map<string, Event>()
    for (const stay of present.values()) {
      stay.days++
      sets.set(`${stay.event.vehicle} ${stay.event.set}`, stay.event)
      if (stay.days === prices.overstay.days + 1) line(stay.event.customer, day, 'overstay', prices.overstay.cents)
    }
    const price = prices.storage.findLast(({ since }) => since <= day)!.cents
    for (const { customer } of sets.values()) line(customer, day, 'storage', price)
    for (const event of events) {
      if (event.day !== day) continue
      if (event.kind === 'received') present.set(event.tyre, { event, days: 0 })
      else present.delete(event.tyre)
      if (event.kind === 'scrapped') line(event.customer, day, 'disposal', prices.disposal)
    }
  }
  for (const deed of deeds) {
    const { customer } = owners.get(deed.plate)!
    if (deed.does === 'store' && deed.balanced) {
      const { cents, vat } = prices.balancing
      line(customer, deed.day, 'service', cents * (deed.wheels ?? positions).length, vat)
    }
    if (deed.does === 'miss' && !deed.waived) line(customer, deed.day, 'no_show', prices.missed)
  }
  return {
    lines,
    of(customer) {
      const theirs = lines.filter(line => line.customer === customer)
      const parts: Partial<Record<TariffKind, number>> = {}
      const byRate = new Map<number, number>()
      const add = (kind: TariffKind, cents: number, vat: number) => {
        parts[kind] = (parts[kind] ?? 0) + cents
        byRate.set(vat, (byRate.get(vat) ?? 0) + cents)
      }
      for (const { kind, cents, vat } of theirs) add(kind, cents, vat)
      const sum = theirs.reduce((total, { cents }) => total + cents, 0)
      if (sum > 0 && sum < prices.minimum) add('minimum', prices.minimum - sum, vatOfSite)
      return {
        parts,
        net: [...byRate.values()].reduce((total, cents) => total + cents, 0),
        vat: [...byRate].reduce((total, [rate, cents]) => total + Math.round((cents * rate) / 100), 0),
      }
    },
    stored: customer =>
      [
        ...new Set(
          [...present.values()]
            .filter(({ event }) => event.customer === customer)
            .map(({ event }) => `${event.plate} ${event.set}`),
        ),
      ].toSorted(),
  }
}
