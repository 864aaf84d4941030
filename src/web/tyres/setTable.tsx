/** Sets as rows that open to their tyres. */
import { Fragment, useCallback, useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { formatDate } from '../shared/format.ts'
import { StatusBadge, Rack } from '../shared/trade.tsx'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import type { Columns, TablePaging } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Expander } from '../ui/dataTable/expander.tsx'
import { useRowSelection } from '../ui/dataTable/selection.tsx'
import { type Sort, sorting } from '../ui/dataTable/sort.tsx'
import { useSite } from '../shared/session.ts'
import { TreadDepth } from '../vehicles/depths/treadDepth.tsx'
import { Obstacle, Owner, Reached, stateOf, type TableSelection } from './cells.tsx'
import { mostUrgent, oldestOf, racksOf, type SortKey } from './order.ts'
import { canSelect, distinct, type SetRow } from './rows.ts'
import { cardOf, differs, TyresOfSet } from './tyreTable.tsx'
import classes from './tyres.module.css'

const keyOf = ({ key }: SetRow) => key
const offered = ({ tyres }: SetRow) => tyres.some(canSelect)
const renderReason = ({ tyres }: SetRow) => {
  const obstacle = tyres.find(row => !canSelect(row))
  return obstacle && <Obstacle row={obstacle} />
}

/** A filter creates new set objects from the same tyres. */
const sameSet = (first: SetRow, other: SetRow): boolean =>
  first.key === other.key &&
  first.size === other.size &&
  first.tyres.length === other.tyres.length &&
  first.tyres.every((row, at) => row === other.tyres[at])

type SetTableProps = {
  sets: readonly SetRow[]
  /** Those of the page that is shown, whose tyres the checkbox in the head selects. */
  here: readonly SetRow[]
  selection: TableSelection
  /** The list is about when its tyres reach their limit. */
  withReach: boolean
  sort: Sort<SortKey>
  paging: TablePaging
}

export function SetTable({ sets, here, selection, withReach, sort, paging }: SetTableProps) {
  const { t } = useTranslation('tyres')
  const free = here.flatMap(({ tyres }) => tyres.filter(canSelect))
  const toggle = selection?.toggle
  const selecting = useRowSelection<SetRow>({
    head: {
      label: t('selectPage'),
      state: stateOf(free, selection?.selected),
      disabled: free.length === 0,
      toggle: () => toggle?.(free),
    },
    stateOf: ({ tyres }) => stateOf(tyres.filter(canSelect), selection?.selected),
    labelOf: useCallback(
      ({ name, vehicle }) => t('selectSet', { set: name, plate: formatPlate(vehicle.license_plate) }),
      [t],
    ),
    toggle: useCallback(({ tyres }) => toggle?.(tyres.filter(canSelect)), [toggle]),
    offered,
    renderReason,
  })
  return (
    <DataTable
      columns={useColumns({ withReach, withStatus: differs(sets.flatMap(({ tyres }) => tyres)) })}
      rows={sets}
      keyOf={keyOf}
      sort={sorting(sort)}
      paging={paging}
      selection={selection && selecting}
      details={{
        render: ({ tyres }) => <TyresOfSet rows={tyres} selection={selection} withReach={withReach} />,
        className: classes.tyresOfSet,
      }}
      rowAttributes={({ key }) => ({ 'data-set': key })}
      sameRow={sameSet}
      phone={cardOf(selection)}
      className={classes.table}
      frame
    />
  )
}

/** The tyre of a set with the least tread; none where nothing was measured. */
const leastOf = ({ tyres }: SetRow) =>
  tyres
    .filter(({ tyre }) => tyre.profile_depth !== null)
    .toSorted((first, other) => (first.tyre.profile_depth ?? 0) - (other.tyre.profile_depth ?? 0))[0]

/** How many tyres of the set are listed, and of how many when the filter leaves some out. */
function useCount() {
  const { t } = useTranslation('tyres')
  return useCallback(
    ({ tyres, size }: SetRow) => (tyres.length === size ? String(size) : t('part', { count: tyres.length, size })),
    [t],
  )
}

