/** The tyre list (SPEC §2 "Tyre list", §4 "Action availability", §9). */
import { Button, Group, MultiSelect, Switch, Tabs, Text } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { type TyreStatus, tyreStatuses } from '#domain/tyre.ts'
import { ask, keyOf } from '../api.ts'
import { useFleet, useSite, useWho } from '../session.ts'
import { csvFile, tabLines } from '../ui/cell.ts'
import { copyText } from '../ui/copy.ts'
import { saveFile } from '../ui/download.ts'
import { FilterField } from '../ui/FilterField.tsx'
import { formatDepth } from '../ui/format.ts'
import { useRemembered, useToday } from '../ui/hooks.ts'
import { notify } from '../ui/notify.ts'
import { pageWithin, Paging } from '../ui/paging.tsx'
import { Empty, Failed, Placeholders, Screen } from '../ui/screen.tsx'
import { ActionBar } from './actions.tsx'
import {
  canSelect,
  cellsOf,
  defaultStatuses,
  rowsOf,
  setsOf,
  listedAt,
  shownOf,
  statusesIn,
  toggled,
  type TyreRow,
} from './rows.ts'
import { SetTable, TyreTable } from './tables.tsx'
import classes from './tyres.module.css'

const tabs = ['sets', 'tyres'] as const
type Tab = (typeof tabs)[number]

/** What somebody looks at; in the address, so that the way back leads to the same rows. */
type View = { tab: Tab; filter: string; statuses: readonly TyreStatus[]; waste: boolean; page: number }

function useView(): [View, (change: Partial<View>) => void] {
  const search = useSearch({ from: '/tyres' })
  const navigate = useNavigate()
  const view: View = {
    tab: search.tab ?? 'sets',
    filter: search.filter ?? '',
    statuses: search.status === undefined ? defaultStatuses : statusesIn(search.status),
    waste: search.waste ?? false,
    page: search.page ?? 1,
  }
  return [
    view,
    change => {
      const { tab, filter, statuses, waste, page } = { ...view, page: 1, ...change }
      const status = statuses.join(',')
      void navigate({
        to: '/tyres',
        search: {
          ...(tab !== 'sets' && { tab }),
          ...(filter !== '' && { filter }),
          ...(status !== defaultStatuses.join(',') && { status }),
          ...(waste && { waste }),
          ...(page > 1 && { page }),
        },
        replace: true,
        resetScroll: false,
      })
    },
  ]
}

export function TyreList() {
  const { t } = useTranslation('tyres')
  const who = useWho()
  const [view, change] = useView()
  return (
    <Screen title={t('title')}>
      {who.type === 'admin' ? <SiteTyres view={view} change={change} /> : <OwnTyres view={view} change={change} />}
    </Screen>
  )
}

type FaceProps = { view: View; change: (change: Partial<View>) => void }
const greyRows = 8

function OwnTyres(props: FaceProps) {
  const fleet = useFleet()
  if (!fleet.data && fleet.isError) return <Failed error={fleet.error} retry={fleet.refetch} />
  return <Tyres {...props} fleet={fleet.data} />
}

/** So many vehicles the server answers at once. */
const serverPage = 100

