import { describe, expect, test } from 'vitest'
import { actionsOf, cardActions, type CardWheel, readTyped } from './card.ts'
import { operationTypes, tyreStatuses } from '../tyres/tyre.ts'
import { allowsStep, statesOf, wheelStates } from '../tyres/wheel.ts'

const shown = { showsDepth: true }
const stored: CardWheel = { state: 'at_place', tyre_status: 'in_stock', operation: null }
const expected: CardWheel = {
  state: 'expected',
  tyre_status: 'at_customer',
  operation: { type: 'to_stock', status: 'submitted', scanned: false },
}

describe('what a card offers', () => {
  test.each<[string, CardWheel, string[]]>([
    ['a wheel in stock', stored, ['pick', 'place', 'measure', 'damage', 'photo', 'label', 'refit', 'miss']],
    ['one that is expected', expected, ['store', 'place', 'measure', 'damage', 'photo', 'label', 'miss']],
    [
      'one that was received and scanned',
      { ...expected, state: 'received', operation: { type: 'to_stock', status: 'submitted', scanned: true } },
      ['place', 'measure', 'damage', 'photo', 'label', 'unscan', 'miss'],
    ],
    [
      'one of a recall',
      { ...stored, operation: { type: 'to_customer', status: 'submitted', scanned: false } },
      ['load', 'pick', 'place', 'measure', 'damage', 'photo', 'label', 'miss'],
    ],
    [
      'one of a disposal',
      { ...stored, operation: { type: 'to_waste', status: 'submitted', scanned: false } },
      ['dispose', 'pick', 'place', 'measure', 'damage', 'photo', 'label', 'miss'],
    ],
    [
      'one that is missing',
      { ...stored, state: 'missing' },
      ['find', 'pick', 'place', 'measure', 'damage', 'photo', 'label', 'refit'],
    ],
    [
      'one at its customer',
      { state: 'with_customer', tyre_status: 'at_customer', operation: null },
      ['measure', 'damage', 'photo', 'label', 'refit', 'miss'],
    ],
    [
      'one of a pending operation',
      { ...stored, operation: { type: 'to_customer', status: 'pending', scanned: false } },
      ['pick', 'place', 'measure', 'damage', 'photo', 'label', 'miss'],
    ],
    ['a scrapped one', { state: 'scrapped', tyre_status: 'waste', operation: null }, []],
  ])('for %s', (_, wheel, actions) => {
    expect(actionsOf(wheel, shown)).toEqual(actions)
  })

  test('is never a step that the table of steps refuses', () => {
    for (const tyre_status of tyreStatuses)
      for (const state of wheelStates.filter(wheelState =>
        (statesOf[tyre_status] as readonly string[]).includes(wheelState),
      ))
        for (const type of [null, ...operationTypes]) {
          const operation = type && ({ type, status: 'submitted', scanned: false } as const)
          const actions = actionsOf({ state, tyre_status, operation }, shown)
          if (actions.includes('place')) expect(allowsStep('place', state, 'at_place')).toBe(true)
          if (actions.includes('pick')) expect(allowsStep('pick', state, 'picked')).toBe(true)
          if (actions.includes('miss')) expect(allowsStep('miss', state, 'missing')).toBe(true)
          if (actions.includes('find')) expect(allowsStep('find', state, 'received')).toBe(true)
          expect(actions).toEqual(cardActions.filter(action => actions.includes(action)))
        }
  })

  test('has no measuring where the site hides depth', () => {
    expect(actionsOf(stored, { showsDepth: false })).not.toContain('measure')
  })
})

describe('what was typed', () => {
  const none = { tyre: null, ean: null, document: null }
  test.each([
    ['1-abc-234', { ...none, plate: '1ABC234' }],
    [' 12 ', { ...none, plate: '12', tyre: 12 }],
    ['#4711', { ...none, plate: '4711', tyre: 4711 }],
    ['9999999999', { ...none, plate: '9999999999', ean: '9999999999' }],
    ['4019238817294', { ...none, plate: '4019238817294', ean: '4019238817294' }],
    ['w-2026-00012', { ...none, plate: 'W202600012', document: { type: 'worknote', year: 2026, number: 12 } }],
    [
      'D-2026-1234567',
      { ...none, plate: 'D20261234567', document: { type: 'deliverynote', year: 2026, number: 1_234_567 } },
    ],
    ['--', { ...none, plate: '' }],
  ])('%j is looked up in every way it can be meant', (text, read) => {
    expect(readTyped(text)).toEqual(read)
  })
})
