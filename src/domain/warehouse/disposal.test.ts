import { expect, test } from 'vitest'
import { scrapWeight } from './disposal.ts'

test('a scrapped tyre weighs what its size says, with its rim if it has one', () => {
  const description = 'Michelin Alpin 6 205/55R16 91H'
  const bare = scrapWeight({ description, rimmed: false })
  expect(bare).toBeGreaterThanOrEqual(8)
  expect(bare).toBeLessThanOrEqual(13)
  expect(scrapWeight({ description, rimmed: true })).toBeGreaterThan(bare + 8)
  const truck = scrapWeight({ description: 'Michelin X Multi 315/80R22.5 156/150L', rimmed: false })
  expect(truck).toBeGreaterThanOrEqual(55)
  expect(truck).toBeLessThanOrEqual(80)
})

test('a tyre without a size has the weight of a usual one', () => {
  expect(scrapWeight({ description: 'Unknown', rimmed: true })).toBe(10)
})
