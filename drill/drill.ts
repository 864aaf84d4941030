/** A figure of what must hold, and how it is shown: by doing the worst to a real portal, over and over. */

export type DrillOptions = {
  /** A few seconds of it, for `npm test`; otherwise as often as the figure says. */
  readonly short: boolean
  /** Takes sentences on what goes on and what went wrong. */
  readonly log: (sentence: string) => void
}

/** What came of it. The figure holds when something was tried and nothing failed. */
export type Figure = {
  readonly tried: number
  readonly failed: number
  /** What a reader of the figure has to know: parts of `tried`, and what this machine could not do. */
  readonly notes: readonly string[]
}

/** A module of this folder; drill/main.ts lists them all. */
export type Drill = {
  /** The number of the figure. */
  readonly line: number
  readonly says: string
  /** It measures how long something takes: nothing goes on beside it. */
  readonly alone?: boolean
  /** It takes many minutes: it begins before the others, so that at the end nobody waits for it alone. */
  readonly long?: boolean
  run(options: DrillOptions): Promise<Figure>
}

/** Counts what a drill tries and what of it fails, and says why as it happens. */
export function tally(log: DrillOptions['log']) {
  let tried = 0
  let failed = 0
  return {
    /** One try: `wrong` says what is wrong, `null` that all is well. */
    check(what: string, wrong: string | null | undefined): void {
      tried++
      if (wrong == null) return
      failed++
      log(`${what}: ${wrong}`)
    },
    /** As many tries at once, of which so many failed. */
    add(more: number, wrong: readonly string[]): void {
      tried += more
      failed += wrong.length
      for (const reason of wrong.slice(0, 20)) log(reason)
    },
    /** A check that has to see what is wrong: with `seen` false the check itself is worth nothing, which counts as failed. */
    control(what: string, seen: boolean): void {
      tried++
      if (seen) return
      failed++
      log(`${what}: the check does not see it`)
    },
    figure: (...notes: readonly string[]): Figure => ({ tried, failed, notes }),
  }
}
export type Tally = ReturnType<typeof tally>
