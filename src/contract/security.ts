/** Reading security events: who came in, what they may do, and what left the portal (docs/product.md "Security events"). */
import { z } from 'zod'
import { securityKinds } from '#domain/security.ts'
import { entriesInFile, entriesPerPage, entryId } from './audit.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, isoDate, itemOrPlain, moment } from './wire.ts'

/** An account by its number, with its present name. Neither a superuser at a site nor a customer's account for a superuser has one. */
const named = z.object({ _id: id, username: z.string().nullable(), fullname: z.string().nullable() }).nullable()

const securityEvent = z.object({
  _id: entryId,
  at: moment,
  /** One of domain/security.ts; a newer node may have another. */
  kind: z.string(),
  /** Whom it is about; null for a name that no account has. */
  account: named,
  /** Who did it, where that is somebody else. */
  by: named,
  /** The customer of the account; null for a superuser, too. */
  customer: z.object({ seq_id: id, name: z.string() }).nullable(),
  site: z.object({ _id: id, name: z.string() }).nullable(),
  /** The address of the person who did it; `null` after 90 days, and once the person was erased. */
  address: z.string().nullable(),
  device: z.string().nullable(),
  facts: z.record(z.string(), z.unknown()),
})
export type SecurityEvent = z.output<typeof securityEvent>

const filter = z.object({
  kind: z.enum(securityKinds).optional(),
  /** Events of this account only, and what it did to others. */
  account: inputId.optional(),
  /** Events of this site only; a superuser otherwise gets all sites. */
  site: inputId.optional(),
  startDate: itemOrPlain(isoDate).optional(),
  endDate: itemOrPlain(isoDate).optional(),
})
export type SecurityFilter = z.input<typeof filter>

export const security = feature('security', {
  list: call({
    path: '/security/list',
    scope: null,
    replicaSafe: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: filter.extend({ last: z.object({ at: moment, _id: entryId }).optional() }),
    output: z.object({ events: rows(securityEvent), more: z.boolean() }),
    summary: `Lists the security events of the site from startDate to endDate (both included), newest first, ${entriesPerPage} a page; the next page follows \`last\`. A superuser gets those of all sites.`,
  }),
  people: call({
    path: '/security/people',
    scope: null,
    replicaSafe: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: z.object({ site: inputId.optional() }),
    output: rows(z.object({ _id: id, username: z.string(), fullname: z.string() })),
    summary: 'Lists the accounts that security events are about.',
  }),
  export: call({
    path: '/security/export',
    scope: null,
    costly: true,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: filter,
    output: z.object({ csv: z.string(), more: z.boolean() }),
    failures: ['session.stale'],
    summary: `Exports security events as a readable CSV file of at most ${entriesInFile} of them; \`more\` tells whether there are others.`,
  }),
})
