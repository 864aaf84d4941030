/**
 * Requests at the same moment, as often as is promised (docs/promises.md "Races"). The rounds are those of src/server/features/operations/operations.races.test.ts; each
 * lock and constraint is first taken away, and the same round has to go wrong.
 */
import { lockVehicle } from '../src/server/features/fleet/vehicles.sql.ts'
import { createOperation, lockOperation } from '../src/server/features/operations/changing.sql.ts'
import { addTransport, clear } from '../src/server/testing/operations.ts'
import {
  beAt,
  configureOne,
  drawConfigurations,
  exchange,
  fillOnePosition,
  goesWrong,
  invite,
  stepAtOnce,
  submitAtOnce,
  takeOneTyre,
  tallied,
  withoutConstraint,
  withoutCounting,
  wrongWith,
  type Guest,
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

/** In the place of a lock, without it: what a control plays. */
async function unlocked(undo: () => void, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } finally {
    undo()
  }
}

// 7 -----------------------------------------------------------------------------------------------------------------------

const together = 50
const mix = (...among: RacedStep[]): RacedStep[] =>
  Array.from({ length: together }, (_, nth) => among[nth % among.length] as RacedStep)
const kinds = [
  { from: 'submitted', steps: mix('confirm', 'cancel'), one: true },
  { from: 'pending', steps: mix('submit', 'delete'), one: true },
  // an undone one may be submitted again: whatever happens is a life that an operation can have
  { from: 'submitted', steps: mix('confirm', 'submit', 'cancel', 'undo', 'delete'), one: false },
  { from: 'pending', steps: mix('delete', 'submit', 'undo', 'confirm', 'cancel'), one: false },
] as const

async function stepRound(w: World, nth: number): Promise<string | null> {
  const { from, steps, one } = kinds[nth % kinds.length] as (typeof kinds)[number]
  const fate = await stepAtOnce(w, from, steps)
  if (one && fate.audited.length !== 1) return `${fate.audited.length} winners: ${fate.audited.join(', ')}`
  return wrongWith(from, fate)
}

export const steps: Drill = {
  promise: 7,
  summary: 'steps on one operation at once: one winner',
  run: options =>
    inWorld(options, async (w, checks) => {
      const rounds = options.short ? 8 : 200
      await w.setSite(w.sites.home, { do_doc_insert: true })
      for (let nth = 0; nth < rounds; nth++) checks.check(`round ${nth}`, await stepRound(w, nth))
      const undo = exchange(lockOperation, text => text.replace('for no key update', ''))
      let nth = 0
      const seen = await unlocked(undo, () => goesWrong(async () => (await stepRound(w, nth++)) !== null, 100))
      checks.control('steps without the lock', seen)
      return `${together} at once`
    }),
}

// 8 -----------------------------------------------------------------------------------------------------------------------

/**
 * A moment in Brussels at which a day stops being one on which can be delivered tomorrow: before it `last` is still taken,
 * from it on only `later`.
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
    what: 'a cut-off in the hour that is left out',
    before: '2027-03-28T00:59:59.900Z',
    at: '2027-03-28T01:00:00Z',
    cutoff: '02:30',
    last: '2027-03-29',
    later: '2027-03-30',
  },
]

/** So many recalls fill a day, by their number or by their tyres. */
const limits = (places: number, byTyres: boolean) =>
  byTyres ? { tyresPerDay: places * 4 - 1 } : { operationsPerDay: places }

/** Everybody wants the same day. */
async function plainRound(w: World, guests: readonly Guest[], nth: number): Promise<string | null> {
  await beAt(w, new Date('2026-11-10T10:00:00Z'))
  const places = 1 + (nth % 3)
  const transport = await addTransport(w, limits(places, nth % 2 === 1))
  const { outcomes, taken } = await submitAtOnce(
    w,
    transport,
    guests.map(guest => ({ guest, day: '2026-11-12' })),
  )
  const right = outcomes.every(told => told === 'won' || told === 'delivery.day_full')
  const won = outcomes.filter(told => told === 'won').length
  return right && won === places && taken.length === places ? null : `${places} places: ${tallied(outcomes)}`
}