/** An administrator's: the tyres of the site's vehicles, which the server searches (DESIGN §7). */
function SiteTyres(props: FaceProps) {
  const { t } = useTranslation('tyres')
  const search = props.view.filter.trim()
  const asked = search === '' ? {} : { search }
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(calls.fetch, asked), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask(calls.fetch, { ...asked, ...(pageParam !== null && { last_vehicle: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: last => (last.length === serverPage ? (last.at(-1)?.flt_id ?? null) : null),
    placeholderData: previous => previous,
  })
  const fleet = useMemo(() => pages.data?.pages.flat(), [pages.data])
  if (!fleet && pages.isError) return <Failed error={pages.error} retry={pages.refetch} />
  return (
    <>
      <Tyres {...props} fleet={fleet} />
      {fleet && pages.hasNextPage && (
        <Group justify="center" mt="md">
          <Text size="sm" c="dimmed">
            {t('moreVehicles', { count: fleet.length })}
          </Text>
          <Button
            variant="default"
            size="xs"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('loadMore')}
          </Button>
        </Group>
      )}
    </>
  )
}

const nothing: readonly Vehicle[] = []

function Tyres({ view, change, fleet }: FaceProps & { fleet: readonly Vehicle[] | undefined }) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const who = useWho()
  const site = useSite()
  const { tab, filter, waste } = view
  const status = view.statuses.join(',')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [setSize, chooseSetSize] = useRemembered<number>('setsPerPage', 50)
  const [tyreSize, chooseTyreSize] = useRemembered<number>('tyresPerPage', 50)

  const all = useMemo(() => {
    const listed = listedAt(site)
    return rowsOf(fleet ?? nothing, i18n.language).filter(({ tyre }) => listed[tyre.tyre_status])
  }, [fleet, i18n.language, site])
  // The server has searched an administrator's vehicles already, in more than these texts.
  const words = who.type === 'admin' ? '' : filter
  const shown = useMemo(
    () => shownOf(all, { filter: words, statuses: statusesIn(status), waste: waste && site.showWasteTyres }),
    [all, words, status, waste, site.showWasteTyres],
  )
  const sets = useMemo(() => setsOf(shown, all), [shown, all])
  const listed = useMemo(() => (tab === 'sets' ? sets.flatMap(set => set.tyres) : shown), [tab, sets, shown])
  // What was selected and has since been taken into an operation, or is gone, is no longer selected.
  const selectedRows = useMemo(() => all.filter(row => chosen.has(row.tyre.db_id) && canSelect(row)), [all, chosen])
  const selected = useMemo(() => new Set(selectedRows.map(row => row.tyre.db_id)), [selectedRows])
  const toggle = (ids: readonly number[]) => setChosen(toggled(selected, ids))

  const total = tab === 'sets' ? sets.length : shown.length
  const size = tab === 'sets' ? setSize : tyreSize
  const page = pageWithin(view.page, { total, size })
  const within = <T,>(rows: readonly T[]) => rows.slice((page - 1) * size, page * size)

  return (
    <Tabs value={tab} onChange={next => change({ tab: tabs.find(one => one === next) ?? 'sets' })} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map(one => (
          <Tabs.Tab key={one} value={one}>
            {t(`tyres:tabs.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(one => (
        <Tabs.Panel key={one} value={one}>
          <div className={classes.toolbar}>
            <FilterField
              label={who.type === 'admin' ? t('tyres:searchVehicles') : t('tyres:filter')}
              placeholder={who.type === 'admin' ? t('tyres:searchVehiclesHint') : t('tyres:filterHint')}
              value={filter}
              settle={next => change({ filter: next })}
              className={classes.filter}
            />
            <Statuses view={view} change={change} />
            <Share rows={listed} />
          </div>
          {!fleet ? (
            <Placeholders rows={greyRows} />
          ) : (
            <>
              <ActionBar
                all={listed}
                selected={selectedRows}
                choose={rows => setChosen(new Set(rows.map(row => row.tyre.db_id)))}
              />
              <Text size="sm" c="dimmed" mb="xs" role="status">
                {[
                  one === 'sets' && t('tyres:sets', { count: sets.length }),
                  t('common:tyres', { count: listed.length }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              {total === 0 ? (
                <Empty text={one === 'sets' ? t('tyres:noSets') : t('tyres:noTyres')} />
              ) : (
                <>
                  {one === 'sets' ? (
                    <SetTable sets={within(sets)} selected={selected} toggle={toggle} />
                  ) : (
                    <TyreTable rows={within(shown)} selected={selected} toggle={toggle} withVehicle />
                  )}
                  <Paging
                    label={one === 'sets' ? t('tyres:setsPerPage') : t('tyres:tyresPerPage')}
                    total={total}
                    page={page}
                    size={size}
                    onPage={next => change({ page: next })}
                    onSize={next => {
                      if (one === 'sets') chooseSetSize(next)
                      else chooseTyreSize(next)
                      change({ page: 1 })
                    }}
                  />
                </>
              )}
            </>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** The statuses that are shown, and the switch for waste where the site has it (SPEC §2). */
function Statuses({ view, change }: FaceProps) {
  const { t } = useTranslation(['tyres', 'common'])
  const site = useSite()
  const listed = listedAt(site)
  const statuses = tyreStatuses.filter(status => listed[status] && (status !== 'waste' || view.waste))
  return (
    <>
      <MultiSelect
        label={t('tyres:statuses')}
        placeholder={view.statuses.length === 0 ? t('tyres:anyStatus') : ''}
        data={statuses.map(status => ({ value: status, label: t(`common:tyreStatus.${status}`) }))}
        value={statuses.filter(status => view.statuses.includes(status))}
        onChange={chosen => change({ statuses: tyreStatuses.filter(status => chosen.includes(status)) })}
        comboboxProps={{ withinPortal: false }}
        withScrollArea={false}
        clearable
        className={classes.statuses}
      />
      {site.showWasteTyres && (
        <Switch
          label={t('tyres:showWaste')}
          checked={view.waste}
          onChange={event => {
            const { checked: waste } = event.currentTarget
            const others = view.statuses.filter(status => status !== 'waste')
            // Without a status asked for all are shown, waste too.
            change({ waste, statuses: waste && others.length > 0 ? [...others, 'waste'] : others })
          }}
          className={classes.waste}
        />
      )}
    </>
  )
}

/** Copy and Export: what the list shows on all its pages, a line per tyre (SPEC §9). */
function Share({ rows }: { rows: readonly TyreRow[] }) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const today = useToday()
  const cells = () =>
    cellsOf(
      rows,
      {
        heading: column => t(`tyres:columns.${column}`),
        status: status => t(`common:tyreStatus.${status}`),
        setless: t('common:tyre.setless'),
        depth: depth => formatDepth(depth, i18n.language),
      },
      { withDepth: allowProfileDepth },
    )
  return (
    <Group gap="xs" className={classes.share}>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        disabled={rows.length === 0}
        onClick={() => void copyText(tabLines(cells()), t('tyres:copied'))}
      >
        {t('tyres:copy')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        disabled={rows.length === 0}
        onClick={() => {
          saveFile(csvFile(cells()), { name: `${t('tyres:fileName')}-${today}.csv`, type: 'text/csv;charset=utf-8' })
          notify.success(t('tyres:exported'))
        }}
      >
        {t('tyres:export')}
      </Button>
    </Group>
  )
}
