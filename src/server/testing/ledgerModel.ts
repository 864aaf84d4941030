/**
 * A model of the ledger of stored days, kept day by day for each tyre: a second way to compute it, which has no ranges, no stays and
 * no SQL. Days are numbers; day `n` of a stay that began on day `s` is stored when `n > s`.
 */

/** The states of a tyre's day. A day that is `none` was not stored, or is still to come. */
export const states = { none: 0, document: 1, marked: 2, waived: 3 } as const

type Mark = { before: number | null }

/** Days that a document charges as one: by the day, or by periods of so many days that follow one another from the first one on. */
type Unit = {
  readonly document: number
  readonly isOfSet: boolean
  readonly period: number | null
  readonly begins: number
  readonly tyres: Set<TyreDays>
}

/** Days that are owed as one, and the days of tyres that they pay for. */
type Due = { begins: number; end: number | null; pays: [tyre: TyreDays, day: number][] }

/**
 * Charges the unpaid days of the wheels of one set together, or of each by itself: for a chosen wheel the days of its present stay, or
 * with `left` of those that ended, and the days that are owed as one with them. Returns whether there were any.
 */
export function chargeSet(
  set: readonly TyreDays[],
  selection: {
    chosen: ReadonlySet<TyreDays>
    left: boolean
    together: boolean
    period: number | null
    today: number
    document: number
  },
): boolean {
  const groups = selection.together ? [set] : set.map(tyre => [tyre])
  return groups.map(group => chargeGroup(group, set, selection)).some(Boolean)
}

function chargeGroup(
  group: readonly TyreDays[],
  set: readonly TyreDays[],
  selection: Parameters<typeof chargeSet>[1],
): boolean {
  const { chosen, left, together, period, document } = selection
  const isChosen = ([tyre, day]: readonly [TyreDays, number]) =>
    chosen.has(tyre) && day > (tyre.came ?? Number.POSITIVE_INFINITY) === !left
  const { dues, free } = duesOf(group, set, selection)
  for (const { tyre, day, end, unit } of free) if (isChosen([tyre, day])) tyre.pay(day, end, unit, true)
  const charged = dues.filter(({ pays }) => pays.some(isChosen))
  let unit: Unit | undefined
  let last: number | null = null
  for (const { begins, end, pays } of charged) {
    if (!unit || (end !== null && last !== begins - 1))
      unit = { document, isOfSet: together, period, begins, tyres: new Set() }
    last = end
    for (const [tyre, day] of pays) {
      unit.tyres.add(tyre)
      if (tyre.state[day] === states.none) tyre.pay(day, end ?? day, unit, false)
    }
  }
  return charged.length > 0
}

/** Of a day that is paid with others, the last of them. */
const endOf = (payer: { unit: Unit; end: number } | undefined, period: number | null, day: number): number | null => {
  if (payer) return payer.unit.period === null ? null : payer.end
  return period === null ? null : day + period - 1
}

type Free = { tyre: TyreDays; day: number; end: number; unit: Unit }

/** The days that wheels owe as one, and the days that are free for them because a document pays for the set. */
function duesOf(
  group: readonly TyreDays[],
  set: readonly TyreDays[],
  { together, period, today }: { together: boolean; period: number | null; today: number },
): { dues: Due[]; free: Free[] } {
  const dues: Due[] = []
  const free: Free[] = []
  const covers = new Map<TyreDays, { end: number; due: Due | null }>()
  for (let day = 0; day <= today; day++) {
    const owing = group.filter(tyre => tyre.stored[day] === 1 && tyre.state[day] === states.none)
    const ofSet = dues.at(-1)
    if (ofSet && ofSet.end !== null && ofSet.end >= day)
      for (const tyre of owing)
        if ((covers.get(tyre)?.end ?? -1) < day) covers.set(tyre, { end: ofSet.end, due: ofSet })
    for (const tyre of owing) {
      const cover = covers.get(tyre)
      if (cover && cover.end >= day) cover.due?.pays.push([tyre, day])
    }
    const uncovered = owing.filter(tyre => (covers.get(tyre)?.end ?? -1) < day)
    if (uncovered.length === 0) continue
    const payer = payerOf(set, day, together)
    const end = endOf(payer, period, day)
    let due: Due | null = null
    if (payer) for (const tyre of uncovered) free.push({ tyre, day, ...payer })
    else dues.push((due = { begins: day, end, pays: uncovered.map(tyre => [tyre, day]) }))
    if (end !== null) for (const tyre of uncovered) covers.set(tyre, { end, due })
  }
  return { dues, free }
}

/** The document that pays a day of a set, by the day where sets are charged: of several the one whose period ends last, then the first. */
function payerOf(set: readonly TyreDays[], day: number, together: boolean): { unit: Unit; end: number } | undefined {
  return set
    .flatMap(tyre => {
      const unit = tyre.chargedBy(day)
      if (!unit?.isOfSet || (!together && unit.period === null)) return []
      const { begins, period } = unit
      return [{ unit, end: period === null ? day : begins - 1 + Math.ceil((day - begins + 1) / period) * period }]
    })
    .toSorted((a, b) => b.end - a.end || a.unit.document - b.unit.document)[0]
}

