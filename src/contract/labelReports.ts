/** The label reports of a site, for its administrator (docs/product/warehouse.md "Labels"). */
import { z } from 'zod'
import { labelLayouts, maxLabelNameLength } from '#domain/warehouse/label.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { itemOrPlain, inputId, id, item, labelReport, typedText } from './wire.ts'

/** A label report with the layout that it prints. */
const adminLabelReport = labelReport.extend({ rpt_layout: item(z.enum(labelLayouts)) })
export type AdminLabelReport = z.output<typeof adminLabelReport>

const changed: AnswerName[] = ['labelReports.all', 'site.tsconfigdata']

export const labelReports = feature('labelReports', {
  all: call({
    path: '/hotelconfig/labelreports',
    scope: 'read',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: noInput,
    output: rows(adminLabelReport),
    summary: 'Lists the label reports of the site with their layouts, by number.',
  }),
  save: call({
    path: '/hotelconfig/savelabelreport',
    scope: null,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      /** Without a number it is new, and gets the next one. */
      rpt_number: inputId.optional(),
      rpt_name: itemOrPlain(typedText(maxLabelNameLength).pipe(z.string().min(1))),
      rpt_layout: itemOrPlain(z.enum(labelLayouts)),
    }),
    output: adminLabelReport,
    failures: ['record.missing', 'label.name_taken'],
    invalidates: changed,
    summary: 'Adds a label report, or changes its name and layout.',
  }),
  remove: call({
    path: '/hotelconfig/deletelabelreport',
    scope: null,
    who: ['admin'],
    warehouse: false,
    modes: hotelModes,
    input: z.object({ rpt_number: inputId }),
    output: z.object({ rpt_number: id }),
    failures: ['record.missing', 'label.last'],
    invalidates: changed,
    summary: 'Removes a label report. The last one cannot be removed.',
  }),
})
