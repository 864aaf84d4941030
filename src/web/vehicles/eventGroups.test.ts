import { expect, test } from 'vitest'
import type { TyreEvent } from '#contract/tyres.ts'
import { eventGroups, textsOf } from './eventGroups.ts'

const event = (part: Partial<TyreEvent>): TyreEvent =>
  ({
    tyre: 1,
    at: '2026-11-10T08:00:00.000Z',
    kind: 'measured',
    operation: null,
    by: 'Ann',
    note: '',
    undone: false,
    position: '1A',
    depth: 6,
    ...part,
  }) as TyreEvent

test('what happened to four tyres at one moment is one event, and what somebody else did another', () => {
  const four = ['2B', '1A', '2A', '1B'].map((position, nth) => event({ tyre: nth + 1, position }))
  const groups = eventGroups([...four, event({ by: 'Bob' }), event({ at: '2026-11-09T08:00:00.000Z' })])
  expect(groups.map(group => group.map(({ position }) => position))).toEqual([['1A', '1B', '2A', '2B'], ['1A'], ['1A']])
})

test('what is the same of all tyres is said once, what differs with their positions', () => {
  const textOf = ({ depth }: TyreEvent) => `${depth} mm`
  const [same] = eventGroups([event({}), event({ tyre: 2, position: '1B' })])
  const [differs] = eventGroups([event({}), event({ tyre: 2, position: '1B', depth: 5 })])
  expect(same && textsOf(same, textOf)).toBe('6 mm')
  expect(differs && textsOf(differs, textOf)).toBe('1A 6 mm · 1B 5 mm')
})