/** A tyre's days, from 0. */
export class TyreDays {
  readonly stored: Uint8Array
  readonly state: Uint8Array
  readonly document: Uint16Array
  /** Of a day that a document settles the unit, and whether it is charged or included. */
  readonly #unit: (Unit | undefined)[] = []
  readonly #included = new Set<number>()
  /** By which waiver a day is waived. */
  readonly waiver: Float64Array
  #came: number | null = null
  invoicedOn: number | null = null
  readonly marks: Mark[] = []
  #noted = 0

  constructor(days: number) {
    this.stored = new Uint8Array(days)
    this.state = new Uint8Array(days)
    this.document = new Uint16Array(days)
    this.waiver = new Float64Array(days)
  }

  /** The day on which it came, while it is in the store. */
  get came(): number | null {
    return this.#came
  }
  set came(day: number | null) {
    this.#came = day
  }

  /** Notes that the days up to today were stored, if it is in the store. */
  note(today: number): void {
    if (this.came !== null)
      for (let day = Math.max(this.came, this.#noted) + 1; day <= today; day++) this.stored[day] = 1
    this.#noted = today
  }

  /** The owed days: of the stay that it is in, or of those that ended. */
  owed(today: number, left: boolean): number[] {
    const present = this.came ?? Number.POSITIVE_INFINITY
    const days = []
    for (let day = 0; day <= today; day++)
      if (this.stored[day] === 1 && this.state[day] === states.none && day > present === !left) days.push(day)
    return days
  }

  /** By which unit a document charges this day, if one does. */
  chargedBy(day: number): Unit | undefined {
    return this.state[day] === states.document && !this.#included.has(day) ? this.#unit[day] : undefined
  }

  /** A unit of a document pays these days, as far as nothing else does. */
  pay(from: number, to: number, unit: Unit, isIncluded: boolean): void {
    if (isIncluded) unit.tyres.add(this)
    for (let day = from; day <= to; day++)
      if (this.state[day] === states.none) {
        this.#set(day, states.document, unit.document)
        this.#unit[day] = unit
        if (isIncluded) this.#included.add(day)
        else this.#included.delete(day)
      }
  }

  waive({ today, left, waiver }: { today: number; left: boolean; waiver: number }): void {
    for (const day of this.owed(today, left)) {
      this.#set(day, states.waived)
      this.waiver[day] = waiver
    }
  }

  takeBack(waiver: number): void {
    for (const [day, state] of this.state.entries())
      if (state === states.waived && this.waiver[day] === waiver) this.#set(day, states.none)
  }

  /**
   * Its vehicle goes to another customer: this one's last stored day is \`on\`. Answers the days of the other, who owes those after it
   * and knows nothing of earlier charges.
   */
  handOver(on: number, today: number): TyreDays {
    const theirs = new TyreDays(this.stored.length)
    if (this.came !== null) {
      this.stored.fill(0, on + 1)
      this.came = null
      theirs.came = on
    }
    theirs.note(today)
    return theirs
  }

  /** Sets the last invoice date, or clears it with null. */
  mark(date: number | null): void {
    if (date === this.invoicedOn) return
    this.marks.push({ before: this.invoicedOn })
    this.#setInvoiced(date)
  }

  undo(): void {
    const last = this.marks.pop()
    if (last && last.before !== this.invoicedOn) this.#setInvoiced(last.before)
  }

  withdraw(document: number): void {
    for (const [day, owner] of this.document.entries()) if (owner === document) this.#set(day, states.none)
  }

  /** How many days documents charge for nothing. */
  get unused(): number {
    return this.state.reduce((sum, _, day) => sum + (this.#isUnused(day) ? 1 : 0), 0)
  }

  /** Credits days that are charged without storage, as one with days of this tyre, also for others. */
  credit(): void {
    const units = new Set([...this.state.keys()].flatMap(day => this.chargedBy(day) ?? []))
    for (const unit of units) {
      const unused = [...unit.tyres].flatMap(tyre =>
        [...tyre.state.keys()]
          .filter(day => tyre.chargedBy(day) === unit && tyre.#isUnused(day))
          .map(day => ({ tyre, day })),
      )
      for (const { tyre, day } of unused) tyre.#set(day, states.none)
      if (unused.length > 0 && unit.period !== null) for (const tyre of unit.tyres) tyre.#excludeFrom(unit)
    }
  }

  /** The days that a unit of periods includes are owed again. */
  #excludeFrom(unit: Unit): void {
    for (const day of this.#included)
      if (this.#unit[day] === unit && this.state[day] === states.document) this.#set(day, states.none)
  }

  #isThere(day: number): boolean {
    return this.stored[day] === 1 || (this.#came !== null && day > this.#came)
  }

  /** By the day nothing that is charged as one was there on it; with periods on the first day of its period, or of one before. */
  #isUnused(day: number): boolean {
    const unit = this.chargedBy(day)
    if (!unit) return false
    const { period, begins, tyres } = unit
    const isThere = (first: number) => [...tyres].some(tyre => tyre.#isThere(first))
    if (period === null) return !isThere(day)
    for (let first = begins; first <= day; first += period) if (!isThere(first)) return true
    return false
  }

  #setInvoiced(date: number | null): void {
    this.invoicedOn = date
    for (const [day, stored] of this.stored.entries()) {
      if (stored === 0 || (this.came !== null && day <= this.came)) continue
      if (this.state[day] === states.marked) this.#set(day, states.none)
      if (date !== null && day <= date && this.state[day] === states.none) this.#set(day, states.marked)
    }
  }

  #set(day: number, state: number, document = 0): void {
    this.state[day] = state
    this.document[day] = document
  }
}
