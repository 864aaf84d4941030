/** A drill: a fault-injection test that shows one numbered promise of docs/promises.md on real processes. */

export type DrillOptions = {
  /** The short form that `npm run test:whole` runs, and `npm test` where it takes seconds; otherwise as often as docs/promises.md says. */
  readonly short: boolean
  /** Logs a line about progress or a failure. */
  readonly log: (sentence: string) => void
}

/** The promise holds when something was tried and nothing failed. */
export type Result = {
  readonly tried: number
  readonly failed: number
  /** The parts of `tried`, and the checks that this machine could not run. */
  readonly notes: readonly string[]
}

/** The exports of a module of this folder; drill/main.ts lists them all. */
export type Drill = {
  /** Its number in docs/promises.md. */
  readonly promise: number
  readonly summary: string
  /** It measures durations: nothing else runs beside it. */
  readonly alone?: boolean
  /** It takes many minutes, so it starts before the others. */
  readonly long?: boolean
  run(options: DrillOptions): Promise<Result>
}

/** Counts what a drill tries and what fails, and logs each failure. */
export function tally(log: DrillOptions['log']) {
  let tried = 0
  let failed = 0
  return {
    /** One check: `wrong` describes the fault, `null` for none. */
    check(what: string, wrong: string | null | undefined): void {
      tried++
      if (wrong == null) return
      failed++
      log(`${what}: ${wrong}`)
    },
    /** Many checks at once; `wrong` has one entry per failure. */
    add(more: number, wrong: readonly string[]): void {
      tried += more
      failed += wrong.length
      for (const reason of wrong.slice(0, 20)) log(reason)
    },
    /** A negative control: the check has to find a planted fault. With `seen` false the check is useless, which counts as failed. */
    control(what: string, seen: boolean): void {
      tried++
      if (seen) return
      failed++
      log(`${what}: the check does not find it`)
    },
    result: (...notes: readonly string[]): Result => ({ tried, failed, notes }),
  }
}
export type Tally = ReturnType<typeof tally>
