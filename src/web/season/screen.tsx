/** The change of season for a whole fleet (docs/product/season.md "Season change"). */
import { Button, SegmentedControl, Select, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type MountedQuestion, mounts } from '#contract/mounts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import {
  type ChangeSeason,
  changeSeasons,
  type ChangeVerdict,
  nextSeason,
  seasonDay,
} from '#domain/season/seasonChange.ts'
import { seasonSearch } from '../searchParams.ts'
import { useAnswer } from '../shared/api.ts'
import { useToday } from '../shared/hooks.ts'
import { ClearFilters, Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useActing, useFleet, useSeesSite, useSite } from '../shared/session.ts'
import { Rack } from '../shared/trade.tsx'
import { GroupChoice } from '../vehicles/groupChoice.tsx'
import { useTreadCase } from '../vehicles/depths/treadLimits.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { ViewMenu } from '../views/viewMenu.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import { useRowSelection } from '../ui/dataTable/selection.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { ListLine } from '../ui/listLine.tsx'
import { ChooseCustomer } from '../customers/chooseCustomer.tsx'
import { PlanForm, type Wish } from './planForm.tsx'
import { PlanTable } from './planTable.tsx'
import { type ChangeRow, changeRows } from './rows.ts'
import classes from './season.module.css'
import { usePlan } from './usePlan.ts'
import { useOfferedVerdicts, useVerdictName, VerdictBadge } from './verdict.tsx'

const greyRows = 8
const noQuestions: readonly MountedQuestion[] = []
const pageSize = 100

export function SeasonScreen() {
  const { t } = useTranslation('season')
  const seesSite = useSeesSite()
  const fleet = useFleet()
  return (
    <Screen title={t('title')}>
      {seesSite ? (
        <ChooseCustomer text={t('chooseCustomer')} />
      ) : fleet.data ? (
        <Season fleet={fleet.data} />
      ) : fleet.isError ? (
        <Failed error={fleet.error} retry={fleet.refetch} />
      ) : (
        <Placeholders rows={greyRows} />
      )}
    </Screen>
  )
}

function Views() {
  const search = useSearch({ from: '/season' })
  const navigate = useNavigate()
  return (
    <ViewMenu
      list="season"
      filter={search}
      open={view => void navigate({ to: '/season', search: seasonSearch(view), resetScroll: false })}
    />
  )
}

type View = { to: ChangeSeason; filter: string; group: string | null; verdict: ChangeVerdict | null }

function useView(): [View, (next: Partial<View>) => void] {
  const search = useSearch({ from: '/season' })
  const navigate = useNavigate()
  const today = useToday()
  const offered = useOfferedVerdicts()
  const view = {
    to: search.to ?? nextSeason(today),
    filter: search.filter ?? '',
    group: search.group ?? null,
    // an address may ask for one that is hidden
    verdict: offered.find(candidate => candidate === search.verdict) ?? null,
  }
  return [
    view,
    next => {
      const { to, filter, group, verdict } = { ...view, ...next }
      void navigate({
        to: '/season',
        search: {
          to,
          ...(filter !== '' && { filter }),
          ...(group !== null && { group }),
          ...(verdict !== null && { verdict }),
        },
        replace: true,
        resetScroll: false,
      })
    },
  ]
}

