/** The view of the tyre list; kept in the address, so that the way back leads to the same rows. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { VerdictWish } from '#domain/tyres/tread.ts'
import { type Season, seasons as allSeasons, type TyreStatus, tyreStatuses } from '#domain/tyres/tyre.ts'
import type { tyreTabs } from '../searchParams.ts'
import type { SortKey } from './order.ts'
import { defaultStatuses, seasonsIn, statusesIn } from '#domain/texts/listFilter.ts'
import { useBeforeAddress, useLatest } from '../ui/hooks.ts'

export type View = {
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
  /** `null`: as the list comes. */
  by: SortKey | null
  desc: boolean
  page: number
}
export type ViewProps = { view: View; change: (change: Partial<View>) => void }

/** The tyres of every status and season, but waste. */
export const unfiltered = {
  filter: '',
  statuses: [],
  seasons: [],
  depth: null,
  verdict: null,
  long: false,
} satisfies Partial<View>

/** The search parameters of a view, without those at their default. */
function searchOf({ tab, filter, statuses, seasons, depth, verdict, long, waste, by, desc, page }: View) {
  const status = tyreStatuses.filter(candidate => statuses.includes(candidate)).join(',')
  const season = allSeasons.filter(candidate => seasons.includes(candidate)).join(',')
  return {
    ...(tab !== 'sets' && { tab }),
    ...(filter !== '' && { filter }),
    ...(status !== defaultStatuses.join(',') && { status }),
    ...(season !== '' && { season }),
    ...(depth !== null && { depth }),
    ...(verdict !== null && { verdict }),
    ...(long && { long }),
    ...(waste && { waste }),
    ...(by !== null && { by }),
    ...(desc && { desc }),
    ...(page > 1 && { page }),
  }
}

/** Whether a view is the initial one of its tab: the first page with the default filters. */
export const isStart = (view: View): boolean => Object.keys(searchOf({ ...view, tab: 'sets' })).length === 0

/** The view in the address, and its setter. */
function useChosen() {
  const { filter = '', page = 1, ...search } = useSearch({ from: '/tyres' })
  const { tab = 'sets', status, season = '', depth = null, verdict = null } = search
  const { long = false, waste = false, by = null, desc = false } = search
  const navigate = useNavigate()
  const others = useMemo(() => {
    const statuses = status === undefined ? defaultStatuses : statusesIn(status)
    return { tab, statuses, seasons: seasonsIn(season), depth, verdict, long, waste, by, desc }
  }, [tab, status, season, depth, verdict, long, waste, by, desc])
  const inAddress: View = { ...others, filter, page }
  const latest = useLatest(inAddress)
  const change = useCallback(
    (next: Partial<View>) =>
      void navigate({
        to: '/tyres',
        search: searchOf({ ...latest.current, page: 1, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, latest],
  )
  return { inAddress, others, change }
}

/**
 * The view, and its setter; any change other than of the page returns to the first page. With `ahead` the words filter before they are in the
 * address; a server is only asked for the words in the address.
 */
export function useView({ ahead }: { ahead: boolean }) {
  const { inAddress, others, change } = useChosen()
  const find = useCallback((filter: string) => change({ filter }), [change])
  const [typed, settle] = useBeforeAddress(inAddress.filter, find)
  const filter = ahead ? typed : inAddress.filter
  const page = filter === inAddress.filter ? inAddress.page : 1
  // the same while only the address follows
  const view = useMemo((): View => ({ ...others, filter, page }), [others, filter, page])
  return { view, change, settle: ahead ? settle : find }
}
