/** The results of a run of the benchmark. */
import type { Job } from './jobs.ts'
import type { Load } from './generator.ts'
import type { Limit } from './portal.ts'

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2
}

/** Both sides of a job in one round. */
export type Round = { readonly limit: Limit; readonly load: Load }

/** A job over all rounds, in medians; times in ms. */
export type Measured = {
  readonly name: string
  readonly ratio: number
  readonly perSecond: number
  readonly limitPerSecond: number
  readonly p50: number
  readonly p99: number
  /** The slowest hundredth of the limit's own. */
  readonly limitP99: number
}

const rate = ({ load }: Round): number => load.requests / load.seconds

export const ratiosOf = (rounds: readonly Round[]): number[] => rounds.map(round => rate(round) / round.limit.perSecond)

export const summed = (job: Job, rounds: readonly Round[]): Measured => ({
  name: job.name,
  ratio: median(ratiosOf(rounds)),
  perSecond: median(rounds.map(rate)),
  limitPerSecond: median(rounds.map(({ limit }) => limit.perSecond)),
  p50: median(rounds.map(({ load }) => load.p50)),
  p99: median(rounds.map(({ load }) => load.p99)),
  limitP99: median(rounds.map(({ limit }) => limit.p99)),
})

/** How a figure compares with its target. */
export type Verdict = 'good' | 'reached' | 'short'

/** A figure and the goal it is compared with, in words, and how it stands. */
export type Row = { readonly what: string; readonly found: string; readonly reach: string; readonly verdict: Verdict }

/** A job by its ratio, or, where that says nothing (HTTP bounds it), by the rate of scans of the same run. */
export function verdictOf(
  job: Job,
  measured: Measured,
  scans: number | undefined,
): { reach: string; verdict: Verdict } | null {
  if (job.reach !== null) {
    const verdict = measured.ratio < job.reach ? 'short' : measured.ratio > (job.good ?? 1) ? 'good' : 'reached'
    return { reach: `≥ ${job.reach.toFixed(2)}`, verdict }
  }
  if (scans === undefined) return null
  return { reach: `≥ ${Math.round(scans)}/s`, verdict: measured.perSecond < scans ? 'short' : 'reached' }
}

export const limitVerdict = (measured: number, { reach, good }: { reach: number; good?: number }): Verdict =>
  measured > reach ? 'short' : good !== undefined && measured <= good ? 'good' : 'reached'
