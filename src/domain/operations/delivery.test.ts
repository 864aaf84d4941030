import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, weekday } from '../texts/date.ts'
import {
  advanceDaysStart,
  deliveryDayRefusal,
  firstDeliveryDate,
  isDayFull,
  lastDeliveryDate,
  likelyArrival,
  selfDelivered,
  today,
  type TransportRules,
} from './delivery.ts'

const timeZone = 'Europe/Brussels'
/** Friday 20 November 2026, 10:00 in Brussels. */
const at = { now: new Date('2026-11-20T09:00:00Z'), timeZone, closedDays: [] }
const rules = (some: Partial<TransportRules> = {}): TransportRules => ({
  operationDays: [1, 2, 3, 4, 5],
  advanceDays: 1,
  cutoffHour: null,
  operationsPerDay: 0,
  tyresPerDay: 0,
  ...some,
})

describe('after the cut-off today counts as tomorrow', () => {
  test.each([
    // Brussels is one hour ahead in winter and two in summer
    ['2026-11-20T10:59:59Z', '12:00', '2026-11-20'],
    ['2026-11-20T11:00:00Z', '12:00', '2026-11-21'],
    ['2026-11-20T22:59:59Z', '12:00', '2026-11-21'],
    ['2026-11-20T23:00:00Z', '12:00', '2026-11-21'],
    ['2026-11-20T11:00:00Z', null, '2026-11-20'],
    ['2026-07-01T09:59:59Z', '12:00', '2026-07-01'],
    ['2026-07-01T10:00:00Z', '12:00', '2026-07-02'],
    ['2026-11-20T11:00:29Z', '12:00:30', '2026-11-20'],
    ['2026-11-20T11:00:30Z', '12:00:30', '2026-11-21'],
    ['2026-11-20T00:00:00Z', '00:00', '2026-11-21'],
    ['2026-12-31T23:00:00Z', '23:59', '2027-01-01'],
    ['2026-12-31T22:59:30Z', '23:59', '2027-01-01'],
    // the clocks go forward over a cut-off of 02:30: from 03:00 on it is past
    ['2026-03-29T00:59:59Z', '02:30', '2026-03-29'],
    ['2026-03-29T01:00:00Z', '02:30', '2026-03-30'],
    // and back: 02:30 comes twice, and once it has come the day is over
    ['2026-10-25T00:29:59Z', '02:30', '2026-10-25'],
    ['2026-10-25T00:30:00Z', '02:30', '2026-10-26'],
    ['2026-10-25T00:59:59Z', '02:30', '2026-10-26'],
    ['2026-10-25T01:00:00Z', '02:30', '2026-10-26'],
    ['2026-10-25T01:29:59Z', '02:30', '2026-10-26'],
    ['2026-10-25T01:30:00Z', '02:30', '2026-10-26'],
    // 03:00 comes once
    ['2026-10-25T01:59:59Z', '03:00', '2026-10-25'],
    ['2026-10-25T02:00:00Z', '03:00', '2026-10-26'],
    // an hour before midnight is the day before
    ['2026-11-20T23:10:00Z', '23:00', '2026-11-21'],
  ])('at %s with a cut-off at %s it counts from %s', (now, cutoffHour, day) => {
    expect(advanceDaysStart({ now: new Date(now), timeZone, cutoffHour, closedDays: [] })).toBe(day)
  })
})

describe('the first day', () => {
  test.each<[string, Partial<TransportRules>, string | null]>([
    ['is moved from Saturday to Monday', {}, '2026-11-23'],
    ['is today without advance', { advanceDays: 0 }, '2026-11-20'],
    ['is not today after the cut-off', { advanceDays: 0, cutoffHour: '09:30' }, '2026-11-23'],
    ['is today before the cut-off', { advanceDays: 0, cutoffHour: '10:01' }, '2026-11-20'],
    ['counts the days between as they are, weekends too', { advanceDays: 4 }, '2026-11-24'],
    ['is the one weekday of a weekly round', { operationDays: [4] }, '2026-11-26'],
    ['is a week later when the round has just gone', { operationDays: [5] }, '2026-11-27'],
    ['is that very weekday when nothing has to be moved', { operationDays: [6] }, '2026-11-21'],
    ['can be a Sunday', { operationDays: [0] }, '2026-11-22'],
    ['is none without a weekday', { operationDays: [] }, null],
    ['is none when it lies more than six months ahead', { advanceDays: 200 }, null],
    ['can be the last that is allowed', { advanceDays: 181, operationDays: [4] }, '2027-05-20'],
  ])('%s', (_, some, day) => {
    expect(firstDeliveryDate(rules(some), at)).toBe(day)
  })
})

