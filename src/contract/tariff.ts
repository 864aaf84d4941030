/** The tariff of a site: what things cost, since when, and for whom (docs/product/money.md "Tariff"). */
import { z } from 'zod'
import {
  isSized,
  maxGraceDays,
  maxTariffDays,
  sizeClasses,
  storageModes,
  tariffKinds,
  tariffUnits,
  unitsOf,
} from '#domain/money/tariff.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, isoDate, typedText } from './wire.ts'

const price = z.number().min(0).max(1_000_000).multipleOf(0.01)
/** In percent; `null`: the rate of the site. */
const vatRate = z.number().min(0).max(100).multipleOf(0.01).nullable()
const days = z.number().int().min(1).max(maxTariffDays)
const articleNumber = z
  .string()
  .trim()
  .regex(/^(\d{1,20})?$/)

/** A rule. `until` is the last day on which it holds, `null` while nobody has ended it; `used`: something was charged by it. */
const rule = z.object({
  _id: id,
  kind: z.enum(tariffKinds),
  per: z.enum(tariffUnits),
  mode: z.enum(storageModes).nullable(),
  period: z.number().int().nullable(),
  grace_days: z.number().int(),
  size_class: z.enum(sizeClasses).nullable(),
  after_days: z.number().int().nullable(),
  service: z.object({ _id: id, name: z.string() }).nullable(),
  /** The customer whose own it is. */
  customer: z.object({ seq_id: id, companyname: z.string() }).nullable(),
  since: isoDate,
  until: isoDate.nullable(),
  price_excl: z.number(),
  vat_rate: z.number().nullable(),
  article_number: z.string(),
  description: z.string(),
  used: z.boolean(),
})
export type TariffRule = z.output<typeof rule>

const fields = z.object({
  kind: z.enum(tariffKinds),
  per: z.enum(tariffUnits),
  /** Of storage. */
  mode: z.enum(storageModes).nullable().default(null),
  /** In days, of storage by the period. */
  period: days.nullable().default(null),
  /** Of storage by the season: tyres stored before the season owe it once they have been there for more than this many of its days. */
  grace_days: z.number().int().min(0).max(maxGraceDays).default(0),
  size_class: z.enum(sizeClasses).nullable().default(null),
  /** Of overstay: it is charged on the day after so many stored days. */
  after_days: days.nullable().default(null),
  service: inputId.nullable().default(null),
  seq_id: inputId.nullable().default(null),
  since: isoDate,
  until: isoDate.nullable().default(null),
  price_excl: price,
  vat_rate: vatRate.default(null),
  article_number: articleNumber.default(''),
  description: typedText(200).default(''),
})

/** A rule as it is added. What its kind does not have is refused, so that no rule says something that nobody applies. */
export const ruleForm = fields.superRefine((rule, check) => {
  const wrong = (path: keyof z.output<typeof fields>) =>
    check.addIssue({ code: 'custom', path: [path], message: 'not of this kind' })
  if (!unitsOf[rule.kind].some(unit => unit === rule.per)) wrong('per')
  if ((rule.kind === 'storage') !== (rule.mode !== null)) wrong('mode')
  if ((rule.mode === 'per_period') !== (rule.period !== null)) wrong('period')
  if ((rule.kind === 'overstay') !== (rule.after_days !== null)) wrong('after_days')
  if ((rule.kind === 'service') !== (rule.service !== null)) wrong('service')
  if (rule.size_class !== null && !isSized(rule.kind)) wrong('size_class')
  if (rule.mode === 'per_season' && rule.until === null) wrong('until')
  if (rule.mode !== 'per_season' && rule.per === 'vehicle') wrong('per')
  if (rule.mode !== 'per_season' && rule.grace_days !== 0) wrong('grace_days')
  if (rule.until !== null && rule.until < rule.since) wrong('until')
})

const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const
const lists: AnswerName[] = ['tariff.list', 'billing.owing']
const byId = z.object({ _id: inputId })
const named = z.object({ _id: id })

export const tariff = feature('tariff', {
  list: call({
    path: '/tariff/list',
    scope: 'read',
    ...admins,
    input: z.object({}).optional(),
    output: rows(rule),
    summary: 'Lists the rules of the tariff, those of the site before those of customers, by kind and day.',
  }),
  add: call({
    path: '/tariff/add',
    scope: null,
    ...admins,
    input: ruleForm,
    output: named,
    failures: ['record.missing', 'tariff.overlaps'],
    invalidates: lists,
    summary:
      'Adds a rule. On no day may it hold beside one of the same kind, size, service or number of days, for the same customer.',
  }),
  succeed: call({
    path: '/tariff/succeed',
    scope: null,
    ...admins,
    input: byId.extend({
      /** The first day of the new price. */
      since: isoDate,
      /** The last one, for a season. */
      until: isoDate.nullable().default(null),
      price_excl: price,
      vat_rate: vatRate.default(null),
    }),
    output: named,
    failures: ['record.missing', 'tariff.dates', 'tariff.overlaps'],
    invalidates: lists,
    summary: 'Ends a rule on the day before, and adds one that differs only in its price, VAT rate and days.',
  }),
  end: call({
    path: '/tariff/end',
    scope: null,
    ...admins,
    input: byId.extend({ until: isoDate }),
    output: named,
    failures: ['record.missing', 'tariff.dates'],
    invalidates: lists,
    summary: 'Sets the last day on which a rule holds, which can only become earlier.',
  }),
  remove: call({
    path: '/tariff/remove',
    scope: null,
    ...admins,
    input: byId,
    output: named,
    failures: ['record.missing', 'tariff.used'],
    invalidates: lists,
    summary: 'Removes a rule by which nothing was charged yet.',
  }),
})
