import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFairQueue, type Requester, type FairQueueRules } from './fairQueue.ts'

type Kind = 'scan' | 'list' | 'import'
const rules: FairQueueRules<Kind> = {
  kinds: {
    scan: { maxTotal: 10, exemptFromShares: true, timeoutMs: 5000 },
    list: { maxTotal: 8, timeoutMs: 5000 },
    import: { maxTotal: 8, maxPerSite: 1, timeoutMs: 5000 },
  },
  siteShare: 4,
  accountShare: 2,
  maxWaiting: { maxPerAccount: 6, maxPerSite: 12, total: 20 },
}
const at = (site: string, account = 1): Requester => ({ site, account })

let clock = 0
beforeEach(() => {
  clock = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** Acquires slots and records who got them, in order. */
function openRecorder(more: Partial<FairQueueRules<Kind>> = {}) {
  const queue = openFairQueue({ ...rules, ...more }, () => clock)
  const granted: string[] = []
  const refused: string[] = []
  const releases = new Map<string, () => void>()
  return {
    queue,
    granted,
    refused,
    async acquire(name: string, requester: Requester, kind: Kind = 'list', isGone?: () => boolean) {
      void queue.acquire(kind, requester, isGone).then(
        end => releases.set(name, end) && granted.push(name),
        ({ code, facts }) => refused.push(`${name} ${code} ${facts.seconds}`),
      )
      await vi.advanceTimersByTimeAsync(0)
    },
    async release(name: string) {
      releases.get(name)?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('a site gets every slot of a kind while no other site is active', async () => {
  const { acquire, granted, queue } = openRecorder()
  for (let nth = 1; nth <= 9; nth++) await acquire(`${nth}`, at('a'))
  expect(granted).toHaveLength(8)
  expect(queue.counts()).toEqual({ running: 8, waiting: 1 })
})

test('while others are active a site is limited to its share, and an account to its share', async () => {
  const { acquire, granted } = openRecorder()
  await acquire('b', at('b'))
  for (let nth = 1; nth <= 4; nth++) await acquire(`a1 ${nth}`, at('a', 1))
  for (let nth = 1; nth <= 4; nth++) await acquire(`a2 ${nth}`, at('a', 2))
  await acquire('a3', at('a', 3))
  expect(granted).toEqual(['b', 'a1 1', 'a1 2', 'a2 1', 'a2 2'])
})

test('a reserved share is granted after its owner was inactive for a second', async () => {
  const { acquire, granted } = openRecorder()
  await acquire('b', at('b'))
  for (let nth = 1; nth <= 4; nth++) await acquire(`a ${nth}`, at('a'))
  expect(granted).toHaveLength(3)
  clock = 1001
  await vi.advanceTimersByTimeAsync(1001)
  expect(granted).toHaveLength(5)
})

test('while nobody else waits no core is idle, and shares are limits above that', async () => {
  const { acquire, granted, release, queue } = openRecorder({ idleBelow: 6 })
  await acquire('b', at('b'))
  for (let nth = 1; nth <= 9; nth++) await acquire(`a ${nth}`, at('a'))
  expect(granted).toEqual(['b', 'a 1', 'a 2', 'a 3', 'a 4', 'a 5'])
  // the slots above are reserved for b
  await acquire('b 2', at('b'))
  expect(granted.at(-1)).toBe('b 2')
  for (const name of ['a 1', 'a 2']) await release(name)
  expect([granted.at(-1), queue.counts().running]).toEqual(['a 6', 6])
})

test('while somebody else waits shares are limits', async () => {
  const { acquire, granted, release } = openRecorder({ idleBelow: 6 })
  await acquire('b import', at('b'), 'import')
  await acquire('b import 2', at('b', 2), 'import')
  for (let nth = 1; nth <= 4; nth++) await acquire(`a ${nth}`, at('a'))
  expect(granted).toEqual(['b import', 'a 1', 'a 2'])
  await release('b import')
  expect(granted).toEqual(['b import', 'a 1', 'a 2', 'b import 2', 'a 3', 'a 4'])
})

test('after a timeout of somebody else no core is idle', async () => {
  const { acquire, granted } = openRecorder({
    idleBelow: 6,
    kinds: { ...rules.kinds, import: { maxTotal: 0, timeoutMs: 100 } },
  })
  await acquire('b import', at('b'), 'import')
  for (let nth = 1; nth <= 3; nth++) await acquire(`a ${nth}`, at('a'))
  expect(granted).toEqual(['a 1', 'a 2'])
  await vi.advanceTimersByTimeAsync(101)
  expect(granted).toEqual(['a 1', 'a 2', 'a 3'])
})

test('for anonymous clients no slot is reserved', async () => {
  const { acquire, granted } = openRecorder()
  await acquire('anonymous', { ...at('anonymous'), anonymous: true })
  for (let nth = 1; nth <= 8; nth++) await acquire(`a ${nth}`, at('a'))
  expect(granted).toHaveLength(8)
})

test('the next slot goes to the site with the fewest, then to the account with the fewest', async () => {
  const { acquire, granted, release: end } = openRecorder({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await acquire(`a ${nth}`, at('a', 1))
  for (const [name, requester] of [
    ['a 9', at('a', 1)],
    ['other account', at('a', 2)],
    ['b 1', at('b')],
    ['b 2', at('b')],
    ['c', at('c')],
  ] as const)
    await acquire(name, requester)
  for (let nth = 1; nth <= 5; nth++) await end(`a ${nth}`)
  expect(granted.slice(8)).toEqual(['b 1', 'c', 'b 2', 'other account', 'a 9'])
})

test('lists have priority over imports, until an import has aged', async () => {
  const { acquire, granted, release: end } = openRecorder({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await acquire(`${nth}`, at('a'))
  await acquire('import', at('b'), 'import')
  await acquire('list', at('c'))
  await end('1')
  expect(granted.at(-1)).toBe('list')
  clock = 3001
  await acquire('younger list', at('d'))
  await end('2')
  expect(granted.slice(-1)).toEqual(['import'])
})

test('a site has one import at a time', async () => {
  const { acquire, granted, release: end } = openRecorder()
  await acquire('first', at('a'), 'import')
  await acquire('second', at('a', 2), 'import')
  await acquire('elsewhere', at('b'), 'import')
  expect(granted).toEqual(['first', 'elsewhere'])
  await end('first')
  expect(granted).toEqual(['first', 'elsewhere', 'second'])
})

test('scans are not limited by other requests of their account', async () => {
  const { acquire, granted, refused } = openRecorder()
  await acquire('b', at('b'))
  for (let nth = 1; nth <= 9; nth++) await acquire(`list ${nth}`, at('a'))
  expect(refused).toEqual(['list 9 server.busy 1'])
  for (let nth = 1; nth <= 5; nth++) await acquire(`scan ${nth}`, at('a'), 'scan')
  expect(granted).toEqual(['b', 'list 1', 'list 2', 'scan 1', 'scan 2', 'scan 3', 'scan 4'])
})

test('the queue length is limited per account, per site and in total', async () => {
  const { acquire, refused, queue } = openRecorder({
    kinds: { ...rules.kinds, list: { maxTotal: 0, timeoutMs: 5000 } },
  })
  for (let nth = 1; nth <= 7; nth++) await acquire(`a1 ${nth}`, at('a', 1))
  for (let nth = 1; nth <= 7; nth++) await acquire(`a2 ${nth}`, at('a', 2))
  await acquire('a3', at('a', 3))
  expect(refused).toEqual(['a1 7 server.busy 1', 'a2 7 server.busy 1', 'a3 server.busy 1'])
  for (let nth = 1; nth <= 8; nth++) await acquire(`b ${nth}`, at('b', nth))
  await acquire('c', at('c'))
  expect(refused.at(-1)).toBe('c server.busy 1')
  expect(() => queue.rejectIfFull('list', at('c'))).toThrow('server.busy')
  expect(() => queue.rejectIfFull('scan', at('c'))).not.toThrow()
})

test('waiting times out, and a refused or disconnected client gets no slot', async () => {
  const { acquire, granted, refused, release: end } = openRecorder({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await acquire(`${nth}`, at('a'))
  await acquire('late', at('b'))
  await vi.advanceTimersByTimeAsync(5001)
  expect(refused).toEqual(['late server.busy 1'])
  await acquire('gone', at('b'), 'list', () => true)
  await acquire('here', at('b'))
  await end('1')
  expect(granted.at(-1)).toBe('here')
})

test('failed work releases its slot, and a slot is released once', async () => {
  const { queue } = openRecorder()
  await expect(queue.run('list', at('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const end = await queue.acquire('list', at('a'))
  end()
  end()
  expect(queue.counts()).toEqual({ running: 0, waiting: 0 })
})

test('scans of many addresses fill their own queue up to the total, and not that of lists', async () => {
  const maxWaiting = { maxPerAccount: 6, maxPerSite: 12, total: 5 }
  const { queue, acquire, refused } = openRecorder({ maxWaiting })
  for (let nth = 1; nth <= 15; nth++) await acquire(`scan ${nth}`, at(`site ${nth}`), 'scan')
  expect([queue.counts(), refused]).toEqual([{ running: 10, waiting: 5 }, []])
  await acquire('one more', at('site 16'), 'scan')
  expect(refused).toEqual(['one more server.busy 1'])
  for (let nth = 1; nth <= 6; nth++) await acquire(`list ${nth}`, at(`site ${nth}`))
  expect(queue.counts()).toEqual({ running: 10, waiting: 10 })
  expect(refused).toEqual(['one more server.busy 1', 'list 6 server.busy 1'])
})
