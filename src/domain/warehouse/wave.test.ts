import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextLine,
  type OpenLine,
  pickOutcome,
  planWave,
  type Recalled,
  stageOutcome,
  toPick,
  waveUnits,
} from './wave.ts'
import { wheelStates } from '../tyres/wheel.ts'

/** Operations with one or two sets, each of which may lie on two places. */
const recalled = fc
  .array(
    fc.record({
      sets: fc.array(fc.array(fc.nat({ max: 19 }), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 12 },
  )
  .map(operations =>
    operations.flatMap(({ sets }, operation) =>
      sets.flatMap((places, set) =>
        places.map((place, nth): Recalled => ({
          tyre: operation * 100 + set * 10 + nth,
          operation,
          set: `set ${set}`,
          location: place,
          aisle: Math.floor(place / 5),
          walk: place * 10,
        })),
      ),
    ),
  )

describe('a wave', () => {
  test('takes whole operations, each wheel once, in walk order, and never more than was asked', () => {
    fc.assert(
      fc.property(recalled, fc.integer({ min: 1, max: 40 }), fc.constantFrom(...waveUnits), (wheels, most, unit) => {
        const lines = planWave(wheels, { most, unit })
        const planned = lines.flatMap(({ tyres }) => tyres)
        expect(new Set(planned).size).toBe(planned.length)
        const chosen = new Set(lines.map(({ operation }) => operation))
        expect(planned.toSorted((a, b) => a - b)).toEqual(
          wheels.filter(({ operation }) => chosen.has(operation)).map(({ tyre }) => tyre),
        )
        const walks = lines.map(({ walk }) => walk)
        expect(walks).toEqual(walks.toSorted((a, b) => a - b))
        const taken = wheels.filter(({ operation }) => chosen.has(operation))
        const sets = new Set(taken.map(({ operation, set }) => `${operation} ${set}`))
        const size = unit === 'wheels' ? taken.length : sets.size
        expect(size).toBeLessThanOrEqual(most)
        // an operation that was left out would not have fitted beside those taken
        for (const [operation, left] of Map.groupBy(wheels, wheel => wheel.operation))
          if (!chosen.has(operation))
            expect(size + (unit === 'wheels' ? left.length : new Set(left.map(({ set }) => set)).size)).toBeGreaterThan(
              most,
            )
      }),
    )
  })

  test('has one line for a set on one place, and one more for each other place', () => {
    const wheel = { operation: 1, set: 'winter', aisle: 1 }
    const lines = planWave(
      [
        { ...wheel, tyre: 1, location: 7, walk: 70 },
        { ...wheel, tyre: 2, location: 3, walk: 30 },
        { ...wheel, tyre: 3, location: 7, walk: 70 },
      ],
      { most: 4, unit: 'wheels' },
    )
    expect(lines.map(({ location, tyres }) => [location, tyres])).toEqual([
      [3, [2]],
      [7, [1, 3]],
    ])
  })
})

/** Several pickers work through a wave, in any order; the aisles in which they met are answered. */
function walk(aisles: readonly number[], turns: readonly number[]): { order: number[][]; met: number } {
  const lines = aisles.toSorted((a, b) => a - b).map((aisle, line) => ({ line, aisle, by: null as string | null }))
  const last = new Map<string, (typeof lines)[number]>()
  const order = new Map<string, number[]>()
  let [open, met]: [typeof lines, number] = [lines, 0]
  for (const turn of [...turns, ...lines.flatMap(() => [0, 1, 2]), ...lines.flatMap(() => [0, 1, 2])]) {
    const picker = `picker ${turn}`
    const own = open.find(({ by }) => by === picker)
    // a line in hand is picked empty, then the next one is taken
    if (own) open = open.filter(line => line !== own)
    const next = open.find(({ line }) => line === nextLine(open, picker, last.get(picker) ?? null))
    if (!next) continue
    const others = new Set(open.flatMap(({ by, aisle }) => (by === null || by === picker ? [] : [aisle])))
    const elsewhere = open.some(({ by, aisle }) => by === null && !others.has(aisle))
    if (others.has(next.aisle) && elsewhere) met++
    next.by = picker
    last.set(picker, next)
    order.set(picker, [...(order.get(picker) ?? []), next.line])
  }
  expect(open).toEqual([])
  return { order: [...order.values()], met }
}

describe('pickers of one wave', () => {
  test('take every line once, and are never in one aisle while another has free lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 5 }), { maxLength: 25 }),
        fc.array(fc.nat({ max: 2 }), { maxLength: 60 }),
        (aisles, turns) => {
          const { order, met } = walk(aisles, turns)
          expect(met).toBe(0)
          expect(order.flat().toSorted((a, b) => a - b)).toEqual(aisles.map((_, line) => line))
        },
      ),
    )
  })

  test('alone in an aisle, walk it in order', () => {
    const { order } = walk([1, 1, 1, 2, 2, 2], [0, 1, 0, 1, 0, 1])
    expect(order).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
  })

  test('keep the line that they have, and get none when all are taken', () => {
    const lines: OpenLine[] = [
      { line: 1, aisle: 1, by: 'me' },
      { line: 2, aisle: 1, by: 'you' },
    ]
    expect(nextLine(lines, 'me', null)).toBe(1)
    expect(nextLine(lines, 'them', null)).toBeNull()
  })
})

test('only a wheel of the line that is to be picked, or was missing, is picked', () => {
  for (const state of wheelStates) {
    const open = state === 'missing' || toPick.some(wheelState => wheelState === state)
    expect(pickOutcome({ line: 1, state }, 1)).toBe(open ? 'picked' : 'again')
    expect(pickOutcome({ line: 2, state }, 1)).toBe(open ? 'other_set' : 'again')
  }
  expect(pickOutcome(null, 1)).toBe('not_in_wave')
})

test('a lane takes what is carried, unless it holds another transport or day', () => {
  const load = { transport: 1, day: '2026-11-20' }
  const lane = { kind: 'lane', isHere: false, holds: [load] }
  expect(stageOutcome(lane, { carried: 4, load })).toBe('staged')
  expect(stageOutcome(lane, { carried: 0, load })).toBe('nothing_carried')
  expect(stageOutcome({ ...lane, holds: [{ ...load, transport: 2 }] }, { carried: 4, load })).toBe('lane_other')
  expect(stageOutcome({ ...lane, holds: [{ ...load, day: '2026-11-21' }] }, { carried: 4, load })).toBe('lane_other')
  expect(stageOutcome({ kind: 'place', isHere: true, holds: [] }, { carried: 4, load })).toBe('here')
  expect(stageOutcome({ kind: 'cart', isHere: false, holds: [] }, { carried: 4, load })).toBe('no_lane')
})
