/** Reminders of invoices that are overdue (docs/product/money.md "Reminders"). */
import { z } from 'zod'
import { maxReminderLevels, reminderLimits, reminderRunStates } from '#domain/money/reminder.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, isoDate, moment, typedText } from './wire.ts'

const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const

/** How many runs the list has. */
export const maxReminderRunsListed = 20

const text = typedText(reminderLimits.text)
const level = z.object({
  /** From how many days after an invoice is due. */
  days: z.number().int().min(1).max(365),
  /** In EUR. */
  fee: z.number().min(0).max(1000).multipleOf(0.01),
  text: z.object({ nl: text, fr: text, en: text, de: text }),
})
const settings = z.object({
  levels: rows(level),
  /** In per cent a year; null: no interest is claimed. */
  interest_rate: z.number().nullable(),
  /** Whether the € 40 of Directive 2011/7/EU are claimed for each invoice. */
  compensation: z.boolean(),
})
export type ReminderSettings = z.output<typeof settings>
/** The form of a site's reminders: each level comes later than the one before. */
export const remindersForm = z
  .object({
    levels: list(level, maxReminderLevels),
    interest_rate: z.number().positive().max(100).multipleOf(0.01).nullable(),
    compensation: z.boolean(),
  })
  .check(({ value, issues }) => {
    value.levels.forEach(({ days }, nth) => {
      if (nth > 0 && days <= (value.levels[nth - 1]?.days ?? 0))
        issues.push({ code: 'custom', path: ['levels', nth, 'days'], input: days, message: 'order' })
    })
  })

/** The letter that a customer would get today; amounts in EUR. */
const dueReminder = z.object({
  seq_id: id,
  companyname: z.string(),
  level: z.number().int(),
  invoice_count: z.number().int(),
  open: z.number(),
  fee: z.number(),
  interest: z.number(),
  compensation: z.number(),
  total: z.number(),
  /** Whether an account of the customer gets it by e-mail; else it has to be printed. */
  by_mail: z.boolean(),
})
export type DueReminder = z.output<typeof dueReminder>

const run = z.object({
  _id: id,
  state: z.enum(reminderRunStates),
  at: moment,
  by: z.string(),
  /** Customers whose turn is still to come, who got a letter, and whose letter failed. */
  waiting: z.number().int(),
  reminded: z.number().int(),
  failed: z.number().int(),
  letters: rows(
    z.object({
      _id: id,
      seq_id: id,
      companyname: z.string(),
      level: z.number().int(),
      day: isoDate,
      total: z.number(),
      /** By e-mail; 0: it has to be printed. */
      message_count: z.number().int(),
    }),
  ),
})
export type ReminderRun = z.output<typeof run>

const stop = z.object({
  _id: id,
  seq_id: id,
  companyname: z.string(),
  /** Of one invoice only. */
  number: z.string().nullable(),
  reason: z.string(),
  at: moment,
  by: z.string(),
})

const byId = z.object({ _id: inputId })
const named = z.object({ _id: id })
const lists: AnswerName[] = ['reminders.due', 'reminders.runs']

export const reminders = feature('reminders', {
  settings: call({
    path: '/reminders/settings',
    scope: 'read',
    ...admins,
    input: noInput,
    output: settings,
    summary:
      'Answers how the site reminds of invoices: levels with days, fee and text, and how late payment is claimed.',
  }),
  setup: call({
    path: '/reminders/setup',
    scope: null,
    ...admins,
    input: remindersForm,
    output: settings,
    invalidates: ['reminders.settings', 'reminders.due'],
    summary: 'Saves how the site reminds of invoices.',
  }),
  due: call({
    path: '/reminders/due',
    scope: 'read',
    ...admins,
    input: noInput,
    output: rows(dueReminder),
    summary: 'Lists the customers who would be reminded today, with what each letter asks for. Nothing is saved.',
  }),
  send: call({
    path: '/reminders/send',
    scope: 'invoicing',
    idempotent: true,
    ...admins,
    input: z.object({ without: list(inputId, 20_000).default([]) }),
    output: named,
    failures: ['reminders.under_way', 'reminders.nothing'],
    invalidates: lists,
    summary:
      'Reminds these customers, in the background: each gets one letter, by e-mail to its accounts. Who has paid meanwhile gets none.',
  }),
  runs: call({
    path: '/reminders/runs',
    scope: 'read',
    ...admins,
    input: noInput,
    output: rows(run),
    summary: `Lists the last ${maxReminderRunsListed} times that customers were reminded, with the letters.`,
  }),
  pdf: call({
    path: '/reminders/pdf',
    scope: 'read',
    costly: true,
    ...admins,
    input: byId,
    output: z.string(),
    failures: ['record.missing'],
    summary: "Answers a letter as PDF in base64, in the customer's language.",
  }),
  stops: call({
    path: '/reminders/stops',
    scope: 'read',
    ...admins,
    input: noInput,
    output: rows(stop),
    summary: 'Lists who is not reminded, and of which invoices, with the reasons.',
  }),
  stop: call({
    path: '/reminders/stop',
    scope: 'invoicing',
    ...admins,
    input: z.object({ seq_id: inputId, invoice: inputId.optional(), reason: typedText(500).pipe(z.string().min(1)) }),
    output: named,
    failures: ['record.missing', 'reminders.stopped'],
    invalidates: ['reminders.stops', 'reminders.due'],
    summary: 'Stops reminders of a customer, or of one invoice, with a reason.',
  }),
  unstop: call({
    path: '/reminders/unstop',
    scope: 'invoicing',
    ...admins,
    input: byId,
    output: named,
    failures: ['record.missing'],
    invalidates: ['reminders.stops', 'reminders.due'],
    summary: 'Lets a customer be reminded again.',
  }),
})
