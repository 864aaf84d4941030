import { describe, expect, it } from 'vitest'
import type { OperationStatus } from '#domain/operations/operation.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { groupsOf } from './groups.ts'

let id = 0
const operation = (
  type: OperationType,
  status: OperationStatus = 'pending',
  { deliveryDate = null }: { deliveryDate?: string | null } = {},
) => ({ id: ++id, type, status, deliveryDate })

describe('the groups of a tab', () => {
  it('recalls, storages, disposals, in this order, without those that are empty', () => {
    const all = [
      operation('to_waste'),
      operation('to_customer'),
      operation('to_waste', 'submitted'),
      operation('to_waste'),
    ]
    expect(groupsOf(all, 'pending').map(group => [group.type, group.operations.length])).toEqual([
      ['to_customer', 1],
      ['to_waste', 2],
    ])
    expect(groupsOf(all, 'submitted').map(group => group.type)).toEqual(['to_waste'])
    expect(groupsOf([], 'pending')).toEqual([])
  })

  it('no operation is left out, whatever its type', () => {
    const types: OperationType[] = ['to_spare', 'to_waste', 'to_stock', 'to_customer']
    expect(
      groupsOf(
        types.map(type => operation(type)),
        'pending',
      ).flatMap(group => group.operations),
    ).toHaveLength(4)
  })

  it('submitted recalls stand by delivery date, those without one last', () => {
    const all = ['2026-12-01', null, '2026-11-23', '2027-01-02'].map(deliveryDate =>
      operation('to_customer', 'submitted', { deliveryDate }),
    )
    expect(groupsOf(all, 'submitted')[0]?.operations.map(operation => operation.deliveryDate)).toEqual([
      '2026-11-23',
      '2026-12-01',
      '2027-01-02',
      null,
    ])
  })

  it('pending recalls keep the order in which they came', () => {
    const all = ['2026-12-01', '2026-11-23'].map(deliveryDate => operation('to_customer', 'pending', { deliveryDate }))
    expect(groupsOf(all, 'pending')[0]?.operations).toEqual(all)
  })
})
