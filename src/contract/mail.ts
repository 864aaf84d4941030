/** Messages that wait, were sent or were given up, for the superuser (docs/product/messages.md "E-mail"). */
import { z } from 'zod'
import { mailKinds } from '#domain/people/mail.ts'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, moment } from './wire.ts'

/** How many messages are listed, the latest first. */
export const mailsListed = 200

/** An address at which no message arrives: since when, and what the last one failed at. */
export const bounced = z.object({ since: moment, problem: z.string() })
export type Bounced = z.output<typeof bounced>

const mail = z.object({
  _id: id,
  /** The name of the site; `null` for a superuser's. */
  site: z.string().nullable(),
  account: id,
  /** `null` for a customer's account, which superusers know by its number. */
  username: z.string().nullable(),
  kind: z.enum(mailKinds),
  created: moment,
  state: z.enum(['waiting', 'sent', 'failed']),
  tries: z.number().int(),
  /** Why the last attempt failed. */
  problem: z.string(),
  /** The message itself, in the demo only: nobody gets it there. */
  kept: z.object({ to: z.string(), subject: z.string(), text: z.string() }).nullable(),
})
export type Mail = z.output<typeof mail>

export const mails = feature('mails', {
  list: call({
    path: '/mails/list',
    scope: null,
    who: ['superuser'],
    input: noInput,
    output: rows(mail),
    summary: `Lists the last ${mailsListed} messages of all sites with what became of them.`,
  }),
})
