/** A list of vehicles: a row opens its vehicle. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, use, useCallback, useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { OnlyCustomer } from '../customers/onlyCustomer.tsx'
import { ClearFilters, Empty, Failed } from '../shared/screen.tsx'
import type { Vehicle } from '#contract/wire.ts'
import { useSeesSite, useSite, useVehicleConfigs } from '../shared/session.ts'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { useSheetCsv } from '../shared/csvButton.tsx'
import { useWorkbook } from '../shared/workbookButton.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import type { Columns, TablePaging } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import type { ListLineProps } from '../ui/listLine.tsx'
import { type Sort, sorting } from '../ui/dataTable/sort.tsx'
import { KindIcon } from './kindIcon.tsx'
import { OpensInTab } from './opens.ts'
import { TyreCounts, useStatusNames } from './tyreCounts.tsx'
import { useReaching } from './depths/reaching.ts'
import { useTreadCase } from './depths/treadLimits.ts'
import { anyVehicle, isWanted, type VehicleWish } from '#domain/vehicles/vehicleFilter.ts'
import { VehiclePlate } from './vehiclePlate.tsx'
import { useVehicleSheet } from './vehicleSheet.ts'
import { filtered, rowOf, type SortKey, sortedBy, type VehicleRow } from './vehicleRows.ts'

/** The filter, order and page of a list of vehicles; the parent keeps them, so that the way back leads there. */
export type ListView = { filter: string; by: SortKey; desc: boolean; page: number }

type VehicleTableProps = {
  /** `undefined` while they are loading. */
  vehicles: readonly Vehicle[] | undefined
  /** `false`: they are the first ones, and the others are on their way. */
  isWhole?: boolean
  view: ListView
  /** Which of them are shown: all, without it. */
  wish?: VehicleWish
  /** Keep it with `useCallback`. */
  change: (change: Partial<ListView>) => void
  /** Takes away all that they are filtered by. */
  clear?: () => void
  /** The line above the list, with how much is listed and what saves it. */
  renderLine: (of: Pick<ListLineProps, 'status' | 'actions' | 'more'>) => ReactNode
}

const nothing: readonly Vehicle[] = []

/** A whole fleet, filtered, sorted and paged here: 10,000 tyres are no work between two keystrokes. */
export function VehicleTable({
  vehicles: loaded,
  isWhole = true,
  view,
  wish = anyVehicle,
  change,
  clear,
  renderLine,
}: VehicleTableProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const [size, setSize] = useRemembered<number>('vehiclesPerPage', 50)
  const { filter, by, desc, page } = view
  const vehicles = loaded ?? nothing
  const { mode } = useSite()
  const judged = useTreadCase()
  const configs = useVehicleConfigs()
  const reaching = useReaching({ enabled: wish.verdict === 'reaching' })
  // Each of these memoises a step that does not depend on the filter: a key then only searches the texts.
  const rows = useMemo(() => vehicles.map(vehicle => rowOf(vehicle, mode)), [vehicles, mode])
  const ordered = useMemo(() => sortedBy(rows, { by, desc, language: i18n.language }), [rows, by, desc, i18n.language])
  const wanted = useMemo(() => {
    const axlesOf = new Map(configs.map(({ description, axles }) => [description, axles]))
    const axles = ({ configuration }: Vehicle) => (configuration === null ? null : (axlesOf.get(configuration) ?? null))
    return ordered.filter(({ vehicle }) => isWanted(vehicle, wish, { judged, axles, reaching: reaching.tyres }))
  }, [ordered, wish, judged, configs, reaching.tyres])
  const shown = useMemo(() => filtered(wanted, filter), [wanted, filter])
  const files = useMemo(() => (isWhole ? shown.map(({ vehicle }) => vehicle) : nothing), [isWhole, shown])
  const saved = useVehicleFiles(files)
  const choose = useCallback((next: SortKey, down: boolean) => change({ by: next, desc: down, page: 1 }), [change])
  const complete = loaded !== undefined && !reaching.isPending
  return (
    <>
      {renderLine({
        ...saved,
        status: (
          <span role="status">
            {!complete || !isWhole
              ? t('common:loadingRest')
              : shown.length === vehicles.length
                ? t('fleet:vehicles', { count: shown.length })
                : t('fleet:vehiclesFound', { count: shown.length, all: vehicles.length })}
          </span>
        ),
      })}
      <VehicleRows
        rows={complete ? shown : undefined}
        failure={reaching.failed && <Failed error={reaching.failed.error} retry={reaching.failed.refetch} />}
        clear={clear}
        sort={{ by, desc, choose }}
        paging={paging({
          label: t('fleet:vehiclesPerPage'),
          page,
          size,
          onPage: next => change({ page: next }),
          onSize: next => {
            setSize(next)
            change({ page: 1 })
          },
        })}
      />
    </>
  )
}

