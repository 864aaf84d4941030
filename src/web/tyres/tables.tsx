/**
 * The rows of both tabs: sets that unfold to their tyres, and tyres. A page has up to 250 of them and is drawn between two
 * keystrokes: rows are kept as long as they show the same, and their cells are plain ones.
 */
import { ActionIcon, Checkbox, Table, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useCallback, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPlate } from '#domain/plate.ts'
import { tyreStatuses } from '#domain/tyre.ts'
import { useOperations, useSeesSite, useSite } from '../shared/session.ts'
import { formatDate } from '../shared/format.ts'
import { type Sort, SortHead } from '../ui/sort.tsx'
import { StatusBadge, useOperationTypeLabel } from '../shared/trade.tsx'
import { TreadDepth } from '../shared/vehicle/treadDepth.tsx'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import type { Vehicle } from '#contract/wire.ts'
import { TyreDetail } from './detail.tsx'
import { oldestOf, type SortKey } from './order.ts'
import { canSelect, distinct, obstacleTo, type SetRow, type TyreRow } from './rows.ts'
import type { Selecting } from './selection.ts'
import classes from './tyres.module.css'

/** `undefined` where nothing can be selected. */
type Selection = Pick<Selecting, 'selected' | 'toggle'> | undefined

/** A checkbox for several tyres: marked when all that can be selected are, dashed when some are. */
function Several({
  rows,
  label,
  selected,
  toggle,
}: { rows: readonly TyreRow[]; label: string } & NonNullable<Selection>) {
  const free = rows.filter(canSelect)
  const some = free.filter(row => selected.has(row.tyre.db_id)).length
  return (
    <Checkbox
      aria-label={label}
      checked={free.length > 0 && some === free.length}
      indeterminate={some > 0 && some < free.length}
      disabled={free.length === 0}
      onChange={() => toggle(free)}
    />
  )
}

type SetTableProps = { sets: readonly SetRow[]; selection: Selection; sort: Sort<SortKey> }

/** The sets of one page. */
export function SetTable({ sets, selection, sort }: SetTableProps) {
  const { t } = useTranslation('tyres')
  return (
    <div className={classes.frame}>
      <Table className={classes.table} data-plain={!selection || undefined}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={classes.checkColumn}>
                <Several rows={sets.flatMap(set => set.tyres)} label={t('selectPage')} {...selection} />
              </Table.Th>
            )}
            <SortHead by="plate" text={t('columns.plate')} sort={sort} />
            <SortHead by="set" text={t('columns.set')} sort={sort} />
            <SortHead by="tyres" text={t('columns.tyres')} sort={sort} className={classes.wide} />
            <SortHead by="description" text={t('columns.description')} sort={sort} className={classes.wide} />
            <SortHead by="status" text={t('columns.status')} sort={sort} />
            <SortHead by="statusDate" text={t('columns.statusDate')} sort={sort} className={classes.wide} />
            <Table.Th className={classes.endColumn}>
              <span className="wh-hidden">{t('columns.details')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {sets.map(set => (
          <SetRows key={set.key} set={set} selection={selection} />
        ))}
      </Table>
    </div>
  )
}

/** The columns of the table of sets, without that of the checkboxes. */
const setColumns = 7

type SetRowsProps = { set: SetRow; selection: Selection }

/** Whether a set is shown as before: a filter makes its sets anew, and another one's checkbox changes the selection. */
function sameSet({ set: a, selection: was }: SetRowsProps, { set: b, selection: is }: SetRowsProps): boolean {
  return (
    a.key === b.key &&
    a.size === b.size &&
    a.tyres.length === b.tyres.length &&
    was?.toggle === is?.toggle &&
    a.tyres.every(
      (row, at) => row === b.tyres[at] && was?.selected.has(row.tyre.db_id) === is?.selected.has(row.tyre.db_id),
    )
  )
}

