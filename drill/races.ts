/**
 * Concurrent requests (docs/promises.md "Races"), with the rounds of
 * src/server/features/operations/operations.races.test.ts. For each lock and constraint a negative control removes it
 * and must fail.
 */
import { lockVehicle } from '../src/server/features/fleet/vehicles.sql.ts'
import { createOperation, lockOperation } from '../src/server/features/operations/changing.sql.ts'
import { addTransport, clear } from '../src/server/testing/operations.ts'
import {
  setClock,
  configureOne,
  drawConfigurations,
  replaceStatement,
  fillOnePosition,
  failsWithin,
  createRaceCustomers,
  stepAtOnce,
  submitAtOnce,
  claimOneTyre,
  tallied,
  withoutConstraint,
  withoutCounting,
  violationOf,
  type RaceCustomer,
  type RacedStep,
} from '../src/server/testing/races.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type World } from '../src/server/testing/world.ts'
import * as tyresSql from '../src/server/features/tyres/tyres.sql.ts'
import { tally, type Drill, type DrillOptions, type Result, type Tally } from './drill.ts'

/** The queue would serialise one account's requests; races need them all at once. */
const withoutQueue = () => ({ queues: null })

async function inWorld({ log }: DrillOptions, work: (w: World, checks: Tally) => Promise<string>): Promise<Result> {
  const checks = tally(log)
  const server = await openTestServer()
  try {
    const w = await world({ server, served: withoutQueue, now: new Date('2026-11-10T10:00:00Z') })
    await w.setSite(w.sites.home, { time_zone: 'Europe/Brussels' })
    try {
      return checks.result(await work(w, checks))
    } finally {
      await w.close()
    }
  } finally {
    await server.end()
  }
}

/** Runs `work` without a lock, then restores it. */
async function withoutLock(undo: () => void, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } finally {
    undo()
  }
}

// Promise 7: steps -----------------------------------------------------------------------------------------------------------------------

const concurrency = 50
const alternate = (...among: RacedStep[]): RacedStep[] =>
  Array.from({ length: concurrency }, (_, nth) => among[nth % among.length] as RacedStep)
const kinds = [
  { from: 'submitted', steps: alternate('confirm', 'cancel'), singleWinner: true },
  { from: 'pending', steps: alternate('submit', 'delete'), singleWinner: true },
  // an undone operation may be submitted again, so any valid sequence is accepted
  { from: 'submitted', steps: alternate('confirm', 'submit', 'cancel', 'undo', 'delete'), singleWinner: false },
  { from: 'pending', steps: alternate('delete', 'submit', 'undo', 'confirm', 'cancel'), singleWinner: false },
] as const

async function stepRound(w: World, nth: number): Promise<string | null> {
  const { from, steps, singleWinner } = kinds[nth % kinds.length] as (typeof kinds)[number]
  const outcome = await stepAtOnce(w, from, steps)
  if (singleWinner && outcome.audited.length !== 1)
    return `${outcome.audited.length} winners: ${outcome.audited.join(', ')}`
  return violationOf(from, outcome)
}

export const steps: Drill = {
  promise: 7,
  summary: 'steps on one operation at once: one winner',
  run: options =>
    inWorld(options, async (w, checks) => {
      const rounds = options.short ? 8 : 200
      await w.setSite(w.sites.home, { do_doc_insert: true })
      for (let nth = 0; nth < rounds; nth++) checks.check(`round ${nth}`, await stepRound(w, nth))
      const undo = replaceStatement(lockOperation, text => text.replace('for no key update', ''))
      let nth = 0
      const detected = await withoutLock(undo, () => failsWithin(async () => (await stepRound(w, nth++)) !== null, 100))
      checks.control('steps without the lock', detected)
      return `${concurrency} at once`
    }),
}

// Promise 8: delivery days -----------------------------------------------------------------------------------------------------------------------

/**
 * A time in Brussels at which the earliest delivery day changes: before it `last` is accepted, from then on only
 * `later`.
 */
