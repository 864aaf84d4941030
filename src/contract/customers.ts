/** The customers of a site and who may sign in for them, and the site's administrators (DESIGN §5). */
import { z } from 'zod'
import { oneLine } from '#domain/cell.ts'
import { type AnswerName, call, feature } from './call.ts'
import { customer as foundCustomer, given, givenId, id, item, moment, tooMuch } from './wire.ts'

/** How many customers a page holds. */
export const customersPerPage = 100

/** How long each text of a customer can be; an imported file is held to the same. */
export const customerLimits = {
  code: 40,
  name: 100,
  companyname: 100,
  street: 100,
  zipcode: 20,
  city: 100,
  email: 100,
} as const

const line = (max: number, said?: string) =>
  z
    .string()
    .transform(text => oneLine(text.toWellFormed()))
    .pipe(z.string().max(max, said))
const filled = (max: number) => line(max).pipe(z.string().min(1))
const optional = (max: number) => given(line(max)).optional()
const emailOrNothing = line(customerLimits.email).check(({ value, issues }) => {
  if (value !== '' && !z.email().safeParse(value).success)
    issues.push({ code: 'invalid_format', format: 'email', input: value })
})

/** SPEC §3 "Customer", with what it is called in other books, where it is written to, and how much is there of it. */
export const listedCustomer = foundCustomer.extend({
  code: item(z.string()),
  email: item(z.string()),
  /** All but waste. */
  tyres: item(z.number().int()),
  /** Of those, the tyres that lie here. */
  in_stock: item(z.number().int()),
  /** Accounts that can sign in. */
  accounts: item(z.number().int()),
})
export type ListedCustomer = z.output<typeof listedCustomer>

/** What is typed of a customer. Without `seq_id` it is a new one; of a known one, what is left out stays. */
export const customerForm = z
  .object({
    seq_id: givenId.optional(),
    code: optional(customerLimits.code),
    name: given(filled(customerLimits.name)).optional(),
    companyname: optional(customerLimits.companyname),
    street: optional(customerLimits.street),
    zipcode: optional(customerLimits.zipcode),
    city: optional(customerLimits.city),
    email: given(emailOrNothing).optional(),
  })
  .refine(form => form.seq_id !== undefined || form.name !== undefined, { path: ['name'] })

const lang = z.enum(['dut', 'fre', 'eng', 'ger'])

/** An account of the site. A customer's has its `seq_id`; without a language it speaks the site's. */
export const account = z.object({
  _id: id,
  seq_id: id.nullable(),
  username: z.string(),
  fullname: z.string(),
  type: z.enum(['user', 'admin']),
  lang: lang.nullable(),
  disabled: z.boolean(),
  created: moment,
})
export type Account = z.output<typeof account>

export const accountLimits = { username: 60, fullname: 100 } as const

/** A new password for somebody else; when none is chosen, one is made up. */
const chosen = z.string().max(1000).optional()

/** What is typed of an account. Without `_id` it is a new one; of a known one, what is left out stays. */
export const accountForm = z
  .object({
    _id: givenId.optional(),
    username: filled(accountLimits.username).optional(),
    fullname: line(accountLimits.fullname).optional(),
    type: z.enum(['user', 'admin']).optional(),
    /** Whose account it is; only of type `user`. */
    seq_id: givenId.optional(),
    lang: lang.nullable().optional(),
    /** Of a new account; a known one's is reset by a call of its own. */
    password: chosen,
  })
  .refine(form => form._id !== undefined || form.username !== undefined, { path: ['username'] })
  .refine(form => form._id !== undefined || form.type !== undefined, { path: ['type'] })
  .refine(form => form._id === undefined || form.password === undefined, { path: ['password'] })
  .refine(form => form.type !== 'admin' || form.seq_id === undefined, { path: ['seq_id'] })

/** With the password that was made up, which is told this once. */
const accountWithPassword = account.extend({ password: z.string().nullable() })