const SetRows = memo(function SetRows({ set, selection }: SetRowsProps) {
  const { t } = useTranslation('tyres')
  const [open, setOpen] = useState(false)
  const id = useId()
  const { name, vehicle, tyres, size } = set
  const plate = formatPlate(vehicle.license_plate)
  const free = tyres.filter(canSelect)
  const [first, ...others] = distinct(tyres.map(row => row.tyre.description))
  const count = tyres.length === size ? String(size) : t('part', { count: tyres.length, size })
  const positions = tyres.map(row => row.tyre.position).join(' ')
  const obstacle = tyres.find(row => !canSelect(row))
  const selected = selection !== undefined && free.every(row => selection.selected.has(row.tyre.db_id))
  return (
    <Table.Tbody data-set={set.key}>
      <Table.Tr data-selected={(free.length > 0 && selected) || undefined}>
        {selection && (
          <td className={classes.checkColumn}>
            <div className={classes.check}>
              {free.length > 0 && <Several rows={free} label={t('selectSet', { set: name, plate })} {...selection} />}
              {obstacle && <Obstacle row={obstacle} />}
            </div>
          </td>
        )}
        <td className={classes.mainCell}>
          <Owner vehicle={vehicle} />
        </td>
        <td className={classes.textCell}>
          {name}
          <span className={classes.underneath}>
            {count} · {first}
            {others.length > 0 && ` +${others.length}`}
          </span>
        </td>
        <td className={classes.wide}>
          <span className={classes.count}>{count}</span> <span className={classes.dim}>{positions}</span>
        </td>
        <td className={classes.wide}>
          {first}
          {others.length > 0 && (
            <span className={classes.dim} title={others.join('\n')}>
              {` +${others.length}`}
            </span>
          )}
        </td>
        <td className={classes.statusCell}>
          <div className={classes.badges}>
            {tyreStatuses
              .filter(status => tyres.some(row => row.tyre.tyre_status === status))
              .map(status => (
                <StatusBadge key={status} tyre={status} />
              ))}
          </div>
        </td>
        <td className={`${classes.wide} ${classes.date}`}>{formatDate(oldestOf(set))}</td>
        <td className={classes.endColumn}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-expanded={open}
            aria-controls={id}
            aria-label={t('unfold', { set: name, plate })}
            onClick={() => setOpen(!open)}
          >
            <IconChevronDown size={18} aria-hidden className={classes.fold} data-open={open || undefined} />
          </ActionIcon>
        </td>
      </Table.Tr>
      <Table.Tr id={id} hidden={!open} className={classes.unfolded}>
        <td colSpan={setColumns + Number(selection !== undefined)}>
          {open && <TyreTable rows={tyres} selection={selection} />}
        </td>
      </Table.Tr>
    </Table.Tbody>
  )
}, sameSet)

type TyreTableProps = {
  rows: readonly TyreRow[]
  selection: Selection
  /** A list of its own, with plate and set in each row; without it the tyres stand under their set, in its order. */
  sort?: Sort<SortKey>
}

/** Tyres, each with its checkbox. */
export function TyreTable({ rows, selection, sort }: TyreTableProps) {
  const { t } = useTranslation('tyres')
  const { allowProfileDepth } = useSite()
  const [asked, setAsked] = useState<TyreRow | null>(null)
  // It stays while the dialog closes.
  const [last, setLast] = useState<TyreRow | null>(null)
  const open = useCallback((row: TyreRow) => {
    setAsked(row)
    setLast(row)
  }, [])
  const head = (by: SortKey, className?: string) =>
    sort ? (
      <SortHead by={by} text={t(`columns.${by}`)} sort={sort} className={className} />
    ) : (
      <Table.Th className={className}>{t(`columns.${by}`)}</Table.Th>
    )
  return (
    <div className={sort && classes.frame}>
      <Table className={classes.table} data-plain={!selection || undefined}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={classes.checkColumn}>
                {sort ? (
                  <Several rows={rows} label={t('selectPage')} {...selection} />
                ) : (
                  <span className="wh-hidden">{t('columns.select')}</span>
                )}
              </Table.Th>
            )}
            {sort && head('plate')}
            {sort && head('set', classes.wide)}
            {head('position', sort && classes.wide)}
            {head('description')}
            {allowProfileDepth && head('depth', classes.wideNumber)}
            {head('status')}
            {head('statusDate', classes.wide)}
            <Table.Th className={classes.endColumn}>
              <span className="wh-hidden">{t('columns.details')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Row
              key={row.tyre.db_id}
              row={row}
              selected={selection?.selected.has(row.tyre.db_id)}
              toggle={selection?.toggle}
              withVehicle={sort !== undefined}
              open={open}
            />
          ))}
        </Table.Tbody>
      </Table>
      {last && <TyreDetail row={last} opened={asked !== null} onClose={() => setAsked(null)} />}
    </div>
  )
}

