/** Prices by the rule that applies, and the lines that they become (docs/product/money.md "Tariff"; docs/money.md). */
import { addDays, daysBetween, type IsoDate } from '../texts/date.ts'

export const tariffKinds = ['storage', 'overstay', 'service', 'disposal', 'no_show', 'minimum'] as const
export type TariffKind = (typeof tariffKinds)[number]

/** Charges for events; storage is charged by the day, and the minimum by the document. */
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
  /** The unit that is counted. */
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

/** The last day of a season on which tyres stored before it can leave without owing it; without grace, the day before it begins. */
export const lastDayOfGrace = ({ since, graceDays }: { since: IsoDate; graceDays: number }): IsoDate =>
  addDays(since, graceDays - 1)

/** A tyre and the spans of stored days that it owes, in order: of each those after the first day, up to the last one. */
export type StoredTyre = {
  id: number
  vehicle: number
  set: string | null
  spans: readonly (readonly [IsoDate, IsoDate])[]
  /** A document is made for it. What others owe is looked at as well, because wheels of a set and days of a period are charged as one. */
  chosen: boolean
  /** Its stays: the day on which it came, and the one on which it left, `null` while it is there. Each span is of one of them. */
  stays: readonly (readonly [IsoDate, IsoDate | null])[]
  /** The stays of all wheels of its set, of all payers. */
  ofSet: readonly (readonly [came: IsoDate, left: IsoDate | null, sizeClass: SizeClass | null, withRim: boolean])[]
  /**
   * The days that documents charge for wheels of its set, without seasons and charges by the wheel: those after the first day. By which
   * unit, of periods the day before its first one and their days, and whether it is known to be charged by the set.
   */
  paid: readonly (readonly [
    since: IsoDate,
    until: IsoDate,
    document: number,
    unit: number | null,
    periods: readonly [since: IsoDate, days: number] | null,
    isOfSet: boolean,
  ])[]
  /** The rules of seasons that are charged for it already, or for its set or vehicle, each with the document. */
  paidSeasons: readonly (readonly [rule: number, document: number])[]
  sizeClass: SizeClass | null
  withRim: boolean
}

/**
 * Days of a tyre that cost nothing of their own: a document charges the set, or the season, already; or without one because the stay is
 * from before a season and left in its days of grace. `rule`: the season's.
 */
export type IncludedDays<T> = {
  tyre: T
  rule: number | null
  document: number | null
  /** The unit of the document that pays for them. */
  unit: number | null
  since: IsoDate
  until: IsoDate
}

/** Tyres that a rule charges as one unit: the days after `since`, up to `until`, as far as they are owed. */
export type StorageUnit<T, R extends StorageRule = StorageRule> = {
  rule: R
  tyres: T[]
  days: number
  quantity: number
  since: IsoDate
  until: IsoDate
}

/**
 * Days of a tyre that a document pays: by the day, by periods of so many `days`, or as the `season` that a rule is, each to its end. Those
 * of one `unit` are charged as one by `rule`: its periods follow one another without a gap.
 */
export type PaidDays<T> = {
  tyre: T
  since: IsoDate
  until: IsoDate
  unit: number
  isOfSet: boolean
  rule: number | null
  days: number | null
  season: number | null
}

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

type Facts = Pick<StoredTyre, 'sizeClass' | 'withRim'>

