/** The changes since a program's last request, for one that keeps a copy (docs/product/files.md "Copies"). */
import { z } from 'zod'
import { operationStatuses } from '#domain/operations/operation.ts'
import { documentTypes, hotelModes } from '#domain/site.ts'
import { mountSources, mountWithdrawals } from '#domain/tyres/mount.ts'
import { operationTypes, tyreStatuses } from '#domain/tyres/tyre.ts'
import { odometerSources } from '#domain/vehicles/odometer.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, isoDate, moment } from './wire.ts'

/** The most records of a page. */
const changesPerPage = 1000

const changesInput = z.object({
  /** The cursor from the previous page. Without it, and without `updated_since`, a copy begins with everything. */
  cursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z~\d{1,10}$/)
    .optional(),
  /** Begins with records that were changed at this moment or later. */
  updated_since: z.iso.datetime({ offset: true }).optional(),
  /** Records of this customer only; an administrator's choice. */
  seq_id: inputId.optional(),
  limit: z.number().int().min(1).max(changesPerPage).default(500),
})

const page = <S extends z.ZodType>(record: S) =>
  z.object({
    records: rows(record),
    /** Numbers of records that the reader no longer has. */
    gone: rows(id),
    /** For the next call, at any time, which answers the changes since this one. */
    cursor: z.string(),
    /** Whether there is more already. */
    more: z.boolean(),
  })

const changed = { changed: moment }
const customerId = { seq_id: id }

const vehicle = z.object({
  flt_id: id,
  ...customerId,
  license_plate: z.string(),
  number: z.string(),
  chassis_number: z.string(),
  cost_centre: z.string(),
  yearly_distance: z.number().int().nullable(),
  contract_end: isoDate.nullable(),
  /** The day on which it left the fleet, while tyres stay with it. */
  left_on: isoDate.nullable(),
  former_plates: rows(z.string()),
  type: z.string(),
  brand: z.string(),
  description: z.string(),
  configuration: z.string().nullable(),
  driver: z.object({ name: z.string(), email: z.string(), mobile_no: z.string(), telephone_no: z.string() }),
  removed: z.boolean(),
  ...changed,
})

const tyre = z.object({
  db_id: id,
  ...customerId,
  flt_id: id,
  position: z.string(),
  tyre_set: z.string().nullable(),
  article: id,
  description: z.string(),
  season: z.string().nullable(),
  status: z.enum(tyreStatuses),
  status_date: isoDate,
  /** Where it lies in stock. */
  stock_site_name: z.string().nullable(),
  stock_rack: z.string().nullable(),
  /** `null` where it was not measured, and where the site hides depths. */
  profile_depth: z.number().nullable(),
  profile_date: isoDate.nullable(),
  rims: z.string().nullable(),
  bolts: z.boolean(),
  hubcaps: z.boolean(),
  removed: z.boolean(),
  ...changed,
})

const mount = z.object({
  /** Of the period. */
  _id: id,
  ...customerId,
  tyre: id,
  flt_id: id,
  position: z.string(),
  since: isoDate,
  until: isoDate.nullable(),
  source: z.enum(mountSources),
  until_source: z.enum(mountSources).nullable(),
  /** Why it holds no longer; null: it does. */
  withdrawn: z.enum(mountWithdrawals).nullable(),
  ...changed,
})

const odometer = z.object({
  _id: id,
  ...customerId,
  flt_id: id,
  date: isoDate,
  km: z.number().int(),
  source: z.enum(odometerSources),
  withdrawn: z.boolean(),
  ...changed,
})

const operation = z.object({
  _id: id,
  ...customerId,
  flt_id: id,
  type: z.enum(operationTypes),
  status: z.enum(operationStatuses),
  tyres: rows(id),
  /** The code of the transport method. */
  transport: z.string().nullable(),
  delivery_date: isoDate.nullable(),
  created: moment,
  submitted: moment.nullable(),
  handled: moment.nullable(),
  ...changed,
})

const document = z.object({
  db_id: id,
  ...customerId,
  flt_id: id.nullable(),
  operation: id.nullable(),
  number: z.string(),
  type: z.enum(documentTypes),
  date: isoDate,
  amount_excl: z.number(),
  withdrawn: z.boolean(),
  ...changed,
})

const customer = z.object({
  seq_id: id,
  code: z.string(),
  name: z.string(),
  companyname: z.string(),
  street: z.string(),
  zipcode: z.string(),
  city: z.string(),
  email: z.string(),
  ...changed,
})

const both = ['user', 'admin'] as const

export const changes = feature('changes', {
  vehicles: call({
    path: '/changes/vehicles',
    scope: 'read',
    who: both,
    warehouse: false,
    input: changesInput,
    failures: ['record.missing'],
    output: page(vehicle),
    summary: 'Pages through vehicles in the order in which they were changed.',
  }),
  tyres: call({
    path: '/changes/tyres',
    scope: 'read',
    who: both,
    warehouse: false,
    input: changesInput,
    failures: ['record.missing'],
    output: page(tyre),
    summary: 'Pages through tyres in the order in which they were changed.',
  }),
  mounts: call({
    path: '/changes/mounts',
    scope: 'read',
    who: both,
    warehouse: false,
    input: changesInput,
    failures: ['record.missing'],
    output: page(mount),
    summary:
      'Pages through the periods of tyres on vehicles in the order in which they were opened, closed or withdrawn.',
  }),
  odometers: call({
    path: '/changes/odometers',
    scope: 'read',
    who: both,
    warehouse: false,
    input: changesInput,
    failures: ['record.missing'],
    output: page(odometer),
    summary:
      'Pages through readings of odometers in the order in which they were recorded or taken back; none where the site does not ask for them.',
  }),
  operations: call({
    path: '/changes/operations',
    scope: 'read',
    who: both,
    warehouse: false,
    modes: hotelModes,
    input: changesInput,
    failures: ['record.missing'],
    output: page(operation),
    summary: 'Pages through operations in the order in which they were changed.',
  }),
  documents: call({
    path: '/changes/documents',
    scope: 'read',
    who: both,
    warehouse: false,
    modes: hotelModes,
    input: changesInput,
    failures: ['record.missing'],
    output: page(document),
    summary: 'Pages through documents in the order in which they were made or withdrawn.',
  }),
  customers: call({
    path: '/changes/customers',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: changesInput.omit({ seq_id: true }),
    output: page(customer),
    summary: 'Pages through customers in the order in which they were changed.',
  }),
})
