import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isReservedSetName, isSameSet, setNameRequired, takenPositions } from './tyreSet.ts'

test.each([
  [0, 4, false],
  [3, 4, false],
  [4, 4, true],
  [5, 4, true],
  // a vehicle without positions: only once it has setless tyres
  [0, 0, false],
  [1, 0, true],
])('with %i setless tyres on %i positions a set name is required: %s', (setless, positions, required) => {
  expect(setNameRequired({ setless, positions })).toBe(required)
})

const on = (...positions: string[]) => positions.map(position => ({ position }))

describe('a tyre meets another in the set', () => {
  test.each([
    [on('1A', '1B'), on('2A', '2B'), []],
    [on('1A', '1B'), [], []],
    [[], on('1A'), []],
    [on('2B', '1A', '10A', '1B'), on('10A', '2B', '1A'), ['1A', '2B', '10A']],
    [on('1A', '1A'), [], ['1A']],
    [on('1A', '1A', '1A'), on('1A'), ['1A']],
  ])('%j joining %j: on %j', (selected, others, taken) => {
    expect(takenPositions(selected, others)).toEqual(taken)
  })
  test('but not itself, when its set is given the name it has', () => {
    const set = [
      { db_id: 1, position: '1A' },
      { db_id: 2, position: '1B' },
    ]
    expect(takenPositions(set, set)).toEqual([])
    expect(takenPositions(set.slice(0, 1), set)).toEqual([])
    expect(takenPositions([{ db_id: 3, position: '1B' }], set)).toEqual(['1B'])
    expect(takenPositions([{ position: '1B' }], set)).toEqual(['1B'])
  })
  test('and waste takes no position', () => {
    const others = [
      { db_id: 1, position: '1A', tyre_status: 'waste' },
      { db_id: 2, position: '1B', tyre_status: 'in_stock' },
    ]
    expect(takenPositions([{ position: '1A' }, { position: '1B' }], others)).toEqual(['1B'])
  })
  test('in no case when all positions differ, and always when they are the same', () => {
    const positions = fc.uniqueArray(fc.constantFrom('1A', '1B', '2A', '2B', '2C', '2D', '3A'), { maxLength: 7 })
    fc.assert(
      fc.property(positions, positions, (selected, others) => {
        const taken = takenPositions(on(...selected), on(...others))
        expect(taken.toSorted()).toEqual(selected.filter(position => others.includes(position)).toSorted())
        expect(takenPositions(on(...selected, ...selected), [])).toHaveLength(selected.length)
      }),
    )
  })
})

test.each([
  ['Summer', 'summer', true],
  [' Summer ', 'SUMMER', true],
  ['Été', 'été', true],
  ['Summer', 'Summer 2', false],
  ['Summer', null, false],
  [null, null, true],
])('%j and %j are one set: %s', (a, b, same) => {
  expect([isSameSet(a, b), isSameSet(b, a)]).toEqual([same, same])
})

test.each([
  ['setless', true],
  [' Setless ', true],
  ['setless 2', false],
  ['', false],
])('%j is reserved for tyres without a set: %s', (name, reserved) => {
  expect(isReservedSetName(name)).toBe(reserved)
})
