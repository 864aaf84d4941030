import { expect, test } from 'vitest'
import { wayBack } from './wayBack.ts'

test('wheels from several places go back each to its own, and only those that were scanned by it are scanned no more', () => {
  const wheels = [
    { tyre: 1, spot: 10, scan: true },
    { tyre: 2, spot: 20, scan: false },
    { tyre: 3, spot: 30, scan: false },
    { tyre: 4, spot: 20, scan: false },
  ]
  expect(wayBack({ action: 'place', wheels })).toEqual({
    scans: [1],
    spots: new Map([
      [20, [2, 4]],
      [30, [3]],
    ]),
    found: [],
    rescans: [],
    left: 0,
  })
})

test('a wheel stays where it was put if nobody knows where it was', () => {
  const wheels = [
    { tyre: 1, spot: null, scan: false },
    { tyre: 2, spot: 20, scan: false },
  ]
  expect(wayBack({ action: 'place', wheels })).toEqual({
    scans: [],
    spots: new Map([[20, [2]]]),
    found: [],
    rescans: [],
    left: 1,
  })
})

test('a missing wheel that had no place is found', () => {
  const wheels = [{ tyre: 1, spot: null, scan: false }]
  expect(wayBack({ action: 'miss', wheels })).toMatchObject({ found: [1], left: 0 })
})

test('a wheel that was found goes nowhere by Undo', () => {
  const wheels = [{ tyre: 1, spot: 20, scan: false }]
  expect(wayBack({ action: 'find', wheels })).toEqual({ scans: [], spots: new Map(), found: [], rescans: [], left: 0 })
})

test('a missing wheel that had been scanned for its storage goes back to its place, and is scanned again', () => {
  const wheels = [{ tyre: 1, spot: 20, scan: false, scannedFor: 'to_stock' as const }]
  expect(wayBack({ action: 'miss', wheels })).toEqual({
    scans: [],
    spots: new Map([[20, [1]]]),
    found: [],
    rescans: [{ tyre: 1, type: 'to_stock' }],
    left: 0,
  })
})
