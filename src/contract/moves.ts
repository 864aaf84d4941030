/** Tyres that go to another vehicle, and vehicles that leave the fleet (docs/product/vehicles.md "Moving a set"). */
import { z } from 'zod'
import { leavingActions } from '#domain/tyres/leaving.ts'
import { isReservedSetName } from '#domain/tyres/tyreSet.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { mountsChanged } from './mounts.ts'
import { id, inputId, inputTyres, isoDate, itemOrPlain, ofCustomer, tyre, typedText, vehicle } from './wire.ts'

const position = itemOrPlain(z.string().regex(/^[1-9][0-9]?[A-G]$/))
const setName = typedText(40).refine(name => !isReservedSetName(name), { message: 'setless' })

const moved: AnswerName[] = [
  ...mountsChanged,
  'locations.all',
  'moves.left',
  'today.read',
  'wheels.clearup',
  'wheels.tally',
]

const failures = [
  'record.missing',
  'record.changed',
  'set.positions_taken',
  'set.name_missing',
  'tyre.position_missing',
  'tyre.status_refused',
  'operation.tyres_busy',
  'operation.tyres_mixed',
] as const

export const moves = feature('moves', {
  tyres: call({
    path: '/fleet/movetyres',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: true,
    input: z.object({
      /** The vehicle to which they go. */
      flt_id: inputId,
      /** Tyres of one vehicle, each on the position that it has, or on this one. */
      tyres: list(z.object({ db_id: inputId, position: position.optional() }), 200, 1),
      /** The set in which they are there; none: in no set. */
      tyre_set: setName.nullish(),
      /** The day on which they go to another customer: administrators only. */
      date: isoDate.optional(),
      /** The vehicle on which they still are, or nothing is changed (`record.changed`). */
      expected: inputId.optional(),
    }),
    output: rows(tyre),
    failures: [...failures, 'vehicle.transfer_date', 'session.forbidden'],
    invalidates: [...moved, 'invoicing.customers', 'invoicing.left'],
    summary:
      'Moves tyres of a vehicle to another one, into one set, wherever they lie; what is mounted is taken off. Refused while they are in an open operation, or scrapped. An administrator may name a vehicle of another customer, and the day: stored days up to and including it, and all that happened, stay with the former one.',
  }),
  leave: call({
    path: '/fleet/leave',
    scope: 'operations',
    idempotent: true,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({
      flt_id: inputId,
      /** Groups of its tyres. One that is in none stays if it is in storage or in an open operation, and else goes with the vehicle. */
      groups: list(
        z.object({
          tyres: inputTyres(200),
          action: z.enum(leavingActions),
          /** The vehicle to which they move, and their set there. */
          to: inputId.optional(),
          tyre_set: setName.nullish(),
        }),
        100,
      ).default([]),
    }),
    output: z.object({
      flt_id: id,
      /** Tyres stay with it: it has left the fleet, and is found under them. Else it is removed. */
      left: z.boolean(),
      /** Pending recalls and disposals that were made for its tyres. */
      operations: rows(id),
    }),
    failures: [...failures, 'operation.tyres_refused', 'site.mode'],
    invalidates: [...moved, 'operations.fetch', 'operations.admin'],
    summary:
      'Takes a vehicle out of the fleet. Of each set of its tyres: it moves to another vehicle, stays without one, goes with the vehicle, or gets a pending recall or disposal.',
  }),
  left: call({
    path: '/fleet/left',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: ofCustomer,
    output: rows(vehicle),
    failures: ['record.missing'],
    summary:
      'Lists the vehicles that left the fleet of a customer and whose tyres did not, with these tyres. An administrator names the customer.',
  }),
})
