import { describe, expect, test } from 'vitest'
import { ago, isTooOld, type KeptEntry, keptForMs, mayReload, mostCards, mostCharacters, toForget } from './rules.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const minute = 60_000

const entry = (key: string, facts: Partial<KeptEntry> = {}): KeptEntry => ({
  key,
  card: false,
  at: now - minute,
  size: 100,
  ...facts,
})
const cards = (count: number, facts: (nth: number) => Partial<KeptEntry> = () => ({})) =>
  Array.from({ length: count }, (_, nth) => entry(`card ${nth}`, { card: true, at: now - nth, ...facts(nth) }))

describe('what a device forgets', () => {
  test('an answer that is as old as an unused session may be stays, an older one goes', () => {
    const old = [entry('just young', { at: now - keptForMs }), entry('old', { at: now - keptForMs - 1 })]
    expect(toForget(old, now)).toEqual(['old'])
    expect([isTooOld(now - keptForMs, now), isTooOld(now - keptForMs - 1, now)]).toEqual([false, true])
  })

  test('the last cards stay, and those before them go', () => {
    expect(toForget(cards(mostCards), now)).toEqual([])
    expect(toForget(cards(mostCards + 2).toReversed(), now).toSorted()).toEqual(
      [`card ${mostCards}`, `card ${mostCards + 1}`].toSorted(),
    )
  })

  test('where all is too much, the oldest cards go first', () => {
    const half = Math.floor(mostCharacters / 2)
    const kept = [entry('list', { size: half }), ...cards(3, () => ({ size: half / 2 }))]
    expect(toForget(kept, now)).toEqual(['card 2'])
  })

  test('a list that has no room by itself goes, and the others stay', () => {
    expect(toForget([entry('list', { size: mostCharacters + 1 }), entry('places'), ...cards(1)], now)).toEqual(['list'])
  })
})

describe('a page is loaded anew for a new version', () => {
  const left = { unsent: 0, isOpen: false, isUnsaved: false, isLost: false, untouchedMs: 5 * minute, isVisible: true }

  test('when nothing waits and nobody has touched it for five minutes', () => {
    expect(mayReload(left)).toBe(true)
    expect(mayReload({ ...left, untouchedMs: 5 * minute - 1 })).toBe(false)
  })

  test('when nobody sees it, after one minute', () => {
    expect(mayReload({ ...left, isVisible: false, untouchedMs: minute })).toBe(true)
    expect(mayReload({ ...left, isVisible: false, untouchedMs: minute - 1 })).toBe(false)
  })

  test.each([
    ['a scan waits', { unsent: 1 }],
    ['a card or a dialog is open', { isOpen: true }],
    ['a form has changes', { isUnsaved: true }],
    ['there is no connection', { isLost: true }],
  ])('not while %s, however long nobody touches it', (_, state) => {
    expect(mayReload({ ...left, ...state, untouchedMs: 24 * 60 * minute })).toBe(false)
    expect(mayReload({ ...left, ...state, isVisible: false, untouchedMs: 24 * 60 * minute })).toBe(false)
  })
})

test('an age is said in whole minutes below an hour, and in whole hours from then on', () => {
  expect(ago(now - 59_999, now)).toEqual({ value: 0, unit: 'minute' })
  expect(ago(now - 59 * minute, now)).toEqual({ value: 59, unit: 'minute' })
  expect(ago(now - 125 * minute, now)).toEqual({ value: 2, unit: 'hour' })
  // a clock that was set back
  expect(ago(now + minute, now)).toEqual({ value: 0, unit: 'minute' })
})
