import { describe, expect, it } from 'vitest'
import type { TransportMethod } from '#contract/wire.ts'
import { describedIn, nextDays, transportOf } from './deliveryDays.ts'

const method = (given: Partial<TransportMethod> = {}): TransportMethod => ({
  _id: 1,
  name: 'van',
  code: 'VAN',
  default: false,
  description_nl: 'Eigen bestelwagen',
  description_fr: 'Notre camionnette',
  description_en: 'Own van',
  description_de: '',
  operationDays: [1, 2, 3, 4, 5],
  advanceDays: 1,
  cutoffHour: '12:00',
  operationsPerDay: 0,
  tyresPerDay: 0,
  ...given,
})
const timeZone = 'Europe/Brussels'
/** Friday 20 November 2026. */
const morning = { now: new Date('2026-11-20T09:00:00+01:00'), timeZone, closedDays: [] }
const afternoon = { now: new Date('2026-11-20T12:00:00+01:00'), timeZone, closedDays: [] }

it('the transport of a recall is the one chosen, and none when the site no longer has that', () => {
  const own = method()
  const usual = method({ _id: 2, default: true })
  expect(transportOf({ transport: 1 }, [own, usual])).toBe(own)
  expect(transportOf({ transport: null }, [own, usual])).toBeUndefined()
  expect(transportOf({ transport: null }, [own])).toBeUndefined()
  expect(transportOf({ transport: 9 }, [own, usual])).toBeUndefined()
})

describe('the next days', () => {
  it('leave out days without delivery and days that are booked', () => {
    expect(nextDays(method(), ['2026-11-24'], morning, 3)).toEqual(['2026-11-23', '2026-11-25', '2026-11-26'])
  })
  it('begin a day later after the cut-off', () => {
    const saturdays = method({ operationDays: [6], advanceDays: 1 })
    expect(nextDays(saturdays, [], morning, 1)).toEqual(['2026-11-21'])
    expect(nextDays(saturdays, [], afternoon, 1)).toEqual(['2026-11-28'])
  })
  it('leave out closed days', () => {
    const closed = { ...morning, closedDays: ['2026-11-23', '2026-11-25'] }
    expect(nextDays(method(), [], closed, 2)).toEqual(['2026-11-24', '2026-11-26'])
  })
  it('end where the six months do, and there are none for a transport that never delivers', () => {
    expect(nextDays(method({ operationDays: [3], advanceDays: 175 }), [], morning, 9)).toEqual(['2027-05-19'])
    expect(nextDays(method({ operationDays: [] }), [], morning, 9)).toEqual([])
  })
})

it('a service or transport is called by its description, or by its name where that was left empty', () => {
  expect(['nl', 'fr', 'en', 'de', 'it'].map(language => describedIn(language, method()))).toEqual([
    'Eigen bestelwagen',
    'Notre camionnette',
    'Own van',
    'van',
    'van',
  ])
})
