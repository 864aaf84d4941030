import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTurns, type Party, type TurnRules } from './turns.ts'

type Kind = 'scan' | 'list' | 'import'
const rules: TurnRules<Kind> = {
  kinds: {
    scan: { below: 10, unshared: true, patience: 5000 },
    list: { below: 8, patience: 5000 },
    import: { below: 8, atSite: 1, patience: 5000 },
  },
  siteShare: 4,
  accountShare: 2,
  waiting: { ofAccount: 6, atSite: 12, inAll: 20 },
}
const at = (site: string, account = 1): Party => ({ site, account })

let clock = 0
beforeEach(() => {
  clock = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** Asks for turns and says who has them, in the order in which they got them. */
function asking(more: Partial<TurnRules<Kind>> = {}) {
  const turns = openTurns({ ...rules, ...more }, () => clock)
  const got: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  return {
    turns,
    got,
    refused,
    async ask(name: string, party: Party, kind: Kind = 'list', isGone?: () => boolean) {
      void turns.take(kind, party, isGone).then(
        end => ends.set(name, end) && got.push(name),
        ({ code, facts }) => refused.push(`${name} ${code} ${facts.seconds}`),
      )
      await vi.advanceTimersByTimeAsync(0)
    },
    async end(name: string) {
      ends.get(name)?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('a site that is alone has every turn of its kind', async () => {
  const { ask, got, turns } = asking()
  for (let nth = 1; nth <= 9; nth++) await ask(`${nth}`, at('a'))
  expect(got).toHaveLength(8)
  expect(turns.counts()).toEqual({ taken: 8, waiting: 1 })
})

test('while others are here a site has its share, and an account its part of that', async () => {
  const { ask, got } = asking()
  await ask('b', at('b'))
  for (let nth = 1; nth <= 4; nth++) await ask(`a1 ${nth}`, at('a', 1))
  for (let nth = 1; nth <= 4; nth++) await ask(`a2 ${nth}`, at('a', 2))
  await ask('a3', at('a', 3))
  expect(got).toEqual(['b', 'a1 1', 'a1 2', 'a2 1', 'a2 2'])
})

test('what was kept for others is given out when they are gone for a second', async () => {
  const { ask, got } = asking()
  await ask('b', at('b'))
  for (let nth = 1; nth <= 4; nth++) await ask(`a ${nth}`, at('a'))
  expect(got).toHaveLength(3)
  clock = 1001
  await vi.advanceTimersByTimeAsync(1001)
  expect(got).toHaveLength(5)
})

test('the next turn is for the site that has fewest, then for the account that has fewest', async () => {
  const { ask, got, end } = asking({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await ask(`a ${nth}`, at('a', 1))
  for (const [name, party] of [
    ['a 9', at('a', 1)],
    ['other account', at('a', 2)],
    ['b 1', at('b')],
    ['b 2', at('b')],
    ['c', at('c')],
  ] as const)
    await ask(name, party)
  for (let nth = 1; nth <= 5; nth++) await end(`a ${nth}`)
  expect(got.slice(8)).toEqual(['b 1', 'c', 'b 2', 'other account', 'a 9'])
})

test('lists go before imports, until one has waited for long', async () => {
  const { ask, got, end } = asking({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await ask(`${nth}`, at('a'))
  await ask('import', at('b'), 'import')
  await ask('list', at('c'))
  await end('1')
  expect(got.at(-1)).toBe('list')
  clock = 3001
  await ask('younger list', at('d'))
  await end('2')
  expect(got.slice(-1)).toEqual(['import'])
})

test('a site has one import at a time', async () => {
  const { ask, got, end } = asking()
  await ask('first', at('a'), 'import')
  await ask('second', at('a', 2), 'import')
  await ask('elsewhere', at('b'), 'import')
  expect(got).toEqual(['first', 'elsewhere'])
  await end('first')
  expect(got).toEqual(['first', 'elsewhere', 'second'])
})

test('scans have turns of their own, whatever else their account asks', async () => {
  const { ask, got, refused } = asking()
  await ask('b', at('b'))
  for (let nth = 1; nth <= 9; nth++) await ask(`list ${nth}`, at('a'))
  expect(refused).toEqual(['list 9 server.busy 1'])
  for (let nth = 1; nth <= 5; nth++) await ask(`scan ${nth}`, at('a'), 'scan')
  expect(got).toEqual(['b', 'list 1', 'list 2', 'scan 1', 'scan 2', 'scan 3', 'scan 4'])
})

test('the queue is bounded in length, for an account, a site and all', async () => {
  const { ask, refused, turns } = asking({ kinds: { ...rules.kinds, list: { below: 0, patience: 5000 } } })
  for (let nth = 1; nth <= 7; nth++) await ask(`a1 ${nth}`, at('a', 1))
  for (let nth = 1; nth <= 7; nth++) await ask(`a2 ${nth}`, at('a', 2))
  await ask('a3', at('a', 3))
  expect(refused).toEqual(['a1 7 server.busy 1', 'a2 7 server.busy 1', 'a3 server.busy 1'])
  for (let nth = 1; nth <= 8; nth++) await ask(`b ${nth}`, at('b', nth))
  await ask('c', at('c'))
  expect(refused.at(-1)).toBe('c server.busy 1')
  expect(() => turns.refuseIfFull('list', at('c'))).toThrow('server.busy')
  expect(() => turns.refuseIfFull('scan', at('c'))).not.toThrow()
})

test('the queue is bounded in time, and who was refused or is gone takes no turn', async () => {
  const { ask, got, refused, end } = asking({ siteShare: 8, accountShare: 8 })
  for (let nth = 1; nth <= 8; nth++) await ask(`${nth}`, at('a'))
  await ask('late', at('b'))
  await vi.advanceTimersByTimeAsync(5001)
  expect(refused).toEqual(['late server.busy 1'])
  await ask('gone', at('b'), 'list', () => true)
  await ask('here', at('b'))
  await end('1')
  expect(got.at(-1)).toBe('here')
})

test('work that fails ends its turn, and a turn ends once', async () => {
  const { turns } = asking()
  await expect(turns.run('list', at('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const end = await turns.take('list', at('a'))
  end()
  end()
  expect(turns.counts()).toEqual({ taken: 0, waiting: 0 })
})
