/** Irregularities in the warehouse, as jobs with their next actions (docs/product/warehouse.md "To clear up"). */
import { type Difference, solutions } from './count.ts'

/** Differences that a count found and that are still unsolved. */
export const countKinds = ['displaced', 'twice', 'strange', 'uncounted'] as const
export type CountKind = (typeof countKinds)[number]

export const jobKinds = [
  'missing',
  'orphan',
  'resting',
  'unplaced',
  'split',
  'three',
  'over',
  'anyway',
  'damaged',
  ...countKinds,
] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * The kinds that count as work of today. Wheels that an import brought without a rack are a backlog: they are listed on the screen, and are
 * no news at its entry.
 */
export const countedKinds = jobKinds.filter(kind => kind !== 'unplaced')

/** How much there is to clear up, of all kinds that count. */
export const countedJobs = (jobs: Readonly<Partial<Record<JobKind, number>>>): number =>
  countedKinds.reduce((sum, kind) => sum + (jobs[kind] ?? 0), 0)

/** The actions for each kind of job, the most frequent first. */
export const jobActions = {
  missing: ['find', 'close'],
  orphan: ['identify', 'dismiss'],
  resting: ['place', 'hand_back', 'miss'],
  unplaced: ['place'],
  split: ['together', 'settle'],
  three: ['vehicle', 'settle'],
  over: ['location', 'settle'],
  anyway: ['seen', 'miss'],
  damaged: ['card', 'settle'],
  displaced: solutions.moved,
  twice: solutions.twice,
  strange: ['register', ...solutions.foreign],
  uncounted: solutions.missing,
} as const satisfies Record<JobKind, readonly string[]>
export type JobAction = (typeof jobActions)[JobKind][number]

/** The job that a difference is. */
export const kindOfDifference = {
  moved: 'displaced',
  twice: 'twice',
  foreign: 'strange',
  unknown: 'strange',
  missing: 'uncounted',
} as const satisfies Record<Difference, CountKind>

/** The kinds that can be found right as they are, with a reason. */
export const settledKinds = ['split', 'three', 'over', 'damaged'] as const satisfies readonly JobKind[]

/** Why a tyre may be the orphan. */
export const likenesses = ['missing', 'expected', 'set', 'size', 'brand', 'pattern', 'depth'] as const
export type Likeness = (typeof likenesses)[number]

/** The weight of each reason when candidates are ranked. */
export const weights = {
  missing: 4,
  size: 4,
  expected: 3,
  set: 2,
  brand: 2,
  pattern: 2,
  depth: 1,
} as const satisfies Record<Likeness, number>

/** For how many days a missing wheel counts as lately missed. */
export const lateDays = 42
/** Depths of one tyre that differ by more, in mm, are of two. */
export const sameDepthMm = 0.8
/** For how many days it is listed that a storage was confirmed without a scan. */
export const anywayDays = 30
