/**
 * Where a wheel physically is, as one table of steps (docs/product/warehouse.md "Where a wheel is"). `tyre_status` says whose it is to keep, and
 * follows from operations; this says where it stands. The database holds the same table (the trigger `wheel_takes_a_step` in db/schema.sql) and
 * refuses any other change.
 */
import { tyreStatuses, type OfferedType, type TyreStatus } from './tyre.ts'

export const wheelStates = [
  /** Of a submitted storage, and not here yet. */
  'expected',
  /** In the hall, but on no place that is known. */
  'received',
  'on_cart',
  'at_place',
  /** Taken from its place, in somebody's hands. */
  'picked',
  /** On a staging lane. */
  'staged',
  'loaded',
  'with_customer',
  'missing',
  /** In the hall, and nobody knows whose. It has no tyre record until it is identified. */
  'orphan',
  'scrapped',
] as const
export type WheelState = (typeof wheelStates)[number]

/** The states of a wheel that somebody takes out for a recall. */
export const onItsWayOut = ['picked', 'staged', 'loaded'] as const satisfies readonly WheelState[]

/** The states to which a wheel goes back when it is taken off a location again, each by a step of its own. */
export const returnable = ['expected', 'received', 'on_cart', 'at_place', 'picked', 'staged', 'missing'] as const

const inStore = ['received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing'] as const
const notStored = ['with_customer', 'expected', 'received', 'on_cart', 'at_place', 'missing'] as const

/** The states that a wheel can be in while its tyre has a status: the two never contradict each other. */
export const statesOf = {
  in_stock: inStore,
  at_customer: notStored,
  on_vehicle: notStored,
  on_spare: notStored,
  waste: ['scrapped'],
} as const satisfies Record<TyreStatus, readonly WheelState[]>

type Row = { readonly from: readonly WheelState[]; readonly to: WheelState }

/**
 * Every step, from which states to which. Where the target depends on more than the state, such as whether a tyre has a place, a step has
 * several rows. Steps of one state to itself move the wheel to another location.
 */
export const wheelSteps = {
  /** A storage is submitted, or that is undone. */
  submit: [{ from: ['with_customer'], to: 'expected' }],
  undo: [{ from: ['expected'], to: 'with_customer' }],
  /** The scan of a tyre of a storage, a recall, a disposal. */
  scan_in: [{ from: ['with_customer', 'expected', 'missing'], to: 'received' }],
  scan_out: [{ from: ['received', 'on_cart', 'at_place', 'picked', 'staged', 'missing'], to: 'loaded' }],
  scan_off: [{ from: ['received', 'on_cart', 'at_place', 'staged', 'loaded', 'missing'], to: 'picked' }],
  /** Put on a place, a cart, a lane; taken from its place; its place was taken away from it. */
  place: [
    {
      from: ['with_customer', 'expected', 'received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing'],
      to: 'at_place',
    },
  ],
  cart: [
    {
      from: ['with_customer', 'expected', 'received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing'],
      to: 'on_cart',
    },
  ],
  stage: [{ from: ['received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing'], to: 'staged' }],
  pick: [{ from: ['received', 'on_cart', 'at_place', 'staged', 'missing'], to: 'picked' }],
  displace: [{ from: ['at_place'], to: 'received' }],
  /** An operation is confirmed: stored with a place or without one, handed out, scrapped. A wheel on a cart stays there. */
  store: [
    { from: ['with_customer', 'expected', 'received', 'missing', 'at_place'], to: 'at_place' },
    { from: ['with_customer', 'expected', 'missing', 'at_place'], to: 'received' },
  ],
  deliver: [
    { from: ['received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing'], to: 'with_customer' },
  ],
  scrap: [
    {
      from: [
        'with_customer',
        'expected',
        'received',
        'on_cart',
        'at_place',
        'picked',
        'staged',
        'loaded',
        'missing',
        'orphan',
      ],
      to: 'scrapped',
    },
  ],
  /** An operation is cancelled, or deleted after its submission was undone: what had been taken stands in the hall. */
  cancel: [
    { from: ['expected'], to: 'with_customer' },
    { from: ['at_place', 'picked', 'staged', 'loaded'], to: 'received' },
  ],
  /** A scan is taken back: the wheel is expected again, or where it was taken from. */
  unscan: [
    { from: ['received', 'on_cart', 'at_place'], to: 'expected' },
    { from: ['picked', 'loaded'], to: 'at_place' },
    { from: ['picked', 'loaded'], to: 'received' },
  ],
  miss: [
    {
      from: ['with_customer', 'expected', 'received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded'],
      to: 'missing',
    },
  ],
  find: [{ from: ['missing'], to: 'received' }],
  /** The search is given up: the wheel is taken to be where the records say. */
  close: [
    { from: ['missing'], to: 'with_customer' },
    { from: ['missing'], to: 'at_place' },
    { from: ['missing'], to: 'received' },
  ],
  /** Given to its customer without having been stored. */
  hand_back: [{ from: ['received', 'on_cart'], to: 'with_customer' }],
  /** It was the orphan: it stands in the hall. */
  identify: [{ from: ['with_customer', 'expected', 'missing'], to: 'received' }],
  /** A status was corrected in the records, without an operation. */
  correct: [
    { from: ['scrapped'], to: 'with_customer' },
    { from: ['scrapped'], to: 'received' },
    { from: ['scrapped'], to: 'at_place' },
  ],
} as const satisfies Record<string, readonly Row[]>
export type WheelStep = keyof typeof wheelSteps
export const wheelStepNames = Object.keys(wheelSteps) as WheelStep[]