type ClockChange = { what: string; before: string; at: string; cutoff: string | null; last: string; later: string }
const clockChanges: readonly ClockChange[] = [
  {
    what: 'midnight',
    before: '2026-11-10T22:59:59.900Z',
    at: '2026-11-10T23:00:00Z',
    cutoff: null,
    last: '2026-11-11',
    later: '2026-11-12',
  },
  {
    what: 'the cut-off',
    before: '2026-11-10T14:59:59.900Z',
    at: '2026-11-10T15:00:00Z',
    cutoff: '16:00',
    last: '2026-11-11',
    later: '2026-11-12',
  },
  {
    what: 'midnight after the day of 25 hours',
    before: '2026-10-25T22:59:59.900Z',
    at: '2026-10-25T23:00:00Z',
    cutoff: null,
    last: '2026-10-26',
    later: '2026-10-27',
  },
  {
    what: 'midnight before the day of 25 hours',
    before: '2026-10-24T21:59:59.900Z',
    at: '2026-10-24T22:00:00Z',
    cutoff: null,
    last: '2026-10-25',
    later: '2026-10-26',
  },
  {
    what: 'midnight after the day of 23 hours',
    before: '2027-03-28T21:59:59.900Z',
    at: '2027-03-28T22:00:00Z',
    cutoff: null,
    last: '2027-03-29',
    later: '2027-03-30',
  },
  {
    what: 'midnight before the day of 23 hours',
    before: '2027-03-27T22:59:59.900Z',
    at: '2027-03-27T23:00:00Z',
    cutoff: null,
    last: '2027-03-28',
    later: '2027-03-29',
  },
  {
    what: 'the cut-off on the day of 25 hours',
    before: '2026-10-25T14:59:59.900Z',
    at: '2026-10-25T15:00:00Z',
    cutoff: '16:00',
    last: '2026-10-26',
    later: '2026-10-27',
  },
  {
    what: 'a cut-off in the skipped hour of spring',
    before: '2027-03-28T00:59:59.900Z',
    at: '2027-03-28T01:00:00Z',
    cutoff: '02:30',
    last: '2027-03-29',
    later: '2027-03-30',
  },
]

/** Limits that `places` recalls fill, by their number or by their tyres. */
const limits = (places: number, byTyres: boolean) =>
  byTyres ? { tyresPerDay: places * 4 - 1 } : { operationsPerDay: places }

/** All customers ask for the same day. */
async function plainRound(w: World, customers: readonly RaceCustomer[], nth: number): Promise<string | null> {
  await setClock(w, new Date('2026-11-10T10:00:00Z'))
  const places = 1 + (nth % 3)
  const transport = await addTransport(w, limits(places, nth % 2 === 1))
  const { outcomes, taken } = await submitAtOnce(
    w,
    transport,
    customers.map(customer => ({ customer, day: '2026-11-12' })),
  )
  const right = outcomes.every(description => description === 'won' || description === 'delivery.day_full')
  const won = outcomes.filter(description => description === 'won').length
  return right && won === places && taken.length === places ? null : `${places} places: ${tallied(outcomes)}`
}

/** Half asks for the day that is about to be too early, half for the next one, and the clock changes between them. */
async function clockChangeRound(
  w: World,
  customers: readonly RaceCustomer[],
  nth: number,
  turn: ClockChange,
): Promise<string | null> {
  await setClock(w, new Date(turn.before))
  const places = 1 + (nth % 3)
  const transport = await addTransport(w, {
    advanceDays: 1,
    cutoff: turn.cutoff,
    ...limits(places, nth % 2 === 1),
  })
  const requests = customers.map((customer, at) => ({ customer, day: at % 2 ? turn.later : turn.last }))
  const changeAt = new Date(turn.at)
  const { outcomes, taken } = await submitAtOnce(w, transport, requests, changeAt)
  const outcomesOf = (day: string, from = 0) => outcomes.filter((_, at) => at >= from && requests[at]?.day === day)
  const half = Math.ceil(requests.length / 2)
  const description = `${places} places at ${turn.what}: ${turn.last} ${tallied(outcomesOf(turn.last))}; ${turn.later} ${tallied(outcomesOf(turn.later))}`
  const late = taken.filter(({ day, at }) => day === turn.last && at >= changeAt).length
  if (late > 0) return `${late} were taken for a day that was too early (${description})`
  if (outcomesOf(turn.last, half).some(what => what !== 'delivery.too_early')) return `asked after it: ${description}`
  const count = (day: string) => taken.filter(singleWinner => singleWinner.day === day).length
  if (count(turn.later) !== places || count(turn.last) > places || count(turn.last) < 1) return description
  const allowed = ['won', 'delivery.day_full', 'delivery.too_early']
  const won = outcomes.filter(what => what === 'won').length
  return won === taken.length && outcomes.every(what => allowed.includes(what)) ? null : description
}