function Season({ fleet }: { fleet: readonly Vehicle[] }) {
  const { t } = useTranslation(['season', 'common'])
  const { mode } = useSite()
  const [view, change] = useView()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [page, setPage] = useState(1)
  const planning = usePlan()
  // kept here, so that the form is unchanged after a visit to the plan
  const [wished, setWished] = useState<Wish>({ returns: true })
  const acting = useActing()
  const { data: mounted } = useAnswer(mounts.fleet, acting ? { seq_id: acting.seq_id } : {}, { muted: true })
  const columns = useColumns(view.to, mounted?.questions ?? noQuestions)
  const judged = useTreadCase()
  const today = useToday()
  const { to, filter, group, verdict } = view
  const rows = useMemo(
    () =>
      changeRows(fleet, vehicle => ({ ...judged(vehicle), date: seasonDay(to, today) }), {
        to,
        filter,
        group,
        verdict,
        mode,
        onVehicle: new Set(mounted?.mounted.map(({ tyre }) => tyre)),
      }),
    [fleet, judged, today, to, filter, group, verdict, mode, mounted],
  )
  const ready = rows.filter(row => row.ready)
  const selected = ready.filter(({ vehicle }) => chosen.has(vehicle.flt_id))
  const set = useCallback(
    (some: readonly ChangeRow[], on: boolean) =>
      setChosen(now => {
        const next = new Set(now)
        for (const { vehicle } of some)
          if (on) next.add(vehicle.flt_id)
          else next.delete(vehicle.flt_id)
        return next
      }),
    [],
  )
  const selection = useRowSelection<ChangeRow>({
    head: {
      label: t('chooseAll'),
      state: selected.length > 0 && (selected.length === ready.length || 'some'),
      toggle: () => set(ready, selected.length < ready.length),
      disabled: ready.length === 0,
    },
    stateOf: ({ vehicle, ready: isReady }) => isReady && chosen.has(vehicle.flt_id),
    // a car and its trailer share a plate
    labelOf: useCallback(
      ({ vehicle: { license_plate, description } }: ChangeRow) =>
        t('choose', { plate: [formatPlate(license_plate), description].filter(Boolean).join(', ') }),
      [t],
    ),
    toggle: useCallback((row: ChangeRow, on: boolean) => set([row], on), [set]),
    offered: useCallback((row: ChangeRow) => row.ready || ('disabled' as const), []),
  })
  if (planning.plan) return <PlanTable planning={planning} to={to} />
  return (
    <>
      <Line
        view={view}
        change={next => {
          setPage(1)
          if (next.to) setChosen(new Set())
          change(next)
        }}
        status={<span role="status">{t('found', { count: rows.length })}</span>}
        choice={
          // on a phone the table has no heading with its checkbox
          ready.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => set(ready, selected.length < ready.length)}>
              {selected.length < ready.length ? t('chooseReady', { count: ready.length }) : t('common:clearSelection')}
            </Button>
          )
        }
      />
      <PlanForm
        season={to}
        chosen={selected}
        clear={() => setChosen(new Set())}
        planning={planning}
        wished={wished}
        onWish={setWished}
      />
      <DataTable
        columns={columns}
        rows={rows}
        keyOf={({ vehicle }) => vehicle.flt_id}
        selection={selection}
        paging={paging({ page, size: pageSize, onPage: setPage })}
        empty={
          <Empty text={t('none')}>
            {fleet.length > 0 && <ClearFilters clear={() => change({ filter: '', group: null, verdict: null })} />}
          </Empty>
        }
        rowAttributes={({ vehicle }) => ({ 'data-vehicle': vehicle.flt_id })}
        phone={{
          areas: ['select vehicle verdict', 'select wears wears', 'select stored stored'],
          columns: '2.5rem 1fr auto',
        }}
        frame
      />
    </>
  )
}

type LineProps = { view: View; change: (next: Partial<View>) => void; status: ReactNode; choice: ReactNode }

