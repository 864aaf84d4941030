import { describe, expect, it } from 'vitest'
import type { TyreEvent } from '#contract/tyres.ts'
import { pointsOf, readingsOf } from './depths/readings.ts'

const measured = (tyre: number, at: string, depth: number | null, kind = 'measured') =>
  ({ tyre, at, depth, kind, odometer: null }) as TyreEvent

const readingsFrom = (...newestFirst: TyreEvent[]) => readingsOf(newestFirst, 'Europe/Brussels')

describe('the readings of tyres', () => {
  it('are those of each tyre, oldest first', () =>
    expect(
      readingsFrom(
        measured(1, '2026-03-01T11:00:00Z', 5),
        measured(2, '2026-02-01T11:00:00Z', 7),
        measured(1, '2026-01-01T11:00:00Z', 6),
      ),
    ).toEqual(
      new Map([
        [
          1,
          [
            { date: '2026-01-01', depth: 6, odometer: null },
            { date: '2026-03-01', depth: 5, odometer: null },
          ],
        ],
        [2, [{ date: '2026-02-01', depth: 7, odometer: null }]],
      ]),
    ))
  it('are of the day that it was at the site', () =>
    expect(readingsFrom(measured(1, '2026-06-30T22:30:00Z', 5)).get(1)?.[0]?.date).toBe('2026-07-01'))
  it('of one day are the last one that was entered', () =>
    expect(
      readingsFrom(measured(1, '2026-01-01T15:00:00Z', 5), measured(1, '2026-01-01T11:00:00Z', 6))
        .get(1)
        ?.map(({ depth }) => depth),
    ).toEqual([5]))
  it('are not what else happened, nor a reading without a depth', () =>
    expect(
      readingsFrom(measured(1, '2026-01-01T11:00:00Z', 6, 'received'), measured(1, '2026-01-02T11:00:00Z', null)).size,
    ).toBe(0))
})

const at = (date: string, depth: number) => ({ date, depth, odometer: null })

describe('their curve', () => {
  const size = { width: 100, height: 20 }
  it('keeps the distances in time, 10 mm is the top and 0 the bottom', () =>
    expect(pointsOf([at('2026-01-01', 10), at('2026-01-02', 5), at('2026-01-11', 0)], size)).toEqual([
      { x: 0, y: 0 },
      { x: 10, y: 10 },
      { x: 100, y: 20 },
    ]))
  it('of one reading is a point in the middle', () =>
    expect(pointsOf([at('2026-01-01', 5)], size)).toEqual([{ x: 50, y: 10 }]))
  it('of none is nothing', () => expect(pointsOf([], size)).toEqual([]))
})
