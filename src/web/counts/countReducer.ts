/** The steps of a count on this device: the place that is being counted, and the words about each scan (docs/product/warehouse.md "Counting"). */
import type { Counted, CountDifference } from '#contract/counts.ts'
import { maxCounted, type Solution, solutionsOf } from '#domain/warehouse/count.ts'
import type { CountedLabel, CountedPlace } from '../scanning/records.ts'
import type { Sound } from '../scanning/sounds.ts'
import { locationName } from '../shared/format.ts'
import type { KeyOf } from '../ui/texts.ts'

/** A sound, and a text of the counts with its facts. */
type Notice = { readonly sound: Sound; readonly text: KeyOf<'counts'>; readonly params?: Record<string, unknown> }

/** A step with the place that is being counted: how it is kept from then on, `null` for no change. */
type PlaceStep = { readonly counted: CountedPlace | null; readonly notice: Notice }

const refuse = (sound: Sound, text: Notice['text']): PlaceStep => ({ counted: null, notice: { sound, text } })

/** A wheel on the open place; a label without a tyre is a wheel without a label. `site` is the number of our site. */
export function scanWheel(open: CountedPlace | null, label: CountedLabel, site: number): PlaceStep {
  if (!open) return refuse('misplaced', 'said.placeFirst')
  const { wheels } = open
  if (label.tyre !== null && wheels.some(wheel => wheel.tyre === label.tyre && wheel.site === label.site))
    return refuse('duplicate', 'said.again')
  if (wheels.length === maxCounted) return refuse('refused', 'said.full')
  const counted = { ...open, wheels: [...wheels, label] }
  if (label.tyre === null) return { counted, notice: { sound: 'found', text: 'said.bare' } }
  if (label.site !== site) return { counted, notice: { sound: 'other_site', text: 'said.foreign' } }
  return { counted, notice: { sound: 'found', text: 'said.wheel', params: { count: counted.wheels.length } } }
}

/** The open place without its last wheel. */
export function undo(open: CountedPlace | null): PlaceStep {
  if (!open || open.wheels.length === 0) return refuse('not_now', 'said.nothing')
  return { counted: { ...open, wheels: open.wheels.slice(0, -1) }, notice: { sound: 'stepped', text: 'said.undone' } }
}

/** A place by its id, as the lists have it. */
type NamedPlace = { readonly _id: number; readonly stock_rack: string; readonly stock_site_name: string }
/** The count, the places of it that are known, and whether there are no others. */
export type Course = { readonly count: number | null; readonly places: readonly NamedPlace[]; readonly whole: boolean }

/** A scanned place. `opens`: it is counted from now on, and the place before is done; `null`: it is open already, or not of this count. */
export function scanPlace(
  open: CountedPlace | null,
  location: number,
  { count, places, whole }: Course,
): { readonly opens: CountedPlace | null; readonly notice: Notice } {
  const place = places.find(({ _id }) => _id === location)
  if (whole && !place) return { opens: null, notice: { sound: 'misplaced', text: 'said.otherPlace' } }
  const rack = place ? locationName(place) : null
  const notice: Notice = { sound: 'location', text: 'said.place', params: { place: rack ?? `#${location}` } }
  return { opens: open?.location === location ? null : { count, location, rack, wheels: [] }, notice }
}

/** The name of a counted place, its number where no list has it. */
export const placeName = ({ rack, location }: CountedPlace): string => rack ?? `#${location}`

/** The words about a place that the server has answered: what it found there, or why it refused. */
export function outcomeOf(counted: CountedPlace, refusal: string | null): Notice {
  const place = counted.result?.stock_rack ?? placeName(counted)
  if (refusal !== null) return { sound: 'refused', text: 'refused', params: { place, why: refusal } }
  const count = counted.result?.differences.length ?? 0
  return count === 0
    ? { sound: 'complete', text: 'said.clean', params: { place } }
    : { sound: 'elsewhere', text: 'said.differences', params: { place, count } }
}

/** The open differences that can be solved like this. */
export const solvable = (result: Counted | undefined, how: Solution): CountDifference[] =>
  (result?.differences ?? []).filter(
    difference => difference.open && solutionsOf(difference.outcome, difference).includes(how),
  )

/** A counted place once a difference is solved; `null` where it is not one of its. */
export function withSolved({ result, ...place }: CountedPlace, finding: number, how: Solution): CountedPlace | null {
  if (!result?.differences.some(difference => difference.finding === finding)) return null
  const differences = result.differences.map(difference =>
    difference.finding === finding ? { ...difference, solved: how, open: false } : difference,
  )
  return { ...place, result: { ...result, differences } }
}
