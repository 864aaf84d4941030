/** Mounted tyres: since when, and for how many kilometres (docs/product/vehicles.md "Mounted tyres"). */
import { z } from 'zod'
import { mountQuestions, mountSources, rotations } from '#domain/tyres/mount.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { odometerSources } from '#domain/vehicles/odometer.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, inputTyres, isoDate, itemOrPlain, ofCustomer } from './wire.ts'

const position = itemOrPlain(z.string().regex(/^[1-9][0-9]?[A-G]$/))
const kilometres = itemOrPlain(z.number().int().min(tachometer.min).max(tachometer.max))
/** Changes can outgrow 32 bits. */
const change = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

/** Answers that show what is mounted. */
export const mountsChanged: AnswerName[] = [
  'mounts.vehicle',
  'mounts.fleet',
  'cards.read',
  'fleet.fetch',
  'fleet.health',
  'fleet.history',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.vehicle',
  'tyres.events',
  'tyres.forecast',
]

const mount = z.object({
  tyre: id,
  position: z.string(),
  description: z.string(),
  tyre_set: z.string().nullable(),
  /** Of the vehicle on which it was, where that is another one. */
  license_plate: z.string().nullable(),
  since: isoDate,
  /** The day on which it was taken off; null while it is on the vehicle. */
  until: isoDate.nullable(),
  source: z.enum(mountSources),
  until_source: z.enum(mountSources).nullable(),
  /** Kilometres of this time; null where no odometer says, or the site does not ask for it. */
  km: z.number().int().nullable(),
})

const ofVehicle = z.object({
  flt_id: id,
  /** Newest first. */
  mounts: rows(mount),
  /** The kilometres of each tyre of the vehicle that was ever mounted. */
  tyres: rows(
    z.object({
      tyre: id,
      km: z.number().int(),
      /** Readings cover all of it, but for what was run since the last one. */
      complete: z.boolean(),
    }),
  ),
  /** Readings of the odometer, newest first. */
  readings: rows(
    z.object({
      _id: id,
      date: isoDate,
      km: z.number().int(),
      source: z.enum(odometerSources),
      /** It agrees with the others; one that does not counts for nothing. */
      agrees: z.boolean(),
    }),
  ),
})
export type VehicleMounts = z.output<typeof ofVehicle>
const afterChange = ofVehicle.extend({
  /** Names the change, to take it back; null: there was nothing to change. */
  change: change.nullable(),
})

const question = z.object({
  flt_id: id,
  license_plate: z.string(),
  kind: z.enum(mountQuestions),
  /** The tyres that it is about, and the set that they are of; none: of an odometer. */
  tyres: rows(id),
  tyre_set: z.string().nullable(),
  /** The day that is presumed. */
  date: isoDate,
  /** The set that sits there by the records, where that is another one. */
  other_set: z.string().nullable(),
})
export type MountedQuestion = z.output<typeof question>

const failures = [
  'record.missing',
  'record.changed',
  'mount.position_taken',
  'mount.date',
  'mount.twice',
  'mount.rotation',
  'odometer.order',
  'operation.tyres_busy',
  'operation.tyres_mixed',
  'tyre.position_missing',
  'tyre.status_refused',
] as const

export const mounts = feature('mounts', {
  vehicle: call({
    path: '/mounts/vehicle',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: ofVehicle,
    failures: ['record.missing'],
    summary:
      'Answers when which tyre was on a vehicle, the kilometres of each, and the odometer. Kilometres between two readings are counted by time.',
  }),
  fleet: call({
    path: '/mounts/fleet',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: ofCustomer,
    output: z.object({
      mounted: rows(
        z.object({ tyre: id, flt_id: id, position: z.string(), since: isoDate, source: z.enum(mountSources) }),
      ),
      questions: rows(question),
    }),
    failures: ['record.missing'],
    summary:
      'Answers what is mounted on the vehicles of a customer, and what the records leave open: presumptions to confirm and contradictions. Nothing is changed for them.',
  }),
  change: call({
    path: '/mounts/change',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({
      flt_id: inputId,
      /** The day of the change; without one today. */
      date: isoDate.optional(),
      /** The odometer on that day. */
      km: kilometres.nullish(),
      /** Accepts an odometer that contradicts another reading. */
      unordered: z.boolean().optional(),
      /** Tyres of the vehicle, each on the position that it has in its set, or on this one. */
      put: list(z.object({ db_id: inputId, position: position.optional() }), 200).optional(),
      /** Tyres that are taken off. */
      off: inputTyres(200).optional(),
      /** Takes off what sits on these positions; otherwise refused. */
      swap: z.boolean().optional(),
      /** Rotates what is mounted by a pattern instead. */
      rotation: z.enum(rotations).optional(),
    }),
    output: afterChange,
    failures,
    invalidates: mountsChanged,
    summary:
      'Mounts tyres, takes them off, swaps them with what is mounted, or rotates, all or none. What was presumed of a tyre is corrected: confirmed, or given another day.',
  }),
  deny: call({
    path: '/mounts/deny',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId, tyres: inputTyres(200) }),
    output: afterChange,
    failures: ['record.missing', 'record.changed', 'mount.date', 'operation.tyres_mixed'],
    invalidates: mountsChanged,
    summary:
      'Says that tyres which are presumed to be mounted never were. What was presumed to be taken off for them is on the vehicle still.',
  }),
  undo: call({
    path: '/mounts/undo',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId, change }),
    output: afterChange,
    failures: ['record.missing', 'record.changed', 'mount.date'],
    invalidates: mountsChanged,
    summary: 'Takes a change back whole, as long as nothing else has happened to what it changed.',
  }),
})
