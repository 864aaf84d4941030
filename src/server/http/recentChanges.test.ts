/** Changes that a page missed while it was on its way. */
import { expect, test } from 'vitest'
import type { Change } from './live.ts'
import { keptFor, openRecentChanges } from './recentChanges.ts'

const change = (path: string, site = 1): Change => ({ site, audience: 'everyone', paths: [path], from: 'tab' })
let now = 0
const at = (ms: number) => void (now = ms)

test('changes of a site are kept for some minutes, each once, in the order of their latest time', () => {
  const recent = openRecentChanges<Change>(() => now)
  at(1000)
  recent.add(change('/a'))
  recent.add(change('/b'))
  recent.add(change('/elsewhere', 2))
  at(2000)
  recent.add(change('/a'))
  expect(recent.ofSite(1, 1000)).toEqual([change('/b'), change('/a')])
  expect(recent.ofSite(1, 999)).toEqual([change('/a')])
  expect(recent.ofSite(2, 5000)).toEqual([change('/elsewhere', 2)])
  at(2000 + keptFor)
  expect(recent.ofSite(1, keptFor * 2)).toEqual([change('/a')])
  at(2001 + keptFor)
  recent.add(change('/c'))
  expect(recent.ofSite(1, Number.MAX_SAFE_INTEGER)).toEqual([change('/c')])
})