type RowProps = {
  row: TyreRow
  /** `undefined` where nothing can be selected. */
  selected: boolean | undefined
  toggle: Selecting['toggle'] | undefined
  withVehicle: boolean
  open: (row: TyreRow) => void
}

const Row = memo(function Row({ row, selected, toggle, withVehicle, open }: RowProps) {
  const { t } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const { tyre, vehicle } = row
  const plate = formatPlate(vehicle.license_plate)
  const set = tyre.tyre_set ?? t('common:tyre.setless')
  const depth = allowProfileDepth && tyre.profile_depth !== null && <TreadDepth tyre={tyre} />
  return (
    <Table.Tr data-tyre={tyre.db_id} data-selected={selected || undefined}>
      {toggle && (
        <td className={classes.checkColumn}>
          {canSelect(row) ? (
            <Checkbox
              aria-label={t('tyres:selectTyre', { plate, position: tyre.position, description: tyre.description })}
              checked={selected === true}
              onChange={() => toggle([row])}
            />
          ) : (
            <Obstacle row={row} />
          )}
        </td>
      )}
      {withVehicle && (
        <td className={classes.mainCell}>
          <Owner vehicle={vehicle} />
        </td>
      )}
      {withVehicle && (
        <td className={tyre.tyre_set === null ? `${classes.wide} ${classes.dim}` : classes.wide}>{set}</td>
      )}
      <td className={withVehicle ? classes.wide : classes.mainCell}>{tyre.position}</td>
      <td className={classes.textCell}>
        {tyre.description}
        <span className={classes.underneath}>
          {withVehicle && `${set} · ${tyre.position}`}
          {withVehicle && depth && ' · '}
          {depth}
        </span>
      </td>
      {allowProfileDepth && <td className={classes.wideNumber}>{depth}</td>}
      <td className={classes.statusCell}>
        <div className={classes.badges}>
          <StatusBadge tyre={tyre.tyre_status} />
        </div>
        <span className={classes.underneath}>{formatDate(tyre.status_date)}</span>
      </td>
      <td className={`${classes.wide} ${classes.date}`}>{formatDate(tyre.status_date)}</td>
      <td className={classes.endColumn}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('tyres:detail.open', { id: tyre.db_id })}
          onClick={() => open(row)}
        >
          <IconInfoCircle size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </td>
    </Table.Tr>
  )
})

/** The plate, which leads to its vehicle; for an administrator also whose vehicle it is. */
function Owner({ vehicle }: { vehicle: Vehicle }) {
  const seesSite = useSeesSite()
  return (
    <>
      <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} size="sm" />
      {seesSite && <span className={classes.owner}>{vehicle.customer_name}</span>}
    </>
  )
}

/** Why a tyre can't be selected (SPEC §2: a warning icon); leads to the operation that holds it. */
function Obstacle({ row: { tyre } }: { row: TyreRow }) {
  const { t } = useTranslation('tyres')
  const typeOf = useOperationTypeLabel()
  const { data: operations } = useOperations()
  const obstacle = obstacleTo(tyre)
  if (obstacle === null) return null
  const reason = obstacle === 'waste' ? t('isWaste') : t('busy', { type: tyre.action ? typeOf(tyre.action) : '' })
  const status = operations?.find(({ _id }) => _id === tyre.operation)?.status
  const icon = <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
  if (obstacle === 'waste' || (status !== 'pending' && status !== 'submitted')) {
    return (
      <Tooltip label={reason}>
        {/* Focusable, so that the keyboard too brings up why. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <span className={classes.obstacle} role="img" aria-label={reason} tabIndex={0}>
          {icon}
        </span>
      </Tooltip>
    )
  }
  return (
    <Tooltip label={reason}>
      <Link
        to="/operations"
        search={{ tab: status }}
        state={{ tab: status }}
        hash={`operation-${tyre.operation}`}
        className={classes.obstacle}
        aria-label={reason}
      >
        {icon}
      </Link>
    </Tooltip>
  )
}
