import { expect, it, test } from 'vitest'
import { misfits, serviceIn, sizeIn, weakerSets } from './fitness.ts'

it.each([
  ['Michelin Alpin 6 205/55R16 91H', 91, 'H'],
  ['205/55R16 94V XL Continental WinterContact', 94, 'V'],
  ['Bridgestone R168 385/65 R22.5 160/158K', 160, 'K'],
  ['Vredestein Comtrac 2 195/75R16C 107/105R', 107, 'R'],
  ['Michelin Alpin 6 205/55R16', null, null],
  ['a tyre', null, null],
])('%s carries %s and runs %s', (description, load, speed) => expect(serviceIn(description)).toEqual({ load, speed }))

it.each([
  ['Michelin Alpin 6 205/55 R16 91H', '205/55R16'],
  ['195/75R16C 107/105R Vredestein', '195/75R16C'],
  ['Bridgestone R168 385/65 R22.5 160/158K', '385/65R22.5'],
  ['31x10.50R15LT BF Goodrich', '31x10.50R15LT'],
  ['a tyre', null],
])('%s is of size %s', (description, size) => expect(sizeIn(description)).toBe(size))

let lastId = 0
const tyre = (set: string, position: string, service: string, status = 'in_stock') => ({
  db_id: (lastId += 1),
  position,
  description: `205/55R16 ${service}`,
  tyre_set: set,
  tyre_status: status,
})

test('a set with a lower load or speed than the first one is named by its axle', () => {
  const first = ['1A', '1B', '2A', '2B'].map(position => tyre('Summer', position, '91V'))
  const winter = [tyre('Winter', '1A', '91V'), tyre('Winter', '1B', '91H'), tyre('Winter', '2A', '88V')]
  expect(weakerSets([...winter, ...first])).toEqual([
    { set: 'Winter', axle: 1, needed: { load: 91, speed: 'V' }, has: { load: 91, speed: 'H' } },
    { set: 'Winter', axle: 2, needed: { load: 91, speed: 'V' }, has: { load: 88, speed: 'V' } },
  ])
})

test('a stronger set, waste and what is not said are no weakness', () => {
  const first = [tyre('Summer', '1A', '91V')]
  const others = [tyre('Winter', '1A', '95W'), tyre('Old', '1A', '80Q', 'waste'), tyre('Odd', '1A', '')]
  expect(weakerSets([...first, ...others])).toEqual([])
})

const lorry = ['1A', '1B', '2A', '2B', '2C', '2D', '3A', '3B']
const on = (position: string, description: string, status = 'on_vehicle') => ({
  ...tyre('Winter', position, '', status),
  description,
})

test('a size of a car on the eight positions of a lorry is named once, with what its axles have', () => {
  const present = lorry.map(position => on(position, 'Michelin X Multi 315/80R22.5 156/150L'))
  const added = lorry.map(position => ({ position, description: 'Pirelli Cinturato 205/55R16 91V' }))
  expect(misfits(present, added)).toEqual([{ size: '205/55R16', usual: '315/80R22.5', positions: lorry }])
})

test.each([
  ['a winter wheel three inches smaller', on('1A', '245/40R19 98Y'), '205/60R16 92H'],
  ['another axle', on('2A', '710/70R42'), '205/60R16 92H'],
  ['waste', on('1A', '315/80R22.5', 'waste'), '205/60R16 92H'],
  ['a size that is not said', on('1A', 'a tyre'), '205/60R16 92H'],
  ['a tyre without a size', on('1A', '315/80R22.5'), 'a tyre'],
])('%s is no misfit', (_, present, description) => {
  expect(misfits([present], [{ position: '1A', description }])).toEqual([])
})

test('the nearest size of an axle counts', () => {
  const present = [on('1A', '205/55R16'), on('1B', '245/40R20')]
  expect(misfits(present, [{ position: '1A', description: '255/35R21' }])).toEqual([])
  expect(misfits(present, [{ position: '1A', description: '195/80R12' }])).toEqual([
    { size: '195/80R12', usual: '205/55R16', positions: ['1A'] },
  ])
})
