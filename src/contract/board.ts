/** A tyre hotel's forecast of the next eight weeks (docs/product/season.md "Season board"). */
import { z } from 'zod'
import { holidays } from '#domain/operations/closedDays.ts'
import { placeTakes } from '#domain/warehouse/location.ts'
import { hotelModes } from '#domain/site.ts'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, isoDate } from './wire.ts'

const count = z.number().int()
/** Wheels that come in and go out. */
const flow = z.object({ in: count, out: count })

/** A day of the board; `expected` is what `stored`, the wheels in store at its end, reckons with. */
const boardDay = z.object({
  day: isoDate,
  /** The public holiday, or the name of the site's own, which may be empty; `null`: the site is open. */
  closed: z.object({ holiday: z.enum(holidays).nullable(), name: z.string() }).nullable(),
  done: flow,
  asked: flow,
  forecast: flow.nullable(),
  expected: flow,
  stored: count,
  /** The bookings of each transport on this day: recalls and their tyres, and storages that arrive by it and theirs. */
  transports: rows(
    z.object({ transport: id, operation_count: count, tyre_count: count, arrivals: count, arriving_tyres: count }),
  ),
})
export type BoardDay = z.output<typeof boardDay>

/** The places with the same limits; `null`: no limit. In mm and kg. `weeks`: how many wheels are expected there at the end of each week. */
const sizeClass = z.object({
  diameter: count.nullable(),
  width: count.nullable(),
  weight: count.nullable(),
  takes: z.enum(placeTakes).nullable(),
  place_count: count,
  capacity: count,
  held: count,
  /** Wheels of submitted storages for which a place is kept. */
  coming: count,
  weeks: rows(count),
})
export type SizeClass = z.output<typeof sizeClass>

const seasonBoard = z.object({
  today: isoDate,
  /** Wheels in store, and those of them that lie on no place. */
  stored: count,
  unplaced: count,
  days: rows(boardDay),
  /** Wheels of submitted operations without a date, and of those whose day has passed. */
  undated: flow,
  late: count,
  /** The limits of transports for a day; 0 is no limit. */
  transports: rows(z.object({ _id: id, weekdays: rows(count), operations_per_day: count, tyres_per_day: count })),
  /** `null`: there is none. */
  forecast: z
    .object({
      stored: count,
      stored_last_year: count,
      /** How far forecasts of so many past weeks were off, as a part of the wheels that moved. */
      error: z.object({ in: z.number().nullable(), out: z.number().nullable(), weeks: count }).nullable(),
    })
    .nullable(),
  classes: rows(sizeClass),
})
export type Board = z.output<typeof seasonBoard>

const unmoved = z.object({
  seq_id: id,
  companyname: z.string(),
  city: z.string(),
  sets: count,
  /** All of these wheels, with those of no set. */
  wheel_count: count,
  /** The earliest stock date. */
  since: isoDate,
})
export type Unmoved = z.output<typeof unmoved>

const admins = { who: ['admin'], warehouse: false, modes: hotelModes, scope: 'read', replicaSafe: true } as const
export const board = feature('board', {
  read: call({
    path: '/board/read',
    ...admins,
    input: noInput,
    output: seasonBoard,
    summary:
      'Answers eight weeks by day from the Monday of this week on: wheels in and out that were done, are asked and forecast, transports, closed days, and the wheels that are expected on the places of each size class.',
  }),
  unmoved: call({
    path: '/board/unmoved',
    ...admins,
    input: noInput,
    output: rows(unmoved),
    summary:
      'Lists the customers with tyres that came into the store twelve months ago or earlier and are still there, most first.',
  }),
})
