/**
 * Stock counts (docs/promises.md "Stock counts"): a hall of 20,000 wheels with 200 faults is counted as a whole, and for as many scans as a
 * tenth of that one place at a time, once as the risk says and once by chance. Control: a place that is left out.
 */
import { randomUUID } from 'node:crypto'
import { contract } from '#contract/index.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import {
  buildHall,
  type Fault,
  foundOf,
  labelsIn,
  randomFrom,
  seedFaults,
  type Seeding,
  seedings,
} from '../src/server/testing/countedHall.ts'
import { world, type World } from '../src/server/testing/world.ts'
import type { CountDifference } from '#contract/counts.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'

export const promise = 35
export const summary = 'a whole count finds every wheel that is not where the records say'
export const long = true

const { counts: calls } = contract
/** The part of a whole count's scans that is spent on one place at a time. */
const share = 0.1
/** How often places are chosen by chance. */
const tries = 200

type Labels = ReturnType<typeof labelsIn>

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const [places, many] = short ? [200, 12] : [5000, 200]
  const server = await openTestServer()
  const notes: string[] = []
  try {
    const w = await world({ server, served: () => ({ queues: null }), now: new Date() })
    try {
      const hall = await buildHall(w, places)
      for (const [nth, how] of (Object.keys(seedings) as Seeding[]).entries()) {
        const faults = seedFaults(hall, how, many)
        const labels = labelsIn(hall, faults, w.sites.home)
        const scans = [...labels.values()].reduce((sum, some) => sum + some.length + 1, 0)
        const budget = Math.round(scans * share)
        const byRisk = foundOf(faults, await countByRisk(w, labels, budget), { wholly: false }).length
        await w.query('delete from stock_count')
        const whole = await countAll(w, nth === 0 ? [...labels.keys()] : placesOf(hall, faults), labels)
        const detected = foundOf(faults, whole, { wholly: true })
        const lost = faults.filter(fault => !detected.includes(fault))
        check(`${how}: ${detected.length} of ${many}`, lost.length === 0 ? null : JSON.stringify(lost.slice(0, 5)))
        control('a place that is left out', foundOf(faults, without(whole, faults[0]), { wholly: true }).length < many)
        await w.query('delete from stock_count')
        const byChance = foundByChance(faults, whole, labels, budget)
        notes.push(
          `${how}: ${detected.length} of ${many} by ${scans} scans; of ${budget} scans ${byRisk} by risk, ${byChance.toFixed(1)} by chance (${(byRisk / byChance).toFixed(2)} times)`,
        )
      }
      return result(`${hall.length} wheels on ${places} places`, ...notes)
    } finally {
      await w.close()
    }
  } finally {
    await server.end()
  }
}

/** Counts a place as it is and returns the differences. */
async function countPlace(
  w: World,
  count: number | null,
  location: number,
  labels: Labels,
): Promise<CountDifference[]> {
  w.clock.now = new Date()
  const input = { count, location, scanId: randomUUID(), wheels: labels.get(location) ?? [] }
  const { status, answer, text } = await w.ask(calls.place, w.who.admin, input)
  if (status !== 200) throw new Error(text)
  return answer.differences
}

async function countAll(w: World, places: readonly number[], labels: Labels): Promise<CountDifference[]> {
  const [hall] = await w.query<{ id: number }>(`select id from location where site_name = 'Counted' and kind = 'site'`)
  const { answer } = await w.ask(calls.start, w.who.admin, { location: hall?.id ?? 0 })
  const differences: CountDifference[] = []
  for (const location of places) differences.push(...(await countPlace(w, answer.count, location, labels)))
  return differences
}

/** The places that faults are about: the others tell nothing, as the first hall has shown. */
function placesOf(hall: readonly { tyre: number; place: number }[], faults: readonly Fault[]): number[] {
  const recorded = new Map(hall.map(({ tyre, place }) => [tyre, place]))
  const concerned = faults.flatMap(({ kind, tyre, place, label }) => [
    place,
    recorded.get(tyre) ?? place,
    kind === 'twice' ? (recorded.get(label) ?? place) : place,
  ])
  return [...new Set(concerned)]
}

async function countByRisk(w: World, labels: Labels, budget: number): Promise<CountDifference[]> {
  const differences: CountDifference[] = []
  let left = budget
  for (;;) {
    const { answer } = await w.ask(calls.next, w.who.admin, {})
    for (const { _id } of answer) {
      left -= (labels.get(_id)?.length ?? 0) + 1
      if (left < 0) return differences
      differences.push(...(await countPlace(w, null, _id, labels)))
    }
  }
}

const without = (differences: readonly CountDifference[], fault: Fault | undefined): CountDifference[] =>
  differences.filter(({ location }) => location !== fault?.place)

/** How many faults places chosen by chance show on average, by what the whole count told of each. */
function foundByChance(
  faults: readonly Fault[],
  whole: readonly CountDifference[],
  labels: Labels,
  budget: number,
): number {
  const random = randomFrom(35)
  const toldOn = Map.groupBy(whole, ({ location }) => location ?? 0)
  let sum = 0
  for (let nth = 0; nth < tries; nth++) {
    const order = [...labels.keys()].map(place => ({ place, at: random() })).toSorted((a, b) => a.at - b.at)
    let left = budget
    const differences = order.flatMap(({ place }) => {
      left -= (labels.get(place)?.length ?? 0) + 1
      return left < 0 ? [] : (toldOn.get(place) ?? [])
    })
    sum += foundOf(faults, differences, { wholly: false }).length
  }
  return sum / tries
}
