/** A list of vehicles (SPEC §2 "Fleet list", "Fleet management"): a row opens its vehicle. */
import { Table, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Vehicle } from '#contract/wire.ts'
import { useSeesSite, useSite } from '../session.ts'
import { useRemembered } from '../hooks.ts'
import { pageWithin, Paging } from '../../ui/paging.tsx'
import { Empty } from '../screen.tsx'
import { type Sort, SortChoice, SortHead } from '../../ui/sort.tsx'
import { KindIcon } from './kindIcon.tsx'
import { OpensInTab } from './opens.ts'
import { TyreCounts } from './tyreCounts.tsx'
import classes from './vehicleTable.module.css'
import { VehiclePlate } from './vehiclePlate.tsx'
import { filtered, rowOf, type SortKey, sortedBy, type VehicleRow } from './vehicleRows.ts'

/** What somebody looks at of a list of vehicles; whoever shows the list keeps it, so that the way back leads there. */
export type ListView = { filter: string; by: SortKey; desc: boolean; page: number }

type VehicleTableProps = {
  vehicles: readonly Vehicle[]
  view: ListView
  change: (change: Partial<ListView>) => void
}

/** A whole fleet, filtered, sorted and paged here: 10,000 tyres are no work between two keystrokes. */
export function VehicleTable({ vehicles, view, change }: VehicleTableProps) {
  const { t, i18n } = useTranslation('fleet')
  const [size, setSize] = useRemembered<number>('vehiclesPerPage', 50)
  const { filter, by, desc } = view
  const { mode } = useSite()
  const rows = useMemo(() => vehicles.map(vehicle => rowOf(vehicle, mode)), [vehicles, mode])
  const ordered = useMemo(() => sortedBy(rows, { by, desc, language: i18n.language }), [rows, by, desc, i18n.language])
  const shown = useMemo(() => filtered(ordered, filter), [ordered, filter])
  const page = pageWithin(view.page, { total: shown.length, size })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {filter.trim() === ''
          ? t('vehicles', { count: shown.length })
          : t('vehiclesFound', { count: shown.length, all: vehicles.length })}
      </Text>
      {shown.length === 0 ? (
        <Empty text={t('empty')} />
      ) : (
        <>
          <VehicleRows
            rows={shown.slice((page - 1) * size, page * size)}
            sort={{ by, desc, choose: (next, down) => change({ by: next, desc: down, page: 1 }) }}
          />
          <Paging
            label={t('vehiclesPerPage')}
            total={shown.length}
            page={page}
            size={size}
            onPage={next => change({ page: next })}
            onSize={next => {
              setSize(next)
              change({ page: 1 })
            }}
          />
        </>
      )}
    </>
  )
}

/** The rows of one page. Without `sort` they stay in the order of the server. */
export function VehicleRows({ rows, sort }: { rows: readonly VehicleRow[]; sort?: Sort<SortKey> }) {
  const { t } = useTranslation(['vehicle', 'fleet'])
  const { mode } = useSite()
  const seesSite = useSeesSite()
  const wide = classes.wide
  const columns: readonly { by: SortKey; text: string; className?: string | undefined }[] = [
    { by: 'plate', text: t('vehicle:license_plate') },
    ...(mode === 'hotelonly' ? [] : [{ by: 'number', text: t('vehicle:number'), className: wide } as const]),
    { by: 'brand', text: t('vehicle:brand'), className: wide },
    { by: 'description', text: t('vehicle:description') },
    { by: 'type', text: t('vehicle:type'), className: wide },
    { by: 'driver', text: t('vehicle:driverLegend'), className: wide },
    { by: 'tyres', text: t('fleet:tyres'), className: wide },
  ]
  const head = ({ by, text, className }: (typeof columns)[number]) =>
    sort ? (
      <SortHead key={by} by={by} text={text} className={className} sort={sort} />
    ) : (
      <Table.Th key={by} className={className}>
        {text}
      </Table.Th>
    )
  return (
    <>
      {sort && <SortChoice columns={columns} sort={sort} className={classes.sortBy} />}
      <div className={classes.frame}>
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {columns.slice(0, -1).map(head)}
              {seesSite && <Table.Th className={wide}>{t('vehicle:customer')}</Table.Th>}
              {columns.slice(-1).map(head)}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(row => (
              <Row key={row.vehicle.flt_id} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  )
}

function Row({ row: { vehicle, counts } }: { row: VehicleRow }) {
  const { mode } = useSite()
  const seesSite = useSeesSite()
  const openInTab = use(OpensInTab)
  const navigate = useNavigate()
  const { flt_id: id } = vehicle

  function press(event: MouseEvent) {
    const onLink = event.target instanceof Element && event.target.closest('a')
    // Whoever marks a text with the mouse wants to copy it.
    if (onLink || getSelection()?.isCollapsed === false) return
    if (openInTab) openInTab(id)
    else void navigate({ to: '/fleet/vehicle', search: { id }, state: { id } })
  }
  return (
    // The row is a larger target for the pointer; keys and screen readers have the link in it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <Table.Tr className={classes.row} data-vehicle={id} onClick={press}>
      <Table.Td>
        <VehiclePlate plate={vehicle.license_plate} id={id} />
      </Table.Td>
      {mode !== 'hotelonly' && <Table.Td className={classes.wide}>{vehicle.number}</Table.Td>}
      <Table.Td className={classes.wide}>{vehicle.brand}</Table.Td>
      <Table.Td>
        <span className={classes.narrow}>{vehicle.brand} </span>
        {vehicle.description}
        <span className={classes.underneath}>
          {[mode !== 'hotelonly' && vehicle.number, vehicle.driver_name, seesSite && vehicle.customer_name]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <div className={classes.countsBelow}>
          <TyreCounts counts={counts} />
        </div>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <KindIcon type={vehicle.type} />
      </Table.Td>
      <Table.Td className={classes.wide}>{vehicle.driver_name}</Table.Td>
      {seesSite && <Table.Td className={classes.wide}>{vehicle.customer_name}</Table.Td>}
      <Table.Td className={classes.wide}>
        <TyreCounts counts={counts} />
      </Table.Td>
    </Table.Tr>
  )
}
