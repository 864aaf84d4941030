import { expect, test } from 'vitest'
import { clampDepth, likelyDepth, isTyreOffered, may, tyreStatuses, type TyreAction } from './tyre.ts'

const table: Record<TyreAction, Record<(typeof tyreStatuses)[number], boolean>> = {
  to_stock: { on_vehicle: true, in_stock: false, on_spare: true, waste: false, at_customer: true },
  to_customer: { on_vehicle: false, in_stock: true, on_spare: true, waste: false, at_customer: false },
  to_waste: { on_vehicle: false, in_stock: true, on_spare: true, waste: false, at_customer: false },
  to_spare: { on_vehicle: false, in_stock: true, on_spare: false, waste: false, at_customer: false },
  move: { on_vehicle: true, in_stock: true, on_spare: true, waste: false, at_customer: true },
  delete: { on_vehicle: true, in_stock: false, on_spare: true, waste: false, at_customer: true },
}

for (const [action, states] of Object.entries(table)) {
  for (const [tyre_status, allowed] of Object.entries(states)) {
    test(`${action} of a tyre ${tyre_status} is ${allowed ? 'allowed' : 'refused'}`, () => {
      const tyre = { tyre_status: tyre_status as (typeof tyreStatuses)[number] }
      expect(may(action as TyreAction, tyre)).toBe(allowed)
      expect(may(action as TyreAction, { ...tyre, operation: null })).toBe(allowed)
      expect(may(action as TyreAction, { ...tyre, operation: 7 })).toBe(false)
    })
  }
}

test('the wizard offers tyres at the customer to store and tyres in stock to recall or scrap', () => {
  expect(tyreStatuses.filter(tyre_status => isTyreOffered('to_stock', { tyre_status }))).toEqual(['at_customer'])
  expect(tyreStatuses.filter(tyre_status => isTyreOffered('to_customer', { tyre_status }))).toEqual(['in_stock'])
  expect(tyreStatuses.filter(tyre_status => isTyreOffered('to_waste', { tyre_status }))).toEqual(['in_stock'])
  expect(isTyreOffered('to_stock', { tyre_status: 'at_customer', operation: 3 })).toBe(false)
})

test('a depth is clamped to 0 to 10 and rounded to its step', () => {
  expect([-1, 0, 4.567, 7.255, 1.005, 1e-7, 9.999, 12, Infinity].map(clampDepth)).toEqual([
    0, 0, 4.57, 7.26, 1.01, 0, 10, 10, 10,
  ])
  expect(clampDepth(Number.NaN)).toBeNull()
})

test.each([
  [72, 7.2],
  [725, 7.25],
  [99, 9.9],
  [1000, 10],
  [-3, 3],
  [-72, 7.2],
  [10, null],
  [0, null],
  [7.2, null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
])('a depth of %d was probably meant to be %s', (typed, likely) => {
  expect(likelyDepth(typed)).toBe(likely)
})
