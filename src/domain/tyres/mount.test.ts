import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Axle } from '../vehicles/axle.ts'
import { positionsOf } from '../vehicles/axle.ts'
import {
  type Mount,
  planDenial,
  planMounts,
  planUndo,
  rotatedPosition,
  rotations,
  rotationsOf,
  summerBegan,
} from './mount.ts'

const axle = (left: number, right = left): Axle => ({
  type: 'axle',
  lift: false,
  drive: false,
  steering: false,
  left,
  right,
})
const car = [axle(1), axle(1)]
const lorry = [axle(1), axle(2), axle(2)]

const on = (id: number, tyre: number, position: string, more: Partial<Mount> = {}): Mount => ({
  id,
  tyre,
  position,
  since: '2026-04-01',
  until: null,
  source: 'confirmed',
  untilSource: null,
  change: 1,
  untilChange: null,
  ...more,
})
const change = { date: '2026-11-12', off: [], swap: false }

test('what sits on a position is swapped only when that is asked for', () => {
  const summer = [on(1, 11, '1A'), on(2, 12, '1B')]
  const put = [
    { tyre: 21, position: '1A' },
    { tyre: 22, position: '1B' },
  ]
  expect(planMounts(summer, { ...change, put })).toEqual({ code: 'mount.position_taken', positions: ['1A', '1B'] })
  expect(planMounts(summer, { ...change, put, swap: true })).toEqual({
    close: [1, 2],
    withdraw: [],
    open: put.map(({ tyre, position }) => ({
      tyre,
      position,
      since: '2026-11-12',
      until: null,
      source: 'confirmed',
      untilSource: null,
    })),
  })
})

test('another day for a presumed swap moves both: what came, and what was presumed to leave for it', () => {
  const presumed = [
    on(1, 11, '1A', { until: '2026-11-12', untilSource: 'presumed', untilChange: 2 }),
    on(2, 21, '1A', { since: '2026-11-12', source: 'presumed', change: 2 }),
  ]
  const plan = planMounts(presumed, { ...change, date: '2026-11-15', put: [{ tyre: 21, position: '1A' }] })
  expect(plan).toMatchObject({
    withdraw: [
      { id: 2, why: 'other_day' },
      { id: 1, why: 'other_day' },
    ],
    open: [
      { tyre: 11, since: '2026-04-01', until: '2026-11-15' },
      { tyre: 21, since: '2026-11-15', until: null, source: 'confirmed' },
    ],
  })
  expect(planDenial(presumed, [21])).toMatchObject({
    withdraw: [
      { id: 2, why: 'not_mounted' },
      { id: 1, why: 'not_mounted' },
    ],
    open: [{ tyre: 11, since: '2026-04-01', until: null, untilSource: null }],
  })
})

test('a day before a period began, or within another one, is refused', () => {
  const here = [on(1, 11, '1A')]
  expect(planMounts(here, { ...change, date: '2026-03-01', put: [], off: [11] })).toEqual({
    code: 'mount.date',
    tyres: [11],
  })
  const former = [on(1, 11, '1A', { until: '2026-10-01', untilSource: 'confirmed', untilChange: 3 })]
  expect(planMounts(former, { ...change, date: '2026-09-01', put: [{ tyre: 21, position: '1A' }] })).toMatchObject({
    code: 'mount.date',
  })
})

test('two tyres for one position are refused', () => {
  const put = [
    { tyre: 21, position: '1A' },
    { tyre: 22, position: '1A' },
  ]
  expect(planMounts([], { ...change, put })).toEqual({ code: 'mount.twice', positions: ['1A'] })
})

