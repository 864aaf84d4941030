/** Named views of lists: what each list can be filtered by, as its address says it (docs/product/screens.md "Named views"). */
import { z } from 'zod'
import { auditGroups } from '../people/audit.ts'
import { isIsoDate } from './date.ts'
import { changeSeasons, changeVerdicts } from '../season/seasonChange.ts'
import { verdictWishes } from '../tyres/tread.ts'
import { depth, seasons } from '../tyres/tyre.ts'
import { setWishes } from '../vehicles/vehicleFilter.ts'

/** The longest name of a view, in characters. */
export const maxViewName = 60
/** How many views an account keeps. */
export const maxViews = 100

const words = z.string().max(200)
const most = z.number().min(depth.min).max(depth.max)
const flag = z.literal(true)
const id = z.number().int().min(1).max(2_147_483_647)
const day = z.string().refine(isIsoDate)
const order = { by: z.string().max(20).optional(), desc: flag.optional() }

/** The filters that a view of each list may hold. A page is not one of them: rows come and go. */
export const viewFilters = {
  vehicles: z.object({
    filter: words.optional(),
    sets: z.enum(setWishes).optional(),
    group: words.optional(),
    season: z.enum(seasons).optional(),
    depth: most.optional(),
    verdict: z.enum(verdictWishes).optional(),
    ...order,
  }),
  tyres: z.object({
    tab: z.enum(['sets', 'tyres']).optional(),
    filter: words.optional(),
    status: z.string().max(100).optional(),
    season: z.string().max(100).optional(),
    depth: most.optional(),
    verdict: z.enum(verdictWishes).optional(),
    long: flag.optional(),
    waste: flag.optional(),
    ...order,
  }),
  season: z.object({
    filter: words.optional(),
    group: words.optional(),
    to: z.enum(changeSeasons).optional(),
    verdict: z.enum(changeVerdicts).optional(),
  }),
  customers: z.object({ filter: words.optional() }),
  articles: z.object({ filter: words.optional(), retired: flag.optional() }),
  audit: z.object({
    search: words.optional(),
    group: z.enum(auditGroups).optional(),
    account: id.optional(),
    customer: id.optional(),
    from: day.optional(),
    to: day.optional(),
  }),
} as const satisfies Record<string, z.ZodType>

export type ViewList = keyof typeof viewFilters
export const viewLists = Object.keys(viewFilters) as [ViewList, ...ViewList[]]
/** Lists whose views come by mail, every week at this hour of the site. */
export const mailedViewLists = ['vehicles', 'tyres'] as const satisfies readonly ViewList[]
export const viewMailHour = 7
/** How many rows a message lists; the portal shows the others. */
export const viewMailRows = 50

/** Lists of administrators alone. */
export const adminViewLists: readonly ViewList[] = ['customers', 'articles', 'audit']
