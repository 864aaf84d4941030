/** The effect of the change of season on a vehicle (docs/product/season.md "Season change"). */
import type { IsoDate } from '../texts/date.ts'
import { needsWinterTyres, wearsWinterTyres } from '../tyres/health.ts'
import { isForSnow, type TreadCase, type Verdict, verdictOfSet } from '../tyres/tread.ts'
import { may, type TyreStatus } from '../tyres/tyre.ts'
import { seasonEnd, seasonStart } from '../tyres/wear.ts'

export const changeSeasons = ['winter', 'summer'] as const
export type ChangeSeason = (typeof changeSeasons)[number]

/** The season that comes next: winter from July to December. */
export const nextSeason = (date: IsoDate): ChangeSeason => (date.slice(5, 7) > '06' ? 'winter' : 'summer')

const middleOf = { winter: '01-01', summer: '07-01' } as const satisfies Record<ChangeSeason, string>
/** The day on which tyres for a season are judged: the next first of January or of July. Every winter rule holds on the former. */
export function seasonDay(season: ChangeSeason, today: IsoDate): IsoDate {
  const year = Number(today.slice(0, 4))
  const day = `${year}-${middleOf[season]}`
  return day >= today ? day : `${year + 1}-${middleOf[season]}`
}

/** From the day on which tyres for a season come onto the vehicles to the one on which they leave them; the one around `seasonDay`. */
export function seasonSpan(season: ChangeSeason, today: IsoDate): { from: IsoDate; until: IsoDate } {
  const day = seasonDay(season, today)
  return { from: seasonStart(season, day), until: seasonEnd(season, day) }
}

/**
 * The day from which on a change is proposed, of those from `first` to `last` on which tyres can be delivered: that on which those for
 * the season come onto the vehicles, or `first` where it is past or too far ahead.
 */
export function proposedStart(
  season: ChangeSeason,
  bounds: { today: IsoDate; first: IsoDate; last: IsoDate },
): IsoDate {
  const { from } = seasonSpan(season, bounds.today)
  return from > bounds.first && from <= bounds.last ? from : bounds.first
}

/** A set in stock is good for the season, to be replaced, or of unknown depth; or there is none, and none is needed. */
export const changeVerdicts = ['missing', 'replace', 'unknown', 'fine'] as const
export type ChangeVerdict = (typeof changeVerdicts)[number]

type Fitted = {
  db_id: number
  season: string | null
  tyre_status: TyreStatus
  tyre_set: string | null
  profile_depth: number | null
  operation: number | null
}

/** Whether a tyre is driven in a season. All-season tyres are driven in both. */
const isFor = (season: ChangeSeason, { season: tyreSeason }: Fitted): boolean =>
  tyreSeason === 'all_season' || isForSnow(tyreSeason) === (season === 'winter')

/** The season that all these tyres are for; `null`: of one nobody knows, or they are for several. */
function seasonOf(tyres: readonly Fitted[]): ChangeSeason | null {
  const ofEach = new Set(
    tyres.map(({ season }) => (isForSnow(season) ? 'winter' : season === 'summer' ? season : null)),
  )
  const [only = null] = ofEach
  return ofEach.size === 1 ? only : null
}

const setsOf = <T extends Fitted>(tyres: readonly T[]): (readonly T[])[] => [
  ...Map.groupBy(tyres, ({ tyre_set }) => tyre_set).values(),
]

const verdicts = {
  illegal: 'replace',
  worn: 'replace',
  unknown: 'unknown',
  good: 'fine',
} as const satisfies Record<Verdict, ChangeVerdict>

export type SeasonChange<T> = {
  /** The tyres that it wears: its mounted ones, else those that the customer keeps. */
  wears: readonly T[]
  /** Of those, the ones that it keeps wearing in the season. */
  worn: readonly T[]
  /** The largest set in stock for the season, one that is in no open operation first. */
  stored: readonly T[]
  /** Where none is: the largest set in stock for another season, which is `null` where it is not known of all tyres. */
  other: { season: ChangeSeason | null; tyres: readonly T[] } | null
  /** The stored set can be asked for: none of its tyres is in an open operation. */
  ready: boolean
  /** Tyres for the other season that can come back into stock. */
  returns: readonly T[]
  verdict: ChangeVerdict
}

/** The tyres that a vehicle wears and has in stock for a season, and their verdict: always `unknown` where the site hides depth. */
export function seasonChange<T extends Fitted>(
  tyres: readonly T[],
  season: ChangeSeason,
  at: TreadCase,
  /** Whether a tyre is on the vehicle by its periods, also one that is only presumed to be. */
  isMounted: (tyre: T) => boolean = () => false,
): SeasonChange<T> {
  const withStatus = (status: TyreStatus) => tyres.filter(({ tyre_status }) => tyre_status === status)
  const mounted = tyres.filter(tyre => tyre.tyre_status === 'on_vehicle' || isMounted(tyre))
  const wears = mounted.length > 0 ? mounted : withStatus('at_customer')
  const inStock = withStatus('in_stock')
  const isFree = (set: readonly T[]) => set.every(tyre => may('to_customer', tyre))
  const [stored = []] = setsOf(inStock.filter(tyre => isFor(season, tyre))).toSorted(
    (a, b) => Number(isFree(b)) - Number(isFree(a)) || b.length - a.length,
  )
  const [other] = stored.length > 0 ? [] : setsOf(inStock).toSorted((a, b) => b.length - a.length)
  // what needs no tyres for snow is judged by what it wears
  const needs = season === 'summer' || wearsWinterTyres(at.kind) || needsWinterTyres(at.country, at.kind)
  const worn = needs ? wears.filter(tyre => isFor(season, tyre)) : wears
  const judged = stored.length > 0 ? stored : worn
  return {
    wears,
    worn,
    stored,
    other: other ? { season: seasonOf(other), tyres: other } : null,
    ready: stored.length > 0 && isFree(stored),
    returns: wears.filter(tyre => !worn.includes(tyre) && may('to_stock', tyre)),
    verdict: judged.length === 0 ? (needs ? 'missing' : 'fine') : verdicts[verdictOfSet(judged, at)],
  }
}
