/** The rows of both tabs: sets that unfold to their tyres, and tyres. */
import { ActionIcon, Checkbox, Table, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPlate } from '#domain/plate.ts'
import { tyreStatuses } from '#domain/tyre.ts'
import { useOperations, useSite, useWho } from '../session.ts'
import { formatDate, formatDepth } from '../ui/format.ts'
import { StatusBadge, useOperationTypeLabel } from '../ui/trade.tsx'
import { VehiclePlate } from '../ui/vehicle/VehiclePlate.tsx'
import type { Vehicle } from '#contract/wire.ts'
import { TyreDetail } from './detail.tsx'
import { canSelect, distinct, obstacleTo, type SetRow, type TyreRow } from './rows.ts'
import classes from './tyres.module.css'

type Selecting = {
  selected: ReadonlySet<number>
  toggle: (ids: readonly number[]) => void
}
const idsOf = (rows: readonly TyreRow[]) => rows.filter(canSelect).map(row => row.tyre.db_id)

/** A checkbox for several tyres: marked when all that can be selected are, dashed when some are. */
function Several({ ids, label, selected, toggle }: Selecting & { ids: readonly number[]; label: string }) {
  const some = ids.filter(id => selected.has(id)).length
  return (
    <Checkbox
      aria-label={label}
      checked={ids.length > 0 && some === ids.length}
      indeterminate={some > 0 && some < ids.length}
      disabled={ids.length === 0}
      onChange={() => toggle(ids)}
    />
  )
}

export function SetTable({ sets, selected, toggle }: Selecting & { sets: readonly SetRow[] }) {
  const { t } = useTranslation('tyres')
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.checkColumn}>
              <Several
                ids={sets.flatMap(set => idsOf(set.tyres))}
                label={t('selectPage')}
                selected={selected}
                toggle={toggle}
              />
            </Table.Th>
            <Table.Th>{t('columns.plate')}</Table.Th>
            <Table.Th>{t('columns.set')}</Table.Th>
            <Table.Th className={classes.wide}>{t('columns.tyres')}</Table.Th>
            <Table.Th className={classes.wide}>{t('columns.description')}</Table.Th>
            <Table.Th>{t('columns.status')}</Table.Th>
            <Table.Th className={classes.wide}>{t('columns.statusDate')}</Table.Th>
            <Table.Th className={classes.endColumn}>
              <span className="wh-hidden">{t('columns.details')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {sets.map(set => (
          <SetRows key={set.key} set={set} selected={selected} toggle={toggle} />
        ))}
      </Table>
    </div>
  )
}

/** The columns of the table of sets. */
const setColumns = 8

function SetRows({ set, selected, toggle }: Selecting & { set: SetRow }) {
  const { t } = useTranslation('tyres')
  const [open, setOpen] = useState(false)
  const id = useId()
  const { name, vehicle, tyres, size } = set
  const plate = formatPlate(vehicle.license_plate)
  const free = idsOf(tyres)
  const [first, ...others] = distinct(tyres.map(row => row.tyre.description))
  const dates = distinct(tyres.map(row => row.tyre.status_date)).toSorted()
  const count = tyres.length === size ? String(size) : t('part', { count: tyres.length, size })
  const positions = tyres.map(row => row.tyre.position).join(' ')
  const obstacle = tyres.find(row => !canSelect(row))
  return (
    <Table.Tbody data-set={set.key}>
      <Table.Tr data-selected={(free.length > 0 && free.every(one => selected.has(one))) || undefined}>
        <Table.Td className={classes.checkColumn}>
          <div className={classes.check}>
            {free.length > 0 && (
              <Several ids={free} label={t('selectSet', { set: name, plate })} selected={selected} toggle={toggle} />
            )}
            {obstacle && <Obstacle row={obstacle} />}
          </div>
        </Table.Td>
        <Table.Td className={classes.mainCell}>
          <Owner vehicle={vehicle} />
        </Table.Td>
        <Table.Td className={classes.textCell}>
          {name}
          <span className={classes.underneath}>
            {count} · {first}
            {others.length > 0 && ` +${others.length}`}
          </span>
        </Table.Td>
        <Table.Td className={classes.wide}>
          <span className={classes.count}>{count}</span> <span className={classes.dim}>{positions}</span>
        </Table.Td>
        <Table.Td className={classes.wide}>
          {first}
          {others.length > 0 && (
            <span className={classes.dim} title={others.join('\n')}>
              {` +${others.length}`}
            </span>
          )}
        </Table.Td>
        <Table.Td className={classes.statusCell}>
          <div className={classes.badges}>
            {tyreStatuses
              .filter(status => tyres.some(row => row.tyre.tyre_status === status))
              .map(status => (
                <StatusBadge key={status} tyre={status} />
              ))}
          </div>
        </Table.Td>
        <Table.Td className={`${classes.wide} ${classes.date}`}>{formatDate(dates[0])}</Table.Td>
        <Table.Td className={classes.endColumn}>
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
        </Table.Td>
      </Table.Tr>
      <Table.Tr id={id} hidden={!open} className={classes.unfolded}>
        <Table.Td colSpan={setColumns}>
          {open && <TyreTable rows={tyres} selected={selected} toggle={toggle} />}
        </Table.Td>
      </Table.Tr>
    </Table.Tbody>
  )
}

