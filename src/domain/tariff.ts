/** What things cost by which rule, and what lines they make (docs/product.md "Tariff"; docs/money.md). */
import { addDays, daysBetween, type IsoDate } from './date.ts'

export const tariffKinds = ['storage', 'overstay', 'service', 'disposal', 'no_show', 'minimum'] as const
export type TariffKind = (typeof tariffKinds)[number]

/** What is charged because it happened; storage is charged by the day, and the minimum by the document. */
export const chargeKinds = ['overstay', 'service', 'disposal', 'no_show'] as const satisfies readonly TariffKind[]

export const tariffUnits = ['set', 'tyre', 'wheel', 'vehicle', 'operation', 'document'] as const
export type TariffUnit = (typeof tariffUnits)[number]

/** For what each kind may have its price. A wheel is a tyre that is stored with its rim; storage by the vehicle is by the season. */
export const unitsOf = {
  storage: ['set', 'tyre', 'wheel', 'vehicle'],
  overstay: ['tyre'],
  service: ['operation', 'tyre'],
  disposal: ['tyre'],
  no_show: ['operation'],
  minimum: ['document'],
} as const satisfies Record<TariffKind, readonly TariffUnit[]>

export const storageModes = ['per_day', 'per_period', 'per_season'] as const
type StorageMode = (typeof storageModes)[number]

/** Smallest first; the database finds the class of a tyre (`size_class`). */
export const sizeClasses = ['small', 'medium', 'large', 'truck'] as const
type SizeClass = (typeof sizeClasses)[number]

/** Which kinds may have a price by size. */
export const isSized = (kind: TariffKind): boolean => kind === 'storage' || kind === 'overstay' || kind === 'disposal'

/** The longest period, and the latest overstay, in days. */
export const maxTariffDays = 36_500

/** The days of grace that a new season is proposed with: the wheels of the season before are fetched in its first weeks. */
export const usualGraceDays = 21
export const maxGraceDays = 366

/** A price of storage. `since` and `until` are the days on which it holds, both included; without them it always does. */
export type StorageRule = {
  /** `null`: the invoicing fields of the site, which hold where no other rule does. */
  id: number | null
  /** It is the customer's own. */
  own: boolean
  per: 'set' | 'tyre' | 'wheel' | 'vehicle'
  mode: StorageMode
  /** Days, for periods. */
  period: number
  /** Of a season: a stay from before its first day owes it once it has lasted for more than so many of its days. */
  graceDays: number
  sizeClass: SizeClass | null
  since: IsoDate | null
  until: IsoDate | null
}

/** The invoicing fields of a site. */
export type InvoicingRules = {
  /** What is counted. */
  quantity: 'per_set' | 'per_tyre'
  /** Whether days count, or every `period` that has begun. */
  mode: 'per_day' | 'per_period'
  /** Days, at least 1. */
  period: number
}

/** The storage rule that the invoicing fields of a site are. */
export const siteRule = ({ quantity, mode, period }: InvoicingRules): StorageRule => ({
  id: null,
  own: false,
  per: quantity === 'per_set' ? 'set' : 'tyre',
  mode,
  period,
  graceDays: 0,
  sizeClass: null,
  since: null,
  until: null,
})

/** The last day of a season on which what was stored before it can leave without owing it; before its first day without any grace. */
export const lastDayOfGrace = ({ since, graceDays }: { since: IsoDate; graceDays: number }): IsoDate =>
  addDays(since, graceDays - 1)

/** A tyre and the spans of stored days that it owes, in order: of each those after the first day, up to the last one. */
export type StoredTyre = {
  id: number
  vehicle: number
  set: string | null
  spans: readonly (readonly [IsoDate, IsoDate])[]
  /** Its stays: the day on which it came, and the one on which it left, `null` while it is there. Each span is of one of them. */
  stays: readonly (readonly [IsoDate, IsoDate | null])[]
  /** The rules of seasons that are charged for it already, or for its set or vehicle, each with the document. */
  paidSeasons: readonly (readonly [rule: number, document: number])[]
  sizeClass: SizeClass | null
  withRim: boolean
}

/**
 * Days of a tyre that cost nothing of their own: in a season that the document charges already, or without one because the stay is from
 * before it and left in its days of grace.
 */
export type IncludedDays<T> = { tyre: T; rule: number; document: number | null; since: IsoDate; until: IsoDate }

/** A season that is charged for a tyre: the days after `since`, to its end. */
type ChargedSeason<T> = { tyre: T; rule: number; since: IsoDate; until: IsoDate }

