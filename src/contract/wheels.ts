/** Wheels in the warehouse: steps in hand, jobs to clear up, and orphans (docs/product/warehouse.md "Where a wheel is"). */
import { z } from 'zod'
import { jobKinds, likenesses, settledKinds } from '#domain/warehouse/clearUp.ts'
import { differences } from '#domain/warehouse/count.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { hotelModes } from '#domain/site.ts'
import { depth, tyreStatuses } from '#domain/tyres/tyre.ts'
import { handSteps, wheelStates } from '#domain/tyres/wheel.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, inputTyres, moment, typedText, tyreNames } from './wire.ts'

const reason = typedText(500).pipe(z.string().min(1))
const state = z.enum(wheelStates)

/** The most jobs of one kind that are listed; the counts tell of the others. */
export const maxJobs = 200

const counts = z.record(z.enum(jobKinds), z.number().int())

/** A job: `tyres` are its wheels; what follows is of the first of them, or of the orphan. */
const job = z.object({
  kind: z.enum(jobKinds),
  /** Which job of its kind it is, as long as the situation is the same. */
  key: z.string(),
  tyres: rows(id),
  since: moment,
  flt_id: id.nullable(),
  seq_id: id.nullable(),
  ...tyreNames,
  tyre_status: z.enum(tyreStatuses).nullable(),
  state: state.nullable(),
  /** Where the wheel is, or the place that is kept for it; of a set in parts, where most of it lies. */
  location: id.nullable(),
  stock_site_name: z.string(),
  stock_rack: z.string(),
  orphan: id.nullable(),
  /** Of a damaged wheel. */
  damages: rows(z.enum(damageCodes)),
  /** The difference that a count found; `key` is its id. */
  counted: z
    .object({
      outcome: z.enum(differences),
      label_site: id.nullable(),
      label_tyre: id.nullable(),
      /** Where the records have it. */
      belongs: id.nullable(),
      belongs_rack: z.string(),
      placeable: z.boolean(),
    })
    .nullable(),
})
export type Job = z.output<typeof job>

const candidate = z.object({
  db_id: id,
  flt_id: id,
  seq_id: id,
  ...tyreNames,
  profile_depth: z.number().nullable(),
  state,
  why: rows(z.enum(likenesses)),
})

/** Answers that become stale when a wheel is moved, found or missed. */
export const wheelAnswers: AnswerName[] = [
  'cards.read',
  'wheels.clearup',
  'wheels.tally',
  'today.read',
  'operations.missing',
  'tyres.events',
  'operations.trail',
  'waves.all',
  'waves.round',
  'gate.read',
  'counts.all',
  'counts.report',
]

export const wheels = feature('wheels', {
  step: call({
    path: '/wheels/step',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ tyres: inputTyres(200), step: z.enum(handSteps) }),
    output: z.object({ state }),
    failures: ['record.missing', 'wheel.step'],
    invalidates: wheelAnswers,
    summary:
      'Takes a step with wheels in hand, all or none: picked, missing, found, handed back. A wheel that is there already stays as it is. Onto a place, a cart or a lane: /locations/move.',
  }),
  close: call({
    path: '/wheels/close',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ db_id: inputId, reason }),
    output: z.object({ state }),
    failures: ['record.missing', 'wheel.step'],
    invalidates: wheelAnswers,
    summary: 'Gives up the search for a missing wheel, with the reason: it is taken to be where the records say.',
  }),
  clearup: call({
    path: '/wheels/clearup',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: z.object({ counts, jobs: rows(job) }),
    summary: `Lists what is to be cleared up in the warehouse, oldest first, at most ${maxJobs} jobs of a kind.`,
  }),
  tally: call({
    path: '/wheels/tally',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: counts,
    summary: 'Counts what is to be cleared up, by kind.',
  }),
  settle: call({
    path: '/wheels/settle',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ kind: z.enum(settledKinds), key: z.string().min(1).max(2000), reason }),
    output: z.object({ key: z.string() }),
    invalidates: ['wheels.clearup', 'wheels.tally', 'today.read'],
    summary: 'Says that a job needs no action, with the reason. It is listed again when other wheels are concerned.',
  }),
  orphan: call({
    path: '/wheels/orphan',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z
      .object({
        size: typedText(40).default(''),
        brand: typedText(60).default(''),
        pattern: typedText(60).default(''),
        dot: typedText(20).default(''),
        depth: z.number().min(depth.min).max(depth.max).nullish(),
        note: typedText(500).default(''),
        location: inputId.nullish(),
      })
      .refine(({ size, brand, note }) => size + brand + note !== '', { path: ['size'] }),
    output: z.object({ orphan: id }),
    failures: ['record.missing'],
    invalidates: ['wheels.clearup', 'wheels.tally', 'today.read'],
    summary: 'Registers a wheel that stands in the hall without a label: nobody knows whose it is.',
  }),
  candidates: call({
    path: '/wheels/candidates',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ orphan: inputId }),
    output: rows(candidate),
    failures: ['record.missing'],
    summary: 'Ranks the tyres that an orphan may be, and says why.',
  }),
  identify: call({
    path: '/wheels/identify',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ orphan: inputId, db_id: inputId }),
    output: z.object({ state }),
    failures: ['record.missing', 'wheel.step'],
    invalidates: wheelAnswers,
    summary: 'Says which tyre an orphan is. The wheel stands in the hall then, until it is put on a place.',
  }),
  dismiss: call({
    path: '/wheels/dismiss',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ orphan: inputId, reason }),
    output: z.object({ orphan: id }),
    failures: ['record.missing'],
    invalidates: ['wheels.clearup', 'wheels.tally', 'today.read'],
    summary: 'Gives up an orphan, with the reason: scrapped, handed out.',
  }),
})
