/** The work of a tyre hotel today (docs/product/screens.md "Home screens"). */
import { z } from 'zod'
import { jobKinds } from '#domain/warehouse/clearUp.ts'
import { ages } from '#domain/money/payment.ts'
import { hotelModes } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { isoDate } from './wire.ts'

const count = z.number().int()
/** Submitted operations, and the tyres of them that are still open. */
const some = z.object({ operation_count: count, tyre_count: count })

const work = z.object({
  today: isoDate,
  /** Submitted operations of which every tyre was scanned, by type. */
  to_confirm: z.record(z.enum(offeredTypes), count),
  /** Recalls and disposals of today and tomorrow; `unpicked_count` of its tyres are not picked yet. */
  leaving: rows(some.extend({ day: isoDate, unpicked_count: count })),
  /** Operations whose day has passed: those that leave, and those that come. */
  late: z.object({ out: some, in: some }),
  /** Storages of today, and those that come without a day. */
  arriving: some,
  undated: some,
  /** By kind, as `/wheels/tally` counts them. */
  to_clear_up: z.record(z.enum(jobKinds), count),
  /** Of the invoices that the site follows, in EUR: what is open, by age, and what is overdue. Null where it follows none. */
  unpaid: z
    .object({
      open: z.number(),
      overdue: z.number(),
      overdue_count: count,
      ages: z.record(z.enum(ages), z.number()),
      /** Lines of bank statements that ask. */
      bank_line_count: count,
    })
    .nullable(),
})
export type Work = z.output<typeof work>

export const today = feature('today', {
  read: call({
    path: '/today/read',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: noInput,
    output: work,
    summary:
      'Counts what is to be done today: what can be confirmed, what leaves today and tomorrow, what is late, what arrives, and what is to be cleared up.',
  }),
})
