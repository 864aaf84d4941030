import { expect, it } from 'vitest'
import { treadOf } from './tread.ts'

it.each([
  [null, 'winter', null],
  [null, null, null],
  [0, 'summer', 'illegal'],
  [1.59, 'summer', 'illegal'],
  [1.59, 'snow', 'illegal'],
  [1.6, 'summer', 'worn'],
  [2.99, 'summer', 'worn'],
  [3, 'summer', 'good'],
  [3, null, 'good'],
  [2.99, null, 'worn'],
  [3, 'winter', 'worn'],
  [3.99, 'winter', 'worn'],
  [3.99, 'snow', 'worn'],
  [3.99, 'all_season', 'worn'],
  [4, 'winter', 'good'],
  [4, 'snow', 'good'],
  [4, 'all_season', 'good'],
  [10, 'winter', 'good'],
])('a depth of %s mm on a tyre for %s is %s', (depth, season, tread) => expect(treadOf(depth, season)).toBe(tread))
