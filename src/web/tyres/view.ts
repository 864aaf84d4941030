/** What somebody looks at in the tyre list; in the address, so that the way back leads to the same rows. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { VerdictWish } from '#domain/tread.ts'
import { type Season, seasons as allSeasons, type TyreStatus, tyreStatuses } from '#domain/tyre.ts'
import type { tyreTabs } from '../addresses.ts'
import type { Order, SortKey } from './order.ts'
import { defaultStatuses, seasonsIn, statusesIn } from '#domain/listFilter.ts'

export type View = Order & {
  tab: (typeof tyreTabs)[number]
  filter: string
  statuses: readonly TyreStatus[]
  seasons: readonly Season[]
  /** In mm: of more tread no tyre is shown. */
  depth: number | null
  verdict: VerdictWish | null
  /** Only tyres in stock for longer than two seasons. */
  long: boolean
  waste: boolean
  page: number
}
export type ViewProps = { view: View; change: (change: Partial<View>) => void }

/** By how many things besides words the tyres are filtered. */
export const filtersIn = ({ statuses, seasons, depth, verdict, long, waste }: View): number =>
  [statuses.length > 0, seasons.length > 0, depth !== null, verdict !== null, long, waste].filter(Boolean).length

/** The tyres of every status and season, but waste. */
export const unfiltered = {
  filter: '',
  statuses: [],
  seasons: [],
  depth: null,
  verdict: null,
  long: false,
} satisfies Partial<View>

const defaultSort: SortKey = 'plate'

/** The view, and how to change it; whatever changes, the list begins at its first page, unless it is the page itself. */
export function useView(): [View, ViewProps['change']] {
  const search = useSearch({ from: '/tyres' })
  const navigate = useNavigate()
  const view: View = {
    tab: search.tab ?? 'sets',
    filter: search.filter ?? '',
    statuses: search.status === undefined ? defaultStatuses : statusesIn(search.status),
    seasons: seasonsIn(search.season ?? ''),
    depth: search.depth ?? null,
    verdict: search.verdict ?? null,
    long: search.long ?? false,
    waste: search.waste ?? false,
    by: search.by ?? defaultSort,
    desc: search.desc ?? false,
    page: search.page ?? 1,
  }
  return [
    view,
    change => {
      const { tab, filter, statuses, seasons, depth, verdict, long, waste, by, desc, page } = {
        ...view,
        page: 1,
        ...change,
      }
      const status = tyreStatuses.filter(one => statuses.includes(one)).join(',')
      const season = allSeasons.filter(one => seasons.includes(one)).join(',')
      void navigate({
        to: '/tyres',
        search: {
          ...(tab !== 'sets' && { tab }),
          ...(filter !== '' && { filter }),
          ...(status !== defaultStatuses.join(',') && { status }),
          ...(season !== '' && { season }),
          ...(depth !== null && { depth }),
          ...(verdict !== null && { verdict }),
          ...(long && { long }),
          ...(waste && { waste }),
          ...(by !== defaultSort && { by }),
          ...(desc && { desc }),
          ...(page > 1 && { page }),
        },
        replace: true,
        resetScroll: false,
      })
    },
  ]
}