/** So many refused lines are told one by one. */
export const refusedAtMost = 500
/** As long as a file may be, in characters. */
export const importAtMost = 900_000

const accountsStale: AnswerName[] = ['customers.accounts', 'customers.list', 'customers.customer']
const customersStale: AnswerName[] = [
  'customers.list',
  'customers.customer',
  'fleet.findcustomerbyname',
  'fleet.fetch',
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
    who: ['admin'],
    input: z.object({
      search: line(100, tooMuch).optional(),
      /** The page begins after this customer. */
      last_customer: givenId.optional(),
    }),
    output: z.object({ customers: z.array(listedCustomer), total: z.number().int() }),
    summary: `The customers of the site by name, ${customersPerPage} a page, in which all words of the search are found, and how many there are in all.`,
  }),
  customer: call({
    path: '/customers/customer',
    who: ['admin'],
    input: z.object({ seq_id: givenId }),
    output: listedCustomer,
    failures: ['record.missing'],
    summary: 'One customer of the site.',
  }),
  save: call({
    path: '/customers/save',
    who: ['admin'],
    input: customerForm,
    output: listedCustomer,
    idempotent: true,
    failures: ['record.missing', 'customer.code_taken'],
    invalidates: customersStale,
    summary: 'Makes a customer, or changes what is given of a known one.',
  }),
  accounts: call({
    path: '/customers/accounts',
    who: ['admin'],
    input: z.object({ seq_id: givenId.optional() }),
    output: z.array(account),
    failures: ['record.missing'],
    summary: "The accounts of a customer; without one, the site's administrators.",
  }),
  saveaccount: call({
    path: '/customers/saveaccount',
    who: ['admin'],
    input: accountForm,
    output: accountWithPassword,
    failures: ['record.missing', 'account.name_taken', 'account.password_weak', 'account.last_admin', 'account.own'],
    invalidates: accountsStale,
    summary:
      "Makes an account of a customer or an administrator's, or changes one; another role or customer ends its sessions.",
  }),
  setdisabled: call({
    path: '/customers/setdisabled',
    who: ['admin'],
    input: z.object({ _id: givenId, disabled: z.boolean() }),
    output: account,
    failures: ['record.missing', 'account.last_admin', 'account.own'],
    invalidates: accountsStale,
    summary: 'Disables an account, which ends its sessions at once, or enables it again.',
  }),
  resetpassword: call({
    path: '/customers/resetpassword',
    who: ['admin'],
    input: z.object({ _id: givenId, password: chosen }),
    output: accountWithPassword,
    failures: ['record.missing', 'account.password_weak', 'account.own'],
    invalidates: accountsStale,
    summary: 'Gives an account another password, typed or made up, and ends its sessions.',
  }),
  export: call({
    path: '/customers/export',
    replicaSafe: true,
    costly: true,
    who: ['admin'],
    input: z.unknown().transform(() => ({})),
    output: z.object({ csv: z.string() }),
    summary: 'All customers of the site as a CSV file that the import takes.',
  }),
  import: call({
    path: '/customers/import',
    costly: true,
    who: ['admin'],
    input: z.object({
      csv: z.string().max(importAtMost, tooMuch),
      /** What the file is called, for the record. */
      name: line(200).optional(),
      dryRun: z.boolean().default(false),
    }),
    output: z.object({
      rows: z.number().int(),
      added: z.number().int(),
      changed: z.number().int(),
      unchanged: z.number().int(),
      refused: z.number().int(),
      lines: z.array(z.object({ line: z.number().int(), reason: z.string() })),
      /** What there is to know of the file as a whole, in sentences. */
      notes: z.array(z.string()),
    }),
    idempotent: true,
    failures: ['import.unusable'],
    invalidates: customersStale,
    summary: 'Takes customers of a CSV file in, all that make sense or none; a dry run tells what would happen.',
  }),
})
