import { expect, test } from 'vitest'
import { inMeasuringOrder, positionsIn } from './positionOrder.ts'

const tyre = (db_id: number, position: string, tyre_set: string | null, tyre_status = 'in_stock' as const) => ({
  db_id,
  position,
  tyre_set,
  tyre_status,
})
const mounted = (db_id: number, position: string, tyre_set: string | null) => ({
  ...tyre(db_id, position, tyre_set),
  tyre_status: 'on_vehicle' as const,
})
const vehicle = [
  tyre(1, '1A', 'Winter 10'),
  mounted(2, '2A', 'Summer'),
  tyre(3, '1A', 'Winter 2'),
  mounted(4, '1A', 'Trailer'),
  tyre(5, '2A', null),
]

test('tyres on the vehicle are measured wheel after wheel, those elsewhere set after set', () => {
  expect(inMeasuringOrder(vehicle, 'en').map(({ db_id }) => db_id)).toEqual([4, 2, 3, 1, 5])
})

test('a position is named with its set where another tyre of the vehicle has the same', () => {
  const [first, summer, , , setless] = vehicle
  if (!first || !summer || !setless) throw new Error('no tyres')
  expect(positionsIn([first, summer], [first, summer], 'No set')).toBe('1A, 2A')
  expect(positionsIn([summer], vehicle, 'No set')).toBe('2A (Summer)')
  expect(positionsIn([first, summer, setless], vehicle, 'No set')).toBe('1A (Winter 10); 2A (Summer); 2A (No set)')
})