/** Half wants the day that is about to be too early, half the next one, and in the middle of it the moment comes. */
async function clockChangeRound(w: World, guests: readonly Guest[], nth: number, turn: ClockChange): Promise<string | null> {
  await beAt(w, new Date(turn.before))
  const places = 1 + (nth % 3)
  const transport = await addTransport(w, {
    advanceDays: 1,
    cutoff: turn.cutoff,
    ...limits(places, nth % 2 === 1),
  })
  const asked = guests.map((guest, at) => ({ guest, day: at % 2 ? turn.later : turn.last }))
  const moment = new Date(turn.at)
  const { outcomes, taken } = await submitAtOnce(w, transport, asked, moment)
  const of = (day: string, from = 0) => outcomes.filter((_, at) => at >= from && asked[at]?.day === day)
  const half = Math.ceil(asked.length / 2)
  const told = `${places} places at ${turn.what}: ${turn.last} ${tallied(of(turn.last))}; ${turn.later} ${tallied(of(turn.later))}`
  const late = taken.filter(({ day, at }) => day === turn.last && at >= moment).length
  if (late > 0) return `${late} were taken for a day that was too early (${told})`
  if (of(turn.last, half).some(what => what !== 'delivery.too_early')) return `asked after it: ${told}`
  const count = (day: string) => taken.filter(one => one.day === day).length
  if (count(turn.later) !== places || count(turn.last) > places || count(turn.last) < 1) return told
  const allowed = ['won', 'delivery.day_full', 'delivery.too_early']
  const won = outcomes.filter(what => what === 'won').length
  return won === taken.length && outcomes.every(what => allowed.includes(what)) ? null : told
}

export const places: Drill = {
  promise: 8,
  summary: 'the last places of a delivery day go to as many as there are',
  run: options =>
    inWorld(options, async (w, checks) => {
      const rounds = options.short ? 4 : 200
      const guests = await invite(w, options.short ? 40 : 100)
      for (let nth = 0; nth < rounds; nth++) {
        const turn = nth % 2 ? clockChanges[(nth >> 1) % clockChanges.length] : undefined
        const wrong = await (turn ? clockChangeRound(w, guests, nth >> 1, turn) : plainRound(w, guests, nth >> 1))
        checks.check(`round ${nth}`, wrong)
      }
      const seen = await withoutCounting(w, () => goesWrong(async () => (await plainRound(w, guests, 0)) !== null, 100))
      checks.control('places counted without a lock', seen)
      // a day that counts its hours in UTC is a day too late or too early for an hour of each day
      await w.setSite(w.sites.home, { time_zone: 'UTC' })
      const shifted = await clockChangeRound(w, guests, 0, clockChanges[0] as ClockChange)
      checks.control('midnight in another time zone', shifted !== null)
      return `${guests.length} customers; every other round across midnight, cut-off or a change of the clock`
    }),
}

// 9 -----------------------------------------------------------------------------------------------------------------------

const told = (outcomes: readonly string[]): string =>
  tallied(outcomes.toSorted((a, b) => Number(b === 'won') - Number(a === 'won')))

export const onlyOne: Drill = {
  promise: 9,
  summary: 'configuration, set position, open operation: only one, by constraint',
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
          lock: () => exchange(lockVehicle, text => text.replace('for update', '')),
          round: async () => {
            const { outcomes, kept } = await configureOne(w, configurations)
            return told(outcomes) === lost('vehicle.configuration_fixed') && kept ? null : told(outcomes)
          },
        },
        {
          what: 'a set has one tyre on a position',
          constraint: 'tyre_set_position',
          lock: () => exchange(tyresSql.lockVehicle, text => text.replace('for update of v', '')),
          round: async () => {
            const { outcomes, there } = await fillOnePosition(w, count)
            return told(outcomes) === lost('set.positions_taken') && there === 1 ? null : told(outcomes)
          },
        },
        {
          what: 'a tyre is in one open operation',
          constraint: 'operation_tyre_open',
          lock: () => exchange(createOperation, text => text.replace('order by t.id for no key update', '')),
          round: async () => {
            const { outcomes, open } = await takeOneTyre(w, count)
            return told(outcomes) === lost('operation.tyres_busy') && open === 1 ? null : told(outcomes)
          },
        },
      ] as const
      const clean = async () => {
        await clear(w)
        await w.query('delete from tyre')
      }
      for (const { what, constraint, lock, round } of races) {
        for (let nth = 0; nth < rounds; nth++) {
          // every other round with the constraint alone
          const undo = nth % 2 ? lock() : null
          try {
            checks.check(`${what}${undo ? ', the constraint alone' : ''}`, await round())
          } finally {
            undo?.()
          }
        }
        const undo = lock()
        const wrong = () => goesWrong(async () => (await round()) !== null, 100)
        const seen = await unlocked(undo, () => withoutConstraint(w, constraint, wrong, clean))
        checks.control(`${what}, without lock and constraint`, seen)
      }
      return `${count} at once`
    }),
}
