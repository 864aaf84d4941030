/** The customers of a site with their accounts, and the site's administrators (docs/product/customers.md "Customers"). */
import { z } from 'zod'
import { oneLine } from '#domain/texts/cell.ts'
import { linkKinds } from '#domain/people/mail.ts'
import { depth } from '#domain/tyres/tyre.ts'
import { maxUsernameLength, normaliseUsername } from '#domain/people/username.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { bounced } from './mail.ts'
import { passwordFailures } from './session.ts'
import { verbatim } from './readInput.ts'
import { customer as wireCustomer, emailOrNothing, itemOrPlain, inputId, id, item, moment, tooMuch } from './wire.ts'

/** How many customers a page has. */
export const customersPerPage = 100

/** The most characters of each field, in forms and in imported files. */
export const customerLimits = {
  code: 40,
  name: 100,
  companyname: 100,
  street: 100,
  zipcode: 20,
  city: 100,
  email: 100,
} as const

const line = (max: number, message?: string) =>
  z
    .string()
    .transform(text => oneLine(text.toWellFormed()))
    .pipe(z.string().max(max, message))
const filled = (max: number) => line(max).pipe(z.string().min(1))
const optional = (max: number) => itemOrPlain(line(max)).optional()
const lineOfEmail = line(customerLimits.email).check(({ value, issues }) => {
  if (value !== '' && !z.email().safeParse(value).success)
    issues.push({ code: 'invalid_format', format: 'email', input: value })
})

/** A customer with its code in other systems, its e-mail address, and counts. */
const listedCustomer = wireCustomer.extend({
  code: item(z.string()),
  email: item(z.string()),
  /** The depths in mm from which it wants other tyres, of summer tyres and of tyres for snow; `null`: as the site says. */
  min_tread_summer: item(z.number().nullable()).default(null),
  min_tread_winter: item(z.number().nullable()).default(null),
  /** Whether deliveries are presumed to be mounted; `null`: as the site says. */
  presume_mounts: item(z.boolean().nullable()).default(null),
  /** Tyres that are not waste. */
  tyre_count: item(z.number().int()),
  /** Of those, the tyres in stock. */
  in_stock: item(z.number().int()),
  /** Accounts that can sign in. */
  accounts: item(z.number().int()),
})
export type ListedCustomer = z.output<typeof listedCustomer>

const treadLimit = z.number().min(depth.min).max(depth.max).multipleOf(depth.step)

/** The form of a customer. Without `seq_id` it is a new one; fields that are left out of a known one stay as they are. */
export const customerForm = z
  .object({
    seq_id: inputId.optional(),
    code: optional(customerLimits.code),
    name: itemOrPlain(filled(customerLimits.name)).optional(),
    companyname: optional(customerLimits.companyname),
    street: optional(customerLimits.street),
    zipcode: optional(customerLimits.zipcode),
    city: optional(customerLimits.city),
    email: itemOrPlain(lineOfEmail).optional(),
    min_tread_summer: itemOrPlain(treadLimit.nullable()).optional(),
    min_tread_winter: itemOrPlain(treadLimit.nullable()).optional(),
    presume_mounts: itemOrPlain(z.boolean().nullable()).optional(),
  })
  .refine(form => form.seq_id !== undefined || form.name !== undefined, { path: ['name'] })

const lang = z.enum(['dut', 'fre', 'eng', 'ger'])

/** An account of the site. A customer's account has the customer's `seq_id`. Without a language it uses the site's. */
const account = z.object({
  _id: id,
  seq_id: id.nullable(),
  username: z.string(),
  fullname: z.string(),
  type: z.enum(['user', 'admin']),
  lang: lang.nullable(),
  disabled: z.boolean(),
  created: moment,
  /** For messages about the account; empty: it gets none. */
  email: z.string().default(''),
  /** Messages to it do not arrive; `null` as long as none was given up, and once it is another one. */
  bounced: bounced.nullable().default(null),
  /** The state of the last password link that was sent to it. */
  link: z
    .object({ kind: z.enum(linkKinds), at: moment, state: z.enum(['waiting', 'sent', 'failed']), problem: z.string() })
    .nullable()
    .default(null),
  /** Whether this is an administrator with access to the warehouse only. */
  warehouse: z.boolean().default(false),
  /** It has a second factor: a passkey or an authenticator app. */
  second_step: z.boolean().default(false),
  /** It is linked to somebody at the provider of the site's single sign-on. */
  linked: z.boolean().default(false),
})
export type Account = z.output<typeof account>

export const accountLimits = { username: maxUsernameLength, fullname: 100, email: customerLimits.email } as const

/** The name of an account. */
export const username = line(accountLimits.username)
  .transform(normaliseUsername)
  .pipe(z.string().min(1).max(accountLimits.username))

/** A new password for somebody else; without one, the server makes one up. */
const newPassword = verbatim(z.string().max(1000)).optional()

/** The form of an account. Without `_id` it is a new one; fields that are left out of a known one stay as they are. */
export const accountForm = z
  .object({
    _id: inputId.optional(),
    username: username.optional(),
    fullname: line(accountLimits.fullname).optional(),
    type: z.enum(['user', 'admin']).optional(),
    /** Restricts an administrator to the warehouse. */
    warehouse: z.boolean().optional(),
    /** The customer of an account of type `user`. */
    seq_id: inputId.optional(),
    lang: lang.nullable().optional(),
    email: emailOrNothing.optional(),
    /** Sends a new account the link to a password instead of making one up. */
    invite: z.boolean().optional(),
    /** For a new account only; `resetpassword` changes that of a known one. */
    password: newPassword,
  })
  .refine(form => form._id !== undefined || form.username !== undefined, { path: ['username'] })
  .refine(form => form._id !== undefined || form.type !== undefined, { path: ['type'] })
  .refine(form => form._id === undefined || form.password === undefined, { path: ['password'] })
  .refine(form => form.invite !== true || (form._id === undefined && form.password === undefined), { path: ['invite'] })
  .refine(form => form.invite !== true || (form.email ?? '') !== '', { path: ['email'] })
  .refine(form => form.type !== 'admin' || form.seq_id === undefined, { path: ['seq_id'] })
  .refine(form => form.warehouse !== true || form.type !== 'user', { path: ['warehouse'] })

