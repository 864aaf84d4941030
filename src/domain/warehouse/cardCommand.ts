/** The effect of each command barcode on the card of a scan, as one table (docs/product/warehouse.md "Commands by barcode"). */
import type { Command } from './barcode.ts'
import { type CardAction, mainAction } from './card.ts'
import { type DamageCode, isDamageCode } from './damage.ts'
import type { OperationStatus } from '../operations/operation.ts'

/**
 * The state of a card when a command is scanned. `question`: a question is open that Confirm answers; `choices`: one that must be answered by
 * touch first. `empty`: no card, or none with a wheel that has actions. `measuring`: a depth is asked for; `measured`: readings are not saved
 * yet. `choosing`: damage or another vehicle is being chosen. `waiting`: the wheel waits for the main button. `missing`, `damaged`: this card
 * has just declared the wheel so. `settled`: the wheel waits for nothing.
 */
export const cardStates = [
  'question',
  'choices',
  'empty',
  'measuring',
  'measured',
  'choosing',
  'waiting',
  'missing',
  'damaged',
  'settled',
] as const
export type CardState = (typeof cardStates)[number]

/** The last declaration of this card about a wheel; the wheel is not handled as if it had not been made. */
export type Declaration = 'missing' | 'damaged' | 'scanned'

/** The facts that the state of the card follows from. */
export type CardFacts = {
  /** The question that is open, and whether Confirm can answer it. */
  readonly question: { readonly answerable: boolean } | null
  /** The wheel that is acted on. */
  readonly wheel: { readonly actions: readonly CardAction[] } | null
  /** How many readings there are of the wheel that is being measured. */
  readonly readings: number | null
  /** Whether something is being chosen in place of the buttons. */
  readonly panel: boolean
  readonly declared: Declaration | null
}

/** The state of a card: an open question comes first, then the wheel, its measurement, an open panel, and the last declaration. */
export function cardState({ question, wheel, readings, panel, declared }: CardFacts): CardState {
  if (question) return question.answerable ? 'question' : 'choices'
  if (!wheel) return 'empty'
  if (readings !== null) return readings > 0 ? 'measured' : 'measuring'
  if (panel) return 'choosing'
  if (declared === 'missing' || declared === 'damaged') return declared
  if (declared === 'scanned') return 'settled'
  return mainAction(wheel.actions) ? 'waiting' : 'settled'
}

/**
 * The effect of a command. `main`: the main button; `finish`: goes on with the operation of the wheel (`finishOf`). `answer`, `go_back`: the
 * two buttons of a question; `put_off`: no answer yet. The others are buttons of the card, or refusals: `choose_first`, `no_reading`,
 * `not_now`.
 */
export type CommandEffect =
  | 'main'
  | 'finish'
  | 'record'
  | 'undo'
  | 'close'
  | 'miss'
  | 'label'
  | 'measure'
  | 'damage'
  | 'report'
  | 'answer'
  | 'go_back'
  | 'put_off'
  | 'choose_first'
  | 'no_reading'
  | 'nothing'
  | 'not_now'

/** The barcodes of damage do the same, each for its own kind. */
type Column = Exclude<Command, DamageCode> | 'damageCode'
type Row = Readonly<Record<Column, CommandEffect>>

/** Wheels that leave are scanned at the gate. */
const wheelRow = {
  undo: 'undo',
  missing: 'miss',
  print: 'label',
  next: 'close',
  measure: 'measure',
  gate: 'not_now',
  damaged: 'damage',
  damageCode: 'report',
} as const
const questionRow = {
  undo: 'go_back',
  missing: 'not_now',
  print: 'not_now',
  next: 'put_off',
  measure: 'not_now',
  gate: 'not_now',
  damaged: 'not_now',
  damageCode: 'not_now',
} as const

