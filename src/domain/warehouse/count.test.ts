import { describe, expect, test } from 'vitest'
import {
  accuracyOf,
  differences,
  oldestDays,
  outcomeOf,
  placeRisk,
  riskiest,
  risksOf,
  solutionsOf,
  type PlaceFacts,
} from './count.ts'

const calm: PlaceFacts = { moves: 0, splits: 0, anyway: 0, days: 0 }

describe('what a count says of a wheel', () => {
  const wheel = { location: 7, steppedSince: false, elsewhere: false }
  test.each([
    ['found where the records have it', wheel, 'found'],
    ['moved where they have it elsewhere', { ...wheel, location: 8 }, 'moved'],
    ['moved where they have it nowhere', { ...wheel, location: null }, 'moved'],
    ['twice where the same count saw it on another place', { ...wheel, elsewhere: true }, 'twice'],
    ['twice before it is moved', { ...wheel, location: 8, elsewhere: true }, 'twice'],
    ['found where it was handled after the counting', { location: 8, steppedSince: true, elsewhere: true }, 'found'],
    ['unknown where nobody knows it', null, 'unknown'],
  ])('%s', (_, seen, outcome) => {
    expect(outcomeOf(seen, 7)).toBe(outcome)
  })

  test('every difference has a solution, whatever is known of the wheel', () => {
    for (const difference of differences)
      expect(solutionsOf(difference, { belongs: null, placeable: false }).length).toBeGreaterThan(0)
  })

  test('what has no place is not taken to it, and what is not stored is not put on one', () => {
    expect(solutionsOf('moved', { belongs: 8, placeable: true })).toEqual(['here', 'back', 'done'])
    expect(solutionsOf('moved', { belongs: null, placeable: true })).toEqual(['here', 'done'])
    expect(solutionsOf('moved', { belongs: null, placeable: false })).toEqual(['done'])
  })
})

describe('the risk of a place', () => {
  test('grows with every reason', () => {
    for (const more of [{ moves: 1 }, { splits: 1 }, { anyway: 1 }, { days: 30 }])
      expect(placeRisk({ ...calm, ...more })).toBeGreaterThan(placeRisk(calm))
  })

  test('is the sum that the documents name', () => {
    expect(placeRisk({ moves: 4, splits: 2, anyway: 1, days: 60 })).toBeCloseTo(4 + 4 + 3 + 2)
  })

  test('of a place that was never counted is that of one not counted for a year', () => {
    expect(placeRisk({ ...calm, days: null })).toBe(placeRisk({ ...calm, days: oldestDays }))
    expect(placeRisk({ ...calm, days: 5000 })).toBe(placeRisk({ ...calm, days: oldestDays }))
  })

  test('says its reasons, weightiest first', () => {
    expect(risksOf({ moves: 1, splits: 0, anyway: 1, days: 29 })).toEqual(['anyway', 'moves'])
    expect(risksOf(calm)).toEqual([])
  })

  test('orders places, and of equal ones the first of the walk is first', () => {
    const at = (id: number, walk: number, more: Partial<PlaceFacts>) => ({ ...calm, ...more, id, walk })
    const places = [at(1, 3, {}), at(2, 2, {}), at(3, 9, { moves: 4 }), at(4, 8, { anyway: 4 })]
    expect(riskiest(places, 3).map(({ id }) => id)).toEqual([4, 3, 2])
  })
})

test('the accuracy is the part that is right', () => {
  expect(accuracyOf({ right: 3, wrong: 1 })).toBe(0.75)
  expect(accuracyOf({ right: 0, wrong: 0 })).toBeNull()
})
