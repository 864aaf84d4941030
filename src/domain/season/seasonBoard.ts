/**
 * A tyre hotel's forecast of the next eight weeks (docs/season.md). It is simple on purpose: the movements of the same week of last year,
 * scaled to the wheels in store.
 */
import { addDays, weekday, type IsoDate } from '../texts/date.ts'

const boardWeeks = 8
const boardDays = boardWeeks * 7
/** Fifty-two weeks: the same weekday of the year before. */
const yearDays = 364
/** The forecast is checked on so many spans of eight weeks, one after the other. */
const checkedSpans = 6
/** A store that grew or shrank more than this since last year has no last year to go by. */
const mostGrowth = 4

/** Wheels that came in and went out. */
export type Flow = { readonly in: number; readonly out: number }
/** The wheels of the operations that were confirmed on a day. */
export type Moved = Flow & { readonly day: IsoDate }
const sides = ['in', 'out'] as const
const eachSide = (countOf: (side: keyof Flow) => number): Flow => ({ in: countOf('in'), out: countOf('out') })

/** The movements of the past: `moved` has each day at most once, and `first` is the first day on which anything moved. */
export type Past = {
  readonly moved: readonly Moved[]
  readonly first: IsoDate | null
  readonly today: IsoDate
  /** Wheels in store today. */
  readonly stored: number
  readonly closedDays: readonly IsoDate[]
}

/** The Monday of a week. */
export const mondayOf = (day: IsoDate): IsoDate => addDays(day, -((weekday(day) + 6) % 7))
/** The days of the board, from the Monday of this week on. */
export const boardDaysOf = (today: IsoDate): IsoDate[] => daysFrom(mondayOf(today), boardDays)
/** The first day whose movements the board asks for. */
export const historyStart = (today: IsoDate): IsoDate =>
  addDays(mondayOf(today), -checkedSpans * boardDays - yearDays - 7)

const daysFrom = (from: IsoDate, count: number): IsoDate[] =>
  Array.from({ length: count }, (_, nth) => addDays(from, nth))

type Movements = { readonly on: (day: IsoDate) => Flow; readonly storedAt: (day: IsoDate) => number }

/** The movements of each day, and the wheels in store at the end of one: those of today without what came since, and with what left. */
function movementsOf({ moved, stored }: Past): Movements {
  const byDay = new Map(moved.map(flow => [flow.day, flow]))
  return {
    on: day => byDay.get(day) ?? { in: 0, out: 0 },
    storedAt: day => moved.filter(flow => flow.day > day).reduce((sum, flow) => sum - flow.in + flow.out, stored),
  }
}

export type Forecast = {
  /** Wheels in store when it is made, and a year before. */
  readonly stored: number
  readonly storedLastYear: number
  /** For each day from the Monday on; whole wheels. */
  readonly days: readonly Flow[]
}

/** Whole numbers in the proportions of `weights` that add up to `total`; the largest remainders are rounded up, the first of equal ones. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  if (sum <= 0) return weights.map(() => 0)
  const exact = weights.map(weight => (total * weight) / sum)
  const shares = exact.map(Math.floor)
  const left = total - shares.reduce((a, b) => a + b, 0)
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .toSorted((a, b) => b.rest - a.rest || a.at - b.at)
  for (const { at } of order.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

/**
 * The forecast of eight weeks from a Monday on, made from facts known before it; `null` without a whole year of movements before,
 * and where the store is not comparable with last year's. The wheels of a week are those of the week 52 weeks before, times the wheels
 * in store now over those in store then. They are spread over the days on which the site is open, as the weekdays of those eight weeks
 * of last year were busy.
 */
export function forecastFrom(monday: IsoDate, past: Past, movements: Movements = movementsOf(past)): Forecast | null {
  const before = addDays(monday, -1)
  const asOf = before < past.today ? before : past.today
  const [stored, storedLastYear] = [movements.storedAt(asOf), movements.storedAt(addDays(asOf, -yearDays))]
  if (past.first === null || past.first > addDays(monday, -yearDays)) return null
  if (stored <= 0 || storedLastYear <= 0) return null
  const growth = stored / storedLastYear
  if (growth > mostGrowth || growth < 1 / mostGrowth) return null

  const then = daysFrom(addDays(monday, -yearDays), boardDays).map(movements.on)
  const closed = new Set(past.closedDays)
  const busy = [0, 1, 2, 3, 4, 5, 6].map(nth =>
    eachSide(side => then.filter((_, at) => at % 7 === nth).reduce((sum, flow) => sum + flow[side], 0)),
  )
  const days = Array.from({ length: boardWeeks }, (_, week) => {
    const open = [0, 1, 2, 3, 4, 5, 6].map(nth => !closed.has(addDays(monday, week * 7 + nth)))
    const [ins, outs] = sides.map(side => {
      const total = Math.round(then.slice(week * 7, week * 7 + 7).reduce((sum, flow) => sum + flow[side], 0) * growth)
      const weights = open.map((isOpen, nth) => (isOpen ? (busy[nth]?.[side] ?? 0) : 0))
      const usual = open.map((isOpen, nth) => (isOpen && nth < 5 ? 1 : 0))
      return shareOut(total, weights.some(weight => weight > 0) ? weights : usual)
    })
    return open.map((_, nth) => ({ in: ins?.[nth] ?? 0, out: outs?.[nth] ?? 0 }))
  }).flat()
  return { stored, storedLastYear, days }
}