/** What is charged as one by a rule: the days after `since`, up to `until`, as far as they are owed. */
export type StorageUnit<T, R extends StorageRule = StorageRule> = {
  rule: R
  tyres: T[]
  days: number
  quantity: number
  since: IsoDate
  until: IsoDate
}

/** What a rule charges of one tyre. `rest`: so many days of its last period are still to come. */
type Stretch<R> = { rule: R; days: number; quantity: number; since: number; until: number; rest: number }

type Numbered<R> = { rule: R; rank: number; since: number; until: number }

/** A rule for fewer is asked before one for more: the customer's own, for a size, for wheels with their rims. */
const rankOf = (rule: StorageRule): number =>
  Number(rule.own) * 8 +
  Number(rule.sizeClass !== null) * 4 +
  Number(rule.per === 'wheel') * 2 +
  Number(rule.id !== null)

const epoch = '2000-01-01'
const numberOf = (day: IsoDate): number => daysBetween(epoch, day)
const dateOf = (day: number): IsoDate => addDays(epoch, day)

/** The rules that can hold for such a tyre, first those that go before others. */
function rulesFor<R extends StorageRule>(
  { sizeClass, withRim }: Pick<StoredTyre, 'sizeClass' | 'withRim'>,
  rules: readonly R[],
): Numbered<R>[] {
  return rules
    .filter(rule => (rule.sizeClass === null || rule.sizeClass === sizeClass) && (rule.per !== 'wheel' || withRim))
    .map(rule => ({
      rule,
      rank: rankOf(rule),
      since: rule.since === null ? Number.NEGATIVE_INFINITY : numberOf(rule.since),
      until: rule.until === null ? Number.POSITIVE_INFINITY : numberOf(rule.until),
    }))
    .toSorted((a, b) => b.rank - a.rank)
}

type Stay = StoredTyre['stays'][number]

const stayOn = ({ stays }: Pick<StoredTyre, 'stays'>, day: number): Stay | undefined =>
  stays.find(([came, left]) => numberOf(came) < day && (left === null || day <= numberOf(left)))

/** What a season costs a stay: its price, nothing, or it is not known yet on the day `today`. */
function seasonOf(
  { rule, since, until }: Numbered<StorageRule>,
  stay: Stay | undefined,
  { paidSeasons, today }: Pick<StoredTyre, 'paidSeasons'> & { today: number },
): 'owed' | 'open' | { document: number | null } {
  const paid = paidSeasons.find(([id]) => id === rule.id)
  if (paid) return { document: paid[1] }
  if (!stay || numberOf(stay[0]) + 1 >= since) return 'owed'
  const left = stay[1] === null ? null : numberOf(stay[1])
  const last = Math.min(until, left ?? today)
  if (last - since + 1 > rule.graceDays) return 'owed'
  return left === null && last < until ? 'open' : { document: null }
}

type Stretches<R> = {
  stretches: Stretch<R>[]
  /** By numbers of days, without the tyre. */
  included: { rule: number; document: number | null; since: number; until: number }[]
  /** The first day of which nothing can be said yet. */
  open: number | null
}

/**
 * The stretches of owed days that each rule charges. A day is charged by the rule of that day; a period by the rule of its first one,
 * for as many owed days as it has; a season once, for all that is left of it. @throws RangeError for a day without a rule
 */