/** The vehicles to export: these, or a function that fetches all of them. */
export type FileVehicles = readonly Vehicle[] | (() => Promise<readonly Vehicle[]>)

/** Saves vehicles as a file. */
export function useVehicleFiles(vehicles: FileVehicles): Pick<ListLineProps, 'actions' | 'more'> {
  const { t } = useTranslation('fleet')
  const today = useToday()
  const sheet = { file: `${t('fileName')}-${today}`, columns: useVehicleSheet(), rows: vehicles }
  return { actions: [useSheetCsv(sheet)], more: [useWorkbook({ title: t('title'), ...sheet })] }
}

type VehicleRowsProps = {
  /** `undefined` while they are loading. */
  rows: readonly VehicleRow[] | undefined
  failure?: ReactNode
  sort?: Sort<SortKey>
  paging?: TablePaging
  clear?: (() => void) | undefined
}

/** Vehicles as rows. Without `sort` they stay in the order of the server. */
export function VehicleRows({ rows, failure, sort, paging, clear }: VehicleRowsProps) {
  const { t } = useTranslation('fleet')
  const openInTab = use(OpensInTab)
  const navigate = useNavigate()
  return (
    <DataTable
      columns={useColumns()}
      rows={rows}
      failure={failure}
      keyOf={row => row.vehicle.flt_id}
      sort={sort && sorting(sort)}
      paging={paging}
      empty={
        <Empty text={t('empty')}>
          <OnlyCustomer />
          {clear && <ClearFilters clear={clear} />}
        </Empty>
      }
      onRowClick={({ vehicle: { flt_id: id } }) => {
        if (openInTab) openInTab(id)
        else void navigate({ to: '/fleet/vehicle', search: { id }, state: { id } })
      }}
      rowAttributes={({ vehicle }) => ({ 'data-vehicle': vehicle.flt_id })}
      phone={{}}
      frame
    />
  )
}

function useColumns(): Columns<VehicleRow, SortKey> {
  const { t } = useTranslation(['vehicles', 'fleet'])
  const { mode } = useSite()
  const seesSite = useSeesSite()
  const names = useStatusNames()
  return useMemo(() => {
    const numbered = mode !== 'hotelonly'
    const columns: Columns<VehicleRow, SortKey> = [
      {
        id: 'plate',
        header: t('vehicles:license_plate'),
        render: ({ vehicle }) => (
          <>
            <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} />
            {numbered && <BelowCell width="lg">{vehicle.number}</BelowCell>}
          </>
        ),
        sort: 'plate',
      },
      numbered && {
        id: 'number',
        header: t('vehicles:number'),
        render: ({ vehicle }) => vehicle.number,
        sort: 'number',
        from: 'lg',
      },
      {
        id: 'brand',
        header: t('vehicles:brand'),
        render: ({ vehicle }) => vehicle.brand,
        sort: 'brand',
        from: 'sm',
        // Mercedes-Benz has a line
        width: '8.5rem',
      },
      {
        id: 'description',
        header: t('vehicles:description'),
        render: ({ vehicle, counts }) => (
          <>
            <BelowCell inline plain>
              {vehicle.brand}{' '}
            </BelowCell>
            {vehicle.description}
            <BelowCell>
              {[vehicle.driver_name, seesSite && vehicle.customer_name].filter(Boolean).join(' · ')}
            </BelowCell>
            <BelowCell>
              <TyreCounts counts={counts} names={names} />
            </BelowCell>
          </>
        ),
        sort: 'description',
      },
      {
        id: 'type',
        header: t('vehicles:type'),
        render: ({ vehicle }) => <KindIcon type={vehicle.type} />,
        sort: 'type',
        from: 'sm',
      },
      {
        id: 'driver',
        header: t('vehicles:driverLegend'),
        render: ({ vehicle }) => vehicle.driver_name,
        sort: 'driver',
        from: seesSite ? 'lg' : 'sm',
      },
      seesSite && {
        id: 'customer',
        header: t('vehicles:customer'),
        render: ({ vehicle }) => (
          <>
            {vehicle.customer_name}
            <BelowCell width="lg">{vehicle.driver_name}</BelowCell>
          </>
        ),
        from: 'sm',
      },
      {
        id: 'tyres',
        header: t('fleet:tyres'),
        render: ({ counts }) => <TyreCounts counts={counts} names={names} />,
        sort: 'tyres',
        from: 'sm',
      },
    ]
    return columns
  }, [t, names, mode, seesSite])
}
