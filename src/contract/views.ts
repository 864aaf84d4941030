/** Named views of lists: filters that an account keeps (docs/product/screens.md "Named views"). */
import { z } from 'zod'
import { maxViewName, maxViews, viewFilters, type ViewList, viewLists } from '#domain/texts/listView.ts'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, typedText } from './wire.ts'

/** By what a list is filtered: the search parameters of its address, without the page. */
const filter = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const weekday = z.number().int().min(0).max(6)

const view = z.object({
  _id: id,
  list: z.enum(viewLists),
  name: z.string(),
  filter,
  /** Whether the other accounts of its customer, or the other administrators, see it. */
  shared: z.boolean(),
  /** Whether the caller keeps it, and may change it. */
  own: z.boolean(),
  /** Whose it is. */
  by: z.string(),
  /** On which weekday it comes to the caller by mail, Sunday 0 to Saturday 6; `null` for not at all. */
  weekly: weekday.nullable(),
})
export type ListView = z.output<typeof view>

const named = typedText(maxViewName).pipe(z.string().min(1))

/** A view of a list to keep: a new one, or with `_id` one that is there. What the list can't be filtered by is left out. */
const wantedOf = <L extends ViewList>(list: L) =>
  z.object({
    _id: inputId.optional(),
    list: z.literal(list),
    name: named,
    filter: viewFilters[list],
    shared: z.boolean(),
  })
const wanted = z.discriminatedUnion('list', [
  wantedOf('vehicles'),
  wantedOf('tyres'),
  wantedOf('season'),
  wantedOf('customers'),
  wantedOf('articles'),
  wantedOf('audit'),
])

const stale: AnswerName[] = ['views.list']
const both = { who: ['user', 'admin'], warehouse: false } as const

export const views = feature('views', {
  list: call({
    path: '/views/list',
    scope: 'read',
    ...both,
    input: z.object({}),
    output: rows(view),
    summary: 'Lists the named views that the caller keeps, and those that colleagues share, by name.',
  }),
  save: call({
    path: '/views/save',
    scope: null,
    ...both,
    input: wanted,
    output: z.object({ _id: id }),
    failures: ['record.missing', 'session.forbidden', 'view.name_taken', 'view.too_many'],
    invalidates: stale,
    summary: `Keeps the filter of a list under a name, or changes one that is kept. An account keeps ${maxViews} at most.`,
  }),
  mail: call({
    path: '/views/mail',
    scope: null,
    who: ['user'],
    input: z.object({ _id: inputId, weekday: weekday.nullable() }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'mail.off', 'mail.no_address', 'view.not_mailed'],
    invalidates: stale,
    summary:
      'Sends a view of vehicles or tyres, an own or a shared one, to the caller by mail every week on this day; null ends that.',
  }),
  remove: call({
    path: '/views/remove',
    scope: null,
    ...both,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: stale,
    summary: 'Removes a named view of the caller, also for those whom it was shared with.',
  }),
})
