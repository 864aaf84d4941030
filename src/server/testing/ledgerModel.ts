/**
 * What the ledger of stored days must hold, kept day by day for each tyre: a second way to know it, which has no ranges, no stays and
 * no SQL. Days are numbers; day `n` of a stay that began on day `s` is stored when `n > s`.
 */

/** What a day of a tyre is. A day that is `none` was not stored, or is still to come. */
export const states = { none: 0, document: 1, marked: 2, waived: 3 } as const

type Mark = { before: number | null }

/** A tyre's days, from 0. */
export class TyreDays {
  readonly stored: Uint8Array
  readonly state: Uint8Array
  readonly document: Uint16Array
  /** On which day the entry of a day that a document charges begins, and how many days its periods have; 0: by the day. */
  readonly #entry: Int32Array
  readonly #period: Uint16Array
  /** By which waiver a day is waived. */
  readonly waiver: Float64Array
  #came: number | null = null
  readonly #comes = new Set<number>()
  invoicedOn: number | null = null
  readonly marks: Mark[] = []
  #noted = 0

  constructor(days: number) {
    this.stored = new Uint8Array(days)
    this.state = new Uint8Array(days)
    this.document = new Uint16Array(days)
    this.#entry = new Int32Array(days)
    this.#period = new Uint16Array(days)
    this.waiver = new Float64Array(days)
  }

  /** The day on which it came, while it is in the store. */
  get came(): number | null {
    return this.#came
  }
  set came(day: number | null) {
    this.#came = day
    if (day !== null) this.#comes.add(day)
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

  /** Charges what it owes, and so many days ahead that nothing has a state for; by the day, or by periods of so many days. */
  charge(of: { today: number; document: number; left: boolean; ahead: number; period: number }): void {
    const { today, document, left, ahead, period } = of
    const days = this.owed(today, left)
    for (let day = today + 1; day <= today + ahead; day++) if (this.state[day] === states.none) days.push(day)
    let entry = Number.NaN
    for (const [nth, day] of days.entries()) {
      // days in a row are one entry, and those of each stay apart
      if (days[nth - 1] !== day - 1 || this.#comes.has(day - 1)) entry = day
      this.#set(day, states.document, document)
      this.#entry[day] = entry
      this.#period[day] = period
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
   * and knows nothing of what was charged before.
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
    for (const [day, of] of this.document.entries()) if (of === document) this.#set(day, states.none)
  }

  /** How many days documents charge on which it was not in the store, after it had left. */
  get unused(): number {
    return this.state.reduce((sum, state, day) => sum + (this.#isUnused(state, day) ? 1 : 0), 0)
  }

  credit(): void {
    for (const [day, state] of this.state.entries()) if (this.#isUnused(state, day)) this.#set(day, states.none)
  }

  #isUnused(state: number, day: number): boolean {
    return (
      state === states.document &&
      this.stored[day] === 0 &&
      (this.came === null || day <= this.came) &&
      day > this.#begunTo(day)
    )
  }

  /** The end of the last period of the entry of a day that had begun while the wheel was there; before the entry, by the day. */
  #begunTo(day: number): number {
    const [first, period] = [this.#entry[day]!, this.#period[day]!]
    if (period === 0) return -1
    const isOfEntry = (other: number) =>
      this.state[other] === states.document &&
      this.document[other] === this.document[day] &&
      this.#entry[other] === first
    let there = day
    while (isOfEntry(there + 1)) there++
    while (there >= first && this.stored[there] === 0) there--
    return first - 1 + Math.ceil((there - first + 1) / period) * period
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
