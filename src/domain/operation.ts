/** The life of an operation, as one table, and what may be changed in it (SPEC §4, §5). */
import type { Role } from './account.ts'
import type { OperationType } from './tyre.ts'

export const operationStatuses = ['pending', 'submitted', 'confirmed', 'cancelled'] as const
export type OperationStatus = (typeof operationStatuses)[number]

/** SPEC §4 "Operation status": every step, from which status to which, and who may take it. `delete` ends in nothing. */
export const steps = {
  submit: { from: 'pending', to: 'submitted', by: ['user', 'admin'] },
  undo: { from: 'submitted', to: 'pending', by: ['admin'] },
  confirm: { from: 'submitted', to: 'confirmed', by: ['admin'] },
  cancel: { from: 'submitted', to: 'cancelled', by: ['admin'] },
  edit: { from: 'pending', to: 'pending', by: ['user', 'admin'] },
  delete: { from: 'pending', to: null, by: ['user', 'admin'] },
  scan: { from: 'submitted', to: 'submitted', by: ['admin'] },
} as const satisfies Record<string, { from: OperationStatus; to: OperationStatus | null; by: readonly Role[] }>
export type Step = keyof typeof steps

/** Whether somebody may take a step from where the operation stands. Asked by buttons and by the server alike. */
export function allows(operation: { status: OperationStatus }, step: Step, who: { type: Role }): boolean {
  const { from, by } = steps[step]
  return operation.status === from && (by as readonly Role[]).includes(who.type)
}

/** The step that an update to a wanted status means: a change of status is a step, none is an edit (SPEC §4). */
export function stepTo(from: OperationStatus, to: OperationStatus): Step | null {
  if (from === to) return 'edit'
  if (from === 'pending' && to === 'submitted') return 'submit'
  if (from === 'submitted' && to === 'pending') return 'undo'
  return null
}

/** SPEC §5: the services an operation may take: of its type and not already on it. */
export function servicesToAdd<S extends { _id: number; operation_type: OperationType }>(
  operation: { type: OperationType; services: readonly number[] },
  all: readonly S[],
): S[] {
  return all.filter(service => service.operation_type === operation.type && !operation.services.includes(service._id))
}

/** SPEC §5: a blocked service cannot be removed once it is on the operation. */
export function removableService(service: { blocked: boolean } | undefined): boolean {
  return service?.blocked !== true
}

/** Rims, bolts, hubcaps and the tachometer belong to a storage (SPEC §2 "Pending operation card"). */
export const asksForParts = (type: OperationType): boolean => type === 'to_stock'

/** A delivery date and a transport method belong to a recall (SPEC §5). */
export const asksForDelivery = (type: OperationType): boolean => type === 'to_customer'

/** SPEC §5: a tachometer reading is a whole number of at least 1 (km). */
export const tachometer = { min: 1, step: 1, max: 9_999_999 } as const

/** Longest remark that is kept. SPEC names no limit; a label and a list still have to show it. */
export const remarksMax = 1000

/** The longest period, in days, whose finished operations are listed at once; a customer's two years would be megabytes. */
export const periodMax = 366

/** Whether every tyre of an operation has been scanned; without it, confirming asks first (SPEC §4). */
export const fullyScanned = (operation: { tyres: readonly { scanned: boolean }[] }): boolean =>
  operation.tyres.every(tyre => tyre.scanned)
