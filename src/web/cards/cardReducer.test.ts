import { describe, expect, it } from 'vitest'
import type { CardWheel } from '#contract/cards.ts'
import type { CardAction } from '#domain/warehouse/card.ts'
import { sampleOperation, sampleTyre } from '../handling/sample.ts'
import {
  act,
  type CardEffect,
  type CardStep,
  declaring,
  emptyCard,
  type FactsOf,
  put,
  type Shown,
  takeReading,
  takeUp,
  undo,
  wheelScanned,
} from './cardReducer.ts'

const wheel = (db_id: number, actions: readonly CardAction[], facts: Partial<CardWheel> = {}) =>
  ({
    db_id,
    flt_id: 1,
    license_plate: '1ABC234',
    actions,
    location: null,
    kept_location: null,
    operation: null,
    ...facts,
  }) as CardWheel
const wheelInHand = (tyre: number) => ({ tyre, vehicle: 1, plate: '1ABC234' })
const inHand = (...tyres: number[]): Shown => ({ ...emptyCard, hand: { wheels: tyres.map(wheelInHand), spot: null } })
const spot = { location: 5, rack: 'A-01' }

/** A device that knows these wheels by their cards. */
const knows =
  (...wheels: CardWheel[]): FactsOf =>
  tyre => ({ wheel: wheels.find(({ db_id }) => db_id === tyre) ?? null, entry: undefined })
/** One that has the list of submitted storages only. */
const lists =
  (...tyres: { db_id: number; scanned?: boolean }[]): FactsOf =>
  tyre => {
    const listed = tyres.find(({ db_id }) => db_id === tyre)
    return { wheel: null, entry: listed && { operation: sampleOperation({ _id: 9 }), tyre: sampleTyre(listed) } }
  }

/** An effect as one line. */
function line(effect: CardEffect): string {
  switch (effect.kind) {
    case 'keep': {
      const { record } = effect
      if (record.kind === 'scan') return `scan ${record.tyreId} ${record.type}`
      if (record.kind === 'place') return `place ${record.place.tyres.join()} on ${record.place.location}`
      return record.kind === 'step' ? `${record.step.step} ${record.step.tyres.join()}` : record.kind
    }
    case 'say':
      return `${effect.sound}: ${effect.text.key} ${JSON.stringify(effect.text.params)}`
    case 'unscan':
      return `unscan ${effect.tyres.join()}: ${effect.text.key}`
    case 'restore':
      return `restore ${effect.kept}`
    case 'print':
      return `print ${effect.wheels.map(({ db_id }) => db_id).join()}`
    default:
      return effect.kind
  }
}
const lines = ({ effects }: CardStep) => effects.map(line)

describe('a place', () => {
  it.each<[string, FactsOf, string[]]>([
    [
      'puts wheels in stock there',
      knows(wheel(1, ['place']), wheel(2, ['place'])),
      ['place 1,2 on 5', 'location: cards:put {"count":2,"place":"A-01"}', 'send'],
    ],
    [
      'scans those that their storage waits for, before it',
      knows(wheel(1, ['store', 'place']), wheel(2, ['place'])),
      ['scan 1 to_stock', 'place 1,2 on 5', 'location: cards:put {"count":2,"place":"A-01"}', 'send'],
    ],
    [
      'goes by the list of the day, where there is no card',
      lists({ db_id: 1 }, { db_id: 2, scanned: true }),
      ['scan 1 to_stock', 'place 1,2 on 5', 'location: cards:put {"count":2,"place":"A-01"}', 'send'],
    ],
    [
      'takes wheels of which nothing is known',
      lists(),
      ['place 1,2 on 5', 'location: cards:put {"count":2,"place":"A-01"}', 'send'],
    ],
    [
      'takes none when one is not to be put there',
      knows(wheel(1, ['place']), wheel(2, [])),
      ['misplaced: cards:notPlaced {"count":1}'],
    ],
  ])('%s', (_, factsOf, expected) => {
    expect(lines(put([wheelInHand(1), wheelInHand(2)], spot, factsOf))).toEqual(expected)
  })

  it('remembers where each wheel was, and which it has scanned', () => {
    const factsOf = knows(wheel(1, ['store', 'place'], { kept_location: 8 }), wheel(2, ['place'], { location: 7 }))
    expect(put([wheelInHand(1), wheelInHand(2)], spot, factsOf).state.done).toEqual({
      action: 'place',
      wheels: [
        { tyre: 1, spot: 8, scan: true },
        { tyre: 2, spot: 7, scan: false },
      ],
    })
  })

  it('in hand takes the next wheel, and without one the wheel is held', () => {
    const withSpot = { ...emptyCard, hand: { wheels: [], spot } }
    expect(takeUp(withSpot, wheelInHand(1), knows(wheel(1, ['place'])))).toMatchObject({
      put: true,
      state: { hand: { spot } },
    })
    expect(takeUp(emptyCard, wheelInHand(1), lists())).toMatchObject({
      put: false,
      effects: [],
      state: { hand: { wheels: [wheelInHand(1)] } },
    })
  })
})