test.each([
  ['2026-11-20T09:00:00Z', '2027-05-20'],
  ['2026-08-31T09:00:00Z', '2027-02-28'],
  ['2027-08-31T09:00:00Z', '2028-02-29'],
  ['2026-08-30T22:30:00Z', '2027-02-28'],
  ['2026-08-27T22:30:00Z', '2027-02-28'],
  ['2026-08-27T21:30:00Z', '2027-02-27'],
])('from %s the last day is %s', (now, day) => {
  expect(lastDeliveryDate({ now: new Date(now), timeZone })).toBe(day)
})

describe('a day', () => {
  test.each<[string, string | null, string | null]>([
    ['that is missing', null, 'delivery.missing'],
    ['that is empty', '', 'delivery.missing'],
    ['that is none of the calendar', '2027-02-30', 'delivery.missing'],
    ['that has gone', '2026-11-19', 'delivery.too_early'],
    ['today, with a day in advance', '2026-11-20', 'delivery.too_early'],
    ['on a Saturday', '2026-11-21', 'delivery.weekday'],
    ['on the first Monday', '2026-11-23', null],
    ['that is booked', '2026-11-24', 'delivery.day_full'],
    ['on the last day allowed', '2027-05-20', null],
    ['after it', '2027-05-21', 'delivery.too_late'],
    ['on a Sunday after it', '2027-05-23', 'delivery.too_late'],
  ])('%s: %s is %s', (_, date, refusal) => {
    expect(deliveryDayRefusal(date, rules(), ['2026-11-24'], at)).toBe(refusal)
    expect(deliveryDayRefusal(date, rules(), new Set(['2026-11-24']), at)).toBe(refusal)
  })
  test('of a transport without weekdays is never one', () => {
    expect(deliveryDayRefusal('2026-11-23', rules({ operationDays: [] }), [], at)).toBe('delivery.weekday')
  })
  test('that is free in the morning is too early from the cut-off on', () => {
    const tight = rules({ cutoffHour: '12:00', operationDays: [0, 1, 2, 3, 4, 5, 6] })
    const ask = (now: string) => deliveryDayRefusal('2026-11-21', tight, [], { ...at, now: new Date(now) })
    expect(ask('2026-11-20T10:59:59.999Z')).toBeNull()
    expect(ask('2026-11-20T11:00:00.000Z')).toBe('delivery.too_early')
  })

  const anyRules = fc.record({
    operationDays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
    advanceDays: fc.integer({ min: 0, max: 60 }),
    cutoffHour: fc.option(fc.constantFrom('00:00', '02:30', '12:00', '17:45', '23:59')),
    operationsPerDay: fc.nat({ max: 5 }),
    tyresPerDay: fc.nat({ max: 20 }),
  })
  const moment = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map(now => ({ now, timeZone, closedDays: [] }))
  test('is accepted on the first day, on none before it, and on no other weekday', () => {
    fc.assert(
      fc.property(anyRules, moment, fc.nat({ max: 200 }), (transport, when, days) => {
        const first = firstDeliveryDate(transport, when)
        const last = lastDeliveryDate(when)
        expect(first).not.toBeNull()
        expect(deliveryDayRefusal(first, transport, [], when)).toBeNull()
        expect(deliveryDayRefusal(first, transport, [first!], when)).toBe('delivery.day_full')
        expect(deliveryDayRefusal(addDays(first!, -1), transport, [], when)).not.toBeNull()
        const date = addDays(first!, days)
        const allowed = transport.operationDays.includes(weekday(date)) && date <= last
        expect(deliveryDayRefusal(date, transport, [], when) === null).toBe(allowed)
      }),
    )
  })
  test('first comes at least the advance days from today, and less than a week and a day after', () => {
    fc.assert(
      fc.property(anyRules, moment, (transport, when) => {
        const ahead = daysBetween(today(when), firstDeliveryDate(transport, when)!)
        expect(ahead).toBeGreaterThanOrEqual(transport.advanceDays)
        expect(ahead).toBeLessThanOrEqual(transport.advanceDays + 7)
        expect(lastDeliveryDate(when)).toBe(addMonths(today(when), 6))
      }),
    )
  })
  test('first never comes earlier as time passes, not even while clocks change', () => {
    const around = ['2026-03-28T22:00:00Z', '2026-10-24T22:00:00Z', '2026-12-31T20:00:00Z', '2028-02-28T20:00:00Z']
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...around), (transport, start) => {
        let before = ''
        for (let minutes = 0; minutes <= 30 * 60; minutes += 15) {
          const first = firstDeliveryDate(transport, { ...at, now: new Date(Date.parse(start) + minutes * 60_000) })!
          expect(first >= before).toBe(true)
          before = first
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('with closed days', () => {
  // Thursday 24 December 2026, 10:00; the 25th and Saturday the 26th are holidays
  const eve = { now: new Date('2026-12-24T09:00:00Z'), timeZone, closedDays: ['2026-12-25', '2026-12-26'] }
  const daily = rules({ operationDays: [0, 1, 2, 3, 4, 5, 6] })
  const first = (now: string, some: Partial<TransportRules> = {}) =>
    firstDeliveryDate({ ...daily, ...some }, { ...eve, now: new Date(now) })

  test('the first day is moved over them to a day on which the transport drives', () => {
    expect(first('2026-12-24T09:00:00Z')).toBe('2026-12-27')
    expect(first('2026-12-24T09:00:00Z', { operationDays: [1, 2, 3, 4, 5] })).toBe('2026-12-28')
    expect(firstDeliveryDate(rules({ operationDays: [5] }), eve)).toBe('2027-01-01')
  })
  test('they are counted as days between order and delivery, as weekends are', () => {
    expect(first('2026-12-24T09:00:00Z', { advanceDays: 3 })).toBe('2026-12-27')
  })
  test('of a closed day the cut-off has passed from its beginning', () => {
    const cutoffHour = '16:00'
    expect(first('2026-12-24T14:59:00Z', { cutoffHour, advanceDays: 3 })).toBe('2026-12-27')
    // after the cut-off of the eve the count begins on the next open day
    expect(first('2026-12-24T15:00:00Z', { cutoffHour, advanceDays: 1 })).toBe('2026-12-28')
    expect(first('2026-12-25T00:10:00Z', { cutoffHour, advanceDays: 1 })).toBe('2026-12-28')
    expect(first('2026-12-26T22:00:00Z', { cutoffHour, advanceDays: 1 })).toBe('2026-12-28')
    expect(first('2026-12-27T14:00:00Z', { cutoffHour, advanceDays: 1 })).toBe('2026-12-28')
    // a transport without a cut-off counts from today
    expect(first('2026-12-25T00:10:00Z', { advanceDays: 1 })).toBe('2026-12-27')
  })
  test('such a day is refused, for what it is', () => {
    expect(deliveryDayRefusal('2026-12-25', daily, [], eve)).toBe('delivery.closed')
    expect(deliveryDayRefusal('2026-12-25', daily, ['2026-12-25'], eve)).toBe('delivery.closed')
    expect(deliveryDayRefusal('2026-12-26', rules(), [], eve)).toBe('delivery.weekday')
    expect(deliveryDayRefusal('2026-12-27', daily, [], eve)).toBeNull()
  })
  test('a site that is closed for half a year delivers never', () => {
    const closedDays = Array.from({ length: 200 }, (_, later) => addDays('2026-12-24', later))
    expect(firstDeliveryDate(daily, { ...eve, closedDays })).toBeNull()
    expect(firstDeliveryDate({ ...daily, cutoffHour: '16:00' }, { ...eve, closedDays })).toBeNull()
  })
})

describe('a day is full', () => {
  test.each([
    [{ operations: 0, tyres: 0 }, { operationsPerDay: 2, tyresPerDay: 8 }, false],
    [{ operations: 1, tyres: 7 }, { operationsPerDay: 2, tyresPerDay: 8 }, false],
    [{ operations: 2, tyres: 2 }, { operationsPerDay: 2, tyresPerDay: 8 }, true],
    [{ operations: 3, tyres: 2 }, { operationsPerDay: 2, tyresPerDay: 8 }, true],
    [{ operations: 1, tyres: 8 }, { operationsPerDay: 2, tyresPerDay: 8 }, true],
    [{ operations: 1, tyres: 12 }, { operationsPerDay: 2, tyresPerDay: 8 }, true],
    [{ operations: 99, tyres: 7 }, { operationsPerDay: 0, tyresPerDay: 8 }, false],
    [{ operations: 1, tyres: 99 }, { operationsPerDay: 2, tyresPerDay: 0 }, false],
    [{ operations: 1, tyres: 0 }, { operationsPerDay: 1, tyresPerDay: 0 }, true],
    [{ operations: 0, tyres: 1 }, { operationsPerDay: 0, tyresPerDay: 1 }, true],
    [{ operations: 99, tyres: 99 }, { operationsPerDay: 0, tyresPerDay: 0 }, false],
  ])('with %j under %j: %s', (taken, limits, full) => {
    expect(isDayFull(taken, limits)).toBe(full)
  })
})

describe('the days that are offered to who brings tyres', () => {
  test.each([
    ['are all where nothing is delivered', [], selfDelivered],
    [
      'leave out those on which nothing drives',
      [rules({ operationDays: [1, 3] }), rules({ operationDays: [3, 5] })],
      {
        ...selfDelivered,
        operationDays: [1, 3, 5],
      },
    ],
    [
      'end with the last cut-off',
      [rules({ cutoffHour: '12:00' }), rules({ cutoffHour: '16:30' })],
      {
        ...selfDelivered,
        operationDays: [1, 2, 3, 4, 5],
        cutoffHour: '16:30',
      },
    ],
    [
      'end with the day where one has no cut-off',
      [rules({ cutoffHour: '12:00' }), rules()],
      {
        ...selfDelivered,
        operationDays: [1, 2, 3, 4, 5],
      },
    ],
  ])('%s', (_, methods, offered) => {
    expect(likelyArrival(methods)).toEqual(offered)
  })
})
