/** Reading the audit: who did what for whom (docs/product.md "Audit"). No call changes or deletes an entry. */
import { z } from 'zod'
import { auditGroups } from '#domain/audit.ts'
import { oneLine } from '#domain/cell.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { itemOrPlain, inputId, id, isoDate, moment, tooMuch } from './wire.ts'

/** How many entries a page has, and an exported file. */
export const entriesPerPage = 50
export const entriesInFile = 10_000

/** Entries can outgrow 32 bits; other ids do not. */
export const entryId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const auditEntry = z.object({
  _id: entryId,
  at: moment,
  /** `operation.confirm`: one of domain/audit.ts. */
  action: z.string(),
  /** The record that it was done to: `vehicle 12`, the key of a text, or the code of a site. */
  subject: z.string(),
  /** The present name of the subject: a plate, a stock location, a username. Null where it has no name, or no longer exists. */
  called: z.string().nullable(),
  /** The vehicle that the entry is about, if any. */
  flt_id: id.nullable(),
  facts: z.record(z.string(), z.unknown()),
  /** Who did it, null for the command line. At a site a superuser has no name. */
  who: z.object({ _id: id, username: z.string().nullable(), fullname: z.string().nullable() }).nullable(),
  /** The access token by which it was done, if that still has a name. */
  token: z.string().nullable(),
  /** The customer for whom it was done, or whose the subject is. */
  customer: z.object({ seq_id: id, name: z.string() }).nullable(),
  /** The site; null for subjects of no site. */
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
  /** Entries of this account only. */
  account: inputId.optional(),
  seq_id: inputId.optional(),
  /** Entries of this site only; a superuser otherwise gets all sites. */
  site: inputId.optional(),
  startDate: itemOrPlain(isoDate).optional(),
  endDate: itemOrPlain(isoDate).optional(),
})
export type AuditFilter = z.input<typeof filter>

export const audit = feature('audit', {
  list: call({
    path: '/audit/list',
    scope: null,
    replicaSafe: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: filter.extend({ last: z.object({ at: moment, _id: entryId }).optional() }),
    output: z.object({ entries: rows(auditEntry), more: z.boolean() }),
    summary: `Lists the audit of the site from startDate to endDate (both included), newest first, ${entriesPerPage} a page; the next page follows \`last\`. A superuser gets the audit of sites and of the dictionary.`,
  }),
  people: call({
    path: '/audit/people',
    scope: null,
    replicaSafe: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: z.object({ site: inputId.optional() }),
    output: rows(z.object({ _id: id, username: z.string(), fullname: z.string() })),
    summary: 'Lists the accounts that have entries in the audit.',
  }),
  export: call({
    path: '/audit/export',
    scope: null,
    costly: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: filter,
    output: z.object({ csv: z.string(), more: z.boolean() }),
    failures: ['session.stale'],
    summary: `Exports the audit as a readable CSV file of at most ${entriesInFile} entries; \`more\` tells whether there are others.`,
  }),
})