export const places: Drill = {
  promise: 8,
  summary: 'the last places of a delivery day go to as many as there are',
  run: options =>
    inWorld(options, async (w, checks) => {
      const rounds = options.short ? 4 : 200
      const customers = await createRaceCustomers(w, options.short ? 40 : 100)
      for (let nth = 0; nth < rounds; nth++) {
        const turn = nth % 2 ? clockChanges[(nth >> 1) % clockChanges.length] : undefined
        const wrong = await (turn ? clockChangeRound(w, customers, nth >> 1, turn) : plainRound(w, customers, nth >> 1))
        checks.check(`round ${nth}`, wrong)
      }
      const detected = await withoutCounting(w, () =>
        failsWithin(async () => (await plainRound(w, customers, 0)) !== null, 100),
      )
      checks.control('places counted without a lock', detected)
      // with UTC the day changes at another hour
      await w.setSite(w.sites.home, { time_zone: 'UTC' })
      const shifted = await clockChangeRound(w, customers, 0, clockChanges[0] as ClockChange)
      checks.control('midnight in another time zone', shifted !== null)
      return `${customers.length} customers; every other round across midnight, cut-off or a change of the clock`
    }),
}

// Promise 9: uniqueness -----------------------------------------------------------------------------------------------------------------------

const description = (outcomes: readonly string[]): string =>
  tallied(outcomes.toSorted((a, b) => Number(b === 'won') - Number(a === 'won')))

export const uniqueness: Drill = {
  promise: 9,
  summary: 'a configuration, set position or open operation exists once, by constraint',
  run: options =>
    inWorld(options, async (w, checks) => {
      const rounds = options.short ? 2 : 60
      const count = options.short ? 40 : 100
      const configurations = await drawConfigurations(w, count)
      const lost = (code: string) => `1 won, ${count - 1} ${code}`
      const races = [
        {
          what: 'a configuration is set once',
          constraint: 'vehicle_config_is_set_once',
          lock: () => replaceStatement(lockVehicle, text => text.replace('for update', '')),
          round: async () => {
            const { outcomes, kept } = await configureOne(w, configurations)
            return description(outcomes) === lost('vehicle.configuration_fixed') && kept ? null : description(outcomes)
          },
        },
        {
          what: 'a set has one tyre on a position',
          constraint: 'tyre_set_position',
          lock: () => replaceStatement(tyresSql.lockVehicle, text => text.replace('for update of v', '')),
          round: async () => {
            const { outcomes, count: there } = await fillOnePosition(w, count)
            return description(outcomes) === lost('set.positions_taken') && there === 1 ? null : description(outcomes)
          },
        },
        {
          what: 'a tyre is in one open operation',
          constraint: 'operation_tyre_open',
          lock: () => replaceStatement(createOperation, text => text.replace('order by t.id for no key update', '')),
          round: async () => {
            const { outcomes, open } = await claimOneTyre(w, count)
            return description(outcomes) === lost('operation.tyres_busy') && open === 1 ? null : description(outcomes)
          },
        },
      ] as const
      const clean = async () => {
        await clear(w)
        await w.query('delete from tyre')
      }
      for (const { what, constraint, lock, round } of races) {
        for (let nth = 0; nth < rounds; nth++) {
          // every second round with the constraint alone
          const undo = nth % 2 ? lock() : null
          try {
            checks.check(`${what}${undo ? ', the constraint alone' : ''}`, await round())
          } finally {
            undo?.()
          }
        }
        const undo = lock()
        const wrong = () => failsWithin(async () => (await round()) !== null, 100)
        const detected = await withoutLock(undo, () => withoutConstraint(w, constraint, wrong, clean))
        checks.control(`${what}, without lock and constraint`, detected)
      }
      return `${count} at once`
    }),
}