describe('a button', () => {
  const all: CardAction[] = [
    'store',
    'load',
    'dispose',
    'pick',
    'find',
    'place',
    'miss',
    'unscan',
    'label',
    'measure',
    'damage',
    'refit',
  ]
  const [first, second, unable] = [wheel(1, all), wheel(2, all), wheel(3, [])]
  const factsOf = knows(first, second, unable)
  it.each<[CardAction, string[], Partial<Shown>]>([
    [
      'store',
      ['scan 1 to_stock', 'scan 2 to_stock', 'found: cards:did.to_stock {"count":2}', 'send'],
      {
        declared: new Map([
          [1, 'scanned'],
          [2, 'scanned'],
        ]),
      },
    ],
    ['load', ['scan 1 to_customer', 'scan 2 to_customer', 'found: cards:did.to_customer {"count":2}', 'send'], {}],
    ['dispose', ['scan 1 to_waste', 'scan 2 to_waste', 'found: cards:did.to_waste {"count":2}', 'send'], {}],
    ['pick', ['pick 1,2', 'stepped: cards:did.pick {"count":2}', 'send'], {}],
    ['find', ['find 1,2', 'stepped: cards:did.find {"count":2}', 'send'], { declared: new Map() }],
    [
      'miss',
      ['miss 1', 'stepped: cards:did.miss {"count":1}', 'send'],
      { declared: new Map([[1, 'missing']]), hand: { wheels: [wheelInHand(2), wheelInHand(3)], spot: null } },
    ],
    ['unscan', ['unscan 1,2: cards:did.unscan'], { declared: new Map() }],
    ['label', ['print 1'], {}],
    ['measure', ['measure'], { readings: [], panel: null, typed: null }],
    ['damage', [], { panel: 'damage', readings: null }],
    ['refit', [], { panel: 'refit', readings: null }],
    ['photo', [], {}],
  ])('%s is for the wheels in hand that it is possible for, or for one', (action, effects, state) => {
    const step = act(inHand(1, 2, 3), action, first, factsOf)
    expect(lines(step)).toEqual(effects)
    expect(step.state).toMatchObject(state)
  })

  it('Missing ends a measurement and a choice: Confirm saves no depth of a wheel that is not here', () => {
    const measuring: Shown = { ...inHand(1), readings: [6], typed: '5' }
    expect(act(measuring, 'miss', first, factsOf).state).toMatchObject({ readings: null, panel: null, typed: null })
    expect(act({ ...inHand(1), panel: 'damage' }, 'miss', first, factsOf).state).toMatchObject({ panel: null })
  })

  it('is for the chosen wheel alone when that is not in hand', () => {
    expect(lines(act(inHand(2), 'store', first, factsOf))[0]).toBe('scan 1 to_stock')
  })
})

