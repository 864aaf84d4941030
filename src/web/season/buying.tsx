/** Which tyres the fleet has to buy for a season, and by when (docs/product/season.md "Buying list"). */
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import { moves } from '#contract/moves.ts'
import type { Vehicle } from '#contract/wire.ts'
import { type BuyingLine, buyingPlan, spareSets } from '#domain/season/buying.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { changeSeasons, nextSeason, seasonDay } from '#domain/season/seasonChange.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { useAnswer } from '../shared/api.ts'
import { SheetCsvButton } from '../shared/csvButton.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { ofCustomer, useActing, useFleet, useSeesSite, useSite, useVehicleConfigs } from '../shared/session.ts'
import { useTreadCase } from '../vehicles/depths/treadLimits.ts'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { ChooseCustomer } from '../customers/chooseCustomer.tsx'
import { Matches } from './matches.tsx'
import classes from './season.module.css'

type Line = BuyingLine<Vehicle>
const greyRows = 8
/** So many plates a line names on the screen; files name all. */
const platesShown = 6

export function BuyingScreen() {
  const { t } = useTranslation('season')
  const seesSite = useSeesSite()
  const fleet = useFleet()
  return (
    <Screen title={t('buying.title')}>
      {seesSite ? (
        <ChooseCustomer text={t('buying.chooseCustomer')} />
      ) : fleet.data ? (
        <Buying fleet={fleet.data} />
      ) : fleet.isError ? (
        <Failed error={fleet.error} retry={fleet.refetch} />
      ) : (
        <Placeholders rows={greyRows} />
      )}
    </Screen>
  )
}

function Buying({ fleet }: { fleet: readonly Vehicle[] }) {
  const { t } = useTranslation('season')
  const { allowProfileDepth: withDepth } = useSite()
  const configs = useVehicleConfigs()
  const judged = useTreadCase()
  const today = useToday()
  const navigate = useNavigate()
  const { to: requested } = useSearch({ from: '/buying' })
  const to = requested ?? nextSeason(today)
  const words = useWords(today)
  const nearing = useAnswer(calls.nearing, { ...ofCustomer(useActing()), season: to }, { enabled: withDepth })
  const left = useAnswer(moves.left, ofCustomer(useActing()), { muted: true })
  const plan = useMemo(() => {
    if ((withDepth && !nearing.data) || left.isPending) return undefined
    const axlesOf = new Map(configs.map(({ description, axles }) => [description, axles]))
    const buyers = fleet.map(vehicle => ({
      vehicle,
      tyres: vehicle.tyres,
      axles: vehicle.configuration === null ? null : (axlesOf.get(vehicle.configuration) ?? null),
      judged: { ...judged(vehicle), date: seasonDay(to, today) },
      contractEnd: vehicle.contract_end,
    }))
    const forecasts = new Map(nearing.data?.tyres.map(({ tyre, ...interval }) => [tyre, interval]))
    const list = { season: to, today, withDepth, nearing: forecasts }
    const spares = [
      ...(left.data ?? []).flatMap(vehicle =>
        [...Map.groupBy(vehicle.tyres, ({ tyre_set }) => tyre_set).values()].map(tyres => ({ vehicle, tyres })),
      ),
      ...buyers.flatMap(buyer =>
        spareSets(buyer, list).map(some => ({
          vehicle: buyer.vehicle,
          tyres: buyer.vehicle.tyres.filter(({ db_id }) => some.some(tyre => tyre.db_id === db_id)),
        })),
      ),
    ]
    return buyingPlan(
      buyers,
      spares.map(set => ({ set, tyres: set.tyres })),
      list,
    )
  }, [fleet, configs, judged, today, to, withDepth, nearing.data, left.data, left.isPending])
  const lines = plan?.lines
  const sum = (bound: 'least' | 'most') => (lines ?? []).reduce((all, line) => all + line[bound], 0)
  const file = `${t('buying.fileName')}-${today}`
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <SegmentedControl
          aria-label={t('to')}
          data={changeSeasons.map(value => ({ value, label: t(`buying.season.${value}`) }))}
          value={to}
          onChange={value => {
            const season = changeSeasons.find(candidate => candidate === value) ?? to
            void navigate({ to: '/buying', search: { to: season }, replace: true, resetScroll: false })
          }}
        />
        <Group gap="xs">
          <SheetCsvButton file={file} columns={words.sheet} rows={lines ?? []} />
          <WorkbookButton title={t('buying.title')} file={file} columns={words.sheet} rows={lines ?? []} />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {lines &&
          (sum('least') === sum('most')
            ? t('buying.exact', { count: sum('most') })
            : t('buying.count', { least: sum('least'), count: sum('most') }))}{' '}
        {plan && plan.unpaid.tyres > 0 && t('buying.unpaid', { count: plan.unpaid.tyres })}
      </Text>
      {plan && plan.matches.length > 0 && <Matches matches={plan.matches} saved={plan.saved} />}
      <DataTable
        columns={useColumns(words)}
        rows={lines}
        failure={nearing.isError && <Failed error={nearing.error} retry={nearing.refetch} />}
        keyOf={({ size, season, axle, needed, by, until }) =>
          [size, season, axle, needed.load, needed.speed, by, until].join(' ')
        }
        empty={<Empty text={t('buying.nothing')} />}
        phone={{
          areas: ['size size quantity', 'season axle axle', 'by by by', 'vehicles vehicles vehicles'],
          columns: 'auto 1fr auto',
        }}
        frame
      />
    </>
  )
}