test('a change is taken back as long as nothing else has happened to it', () => {
  const after = [
    on(1, 11, '1A', { until: '2026-11-12', untilSource: 'confirmed', untilChange: 2 }),
    on(2, 21, '1A', { since: '2026-11-12', change: 2 }),
  ]
  expect(planUndo(after, [], 2)).toMatchObject({
    withdraw: [{ id: 2 }, { id: 1 }],
    open: [{ tyre: 11, position: '1A', since: '2026-04-01', until: null }],
  })
  const later = [after[0] as Mount, { ...(after[1] as Mount), until: '2026-11-20', untilChange: 3 }]
  expect(planUndo(later, [], 2)).toBe(null)
  expect(planUndo(after, [], 7)).toBe(null)
})

test('each pattern of rotation moves every wheel to a position of its own', () => {
  for (const axles of [car, lorry, [axle(1), axle(2)], [axle(1, 0), axle(1, 0)]])
    for (const rotation of rotationsOf(axles)) {
      const positions = positionsOf(axles)
      const rotated = positions.map(position => rotatedPosition(rotation, axles, position))
      expect(rotated.toSorted(), rotation).toEqual(positions.toSorted())
      expect(rotated, rotation).not.toEqual(positions)
    }
  expect(rotationsOf(car)).toEqual(rotations.filter(rotation => rotation !== 'twins'))
  expect(rotationsOf(lorry)).toEqual(['left_right', 'twins'])
})

test.each([
  ['front_rear', { '1A': '2A', '1B': '2B', '2A': '1A', '2B': '1B' }],
  ['crossed', { '1A': '2B', '1B': '2A', '2A': '1B', '2B': '1A' }],
  ['rear_crossed', { '1A': '2A', '1B': '2B', '2A': '1B', '2B': '1A' }],
  ['front_crossed', { '1A': '2B', '1B': '2A', '2A': '1A', '2B': '1B' }],
  ['left_right', { '1A': '1B', '1B': '1A', '2A': '2B', '2B': '2A' }],
] as const)('%s', (rotation, expected) => {
  for (const [from, to] of Object.entries(expected)) expect(rotatedPosition(rotation, car, from)).toBe(to)
})

test('twins change places within each side', () => {
  expect(['1A', '2A', '2B', '2C', '2D'].map(position => rotatedPosition('twins', lorry, position))).toEqual([
    '1A',
    '2B',
    '2A',
    '2D',
    '2C',
  ])
})

test('only in summer it is asked who drives on winter tyres', () => {
  expect(['2026-05-31', '2026-06-01', '2026-08-31', '2026-09-01'].map(summerBegan)).toEqual([
    null,
    '2026-06-01',
    '2026-06-01',
    null,
  ])
})

test('whatever is done, no tyre is at two places and no position has two tyres', () => {
  const step = fc.record({
    tyres: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }),
    off: fc.boolean(),
    swap: fc.boolean(),
    day: fc.integer({ min: 10, max: 28 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), steps => {
      let mounts: Mount[] = []
      let id = 0
      for (const [nth, { tyres, off, swap, day }] of steps.entries()) {
        const date = `2026-11-${day}`
        const put = off ? [] : tyres.map((tyre, at) => ({ tyre, position: `${1 + (at >> 1)}${at % 2 ? 'B' : 'A'}` }))
        const plan = planMounts(mounts, { date, put, off: off ? tyres : [], swap })
        if ('code' in plan) continue
        mounts = mounts
          .filter(mount => !plan.withdraw.some(gone => gone.id === mount.id))
          .map(mount =>
            plan.close.includes(mount.id)
              ? { ...mount, until: date, untilSource: 'confirmed' as const, untilChange: nth }
              : mount,
          )
        for (const mount of plan.open) mounts.push({ ...mount, id: ++id, change: nth, untilChange: null })
        for (const a of mounts)
          for (const b of mounts)
            if (a.id < b.id && (a.tyre === b.tyre || a.position === b.position))
              expect(
                a.until === a.since ||
                  b.until === b.since ||
                  (a.until ?? '9') <= b.since ||
                  (b.until ?? '9') <= a.since,
              ).toBe(true)
        expect(mounts.every(mount => mount.until === null || mount.until >= mount.since)).toBe(true)
      }
    }),
  )
})
