/** Tyres as rows: a list of its own, or those of a set under it. */
import { ActionIcon } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatDate } from '../shared/format.ts'
import { useSite } from '../shared/session.ts'
import { StatusBadge, Rack, useTyreSelectName } from '../shared/trade.tsx'
import { TreadDepth } from '../vehicles/depths/treadDepth.tsx'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import type { Column, Columns, RowSelection, TablePaging } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { useRowSelection } from '../ui/dataTable/selection.tsx'
import { type Sort, sorting } from '../ui/dataTable/sort.tsx'
import { Obstacle, Owner, Reached, stateOf, type TableSelection } from './cells.tsx'
import { TyreDetail } from './detail.tsx'
import type { SortKey } from './order.ts'
import { canSelect, type TyreRow } from './rows.ts'
import classes from './tyres.module.css'

const keyOf = (row: TyreRow) => row.tyre.db_id
const renderReason = (row: TyreRow) => !canSelect(row) && <Obstacle row={row} />

/** The rows of a page as cards on a phone: plate and status, then the tyre; the checkbox before them, the button after. */
export const cardOf = (selection: TableSelection) =>
  selection
    ? {
        areas: ['select main status end', 'select text text end'],
        columns: '2.5rem minmax(min-content, 1fr) auto 2.75rem',
      }
    : { areas: ['main status end', 'text text end'], columns: 'minmax(min-content, 1fr) auto 2.75rem' }

type TyreTableProps = {
  rows: readonly TyreRow[]
  selection: TableSelection
  /** The list is about when its tyres reach their limit. */
  withReach: boolean
}

/** The tyres under their set, in its order. */
export function TyresOfSet({ rows, selection, withReach }: TyreTableProps) {
  const { t } = useTranslation('tyres')
  const selecting = useTyreSelection(selection, t('columns.select'))
  return <TyreRows rows={rows} selection={selection} withReach={withReach} selecting={selecting} />
}

type TyreListProps = TyreTableProps & {
  /** Those of the page that is shown, which the checkbox in the head selects. */
  here: readonly TyreRow[]
  sort: Sort<SortKey>
  paging: TablePaging
}

/** Tyres as a list of its own, with plate and set in each row. */
export function TyreTable({ rows, here, selection, withReach, sort, paging }: TyreListProps) {
  const { t } = useTranslation('tyres')
  const free = here.filter(canSelect)
  const selecting = useTyreSelection(selection, {
    label: t('selectPage'),
    state: stateOf(free, selection?.selected),
    disabled: free.length === 0,
    toggle: () => selection?.toggle(free),
  })
  return (
    <TyreRows
      rows={rows}
      selection={selection}
      withReach={withReach}
      selecting={selecting}
      sort={sort}
      paging={paging}
    />
  )
}

function useTyreSelection(selection: TableSelection, head: Parameters<typeof useRowSelection>[0]['head']) {
  const nameOf = useTyreSelectName()
  const toggle = selection?.toggle
  return useRowSelection<TyreRow>({
    head,
    stateOf: row => selection?.selected.has(row.tyre.db_id) === true,
    labelOf: useCallback(({ tyre, vehicle }) => nameOf(tyre, vehicle.license_plate), [nameOf]),
    toggle: useCallback(row => toggle?.([row]), [toggle]),
    offered: canSelect,
    renderReason,
  })
}

type TyreRowsProps = TyreTableProps & {
  selecting: RowSelection<TyreRow>
  sort?: Sort<SortKey>
  paging?: TablePaging
}

function TyreRows({ rows, selection, withReach, selecting, sort, paging }: TyreRowsProps) {
  const [shownRow, setShownRow] = useState<TyreRow | null>(null)
  // It stays while the dialog closes.
  const [last, setLast] = useState<TyreRow | null>(null)
  const open = useCallback((row: TyreRow) => {
    setShownRow(row)
    setLast(row)
  }, [])
  return (
    <>
      <DataTable
        columns={useColumns(open, { withVehicle: sort !== undefined, withReach, withStatus: differs(rows) })}
        rows={rows}
        keyOf={keyOf}
        sort={sort && sorting(sort)}
        paging={paging}
        selection={selection && selecting}
        rowAttributes={row => ({ 'data-tyre': row.tyre.db_id })}
        phone={{ ...cardOf(selection), heads: 'gone' }}
        className={classes.table}
        frame={sort !== undefined}
      />
      {last && <TyreDetail row={last} opened={shownRow !== null} onClose={() => setShownRow(null)} />}
    </>
  )
}

