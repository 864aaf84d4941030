/** Readings of odometers, of one vehicle or of many (docs/product/vehicles.md "Odometer"). */
import { z } from 'zod'
import { tachometer } from '#domain/operations/operation.ts'
import { maxOdometerReadings } from '#domain/vehicles/odometer.ts'
import { call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { mountsChanged } from './mounts.ts'
import { id, inputId, isoDate, itemOrPlain, typedText } from './wire.ts'

const reading = z.object({
  date: isoDate,
  km: itemOrPlain(z.number().int().min(tachometer.min).max(tachometer.max)),
})

export const odometers = feature('odometers', {
  record: call({
    path: '/odometers/record',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({
      /** By the number of the vehicle, or by its plate. */
      readings: list(
        z.union([reading.extend({ flt_id: inputId }), reading.extend({ license_plate: typedText(40) })]),
        maxOdometerReadings,
        1,
      ),
      /** Accepts readings that contradict others. */
      unordered: z.boolean().optional(),
    }),
    output: z.object({
      /** Of each reading, in their order: what came of it. */
      readings: rows(
        z.object({
          _id: id.nullable(),
          outcome: z.enum(['recorded', 'known', 'unordered', 'future', 'missing', 'several']),
          /** The reading that it contradicts. */
          contradicts: z.object({ date: isoDate, km: z.number().int() }).nullable(),
        }),
      ),
    }),
    failures: ['record.missing', 'odometer.off'],
    invalidates: mountsChanged,
    summary:
      'Records odometers of up to 1,000 vehicles, each for itself: one that contradicts another reading, lies in the future, or whose plate is unknown or of several vehicles, is named and left out.',
  }),
  withdraw: call({
    path: '/odometers/withdraw',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId, reading: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: mountsChanged,
    summary: 'Takes a reading of an odometer back. It counts no longer.',
  }),
})
