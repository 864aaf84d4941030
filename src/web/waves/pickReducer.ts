/** The steps of a picker's walk: the request of a scan, and what follows from its answer (docs/product/warehouse.md "Waves"). */
import type { Round, RoundOutcome } from '#contract/waves.ts'
import { isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import type { Sound } from '../scanning/sounds.ts'

/** A request of the walk. It is kept nowhere: what was not sent is scanned again. */
export type PickRequest =
  | { readonly kind: 'pick'; readonly ticsId: number; readonly db_id: number }
  | { readonly kind: 'stand'; readonly ticsId: number; readonly location: number }
  | { readonly kind: 'miss' }
  | { readonly kind: 'undo'; readonly tyres: readonly number[] }

/** The request that a scan makes, `null` for none. `done` are the wheels that Undo applies to. */
export function requestOf(label: Label, done: readonly number[]): PickRequest | null {
  if (!isCommand(label)) {
    const { site: ticsId } = label
    return isLocation(label)
      ? { kind: 'stand', ticsId, location: label.location }
      : { kind: 'pick', ticsId, db_id: label.tyre }
  }
  if (label.command === 'missing') return { kind: 'miss' }
  return label.command === 'undo' && done.length > 0 ? { kind: 'undo', tyres: done } : null
}

const sounds = {
  picked: 'found',
  again: 'duplicate',
  other_set: 'elsewhere',
  not_in_wave: 'missing',
  other_site: 'other_site',
  staged: 'location',
  here: 'stepped',
  no_lane: 'misplaced',
  lane_other: 'misplaced',
  nothing_carried: 'not_now',
  missed: 'stepped',
  undone: 'stepped',
  nothing_to_do: 'not_now',
} as const satisfies Record<RoundOutcome, Sound>

type Verdict = { readonly sound: Sound; readonly outcome: RoundOutcome | 'complete'; readonly count: number }

/** The verdict of an outcome that is about so many wheels, of which a text says at least one. */
export const verdictOf = (outcome: RoundOutcome, count: number): Verdict => ({
  sound: sounds[outcome],
  outcome,
  count: Math.max(1, count),
})

/** The verdict of an answer, and the wheels that Undo applies to: those of the last pick, or those declared missing. */
export function takeRound(
  done: readonly number[],
  { outcome, tyres, line }: Round,
): { readonly done: readonly number[]; readonly verdict: Verdict } {
  const verdict = verdictOf(outcome ?? 'nothing_to_do', tyres.length)
  switch (outcome) {
    case 'picked': {
      const complete = !line?.wheels.some(({ db_id }) => tyres.includes(db_id))
      return { done: tyres, verdict: complete ? { ...verdict, sound: 'complete', outcome: 'complete' } : verdict }
    }
    case 'missed':
      return { done: tyres, verdict }
    case 'undone':
    case 'staged':
      return { done: [], verdict }
    default:
      return { done, verdict }
  }
}