function stretchesOf<R extends StorageRule>(
  tyre: Pick<StoredTyre, 'spans' | 'stays' | 'paidSeasons'>,
  rules: readonly Numbered<R>[],
  today: number,
): Stretches<R> {
  const stretches: Stretch<R>[] = []
  const included: Stretches<R>['included'] = []
  let current: Stretch<R> | undefined
  let seasonEnd = Number.NEGATIVE_INFINITY
  for (const [after, last] of tyre.spans) {
    const end = numberOf(last)
    let day = numberOf(after) + 1
    while (day <= end) {
      let taken: number
      if (current && (current.rest > 0 || day <= seasonEnd)) {
        taken = Math.min(end, current.rest > 0 ? day + current.rest - 1 : seasonEnd) - day + 1
      } else {
        const found = rules.find(({ since, until }) => since <= day && day <= until)
        if (!found) throw new RangeError('no storage rule')
        const { rule } = found
        if (rule.mode === 'per_season' && rule.id !== null) {
          const stay = stayOn(tyre, day)
          const season = seasonOf(found, stay, { ...tyre, today })
          if (season === 'open') return { stretches, included, open: day }
          if (season !== 'owed') {
            const to = Math.min(end, found.until)
            // what is in store is included to the end of a season that is charged
            const isPaidAhead = season.document !== null && stay?.[1] === null
            included.push({ rule: rule.id, ...season, since: day - 1, until: isPaidAhead ? found.until : to })
            day = to + 1
            continue
          }
        }
        if (current?.rule !== rule) {
          current = { rule, days: 0, quantity: 0, since: day - 1, until: day, rest: 0 }
          stretches.push(current)
        }
        if (rule.mode === 'per_day') {
          // as long as no rule begins that goes before this one
          const next = rules
            .filter(({ rank, since }) => rank > found.rank && since > day)
            .reduce((first, { since }) => Math.min(first, since), Number.POSITIVE_INFINITY)
          taken = Math.min(end, found.until, next - 1) - day + 1
          current.quantity += taken
        } else {
          current.quantity += 1
          if (rule.mode === 'per_season') seasonEnd = found.until
          else current.rest = rule.period
          continue
        }
      }
      current.days += taken
      current.rest = Math.max(0, current.rest - taken)
      day += taken
      current.until = day - 1
    }
  }
  return { stretches, included, open: null }
}

/** Tyres of a set are of the class of the largest, and on rims when one is. */
const largestOf = (tyres: readonly StoredTyre[]): Pick<StoredTyre, 'sizeClass' | 'withRim'> => ({
  sizeClass: sizeClasses.findLast(one => tyres.some(tyre => tyre.sizeClass === one)) ?? null,
  withRim: tyres.some(tyre => tyre.withRim),
})

/** A unit that more tyres of its set or vehicle may join, and what is still to come of its last period. */
type Shared<T, R extends StorageRule> = { unit: StorageUnit<T, R>; rest: number }

/** The last day of the season that a rule is, `null` for any other. */
const endOfSeason = ({ mode, until }: StorageRule): IsoDate | null => (mode === 'per_season' ? until : null)

/** What a rule charges once: a vehicle, a set, or a tyre, of a season whichever of its stays it was. */
function sharedBy(
  rule: StorageRule,
  { id, vehicle, set }: StoredTyre,
  { family, alone }: { family: string; alone: number },
): string | number {
  if (rule.per === 'vehicle') return vehicle
  if (endOfSeason(rule) !== null && (rule.per !== 'set' || set === null)) return id
  return rule.per === 'set' ? family : alone
}

/** Another tyre joins a unit, which is charged for as many days as the one that owes most. */
function join<T, R extends StorageRule>(
  shared: Shared<T, R>,
  { rest, days, quantity, since, until }: Omit<StorageUnit<T, R>, 'rule' | 'tyres'> & { rest: number },
): void {
  const { unit } = shared
  if (since < unit.since) unit.since = since
  if (until > unit.until) unit.until = until
  if (days <= unit.days) return
  shared.rest = rest
  Object.assign(unit, { days, quantity })
}

/** What tyres are charged by rules. */
export type StorageCharge<T, R extends StorageRule> = {
  /** In the order of their first tyres, each by one rule. */
  units: StorageUnit<T, R>[]
  /**
   * For each tyre that is charged something the day up to which it is paid when that is done on the day `today`: the end of the period
   * or season that has begun.
   */
  paidTo: Map<T, IsoDate>
  /** How many days of tyres that is. */
  days: number
  seasons: ChargedSeason<T>[]
  included: IncludedDays<T>[]
}

/**
 * What is charged for tyres on the day `today`. By a rule per set the tyres of one set of one vehicle are one unit, for as many days as the
 * tyre that owes most. A season is charged once for what its rule has the price of; `charged` has those that the same document charges
 * for other tyres, and those of these tyres are added. Rules that are as special as each other don't overlap.
 */
