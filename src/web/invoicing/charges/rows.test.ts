import { describe, expect, test } from 'vitest'
import type { BillingRunCustomer } from '#contract/billing.ts'
import type { OverdueTyre } from '#contract/invoicing.ts'
import { cellsOf, chosenIn, documentsOf, owingOf, selectedTogether, withAllToggled } from './rows.ts'

let next = 1
const tyre = (facts: Partial<OverdueTyre> = {}): OverdueTyre => ({
  db_id: next++,
  flt_id: 1,
  license_plate: '1ABC234',
  position: '1A',
  description: 'Michelin Alpin 6',
  tyre_set: 'Winter',
  status_date: '2026-05-04',
  invoicedAt: null,
  overdue_days: 200,
  stock_rack: 'A-01-1',
  stock_site_name: 'Main hall',
  document: null,
  document_date: null,
  paid_until: null,
  owed_days: facts.overdue_days ?? 200,
  waived_days: 0,
  waived_reason: null,
  ...facts,
})
test('selected together is what the server charges as one', () => {
  expect(
    selectedTogether(2, [
      [1, 2, 3],
      [4, 5],
    ]),
  ).toEqual([1, 2, 3])
  expect(selectedTogether(6, [[1, 2, 3]])).toEqual([6])
})

test('a document charges the tyres that owe days, and leaves out those that are paid or on another one', () => {
  const documented = tyre({ document: 'R-2026-00001', document_date: '2026-11-10', owed_days: 0 })
  const owing = [tyre(), tyre()]
  expect(owingOf([documented, ...owing, tyre({ overdue_days: 0 })])).toEqual(owing)
  expect(owingOf([documented])).toEqual([])
  expect(documentsOf([tyre(), documented, { ...documented, db_id: 99 }])).toEqual([
    { number: 'R-2026-00001', date: '2026-11-10', tyres: [documented.db_id, 99] },
  ])
  // it charges to the end of a period that has begun
  const ofPeriod = { ...documented, db_id: 99, paid_until: '2027-01-31' }
  expect(documentsOf([documented, ofPeriod, { ...documented, db_id: 98 }])).toMatchObject([{ date: '2027-01-31' }])
})

test('a copy has a heading and a row for each tyre', () => {
  const cells = cellsOf([tyre({ db_id: 7, tyre_set: null, invoicedAt: '2026-05-10' })], {
    heading: column => column,
    setless: 'No set',
  })
  expect(cells).toEqual([
    ['tyre', 'plate', 'position', 'description', 'set', 'stockDate', 'invoiced', 'days', 'site', 'rack', 'document'],
    [7, '1-ABC-234', '1A', 'Michelin Alpin 6', 'No set', '04/05/2026', '10/05/2026', 200, 'Main hall', 'A-01-1', null],
  ])
})

describe('the checkbox of all customers of a billing run', () => {
  const customers = (...ids: number[]) => ids.map(seq_id => ({ seq_id }) as BillingRunCustomer)
  test('says what is chosen of the rows that are shown', () => {
    expect(chosenIn(customers(1, 2), new Set())).toBe(true)
    expect(chosenIn(customers(1, 2), new Set([3]))).toBe(true)
    expect(chosenIn(customers(1, 2), new Set([2, 3]))).toBe('some')
    expect(chosenIn(customers(1, 2), new Set([1, 2, 3]))).toBe(false)
    expect(chosenIn([], new Set())).toBe(false)
  })
  test('changes no row that the filter hides', () => {
    expect(withAllToggled(customers(1, 2), new Set([3]))).toEqual(new Set([1, 2, 3]))
    expect(withAllToggled(customers(1, 2), new Set([2, 3]))).toEqual(new Set([3]))
    expect(withAllToggled(customers(1, 2), new Set([1, 2, 3]))).toEqual(new Set([3]))
  })
})