function Line({ view, change, status, choice }: LineProps) {
  const { t } = useTranslation(['season', 'common'])
  const offered = useOfferedVerdicts()
  const verdictName = useVerdictName()
  const { group, verdict } = view
  return (
    <ListLine
      search={
        <>
          <SegmentedControl
            aria-label={t('season:to')}
            data={changeSeasons.map(value => ({ value, label: t(`season:toSeason.${value}`) }))}
            value={view.to}
            onChange={value => change({ to: changeSeasons.find(season => season === value) ?? 'winter' })}
          />
          <FilterField
            label={t('season:filter')}
            placeholder={t('season:filterHint')}
            value={view.filter}
            settle={filter => change({ filter })}
            className={classes.filter}
          />
        </>
      }
      filters={
        <>
          <GroupChoice value={group} onChange={next => change({ group: next })} />
          <Select
            label={t('season:verdict')}
            placeholder={t('season:anyVerdict')}
            data={offered.map(value => ({ value, label: verdictName(value, view.to) }))}
            value={verdict}
            onChange={value => change({ verdict: offered.find(candidate => candidate === value) ?? null })}
            comboboxProps={{ withinPortal: false }}
            clearable
          />
        </>
      }
      chips={[
        group !== null && { key: 'group', label: group, clear: () => change({ group: null }) },
        verdict !== null && {
          key: 'verdict',
          label: verdictName(verdict, view.to),
          clear: () => change({ verdict: null }),
        },
      ]}
      clear={() => change({ group: null, verdict: null })}
      views={<Views />}
      status={status}
      choice={choice}
    />
  )
}

function useColumns(to: ChangeSeason, questions: readonly MountedQuestion[]): Columns<ChangeRow> {
  const { t } = useTranslation(['season', 'fleet', 'common'])
  return useMemo(() => {
    const setOf = (tyres: readonly Tyre[]) =>
      t('season:setOf', {
        set: [...new Set(tyres.map(tyre => tyre.tyre_set ?? t('common:tyre.setless')))].join(', '),
        count: tyres.length,
      })
    const inRack = (set: string, [first]: readonly Tyre[]) => (
      <>
        {set} {first?.stock_rack && <Rack name={first.stock_rack} />}
      </>
    )
    return [
      {
        id: 'vehicle',
        area: 'vehicle',
        header: t('common:tyre.vehicle'),
        render: ({ vehicle }: ChangeRow) => (
          <>
            <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} />
            <Text size="xs" c="dimmed">
              {[vehicle.brand, vehicle.description, vehicle.driver_name].filter(Boolean).join(' · ')}
            </Text>
          </>
        ),
      },
      {
        id: 'wears',
        header: t('season:wears'),
        render: ({ vehicle, wears }: ChangeRow) => (
          <>
            {wears.length > 0 ? setOf(wears) : <Dimmed nowrap>{t('season:unrecorded')}</Dimmed>}
            {questions
              .filter(({ flt_id }) => flt_id === vehicle.flt_id)
              .map(({ kind, tyre_set, other_set, date }) => (
                <Text key={`${kind} ${tyre_set}`} size="xs" data-question={kind}>
                  {t(`fleet:mount.question.${kind}`, {
                    set: tyre_set ?? t('common:tyre.setless'),
                    other: other_set ?? t('common:tyre.setless'),
                    date: formatDate(date),
                  })}
                </Text>
              ))}
          </>
        ),
        labelled: true,
        area: 'wears',
      },
      {
        id: 'stored',
        area: 'stored',
        header: t(`season:storedFor.${to}`),
        render: ({ stored, other, ready }: ChangeRow) =>
          stored.length > 0 ? (
            <>
              {inRack(setOf(stored), stored)}
              {!ready && (
                <Text size="xs" c="dimmed">
                  {t('season:asked')}
                </Text>
              )}
            </>
          ) : (
            <Dimmed>
              {other
                ? inRack(t(`season:onlyFor.${other.season ?? 'unknown'}`, { set: setOf(other.tyres) }), other.tyres)
                : t('season:noTyres')}
            </Dimmed>
          ),
        labelled: true,
        attributes: ({ stored, other, verdict }: ChangeRow) => ({
          // in a card the verdict beside it says so
          'data-from': stored.length === 0 && !other && verdict === 'missing' ? 'sm' : undefined,
          // the label names a set that is not there
          ...(stored.length === 0 && other && { 'data-labelled': undefined }),
        }),
      },
      {
        id: 'verdict',
        area: 'verdict',
        header: t('season:verdict'),
        render: ({ verdict }: ChangeRow) => <VerdictBadge verdict={verdict} to={to} />,
      },
    ]
  }, [t, to, questions])
}