/** Tyres, each with its checkbox. `withVehicle`: with plate and set, where they don't stand above it. */
export function TyreTable({
  rows,
  selected,
  toggle,
  withVehicle = false,
}: Selecting & { rows: readonly TyreRow[]; withVehicle?: boolean }) {
  const { t } = useTranslation('tyres')
  const { allowProfileDepth } = useSite()
  const [asked, setAsked] = useState<TyreRow | null>(null)
  // It stays while the dialog closes.
  const [last, setLast] = useState<TyreRow | null>(null)
  return (
    <div className={withVehicle ? classes.frame : undefined}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.checkColumn}>
              {withVehicle ? (
                <Several ids={idsOf(rows)} label={t('selectPage')} selected={selected} toggle={toggle} />
              ) : (
                <span className="wh-hidden">{t('columns.select')}</span>
              )}
            </Table.Th>
            {withVehicle && <Table.Th>{t('columns.plate')}</Table.Th>}
            {withVehicle && <Table.Th className={classes.wide}>{t('columns.set')}</Table.Th>}
            <Table.Th className={withVehicle ? classes.wide : undefined}>{t('columns.position')}</Table.Th>
            <Table.Th>{t('columns.description')}</Table.Th>
            {allowProfileDepth && <Table.Th className={classes.wideNumber}>{t('columns.depth')}</Table.Th>}
            <Table.Th>{t('columns.status')}</Table.Th>
            <Table.Th className={classes.wide}>{t('columns.statusDate')}</Table.Th>
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
              selected={selected.has(row.tyre.db_id)}
              toggle={toggle}
              withVehicle={withVehicle}
              open={() => {
                setAsked(row)
                setLast(row)
              }}
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
  selected: boolean
  toggle: (ids: readonly number[]) => void
  withVehicle: boolean
  open: () => void
}

function Row({ row, selected, toggle, withVehicle, open }: RowProps) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const { tyre, vehicle } = row
  const plate = formatPlate(vehicle.license_plate)
  const set = tyre.tyre_set ?? t('common:tyre.setless')
  const depth =
    tyre.profile_depth === null ? '' : t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })
  return (
    <Table.Tr data-tyre={tyre.db_id} data-selected={selected || undefined}>
      <Table.Td className={classes.checkColumn}>
        {canSelect(row) ? (
          <Checkbox
            aria-label={t('tyres:selectTyre', { plate, position: tyre.position, description: tyre.description })}
            checked={selected}
            onChange={() => toggle([tyre.db_id])}
          />
        ) : (
          <Obstacle row={row} />
        )}
      </Table.Td>
      {withVehicle && (
        <Table.Td className={classes.mainCell}>
          <Owner vehicle={vehicle} />
        </Table.Td>
      )}
      {withVehicle && (
        <Table.Td className={tyre.tyre_set === null ? `${classes.wide} ${classes.dim}` : classes.wide}>{set}</Table.Td>
      )}
      <Table.Td className={withVehicle ? classes.wide : classes.mainCell}>{tyre.position}</Table.Td>
      <Table.Td className={classes.textCell}>
        {tyre.description}
        <span className={classes.underneath}>
          {[withVehicle && set, withVehicle && tyre.position, allowProfileDepth && depth].filter(Boolean).join(' · ')}
        </span>
      </Table.Td>
      {allowProfileDepth && <Table.Td className={classes.wideNumber}>{depth}</Table.Td>}
      <Table.Td className={classes.statusCell}>
        <div className={classes.badges}>
          <StatusBadge tyre={tyre.tyre_status} />
        </div>
        <span className={classes.underneath}>{formatDate(tyre.status_date)}</span>
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.date}`}>{formatDate(tyre.status_date)}</Table.Td>
      <Table.Td className={classes.endColumn}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('tyres:detail.open', { id: tyre.db_id })}
          onClick={open}
        >
          <IconInfoCircle size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}

/** The plate, which leads to its vehicle; for an administrator also whose vehicle it is. */
function Owner({ vehicle }: { vehicle: Vehicle }) {
  const who = useWho()
  return (
    <>
      <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} size="sm" />
      {who.type === 'admin' && <span className={classes.owner}>{vehicle.customer_name}</span>}
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
