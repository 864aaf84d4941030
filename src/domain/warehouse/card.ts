/** The card of a scan: the record that was scanned or typed, and the actions for its wheel now (docs/product/warehouse.md "The card of a scan"). */
import { plainEan } from '../tyres/article.ts'
import { normalizePlate } from '../vehicles/plate.ts'
import type { OperationStatus } from '../operations/operation.ts'
import type { DocumentType } from '../site.ts'
import { may, type OperationType, type TyreStatus } from '../tyres/tyre.ts'
import { allowsStep, mayTake, scanSteps, type WheelState } from '../tyres/wheel.ts'

/** The actions that move a wheel on. `store`, `load` and `dispose` are the scan for the operation that has the wheel. */
export const cardSteps = ['find', 'store', 'load', 'dispose', 'pick'] as const
/** The other actions: first those that are always possible, then occasional ones, last those that must not be pressed by mistake. */
export const cardJobs = ['measure', 'damage', 'photo', 'label', 'refit', 'unscan', 'miss'] as const
/** The actions a card offers for a wheel, in the order in which they are shown. */
export const cardActions = [...cardSteps, 'place', ...cardJobs] as const
export type CardAction = (typeof cardActions)[number]

/** The scan of an operation as an action of the card. */
export const scanActions = {
  to_stock: 'store',
  to_customer: 'load',
  to_waste: 'dispose',
} as const satisfies Record<keyof typeof scanSteps, CardAction>

/** The facts about a wheel that decide which actions it has. */
export type CardWheel = {
  readonly state: WheelState
  readonly tyre_status: TyreStatus
  /** The open operation that has it. */
  readonly operation: {
    readonly type: OperationType
    readonly status: OperationStatus
    readonly scanned: boolean
  } | null
}

/** The scan that the open operation of a wheel waits for; `null`: it waits for none. */
function awaitedScan({ operation }: CardWheel): CardAction | null {
  if (operation?.status !== 'submitted' || operation.scanned || operation.type === 'to_spare') return null
  return scanActions[operation.type]
}

/** Whether a wheel may be put on a place: it is in stock, or its storage is submitted. */
const isPlaceable = ({ state, tyre_status, operation }: CardWheel): boolean =>
  allowsStep('place', state, 'at_place') &&
  (tyre_status === 'in_stock' || (operation?.type === 'to_stock' && operation.status === 'submitted'))

/**
 * The actions that a wheel has now, by the table of steps (wheel.ts). Server and browser both ask it. A wheel that is already further
 * than a scan would bring it can still be scanned: the scan counts for the operation, and the wheel stays where it is.
 */
export function actionsOf(wheel: CardWheel, { showsDepth }: { showsDepth: boolean }): CardAction[] {
  const { tyre_status, operation } = wheel
  const awaited = awaitedScan(wheel)
  const gone = tyre_status === 'waste'
  const allowed: Record<CardAction, boolean> = {
    find: mayTake('find', wheel),
    store: awaited === 'store',
    load: awaited === 'load',
    dispose: awaited === 'dispose',
    pick: mayTake('pick', wheel),
    place: isPlaceable(wheel),
    measure: showsDepth && !gone,
    damage: !gone,
    photo: !gone,
    label: !gone,
    refit: may('move', { tyre_status, operation: operation && 1 }),
    unscan: operation?.status === 'submitted' && operation.scanned,
    miss: mayTake('miss', wheel),
  }
  return cardActions.filter(action => allowed[action])
}

/** A typed text, or a scanned code that is no label of ours, in every way in which it can be meant. */
export type Typed = {
  readonly plate: string
  readonly tyre: number | null
  readonly ean: string | null
  readonly document: { readonly type: DocumentType; readonly year: number; readonly number: number } | null
}

/** The longest text that is looked up, in characters. */
export const maxTypedLength = 40
const maxInt = 2 ** 31 - 1
const documentTypes = { R: 'reservation', W: 'worknote', D: 'deliverynote' } as const satisfies Record<
  string,
  DocumentType
>

/** The number of a document as it is printed: `W-2026-00012`. */
function readDocument(text: string): Typed['document'] {
  const [, letter, year, number] = /^([RWD])[- ]?(\d{4})[- ]?(\d{5,9})$/.exec(text.trim().toUpperCase()) ?? []
  return letter && year && number
    ? { type: documentTypes[letter as keyof typeof documentTypes], year: Number(year), number: Number(number) }
    : null
}

/** Every way to read a text. A plate may consist of digits, so a number is also looked for as one. */
export function readTyped(text: string): Typed {
  const plate = normalizePlate(text)
  const number = /^#?\d{1,10}$/.test(text.trim()) ? Number(plate) : 0
  const ean = plainEan(text)
  return {
    plate,
    tyre: number >= 1 && number <= maxInt ? number : null,
    ean: /^\d{8,14}$/.test(ean) ? ean : null,
    document: readDocument(text),
  }
}

/** How many readings over the width of a tyre make a measurement at most. */
export const maxReadings = 3

/** The depth that readings over the width of a tyre say: the lowest governs. `null` without any. */
export const governingDepth = (readings: readonly number[]): number | null =>
  readings.length === 0 ? null : Math.min(...readings)

/** The action of the card's main button and of the command Confirm: the first one that the wheel waits for. */
export const mainAction = (actions: readonly CardAction[]): CardAction | null =>
  (['find', 'store', 'load', 'dispose'] as const).find(action => actions.includes(action)) ?? null
