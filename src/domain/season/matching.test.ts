import { expect, test } from 'vitest'
import { fittingPlace, fittingSet, type FittingTyre } from '../tyres/fitting.ts'
import { recommendedLimits, type TreadCase } from '../tyres/tread.ts'
import type { Season } from '../tyres/tyre.ts'
import { type Axle, positionsOf } from '../vehicles/axle.ts'
import { type Lacking, type Leftover, matchSets } from './matching.ts'

/** A generator of numbers that is the same in every run. */
function numbers(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
type Random = () => number
const below = (random: Random, count: number): number => Math.floor(random() * count)
const pick = <T>(random: Random, values: readonly T[]): T => values[below(random, values.length)] as T

const axle = (left: number, right: number): Axle => ({
  type: 'axle',
  lift: false,
  drive: false,
  steering: false,
  left,
  right,
})
const configurations = [
  [axle(1, 1), axle(1, 1)],
  [axle(1, 1), axle(2, 2)],
  [axle(1, 1), axle(1, 1), axle(1, 1)],
] as const
const sizes = ['205/55R16', '195/65R15', '225/45R17'] as const
const loads = [88, 91, 94] as const
const speeds = { T: 190, H: 210, V: 240 } as const
type Speed = keyof typeof speeds
const judged: TreadCase = { country: 'BE', kind: 'car', date: '2027-01-01', site: recommendedLimits }

/** A generated set in numbers; its tyres have descriptions only. */
type Facts = {
  configuration: number
  size: number
  load: number
  speed: Speed
  season: Season
  depth: number | null
  /** One of its wheels is missing, of another size, or has no load in its description. */
  odd: 'missing' | 'size' | 'silent' | null
}
let lastId = 0
function tyresOf({ configuration, size, load, speed, season, depth, odd }: Facts): FittingTyre[] {
  const positions = positionsOf(configurations[configuration] ?? [])
  return positions.slice(0, odd === 'missing' ? -1 : undefined).map((position, nth) => ({
    db_id: (lastId += 1),
    position,
    description:
      nth > 0
        ? `Michelin Alpin ${sizes[size]} ${load}${speed}`
        : odd === 'silent'
          ? `Michelin Alpin ${sizes[size]}`
          : `Michelin Alpin ${odd === 'size' ? '185/60R14' : sizes[size]} ${load}${speed}`,
    season,
    tyre_set: 'set',
    tyre_status: 'in_stock',
    profile_depth: depth,
  }))
}
const depths = [null, 1.5, 3, 4, 4.01, 8] as const
const randomSet = (random: Random): Facts => ({
  configuration: random() < 0.8 ? 0 : below(random, 3),
  size: below(random, 3),
  load: pick(random, loads),
  speed: pick(random, Object.keys(speeds) as Speed[]),
  season: pick(random, ['winter', 'winter', 'summer', 'all_season'] as const),
  depth: random() < 0.7 ? 8 : pick(random, depths),
  odd: random() < 0.8 ? null : pick(random, ['missing', 'size', 'silent'] as const),
})
type Car = { facts: Facts; saves: number }
const randomCar = (random: Random): Car => ({
  facts: { ...randomSet(random), season: 'summer', odd: null },
  saves: 1 + below(random, 6),
})

/** Whether a set may go to a vehicle in winter, by their numbers alone. */
const mayGo = (set: Facts, { facts: car }: Car): boolean =>
  set.odd === null &&
  set.configuration === car.configuration &&
  set.size === car.size &&
  set.load >= car.load &&
  speeds[set.speed] >= speeds[car.speed] &&
  set.season !== 'summer' &&
  set.depth !== null &&
  set.depth > recommendedLimits.minTreadWinter

function fleetOf(random: Random, sets: number, vehicles: number) {
  const leftovers: Leftover<Facts>[] = Array.from({ length: sets }, () => randomSet(random)).map(facts => ({
    set: facts,
    fitting: fittingSet(tyresOf(facts)),
  }))
  const lacking: Lacking<Car>[] = Array.from({ length: vehicles }, () => randomCar(random)).map(car => ({
    vehicle: car,
    saves: car.saves,
    place: fittingPlace({ tyres: tyresOf(car.facts), axles: configurations[car.facts.configuration] ?? null, judged }),
  }))
  return { leftovers, lacking }
}
const savedBy = (matches: readonly { saves: number }[]) => matches.reduce((sum, { saves }) => sum + saves, 0)

/** The most tyres that can be saved, and the fewest moves for that, tried in every way. */
function best(sets: readonly Facts[], vehicles: readonly Car[]): { saved: number; moves: number } {
  const [vehicle, ...others] = vehicles
  if (!vehicle) return { saved: 0, moves: 0 }
  const ways = [
    best(sets, others),
    ...sets.flatMap((set, nth) => {
      if (!mayGo(set, vehicle)) return []
      const rest = best(sets.toSpliced(nth, 1), others)
      return [{ saved: rest.saved + vehicle.saves, moves: rest.moves + 1 }]
    }),
  ]
  return ways.reduce((a, b) => (b.saved > a.saved || (b.saved === a.saved && b.moves < a.moves) ? b : a))
}

test('left-over sets save as many tyres, with as few moves, as the best of all ways to give them away', () => {
  const random = numbers(57)
  let served = 0
  for (let fleet = 0; fleet < 400; fleet++) {
    const { leftovers, lacking } = fleetOf(random, below(random, 7), 1 + below(random, 8))
    const matches = matchSets(leftovers, lacking, 'winter')
    const wanted = best(
      leftovers.map(({ set }) => set),
      lacking.map(({ vehicle }) => vehicle),
    )
    expect({ saved: savedBy(matches), moves: matches.length }).toEqual(wanted)
    served += matches.length
  }
  expect(served).toBeGreaterThan(100)
})

test('a set that is free goes where another one cannot, although a vehicle before took it', () => {
  const set = (load: number): Facts => ({
    configuration: 0,
    size: 0,
    load,
    speed: 'V',
    season: 'winter',
    depth: 8,
    odd: null,
  })
  const car = (load: number, saves: number): Car => ({ facts: { ...set(load), season: 'summer' }, saves })
  const [light, heavy] = [set(88), set(94)]
  const matches = matchSets(
    [heavy, light].map(facts => ({ set: facts, fitting: fittingSet(tyresOf(facts)) })),
    [car(88, 6), car(94, 4)].map(vehicle => ({
      vehicle,
      saves: vehicle.saves,
      place: fittingPlace({ tyres: tyresOf(vehicle.facts), axles: configurations[0], judged }),
    })),
    'winter',
  )
  expect(matches.map(match => [match.set.load, match.vehicle.facts.load])).toEqual([
    [88, 88],
    [94, 94],
  ])
})

test('in 100,000 random fleets no set goes to a vehicle that it does not fit, and none to two', () => {
  const random = numbers(570)
  // few tyres are made anew for each fleet: their descriptions are what takes time
  const pool = Array.from({ length: 400 }, () => fleetOf(random, 1, 1))
  let matched = 0
  for (let fleet = 0; fleet < 100_000; fleet++) {
    const some = Array.from({ length: 1 + below(random, 6) }, () => pick(random, pool))
    const matches = matchSets(
      some.flatMap(({ leftovers }) => leftovers),
      Array.from({ length: 1 + below(random, 6) }, () => pick(random, pool)).flatMap(({ lacking }) => lacking),
      'winter',
    )
    for (const { set, vehicle } of matches) if (!mayGo(set, vehicle)) expect.fail(JSON.stringify({ set, vehicle }))
    matched += matches.length
  }
  expect(matched).toBeGreaterThan(10_000)
})

test.each([
  ['of three sizes', (random: Random) => fleetOf(random, 400, 800)],
  [
    'that are all alike, and of which half get none',
    (random: Random) => {
      const { leftovers, lacking } = fleetOf(random, 1, 1)
      const facts: Facts = { configuration: 0, size: 0, load: 94, speed: 'V', season: 'winter', depth: 8, odd: null }
      const vehicle: Car = { facts: { ...facts, season: 'summer' }, saves: 4 }
      const place = fittingPlace({ tyres: tyresOf(vehicle.facts), axles: configurations[0], judged })
      return {
        leftovers: Array.from({ length: 400 }, () => ({
          ...leftovers[0],
          set: facts,
          fitting: fittingSet(tyresOf(facts)),
        })),
        lacking: Array.from({ length: 800 }, () => ({ ...lacking[0], vehicle, place, saves: 4 })),
      }
    },
  ],
])('400 sets for 800 vehicles %s take less than a second', (_, fleet) => {
  const { leftovers, lacking } = fleet(numbers(8))
  // the time of this thread: a busy machine makes nothing slower
  const before = process.threadCpuUsage()
  const matches = matchSets(leftovers, lacking, 'winter')
  const { user, system } = process.threadCpuUsage(before)
  const took = (user + system) / 1000
  process.stdout.write(`${matches.length} of 400 sets for 800 vehicles in ${Math.round(took)} ms\n`)
  expect(took).toBeLessThan(1000)
})
