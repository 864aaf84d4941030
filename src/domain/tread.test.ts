import { expect, it } from 'vitest'
import { treadOf } from './tread.ts'

it.each([
  [null, null],
  [0, 'illegal'],
  [1.59, 'illegal'],
  [1.6, 'worn'],
  [2.99, 'worn'],
  [3, 'summer_only'],
  [3.99, 'summer_only'],
  [4, 'good'],
  [10, 'good'],
])('a depth of %s mm is %s', (depth, tread) => expect(treadOf(depth)).toBe(tread))