export function storageUnits<T extends StoredTyre, R extends StorageRule>(
  tyres: readonly T[],
  rules: readonly R[],
  today: IsoDate,
  charged: Set<string> = new Set(),
): StorageCharge<T, R> {
  const units: StorageUnit<T, R>[] = []
  const paidTo = new Map<T, IsoDate>()
  const seasons: ChargedSeason<T>[] = []
  const included: IncludedDays<T>[] = []
  let allDays = 0
  const shared = new Map<string, Shared<T, R>>()
  const before = new Set(charged)
  const families = Map.groupBy(tyres, (tyre, at) => (tyre.set === null ? `${at}` : `${tyre.vehicle} ${tyre.set}`))
  for (const [family, its] of families) {
    const own = rulesFor(largestOf(its), rules)
    const lasts = new Map<T, { last: Shared<T, R>; open: number | null }>()
    for (const tyre of its) {
      let last: Shared<T, R> | undefined
      const times = new Map<R, number>()
      const found = stretchesOf(tyre, own, numberOf(today))
      for (const { since, until, ...of } of found.included)
        included.push({ tyre, ...of, since: dateOf(since), until: dateOf(until) })
      for (const { rule, days, quantity, rest, ...span } of found.stretches) {
        const since = dateOf(span.since)
        const until = dateOf(span.until)
        // a rule that holds again after another one charges by itself
        const nth = (times.get(rule) ?? 0) + 1
        times.set(rule, nth)
        const key = JSON.stringify([rule.id, sharedBy(rule, tyre, { family, alone: -units.length }), nth])
        const joined = shared.get(key)
        last = joined ?? { unit: { rule, tyres: [], days, quantity, since, until }, rest }
        last.unit.tyres.push(tyre)
        allDays += days
        if (joined) join(joined, { days, quantity, rest, since, until })
        else {
          shared.set(key, last)
          if (!before.has(key)) units.push(last.unit)
        }
        const end = endOfSeason(rule)
        if (end === null || rule.id === null) continue
        charged.add(key)
        seasons.push({ tyre, rule: rule.id, since, until: end })
      }
      if (last) lasts.set(tyre, { last, open: found.open })
    }
    for (const [tyre, { last, open }] of lasts) {
      const end = endOfSeason(last.unit.rule) ?? addDays(today, last.rest)
      paidTo.set(tyre, open !== null ? dateOf(open - 1) : end > today ? end : today)
    }
  }
  return { units, paidTo, days: allDays, seasons, included }
}

/** The tyres that units charge as one, by their numbers: each list has several. */
export function chargedTogether(units: readonly { tyres: readonly { id: number }[] }[]): number[][] {
  const groups = new Map<number, Set<number>>()
  for (const { tyres } of units) {
    const group = new Set(tyres.flatMap(({ id }) => [id, ...(groups.get(id) ?? [])]))
    for (const id of group) groups.set(id, group)
  }
  return [...new Set(groups.values())].filter(group => group.size > 1).map(group => [...group])
}

/** The lines of a document for tyres: their units, joined where two lines would read the same. */
export function storageLines<T extends StoredTyre, R extends StorageRule>(
  units: readonly StorageUnit<T, R>[],
): StorageUnit<T, R>[] {
  const lines = new Map<string, StorageUnit<T, R>>()
  for (const unit of units) {
    const [first] = unit.tyres
    if (!first) continue
    const key = JSON.stringify([first.vehicle, first.set, unit.rule.id, unit.since, unit.until, unit.days])
    const line = lines.get(key)
    if (line)
      lines.set(key, { ...line, tyres: [...line.tyres, ...unit.tyres], quantity: line.quantity + unit.quantity })
    else lines.set(key, unit)
  }
  return [...lines.values()]
}

/** EUR in whole cents. */
const centsOf = (price: number): number => Math.round(price * 100)

/** What lines amount to, in EUR: quantities are whole and prices have cents, so nothing is rounded. */
export const sumOf = (lines: readonly { quantity: number; price_excl: number }[]): number =>
  lines.reduce((sum, { quantity, price_excl }) => sum + quantity * centsOf(price_excl), 0) / 100

/** What is missing to the minimum of a document that charges something, in EUR; 0 when nothing is. */
export const missingTo = (minimum: number, amount: number): number =>
  amount > 0 ? Math.max(0, centsOf(minimum) - centsOf(amount)) / 100 : 0

/**
 * The VAT of lines by rate in percent, in EUR, lowest rate first. It is rounded once for each rate, of the sum of its lines, half a
 * cent away from zero: rounded line by line, the same lines would amount to something else in another order.
 */
export function vatOf(
  lines: readonly { quantity: number; price_excl: number; vat_rate?: number | null | undefined }[],
  rateOfSite: number,
): { rate: number; net: number; vat: number }[] {
  const byRate = Map.groupBy(lines, line => line.vat_rate ?? rateOfSite)
  return [...byRate]
    .map(([rate, its]) => {
      const net = centsOf(sumOf(its))
      const vat = (Math.sign(net) * Math.round((Math.abs(net) * Math.round(rate * 100)) / 10_000)) / 100
      return { rate, net: net / 100, vat }
    })
    .toSorted((a, b) => a.rate - b.rate)
}
