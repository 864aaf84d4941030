import { describe, expect, test } from 'vitest'
import type { Axle } from '../vehicles/axle.ts'
import { dayIn, flagIn, positionIn, rimIn, statusIn } from './spreadsheet.ts'

test.each([
  ['44927', '2023-01-01'],
  ['44927.75', '2023-01-01'],
  ['2023-01-01T00:00:00.000Z', '2023-01-01'],
  ['20230131', '2023-01-31'],
  ['31/1/2023', '2023-01-31'],
  ['31.01.23', '2023-01-31'],
  ['31-01-2023 14:05', '2023-01-31'],
  ['31/02/2023', null],
  ['01/31/2023', null],
  ['12', null],
  ['soon', null],
])('the day %j is %j', (text, day) => expect(dayIn(text)).toBe(day))

test('yes, no, rims and states are read in four languages', () => {
  expect(['Ja', 'oui', 'x', 'TRUE'].map(flagIn)).toEqual([true, true, true, true])
  expect(['nein', 'Non', '0'].map(flagIn)).toEqual([false, false, false])
  expect(flagIn('perhaps')).toBeNull()
  expect(['Stahlfelge', 'acier', 'Alu', 'stalen velgen', 'LM'].map(rimIn)).toEqual([
    'steel',
    'steel',
    'aluminum',
    'steel',
    'aluminum',
  ])
  expect(rimIn('wood')).toBeNull()
  expect(['Eingelagert', 'En gardiennage', 'chez le client', 'op voertuig', 'in_stock'].map(statusIn)).toEqual([
    'in_stock',
    'in_stock',
    'at_customer',
    'on_vehicle',
    'in_stock',
  ])
  expect(statusIn('lost')).toBeNull()
})

describe('positions', () => {
  const axle = (left: number, right: number): Axle => ({
    type: 'axle',
    lift: false,
    drive: false,
    steering: false,
    left,
    right,
  })
  const car = [axle(1, 1), axle(1, 1)]
  test.each([
    ['1a', '1A'],
    ['FL', '1A'],
    ['links voor', '1A'],
    ['AVG', '1A'],
    ['VR', '1B'],
    ['rechtsachter', '2B'],
    ['RA', '2B'],
    ['LA', '2A'],
    ['RL', '2A'],
    ['Hinten rechts', '2B'],
    ['AR D', '2B'],
    ['3A', null],
    ['spare', null],
  ])('%j is %j on a car', (text, position) => expect(positionIn(text, car)).toBe(position))

  test('a corner of a truck is the outermost wheel', () => {
    const truck = [axle(1, 1), axle(2, 2)]
    expect([positionIn('RL', truck), positionIn('RR', truck)]).toEqual(['2A', '2D'])
  })
})