function useColumns({ withReach, withStatus }: { withReach: boolean; withStatus: boolean }): Columns<SetRow, SortKey> {
  const { t } = useTranslation('tyres')
  const countOf = useCount()
  const { allowProfileDepth } = useSite()
  return useMemo(() => {
    const descriptions = ({ tyres }: SetRow) => distinct(tyres.map(row => row.tyre.description))
    const depthOf = (set: SetRow) => {
      const least = leastOf(set)
      return least && <TreadDepth tyre={least.tyre} vehicle={least.vehicle} />
    }
    const reached = (set: SetRow) => {
      const first = mostUrgent(set)
      return first && <Reached row={first} />
    }
    const columns: Columns<SetRow, SortKey> = [
      {
        id: 'plate',
        header: t('columns.plate'),
        render: ({ vehicle }) => <Owner vehicle={vehicle} />,
        sort: 'plate',
        area: 'main',
      },
      {
        id: 'set',
        header: t('columns.set'),
        render: set => {
          const [first, ...others] = descriptions(set)
          return (
            <>
              {set.name}
              <BelowCell>
                {countOf(set)} · {allowProfileDepth && leastOf(set) && <>{depthOf(set)} · </>}
                {first}
                {others.length > 0 && ` +${others.length}`}
                {racksOf(set).map(rack => (
                  <Fragment key={rack}>
                    {' '}
                    · <Rack name={rack} />
                  </Fragment>
                ))}
              </BelowCell>
              {withReach && <BelowCell>{reached(set)}</BelowCell>}
            </>
          )
        },
        sort: 'set',
        area: 'text',
      },
      {
        id: 'tyres',
        header: t('columns.tyres'),
        render: set => (
          <>
            <span className={classes.count}>{countOf(set)}</span>{' '}
            <Dimmed>{set.tyres.map(row => row.tyre.position).join(' ')}</Dimmed>
          </>
        ),
        sort: 'tyres',
        from: 'lg',
      },
      {
        id: 'description',
        header: t('columns.description'),
        render: set => {
          const [first, ...others] = descriptions(set)
          return (
            <>
              {first}
              {others.length > 0 && <Dimmed title={others.join('\n')}>{` +${others.length}`}</Dimmed>}
              <BelowCell width="lg">
                {set.tyres.map(row => row.tyre.position).join(' ')}
                {racksOf(set).map(rack => (
                  <Fragment key={rack}>
                    {' '}
                    · <Rack name={rack} />
                  </Fragment>
                ))}
              </BelowCell>
              {withReach && <BelowCell width="lg">{reached(set)}</BelowCell>}
            </>
          )
        },
        sort: 'description',
        from: 'sm',
      },
      allowProfileDepth && {
        id: 'depth',
        header: t('columns.depth'),
        render: depthOf,
        align: 'end',
        from: 'sm',
      },
      withReach && {
        id: 'reach',
        header: t('columns.reach'),
        render: reached,
        sort: 'reach',
        from: 'lg',
        width: '8rem',
      },
      {
        id: 'rack',
        header: t('columns.rack'),
        render: set => {
          const [first, ...others] = racksOf(set)
          return (
            <>
              {first}
              {others.length > 0 && <Dimmed title={others.join('\n')}>{` +${others.length}`}</Dimmed>}
            </>
          )
        },
        sort: 'rack',
        nowrap: true,
        from: 'lg',
      },
      withStatus && {
        id: 'status',
        header: t('columns.status'),
        render: set => (
          <>
            <div className={classes.badges}>
              {tyreStatuses
                .filter(status => set.tyres.some(row => row.tyre.tyre_status === status))
                .map(status => (
                  <StatusBadge key={status} tyre={status} />
                ))}
            </div>
            <BelowCell width={withReach ? 'xl' : 'lg'}>{formatDate(oldestOf(set))}</BelowCell>
          </>
        ),
        sort: 'status',
        area: 'status',
        className: classes.statusCell,
      },
      {
        id: 'statusDate',
        header: t('columns.statusDate'),
        render: set => formatDate(oldestOf(set)),
        sort: 'statusDate',
        nowrap: true,
        ...(withStatus
          ? { from: withReach ? ('xl' as const) : ('lg' as const) }
          : { area: 'status', className: classes.statusCell }),
      },
      {
        id: 'details',
        header: t('columns.details'),
        headerHidden: true,
        render: (set, state) => (
          <Expander
            label={t('unfold', { set: set.name, plate: formatPlate(set.vehicle.license_plate) })}
            state={state}
          />
        ),
        width: '2.75rem',
        area: 'end',
        className: classes.endCell,
      },
    ]
    return columns
  }, [t, countOf, withReach, withStatus, allowProfileDepth])
}
