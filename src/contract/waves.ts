/** Waves: recalls that are picked together (docs/product/warehouse.md "Waves"). */
import { z } from 'zod'
import { hotelModes } from '#domain/site.ts'
import { maxWave, pickOutcomes, stageOutcomes, waveUnits } from '#domain/warehouse/wave.ts'
import { wheelStates } from '#domain/tyres/wheel.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, inputTyres, isoDate, swapHalf } from './wire.ts'

const count = z.number().int()

/** A transport of a day: how many wheels of its submitted recalls are where. */
const due = z.object({
  day: isoDate,
  transport: id,
  operation_count: count,
  wheel_count: count,
  /** Still to be picked, and in no open wave. */
  free_count: count,
  picked_count: count,
  staged_count: count,
  loaded_count: count,
  missing_count: count,
})

const wave = z.object({
  _id: id,
  day: isoDate,
  transport: id,
  line_count: count,
  wheel_count: count,
  /** Lines with wheels that are still to be picked. */
  left_count: count,
  picked_count: count,
  staged_count: count,
  loaded_count: count,
  missing_count: count,
  /** Who works on it. */
  pickers: rows(z.string()),
})
export type Wave = z.output<typeof wave>

/** The outcomes of a scan or a command: those of domain/warehouse/wave.ts, and those of commands. */
const outcomes = [...pickOutcomes, ...stageOutcomes, 'missed', 'undone', 'nothing_to_do'] as const
export type RoundOutcome = (typeof outcomes)[number]

/** The next task of a picker. */
const round = z.object({
  wave,
  line: z
    .object({
      /** Its number in the wave. */
      line: count,
      location: id.nullable(),
      stock_site_name: z.string(),
      stock_rack: z.string(),
      companyname: z.string(),
      license_plate: z.string(),
      tyre_set: z.string(),
      description: z.string(),
      wheels: rows(z.object({ db_id: id, position: z.string(), state: z.enum(wheelStates) })),
      swap: swapHalf,
    })
    .nullable(),
  /** The wheels that this picker has picked and not staged yet. */
  carried: rows(z.object({ db_id: id, license_plate: z.string(), position: z.string() })),
  /** Where it goes: the lane with wheels of the same customers, else of the same transport and day, else an empty one. */
  lane: z.object({ _id: id, stock_site_name: z.string(), stock_rack: z.string() }).nullable(),
  outcome: z.enum(outcomes).nullable(),
  /** The wheels that were picked, staged, missed or put back. */
  tyres: rows(id),
})
export type Round = z.output<typeof round>

const moved: AnswerName[] = [
  'waves.all',
  'waves.round',
  'gate.read',
  'operations.trail',
  'cards.read',
  'wheels.clearup',
  'wheels.tally',
  'today.read',
  'tyres.events',
]
const ofWave = z.object({ wave: inputId })

export const waves = feature('waves', {
  all: call({
    path: '/waves/all',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: z.object({ due: rows(due), waves: rows(wave) }),
    summary: 'Lists the transports and days of submitted recalls with where their wheels are, and the open waves.',
  }),
  plan: call({
    path: '/waves/plan',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      day: isoDate,
      transport: inputId,
      most: z.number().int().min(1).max(maxWave),
      unit: z.enum(waveUnits),
    }),
    output: z.object({ wave: id, line_count: count, wheel_count: count }),
    failures: ['record.missing', 'wave.empty'],
    invalidates: ['waves.all'],
    summary:
      'Plans a wave of the submitted recalls of a day and transport, at most so many wheels or sets, in the order of the walk. Recalls are taken whole, and each wheel is in one open wave.',
  }),
  planday: call({
    path: '/waves/planday',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ day: isoDate }),
    output: z.object({ waves: rows(z.object({ wave: id, transport: id, line_count: count, wheel_count: count })) }),
    failures: ['wave.empty'],
    invalidates: ['waves.all'],
    summary:
      'Plans waves of all submitted recalls of a day that are to be picked and in no open wave: for each transport as many as it takes.',
  }),
  round: call({
    path: '/waves/round',
    scope: 'read',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: ofWave,
    output: round,
    failures: ['record.missing'],
    summary:
      'Answers the next line of a wave for this account on this device, which claims it, and what is carried. A line is of one picker at a time.',
  }),
  scan: call({
    path: '/waves/scan',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z
      .object({
        wave: inputId,
        db_id: inputId.optional(),
        location: inputId.optional(),
        ticsId: z.number().int().nullish(),
      })
      .refine(({ db_id, location }) => (db_id === undefined) !== (location === undefined)),
    output: round,
    failures: ['record.missing', 'wheel.step', 'location.full'],
    invalidates: moved,
    summary:
      'Takes the scan of a wheel or a lane by a picker: a wheel of the line is picked, what is carried is staged. Anything else changes nothing, and the outcome says why.',
  }),
  miss: call({
    path: '/waves/miss',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: ofWave,
    output: round,
    failures: ['record.missing', 'wheel.step'],
    invalidates: moved,
    summary: "Says that the wheels that are left to pick of the picker's line are missing.",
  }),
  undo: call({
    path: '/waves/undo',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ wave: inputId, tyres: inputTyres(50) }),
    output: round,
    failures: ['record.missing', 'wheel.step', 'location.full'],
    invalidates: moved,
    summary:
      'Puts wheels of a wave that were picked, or said to be missing, back on the place that is booked for them.',
  }),
  end: call({
    path: '/waves/end',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: ofWave,
    output: z.object({ wave: id }),
    failures: ['record.missing'],
    invalidates: ['waves.all', 'waves.round'],
    summary: 'Ends a wave. What it has not picked is free for another one.',
  }),
})
