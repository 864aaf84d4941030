import { describe, expect, test } from 'vitest'
import { addDays, weekday, type IsoDate } from '../texts/date.ts'
import {
  boardDaysOf,
  boardOf,
  classWeeks,
  type Flow,
  forecastError,
  forecastFrom,
  historyStart,
  type Moved,
  mondayOf,
  type Past,
  shareOut,
} from './seasonBoard.ts'

/** A Thursday. */
const today = '2026-10-15'
const monday = mondayOf(today)
const isWorkday = (day: IsoDate) => weekday(day) >= 1 && weekday(day) <= 5

/** Movements of every day since the history begins, by a rule. */
function past(flowOf: (day: IsoDate) => Flow, wish: Partial<Past> = {}): Past {
  const moved: Moved[] = []
  for (let day = historyStart(today); day <= today; day = addDays(day, 1)) {
    const flow = flowOf(day)
    if (flow.in + flow.out > 0) moved.push({ day, in: flow.in, out: flow.out })
  }
  return { moved, first: moved[0]?.day ?? null, today, stored: 1000, closedDays: [], ...wish }
}
const workdays = past(day => (isWorkday(day) ? { in: 8, out: 8 } : { in: 0, out: 0 }))
const weeksOf = (flows: readonly Flow[], side: keyof Flow) =>
  Array.from({ length: 8 }, (_, week) => flows.slice(week * 7, week * 7 + 7).reduce((sum, flow) => sum + flow[side], 0))

describe('whole shares', () => {
  test('add up to the total, in proportion', () => {
    expect(shareOut(10, [1, 1, 1])).toEqual([4, 3, 3])
    expect(shareOut(7, [0, 5, 5, 0])).toEqual([0, 4, 3, 0])
    expect(shareOut(5, [0, 0])).toEqual([0, 0])
    for (let total = 0; total < 200; total += 7)
      expect(shareOut(total, [3, 1, 4, 1, 5, 9]).reduce((a, b) => a + b)).toBe(total)
  })
})

describe('the board', () => {
  test('begins on the Monday of this week and has eight weeks', () => {
    const days = boardDaysOf(today)
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-12', '2026-12-06', 56])
    expect(boardDaysOf('2026-10-18')[0]).toBe('2026-10-12')
    expect(boardDaysOf('2026-10-19')[0]).toBe('2026-10-19')
  })

  test('shows past days as they were, and reckons with the larger of what is asked and forecast from today on', () => {
    const forecast = forecastFrom(monday, workdays)
    const friday = addDays(today, 1)
    const board = boardOf(
      workdays,
      [
        { day: friday, in: 0, out: 30 },
        { day: today, in: 2, out: 0 },
      ],
      forecast,
    )
    const on = (day: IsoDate) => board.find(boardDay => boardDay.day === day)
    expect(on(monday)).toMatchObject({ done: { in: 8, out: 8 }, expected: { in: 8, out: 8 }, stored: 1000 })
    expect(on(today)).toMatchObject({ asked: { in: 2, out: 0 }, expected: { in: 10, out: 8 }, stored: 1002 })
    expect(on(friday)).toMatchObject({ forecast: { in: 8, out: 8 }, expected: { in: 8, out: 30 }, stored: 980 })
    expect(on(addDays(today, 2))).toMatchObject({ expected: { in: 0, out: 0 }, stored: 980 })
  })

  test('goes by what is asked alone where there is no forecast', () => {
    const fresh = past(() => ({ in: 0, out: 0 }))
    const board = boardOf(fresh, [{ day: addDays(today, 5), in: 0, out: 4 }], forecastFrom(monday, fresh))
    expect(board.every(({ forecast }) => forecast === null)).toBe(true)
    expect(board.at(-1)?.stored).toBe(996)
  })
})

