/** The checks of a wheel at the gate while a transport is loaded, and when the transport may leave (docs/product/warehouse.md "The loading gate"). */
import { type TreadCase, verdictOf } from '../tyres/tread.ts'
import { isSameLoad, type Load } from './wave.ts'
import type { WheelState } from '../tyres/wheel.ts'

/** Why a wheel is stopped. */
export const gateStops = ['not_recalled', 'other_transport', 'other_day', 'worn'] as const
type GateStop = (typeof gateStops)[number]
/** The outcomes of scanning a wheel at the gate. */
export const gateOutcomes = ['loaded', 'again', 'other_site', ...gateStops] as const
export type GateOutcome = (typeof gateOutcomes)[number]

/** Stops that an administrator may override with a reason. Without a recall nothing says where a wheel is to go. */
const overridable = ['other_transport', 'other_day', 'worn'] as const satisfies readonly GateStop[]
/** Whether an administrator may load the wheel in spite of this outcome. */
export const isOverridable = (outcome: GateOutcome): boolean =>
  (overridable as readonly GateOutcome[]).includes(outcome)

/** The facts about a wheel that the gate checks. `load` is that of its submitted recall, `null` without one. */
export type GateWheel = {
  readonly load: Load | null
  readonly state: WheelState
  readonly depth: number | null
  readonly season: string | null
}

/** Whether a tyre has less tread than the law, the site or the customer wants of its season; one that was not measured has not. */
function isWorn({ depth, season }: GateWheel, judged: TreadCase): boolean {
  const verdict = verdictOf({ profile_depth: depth, season }, judged)
  return verdict === 'illegal' || verdict === 'worn'
}

/** The outcome of scanning a wheel for a load. `judged` is the case by which its tread is judged; `null` where the site does not show depth. */
export function gateOutcome(
  wheel: GateWheel,
  load: Load,
  judged: TreadCase | null,
): Exclude<GateOutcome, 'other_site'> {
  if (!wheel.load) return 'not_recalled'
  if (wheel.state === 'loaded') return 'again'
  if (wheel.load.transport !== load.transport) return 'other_transport'
  if (!isSameLoad(wheel.load, load)) return 'other_day'
  return judged && isWorn(wheel, judged) ? 'worn' : 'loaded'
}

/** Why a transport may not leave, the gravest first. */
export const leaveStops = ['nothing_loaded', 'incomplete', 'missing', 'left_behind'] as const
export type LeaveStop = (typeof leaveStops)[number]
/** Those that an administrator may override with a reason. */
export const leaveOverridable = ['missing', 'left_behind'] as const satisfies readonly LeaveStop[]

/** The wheels of a recall by where they are: `waiting` are on a lane or in somebody's hands, `other` anywhere else. */
export type LoadedRecall = {
  readonly loaded: number
  readonly missing: number
  readonly waiting: number
  readonly other: number
}

/** The wheels of a recall by where they are. What a confirmed recall misses was said when it was confirmed. */
export function loadedRecall(states: readonly WheelState[], { confirmed }: { confirmed: boolean }): LoadedRecall {
  const count = (...some: readonly WheelState[]) => states.filter(state => some.includes(state)).length
  const [loaded, waiting, missing] = [count('loaded'), count('staged', 'picked'), count('missing')]
  return { loaded, waiting, missing: confirmed ? 0 : missing, other: states.length - loaded - waiting - missing }
}

/** Whether a stop is about a recall. That nothing is loaded is about none. */
const isAbout: Readonly<Record<LeaveStop, (recall: LoadedRecall) => boolean>> = {
  nothing_loaded: () => false,
  incomplete: ({ loaded, waiting, other }) => loaded > 0 && waiting + other > 0,
  missing: ({ loaded, missing }) => loaded > 0 && missing > 0,
  left_behind: ({ loaded, waiting }) => loaded === 0 && waiting > 0,
}

/**
 * Why a transport may not leave, the gravest reason first; `null` when it may. A set never leaves in part unless its other wheels were
 * declared missing, which its customer then knows; and a wheel that waits for this transport is not forgotten.
 */
export function leaveStop(recalls: readonly LoadedRecall[]): LeaveStop | null {
  if (recalls.every(({ loaded }) => loaded === 0)) return 'nothing_loaded'
  return leaveStops.find(stop => recalls.some(isAbout[stop])) ?? null
}

/** The first recall that a stop is about; `undefined` where it is about none. */
export const recallStopped = <R extends LoadedRecall>(stop: LeaveStop, recalls: readonly R[]): R | undefined =>
  recalls.find(isAbout[stop])

/** The maximum length of a signer's name in characters, and of the picture of a signature in characters of base64. */
export const maxSignerLength = 100
export const maxSignatureLength = 400_000
