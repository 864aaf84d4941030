import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  gateOutcome,
  gateOutcomes,
  gateStops,
  isOverridable,
  leaveStop,
  loadedRecall,
  recallStopped,
  type GateWheel,
} from './gate.ts'
import { recommendedLimits, type TreadCase } from '../tyres/tread.ts'
import { wheelStates } from '../tyres/wheel.ts'

const load = { transport: 1, day: '2026-11-20' }
const wheel: GateWheel = { load, state: 'staged', depth: 6, season: 'winter' }
/** Of no country with a law that we know: the limits of the site, 3 mm in summer and 4 for snow. */
const shown: TreadCase = { country: null, kind: 'car', date: '2026-11-20', site: recommendedLimits }
const wanted = (season: string | null) => (season === null || season === 'summer' ? 3 : 4)

test('the gate passes exactly the wheels of its transport and day that have enough tread for their season', () => {
  const anyLoad = fc.option(
    fc.record({ transport: fc.constantFrom(1, 2), day: fc.constantFrom('2026-11-20', '2026-11-21') }),
  )
  const anyWheel = fc.record({
    load: anyLoad,
    state: fc.constantFrom(...wheelStates),
    depth: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
    season: fc.option(fc.constantFrom('summer', 'winter', 'all_season', 'snow')),
  })
  fc.assert(
    fc.property(anyWheel, fc.boolean(), (wheel, showsDepth) => {
      const passes = gateOutcome(wheel, load, showsDepth ? shown : null) === 'loaded'
      const deep = !showsDepth || wheel.depth === null || wheel.depth >= wanted(wheel.season)
      const right = wheel.load !== null && wheel.load.transport === load.transport && wheel.load.day === load.day
      expect(passes).toBe(right && deep && wheel.state !== 'loaded')
    }),
  )
})

test('a stop says the most general reason first', () => {
  expect(gateOutcome({ ...wheel, load: null }, load, shown)).toBe('not_recalled')
  expect(gateOutcome({ ...wheel, load: { ...load, transport: 2 }, depth: 1 }, load, shown)).toBe('other_transport')
  expect(gateOutcome({ ...wheel, load: { ...load, day: '2026-11-21' } }, load, shown)).toBe('other_day')
  expect(gateOutcome({ ...wheel, depth: 3.9 }, load, shown)).toBe('worn')
  expect(gateOutcome({ ...wheel, depth: 3.9, season: 'summer' }, load, shown)).toBe('loaded')
  expect(gateOutcome({ ...wheel, state: 'loaded' }, load, shown)).toBe('again')
})

test('whatever has a recall may be let through, nothing else', () => {
  expect(gateOutcomes.filter(isOverridable)).toEqual(gateStops.filter(stop => stop !== 'not_recalled'))
})

test('what a confirmed recall misses keeps no transport back', () => {
  const states = ['loaded', 'loaded', 'loaded', 'missing'] as const
  expect(loadedRecall(states, { confirmed: false })).toEqual({ loaded: 3, waiting: 0, missing: 1, other: 0 })
  expect(leaveStop([loadedRecall(states, { confirmed: true })])).toBeNull()
  const begun = loadedRecall(['loaded', 'staged', 'picked', 'at_place'], { confirmed: false })
  expect(begun).toEqual({ loaded: 1, waiting: 2, missing: 0, other: 1 })
})

test('a transport leaves with whole sets, nothing missing and nothing left behind', () => {
  const whole = { loaded: 4, missing: 0, waiting: 0, other: 0 }
  const none = { loaded: 0, missing: 0, waiting: 0, other: 4 }
  expect(leaveStop([])).toBe('nothing_loaded')
  expect(leaveStop([none])).toBe('nothing_loaded')
  expect(leaveStop([whole, none])).toBeNull()
  expect(leaveStop([whole, { ...none, waiting: 4, other: 0 }])).toBe('left_behind')
  // one wheel is enough, also of a set of which the others were not taken out
  expect(leaveStop([whole, { ...none, waiting: 1, other: 3 }])).toBe('left_behind')
  expect(leaveStop([{ ...whole, loaded: 3, missing: 1 }])).toBe('missing')
  expect(leaveStop([{ ...whole, loaded: 3, waiting: 1 }])).toBe('incomplete')
  expect(leaveStop([{ ...whole, loaded: 3, other: 1 }])).toBe('incomplete')
})

test('a stop names the first recall that it is about, not one with a lesser reason', () => {
  const whole = { loaded: 4, missing: 0, waiting: 0, other: 0 }
  const missing = { ...whole, loaded: 3, missing: 1 }
  const incomplete = { ...whole, loaded: 3, other: 1 }
  const behind = { loaded: 0, missing: 0, waiting: 4, other: 0 }
  const named = (...recalls: (typeof whole)[]) => {
    const stop = leaveStop(recalls)
    return stop && [stop, recallStopped(stop, recalls)]
  }
  expect(named(whole, behind, missing, incomplete)).toEqual(['incomplete', incomplete])
  expect(named(whole, behind, missing)).toEqual(['missing', missing])
  expect(named(whole, behind)).toEqual(['left_behind', behind])
  expect(named(behind)).toEqual(['nothing_loaded', undefined])
  expect(named(whole)).toBeNull()
})
