/**
 * The search parameters of each screen (docs/product/screens.md "Screens and addresses"), as zod schemas with which the router reads every address. A
 * malformed parameter counts as absent, so that an old or mistyped link still opens its screen.
 */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { auditGroups } from '#domain/people/audit.ts'
import { isIsoDate } from '#domain/texts/date.ts'
import { importKinds } from '#domain/texts/importColumn.ts'
import { changeSeasons, changeVerdicts } from '#domain/season/seasonChange.ts'
import { securityKinds } from '#domain/people/security.ts'
import { verdictWishes } from '#domain/tyres/tread.ts'
import { depth, offeredTypes, seasons } from '#domain/tyres/tyre.ts'
import { setWishes } from '#domain/vehicles/vehicleFilter.ts'
import { vehicleTabs } from './vehicles/tabs.ts'
import { sortKeys as vehicleSortKeys } from './vehicles/vehicleRows.ts'
import { sortKeys as siteSortKeys } from './sites/order.ts'
import { sortKeys as tyreSortKeys } from './tyres/order.ts'

/** The tabs of screens, in order; the first one is not named in the address. */
export const operationsTabs = ['pending', 'submitted', 'completed'] as const
export type OperationsTab = (typeof operationsTabs)[number]
export const tyreTabs = ['sets', 'tyres'] as const
export const deskTabs = ['submitted', 'completed'] as const
/** The parts of each view of Billing. */
export const invoicingViews = {
  toBill: ['overdue', 'charges', 'left', 'waived'],
  invoices: ['invoices', 'bank', 'reminders', 'runs', 'documents'],
  prices: ['prices'],
} as const
const invoicingTabs = [...invoicingViews.toBill, ...invoicingViews.invoices, ...invoicingViews.prices] as const
export type InvoicingTab = (typeof invoicingTabs)[number]
/** The pages of a site's settings. */
export const settingsPages = ['company', 'services', 'transport', 'vehicles', 'team', 'developers'] as const
export type SettingsPage = (typeof settingsPages)[number]
export const stockTabs = ['statement', 'disposals'] as const
const dictionaryTabs = ['texts', 'missing'] as const

const outcomes = ['submitted', 'cancelled'] as const

const id = z.coerce.number().int().positive()
/** A text; the router reads one that consists of digits as a number. */
const text = z.union([z.string(), z.number().transform(String)])
const day = z.string().refine(isIsoDate)
const flag = z.literal(true)
/** 'No days' is a value, too: 0 in the address. */
const days = text.transform(Number).pipe(z.number().int().min(0).max(36_500))

/**
 * Reads the search parameters of an address: those of `shape` that it has and that are well-formed. One that is not is `undefined`:
 * the router would put the address's own value in the place of one that is left out.
 */
const searchOf =
  <S extends Record<string, z.ZodType>>(shape: S) =>
  (search: Record<string, unknown>): { [K in keyof S]?: z.output<S[K]> } =>
    Object.fromEntries(
      Object.entries(shape).flatMap(([key, schema]) => {
        const { success, data } = schema.safeParse(search[key])
        return success ? [[key, data]] : key in search ? [[key, undefined]] : []
      }),
    ) as { [K in keyof S]?: z.output<S[K]> }

/** Which vehicle, which service and which operation the wizard is about: reload and bookmark work. */
export const wizardSearch = searchOf({
  plate: text,
  flt_id: id,
  type: z.enum(offeredTypes),
  /** The tyres that are chosen. */
  tyres: z.array(id).max(200),
  operation: id,
  outcome: z.enum(outcomes),
})
export const operationsSearch = searchOf({ tab: z.enum(operationsTabs) })
/** A maximum in millimetres. */
const maxDepth = text.transform(Number).pipe(z.number().min(depth.min).max(depth.max))
export const fleetSearch = searchOf({
  filter: text,
  sets: z.enum(setWishes),
  group: text,
  season: z.enum(seasons),
  depth: maxDepth,
  verdict: z.enum(verdictWishes),
  by: z.enum(vehicleSortKeys),
  desc: flag,
  page: id,
})
export const vehicleSearch = searchOf({ id, tab: z.enum(vehicleTabs) })
export const tyresSearch = searchOf({
  tab: z.enum(tyreTabs),
  filter: text,
  status: z.string(),
  season: z.string(),
  depth: maxDepth,
  verdict: z.enum(verdictWishes),
  /** In stock for longer than two seasons. */
  long: flag,
  waste: flag,
  by: z.enum(tyreSortKeys),
  desc: flag,
  page: id,
})
export const seasonSearch = searchOf({
  filter: text,
  group: text,
  to: z.enum(changeSeasons),
  verdict: z.enum(changeVerdicts),
})
export const buyingSearch = searchOf({ to: z.enum(changeSeasons) })
export const managementSearch = searchOf({ vehicle: id })
export const deskSearch = searchOf({ tab: z.enum(deskTabs), type: z.enum(offeredTypes) })
export const intakeSearch = searchOf({ type: z.enum(offeredTypes), scan: flag, day })
export const locationsSearch = searchOf({ filter: text, id })
/** Of which day, and for an administrator of which customer. */
export const stockSearch = searchOf({ tab: z.enum(stockTabs), date: day, customer: id, from: day, to: day })
export type StockSearch = ReturnType<typeof stockSearch>
export const receiptSearch = searchOf({ operation: id })
export const loadSearch = searchOf({ day, transport: id })
export const pickSearch = searchOf({ wave: id })
export const countSearch = searchOf({ count: id })
export const customersSearch = searchOf({
  /** Where the administrators were: in the settings now. */
  tab: z.literal('administrators'),
  filter: text,
  /** The last customer of each page before the one that is shown. */
  before: z.array(z.unknown()).transform(ids => ids.flatMap(value => id.safeParse(value).data ?? [])),
  id,
})
export const articlesSearch = searchOf({ filter: text, retired: flag, same_ean: flag })
export const sitesSearch = searchOf({ filter: text, by: z.enum(siteSortKeys), desc: flag })
export const importSearch = searchOf({ kind: z.enum(importKinds) })
export const auditSearch = searchOf({
  search: text,
  group: z.enum(auditGroups),
  account: id,
  customer: id,
  site: id,
  from: day,
  to: day,
})
export const securitySearch = searchOf({ kind: z.enum(securityKinds), account: id, site: id, from: day, to: day })
export const invoicingSearch = searchOf({ tab: z.enum(invoicingTabs), days, customer: id, run: id })
const page = z.enum(settingsPages)
export const configSearch = searchOf({ page })
export const siteSearch = searchOf({ id, page })
export const dictionarySearch = searchOf({
  tab: z.enum(dictionaryTabs),
  filter: text,
  ns: z.string(),
  lang: z.enum(languageCodes),
  show: z.enum(['changed', 'missing']),
})
