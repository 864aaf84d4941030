/** What a site prints its labels on, kept by its administrator (SPEC §3 "labelReports"). */
import { z } from 'zod'
import { labelLayouts, labelNameMax } from '#domain/label.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { given, givenId, id, item, labelReport, typed } from './wire.ts'

/** A label report with the layout that it prints. */
export const keptLabelReport = labelReport.extend({ rpt_layout: item(z.enum(labelLayouts)) })
export type KeptLabelReport = z.output<typeof keptLabelReport>

const changed: AnswerName[] = ['labelReports.all', 'site.tsconfigdata']

export const labelReports = feature('labelReports', {
  all: call({
    path: '/hotelconfig/labelreports',
    who: ['admin'],
    modes: hotelModes,
    input: z.unknown().transform(() => ({})),
    output: z.array(keptLabelReport),
    summary: 'The label reports of the site with their layouts, by number.',
  }),
  save: call({
    path: '/hotelconfig/savelabelreport',
    who: ['admin'],
    modes: hotelModes,
    idempotent: true,
    input: z.object({
      /** Without one it is new, and gets the next. */
      rpt_number: givenId.optional(),
      rpt_name: given(typed(labelNameMax).pipe(z.string().min(1))),
      rpt_layout: given(z.enum(labelLayouts)),
    }),
    output: keptLabelReport,
    failures: ['record.missing', 'label.name_taken'],
    invalidates: changed,
    summary: 'Adds a label report, or gives one another name or layout.',
  }),
  remove: call({
    path: '/hotelconfig/deletelabelreport',
    who: ['admin'],
    modes: hotelModes,
    input: z.object({ rpt_number: givenId }),
    output: z.object({ rpt_number: id }),
    failures: ['record.missing', 'label.last'],
    invalidates: changed,
    summary: 'Removes a label report; the last one stays.',
  }),
})
