import { expect, it } from 'vitest'
import { holdingPlate, withPlate } from './plates.ts'

const fleet = ['1RNX850', '2ABC123', 'RNX777', '1-RNX-100'].map(license_plate => ({ license_plate }))
const plates = (vehicles: readonly { license_plate: string }[]) => vehicles.map(vehicle => vehicle.license_plate)

it('a part of a plate finds the vehicles that hold it, those that begin with it first', () => {
  expect(plates(holdingPlate(fleet, 'RNX'))).toEqual(['RNX777', '1-RNX-100', '1RNX850'])
  expect(plates(holdingPlate(fleet, '1RNX8'))).toEqual(['1RNX850'])
  expect(holdingPlate(fleet, 'ZZZ')).toEqual([])
})

it('a whole plate means only the vehicles that have exactly it', () => {
  expect(plates(withPlate(fleet, '1RNX100'))).toEqual(['1-RNX-100'])
  expect(withPlate(fleet, 'RNX')).toEqual([])
})
