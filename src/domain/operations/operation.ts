/** The states of an operation as one table, and what may be changed in it (docs/product/operations.md "Operation states"). */
import type { Role } from '../people/account.ts'
import type { OperationType, Rim } from '../tyres/tyre.ts'

export const operationStatuses = ['pending', 'submitted', 'confirmed', 'cancelled'] as const
export type OperationStatus = (typeof operationStatuses)[number]

/** Every step, from which status to which, and who may take it. After `delete` the operation is gone. */
export const steps = {
  submit: { from: 'pending', to: 'submitted', by: ['user', 'admin'] },
  undo: { from: 'submitted', to: 'pending', by: ['admin'] },
  /** The customer's own way back, while the warehouse has not begun. */
  withdraw: { from: 'submitted', to: 'pending', by: ['user'] },
  confirm: { from: 'submitted', to: 'confirmed', by: ['admin'] },
  cancel: { from: 'submitted', to: 'cancelled', by: ['admin'] },
  edit: { from: 'pending', to: 'pending', by: ['user', 'admin'] },
  delete: { from: 'pending', to: null, by: ['user', 'admin'] },
  scan: { from: 'submitted', to: 'submitted', by: ['admin'] },
} as const satisfies Record<string, { from: OperationStatus; to: OperationStatus | null; by: readonly Role[] }>
export type Step = keyof typeof steps

/** Whether somebody may take a step in the operation's status. Buttons and the server ask the same. */
export function allows(operation: { status: OperationStatus }, step: Step, who: { type: Role }): boolean {
  const { from, by } = steps[step]
  return operation.status === from && (by as readonly Role[]).includes(who.type)
}

/** Whether somebody may confirm an operation with tyres missing: an account of the warehouse where the site lets it. */
export const mayConfirmMissing = (
  who: { readonly warehouse?: boolean | undefined },
  site: { readonly warehouseConfirmsMissing: boolean },
): boolean => who.warehouse !== true || site.warehouseConfirmsMissing

/** The step of an update to a status: a change of status is a step, the same status an edit. `null`: there is no such step. */
export function stepTo(from: OperationStatus, to: OperationStatus): Step | null {
  if (from === to) return 'edit'
  if (from === 'pending' && to === 'submitted') return 'submit'
  if (from === 'submitted' && to === 'pending') return 'undo'
  return null
}

/** The services that an operation may take: of its type and not on it yet. */
export function servicesToAdd<S extends { _id: number; operation_type: OperationType }>(
  operation: { type: OperationType; services: readonly number[] },
  all: readonly S[],
): S[] {
  return all.filter(service => service.operation_type === operation.type && !operation.services.includes(service._id))
}

/** The services that every new operation of a type has. */
export function preselectedServices<S extends { operation_type: OperationType; preselected: boolean }>(
  type: OperationType,
  all: readonly S[],
): S[] {
  return all.filter(service => service.operation_type === type && service.preselected)
}

/** Whether a service may be taken off an operation: a blocked one may not. */
export function removableService(service: { blocked: boolean } | undefined): boolean {
  return service?.blocked !== true
}

/** Rims, bolts, hubcaps and the tachometer belong to a storage. */
export const asksForParts = (type: OperationType): boolean => type === 'to_stock'

/** The parts that come in with the tyres of a storage. */
export type WheelParts = { readonly withRims: Rim | null; readonly withBolts: boolean; readonly withHubcaps: boolean }
export const noParts: WheelParts = { withRims: null, withBolts: false, withHubcaps: false }

/** The parts that all of these wheels have: rims of one kind, bolts, hubcaps. Parts that only some have are left out; no wheels have none. */
export function commonParts([first = noParts, ...others]: readonly WheelParts[]): WheelParts {
  return {
    withRims: others.every(({ withRims }) => withRims === first.withRims) ? first.withRims : null,
    withBolts: first.withBolts && others.every(({ withBolts }) => withBolts),
    withHubcaps: first.withHubcaps && others.every(({ withHubcaps }) => withHubcaps),
  }
}

/** A recall needs a transport method and a delivery date. */
export const asksForDelivery = (type: OperationType): boolean => type === 'to_customer'

/** A storage may have a day on which it arrives, by a transport method or brought by its customer. */
export const offersArrival = (type: OperationType): boolean => type === 'to_stock'

/** Whether an operation may have a transport method and a day. */
export const mayHaveDay = (type: OperationType): boolean => asksForDelivery(type) || offersArrival(type)

/** A tachometer reading in km: a whole number of at least 1. */
export const tachometer = { min: 1, step: 1, max: 9_999_999 } as const

/** A customer's decisions on worn tyres of an operation: to go on with them, or to be sent a quote for new ones. */
export const wornDecisions = ['keep', 'quote'] as const
export type WornDecision = (typeof wornDecisions)[number]

/** The longest remarks, in characters: a label and a list still have to show them. */
export const maxRemarksLength = 1000

/** The longest period, in days, whose finished operations are listed at once: two years of a customer would be megabytes. */
export const maxPeriodDays = 366

/** The tyres that an operation handles: without those that were missing when it was confirmed. */
export const handledTyres = <T extends { missing: boolean }>(operation: { tyres: readonly T[] }): T[] =>
  operation.tyres.filter(tyre => !tyre.missing)
