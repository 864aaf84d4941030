import { describe, expect, it } from 'vitest'
import type { OperationStatus } from '#domain/operations/operation.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { completedIn, countOperations, lastMonth } from './completed.ts'

const operation = (
  type: OperationType,
  status: OperationStatus,
  { handledAt = null }: { handledAt?: string | null } = {},
) => ({ type, status, handledAt })

describe('completed operations', () => {
  it('the period begins one month ago, at the end of a shorter month if need be', () => {
    expect(lastMonth('2026-11-20')).toEqual({ startDate: '2026-10-20', endDate: '2026-11-20' })
    expect(lastMonth('2026-03-31')).toEqual({ startDate: '2026-02-28', endDate: '2026-03-31' })
  })

  it('both ends of the period count, on the calendar of the site, newest first', () => {
    const all = [
      operation('to_stock', 'confirmed', { handledAt: '2026-10-19T21:59:59Z' }), // 23:59:59 on the 19th in Brussels
      operation('to_stock', 'confirmed', { handledAt: '2026-10-19T22:00:00Z' }), // midnight, the 20th
      operation('to_waste', 'cancelled', { handledAt: '2026-11-20T22:59:59Z' }), // 23:59:59 on the 20th
      operation('to_stock', 'confirmed', { handledAt: '2026-11-20T23:00:00Z' }), // the 21st
      operation('to_stock', 'submitted'),
    ]
    expect(completedIn(all, { startDate: '2026-10-20', endDate: '2026-11-20' }, 'Europe/Brussels')).toEqual([
      all[2],
      all[1],
    ])
  })
})

describe('the counts', () => {
  it('have confirmed and cancelled operations of the last month as completed, also after a short month', () => {
    const all = [
      operation('to_stock', 'pending'),
      operation('to_waste', 'pending'),
      operation('to_customer', 'submitted'),
      operation('to_stock', 'confirmed', { handledAt: '2026-03-15T12:00:00Z' }),
      operation('to_stock', 'cancelled', { handledAt: '2026-02-15T12:00:00Z' }),
      // 31 days before the 15th of March, yet more than one month
      operation('to_stock', 'confirmed', { handledAt: '2026-02-12T12:00:00Z' }),
    ]
    expect(countOperations(all, '2026-03-15', 'Europe/Brussels')).toEqual({ pending: 2, submitted: 1, completed: 2 })
    expect(countOperations([], '2026-03-15', 'Europe/Brussels')).toEqual({ pending: 0, submitted: 0, completed: 0 })
  })

  it('leave out a type that no screen offers', () => {
    const all = (['pending', 'submitted', 'confirmed'] as const).map(status =>
      operation('to_spare', status, { handledAt: '2026-03-15T12:00:00Z' }),
    )
    expect(countOperations(all, '2026-03-15', 'Europe/Brussels')).toEqual({ pending: 0, submitted: 0, completed: 0 })
  })
})
