/** The actions that are allowed for a tyre in its state (docs/product/tyres.md "Tyre states", "Tyres of an operation"). */

export const tyreStatuses = ['on_vehicle', 'in_stock', 'on_spare', 'waste', 'at_customer'] as const
export type TyreStatus = (typeof tyreStatuses)[number]

export const operationTypes = ['to_stock', 'to_customer', 'to_waste', 'to_spare'] as const
export type OperationType = (typeof operationTypes)[number]

/** The three types that screens offer; `to_spare` exists in data only. */
export const offeredTypes = ['to_stock', 'to_customer', 'to_waste'] as const satisfies readonly OperationType[]
export type OfferedType = (typeof offeredTypes)[number]
export const isOfferedType = (type: OperationType): type is OfferedType =>
  (offeredTypes as readonly OperationType[]).includes(type)

export const rims = ['steel', 'aluminum'] as const
export type Rim = (typeof rims)[number]

/** A set's name on the wire when a tyre belongs to none. */
export const setless = 'setless'

/** Tread depth in mm: 0 to 10, entered in steps of 0.01. */
export const depth = { min: 0, max: 10, step: 0.01 } as const

/** A depth as it is stored: below 0 becomes 0, above 10 becomes 10, rounded to the step. `null` for no number. */
export function clampDepth(value: number): number | null {
  if (Number.isNaN(value)) return null
  // in binary 7.255 is a little less than that: without the error of the product it would become 7.25
  return Math.round(Number((Math.min(depth.max, Math.max(depth.min, value)) * 100).toFixed(6))) / 100
}

/**
 * The depth in mm that an out-of-range value was probably meant to be: the decimal separator was left out, or there was a sign before it.
 * `null` for a value in range, and for one that is not finite.
 */
export function likelyDepth(value: number): number | null {
  if (!Number.isFinite(value) || (value >= depth.min && value <= depth.max)) return null
  let likely = Math.abs(value)
  while (likely > depth.max) likely /= 10
  return clampDepth(likely)
}

/** The seasons that a tyre can be made for. */
export const seasons = ['winter', 'summer', 'all_season', 'snow'] as const
export type Season = (typeof seasons)[number]

/** The states that refuse each action. */
const refusingStates = {
  to_stock: ['in_stock', 'waste'],
  to_customer: ['waste', 'at_customer', 'on_vehicle'],
  to_waste: ['waste', 'at_customer', 'on_vehicle'],
  to_spare: ['waste', 'at_customer', 'on_vehicle', 'on_spare'],
  delete: ['in_stock', 'waste'],
  move: ['waste'],
} as const satisfies Record<OperationType | 'delete' | 'move', readonly TyreStatus[]>
export type TyreAction = keyof typeof refusingStates

/** Whether an action may be taken on a tyre: its state allows it and it is in no open operation. */
export function may(action: TyreAction, tyre: { tyre_status: TyreStatus; operation?: number | null }): boolean {
  const states: readonly TyreStatus[] = refusingStates[action]
  return (tyre.operation ?? null) === null && !states.includes(tyre.tyre_status)
}

/** Whether the wizard offers a tyre for a service: tyres at the customer to store, tyres in stock otherwise. */
export function isTyreOffered(
  type: OfferedType,
  tyre: { tyre_status: TyreStatus; operation?: number | null },
): boolean {
  return may(type, tyre) && tyre.tyre_status === (type === 'to_stock' ? 'at_customer' : 'in_stock')
}

/** Whether the request sheet takes a tyre: what the wizard offers, and what is mounted, which is taken off and stored in one act. */
export const isTyreRequestable = (
  type: OfferedType,
  tyre: { tyre_status: TyreStatus; operation?: number | null },
): boolean => isTyreOffered(type, tyre) || (type === 'to_stock' && tyre.tyre_status === 'on_vehicle' && may(type, tyre))

/** The state of a tyre after its operation was confirmed (docs/product/operations.md "Effects of an operation"). */
export const statusAfter = {
  to_stock: 'in_stock',
  to_customer: 'at_customer',
  to_waste: 'waste',
  to_spare: 'on_spare',
} as const satisfies Record<OperationType, TyreStatus>

/** The events of a tyre, as its history names them. Steps of its wheel (wheel.ts) come in addition. */
export const tyreEventKinds = [
  'added',
  'received',
  'moved',
  'measured',
  'scanned',
  'mounted',
  'invoiced',
  'scrapped',
  'delivered',
  'spared',
  'changed',
  'removed',
  'transferred',
  'missing',
  'damaged',
  'photographed',
  'repaired',
  'undamaged',
  'refitted',
  'dated',
  'unmeasured',
  'dismounted',
] as const
