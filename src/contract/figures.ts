/** The figures for the owner of a tyre hotel (docs/product/money.md "Figures"). */
import { z } from 'zod'
import { figureClasses, figureKinds } from '#domain/money/figures.ts'
import { ages } from '#domain/money/payment.ts'
import { hotelModes } from '#domain/site.ts'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, isoDate } from './wire.ts'

const count = z.number().int()
/** In EUR without tax. */
const amount = z.number()

const revenue = z.object({
  /** By the first day of the month in which it was earned; months and kinds without anything are left out. */
  rows: rows(z.object({ month: isoDate, kind: z.enum(figureKinds), owed: amount, charged: amount, waived: amount })),
  months: rows(isoDate),
  /** Owed of earlier months, and charged in advance for later ones. */
  earlier_owed: amount,
  later_charged: amount,
})
export type Revenue = z.output<typeof revenue>

const occupancy = z.object({
  /** The last days of the weeks. */
  weeks: rows(isoDate),
  /** Wheels in store at the end of each week; classes without any are left out. */
  classes: rows(z.object({ class: z.enum(figureClasses), stored: rows(count) })),
  /** The capacity of the places today. */
  capacity: count,
})

const largest = z.object({
  customers: rows(
    z.object({ seq_id: id, companyname: z.string(), city: z.string(), wheel_count: count, charged_excl: amount }),
  ),
  wheel_count: count,
  charged_excl: amount,
})
export type LargestCustomers = z.output<typeof largest>

/** Days from the submission of a recall to its delivery, of the recalls that were delivered in a month. */
const deliveries = z.object({
  months: rows(isoDate),
  rows: rows(z.object({ month: isoDate, recall_count: count, median: count, p90: count })),
})
export type Deliveries = z.output<typeof deliveries>

/** In EUR, by how long it has been due. */
const aged = z.record(z.enum(ages), amount)
const unpaid = z.object({
  /** Whether the site follows the payments of its invoices. */
  followed: z.boolean(),
  open: amount,
  ages: aged,
  customers: rows(z.object({ seq_id: id, companyname: z.string(), open: amount, ages: aged })),
})
export type UnpaidFigures = z.output<typeof unpaid>

const admins = { who: ['admin'], warehouse: false, modes: hotelModes, scope: 'read', replicaSafe: true } as const
export const figures = feature('figures', {
  revenue: call({
    path: '/figures/revenue',
    ...admins,
    input: noInput,
    output: revenue,
    summary: 'Answers what was earned in each of thirteen months, by kind: owed, charged and waived.',
  }),
  occupancy: call({
    path: '/figures/occupancy',
    ...admins,
    input: noInput,
    output: occupancy,
    summary: 'Answers how many wheels were in store at the end of each of 53 weeks, by size class.',
  }),
  customers: call({
    path: '/figures/customers',
    ...admins,
    input: noInput,
    output: largest,
    summary:
      'Lists the twenty largest customers: what documents of the last twelve months charge, and wheels in store.',
  }),
  deliveries: call({
    path: '/figures/deliveries',
    ...admins,
    input: noInput,
    output: deliveries,
    summary:
      'Answers the median and the 90th percentile of the days between recall and delivery, by month of the delivery.',
  }),
  unpaid: call({
    path: '/figures/unpaid',
    ...admins,
    input: noInput,
    output: unpaid,
    summary:
      'Answers the aged balance of invoices whose payment the site follows: what is open by how long it has been due, and the twenty customers who owe most.',
  }),
})
