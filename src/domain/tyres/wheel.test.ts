import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statusAfter, tyreStatuses, type OfferedType, type TyreStatus } from './tyre.ts'
import {
  allowsStep,
  handSteps,
  handTarget,
  mayTake,
  scanSteps,
  statesBefore,
  statesOf,
  wheelStates,
  wheelStepNames,
  wheelSteps,
  type WheelState,
} from './wheel.ts'

const anyStep = fc.constantFrom(...wheelStepNames)
const anyState = fc.constantFrom(...wheelStates)

test('a step leads somewhere exactly from the states of its rows', () => {
  fc.assert(
    fc.property(anyStep, anyState, anyState, (step, from, to) => {
      expect(allowsStep(step, from, to)).toBe(statesBefore(step, to).includes(from))
      if (allowsStep(step, from, to)) expect(allowsStep(step, from)).toBe(true)
    }),
  )
})

test('every state but that of an orphan is reached from a wheel at its customer, and every state is left again', () => {
  const reached = new Set<WheelState>(['with_customer'])
  for (let before = 0; before < reached.size;) {
    before = reached.size
    for (const step of wheelStepNames)
      for (const { from, to } of wheelSteps[step]) if (from.some(state => reached.has(state))) reached.add(to)
  }
  expect([...reached].sort()).toEqual(wheelStates.filter(state => state !== 'orphan').sort())
  for (const state of wheelStates) expect(wheelStepNames.some(step => allowsStep(step, state))).toBe(true)
})

test('no step makes an orphan of a wheel that has a tyre record', () => {
  for (const step of wheelStepNames) expect(statesBefore(step, 'orphan')).toEqual([])
})

describe('a tyre’s status', () => {
  test('has a state for each wheel, and the states cover all but the orphan', () => {
    expect(new Set(tyreStatuses.flatMap((status): readonly WheelState[] => statesOf[status]))).toEqual(
      new Set(wheelStates.filter(state => state !== 'orphan')),
    )
  })

  test.each([
    ['to_stock', 'store'],
    ['to_customer', 'deliver'],
    ['to_waste', 'scrap'],
  ] as const)('after %s agrees with what the confirmation makes of every wheel', (type, step) => {
    const states: readonly WheelState[] = statesOf[statusAfter[type]]
    for (const { to } of wheelSteps[step]) expect(states).toContain(to)
  })

  test('agrees with the scan of every operation that takes such tyres', () => {
    const before: Record<OfferedType, TyreStatus> = {
      to_stock: 'at_customer',
      to_customer: 'in_stock',
      to_waste: 'in_stock',
    }
    for (const [type, { step, to }] of Object.entries(scanSteps) as [OfferedType, (typeof scanSteps)[OfferedType]][]) {
      const states: readonly WheelState[] = statesOf[before[type]]
      expect(states).toContain(to)
      // each wheel of such a tyre is scanned, or is there already, or is further
      for (const from of statesBefore(step, to)) expect(states).toContain(from)
    }
  })
})

test('a step in hand is offered only where it ends in a state that agrees with the tyre', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...handSteps),
      anyState,
      fc.constantFrom(...tyreStatuses),
      (step, state, tyre_status) => {
        const states: readonly WheelState[] = statesOf[tyre_status]
        fc.pre(states.includes(state))
        const may = mayTake(step, { state, tyre_status })
        if (may) expect(states).toContain(handTarget[step])
        if (may) expect(allowsStep(step, state, handTarget[step])).toBe(true)
      },
    ),
  )
  expect(mayTake('hand_back', { state: 'received', tyre_status: 'in_stock' })).toBe(false)
  expect(mayTake('hand_back', { state: 'received', tyre_status: 'at_customer' })).toBe(true)
  expect(mayTake('pick', { state: 'at_place', tyre_status: 'at_customer' })).toBe(false)
})
