import { expect, test } from 'vitest'
import { chartDays, countTyres, finishedPerDay } from './chartData.ts'

const at = { today: '2026-11-20', timeZone: 'Europe/Brussels' }
const done = (handledAt: string, type: 'to_stock' | 'to_customer' | 'to_waste' | 'to_spare' = 'to_stock') => ({
  status: 'confirmed' as const,
  type,
  handledAt,
})

test('the chart has 31 days and ends today', () => {
  const days = finishedPerDay([], at)
  expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([chartDays, '2026-10-21', '2026-11-20'])
  expect(days.every(day => day.to_stock + day.to_customer + day.to_waste === 0)).toBe(true)
})

test('an operation counts on the day that the site had when it was confirmed', () => {
  const days = finishedPerDay([done('2026-11-18T23:30:00Z'), done('2026-11-18T22:30:00Z', 'to_waste')], at)
  expect(days.find(day => day.date === '2026-11-19')).toMatchObject({ to_stock: 1, to_waste: 0 })
  expect(days.find(day => day.date === '2026-11-18')).toMatchObject({ to_stock: 0, to_waste: 1 })
})

test('what was cancelled, is older, or is a spare does not count', () => {
  const none = finishedPerDay(
    [
      { ...done('2026-11-18T12:00:00Z'), status: 'cancelled' },
      { status: 'submitted', type: 'to_stock', handledAt: null },
      done('2026-10-20T12:00:00Z'),
      done('2026-11-18T12:00:00Z', 'to_spare'),
    ],
    at,
  )
  expect(none.flatMap(day => [day.to_stock, day.to_customer, day.to_waste]).every(count => count === 0)).toBe(true)
})

test('tyres are counted in stock, at the customer and on a vehicle', () => {
  const tyres = (['in_stock', 'in_stock', 'waste', 'on_spare', 'at_customer', 'on_vehicle'] as const).map(
    tyre_status => ({ tyre_status }),
  )
  expect(countTyres([{ tyres }, { tyres: tyres.slice(0, 1) }])).toEqual({ in_stock: 3, at_customer: 1, on_vehicle: 1 })
})
