/** Tyres of vehicles that left the fleet, and where they fit (docs/product/vehicles.md "Vehicles that leave"). */
import { Button, Text } from '@mantine/core'
import { IconTransfer } from '@tabler/icons-react'
import { useState } from 'react'
import { moves as calls } from '#contract/moves.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { sizeIn } from '#domain/tyres/fitness.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { folded } from '#domain/texts/folded.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { ChooseCustomer } from '../../customers/chooseCustomer.tsx'
import { useAnswer } from '../../shared/api.ts'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { Empty, Failed, Screen } from '../../shared/screen.tsx'
import { ofCustomer, useActing, useSeesSite, useSite } from '../../shared/session.ts'
import { Rack, StatusBadge } from '../../shared/trade.tsx'
import type { Columns } from '../../ui/dataTable/column.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { Dimmed } from '../../ui/dataTable/secondaryText.tsx'
import { FilterField } from '../../ui/filterField.tsx'
import { FormDialog } from '../../ui/form/formDialog.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { MoveTyres } from './moveTyres.tsx'

/** A set of a vehicle that left. */
type LeftSet = {
  readonly key: string
  readonly vehicle: Vehicle
  readonly set: string | null
  readonly tyres: readonly Tyre[]
}

const setsOf = (vehicles: readonly Vehicle[]): LeftSet[] =>
  vehicles.flatMap(vehicle =>
    [
      ...Map.groupBy(
        vehicle.tyres.filter(({ tyre_status }) => tyre_status !== 'waste'),
        ({ tyre_set }) => tyre_set,
      ),
    ].map(([set, tyres]) => ({ key: `${vehicle.flt_id} ${set ?? ''}`, vehicle, set, tyres })),
  )

const sizesOf = ({ tyres }: LeftSet): string[] => [
  ...new Set(tyres.flatMap(({ description }) => sizeIn(description) ?? [])),
]

/** The text in which the filter looks: sizes with and without their signs, and what names the set. */
const textOf = (row: LeftSet): string =>
  folded(
    [
      ...sizesOf(row).flatMap(size => [size, size.replaceAll(/\D/g, '')]),
      ...row.tyres.map(({ description }) => description),
      row.set ?? '',
      row.vehicle.license_plate,
      formatPlate(row.vehicle.license_plate),
    ].join('\n'),
  )

export function LeftScreen() {
  const { t } = useTranslation('fleet')
  const seesSite = useSeesSite()
  return (
    <Screen title={t('left.title')}>
      {seesSite ? <ChooseCustomer text={t('left.chooseCustomer')} /> : <LeftTyres />}
    </Screen>
  )
}

function LeftTyres() {
  const { t } = useTranslation(['fleet', 'common'])
  const left = useAnswer(calls.left, ofCustomer(useActing()))
  const [filter, setFilter] = useState('')
  const [moving, setMoving] = useState<LeftSet | null>(null)
  const words = folded(filter).split(/\s+/).filter(Boolean)
  const rows = left.data && setsOf(left.data).filter(row => words.every(word => textOf(row).includes(word)))
  return (
    <>
      <FilterField
        label={t('fleet:left.filter')}
        placeholder={t('fleet:left.filterHint')}
        value={filter}
        settle={setFilter}
      />
      <DataTable
        label={t('fleet:left.title')}
        columns={useColumns(setMoving)}
        rows={rows}
        keyOf={({ key }) => key}
        failure={left.isError && <Failed error={left.error} retry={left.refetch} />}
        empty={<Empty text={t(filter === '' ? 'fleet:left.none' : 'fleet:left.nothing')} />}
        phone={{ areas: ['size size fits', 'vehicle vehicle fits', 'where where where'], columns: '1fr auto auto' }}
        frame
      />
      <FormDialog
        opened={moving !== null}
        onClose={() => setMoving(null)}
        title={t('fleet:move.title')}
        size="lg"
        lost={t('fleet:dialogLost')}
      >
        {dialog => moving && <MoveTyres tyres={moving.tyres} from={moving.vehicle} onMoved={dialog.close} />}
      </FormDialog>
    </>
  )
}

function useColumns(move: (row: LeftSet) => void): Columns<LeftSet> {
  const { t, i18n } = useTranslation(['fleet', 'common', 'tyres'])
  const { allowProfileDepth } = useSite()
  const seasonsOf = ({ tyres }: LeftSet) =>
    seasons
      .filter(season => tyres.some(tyre => tyre.season === season))
      .map(season => t(`tyres:season.${season}`))
      .join(', ')
  const depthOf = ({ tyres }: LeftSet): string => {
    const depths = tyres.map(({ profile_depth }) => profile_depth)
    if (depths.length === 0 || depths.includes(null)) return t('common:unknown')
    return t('common:mm', { depth: formatDepth(Math.min(...(depths as number[])), i18n.language) })
  }
  return [
    {
      id: 'size',
      header: t('fleet:left.size'),
      render: row => (
        <>
          {sizesOf(row).join(', ') || <Dimmed>{row.tyres[0]?.description}</Dimmed>}
          <Text size="xs" c="dimmed">
            {[seasonsOf(row), t('common:tyres', { count: row.tyres.length })].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
      area: 'size',
    },
    {
      id: 'vehicle',
      header: t('fleet:left.vehicle'),
      render: ({ vehicle, set }) => (
        <>
          <TextLink to="/fleet/vehicle" search={{ id: vehicle.flt_id }} state={{ id: vehicle.flt_id }}>
            {formatPlate(vehicle.license_plate)}
          </TextLink>{' '}
          {set}
          {vehicle.left_on !== null && (
            <Text size="xs" c="dimmed">
              {t('fleet:left.since', { date: formatDate(vehicle.left_on) })}
            </Text>
          )}
        </>
      ),
      area: 'vehicle',
    },
    allowProfileDepth && {
      id: 'depth',
      header: t('common:tyre.depth'),
      render: depthOf,
      nowrap: true,
      from: 'sm',
    },
    {
      id: 'where',
      header: t('common:tyre.status'),
      render: ({ tyres }) => {
        const [first] = tyres
        return (
          first && (
            <>
              <StatusBadge tyre={first.tyre_status} /> <Rack name={first.stock_rack} />
            </>
          )
        )
      },
      area: 'where',
    },
    {
      id: 'fits',
      header: t('fleet:left.where'),
      headerHidden: true,
      align: 'end',
      render: row => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTransfer size={16} aria-hidden />}
          disabled={row.tyres.some(({ operation }) => operation !== null)}
          onClick={() => move(row)}
          data-fits-where
        >
          {t('fleet:left.where')}
        </Button>
      ),
      area: 'fits',
    },
  ]
}