/** How far off forecasts were: the sum of the differences of each week over the wheels that moved; 0.2 is 20 %. */
export type ForecastError = { readonly in: number | null; readonly out: number | null; readonly weeks: number }

/** The error of past forecasts: repeats them for spans of eight weeks that are over, from facts known then. `null`: none can be made. */
export function forecastError(past: Past): ForecastError | null {
  const movements = movementsOf(past)
  const monday = mondayOf(past.today)
  const off = { in: 0, out: 0 }
  const moved = { in: 0, out: 0 }
  let weeks = 0
  for (let span = 1; span <= checkedSpans; span++) {
    const from = addDays(monday, -span * boardDays)
    const forecast = forecastFrom(from, past, movements)
    if (!forecast) continue
    for (let week = 0; week < boardWeeks; week++) {
      weeks++
      for (const side of sides) {
        const predicted = forecast.days.slice(week * 7, week * 7 + 7).reduce((sum, flow) => sum + flow[side], 0)
        const actual = daysFrom(addDays(from, week * 7), 7).reduce((sum, day) => sum + movements.on(day)[side], 0)
        off[side] += Math.abs(predicted - actual)
        moved[side] += actual
      }
    }
  }
  if (weeks === 0) return null
  const share = (side: keyof Flow) => (moved[side] > 0 ? off[side] / moved[side] : null)
  return { in: share('in'), out: share('out'), weeks }
}

/** The wheels that open operations request for a day. */
export type Asked = Flow & { readonly day: IsoDate }

export type BoardDay = {
  readonly day: IsoDate
  /** The wheels of operations confirmed on that day. */
  readonly done: Flow
  readonly asked: Flow
  readonly forecast: Flow | null
  /** The wheels that the board expects: those done, and from today on at least those requested, and at least the forecast. */
  readonly expected: Flow
  /** Wheels in store at its end. */
  readonly stored: number
}

/** The days of the board. */
export function boardOf(past: Past, demand: readonly Asked[], forecast: Forecast | null): BoardDay[] {
  const movements = movementsOf(past)
  const byDay = new Map(demand.map(flow => [flow.day, flow]))
  let { stored } = past
  return boardDaysOf(past.today).map((day, nth) => {
    const done = movements.on(day)
    const wanted = eachSide(side => byDay.get(day)?.[side] ?? 0)
    const predicted = forecast?.days[nth] ?? null
    const expected =
      day < past.today
        ? eachSide(side => done[side])
        : eachSide(side => Math.max(done[side] + wanted[side], predicted?.[side] ?? 0))
    if (day >= past.today) stored += expected.in - done.in - (expected.out - done.out)
    return {
      day,
      done: eachSide(side => done[side]),
      asked: wanted,
      forecast: predicted,
      expected,
      stored: day < past.today ? movements.storedAt(day) : Math.max(0, stored),
    }
  })
}

/** The places of one size class: how many wheels they take, and how many lie there. */
export type ClassStock = { readonly capacity: number; readonly held: number }

/**
 * The number of wheels that each class has at the end of each week of the board: the stock is divided as it is today. If no wheel is on
 * a place, it is divided by the capacity of the places.
 */
export function classWeeks(days: readonly BoardDay[], stored: number, classes: readonly ClassStock[]): number[][] {
  const total = classes.reduce((sum, stock) => sum + stock.held, 0)
  const weights = classes.map(stock => (total > 0 ? stock.held : stock.capacity))
  const weeks = Array.from({ length: boardWeeks }, (_, week) => {
    const change = (days[week * 7 + 6]?.stored ?? stored) - stored
    const shares = shareOut(Math.abs(change), weights)
    return classes.map((stock, at) => Math.max(0, stock.held + Math.sign(change) * (shares[at] ?? 0)))
  })
  return classes.map((_, at) => weeks.map(week => week[at] ?? 0))
}
