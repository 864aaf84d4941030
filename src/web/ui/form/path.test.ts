import { expect, test } from 'vitest'
import { sameValues, valueAt, withValueAt } from './path.ts'

const driver = { name: 'Jo', email: '' }
const vehicle = { brand: 'DAF', driver }

test('a value is read and replaced at its path; the rest stays the same object', () => {
  expect(valueAt(vehicle, 'driver.name')).toBe('Jo')
  expect(valueAt({ urls: ['a', 'b'] }, 'urls.1')).toBe('b')
  expect(valueAt(vehicle, 'owner.name')).toBeUndefined()
  expect(withValueAt(vehicle, 'driver.name', 'An')).toEqual({ brand: 'DAF', driver: { name: 'An', email: '' } })
  expect(withValueAt(vehicle, 'brand', 'MAN').driver).toBe(driver)
  expect(vehicle.driver.name).toBe('Jo')
})

test('values are the same when their fields are; a file is only itself', () => {
  expect(sameValues({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true)
  expect(sameValues({ a: undefined }, {})).toBe(true)
  expect(sameValues([], {})).toBe(false)
  expect(sameValues(1, '1')).toBe(false)
  expect(sameValues(Number.NaN, Number.NaN)).toBe(true)
  expect(sameValues(new Blob(['a']), new Blob(['a']))).toBe(false)
})
