/** Cells that the tables of sets and of tyres have in common. */
import { Tooltip } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatDate, formatDepth } from '../shared/format.ts'
import { useOperations, useSeesSite } from '../shared/session.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { reasonNotSelectable, type TyreRow } from './rows.ts'
import type { Selecting } from './selection.ts'
import classes from './tyres.module.css'

/** The selection and its setter; `undefined` where nothing can be selected. */
export type TableSelection = Pick<Selecting, 'selected' | 'toggle'> | undefined

/** How many of these tyres are selected: all of them, some or none. None of no tyres. */
export function stateOf(rows: readonly TyreRow[], selected: Selecting['selected'] | undefined): boolean | 'some' {
  const count = rows.filter(row => selected?.has(row.tyre.db_id)).length
  return count > 0 && (count === rows.length || 'some')
}

/** The plate, which leads to its vehicle; for an administrator also whose vehicle it is. */
export function Owner({ vehicle }: { vehicle: Vehicle }) {
  const seesSite = useSeesSite()
  return (
    <>
      <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} size="sm" />
      {seesSite && <span className={classes.owner}>{vehicle.customer_name}</span>}
    </>
  )
}

/** When a tyre reaches its limit, and which. */
export function Reached({ row: { tyre, reach } }: { row: TyreRow }) {
  const { t, i18n } = useTranslation('tyres')
  if (reach === undefined) return null
  const depth = (mm: number | null) => formatDepth(mm, i18n.language)
  if (reach === 'now') return t('reach.now', { limit: depth(tyre.profile_depth) })
  const limit = depth(reach.limit)
  // days that have gone by are not foretold
  return reach.from === reach.until
    ? t('reach.likely', { limit })
    : t('reach.days', { limit, from: formatDate(reach.from), until: formatDate(reach.until) })
}

/** Why a tyre can't be selected, as a warning icon; leads to the operation that holds it. */
export function Obstacle({ row: { tyre } }: { row: TyreRow }) {
  const { t } = useTranslation('tyres')
  const typeOf = useOperationTypeLabel()
  const { data: operations } = useOperations()
  const obstacle = reasonNotSelectable(tyre)
  if (obstacle === null) return null
  const reason = obstacle === 'waste' ? t('isWaste') : t('busy', { type: tyre.action ? typeOf(tyre.action) : '' })
  const status = operations?.find(({ _id }) => _id === tyre.operation)?.status
  const icon = <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
  if (obstacle === 'waste' || (status !== 'pending' && status !== 'submitted')) {
    return (
      <Tooltip label={reason}>
        {/* Focusable, so that the keyboard brings up the reason, too. */}
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
