import { expect, test } from 'vitest'
import { storagesOfSwaps } from './swaps.ts'

const recall = { _id: 1, type: 'to_customer', swap: { _id: 2 } }
const storage = { _id: 2, type: 'to_stock', swap: { _id: 1 } }

test('a recall and its storage stand together where both are listed', () => {
  expect([...storagesOfSwaps([storage, recall, { _id: 3, type: 'to_stock', swap: null }])]).toEqual([[1, storage]])
})

test('a half whose other one is elsewhere stands alone', () => {
  expect(storagesOfSwaps([recall]).size).toBe(0)
  expect(storagesOfSwaps([storage]).size).toBe(0)
  expect(storagesOfSwaps([{ ...recall, swap: null }, storage]).size).toBe(0)
})
