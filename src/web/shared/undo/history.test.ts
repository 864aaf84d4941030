import { beforeEach, expect, test, vi } from 'vitest'
import { doneBy, forgetDone, mostKept, remember, settle } from './history.ts'

let kept = new Map<string, string>()
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  forgetDone()
})

const kindsOf = (owner: string) => doneBy(owner).map(({ kind }) => kind)

test('the last actions are kept, the newest first, and no more than 20', () => {
  for (let nth = 1; nth <= mostKept + 5; nth++) remember('anna', `k${nth}`, { nth }, nth)
  expect(kindsOf('anna')).toHaveLength(mostKept)
  expect(doneBy('anna')[0]).toMatchObject({ kind: 'k25', facts: { nth: 25 }, at: 25, state: 'open' })
  expect(kindsOf('anna').at(-1)).toBe('k6')
})

test('what one account did is no other’s to see, and gone once another acts', () => {
  remember('anna', 'set', {})
  expect(kindsOf('bert')).toEqual([])
  remember('bert', 'depth', {})
  expect([kindsOf('anna'), kindsOf('bert')]).toEqual([[], ['depth']])
})

test('an action is settled once it is known what became of it', () => {
  const first = remember('anna', 'set', {})
  const second = remember('anna', 'depth', {})
  settle('anna', first, 'refused', 'Somebody was faster.')
  settle('anna', second, 'undone')
  settle('anna', 'unknown', 'undone')
  settle('bert', second, 'refused', 'not theirs')
  expect(doneBy('anna').map(({ state, why }) => [state, why])).toEqual([
    ['undone', undefined],
    ['refused', 'Somebody was faster.'],
  ])
})

test('nothing is left on the device when the session ends', () => {
  remember('anna', 'set', {})
  expect(kept.size).toBe(1)
  forgetDone()
  expect([kept.size, kindsOf('anna')]).toEqual([0, []])
})

test('what a device holds that is no history is none', () => {
  for (const text of ['nonsense', '1', '{"owner":1,"done":[]}', '{"owner":"anna","done":[{"kind":"set"},null]}']) {
    kept.set('wheelhouse.done', text)
    expect([text, kindsOf('anna')]).toEqual([text, []])
  }
})

test('without storage the history lasts as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  remember('anna', 'set', {})
  expect(kindsOf('anna')).toEqual(['set'])
  forgetDone()
  expect(kindsOf('anna')).toEqual([])
})
