/** The DOT code of a tyre: in which week it was made, and how old it is (docs/product/tyres.md "Age of tyres"). */
import { addDays, addMonths, type IsoDate, weekday } from '../texts/date.ts'
import { Failure } from '../failure.ts'
import { lettersAndDigits } from '../texts/letters.ts'

/** The most characters that somebody may type of a code, with `DOT` and blanks. */
export const maxDotLength = 30

/** A code as it is kept, in capitals and without what parts its groups: `DOT 4B9R JU1X 2319` is `4B9RJU1X2319`. */
export const normalizeDot = (typed: string): string => lettersAndDigits(typed).replace(/^DOT/, '')

export type MadeIn = { readonly week: number; readonly year: number }

/**
 * The week that a code says: its last four digits are the week and the year, from 2000 on. Before them stands nothing, or the plant, the
 * size and what the maker adds. `null`: it is no code, or has no such week. A code of three digits is from before 2000.
 */
export function madeIn(code: string): MadeIn | null {
  const [, week, year] = /^(?:(?=\d*[A-Z])[A-Z0-9]{4,11})?(\d\d)(\d\d)$/.exec(code) ?? []
  const production = { week: Number(week), year: 2000 + Number(year) }
  return week !== undefined && production.week >= 1 && production.week <= 53 ? production : null
}

/** The Monday of a week: the first week of a year has its fourth of January. */
export function firstDay({ week, year }: MadeIn): IsoDate {
  const fourth = `${year}-01-04`
  return addDays(fourth, (week - 1) * 7 - ((weekday(fourth) + 6) % 7))
}

/** The DOT codes of a tyre's production and of its retreading, as they are stored; empty if unknown. */
export type Dots = { readonly dot: string; readonly retreaded: string }

/** Why these can't be kept on a day: one is no code, is still to come, or the tyre was retreaded before it was made. `null`: they can. */
export function dotRefusal({ dot, retreaded }: Dots, today: IsoDate): Failure | null {
  const days: IsoDate[] = []
  for (const code of [dot, retreaded].filter(text => text !== '')) {
    const production = madeIn(code)
    if (!production) return new Failure('tyre.dot_unreadable', { dot: code })
    if (firstDay(production) > today) return new Failure('tyre.dot_future', { dot: code })
    days.push(firstDay(production))
  }
  const [producedOn, retreadedOn] = days
  return dot !== '' && producedOn && retreadedOn && retreadedOn < producedOn ? new Failure('tyre.dot_order') : null
}

/** Years after which a tyre is to be looked at, and after which it is to be replaced (docs/tyre-law.md "Age"). */
const yearsOf = { old: 6, tooOld: 10 } as const

export type TyreAge = {
  readonly made: MadeIn | null
  readonly retreaded: MadeIn | null
  /** Full years since it was made, or retreaded. */
  readonly years: number
  readonly warning: keyof typeof yearsOf | null
}

/** How old a tyre is on a day. A retreaded one counts from its retreading. `null`: nobody knows. */
export function ageOf({ dot, retreaded }: Dots, today: IsoDate): TyreAge | null {
  const [production, retreading] = [madeIn(dot), madeIn(retreaded)]
  const from = retreading ?? production
  if (!from) return null
  const since = firstDay(from)
  const isPast = (years: number): boolean => addMonths(since, years * 12) <= today
  let years = 0
  while (isPast(years + 1)) years++
  const warning = isPast(yearsOf.tooOld) ? 'tooOld' : isPast(yearsOf.old) ? 'old' : null
  return { made: production, retreaded: retreading, years, warning }
}
