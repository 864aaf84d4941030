import { describe, expect, it } from 'vitest'
import { offeredTypes, tyreStatuses } from '#domain/tyres/tyre.ts'
import {
  chosenAtFirst,
  choicesFor,
  isServiceOpen,
  shownFor,
  stillFree,
  toggled,
  whereAllAre,
  wholeSet,
} from './selection.ts'

type Tyre = Parameters<typeof shownFor>[1][number]
const tyre = (db_id: number, position: string, given: Partial<Tyre> = {}): Tyre => ({
  db_id,
  position,
  tyre_set: 'Winter',
  tyre_status: 'in_stock',
  operation: null,
  ...given,
})
const ids = (tyres: readonly Tyre[]) => tyres.map(({ db_id }) => db_id)

describe('tyres of a service', () => {
  it('a storage shows tyres at the customer, a recall and a disposal those in stock', () => {
    const every = tyreStatuses.map((tyre_status, at) => tyre(at + 1, '1A', { tyre_status }))
    const statuses = Object.fromEntries(
      offeredTypes.map(type => [type, shownFor(type, every).map(tyre => tyre.tyre_status)]),
    )
    expect(statuses).toEqual({ to_stock: ['at_customer'], to_customer: ['in_stock'], to_waste: ['in_stock'] })
  })

  it('a tyre in an open operation is shown, so that its reason can be read', () => {
    expect(ids(shownFor('to_customer', [tyre(1, '1A', { operation: 9 })]))).toEqual([1])
  })

  it('they stand by set, setless last, and then from the first axle to the last, left to right', () => {
    const mixed = [
      tyre(1, '1A', { tyre_set: null }),
      tyre(2, '10A'),
      tyre(3, '2B'),
      tyre(4, '2A'),
      tyre(5, '1A', { tyre_set: 'Summer' }),
      tyre(7, '1B'),
      tyre(6, '1B'),
    ]
    expect(ids(shownFor('to_waste', mixed))).toEqual([5, 6, 7, 4, 3, 2, 1])
  })

  it('recall and disposal are closed while nothing is in stock; storage never is', () => {
    const none: Tyre[] = [tyre(1, '1A', { tyre_status: 'at_customer' })]
    expect(offeredTypes.map(type => isServiceOpen(type, none))).toEqual([true, false, false])
    expect(offeredTypes.map(type => isServiceOpen(type, [tyre(1, '1A')]))).toEqual([true, true, true])
    expect(offeredTypes.map(type => isServiceOpen(type, []))).toEqual([true, false, false])
  })
})

describe('the selection helper', () => {
  const fleet = [
    tyre(1, '1A'),
    tyre(2, '1B'),
    tyre(3, '2A'),
    tyre(4, '2B', { operation: 5 }),
    tyre(5, '1A', { tyre_set: 'Summer' }),
    tyre(6, '1B', { tyre_set: null }),
    tyre(7, '3A', { tyre_status: 'waste' }),
  ]

  it('offers each set and each axle, of the tyres that can be selected', () => {
    expect(choicesFor('to_customer', fleet)).toEqual([
      { kind: 'set', set: 'Summer', ids: [5] },
      { kind: 'set', set: 'Winter', ids: [1, 2, 3] },
      { kind: 'set', set: null, ids: [6] },
      { kind: 'axle', axle: 1, ids: [5, 1, 2, 6] },
      { kind: 'axle', axle: 2, ids: [3] },
    ])
  })

  it('offers no choice that would be the same as all', () => {
    expect(choicesFor('to_customer', [tyre(1, '1A'), tyre(2, '1B')])).toEqual([])
    expect(choicesFor('to_stock', fleet)).toEqual([])
  })

  it('a choice adds what is missing, and takes all away once all are in', () => {
    expect([...toggled(new Set([1]), [1, 2])]).toEqual([1, 2])
    expect([...toggled(new Set([1, 2, 3]), [1, 2])]).toEqual([3])
  })

  it('the whole set of a tyre leaves out what cannot be selected', () => {
    expect(wholeSet('to_customer', fleet, 1)).toEqual([1, 2, 3])
    expect(wholeSet('to_customer', fleet, 6)).toEqual([6])
    expect(wholeSet('to_customer', fleet, 99)).toEqual([])
  })

  it('a tyre that somebody else took meanwhile is no longer selected', () => {
    expect(stillFree('to_customer', fleet, new Set([1, 4, 5]))).toEqual([1, 5])
    expect(stillFree('to_stock', fleet, new Set([1, 4, 5]))).toEqual([])
  })
})

describe('what is chosen at first', () => {
  const winter = ['1A', '1B', '2A', '2B'].map((position, nth) => tyre(nth + 1, position))
  it('is the only set that a service takes, without the tyres that another operation holds', () => {
    expect(chosenAtFirst('to_customer', winter)).toEqual([1, 2, 3, 4])
    expect(chosenAtFirst('to_customer', [...winter, tyre(9, '1A', { operation: 5, tyre_set: 'Summer' })])).toEqual([
      1, 2, 3, 4,
    ])
  })
  it('is what there is of tyres without a set', () => {
    const setless = winter.map(tyre => ({ ...tyre, tyre_set: null }))
    expect(chosenAtFirst('to_customer', setless)).toEqual([1, 2, 3, 4])
    expect(chosenAtFirst('to_customer', [...winter, tyre(9, '1A', { tyre_set: null })])).toEqual([])
  })
  it('is nothing where there is a choice', () => {
    expect(chosenAtFirst('to_customer', [...winter, tyre(9, '1A', { tyre_set: 'Summer' })])).toEqual([])
    expect(chosenAtFirst('to_customer', [])).toEqual([])
  })
})

it('tyres that are all in one place are said to be there', () => {
  const waste = [1, 2].map(nth => tyre(10 + nth, '1A', { tyre_status: 'waste' }))
  expect(whereAllAre([tyre(1, '1A'), tyre(2, '1B')])).toEqual({ where: 'in_stock', count: 2 })
  expect(whereAllAre([tyre(1, '1A'), tyre(2, '1B', { tyre_status: 'on_spare' })])).toEqual({ where: null, count: 2 })
  // scrapped ones do not count beside others
  expect(whereAllAre([tyre(1, '1A'), tyre(2, '1B'), ...waste])).toEqual({ where: 'in_stock', count: 2 })
  expect(whereAllAre(waste)).toEqual({ where: 'waste', count: 2 })
  expect(whereAllAre([])).toEqual({ where: null, count: 0 })
})
