/** The season board (docs/product/season.md "Season board"): PostgreSQL counts, domain/season/seasonBoard.ts reckons. */
import type { Wire } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import type { ClosedDay } from '#domain/operations/closedDays.ts'
import { today as todayOf } from '#domain/texts/date.ts'
import { longStoredSince } from '#domain/tyres/health.ts'
import {
  type Asked,
  boardDaysOf,
  boardOf,
  classWeeks,
  type Flow,
  forecastError,
  forecastFrom,
  historyStart,
  type Moved,
  mondayOf,
} from '#domain/season/seasonBoard.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './board.sql.ts'

type Board = Wire<typeof contract.board.read>
type Facts = Pick<Board, 'stored' | 'late' | 'transports'> & {
  first: string | null
  moved: Moved[]
  asked: Asked[]
  undated: Flow
  lateIn: number
  closed: ClosedDay[]
  loads: (Board['days'][number]['transports'][number] & { day: string })[]
  classes: Omit<Board['classes'][number], 'weeks'>[]
}

export const board: Handlers['board'] = {
  async read({ tx, site, now }) {
    const { timeZone } = site
    const today = todayOf({ now, timeZone })
    const days = boardDaysOf(today)
    const [from, until] = [days[0] ?? today, days.at(-1) ?? today]
    const parameters = { site: site.id, timeZone, historyFrom: historyStart(today), from, until, today }
    const { json } = await tx.single.one(sql.boardFacts, parameters)
    return boardAt(today, JSON.parse(json) as Facts)
  },

  unmoved({ tx, site, now }) {
    const since = longStoredSince(todayOf({ now, timeZone: site.timeZone }))
    return tx.single.json(sql.unmovedByCustomer, { site: site.id, since })
  },
}

function boardAt(today: string, facts: Facts): Board {
  const { stored, undated, lateIn, late, transports, classes } = facts
  const past = { ...facts, today, closedDays: facts.closed.map(({ day }) => day) }
  const forecast = forecastFrom(mondayOf(today), past)
  const days = boardOf(past, facts.asked, forecast)
  const closed = new Map(facts.closed.map(({ day, holiday, name }) => [day, { holiday, name }]))
  const loads = Map.groupBy(facts.loads, ({ day }) => day)
  const weeks = classWeeks(days, stored, classes)
  return {
    today,
    stored,
    unplaced: Math.max(0, stored - classes.reduce((sum, row) => sum + row.held, 0)),
    days: days.map(day => ({
      ...day,
      closed: closed.get(day.day) ?? null,
      transports: (loads.get(day.day) ?? []).map(({ day: _day, ...load }) => load),
    })),
    undated: { in: undated.in + lateIn, out: undated.out },
    late,
    transports,
    forecast: forecast && {
      stored: forecast.stored,
      stored_last_year: forecast.storedLastYear,
      error: forecastError(past),
    },
    classes: classes.map((row, at) => ({ ...row, weeks: weeks[at] ?? [] })),
  }
}
