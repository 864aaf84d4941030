import { expect, test } from 'vitest'
import { emptyHand, type Hand, type Held, learn, letGo, takeSpot, takeWheel } from './hand.ts'

const wheel = (tyre: number, vehicle: number | null = 1): Held => ({
  tyre,
  vehicle,
  plate: vehicle === null ? null : `V${vehicle}`,
})
const spot = (location: number) => ({ location, rack: `A-${location}` })

/** Feeds scans one after the other and returns which wheels were put where. */
function scan(...scans: (Held | number)[]) {
  let hand: Hand = emptyHand
  const put: [number, number[]][] = []
  for (const each of scans) {
    const taken = typeof each === 'number' ? takeSpot(hand, spot(each)) : takeWheel(hand, each)
    hand = taken.hand
    if (taken.put) put.push([taken.put.spot.location, taken.put.wheels.map(({ tyre }) => tyre)])
  }
  return { put, wheels: hand.wheels.map(({ tyre }) => tyre), spot: hand.spot?.location ?? null }
}

test('wheels, then a place: they go there, and the next wheel begins anew', () => {
  expect(scan(wheel(1), wheel(2), 7, wheel(3))).toEqual({ put: [[7, [1, 2]]], wheels: [3], spot: null })
})
test('a place, then wheels: each goes there, of whatever vehicle', () => {
  expect(scan(7, wheel(1), wheel(5, 2))).toEqual({
    put: [
      [7, [1]],
      [7, [5]],
    ],
    wheels: [],
    spot: 7,
  })
})
test('a second place takes the place of the first', () => {
  expect(scan(7, wheel(1), 8, wheel(2))).toEqual({
    put: [
      [7, [1]],
      [8, [2]],
    ],
    wheels: [],
    spot: 8,
  })
})
test('a wheel of another vehicle: the ones before were only looked at', () => {
  expect(scan(wheel(1), wheel(2), wheel(5, 2), 7)).toEqual({ put: [[7, [5]]], wheels: [], spot: null })
})
test('a wheel that is scanned twice is one wheel', () => {
  expect(scan(wheel(1), wheel(2), wheel(1), 7).put).toEqual([[7, [2, 1]]])
})
test('without a network the wheels of nobody known go together', () => {
  expect(scan(wheel(1, null), wheel(2, null), 7).put).toEqual([[7, [1, 2]]])
})
test('a wheel whose answer is late stays beside those before it, until it is known whose it is', () => {
  const slow = [wheel(1), wheel(2, null), wheel(3)].reduce((hand, each) => takeWheel(hand, each).hand, emptyHand)
  const tyres = (hand: Hand) => hand.wheels.map(({ tyre }) => tyre)
  expect(tyres(slow)).toEqual([1, 2, 3])
  expect(tyres(learn(slow, wheel(2)))).toEqual([1, 2, 3])
  // a wheel of another vehicle started a new hand, and so did the one after it
  expect(tyres(learn(slow, wheel(2, 9)))).toEqual([3])
  expect(learn(slow, wheel(8))).toEqual(slow)
  expect(tyres(letGo(slow, [2]))).toEqual([1, 3])
})
test('a place takes no wheel of which it is not known whether it belongs there', () => {
  expect(scan(wheel(1), wheel(2, null), 7).put).toEqual([[7, [2]]])
})
