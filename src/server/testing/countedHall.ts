/**
 * A hall in which some wheels are not where the records say, for the drill of stock counts (docs/promises.md "Stock counts"). Who counts
 * in it scans what really lies there.
 */
import type { World } from './world.ts'

const faultKinds = ['moved', 'missing', 'foreign', 'twice'] as const
type FaultKind = (typeof faultKinds)[number]
/** `tyre`: the wheel; `place`: where it lies, or would; `label`: the tyre whose label it has. */
export type Fault = { readonly kind: FaultKind; readonly tyre: number; readonly place: number; readonly label: number }

/** A wheel as the records have it, and how many days ago it came to its place. */
type Recorded = { readonly tyre: number; readonly place: number; readonly rack: number; readonly days: number }

/** A number from 0 to 1, the same ones in the same order for a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const pick = <T>(some: readonly T[], random: () => number): T => some[Math.floor(random() * some.length)] as T

const perPlace = 4
const perRack = 50

/**
 * Builds a hall of so many places with four wheels each, of one vehicle, in racks of fifty. One wheel in six came to its place in the last
 * 60 days, one in a hundred places has its set in parts, one wheel in two hundred was confirmed without a scan.
 */
export async function buildHall(w: World, places: number): Promise<Recorded[]> {
  const random = randomFrom(7)
  await w.query(
    `with hall as (
       insert into location (site_id, kind, name, site_name, path) values ($1, 'site', 'Counted', 'Counted', '') returning id
     ), rack as (
       insert into location (site_id, parent_id, kind, name, site_name, path)
       select $1, hall.id, 'rack', 'R' || nth, 'Counted', 'R' || nth from hall, generate_series(1, $2) nth returning id, name)
     insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity)
     select $1, rack.id, 'place', nth::text, 'Counted', rack.name || '-' || nth, substr(rack.name, 2)::int * 100 + nth, $4
     from rack, generate_series(1, $3) nth`,
    [w.sites.home, Math.ceil(places / perRack), perRack, perPlace + 1],
  )
  const [base] = [await w.addVehicle({})]
  await w.addTyre({ vehicle: base })
  await w.query(
    `with model as (select * from tyre where vehicle_id = $2 limit 1
     ), place as (
       select id, row_number() over (order by walk) as nth from location where site_id = $1 and site_name = 'Counted' and kind = 'place'
     ), car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select v.site_id, v.customer_id, '2C' || lpad(place.nth::text, 6, '0'), v.brand, v.description, v.type, v.config_id
       from vehicle v, place where v.id = $2 and place.nth <= $3 returning id, license_plate)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, location_id)
     select model.site_id, model.customer_id, car.id, model.article_id, seat, model.description, 'Winter', 'in_stock', current_date,
       case when substr(car.license_plate, 3)::int % 100 = 0 and seat = '2B' then beside.id else place.id end
     from model, car, place, place beside, unnest(array['1A', '1B', '2A', '2B']) seat
     where place.nth = substr(car.license_plate, 3)::int and beside.nth = greatest(1, place.nth - 1)`,
    [w.sites.home, base, places],
  )
  const wheels = await w.query<{ tyre: number; place: number; rack: number }>(
    `select w.tyre_id as tyre, l.id as place, l.parent_id as rack from wheel w join location l on l.id = w.location_id
     where l.site_name = 'Counted' order by w.tyre_id`,
  )
  const days = wheels.map(() => Math.floor(random() < 1 / 6 ? random() * 60 : 60 + random() * 300))
  const unscanned = wheels.map(() => random() < 1 / 200)
  await w.query(
    `update wheel w set since = now() - make_interval(days => given.days), step = case when given.unscanned then 'store' else 'place' end
     from unnest($1::int[], $2::int[], $3::bool[]) as given(tyre, days, unscanned) where w.tyre_id = given.tyre`,
    [wheels.map(({ tyre }) => tyre), days, unscanned],
  )
  await w.query('analyze')
  return wheels.map((wheel, nth) => ({ ...wheel, days: days[nth] ?? 0 }))
}

/** The ways in which faults come about. None of them asks for the risk of a place. */
export const seedings = {
  'anywhere in the hall': () => () => true,
  'in one fortnight of careless work': () => (wheel: Recorded) => wheel.days >= 10 && wheel.days < 24,
  'in one rack in twenty': (hall: readonly Recorded[]) => {
    const careless = new Set([...new Set(hall.map(({ rack }) => rack))].filter((_, nth) => nth % 20 === 3))
    return (wheel: Recorded) => careless.has(wheel.rack)
  },
} as const satisfies Record<string, (hall: readonly Recorded[]) => (wheel: Recorded) => boolean>
export type Seeding = keyof typeof seedings

/** So many faults, of the kinds in turn, on wheels that the seeding chooses, each on another one. */
export function seedFaults(hall: readonly Recorded[], how: Seeding, many: number): Fault[] {
  const random = randomFrom(many + how.length)
  const candidates = hall.filter(seedings[how](hall))
  const used = new Set<number>()
  const unused = (some: readonly Recorded[]): Recorded => {
    for (;;) {
      const wheel = pick(some, random)
      if (used.has(wheel.tyre)) continue
      used.add(wheel.tyre)
      return wheel
    }
  }
  return Array.from({ length: many }, (_, nth): Fault => {
    const kind = faultKinds[nth % faultKinds.length] ?? 'moved'
    const wheel = unused(candidates)
    // a wheel that was moved lies on the place of another one; a label is printed twice for a wheel of another place
    let other = unused(hall)
    while (other.place === wheel.place) other = unused(hall)
    return { kind, tyre: wheel.tyre, place: kind === 'moved' ? other.place : wheel.place, label: other.tyre }
  })
}

type Label = { readonly db_id: number; readonly ticsId: number }

/** The labels that somebody scans on each place. */
export function labelsIn(hall: readonly Recorded[], faults: readonly Fault[], site: number): Map<number, Label[]> {
  const labels = new Map<number, Label[]>(hall.map(({ place }) => [place, []]))
  const put = (place: number, db_id: number, ticsId = site) => labels.get(place)?.push({ db_id, ticsId })
  const faultOf = new Map(faults.filter(({ kind }) => kind !== 'foreign').map(fault => [fault.tyre, fault]))
  for (const { tyre, place } of hall) {
    const fault = faultOf.get(tyre)
    if (!fault) put(place, tyre)
    else if (fault.kind === 'moved') put(fault.place, tyre)
    else if (fault.kind === 'twice') put(place, fault.label)
  }
  for (const { kind, place, label } of faults) if (kind === 'foreign') put(place, label, site + 100)
  return labels
}

type Difference = {
  readonly outcome: string
  readonly db_id: number | null
  readonly label_tyre: number | null
  readonly location: number | null
}

/** The faults that differences tell of. `wholly`: of a label that is there twice, that it is, and not only one of the two. */
export function foundOf(
  faults: readonly Fault[],
  expected: readonly Difference[],
  { wholly }: { wholly: boolean },
): Fault[] {
  const says = (outcome: string, tyre: number, place?: number) =>
    expected.some(
      difference =>
        difference.outcome === outcome &&
        (difference.db_id ?? difference.label_tyre) === tyre &&
        (place === undefined || difference.location === place),
    )
  return faults.filter(({ kind, tyre, place, label }) => {
    if (kind === 'moved') return says('moved', tyre, place) || (!wholly && says('missing', tyre))
    if (kind === 'missing') return says('missing', tyre)
    if (kind === 'foreign') return says('foreign', label, place)
    return says('twice', label) || (!wholly && says('missing', tyre))
  })
}