describe('Undo', () => {
  const after = (step: CardStep): Shown => ({ ...emptyCard, ...step.state })
  it.each<[string, Shown, string[], Partial<Shown>]>([
    ['has nothing to take back on a new card', emptyCard, ['not_now: cards:nothingToUndo {}'], {}],
    [
      'takes a depth back by the history',
      { ...emptyCard, done: { action: 'measure', wheels: [], kept: 'k' } },
      ['restore k'],
      { done: null },
    ],
    [
      'brings wheels back to where each was',
      after(
        put([wheelInHand(1), wheelInHand(2)], spot, knows(wheel(1, ['place'], { location: 7 }), wheel(2, ['place']))),
      ),
      ['place 1 on 7', 'stepped: cards:undoneSome {"count":1}', 'send'],
      { done: null },
    ],
    [
      'takes scans back by a call, and keeps them until that is done',
      after(act(inHand(1), 'store', wheel(1, ['store']), knows(wheel(1, ['store'])))),
      ['unscan 1: cards:did.unscan'],
      { done: { action: 'store', wheels: [{ tyre: 1, spot: null, scan: true }] }, declared: new Map() },
    ],
    [
      'finds a missing wheel, and scans it again if it had been',
      after(
        act(
          inHand(1),
          'miss',
          wheel(1, ['miss'], { operation: { scanned: true, type: 'to_stock' } as never }),
          knows(),
        ),
      ),
      ['scan 1 to_stock', 'find 1', 'stepped: cards:undone {"count":0}', 'send'],
      { done: null, declared: new Map() },
    ],
    [
      'has no way back from a find',
      after(act(inHand(1), 'find', wheel(1, ['find']), knows())),
      ['not_now: cards:nothingToUndo {}'],
      {},
    ],
  ])('%s', (_, shown, effects, state) => {
    const step = undo(shown, knows())
    expect(lines(step)).toEqual(effects)
    expect(step.state).toMatchObject(state)
  })
})

describe('a reading', () => {
  const measuring = (...readings: number[]): Shown => ({ ...emptyCard, readings, typed: 'x' })
  it.each<[string, Shown, string, Partial<Shown>, string[]]>([
    ['is added', measuring(), '5,5', { readings: [5.5], typed: null }, []],
    ['of 0 mm counts', measuring(), '0', { readings: [0] }, []],
    ['is recorded with the third', measuring(5, 6), '4', { readings: [5, 6, 4] }, ['record']],
    ['that is empty records the ones before', measuring(5), ' ', {}, ['record']],
    ['that is empty says so when it is the first', measuring(), '', {}, ['not_now: cards:noDepth {}']],
    ['beyond 10 mm is none', measuring(5), '10.5', {}, ['not_now: cards:noDepth {}']],
    ['of letters is none', measuring(5), 'abc', {}, ['not_now: cards:noDepth {}']],
  ])('%s', (_, shown, text, state, effects) => {
    const step = takeReading(shown, text, text.includes(',') ? 'nl' : 'en')
    expect(step.state).toEqual(expect.objectContaining(state))
    expect(lines(step)).toEqual(effects)
  })
})

describe('the next wheel', () => {
  const declared = declaring(declaring(declaring(emptyCard, [1, 2], 'missing'), [3], 'damaged'), [4], 'scanned')
  it('is here, whatever was declared of it, and what was declared of others stays but for damage', () => {
    expect(wheelScanned({ ...emptyCard, ...declared }, 1).declared).toEqual(
      new Map([
        [2, 'missing'],
        [4, 'scanned'],
      ]),
    )
  })

  it('keeps Undo when it is about that wheel', () => {
    const done = { action: 'pick', wheels: [{ tyre: 1, spot: null, scan: false }] } as const
    expect(wheelScanned({ ...emptyCard, done }, 1)).toMatchObject({
      query: { tyre: 1 },
      chosen: 1,
      done,
      readings: null,
    })
    expect(wheelScanned({ ...emptyCard, done }, 2).done).toBeNull()
  })
})