describe('the forecast', () => {
  test('is last year’s week where nothing has changed', () => {
    const forecast = forecastFrom(monday, workdays)
    expect(weeksOf(forecast?.days ?? [], 'in')).toEqual(Array(8).fill(40))
    expect(forecast?.days.slice(0, 7).map(flow => flow.out)).toEqual([8, 8, 8, 8, 8, 0, 0])
  })

  test('is scaled to the wheels in store, as they were before its first day', () => {
    // 4 more come than go on each workday since a year ago
    const begin = addDays(monday, -364)
    const growing = past(day => (isWorkday(day) ? { in: day >= begin ? 12 : 8, out: 8 } : { in: 0, out: 0 }), {
      stored: 2076,
    })
    const forecast = forecastFrom(monday, growing)
    // 52 weeks of 20, and the four workdays of this week which it does not know
    expect(forecast?.stored).toBe(2076 - 4 * 4)
    expect(forecast?.storedLastYear).toBe(2060 - 52 * 20)
    const growth = 2060 / 1020
    expect(weeksOf(forecast?.days ?? [], 'in')).toEqual(Array(8).fill(Math.round(60 * growth)))
    expect(weeksOf(forecast?.days ?? [], 'out')).toEqual(Array(8).fill(Math.round(40 * growth)))
  })

  test('has nothing on closed days, and the week keeps its wheels', () => {
    const closed = addDays(monday, 9)
    const forecast = forecastFrom(monday, { ...workdays, closedDays: [closed] })
    expect(forecast?.days[9]).toEqual({ in: 0, out: 0 })
    expect(weeksOf(forecast?.days ?? [], 'out')).toEqual(Array(8).fill(40))
  })

  test('fills a day that was a holiday last year, by the weekday of the other weeks', () => {
    const holiday = addDays(monday, 7 + 2 - 364)
    const forecast = forecastFrom(
      monday,
      past(day => (isWorkday(day) && day !== holiday ? { in: 10, out: 10 } : { in: 0, out: 0 })),
    )
    expect(weeksOf(forecast?.days ?? [], 'out')).toEqual([50, 40, 50, 50, 50, 50, 50, 50])
    expect(forecast?.days[9]?.out).toBeGreaterThan(5)
  })

  test('is not made without a whole year before, nor for a store that was empty or a fourth of this one', () => {
    expect(forecastFrom(monday, { ...workdays, first: addDays(monday, -363) })).toBeNull()
    expect(forecastFrom(monday, { ...workdays, first: addDays(monday, -364) })).not.toBeNull()
    expect(forecastFrom(monday, { ...workdays, first: null })).toBeNull()
    const grown = past(day => (day > addDays(today, -300) && day < monday ? { in: 3, out: 0 } : { in: 0, out: 1 }))
    expect(forecastFrom(monday, { ...grown, stored: 400 })).toBeNull()
    expect(forecastFrom(monday, { ...grown, stored: 4000 })).not.toBeNull()
  })

  test('does not know what comes after it was made', () => {
    const before = addDays(monday, -56)
    const changed = {
      ...workdays,
      moved: workdays.moved.map(flow => (flow.day >= before ? { ...flow, in: 99, out: 99 } : flow)),
    }
    expect(forecastFrom(before, changed)).toEqual(forecastFrom(before, workdays))
  })
})

describe('its error on the past', () => {
  test('is nothing where every year is the same', () => {
    expect(forecastError(workdays)).toEqual({ in: 0, out: 0, weeks: 48 })
  })

  test('is the difference of the weeks over what moved', () => {
    // out doubles a year ago: each forecast of the last 48 weeks says half, or a quarter more or less of it by the store
    const doubled = past(
      day => (isWorkday(day) ? { in: 8, out: day >= addDays(monday, -6 * 56) ? 16 : 8 } : { in: 0, out: 0 }),
      { stored: 100_000 },
    )
    const error = forecastError(doubled)
    expect(error?.in).toBeCloseTo(0, 1)
    expect(error?.out).toBeCloseTo(0.5, 1)
  })

  test('is not known without a forecast to check', () => {
    expect(forecastError({ ...workdays, first: addDays(monday, -400) })).toBeNull()
    expect(forecastError({ ...workdays, first: addDays(monday, -364 - 56) })?.weeks).toBe(8)
    expect(forecastError(past(day => ({ in: isWorkday(day) ? 5 : 0, out: 0 }), { stored: 1e5 }))?.out).toBeNull()
  })
})

describe('size classes', () => {
  test('share what comes and goes as they share what lies there, in whole wheels', () => {
    const board = boardOf(workdays, [{ day: addDays(monday, 9), in: 0, out: 108 }], null)
    const weeks = classWeeks(board, 1000, [
      { capacity: 800, held: 600 },
      { capacity: 400, held: 300 },
    ])
    expect(weeks.map(([first]) => first)).toEqual([600, 300])
    expect(weeks.map(([, second]) => second)).toEqual([600 - 72, 300 - 36])
  })

  test('share as their places where nothing lies on any, and none has less than nothing', () => {
    const board = boardOf(
      past(() => ({ in: 0, out: 0 }), { stored: 0 }),
      [{ day: today, in: 30, out: 0 }],
      null,
    )
    const classes = [
      { capacity: 200, held: 0 },
      { capacity: 100, held: 0 },
    ]
    expect(classWeeks(board, 0, classes).map(weeks => weeks.at(-1))).toEqual([20, 10])
    const leaving = boardOf({ ...workdays, stored: 100 }, [{ day: today, in: 0, out: 500 }], null)
    expect(
      classWeeks(leaving, 100, [{ capacity: 10, held: 5 }])
        .flat()
        .every(count => count >= 0),
    ).toBe(true)
  })
})
