/**
 * Spreads vehicles over the days on which a transport has room (docs/product/season.md "Season change", docs/decisions/0045). Which days those
 * are is the rule of delivery days.
 */
import { addDays, type IsoDate } from '../texts/date.ts'
import { deliveryDayRefusal, isDayFull, type MomentAtSite, type TransportRules } from '../operations/delivery.ts'

/** The load that a day already has. */
export type Taken = { day: IsoDate; operations: number; tyres: number }
/** How much a day still takes; `Infinity` where there is no limit. */
export type Room = { day: IsoDate; operations: number; tyres: number; empty: boolean }

/** The larger of a day's departures and arrivals: when the other tyres of vehicles come back, both directions need room. */
export const withArrivals = (day: Taken & { arrivals: number; arriving_tyres: number }): Taken => ({
  day: day.day,
  operations: Math.max(day.operations, day.arrivals),
  tyres: Math.max(day.tyres, day.arriving_tyres),
})

const left = (limit: number, taken: number): number => (limit === 0 ? Infinity : Math.max(0, limit - taken))

/** The days from one to another, both included, on which the transport delivers and has room. */
export function daysWithRoom(
  rules: TransportRules,
  taken: readonly Taken[],
  at: MomentAtSite,
  { from, until }: { from: IsoDate; until: IsoDate },
): Room[] {
  const by = new Map(taken.map(load => [load.day, load]))
  const rooms: Room[] = []
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const { operations, tyres } = by.get(day) ?? { operations: 0, tyres: 0 }
    const booked = isDayFull({ operations, tyres }, rules) ? [day] : []
    if (deliveryDayRefusal(day, rules, booked, at) !== null) continue
    rooms.push({
      day,
      operations: left(rules.operationsPerDay, operations),
      tyres: left(rules.tyresPerDay, tyres),
      empty: operations === 0,
    })
  }
  return rooms
}

/** A vehicle whose tyres are delivered together. */
export type VehicleLoad = { id: number; tyres: number }

type Day = { day: IsoDate; operations: number; tyres: number; planned: number }

const fits = (load: VehicleLoad, { operations, tyres }: Day): boolean => operations >= 1 && tyres >= load.tyres
function put(load: VehicleLoad, day: Day): void {
  day.operations -= 1
  day.tyres -= load.tyres
  day.planned += 1
}

/** Places each load on the day that `better` prefers; `null` when one does not fit. */
function greedy(
  loads: readonly VehicleLoad[],
  rooms: readonly Room[],
  better: (a: Day, b: Day) => number,
): Plan | null {
  const days = rooms.map(({ day, operations, tyres }): Day => ({ day, operations, tyres, planned: 0 }))
  const plan: Plan = new Map()
  for (const load of loads) {
    const [best] = days.filter(day => fits(load, day)).toSorted(better)
    if (!best) return null
    put(load, best)
    plan.set(load.id, best.day)
  }
  return plan
}
type Plan = Map<number, IsoDate>

const fewestFirst = (a: Day, b: Day): number => a.planned - b.planned || b.tyres - a.tyres || (a.day < b.day ? -1 : 1)
const tightestFirst = (a: Day, b: Day): number => a.tyres - b.tyres || (a.day < b.day ? -1 : 1)

/** The maximum number of placements that are tried when the simple ones fail. */
const maxTries = 20_000

/** Tries all ways, the largest loads first, until `maxTries`. */
function search(loads: readonly VehicleLoad[], rooms: readonly Room[]): Plan | null {
  const days = rooms.map(({ day, operations, tyres }): Day => ({ day, operations, tyres, planned: 0 }))
  const plan: Plan = new Map()
  let tries = 0
  function place(nth: number): boolean {
    const load = loads[nth]
    if (!load) return true
    const tried = new Set<string>()
    for (const day of days) {
      const alike = `${day.operations} ${day.tyres}`
      if (!fits(load, day) || tried.has(alike)) continue
      tried.add(alike)
      if ((tries += 1) > maxTries) return false
      put(load, day)
      plan.set(load.id, day.day)
      if (place(nth + 1)) return true
      day.operations += 1
      day.tyres += load.tyres
      day.planned -= 1
    }
    return false
  }
  return place(0) ? plan : null
}

/** The most loads that days could take if tyres could be split among them: no plan has more. */
function atMost(loads: readonly VehicleLoad[], rooms: readonly Room[]): number {
  const smallest = Math.max(1, loads[0]?.tyres ?? 1)
  const places = rooms.reduce(
    (sum, { operations, tyres }) => sum + Math.min(operations, Math.floor(tyres / smallest)),
    0,
  )
  let room = rooms.reduce((sum, { tyres }) => sum + tyres, 0)
  let count = 0
  for (const { tyres } of loads) {
    room -= tyres
    if (room < 0 || count >= places) break
    count += 1
  }
  return count
}

/**
 * On which day each vehicle is delivered; those that find none are left out. As many as possible are placed, which are those with
 * the fewest tyres (if any so many can be placed, the smallest can), and each day gets about as many vehicles as the others. A
 * day never gets more vehicles or tyres than it has room for. A vehicle with more tyres than a whole day's limit
 * takes a day alone that would else be empty, as a submission may.
 */
export function spread(loads: readonly VehicleLoad[], rooms: readonly Room[], tyresPerDay: number): Plan {
  const isOversized = ({ tyres }: VehicleLoad): boolean => tyresPerDay > 0 && tyres > tyresPerDay
  const normal = loads.filter(load => !isOversized(load)).toSorted((a, b) => a.tyres - b.tyres)
  const plan = mostOf(normal, rooms)
  const used = new Set(plan.values())
  const free = rooms.filter(({ day, empty }) => empty && !used.has(day))
  for (const load of loads.filter(isOversized)) {
    const next = free.shift()
    if (next) plan.set(load.id, next.day)
  }
  return plan
}

/** The plan of the most of these loads, which are sorted by size. */
function mostOf(loads: readonly VehicleLoad[], rooms: readonly Room[]): Plan {
  for (let count = atMost(loads, rooms); count > 0; count -= 1) {
    const largestFirst = loads.slice(0, count).toReversed()
    const plan =
      greedy(largestFirst, rooms, fewestFirst) ??
      greedy(largestFirst, rooms, tightestFirst) ??
      search(largestFirst, rooms)
    if (plan) return plan
  }
  return new Map()
}
