/** Printed lists for racks and drivers: A4, black on white, one line per set. */
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { formatDate, formatMinute } from '../shared/format.ts'
import { useSwapLine } from '../operations/swap.tsx'
import { useNames } from '../operations/names.ts'
import { useSite } from '../shared/session.ts'
import { dayName } from '../shared/weekdays.ts'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { alike, type PrintGroup, printGroups, type SetLine, tyresLeft, type Walk } from './pickingList.ts'
import classes from './printList.module.css'

type PrintListProps = { type: OfferedType; operations: readonly Operation[]; walk: Walk; now: Date }

export function PrintList({ type, operations, walk, now }: PrintListProps) {
  const { t } = useTranslation(['desk', 'common'])
  const site = useSite()
  const groups = printGroups(type, operations, walk)
  const siteNames = new Set(groups.flatMap(({ lines }) => lines.flatMap(({ siteName }) => siteName ?? []))).size > 1
  const columns = useColumns(type, siteNames)
  const listed = new Set(groups.flatMap(({ lines }) => lines.map(({ operation }) => operation)))
  return (
    <div className={classes.pages}>
      <div className={classes.head}>
        <strong>{t(`list.${type}`)}</strong>
        <span>{site.name}</span>
        <span>{formatMinute(now.toISOString(), site.time_zone)}</span>
        <span>
          {t('operations', { count: listed.size })} · {t('common:tyres', { count: tyresLeft([...listed]) })}
        </span>
      </div>
      {groups.map(group => (
        <DataTable
          key={group.key}
          title={type === 'to_waste' ? undefined : <GroupTitle group={group} />}
          columns={columns}
          rows={group.lines}
          keyOf={({ key }) => key}
          className={classes.list}
          still
        />
      ))}
    </div>
  )
}

/** The day and transport, or the customer, of a group. */
function GroupTitle({ group: { day, transport, customer, lines } }: { group: PrintGroup }) {
  const { t, i18n } = useTranslation(['desk', 'common'])
  const names = useNames()
  const { closedDays } = useSite()
  const isClosed = closedDays.some(closed => closed.day === day)
  const tyres = lines.reduce((sum, line) => sum + line.tyres.length, 0)
  const name =
    customer ??
    [day === null ? t('noDay') : dayName(day, i18n.language), transport !== null && names.transport(transport)]
      .filter(Boolean)
      .join(' · ')
  return (
    <div className={classes.group}>
      <strong>{name}</strong>
      {isClosed && <span>{t('common:closedDay')}</span>}
      <span>{t('common:tyres', { count: tyres })}</span>
    </div>
  )
}

function useColumns(type: OfferedType, siteNames: boolean): Columns<SetLine> {
  const { t } = useTranslation(['desk', 'common'])
  const { service } = useNames()
  const swapLine = useSwapLine()
  const fromRacks = type !== 'to_stock'
  return [
    {
      id: 'scanned',
      header: t('scanned'),
      headerHidden: true,
      render: () => <span aria-hidden />,
      className: classes.box,
      attributes: () => ({ 'aria-label': t('scanned') }),
    },
    fromRacks && {
      id: 'rack',
      header: t('common:tyre.rack'),
      render: ({ siteName, rack }) => (
        <>
          {siteNames && siteName && <small>{siteName}</small>}
          {/* broken at a dash only where a rack is longer than its column */}
          {rack?.replaceAll('-', '\u2011') ?? '–'}
        </>
      ),
      className: classes.rack,
    },
    {
      id: 'vehicle',
      header: t('vehicle'),
      render: ({ operation }) => (
        <>
          <strong className={classes.plate}>{formatPlate(operation.vehicle.license_plate)}</strong>
          {fromRacks && <small>{operation.user.companyname}</small>}
          {!fromRacks && operation.deliveryDate && (
            <small>{t('arrivalOn', { date: formatDate(operation.deliveryDate) })}</small>
          )}
          {operation.swap && <small>{swapLine(operation)}</small>}
        </>
      ),
      className: classes.vehicle,
    },
    {
      id: 'position',
      header: t('positionShort'),
      render: ({ tyres }) => tyres.map(({ position }) => position).join(' '),
      className: classes.position,
    },
    {
      id: 'description',
      header: t('common:tyre.description'),
      render: line => (
        <>
          {alike(line).map(({ description, positions }, _, kinds) => (
            <span key={description} className={classes.kind}>
              {kinds.length > 1 && <b>{positions.join(' ')} </b>}
              {description}
            </span>
          ))}
          <small>{[line.set, line.tyres.map(({ db_id }) => db_id).join(', ')].filter(Boolean).join(' · ')}</small>
        </>
      ),
      className: classes.description,
    },
    {
      id: 'services',
      header: t('servicesAndRemarks'),
      render: ({ operation }) => (
        <>
          {operation.services.map(service).join(', ')}
          {operation.remarks && <b className={classes.remarks}>{operation.remarks}</b>}
        </>
      ),
      className: classes.notes,
    },
  ]
}
