/** The tyres of a vehicle that leaves the fleet: where they go (docs/product/vehicles.md "Vehicles that leave"). */
import type { Mode } from '../site.ts'
import { isHotel } from '../site.ts'
import { may, type TyreStatus } from './tyre.ts'

/** They move to another vehicle, stay without one, go with the vehicle, are recalled, or scrapped. */
export const leavingActions = ['move', 'keep', 'go', 'recall', 'dispose'] as const
export type LeavingAction = (typeof leavingActions)[number]

/** The operation that is made for tyres. */
export const operationOf = { recall: 'to_customer', dispose: 'to_waste' } as const

type Leaving = { readonly tyre_status: TyreStatus; readonly operation: number | null }

/** Whether an action may be taken on tyres of a vehicle that leaves. What is stored does not go with it. */
export function mayLeave(action: LeavingAction, tyres: readonly Leaving[], mode: Mode): boolean {
  switch (action) {
    case 'keep':
      return true
    case 'move':
      return tyres.every(tyre => may('move', tyre))
    case 'go':
      return tyres.every(tyre => tyre.operation === null && tyre.tyre_status !== 'in_stock')
    default:
      return isHotel(mode) && tyres.every(tyre => tyre.tyre_status === 'in_stock' && may(operationOf[action], tyre))
  }
}

/** The action that a set begins with: what is stored, or in an open operation, stays; anything else goes with the vehicle. */
export const usualAction = (tyres: readonly Leaving[]): LeavingAction =>
  tyres.every(tyre => tyre.operation === null && tyre.tyre_status !== 'in_stock') ? 'go' : 'keep'