const rowsOf = (step: WheelStep): readonly Row[] => wheelSteps[step]

/** Whether a step may be taken from a state, to a state where that is said. */
export const allowsStep = (step: WheelStep, from: WheelState, to?: WheelState): boolean =>
  rowsOf(step).some(row => row.from.includes(from) && (to === undefined || row.to === to))

/** The states from which a step leads to a state. */
export const statesBefore = (step: WheelStep, to: WheelState): WheelState[] =>
  rowsOf(step).flatMap(row => (row.to === to ? row.from : []))

/** The statuses of tyres whose wheels may be in a state. */
export const statusesWith = (state: WheelState): TyreStatus[] =>
  tyreStatuses.filter(status => (statesOf[status] as readonly WheelState[]).includes(state))

/** The step by which a wheel goes back there. */
export const stepsBack = {
  expected: 'unscan',
  received: 'displace',
  on_cart: 'cart',
  at_place: 'place',
  picked: 'pick',
  staged: 'stage',
  missing: 'miss',
} as const satisfies Record<(typeof returnable)[number], WheelStep>

/** The step of a wheel when a tyre of a submitted operation is scanned. A wheel that is already further stays as it is. */
export const scanSteps = {
  to_stock: { step: 'scan_in', to: 'received' },
  to_customer: { step: 'scan_out', to: 'loaded' },
  to_waste: { step: 'scan_off', to: 'picked' },
} as const satisfies Record<OfferedType, { step: WheelStep; to: WheelState }>

/** The steps that somebody takes on a wheel in hand, beside putting it on a location. */
export const handSteps = ['pick', 'miss', 'find', 'hand_back'] as const satisfies readonly WheelStep[]
export type HandStep = (typeof handSteps)[number]

/** Where a step in hand leads. */
export const handTarget = {
  pick: 'picked',
  miss: 'missing',
  find: 'received',
  hand_back: 'with_customer',
} as const satisfies Record<HandStep, WheelState>

/** Whether a step in hand may be taken on a wheel now: the state allows it, and what comes of it agrees with the tyre's status. */
export function mayTake(step: HandStep, wheel: { state: WheelState; tyre_status: TyreStatus }): boolean {
  const states: readonly WheelState[] = statesOf[wheel.tyre_status]
  return allowsStep(step, wheel.state, handTarget[step]) && states.includes(handTarget[step])
}

/** After how many hours a wheel that stands in the hall, or on a cart, is something to clear up. */
export const restingHours = 24
