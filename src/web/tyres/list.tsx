/** The tyre list: sets and individual tyres (docs/product/tyres.md "Tyre list"). */
import { Button, Group, Menu, Tabs, Text } from '@mantine/core'
import { IconFileCertificate } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentProps, memo, useCallback, useEffect, useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { OnlyCustomer } from '../customers/onlyCustomer.tsx'
import { fleet as calls, vehiclesPerPage } from '#contract/fleet.ts'
import type { RawInput } from '#contract/call.ts'
import type { SiteConfig, Vehicle } from '#contract/wire.ts'
import { longStoredSince } from '#domain/tyres/health.ts'
import { isHotel } from '#domain/site.ts'
import { tyresSearch, tyreTabs } from '../searchParams.ts'
import { usePages } from '../shared/pages.ts'
import { useOverview } from '../customers/overviewButton.tsx'
import { useActing, useFirstVehicles, useFleet, useSeesSite, useSite } from '../shared/session.ts'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { pageOf, paging } from '../ui/dataTable/paging.tsx'
import { LinkButton } from '../ui/link.tsx'
import { ClearFilters, Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { ListLine, type ListLineProps } from '../ui/listLine.tsx'
import type { Sort } from '../ui/dataTable/sort.tsx'
import { useReaching } from '../vehicles/depths/reaching.ts'
import { useTreadCase } from '../vehicles/depths/treadLimits.ts'
import { hasVerdict } from '#domain/vehicles/vehicleFilter.ts'
import { ViewMenu } from '../views/viewMenu.tsx'
import { ActionBar } from './actions.tsx'
import { orderedSets, orderedTyres, sortable, type SortKey } from './order.ts'
import { NoSet } from './noSet.tsx'
import { Others, SiteOthers } from './others.tsx'
import { listedAt, seasonsIn, statusesIn, statusesShown } from '#domain/texts/listFilter.ts'
import { rowsOf, setSizes, setsOf, shownOf, type TyreRow } from './rows.ts'
import { useSelection } from './selection.ts'
import { SetTable } from './setTable.tsx'
import { Filter, SeasonAndDepth, Statuses, useChips, useExports, VerdictAndAge, Waste } from './toolbar.tsx'
import { TyreTable } from './tyreTable.tsx'
import { isStart, unfiltered, useView, type View, type ViewProps } from './view.ts'
import { TabList } from '../ui/tabList.tsx'

export function TyreList() {
  const { t } = useTranslation('tyres')
  const seesSite = useSeesSite()
  const { view, change } = useView({ ahead: false })
  const { tab } = view
  return (
    <Tabs
      value={tab}
      onChange={next => change({ tab: tyreTabs.find(option => option === next) ?? 'sets' })}
      keepMounted={false}
    >
      <Screen
        title={t('title')}
        tabs={
          <TabList selected={tab}>
            {tyreTabs.map(option => (
              <Tabs.Tab key={option} value={option}>
                {t(`tabs.${option}`)}
              </Tabs.Tab>
            ))}
          </TabList>
        }
        actions={
          !seesSite && (
            <LinkButton variant="default" to="/left">
              {t('leftFleet')}
            </LinkButton>
          )
        }
      >
        {seesSite ? <SiteTyres /> : <OwnTyres />}
      </Screen>
    </Tabs>
  )
}

function Views() {
  const { page: _page, ...kept } = useSearch({ from: '/tyres' })
  const navigate = useNavigate()
  const { t } = useTranslation('tyres')
  const { allowProfileDepth, mode } = useSite()
  const seesSite = useSeesSite()
  // for all vehicles of a site the server has neither verdicts nor ages
  const ours = seesSite
    ? []
    : [
        ...(allowProfileDepth ? [{ name: t('verdictOf.worn'), filter: { status: '', verdict: 'worn' as const } }] : []),
        ...(isHotel(mode) ? [{ name: t('longStored'), filter: { long: true } }] : []),
      ]
  return (
    <ViewMenu
      list="tyres"
      ours={ours}
      filter={kept}
      open={view => void navigate({ to: '/tyres', search: tyresSearch(view), resetScroll: false })}
    />
  )
}

const greyRows = 8

function OwnTyres() {
  const fleet = useFleet()
  const first = useFirstVehicles()
  const chosen = useView({ ahead: true })
  if (!fleet.data && fleet.isError) return <Failed error={fleet.error} retry={fleet.refetch} />
  const vehicles = fleet.data ?? (isStart(chosen.view) ? first : undefined)
  return <Tyres {...chosen} fleet={vehicles} awaits={fleet.data ? null : 'rest'} />
}

/** An administrator's: the tyres of the site's vehicles, which the server searches by filter and status. */
function SiteTyres() {
  const { t } = useTranslation('tyres')
  const site = useSite()
  const chosen = useView({ ahead: false })
  const { view } = chosen
  const search = view.filter.trim()
  const { shown: statuses, others } = statusesShown(view.statuses, site, view.waste)
  const depth = depthAsked(view, site)
  const criteria = {
    ...(search !== '' && { search }),
    ...(view.seasons.length > 0 && { tyre_season: [...view.seasons] }),
    ...(depth !== null && { tyre_depth: depth }),
  }
  const input = { ...criteria, tyre_status: statuses }
  const pages = usePages(calls.fetch, input, {
    after: 'last_vehicle',
    lastOf: page => (page.length === vehiclesPerPage ? page.at(-1)?.flt_id : null),
    keep: true,
  })
  const { hasNextPage, isFetching, isFetchNextPageError, isPlaceholderData, fetchNextPage } = pages
  const fleet = useMemo(() => pages.data?.pages.flat(), [pages.data])
  if (!fleet && pages.isError) return <Failed error={pages.error} retry={pages.refetch} />
  return (
    <>
      <Tyres
        {...chosen}
        fleet={fleet}
        // there may be more than these: nothing found yet is not nothing
        awaits={isPlaceholderData || (hasNextPage && !isFetchNextPageError) ? 'search' : null}
        search={{
          searched: !isPlaceholderData,
          lookOn: hasNextPage && !isFetching && !isFetchNextPageError ? fetchNextPage : undefined,
          others: { ...criteria, tyre_status: others },
        }}
      />
      {fleet && isFetchNextPageError && <Failed error={pages.error} retry={fetchNextPage} />}
      {fleet && hasNextPage && !isFetchNextPageError && (
        <Group justify="center" mt="md">
          <Text size="sm" c="dimmed">
            {t('moreVehicles', { count: fleet.length })}
          </Text>
          <Button variant="default" size="xs" loading={pages.isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('loadMore')}
          </Button>
        </Group>
      )}
    </>
  )
}

const nothing: readonly Vehicle[] = []
const noRows: readonly TyreRow[] = []

/** A depth that the site hides is not sent either: an old address may contain one. */
const depthAsked = ({ depth }: View, { allowProfileDepth }: Pick<SiteConfig, 'allowProfileDepth'>): number | null =>
  allowProfileDepth ? depth : null

type NoTyresProps = {
  /** Of sets, or of tyres. */
  sets: boolean
  /** There are none at all. */
  none: boolean
  /** Clears the filters. */
  clear?: () => void
}

/** Shown for an empty list: the way to existing tyres, or to add the first. */
function NoTyres({ sets, none, clear }: NoTyresProps) {
  const { t } = useTranslation('tyres')
  const { mode } = useSite()
  return (
    <Empty text={sets ? t('noSets') : t('noTyres')}>
      <OnlyCustomer />
      {clear && <ClearFilters clear={clear} />}
      {none && isHotel(mode) && (
        <LinkButton to="/fleet" variant="default">
          {t('toVehicles')}
        </LinkButton>
      )}
    </Empty>
  )
}

/** The part of a list that is still loading: the rest of a customer's fleet, or the server's search results. */
type Awaits = 'rest' | 'search' | null

type CountProps = { awaits: Awaits; tab: View['tab']; sets: number; tyres: number }

/** How much is listed. */
function Count({ awaits, tab, sets, tyres }: CountProps) {
  const { t } = useTranslation(['tyres', 'common'])
  const counts = [tab === 'sets' && t('tyres:sets', { count: sets }), t('common:tyres', { count: tyres })]
  const listed = tab === 'sets' ? sets : tyres
  return (
    <Text size="sm" c="dimmed" role="status">
      {awaits === 'rest'
        ? t('common:loadingRest')
        : awaits === 'search' && listed === 0
          ? t('tyres:looking')
          : counts.filter(Boolean).join(' · ')}
    </Text>
  )
}

type TyresProps = ViewProps & {
  /** Filters by these words. */
  settle: (filter: string) => void
  /** `undefined` while it is not known. */
  fleet: readonly Vehicle[] | undefined
  awaits: Awaits
  /** How the server searches the vehicles of the site; without it they are the whole fleet of a customer. */
  search?: {
    /** It has found these vehicles by the filter. */
    searched: boolean
    /** Fetches some more of them. */
    lookOn: (() => unknown) | undefined
    /** Asks for the same in other statuses. */
    others: RawInput<typeof calls.fetch>
  }
}

/**
 * Further conditions on a row, for one customer: a verdict, or long storage. `waits` replaces the rows while they load; `reaches` says when tyres
 * reach their limit, in a list of such.
 */
function useAlso({ verdict: requested, long: asksLong }: View, ofSite: boolean) {
  const { allowProfileDepth } = useSite()
  const judged = useTreadCase()
  const today = useToday()
  // For all vehicles of a site the server searches the tyres, and has no verdicts.
  const verdict = allowProfileDepth && !ofSite ? requested : null
  const long = asksLong && !ofSite
  const { tyres: reaching, isPending, failed } = useReaching({ enabled: verdict === 'reaching' })
  const also = useCallback(
    ({ tyre, vehicle }: TyreRow) =>
      (verdict === null || hasVerdict(tyre, verdict, { at: judged(vehicle), reaching })) &&
      (!long || (tyre.tyre_status === 'in_stock' && tyre.status_date <= longStoredSince(today))),
    [verdict, reaching, long, judged, today],
  )
  const waits = failed ? (
    <Failed error={failed.error} retry={failed.refetch} />
  ) : (
    isPending && <Placeholders rows={greyRows} />
  )
  return { also, waits, reaches: verdict === 'reaching' ? reaching : null }
}

/** Further items of the list's menu: the overview of what is stored, and a customer's statements. */
function useProofs(offered: boolean): Required<Pick<ListLineProps, 'more' | 'links'>> {
  const { t } = useTranslation(['stock', 'papers'])
  const acting = useActing()
  const overview = useOverview({ customer: acting?.seq_id })
  return {
    more: offered ? [overview] : [],
    links: offered && !acting && (
      <Menu.Item component={Link} to="/stock" leftSection={<IconFileCertificate size={16} aria-hidden />}>
        {t('stock:title')}
      </Menu.Item>
    ),
  }
}

type OtherStatusesProps = ComponentProps<typeof Others> &
  Omit<ComponentProps<typeof SiteOthers>, 'input'> & { search: TyresProps['search'] }

/** The finds in statuses that are not listed. */
const OtherStatuses = ({ search, rows, ...props }: OtherStatusesProps) =>
  search ? <SiteOthers input={search.others} {...props} /> : <Others rows={rows} show={props.show} />

/** The same again while only the address follows. */
const Tyres = memo(function Tyres({ view, change, settle, fleet, awaits, search }: TyresProps) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { language } = i18n
  const ofSite = search !== undefined
  const searched = search?.searched ?? false
  const site = useSite()
  const { mode } = site
  const { tab, filter, waste, desc } = view
  const [setSize, chooseSetSize] = useRemembered<number>('setsPerPage', 50)
  const [tyreSize, chooseTyreSize] = useRemembered<number>('tyresPerPage', 50)
  const size = tab === 'sets' ? setSize : tyreSize

  const { also, waits, reaches } = useAlso(view, ofSite)
  const start: SortKey = reaches ? 'reach' : 'plate'
  const by = sortable[tab].find(key => key === view.by && (key !== 'reach' || reaches)) ?? start
  const rows = useMemo(() => {
    const listed = listedAt(site)
    return rowsOf(fleet ?? nothing, { language, ofSite, mode }).filter(({ tyre }) => listed[tyre.tyre_status])
  }, [fleet, language, ofSite, mode, site])
  const all = useMemo(
    () => (reaches ? rows.map(row => ({ ...row, reach: reaches.get(row.tyre.db_id) })) : rows),
    [rows, reaches],
  )
  const status = view.statuses.join(',')
  const season = view.seasons.join(',')
  const depth = depthAsked(view, site)
  const wanted = useMemo(
    () => ({ filter, seasons: seasonsIn(season), depth, also, searched }),
    [filter, season, depth, also, searched],
  )
  const statuses = useMemo(() => statusesShown(statusesIn(status), site, waste), [status, site, waste])
  const shown = useMemo(() => shownOf(all, { ...wanted, statuses: statuses.shown }), [all, wanted, statuses])
  const others = useMemo(() => shownOf(all, { ...wanted, statuses: statuses.others }), [all, wanted, statuses])
  const sizes = useMemo(() => setSizes(all), [all])
  const sets = useMemo(
    () => (tab === 'sets' ? orderedSets(setsOf(shown, sizes), { by, desc }, language) : []),
    [tab, shown, sizes, by, desc, language],
  )
  const setless = useMemo(
    () => (tab === 'sets' ? shown.filter(({ tyre }) => tyre.tyre_set === null) : []),
    [tab, shown],
  )
  const listed = useMemo(
    () =>
      tab === 'sets' ? [...sets.flatMap(set => set.tyres), ...setless] : orderedTyres(shown, { by, desc }, language),
    [tab, sets, setless, shown, by, desc, language],
  )
  const total = tab === 'sets' ? sets.length : listed.length
  const showOthers = (rows: readonly TyreRow[]) =>
    change({ statuses: [], waste: waste || rows.some(({ tyre }) => tyre.tyre_status === 'waste') })
  const pages = {
    label: tab === 'sets' ? t('tyres:setsPerPage') : t('tyres:tyresPerPage'),
    page: view.page,
    size,
    onPage: (next: number) => change({ page: next }),
    onSize: (next: number) => {
      if (tab === 'sets') chooseSetSize(next)
      else chooseTyreSize(next)
      change({ page: 1 })
    },
  }

  const selecting = useSelection(all, { whole: !ofSite })
  // In fleet mode nothing is done with tyres, so none can be selected.
  const selection = isHotel(mode) ? { selected: selecting.selected, toggle: selecting.toggle } : undefined
  const choose = useCallback(
    (next: SortKey, down: boolean) => change({ by: next === start ? null : next, desc: down }),
    [change, start],
  )
  const sort: Sort<SortKey> = { by, desc, choose }

  const emptySoFar = total === 0 && awaits !== null
  const look = emptySoFar ? search?.lookOn : undefined
  useEffect(() => void look?.(), [look])

  const chips = useChips({ view, change }, ofSite)
  const { actions, more } = useExports(awaits === 'rest' ? noRows : listed, { ofSite })
  const proofs = useProofs(!ofSite && isHotel(mode))

  return (
    <>
      {tyreTabs.map(option => (
        <Tabs.Panel key={option} value={option}>
          <ListLine
            search={<Filter value={view.filter} settle={settle} ofSite={ofSite} />}
            fields={<Statuses view={view} change={change} />}
            fieldsSet={Number(view.statuses.length > 0)}
            filters={
              <>
                <SeasonAndDepth view={view} change={change} />
                {!ofSite && <VerdictAndAge view={view} change={change} />}
                <Waste view={view} change={change} />
              </>
            }
            chips={chips}
            clear={() => change({ seasons: [], depth: null, verdict: null, long: false, waste: false })}
            views={<Views />}
            status={fleet && !waits && <Count awaits={awaits} tab={tab} sets={sets.length} tyres={listed.length} />}
            actions={actions}
            more={[...more, ...proofs.more]}
            links={proofs.links}
          />
          {waits ? (
            waits
          ) : !fleet ? (
            <Placeholders rows={greyRows} />
          ) : (
            <>
              {selection && <ActionBar listed={listed} isWhole={awaits !== 'rest'} selecting={selecting} />}
              {!emptySoFar && setless.length > 0 && (
                <NoSet rows={setless} selection={selection} withReach={reaches !== null} />
              )}
              {emptySoFar ? (
                <Placeholders rows={greyRows} />
              ) : total === 0 ? (
                <NoTyres
                  sets={option === 'sets'}
                  none={all.length === 0 && !(ofSite && view.filter.trim())}
                  {...(listed.length === 0 &&
                    (all.length > 0 || view.filter.trim() !== '') && { clear: () => change(unfiltered) })}
                />
              ) : option === 'sets' ? (
                <SetTable
                  sets={sets}
                  here={pageOf(sets, pages)}
                  selection={selection}
                  withReach={reaches !== null}
                  sort={sort}
                  paging={paging(pages)}
                />
              ) : (
                <TyreTable
                  rows={listed}
                  here={pageOf(listed, pages)}
                  selection={selection}
                  withReach={reaches !== null}
                  sort={sort}
                  paging={paging(pages)}
                />
              )}
              {!emptySoFar && (
                <OtherStatuses
                  search={search}
                  rows={others}
                  wanted={wanted}
                  statuses={statuses.others}
                  show={showOthers}
                />
              )}
            </>
          )}
        </Tabs.Panel>
      ))}
    </>
  )
})
