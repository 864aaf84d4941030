/** Counting stock: what a count says of each wheel, and which place is counted next (docs/product/warehouse.md "Counting"). */

/**
 * The outcome of a count for a wheel on a place. `moved`: the records have it elsewhere. `twice`: the same count saw its label on another
 * place as well. `foreign`: the label is another site's. `unknown`: the label is unknown, or there is none. `missing`: it should be
 * there, and was not scanned.
 */
const countOutcomes = ['found', 'moved', 'twice', 'foreign', 'unknown', 'missing'] as const
export type CountOutcome = (typeof countOutcomes)[number]
/** All but `found`. */
export const differences = ['moved', 'twice', 'foreign', 'unknown', 'missing'] as const
export type Difference = (typeof differences)[number]

/**
 * How a difference is solved, the most frequent way first. `here`: the records follow the wheel. `back`: somebody has taken it to its
 * place. `again`: it was there after all. `miss`: it is searched for. `done`: something else was done, with the reason.
 */
export const solutions = {
  moved: ['here', 'back', 'done'],
  twice: ['back', 'done'],
  foreign: ['done'],
  unknown: ['done'],
  missing: ['miss', 'again'],
} as const satisfies Record<Difference, readonly string[]>
export const allSolutions = ['here', 'back', 'again', 'miss', 'done'] as const
export type Solution = (typeof allSolutions)[number]

/** Where the records have a wheel, and whether it may be put on a place: it is in stock, or its storage is submitted. */
type Belonging = { readonly belongs: number | null; readonly placeable: boolean }

/** How a difference can be solved. A wheel without a place of its own can't be taken to it, and one that is not stored stands on none. */
export const solutionsOf = (outcome: Difference, { belongs, placeable }: Belonging): Solution[] =>
  (solutions[outcome] as readonly Solution[]).filter(how =>
    how === 'back' ? belongs !== null : how !== 'here' || placeable,
  )

/** The most wheels that are counted on one place. */
export const maxCounted = 1000
/** How many places a device is given ahead, so that it can go on without a network. */
export const placesAhead = 10

/** A wheel that was scanned on a place, as the records have it when the count arrives. */
export type SeenWheel = {
  readonly location: number | null
  /** It has taken a step since the place was counted, such as while the device had no network. */
  readonly steppedSince: boolean
  /** This count saw the label on another place, and nobody has brought it here since. */
  readonly elsewhere: boolean
}

/** The outcome for a scanned wheel with a label of this site; `null`: the label is unknown. Anything that happened after the count wins. */
export function outcomeOf(wheel: SeenWheel | null, here: number): Exclude<CountOutcome, 'foreign' | 'missing'> {
  if (!wheel) return 'unknown'
  if (wheel.steppedSince) return 'found'
  if (wheel.elsewhere) return 'twice'
  return wheel.location === here ? 'found' : 'moved'
}

// One place at a time -------------------------------------------------------------------------------------------------

/** Why a place may hold a difference. */
export const risks = ['moves', 'splits', 'anyway', 'days'] as const
export type Risk = (typeof risks)[number]

/** For how many days a wheel that came to a place counts as moved lately. */
export const recentDays = 30
/** A place that was not counted for so many days, or never, is as old as it gets. */
export const oldestDays = 365

/** The facts about a place from which its risk of an error is computed. */
export type PlaceFacts = {
  /** Wheels that came here in the last `recentDays` days, and since it was counted. */
  readonly moves: number
  /** Wheels here whose set lies on several places. */
  readonly splits: number
  /** Wheels here whose storage was confirmed without a scan, and of which nothing was scanned since. */
  readonly anyway: number
  /** Days since it was counted; `null`: never. */
  readonly days: number | null
}

/** The risk that one of each adds; for days, a whole month. */
const riskWeights = { moves: 1, splits: 2, anyway: 3, days: 1 / 30 } as const satisfies Record<Risk, number>

const partsOf = ({ days, ...facts }: PlaceFacts): Record<Risk, number> => ({
  ...facts,
  days: Math.min(Math.max(days ?? oldestDays, 0), oldestDays),
})

/**
 * How likely a place holds a difference, as a number without unit, to compare places: a point for each wheel that came lately, two
 * for each of a set in parts, three for each that was confirmed anyway, and one for every 30 days since it was counted, twelve at most.
 */
export function placeRisk(facts: PlaceFacts): number {
  const parts = partsOf(facts)
  return risks.reduce((sum, risk) => sum + riskWeights[risk] * parts[risk], 0)
}

/** The reasons of a risk that say something, weightiest first. A month since the last counting is the least worth telling. */
export function risksOf(facts: PlaceFacts): Risk[] {
  const parts = partsOf(facts)
  const weight = (risk: Risk) => riskWeights[risk] * parts[risk]
  return risks.filter(risk => weight(risk) >= 1).toSorted((a, b) => weight(b) - weight(a))
}

/** The places to count next, riskiest first; of equal ones the first of the walk. */
export const riskiest = <P extends PlaceFacts & { readonly walk: number }>(places: readonly P[], most: number): P[] =>
  places
    .map(place => ({ place, risk: placeRisk(place) }))
    .toSorted((a, b) => b.risk - a.risk || a.place.walk - b.place.walk)
    .slice(0, most)
    .map(({ place }) => place)

/** The share of the counted wheels that agrees with the records, from 0 to 1; `null` where none was counted. */
export const accuracyOf = ({ right, wrong }: { right: number; wrong: number }): number | null =>
  right + wrong === 0 ? null : right / (right + wrong)
