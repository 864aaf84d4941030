import { expect, test } from 'vitest'
import { interestOf, letterOf, nextLevel } from './reminder.ts'

const levels = [
  { days: 7, fee: 0 },
  { days: 21, fee: 12_50 },
  { days: 35, fee: 25_00 },
]
const invoice = (due: string, level = 0, reminded: string | null = null) => ({ due, open: 121_00, level, reminded })
const today = '2026-11-20'

test.each([
  ['is not due for one', invoice('2026-11-14'), null],
  ['is due for the first', invoice('2026-11-13'), 1],
  ['is long overdue', invoice('2025-01-01'), 1],
  ['had the first, and the second is not due yet', invoice('2026-10-31', 1, '2026-11-07'), null],
  ['had the first two weeks ago', invoice('2026-10-30', 1, '2026-11-06'), 2],
  ['had the first of late, long after it was due', invoice('2025-01-01', 1, '2026-11-10'), null],
  ['had the second two weeks ago', invoice('2026-10-01', 2, '2026-11-06'), 3],
  ['had the last', invoice('2025-01-01', 3, '2025-03-01'), null],
])('an invoice that %s', (_, overdue, level) => {
  expect(nextLevel(overdue, levels, today)).toBe(level)
})

test.each([
  [365, 10, 12_10],
  [60, 10, 1_99],
  [1, 10, 3],
  [60, null, 0],
] as const)('after %i days at %d per cent the interest on € 121.00 is %i cents', (days, rate, cents) => {
  const due = new Date(Date.parse('2026-11-20') - days * 86_400_000).toISOString().slice(0, 10)
  expect(interestOf({ due, open: 121_00 }, rate, today)).toBe(cents)
})

test('a letter has the fee of its highest level once, and the fixed sum for each invoice', () => {
  const invoices = [
    { ...invoice('2026-10-01', 1, '2026-10-20'), next: 2 },
    { ...invoice('2026-11-01'), next: 1 },
  ]
  expect(letterOf(invoices, levels, { rate: null, compensation: true }, today)).toEqual({
    level: 2,
    open: 242_00,
    fee: 12_50,
    interest: 0,
    compensation: 80_00,
    total: 334_50,
  })
})
