import { expect, it, test } from 'vitest'
import { serviceIn, sizeIn, weakerSets } from './fitness.ts'

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

let made = 0
const tyre = (set: string, position: string, service: string, status = 'in_stock') => ({
  db_id: (made += 1),
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
