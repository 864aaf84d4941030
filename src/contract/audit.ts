/** What was done, by whom and for whom (DESIGN §6 "audit"). Nothing here can be changed or taken away. */
import { z } from 'zod'
import { auditGroups } from '#domain/audit.ts'
import { oneLine } from '#domain/cell.ts'
import { call, feature } from './call.ts'
import { given, givenId, id, isoDate, moment, tooMuch } from './wire.ts'

/** How many entries a page holds, and a file. */
export const entriesPerPage = 50
export const entriesInFile = 10_000

/** Numbers of entries outgrow those of everything else. */
const entryId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const auditEntry = z.object({
  _id: entryId,
  at: moment,
  /** `operation.confirm`: one of domain/audit.ts. */
  action: z.string(),
  /** What it was done to: `vehicle 12`, the key of a text, the code of a site. */
  subject: z.string(),
  /** What that is called now: a plate, a path of the warehouse, a username; null where it has no name, or is gone. */
  called: z.string().nullable(),
  /** The vehicle that it is about, where there is one. */
  flt_id: id.nullable(),
  facts: z.record(z.string(), z.unknown()),
  /** Who did it; null for the command line. A superuser has no name at a site. */
  who: z.object({ _id: id, username: z.string().nullable(), fullname: z.string().nullable() }).nullable(),
  /** For whom, or whose it is. */
  customer: z.object({ seq_id: id, name: z.string() }).nullable(),
  /** Where; null for what belongs to no site. */
  site: z.object({ _id: id, name: z.string() }).nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

const filter = z.object({
  search: z
    .string()
    .max(100, tooMuch)
    .transform(text => oneLine(text.toWellFormed()))
    .optional(),
  group: z.enum(auditGroups).optional(),
  /** The account that did it. */
  account: givenId.optional(),
  seq_id: givenId.optional(),
  /** Only for a superuser: one site instead of all. */
  site: givenId.optional(),
  startDate: given(isoDate).optional(),
  endDate: given(isoDate).optional(),
})
export type AuditFilter = z.input<typeof filter>

export const audit = feature('audit', {
  list: call({
    path: '/audit/list',
    replicaSafe: true,
    who: ['admin', 'superuser'],
    input: filter.extend({ last: z.object({ at: moment, _id: entryId }).optional() }),
    output: z.object({ entries: z.array(auditEntry), more: z.boolean() }),
    summary: `What was done at the site from startDate to endDate (both included), newest first, ${entriesPerPage} a page, the next after \`last\`. A superuser hears of sites and the dictionary.`,
  }),
  people: call({
    path: '/audit/people',
    replicaSafe: true,
    who: ['admin', 'superuser'],
    input: z.object({ site: givenId.optional() }),
    output: z.array(z.object({ _id: id, username: z.string(), fullname: z.string() })),
    summary: 'The accounts that have done something.',
  }),
  export: call({
    path: '/audit/export',
    replicaSafe: true,
    costly: true,
    who: ['admin', 'superuser'],
    input: filter,
    output: z.object({ csv: z.string(), more: z.boolean() }),
    summary: `The same as a CSV file in words, ${entriesInFile} entries at most; \`more\` when there are others.`,
  }),
})
