/** The states of a billing run as one table, and what its preview remarks (docs/product/money.md "Billing runs"). */
import { countryOfVatNumber, vatNumberProblem } from './vat.ts'

export const runStates = ['counting', 'ready', 'making', 'stopped', 'made', 'undoing', 'undone', 'discarded'] as const
export type RunState = (typeof runStates)[number]

/** Which stays a run charges: of tyres in the store, of those that left, or both. */
export const runCovers = ['all', 'stored', 'left'] as const

/**
 * Every step, from which states to which. The steps that somebody asks for are calls; `counted`, `finish`, `withdrawn` and `keep` end the
 * work in the background.
 */
const steps = {
  counted: { from: ['counting'], to: 'ready' },
  make: { from: ['ready'], to: 'making' },
  stop: { from: ['making'], to: 'stopped' },
  resume: { from: ['stopped'], to: 'making' },
  /** Those customers again whose turn failed. */
  retry: { from: ['made'], to: 'making' },
  finish: { from: ['making'], to: 'made' },
  discard: { from: ['counting', 'ready'], to: 'discarded' },
  undo: { from: ['made', 'stopped'], to: 'undoing' },
  withdrawn: { from: ['undoing'], to: 'undone' },
  /** Some documents could not be withdrawn, and stand. */
  keep: { from: ['undoing'], to: 'made' },
} as const satisfies Record<string, { from: readonly RunState[]; to: RunState }>
export type RunStep = keyof typeof steps

/** Whether a run in this state may take the step. Buttons and the server ask the same. */
export const mayStep = (state: RunState, step: RunStep): boolean =>
  (steps[step].from as readonly RunState[]).includes(state)

/** The state after a step. */
export const stateAfter = (step: RunStep): RunState => steps[step].to

/** Whether the documents of a run in this state may be sent: nothing in the background makes or withdraws any. */
export const sendsDocuments = (state: RunState): boolean => state === 'made' || state === 'stopped'

/** Whether the portal works on a run in this state, in the background. */
export const isUnderWay = (state: RunState): boolean =>
  state === 'counting' || state === 'making' || state === 'undoing'

/**
 * The outcome for a customer in a run. `changed`: the amount owed differs from the preview, so no document was made. `failed`: no document
 * was made, because the portal failed to make it several times.
 */
export const runCustomerStates = ['waiting', 'counted', 'left_out', 'made', 'changed', 'failed', 'undone'] as const

/** The number of consecutive failures of a customer after which the run goes on without it. */
export const maxFailedTurns = 3

/** Remarks of a preview about a customer, most important first. */
export const runRemarks = ['price_missing', 'vat_number_invalid', 'retired', 'unusual', 'address_missing'] as const
export type RunRemark = (typeof runRemarks)[number]

/** An amount is unusual when it is more than this many times the last one. */
const unusualFactor = 5

/** The remarks about a customer's document. Amounts are in EUR; `last`: the amount of the previous document, `null` if there was none. */
export function remarksOf(document: {
  amount: number
  last: number | null
  /** Some of it has no price. */
  priceless?: boolean
  /** It has accounts, and all of them are disabled. */
  retired: boolean
  /** Its postal address has a street and a city. */
  addressed: boolean
  /** Its VAT number, '' without one, and the country of its invoices, null where nobody said it. */
  vat_number: string
  country: string | null
}): RunRemark[] {
  const applies: Record<RunRemark, boolean> = {
    price_missing: document.amount === 0 || document.priceless === true,
    retired: document.retired,
    unusual: document.last !== null && document.last > 0 && document.amount > document.last * unusualFactor,
    vat_number_invalid: isWrongVatNumber(document),
    address_missing: !document.addressed,
  }
  return runRemarks.filter(remark => applies[remark])
}

/** Whether a VAT number can't be right, or is of another country than the customer. */
const isWrongVatNumber = ({ vat_number: number, country }: { vat_number: string; country: string | null }): boolean =>
  number !== '' && (vatNumberProblem(number) !== null || (country !== null && countryOfVatNumber(number) !== country))
