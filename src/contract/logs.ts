/**
 * The audit, of who did what for whom (docs/product/calls.md "Audit"), and the security log, of who came in, what they may do, and what left the portal
 * (docs/product/calls.md "Security events"). Both are read in the same way. No call changes or deletes an entry.
 */
import { z } from 'zod'
import { auditGroups } from '#domain/people/audit.ts'
import { oneLine } from '#domain/texts/cell.ts'
import { securityKinds } from '#domain/people/security.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { itemOrPlain, inputId, id, isoDate, moment, tooMuch } from './wire.ts'

/** How many entries a page has, and an exported file. */
export const entriesPerPage = 50
export const entriesInFile = 10_000

/** Entries can outgrow 32 bits; other ids do not. */
const entryId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

/** An account by its number, with its present name. Neither a superuser at a site nor a customer's account for a superuser has one. */
const account = z.object({ _id: id, username: z.string().nullable(), fullname: z.string().nullable() }).nullable()
const facts = z.record(z.string(), z.unknown())
const customer = z.object({ seq_id: id, name: z.string() }).nullable()
const site = z.object({ _id: id, name: z.string() }).nullable()

const auditEntry = z.object({
  _id: entryId,
  at: moment,
  /** `operation.confirm`: one of domain/people/audit.ts. */
  action: z.string(),
  /** The subject of the action: `vehicle 12`, the key of a text, or the code of a site. */
  subject: z.string(),
  /** The present name of the subject: a plate, a stock location, a username. Null where it has no name, or no longer exists. */
  called: z.string().nullable(),
  /** The vehicle that the entry is about, if any. */
  flt_id: id.nullable(),
  facts,
  /** Who did it, null for the command line. */
  who: account,
  /** The access token by which it was done, if that still has a name. */
  token: z.string().nullable(),
  /** The customer for whom it was done, or whose the subject is. */
  customer,
  /** The site; null for subjects of no site. */
  site,
})
export type AuditEntry = z.output<typeof auditEntry>

const securityEvent = z.object({
  _id: entryId,
  at: moment,
  /** One of domain/people/security.ts; a newer node may have another. */
  kind: z.string(),
  /** Whom it is about; null for a name that no account has. */
  account,
  /** Who did it, where that is somebody else. */
  by: account,
  /** The customer of the account; null for a superuser, too. */
  customer,
  site,
  /** The actor's address; null after 90 days, and once the person was erased. */
  address: z.string().nullable(),
  device: z.string().nullable(),
  facts,
})
export type SecurityEvent = z.output<typeof securityEvent>

/** Of both logs: entries of this account, of this site (a superuser otherwise gets all sites) and of these days. */
const filter = z.object({
  account: inputId.optional(),
  site: inputId.optional(),
  startDate: itemOrPlain(isoDate).optional(),
  endDate: itemOrPlain(isoDate).optional(),
})
const auditFilter = filter.extend({
  search: z
    .string()
    .max(100, tooMuch)
    .transform(text => oneLine(text.toWellFormed()))
    .optional(),
  group: z.enum(auditGroups).optional(),
  seq_id: inputId.optional(),
})
export type AuditFilter = z.input<typeof auditFilter>
const securityFilter = filter.extend({ kind: z.enum(securityKinds).optional() })
export type SecurityFilter = z.input<typeof securityFilter>

/** The entry that a page follows. */
const after = { last: z.object({ at: moment, _id: entryId }).optional() }

type Log<F, I, O> = {
  readonly filter: F
  readonly input: I
  readonly page: O
  readonly list: string
  readonly people: string
  readonly file: string
}

/** The calls of a log, with the summaries of each. */
function callsOf<F extends z.ZodType, I extends z.ZodType, O extends z.ZodType>(path: string, log: Log<F, I, O>) {
  const read = { scope: null, who: ['admin', 'superuser'], warehouse: false } as const
  return {
    list: call({
      ...read,
      path: `${path}/list`,
      replicaSafe: true,
      input: log.input,
      output: log.page,
      summary: log.list,
    }),
    people: call({
      ...read,
      path: `${path}/people`,
      replicaSafe: true,
      input: z.object({ site: inputId.optional() }),
      output: rows(z.object({ _id: id, username: z.string(), fullname: z.string() })),
      summary: log.people,
    }),
    export: call({
      ...read,
      path: `${path}/export`,
      costly: true,
      input: log.filter,
      output: z.object({ csv: z.string(), more: z.boolean() }),
      failures: ['session.stale'],
      summary: log.file,
    }),
  }
}

export const audit = feature(
  'audit',
  callsOf('/audit', {
    filter: auditFilter,
    input: auditFilter.extend(after),
    page: z.object({ entries: rows(auditEntry), more: z.boolean() }),
    list: `Lists the audit of the site from startDate to endDate (both included), newest first, ${entriesPerPage} a page; the next page follows \`last\`. A superuser gets the audit of sites and of the dictionary.`,
    people: 'Lists the accounts that have entries in the audit.',
    file: `Exports the audit as a readable CSV file of at most ${entriesInFile} entries; \`more\` tells whether there are others.`,
  }),
)

export const security = feature(
  'security',
  callsOf('/security', {
    filter: securityFilter,
    input: securityFilter.extend(after),
    page: z.object({ events: rows(securityEvent), more: z.boolean() }),
    list: `Lists the security events of the site from startDate to endDate (both included), newest first, ${entriesPerPage} a page; the next page follows \`last\`. A superuser gets those of all sites.`,
    people: 'Lists the accounts that security events are about.',
    file: `Exports security events as a readable CSV file of at most ${entriesInFile} of them; \`more\` tells whether there are others.`,
  }),
)