type Shown = { withVehicle: boolean; withReach: boolean; withStatus: boolean }

/** A status that all rows share is no news in any of them. */
export const differs = (rows: readonly TyreRow[]): boolean =>
  rows.some(({ tyre }) => tyre.tyre_status !== rows[0]?.tyre.tyre_status)

function useColumns(open: (row: TyreRow) => void, { withVehicle, withReach, withStatus }: Shown) {
  const { t } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  return useMemo(() => {
    const setOf = ({ tyre }: TyreRow) => tyre.tyre_set ?? t('common:tyre.setless')
    const depthOf = ({ tyre, vehicle }: TyreRow) =>
      allowProfileDepth && tyre.profile_depth !== null && <TreadDepth tyre={tyre} vehicle={vehicle} />
    const ofVehicle: Column<TyreRow, SortKey>[] = [
      {
        id: 'plate',
        header: t('tyres:columns.plate'),
        render: ({ vehicle }) => <Owner vehicle={vehicle} />,
        sort: 'plate',
        area: 'main',
      },
      {
        id: 'set',
        header: t('tyres:columns.set'),
        render: row => (row.tyre.tyre_set === null ? <Dimmed>{setOf(row)}</Dimmed> : row.tyre.tyre_set),
        sort: 'set',
        from: 'xl',
      },
    ]
    const columns: Columns<TyreRow, SortKey> = [
      ...(withVehicle ? ofVehicle : []),
      {
        id: 'position',
        header: t('tyres:columns.position'),
        render: ({ tyre }) => tyre.position,
        sort: 'position',
        ...(withVehicle ? { from: 'sm' } : { area: 'main' }),
      },
      {
        id: 'description',
        header: t('tyres:columns.description'),
        render: row => {
          const depth = depthOf(row)
          return (
            <>
              {row.tyre.description}
              {withVehicle && <BelowCell width="xl">{setOf(row)}</BelowCell>}
              <BelowCell width="lg">
                <Rack name={row.tyre.stock_rack} />
              </BelowCell>
              <BelowCell>
                {withVehicle && row.tyre.position}
                {withVehicle && depth && ' · '}
                {depth}
              </BelowCell>
              {withReach && (
                <BelowCell width="lg">
                  <Reached row={row} />
                </BelowCell>
              )}
            </>
          )
        },
        sort: 'description',
        area: 'text',
      },
      allowProfileDepth && {
        id: 'depth',
        header: t('tyres:columns.depth'),
        render: depthOf,
        sort: 'depth',
        align: 'end',
        from: 'sm',
      },
      withReach && {
        id: 'reach',
        header: t('tyres:columns.reach'),
        render: row => <Reached row={row} />,
        sort: 'reach',
        from: 'lg',
        width: '8rem',
      },
      {
        id: 'rack',
        header: t('tyres:columns.rack'),
        render: ({ tyre }) => <Rack name={tyre.stock_rack} />,
        sort: 'rack',
        nowrap: true,
        from: 'lg',
      },
      withStatus && {
        id: 'status',
        header: t('tyres:columns.status'),
        render: ({ tyre }) => (
          <>
            <div className={classes.badges}>
              <StatusBadge tyre={tyre.tyre_status} />
            </div>
            <BelowCell width={withReach ? 'xl' : 'lg'}>{formatDate(tyre.status_date)}</BelowCell>
          </>
        ),
        sort: 'status',
        area: 'status',
        className: classes.statusCell,
      },
      {
        id: 'statusDate',
        header: t('tyres:columns.statusDate'),
        render: ({ tyre }) => formatDate(tyre.status_date),
        sort: 'statusDate',
        nowrap: true,
        ...(withStatus
          ? { from: withReach ? ('xl' as const) : ('lg' as const) }
          : { area: 'status', className: classes.statusCell }),
      },
      {
        id: 'details',
        header: t('tyres:columns.details'),
        headerHidden: true,
        render: row => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('tyres:detail.open', { id: row.tyre.db_id })}
            onClick={() => open(row)}
          >
            <IconInfoCircle size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        ),
        width: '2.75rem',
        area: 'end',
        className: classes.endCell,
      },
    ]
    return columns
  }, [t, allowProfileDepth, open, withVehicle, withReach, withStatus])
}
