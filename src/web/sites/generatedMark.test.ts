import { expect, test } from 'vitest'
import { hueOf, initialsOf } from './generatedMark.ts'

test('a mark has the first two initials of a name', () => {
  expect(['Bandenhotel Zevenweg', 'élan & Zoon Banden', 'Wheelhouse', ' – '].map(initialsOf)).toEqual([
    'BZ',
    'ÉZ',
    'W',
    '',
  ])
})

test('a name always has the same colour, and another name mostly another', () => {
  expect(hueOf('Haven')).toBe(hueOf('Haven'))
  expect(hueOf('Haven')).not.toBe(hueOf('Polder'))
})
