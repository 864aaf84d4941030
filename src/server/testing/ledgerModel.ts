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
  /** By which waiver a day is waived. */
  readonly waiver: Float64Array
  /** The day on which it came, while it is in the store. */
  came: number | null = null
  invoicedOn: number | null = null
  readonly marks: Mark[] = []
  #noted = 0

  constructor(days: number) {
    this.stored = new Uint8Array(days)
    this.state = new Uint8Array(days)
    this.document = new Uint16Array(days)
    this.waiver = new Float64Array(days)
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

  /** Charges what it owes, and so many days ahead that nothing has a state for. */
  charge({ today, document, left, ahead }: { today: number; document: number; left: boolean; ahead: number }): void {
    for (const day of this.owed(today, left)) this.#set(day, states.document, document)
    for (let day = today + 1; day <= today + ahead; day++)
      if (this.state[day] === states.none) this.#set(day, states.document, document)
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
    return state === states.document && this.stored[day] === 0 && (this.came === null || day <= this.came)
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