const table: Readonly<Record<CardState, Row>> = {
  question: { ...questionRow, confirm: 'answer' },
  choices: { ...questionRow, confirm: 'choose_first' },
  empty: { ...questionRow, confirm: 'nothing', undo: 'undo', next: 'close' },
  measuring: { ...wheelRow, confirm: 'no_reading' },
  measured: { ...wheelRow, confirm: 'record' },
  choosing: { ...wheelRow, confirm: 'choose_first' },
  waiting: { ...wheelRow, confirm: 'main' },
  // a wheel that is not here is neither measured nor looked at
  missing: {
    ...wheelRow,
    confirm: 'finish',
    missing: 'not_now',
    measure: 'not_now',
    damaged: 'not_now',
    damageCode: 'not_now',
  },
  damaged: { ...wheelRow, confirm: 'finish' },
  settled: { ...wheelRow, confirm: 'finish' },
}

/** The actions of the card that an effect is: not possible for a wheel without it. */
const actionOf: Partial<Record<CommandEffect, CardAction>> = {
  miss: 'miss',
  label: 'label',
  measure: 'measure',
  damage: 'damage',
  report: 'damage',
}

/** The effect of a command on a card in this state, whose wheel has these actions. */
export function commandEffect(command: Command, state: CardState, actions: readonly CardAction[]): CommandEffect {
  const effect = table[state][isDamageCode(command) ? 'damageCode' : command]
  const action = actionOf[effect]
  return action && !actions.includes(action) ? 'not_now' : effect
}

/** How an operation stands that a wheel's card is to finish. */
export type Unfinished = {
  readonly status: OperationStatus
  readonly tyre_count: number
  /** How many are scanned. */
  readonly done: number
  /** How many of the others are missing. */
  readonly missing: number
}

type Held = {
  readonly status: OperationStatus
  readonly scanned: boolean
  readonly tyre_count: number
  readonly done: number
  readonly missing: readonly number[]
}
/** How the operation of a wheel stands when what this card has said of the wheel counts already; `null`: no operation has it. */
export function standing(
  { db_id, operation }: { readonly db_id: number; readonly operation: Held | null },
  declared: Declaration | null,
): Unfinished | null {
  if (!operation) return null
  const { status, scanned, tyre_count, done, missing } = operation
  const lost =
    declared === 'missing' ? [...missing, db_id] : missing.filter(tyre => declared === null || tyre !== db_id)
  const counts = declared === 'scanned' || (scanned && declared !== 'missing')
  return { status, tyre_count, done: done + Number(counts) - Number(scanned), missing: new Set(lost).size }
}

/**
 * The tyres of an operation that are missing, as far as it was said: by the server's list, or on this card since. The question before a
 * confirmation begins with them, and with nothing else: no tyre is taken to be here that was not scanned, a damaged one neither.
 */
export function saidToBeMissing(
  tyres: readonly number[],
  { missing, declared }: { missing: readonly number[]; declared: ReadonlyMap<number, Declaration> },
): number[] {
  return tyres.filter(tyre => {
    const declaration = declared.get(tyre)
    return declaration === 'missing' || (declaration !== 'scanned' && missing.includes(tyre))
  })
}

/**
 * How Confirm goes on with an operation. `confirm`: all tyres are scanned. `ask`: 'Not all tyres scanned, confirm anyway?', naming the
 * missing ones; `desk`: an administrator is asked that. `scan`: others are still to be scanned. `nothing`: no operation waits.
 */
export type Finish = 'confirm' | 'ask' | 'desk' | 'scan' | 'nothing'

/** `declared`: this card has just said of a wheel that it is missing or damaged, so its operation goes on without its scan. */
export function finishOf(
  operation: Unfinished | null,
  { declared, mayMiss }: { declared: boolean; mayMiss: boolean },
): Finish {
  if (operation?.status !== 'submitted') return 'nothing'
  const { tyre_count, done, missing } = operation
  if (done >= tyre_count) return 'confirm'
  if (!declared && done + missing < tyre_count) return 'scan'
  return missing > 0 && !mayMiss ? 'desk' : 'ask'
}
