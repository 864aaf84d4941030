/** The labels of a day's storages in one print (docs/product/warehouse.md "Labels"). */
import { z } from 'zod'
import { hotelModes } from '#domain/site.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { inputId, inputTyres, isoDate, typedText } from './wire.ts'

/** The most labels of one print; those after them come with the next one. */
export const maxDayLabels = 1000

const count = z.number().int()
const admins = { who: ['admin'], warehouse: true, modes: hotelModes } as const

export const labels = feature('labels', {
  day: call({
    path: '/labels/day',
    scope: 'read',
    ...admins,
    input: z.object({ day: isoDate }),
    output: z.object({
      /** Labels that were not printed on this day. */
      waiting: count,
      printed: count,
    }),
    summary: 'Counts the labels of the storages of a day, and how many of them were printed on it.',
  }),
  print: call({
    path: '/labels/print',
    scope: 'warehouse',
    costly: true,
    ...admins,
    input: z.object({
      day: isoDate,
      report_id: inputId,
      /** Those that were printed on this day, too. */
      again: z.boolean().default(false),
    }),
    output: z.string(),
    failures: ['label.report_missing', 'label.none'],
    invalidates: ['labels.day'],
    summary: `Answers the labels of the storages of a day that were not printed on it, ${maxDayLabels} at most, as a PDF in base64.`,
  }),
  printers: call({
    path: '/labels/printers',
    scope: 'read',
    ...admins,
    input: z.object({}).optional(),
    output: rows(z.object({ name: z.string() })),
    summary: 'Lists the label printers that the operator of the portal has named for the site.',
  }),
  send: call({
    path: '/labels/send',
    scope: 'warehouse',
    costly: true,
    ...admins,
    input: z
      .object({
        printer: typedText(40).pipe(z.string().min(1)),
        report_id: inputId,
        /** Of these tyres, or of a day as `/labels/print` has them. */
        tyres: inputTyres(maxDayLabels).optional(),
        day: isoDate.optional(),
        again: z.boolean().default(false),
      })
      .refine(({ tyres, day }) => (tyres === undefined) !== (day === undefined)),
    output: z.object({ labels: count }),
    failures: [
      'record.missing',
      'label.report_missing',
      'label.none',
      'label.sheet',
      'label.printer_missing',
      'label.printer_failed',
    ],
    invalidates: ['labels.day'],
    summary: 'Sends labels in ZPL to a label printer of the site: of these tyres, or of the storages of a day.',
  }),
})
