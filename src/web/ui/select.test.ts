import { expect, test } from 'vitest'
import { beginningsFirst } from './select.tsx'

const options = ['Bandencentrale', 'A-01-1', 'A-01', 'Citroën', '01-2', '01'].map(label => ({ value: label, label }))

test.each([
  ['01', 9, ['01', '01-2', 'A-01-1', 'A-01']],
  ['a-01', 9, ['A-01', 'A-01-1']],
  ['01', 1, ['01']],
  [' citroe ', 9, ['Citroën']],
  ['', 2, ['Bandencentrale', 'A-01-1']],
  ['x', 9, []],
])('of a list, %j finds at most %i, it and those that begin with it first', (search, limit, labels) => {
  expect(beginningsFirst({ options, search, limit }).map(option => 'label' in option && option.label)).toEqual(labels)
})
