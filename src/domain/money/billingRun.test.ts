import { expect, test } from 'vitest'
import { isUnderWay, mayStep, remarksOf, runStates, stateAfter, type RunStep } from './billingRun.ts'

const stepsOf = (state: (typeof runStates)[number]) =>
  (['counted', 'make', 'stop', 'resume', 'finish', 'discard', 'undo', 'withdrawn'] satisfies RunStep[]).filter(step =>
    mayStep(state, step),
  )

test('a run takes the steps of its state and no others', () => {
  expect(Object.fromEntries(runStates.map(state => [state, stepsOf(state)]))).toEqual({
    counting: ['counted', 'discard'],
    ready: ['make', 'discard'],
    making: ['stop', 'finish'],
    stopped: ['resume', 'undo'],
    made: ['undo'],
    undoing: ['withdrawn'],
    undone: [],
    discarded: [],
  })
  expect(runStates.filter(isUnderWay)).toEqual(['counting', 'making', 'undoing'])
  expect(stateAfter('resume')).toBe('making')
})

const usual = { amount: 100, last: 90, retired: false, addressed: true, vat_number: '', country: null }

test('more than five times the last amount is unusual, five times is not', () => {
  expect(remarksOf(usual)).toEqual([])
  expect(remarksOf({ ...usual, amount: 450 })).toEqual([])
  expect(remarksOf({ ...usual, amount: 450.01 })).toEqual(['unusual'])
  expect(remarksOf({ ...usual, last: null })).toEqual([])
  expect(remarksOf({ ...usual, last: 0 })).toEqual([])
})

test('a missing price, a retired customer and a missing address are remarked, most important first', () => {
  expect(remarksOf({ ...usual, amount: 0, last: 10, retired: true, addressed: false })).toEqual([
    'price_missing',
    'retired',
    'address_missing',
  ])
})

test('a VAT number that is mistyped, or of another country, is remarked', () => {
  const remarked = (vat_number: string, country: string | null) => remarksOf({ ...usual, vat_number, country })
  expect(remarked('BE0739484052', null)).toEqual([])
  expect(remarked('BE0739484052', 'BE')).toEqual([])
  expect(remarked('BE0739484059', null)).toEqual(['vat_number_invalid'])
  expect(remarked('BE0739484052', 'NL')).toEqual(['vat_number_invalid'])
})
