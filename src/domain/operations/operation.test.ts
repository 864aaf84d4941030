import { expect, test } from 'vitest'
import { roles } from '../people/account.ts'
import {
  allows,
  commonParts,
  noParts,
  operationStatuses,
  removableService,
  servicesToAdd,
  stepTo,
  steps,
  type Step,
} from './operation.ts'

const allowed: Record<Step, string[]> = {
  submit: ['pending user', 'pending admin'],
  undo: ['submitted admin'],
  withdraw: ['submitted user'],
  confirm: ['submitted admin'],
  cancel: ['submitted admin'],
  edit: ['pending user', 'pending admin'],
  delete: ['pending user', 'pending admin'],
  scan: ['submitted admin'],
}

for (const step of Object.keys(steps) as Step[]) {
  test(`${step} is allowed only for ${allowed[step].join(', ')}`, () => {
    const actual = operationStatuses.flatMap(status =>
      roles.filter(type => allows({ status }, step, { type })).map(type => `${status} ${type}`),
    )
    expect(actual).toEqual(allowed[step])
  })
}

test('an update is an edit, a submission or an undone submission, and nothing else', () => {
  const means = operationStatuses.flatMap(from =>
    operationStatuses.map(to => [from, to, stepTo(from, to)] as const).filter(([, , step]) => step && step !== 'edit'),
  )
  expect(means).toEqual([
    ['pending', 'submitted', 'submit'],
    ['submitted', 'pending', 'undo'],
  ])
  expect(stepTo('confirmed', 'confirmed')).toBe('edit')
  expect(allows({ status: 'confirmed' }, 'edit', { type: 'admin' })).toBe(false)
})

test('a service is offered when it is of the type and not yet on the operation', () => {
  const all = [
    { _id: 1, operation_type: 'to_stock' as const },
    { _id: 2, operation_type: 'to_stock' as const },
    { _id: 3, operation_type: 'to_waste' as const },
  ]
  expect(servicesToAdd({ type: 'to_stock', services: [1, 99] }, all).map(s => s._id)).toEqual([2])
})

test('a blocked service stays, an unknown one can go', () => {
  expect(removableService({ blocked: true })).toBe(false)
  expect(removableService({ blocked: false })).toBe(true)
  expect(removableService(undefined)).toBe(true)
})

test('wheels have in common what all of them have', () => {
  const steel = { withRims: 'steel', withBolts: true, withHubcaps: false } as const
  expect(commonParts([steel, steel])).toEqual(steel)
  expect(commonParts([steel, { ...steel, withHubcaps: true }])).toEqual(steel)
  expect(commonParts([steel, { ...steel, withRims: 'aluminum' }])).toEqual({ ...steel, withRims: null })
  for (const wheels of [[], [steel, noParts], [noParts, steel]]) expect(commonParts(wheels)).toEqual(noParts)
})
