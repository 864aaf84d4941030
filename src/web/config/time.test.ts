import { expect, test } from 'vitest'
import { typedTime } from './time.ts'

test.each([
  ['16:00', '16:00'],
  ['9', '09:00'],
  ['9:30', '09:30'],
  ['9.30', '09:30'],
  ['9h30', '09:30'],
  ['9u', '09:00'],
  ['930', '09:30'],
  [' 0945 ', '09:45'],
  ['0', '00:00'],
  ['23:59', '23:59'],
])('%s is %s', (text, time) => expect(typedTime(text)).toBe(time))

test.each(['24:00', '12:60', '9:3', 'noon', '', '12345', '-1'])('%j is no time', text => {
  expect(typedTime(text)).toBeNull()
})
