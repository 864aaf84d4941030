/** Export and erasure of one person's data (docs/product/accounts.md "Personal data"). */
import { z } from 'zod'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { inputId, id, moment } from './wire.ts'

/** Answers that contain the driver of a vehicle. */
const driverAnswers: AnswerName[] = ['fleet.fetch', 'fleet.vehicle']
const accountAnswers: AnswerName[] = [
  'customers.accounts',
  'customers.list',
  'customers.customer',
  'audit.list',
  'audit.people',
  'security.list',
  'security.people',
]

/** The data of a vehicle's driver. */
const driverData = z.object({
  vehicle: z.object({ flt_id: id, license_plate: z.string(), brand: z.string(), description: z.string() }),
  name: z.string(),
  email: z.string(),
  mobile_no: z.string(),
  telephone_no: z.string(),
})

/** The data of an account's owner, and what the account did. */
const accountData = z.object({
  _id: id,
  username: z.string(),
  fullname: z.string(),
  type: z.enum(['user', 'admin']),
  lang: z.string().nullable(),
  email: z.string().default(''),
  customer: z.string().nullable(),
  created: moment,
  disabled: moment.nullable(),
  sessions: rows(
    z.object({ began: moment, seen: moment, device: z.string().default(''), address: z.string().default('') }),
  ),
  /** Passkeys by the names that their owner gave them, and the authenticator app. */
  factors: rows(z.object({ name: z.string(), added: moment, used: moment.nullable() })).default([]),
  /** The notices to them, without their contents, which are about vehicles. */
  notices: rows(z.object({ at: moment, kind: z.string(), read: moment.nullable(), mailed: moment.nullable() })).default(
    [],
  ),
  /** Recent failed sign-ins, with the address that they came from. */
  failures: rows(z.object({ at: moment, address: z.string() })),
  operations: rows(z.object({ _id: id, type: z.string(), status: z.string(), created: moment })),
  scans: z.number().int(),
  audit: rows(z.object({ at: moment, action: z.string(), subject: z.string() })),
  /** The security events of the account; with the address, as long as it is kept. */
  security: rows(
    z.object({ at: moment, kind: z.string(), address: z.string().nullable(), device: z.string().nullable() }),
  ).default([]),
})

export const people = feature('people', {
  driver: call({
    path: '/people/driver',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: driverData,
    failures: ['record.missing', 'session.stale'],
    summary: "Exports the data of a vehicle's driver.",
  }),
  erasedriver: call({
    path: '/people/erasedriver',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ flt_id: inputId }),
    output: z.object({ flt_id: id }),
    failures: ['record.missing'],
    invalidates: driverAnswers,
    summary: 'Erases the driver of a vehicle. The vehicle and its documents stay.',
  }),
  account: call({
    path: '/people/account',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: accountData,
    failures: ['record.missing', 'session.stale'],
    summary: "Exports the data of an account's owner, and what the account did.",
  }),
  eraseaccount: call({
    path: '/people/eraseaccount',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'session.stale', 'account.last_admin', 'account.own'],
    invalidates: accountAnswers,
    summary:
      'Erases the owner of an account for ever. Nobody can sign in with it again; what it did stays, without a name.',
  }),
})
