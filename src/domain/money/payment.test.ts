import { expect, test } from 'vitest'
import { paymentStateOf } from './payment.ts'

const due = '2026-11-30'
test.each([
  ['nothing was paid', { gross: 121, credited: 0, paid: 0, written_off: 0 }, due, 'open'],
  ['the day after it is due', { gross: 121, credited: 0, paid: 0, written_off: 0 }, '2026-12-01', 'overdue'],
  ['a part was paid', { gross: 121, credited: 0, paid: 21, written_off: 0 }, due, 'partly_paid'],
  ['a part was paid, and it is due', { gross: 121, credited: 0, paid: 21, written_off: 0 }, '2026-12-01', 'overdue'],
  ['a part was credited', { gross: 121, credited: 21, paid: 0, written_off: 0 }, due, 'open'],
  ['all was paid', { gross: 121, credited: 0, paid: 121, written_off: 0 }, '2027-12-01', 'paid'],
  ['what was not credited was paid', { gross: 121, credited: 21, paid: 100, written_off: 0 }, '2027-12-01', 'paid'],
  ['the rest was written off', { gross: 121, credited: 0, paid: 100, written_off: 21 }, '2027-12-01', 'written_off'],
  ['all was credited', { gross: 121, credited: 121, paid: 0, written_off: 0 }, '2027-12-01', 'credited'],
] as const)('when %s', (_, balance, today, state) => {
  expect(paymentStateOf({ ...balance, due }, today)).toBe(state)
})