/** An account with the password that was made up, which is shown only this once. */
const accountWithPassword = account.extend({ password: z.string().nullable() })

/** The most refused lines that an import lists. */
export const maxRefusedLines = 500
/** The longest file, in characters. */
export const maxImportLength = 900_000

const accountAnswers: AnswerName[] = ['customers.accounts', 'customers.list', 'customers.customer']
const customerAnswers: AnswerName[] = [
  'customers.list',
  'customers.customer',
  'fleet.findcustomerbyname',
  'fleet.fetch',
  'fleet.health',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.vehicle',
  'operations.admin',
  'operations.adminopsbydate',
  'operations.adminopsbydate_light',
  'operations.fetch',
  'operations.completedbydate',
  'invoicing.customers',
  'invoicing.documents',
]

export const customers = feature('customers', {
  list: call({
    path: '/customers/list',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: z.object({
      search: line(100, tooMuch).optional(),
      /** The last customer of the page before. */
      last_customer: inputId.optional(),
    }),
    output: z.object({ customers: rows(listedCustomer), total: z.number().int() }),
    summary: `Lists the customers of the site that have all words of the search, by name, ${customersPerPage} a page, with their total number.`,
  }),
  customer: call({
    path: '/customers/customer',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: z.object({ seq_id: inputId }),
    output: listedCustomer,
    failures: ['record.missing'],
    summary: 'Answers one customer of the site.',
  }),
  save: call({
    path: '/customers/save',
    scope: 'operations',
    who: ['admin'],
    warehouse: false,
    input: customerForm,
    output: listedCustomer,
    idempotent: true,
    failures: ['record.missing', 'customer.code_taken'],
    invalidates: customerAnswers,
    summary: 'Creates a customer, or changes the fields that are given of a known one.',
  }),
  accounts: call({
    path: '/customers/accounts',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ seq_id: inputId.optional() }),
    output: rows(account),
    failures: ['record.missing'],
    summary: "Lists the accounts of a customer; without a customer, the site's administrators.",
  }),
  saveaccount: call({
    path: '/customers/saveaccount',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: accountForm,
    output: accountWithPassword,
    failures: [
      'record.missing',
      'session.stale',
      'account.name_taken',
      'account.name_deceptive',
      ...passwordFailures,
      'account.last_admin',
      'account.own',
      'mail.off',
    ],
    invalidates: accountAnswers,
    summary:
      'Creates an account of a customer or of an administrator, or changes one. Another role or customer ends its sessions.',
  }),
  setdisabled: call({
    path: '/customers/setdisabled',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId, disabled: z.boolean() }),
    output: account,
    failures: ['record.missing', 'session.stale', 'account.last_admin', 'account.own'],
    invalidates: accountAnswers,
    summary: 'Disables an account and ends its sessions at once, or enables it again.',
  }),
  resetpassword: call({
    path: '/customers/resetpassword',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId, password: newPassword }),
    output: accountWithPassword,
    failures: ['record.missing', 'session.stale', ...passwordFailures, 'account.own'],
    invalidates: accountAnswers,
    summary:
      'Resets the password of an account, to the given one or to one that the server makes up, and ends its sessions.',
  }),
  resetfactors: call({
    path: '/customers/resetfactors',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: account,
    failures: ['record.missing', 'session.stale', 'account.own', 'account.no_factor'],
    invalidates: accountAnswers,
    summary: 'Removes the second factors of an account, for somebody who has lost them, and ends its sessions.',
  }),
  sendlink: call({
    path: '/customers/sendlink',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: account,
    failures: ['record.missing', 'session.stale', 'account.own', 'mail.off', 'mail.no_address'],
    invalidates: accountAnswers,
    summary: 'Sends an account the link to a new password: an invitation to one that has none yet.',
  }),
  export: call({
    path: '/customers/export',
    scope: null,
    costly: true,
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({ csv: z.string() }),
    failures: ['session.stale'],
    summary: 'Exports all customers of the site as a CSV file that can be imported again.',
  }),
  import: call({
    path: '/customers/import',
    scope: 'operations',
    workKind: 'import',
    costly: true,
    who: ['admin'],
    warehouse: false,
    input: z.object({
      csv: z.string().max(maxImportLength, tooMuch),
      /** The name of the file, for the audit. */
      name: line(200).optional(),
      dryRun: z.boolean().default(false),
    }),
    output: z.object({
      row_count: z.number().int(),
      added: z.number().int(),
      changed: z.number().int(),
      unchanged: z.number().int(),
      refused: z.number().int(),
      lines: rows(z.object({ line: z.number().int(), reason: z.string() })),
      /** Remarks on the file as a whole, as sentences. */
      notes: rows(z.string()),
    }),
    idempotent: true,
    failures: ['import.unusable'],
    invalidates: customerAnswers,
    summary:
      'Imports customers from a CSV file, all valid lines or none; a dry run returns the outcome without saving.',
  }),
})
