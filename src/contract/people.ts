/** What the portal knows of one person: told to whoever asks for it, and erased (QUALITY 28). */
import { z } from 'zod'
import { type AnswerName, call, feature } from './call.ts'
import { givenId, id, moment } from './wire.ts'

/** Everything in which the driver of a vehicle is shown. */
const driverStale: AnswerName[] = ['fleet.fetch', 'fleet.vehicle']
const accountsStale: AnswerName[] = [
  'customers.accounts',
  'customers.list',
  'customers.customer',
  'audit.list',
  'audit.people',
]

/** What is known of the driver of a vehicle. */
export const driverData = z.object({
  vehicle: z.object({ flt_id: id, license_plate: z.string(), brand: z.string(), description: z.string() }),
  name: z.string(),
  email: z.string(),
  mobile_no: z.string(),
  telephone_no: z.string(),
})

/** What is known of who an account belongs to, and what was done with it. */
export const accountData = z.object({
  _id: id,
  username: z.string(),
  fullname: z.string(),
  type: z.enum(['user', 'admin']),
  lang: z.string().nullable(),
  customer: z.string().nullable(),
  created: moment,
  disabled: moment.nullable(),
  sessions: z.array(z.object({ began: moment, seen: moment })),
  /** Sign-ins that failed lately, with the address that they came from. */
  failures: z.array(z.object({ at: moment, address: z.string() })),
  operations: z.array(z.object({ _id: id, type: z.string(), status: z.string(), created: moment })),
  scans: z.number().int(),
  audit: z.array(z.object({ at: moment, action: z.string(), subject: z.string() })),
})

export const people = feature('people', {
  driver: call({
    path: '/people/driver',
    who: ['admin'],
    input: z.object({ flt_id: givenId }),
    output: driverData,
    failures: ['record.missing'],
    summary: 'What is known of the driver of a vehicle.',
  }),
  erasedriver: call({
    path: '/people/erasedriver',
    who: ['admin'],
    input: z.object({ flt_id: givenId }),
    output: z.object({ flt_id: id }),
    failures: ['record.missing'],
    invalidates: driverStale,
    summary: 'Forgets the driver of a vehicle; the vehicle and its papers stay.',
  }),
  account: call({
    path: '/people/account',
    who: ['admin'],
    input: z.object({ _id: givenId }),
    output: accountData,
    failures: ['record.missing'],
    summary: 'What is known of who an account belongs to, and what was done with it.',
  }),
  eraseaccount: call({
    path: '/people/eraseaccount',
    who: ['admin'],
    input: z.object({ _id: givenId }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'account.last_admin', 'account.own'],
    invalidates: accountsStale,
    summary:
      'Forgets who an account belongs to, for ever: nobody signs in with it again, what was done with it stays without a name.',
  }),
})