const plates = ({ vehicles }: Line) => vehicles.map(({ license_plate }) => formatPlate(license_plate))

/** The texts of a line on the screen and in files. */
function useWords(today: IsoDate) {
  const { t } = useTranslation(['season', 'tyres', 'common'])
  const size = (line: Line) => line.size ?? t('season:buying.unknownSize')
  const season = (line: Line) => {
    const seasonName = seasons.find(candidate => candidate === line.season)
    return seasonName ? t(`tyres:season.${seasonName}`) : line.season
  }
  const needed = ({ needed: { load, speed } }: Line) => {
    if (speed !== null) return `${load ?? '?'}${speed}`
    return load === null ? '' : `${load}, ${t('season:buying.unknownSpeed')}`
  }
  const heads = {
    size: t('season:buying.size'),
    season: t('tyres:columns.season'),
    axle: t('season:buying.axle'),
    needed: t('season:buying.needed'),
    by: t('season:buying.by'),
    until: t('season:buying.until'),
    least: t('season:buying.least'),
    most: t('season:buying.most'),
    vehicles: t('season:buying.vehicles'),
  }
  const when = ({ by, until }: Line) =>
    until === null
      ? by === today
        ? t('season:buying.now')
        : t('season:buying.byDay', { date: formatDate(by) })
      : t('season:buying.during', { from: formatDate(by), until: formatDate(until) })
  return {
    size,
    season,
    needed,
    when,
    heads,
    sheet: [
      { header: heads.size, text: size },
      { header: heads.season, text: season },
      { header: heads.axle, number: (line: Line) => line.axle },
      { header: heads.needed, text: needed },
      { header: heads.by, day: (line: Line) => line.by },
      { header: heads.until, day: (line: Line) => line.until },
      { header: heads.least, number: (line: Line) => line.least },
      { header: heads.most, number: (line: Line) => line.most },
      { header: heads.vehicles, text: (line: Line) => plates(line).join(', ') },
    ],
  }
}

function useColumns(words: ReturnType<typeof useWords>): Columns<Line> {
  const { t, i18n } = useTranslation('season')
  const { heads, size, season, needed, when } = words
  return [
    {
      id: 'size',
      header: heads.size,
      render: line => (
        <>
          {line.size === null ? <Dimmed>{size(line)}</Dimmed> : size(line)} {needed(line)}
        </>
      ),
      nowrap: true,
      area: 'size',
    },
    { id: 'season', header: heads.season, render: season, nowrap: true, area: 'season' },
    { id: 'axle', header: heads.axle, render: ({ axle }) => t('buying.ofAxle', { axle }), nowrap: true, area: 'axle' },
    { id: 'by', header: t('buying.when'), render: when, nowrap: true, area: 'by' },
    {
      id: 'quantity',
      header: t('buying.quantity'),
      render: ({ least, most }) =>
        least === most ? formatNumber(most, i18n.language) : t('buying.between', { least, most }),
      align: 'end',
      labelled: true,
      nowrap: true,
      area: 'quantity',
    },
    {
      id: 'vehicles',
      header: heads.vehicles,
      render: line => {
        const all = plates(line)
        const shown = all.slice(0, platesShown).join(', ').replaceAll('-', '\u2011')
        return all.length > platesShown ? `${shown} +${all.length - platesShown}` : shown
      },
      area: 'vehicles',
      className: classes.plates,
    },
  ]
}
