/** The card of a scan: what was scanned or typed, and what may be done with the wheel now (docs/product.md "The card of a scan"). */
import { plainEan } from './article.ts'
import { normalizePlate } from './plate.ts'
import type { OperationStatus } from './operation.ts'
import type { DocumentType } from './site.ts'
import { may, type OperationType, type TyreStatus } from './tyre.ts'
import { allowsStep, mayTake, scanSteps, type WheelState } from './wheel.ts'

/** What takes a wheel on its way. `store`, `load` and `dispose` are the scan for the operation that has the wheel. */
export const cardSteps = ['find', 'store', 'load', 'dispose', 'pick'] as const
/** What else is done with it: what is always possible, what comes and goes, and last what must not be pressed instead of another. */
export const cardJobs = ['measure', 'damage', 'photo', 'label', 'refit', 'unscan', 'miss'] as const
/** What a card offers, in the order in which it does. */
export const cardActions = [...cardSteps, 'place', ...cardJobs] as const
export type CardAction = (typeof cardActions)[number]

/** The scan of an operation as an action of the card. */
export const scanActions = {
  to_stock: 'store',
  to_customer: 'load',
  to_waste: 'dispose',
} as const satisfies Record<keyof typeof scanSteps, CardAction>

/** What the rules ask of a wheel. */
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
 * What may be done with a wheel now, by the table of steps (wheel.ts). Server and browser ask it. A wheel that is further than
 * a scan would bring it can still be scanned: the scan counts for the operation, and the wheel stays where it is.
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
    refit: may('refit', { tyre_status, operation: operation && 1 }),
    unscan: operation?.status === 'submitted' && operation.scanned,
    miss: mayTake('miss', wheel),
  }
  return cardActions.filter(action => allowed[action])
}

/** What somebody typed, or a scanner read that is no label of ours, in all the ways in which it can be meant. */
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

/** What the card's main button does, and the command Confirm: the first of what the wheel waits for. */
export const mainAction = (actions: readonly CardAction[]): CardAction | null =>
  (['find', 'store', 'load', 'dispose'] as const).find(action => actions.includes(action)) ?? null