/** The rules that can hold for such a tyre, first those that go before others. */
function rulesFor<R extends StorageRule>({ sizeClass, withRim }: Facts, rules: readonly R[]): Numbered<R>[] {
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

const isStored = ([came, left]: readonly [IsoDate, IsoDate | null, ...unknown[]], day: number): boolean =>
  numberOf(came) < day && (left === null || day <= numberOf(left))

/** The cost of a season for a stay: its price, nothing, or not known yet on the day `today`. */
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

/** Tyres of a set are of the class of the largest, and on rims when one is. */
const largestOf = (tyres: readonly Facts[]): Facts => ({
  sizeClass: sizeClasses.findLast(sizeClass => tyres.some(tyre => tyre.sizeClass === sizeClass)) ?? null,
  withRim: tyres.some(tyre => tyre.withRim),
})

/** The days `from` to `to` of a tyre. */
type Days<T> = { tyre: T; from: number; to: number }

/** An indivisible amount that a rule charges: stored days of a set or tyre, a period that has begun, or a season. */
type Due<T, R> = {
  rule: R
  /** Of a rule by which nothing else is charged in between, those of one unit have the same. */
  key: string
  quantity: number
  from: number
  /** Of a period or season, its last day: nothing that it pays for owes anything until then. */
  end: number | null
  pays: Days<T>[]
}

/** A tyre or set owes nothing up to a day, because something that is due pays for it, or a document does. */
type Cover<T, R> = { until: number; due: Due<T, R> | null }

type Walk<T, R extends StorageRule> = {
  rulesOf: (facts: Facts) => readonly Numbered<R>[]
  today: number
  dues: Due<T, R>[]
  included: (Omit<IncludedDays<T>, 'since' | 'until'> & { from: number; to: number })[]
  /** By the number of the tyre, or by its set. */
  covers: Map<string | number, Cover<T, R>>
  seasons: Map<string, Due<T, R>>
}

const familyOf = ({ id, vehicle, set }: StoredTyre): string => (set === null ? `${id}` : `${vehicle} ${set}`)

/** Goes through the days of the tyres of linked vehicles, from one day on which something changes to the next. */
function walk<T extends StoredTyre, R extends StorageRule>(tyres: readonly T[], state: Walk<T, R>): void {
  const owed = tyres.map(tyre => ({
    tyre,
    spans: tyre.spans.map(([since, until]) => [numberOf(since), numberOf(until)] as const),
  }))
  const changes = new Set<number>()
  for (const { spans, stays, ofSet, paid } of tyres)
    for (const [since, until] of [...spans, ...stays, ...ofSet, ...paid]) {
      changes.add(numberOf(since) + 1)
      if (until !== null) changes.add(numberOf(until) + 1)
    }
  const first = Math.min(...owed.flatMap(({ spans }) => spans.map(([since]) => since)))
  const days = [...changes].filter(day => day > first).toSorted((a, b) => a - b)
  for (const [nth, from] of days.entries()) {
    const to = (days[nth + 1] ?? from) - 1
    const owing = owed.filter(({ spans }) => spans.some(([since, until]) => since < from && from <= until))
    for (const [family, its] of Map.groupBy(owing, ({ tyre }) => familyOf(tyre)))
      chargeDays(
        family,
        its.map(({ tyre }) => tyre),
        { from, to },
        state,
      )
  }
}

/** Charges days of the wheels of a set, or of one tyre, on which nothing changes but rules and paid days. */
function chargeDays<T extends StoredTyre, R extends StorageRule>(
  family: string,
  tyres: readonly T[],
  { from, to }: { from: number; to: number },
  state: Walk<T, R>,
): void {
  const [first] = tyres
  if (!first) return
  const beside = first.ofSet
    .filter(stay => isStored(stay, from))
    .map(([, , sizeClass, withRim]) => ({ sizeClass, withRim }))
  const rules = state.rulesOf(largestOf([...tyres, ...beside]))
  let day = from
  while (day <= to) {
    const ofSet = coverOn(state, family, day)
    const covers = tyres.map(tyre => ({ tyre, cover: coverOn(state, tyre.id, day) ?? ofSet }))
    let end = covers.reduce((least, { cover }) => Math.min(least, cover?.until ?? to), to)
    const free = covers.filter(({ cover }) => !cover).map(({ tyre }) => tyre)
    // a period that began at a price for the set belongs to the set, even if another rule holds since
    const begun = payerOf(
      first.paid.filter(([, , , , periods, isOfSet]) => isOfSet && periods !== null),
      day,
    )
    if (free.length > 0 && begun) {
      end = Math.min(end, endOfPeriod(begun, day) ?? end)
      include(begun, { family, tyres: free, from: day, to: end }, state)
    } else if (free.length > 0) {
      const current = ruleOn(rules, day)
      end = Math.min(
        end,
        current.until,
        current.rule.mode === 'per_period' ? day + current.rule.period - 1 : end,
        nextAfter(rules, current, day) - 1,
      )
      charge(current, { family, tyres: free, from: day, to: end }, state)
    }
    for (const { tyre, cover } of covers)
      if (cover) {
        state.covers.set(tyre.id, cover)
        cover.due?.pays.push({ tyre, from: day, to: end })
      }
    day = end + 1
  }
}

const coverOn = <T, R extends StorageRule>({ covers }: Walk<T, R>, key: string | number, day: number) => {
  const cover = covers.get(key)
  return cover && cover.until >= day ? cover : undefined
}

/** @throws RangeError for a day without a rule */
function ruleOn<R>(rules: readonly Numbered<R>[], day: number): Numbered<R> {
  const current = rules.find(({ since, until }) => since <= day && day <= until)
  if (!current) throw new RangeError('no storage rule')
  return current
}

/** The first day after this one on which a rule begins that goes before the one that was found. */
const nextAfter = <R>(rules: readonly Numbered<R>[], current: Numbered<R>, day: number): number =>
  rules
    .filter(({ rank, since }) => rank > current.rank && since > day)
    .reduce((next, { since }) => Math.min(next, since), Number.POSITIVE_INFINITY)

type Paid = StoredTyre['paid'][number]

/** The last day of the period that a day is in, `null` by the day. */
function endOfPeriod([, , , , periods]: Paid, day: number): number | null {
  if (periods === null) return null
  const [since, days] = periods
  return numberOf(since) + Math.ceil((day - numberOf(since)) / days) * days
}

/** Which document pays a day of a set: of several the one whose period ends last, then the first. */
const payerOf = (paid: readonly Paid[], day: number): Paid | undefined =>
  paid
    .filter(([since, until]) => numberOf(since) < day && day <= numberOf(until))
    .toSorted((a, b) => (endOfPeriod(b, day) ?? 0) - (endOfPeriod(a, day) ?? 0) || a[2] - b[2])[0]

type Charged<T> = { family: string; tyres: readonly T[]; from: number; to: number }

/** Charges days that nothing pays for yet by the rule that holds on them. */
function charge<T extends StoredTyre, R extends StorageRule>(
  current: Numbered<R>,
  charged: Charged<T>,
  state: Walk<T, R>,
): void {
  const { rule } = current
  const { family, tyres, from, to } = charged
  if (rule.mode === 'per_season' && rule.id !== null) {
    for (const tyre of tyres) chargeSeason(current, tyre, { from, to }, state)
    return
  }
  const isOfSet = rule.per === 'set'
  const payer = isOfSet ? payerOf(tyres[0]?.paid ?? [], from) : undefined
  if (payer) {
    include(payer, charged, state)
    return
  }
  if (isOfSet) state.covers.set(family, due(rule, family, charged, state))
  else for (const tyre of tyres) due(rule, `${tyre.id}`, { ...charged, tyres: [tyre] }, state)
}

/** A document pays days of these tyres, or a period to its end. */
function include<T extends StoredTyre, R extends StorageRule>(
  payer: Paid,
  { tyres, from, to }: Charged<T>,
  state: Walk<T, R>,
): void {
  const [, , document, unit] = payer
  const end = endOfPeriod(payer, from)
  for (const tyre of tyres) {
    state.included.push({ tyre, rule: null, document, unit, from, to: end ?? to })
    if (end !== null) state.covers.set(tyre.id, { until: end, due: null })
  }
}

/** Days of these tyres are due as one, or with them a period that begins. Answers until when that pays for them. */
function due<T extends StoredTyre, R extends StorageRule>(
  rule: R,
  key: string,
  { tyres, from, to }: Charged<T>,
  state: Walk<T, R>,
): Cover<T, R> {
  const end = rule.mode === 'per_period' ? from + rule.period - 1 : null
  const quantity = end === null ? to - from + 1 : 1
  const newDue: Due<T, R> = { rule, key, quantity, from, end, pays: tyres.map(tyre => ({ tyre, from, to })) }
  const cover = { until: end ?? to, due: newDue }
  state.dues.push(newDue)
  for (const { id } of tyres) state.covers.set(id, cover)
  return cover
}

/** A season is charged once for what its rule has the price of, or the days cost nothing of their own, or that can't be known yet. */
function chargeSeason<T extends StoredTyre, R extends StorageRule>(
  current: Numbered<R>,
  tyre: T,
  { from, to }: { from: number; to: number },
  state: Walk<T, R>,
): void {
  const { rule, until: end } = current
  const season = seasonOf(
    current,
    tyre.stays.find(stay => isStored(stay, from)),
    { ...tyre, today: state.today },
  )
  if (season === 'open') return
  if (season !== 'owed') {
    const isPaid = season.document !== null
    state.included.push({ tyre, rule: rule.id, ...season, unit: null, from, to: isPaid ? end : to })
    if (isPaid) state.covers.set(tyre.id, { until: end, due: null })
    return
  }
  const unit = rule.per === 'vehicle' ? `of ${tyre.vehicle}` : rule.per === 'set' ? familyOf(tyre) : `${tyre.id}`
  const key = JSON.stringify([rule.id, unit])
  const due: Due<T, R> = state.seasons.get(key) ?? { rule, key: unit, quantity: 1, from, end, pays: [] }
  if (!state.seasons.has(key)) state.dues.push(due)
  state.seasons.set(key, due)
  due.pays.push({ tyre, from, to })
  state.covers.set(tyre.id, { until: end, due })
}

/** The tyres by vehicle, those of vehicles that share one together: a period that is paid for a wheel is paid wherever it is fitted. */
function linked<T extends StoredTyre>(tyres: readonly T[]): T[][] {
  const groups = new Map<number, { rows: T[] }>()
  const ofTyre = new Map<number, { rows: T[] }>()
  for (const its of Map.groupBy(tyres, ({ vehicle }) => vehicle).values()) {
    const earlier = new Set(its.flatMap(({ id }) => ofTyre.get(id) ?? []))
    const group = { rows: [...[...earlier].flatMap(({ rows }) => rows), ...its] }
    for (const { id, vehicle } of group.rows) {
      ofTyre.set(id, group)
      groups.set(vehicle, group)
    }
  }
  return [...new Set(groups.values())].map(({ rows }) => rows)
}

/** The charge for the storage of tyres. */
export type StorageCharge<T, R extends StorageRule> = {
  /** In the order of their first tyres, each by one rule. */
  units: StorageUnit<T, R>[]
  /** The days that the units pay: owed ones, and of a period or season also those to its end, whether the tyre is there or not. */
  paid: PaidDays<T>[]
  /** How many owed days of tyres that is. */
  days: number
  included: IncludedDays<T>[]
}

/**
 * The storage charged on the day `today` for the chosen tyres, and for others that are charged as one with them. A set or tyre is charged
 * each day on which it owes; a period from the first owed day that no other pays for, to its end on the calendar; a season once per unit of
 * its price. So it makes no difference how often documents are made. Equally specific rules don't overlap.
 */
export function storageUnits<T extends StoredTyre, R extends StorageRule>(
  tyres: readonly T[],
  rules: readonly R[],
  today: IsoDate,
): StorageCharge<T, R> {
  const byFacts = new Map<string, Numbered<R>[]>()
  const rulesOf = (facts: Facts): Numbered<R>[] => {
    const key = `${facts.sizeClass} ${facts.withRim}`
    const its = byFacts.get(key) ?? rulesFor(facts, rules)
    byFacts.set(key, its)
    return its
  }
  const nth = new Map<T, number>()
  for (const tyre of tyres) nth.set(tyre, nth.size)
  const units: StorageUnit<T, R>[] = []
  const paid: PaidDays<T>[] = []
  const included: IncludedDays<T>[] = []
  let days = 0
  for (const its of linked(tyres)) {
    const state: Walk<T, R> = {
      rulesOf,
      today: numberOf(today),
      dues: [],
      included: [],
      covers: new Map(),
      seasons: new Map(),
    }
    walk(its, state)
    const dues = state.dues.filter(({ pays }) => pays.some(({ tyre }) => tyre.chosen))
    units.push(...unitsOfDues(dues))
    paid.push(...paidBy(dues, (paid.at(-1)?.unit ?? 0) + 1))
    for (const { pays } of dues) for (const { from, to } of pays) days += to - from + 1
    included.push(...joined(state.included.filter(({ tyre }) => tyre.chosen)))
  }
  const firstOf = ({ tyres: its }: StorageUnit<T, R>) => Math.min(...its.map(tyre => nth.get(tyre) ?? 0))
  units.sort((a, b) => firstOf(a) - firstOf(b))
  return { units, paid, days, included }
}

/** Those of one rule for the same, one after the other, are one unit; a rule that holds again after another one charges by itself. */
function unitsOfDues<T extends StoredTyre, R extends StorageRule>(dues: readonly Due<T, R>[]): StorageUnit<T, R>[] {
  const units: StorageUnit<T, R>[] = []
  const current = new Map<string, { unit: StorageUnit<T, R>; counted: number }>()
  for (const { rule, key, quantity, pays } of dues) {
    const days = pays.toSorted((a, b) => a.from - b.from)
    let last = current.get(key)
    if (!last || last.unit.rule !== rule) {
      const since = dateOf((days[0]?.from ?? 0) - 1)
      last = { unit: { rule, tyres: [], days: 0, quantity: 0, since, until: since }, counted: Number.NEGATIVE_INFINITY }
      current.set(key, last)
      units.push(last.unit)
    }
    const { unit } = last
    unit.quantity += quantity
    for (const { tyre, from, to } of days) {
      if (!unit.tyres.some(({ id }) => id === tyre.id)) unit.tyres.push(tyre)
      unit.days += Math.max(0, to - Math.max(from - 1, last.counted))
      last.counted = Math.max(last.counted, to)
    }
    unit.until = dateOf(last.counted)
  }
  return units
}

/** The days that the dues pay, whose units are counted from `first` on; consecutive days of a tyre are merged. */
function paidBy<T extends StoredTyre, R extends StorageRule>(dues: readonly Due<T, R>[], first: number): PaidDays<T>[] {
  type Paid = Omit<PaidDays<T>, 'since' | 'until'> & { from: number; to: number; due: Due<T, R> }
  const paid: Paid[] = []
  const last = new Map<number, Paid>()
  const units = new Map<string, { unit: number; due: Due<T, R> }>()
  let count = first
  for (const due of dues) {
    const { rule, key, from: begins, end, pays } = due
    const isSeason = rule.mode === 'per_season' && rule.id !== null
    const current = units.get(key)
    const isOfUnit = current?.due.rule === rule && !isSeason && (end === null || current.due.end === begins - 1)
    const unit = isOfUnit ? current.unit : count++
    units.set(key, { unit, due })
    for (const { tyre, from, to } of pays) {
      const before = last.get(tyre.id)
      if (before?.due === due && end !== null) continue
      const until = end ?? to
      if (before?.unit === unit && before.to === from - 1) Object.assign(before, { to: until, due })
      else {
        const days = isSeason ? until - from + 1 : rule.mode === 'per_period' ? rule.period : null
        const season = isSeason ? rule.id : null
        const paidDays = { tyre, from, to: until, unit, isOfSet: rule.per === 'set', rule: rule.id, days, season, due }
        paid.push(paidDays)
        last.set(tyre.id, paidDays)
      }
    }
  }
  return paid.map(({ tyre, from, to, unit, isOfSet, rule, days, season }) => {
    return { tyre, since: dateOf(from - 1), until: dateOf(to), unit, isOfSet, rule, days, season }
  })
}

/** Included days, those in a row together. */
function joined<T extends StoredTyre>(included: Walk<T, StorageRule>['included']): IncludedDays<T>[] {
  const spans: IncludedDays<T>[] = []
  const last = new Map<number, IncludedDays<T>>()
  for (const { from, to, ...facts } of included) {
    const { tyre, rule, document, unit } = facts
    const before = last.get(tyre.id)
    if (
      before?.until === dateOf(from - 1) &&
      before.rule === rule &&
      before.document === document &&
      before.unit === unit
    )
      before.until = dateOf(to)
    else {
      const span = { ...facts, since: dateOf(from - 1), until: dateOf(to) }
      spans.push(span)
      last.set(tyre.id, span)
    }
  }
  return spans
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

/** The total of lines, in EUR: quantities are whole and prices have cents, so nothing is rounded. */
export const sumOf = (lines: readonly { quantity: number; price_excl: number }[]): number =>
  lines.reduce((sum, { quantity, price_excl }) => sum + quantity * centsOf(price_excl), 0) / 100

/** The amount in EUR that a document which charges something lacks to reach its minimum; 0 when it reaches it. */
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
