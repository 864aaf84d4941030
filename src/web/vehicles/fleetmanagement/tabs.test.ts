import { expect, test } from 'vitest'
import { nextTab, maxVehicles, tabToClose, type OpenVehicle, readTabs, withOpen } from './tabs.ts'

const open = (...ids: number[]): OpenVehicle[] => ids.map(id => ({ id, plate: `1ABC${id}`, view: 'tyres' }))
const nine = open(1, 2, 3, 4, 5, 6, 7, 8, 9)

test('nine vehicles are open at most; the tenth has the oldest in its way', () => {
  expect(maxVehicles).toBe(9)
  expect(tabToClose(open(1, 2, 3, 4, 5, 6, 7, 8), 9)).toBe(null)
  expect(tabToClose(nine, 10)?.id).toBe(1)
})

test('a vehicle that is open already needs no room and is not opened twice', () => {
  expect(tabToClose(nine, 5)).toBe(null)
  expect(withOpen(nine, { id: 5, plate: 'other' })).toEqual(nine)
  expect(withOpen(open(1), { id: 2, plate: '1ABC2' })).toEqual(open(1, 2))
})

test('after a vehicle is closed the next one shows, after the last one that before it, after the only one the customer', () => {
  expect(nextTab(open(1, 2, 3), 2)).toBe(3)
  expect(nextTab(open(1, 2, 3), 3)).toBe(2)
  expect(nextTab(open(1), 1)).toBe(null)
})

test('what was kept is read again, and whatever it is not is no tab', () => {
  expect(readTabs(JSON.parse(JSON.stringify(nine)))).toEqual(nine)
  for (const broken of [
    undefined,
    null,
    'x',
    [{ id: 1 }],
    open(...nine.map(({ id }) => id), 10),
    [{ ...nine[0], id: -1 }],
  ])
    expect(readTabs(broken)).toEqual([])
})
