/** Notices of events to people, and the ways they are sent (docs/product/messages.md "Notices"). */
import { z } from 'zod'
import { noticeKinds } from '#domain/people/notice.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { documentTypes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { id, isoDate, moment } from './wire.ts'

/** How many notices are listed, the latest first. */
export const noticesListed = 100

/** The facts of a notice; those that don't belong to its kind are absent. */
const facts = z.object({
  type: z.enum(operationTypes).optional(),
  tyre_count: z.number().int().optional(),
  /** The delivery day, and the one before it. */
  to: isoDate.nullable().optional(),
  from: isoDate.nullable().optional(),
  document: z.enum(documentTypes).optional(),
  /** The least depth, in mm. */
  depth: z.number().optional(),
})

/** Beyond the numbers of other records: a site has many notices. */
const noticeId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const notice = z.object({
  _id: noticeId,
  kind: z.enum(noticeKinds),
  at: moment,
  read: z.boolean(),
  /** The customer whom it is about, for administrators. */
  customer: z.string().nullable(),
  operation: id.nullable(),
  /** The vehicle, while the customer has it. */
  flt_id: id.nullable(),
  document: id.nullable(),
  /** The printed number of the document. None while a node of a version without it answers. */
  document_number_text: z.string().nullable().default(null),
  license_plate: z.string(),
  facts,
})
export type Notice = z.output<typeof notice>

const kinds = z.array(z.enum(noticeKinds)).max(noticeKinds.length)
const choice = {
  /** Kinds that are not listed in the portal. */
  hidden: kinds,
  /** Kinds that come by mail. */
  mailed: kinds,
  /** One message a day instead of one whenever something happened. */
  daily: z.boolean(),
}

const stale: AnswerName[] = ['notices.list']
const chosen: AnswerName[] = ['notices.settings']

export const notices = feature('notices', {
  list: call({
    path: '/notices/list',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({}),
    output: z.object({ notices: z.array(notice).max(noticesListed), unread: z.number().int() }),
    summary: `Lists the last ${noticesListed} notices of the caller, latest first, and how many are unread.`,
  }),
  read: call({
    path: '/notices/read',
    scope: 'operations',
    who: ['user', 'admin'],
    warehouse: false,
    /** The latest that was seen: what came meanwhile stays unread. */
    input: z.object({ last: noticeId }),
    output: z.object({ read: z.number().int() }),
    invalidates: stale,
    summary: 'Marks the notices of the caller up to this one as read.',
  }),
  settings: call({
    path: '/notices/settings',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({}),
    output: z.object({
      ...choice,
      /** The kinds of notice that this account can get. */
      kinds,
      /** Where messages go; empty without an address. */
      email: z.string(),
      /** Why the last message to it failed; empty when it arrived. */
      problem: z.string(),
    }),
    summary: 'Answers what the caller is told, and by which way.',
  }),
  choose: call({
    path: '/notices/choose',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object(choice),
    output: z.object(choice),
    invalidates: chosen,
    summary: 'Chooses what the caller is told, and by which way.',
  }),
  unsubscribe: call({
    path: '/notices/unsubscribe',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ key: z.uuid() }),
    output: z.object({ site: z.string() }),
    failures: ['record.missing'],
    summary: 'Ends the messages about what happened, by the key in one of them. Answers the name of the site.',
  }),
})
