/** The lists that people take along to the racks and to the customer: A4, black on white. */
import { useTranslation } from 'react-i18next'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/plate.ts'
import type { OfferedType } from '#domain/tyre.ts'
import { useSite } from '../shared/session.ts'
import { formatDate, formatMoment } from '../shared/format.ts'
import { type Entry, printLines, type Walk } from '../shared/handling/lookup.ts'
import { useNames } from '../shared/handling/words.ts'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './printList.module.css'

type PrintListProps = { type: OfferedType; operations: readonly Operation[]; walk: Walk; now: Date }

/** A tyre, whether the tyre above is of the same operation, and whether what is noted of the operation stands below it. */
type Line = Entry & { follows: boolean; noted: boolean }

export function PrintList({ type, operations, walk, now }: PrintListProps) {
  const { t } = useTranslation(['admin', 'common'])
  const site = useSite()
  const { service } = useNames()
  const { lines: all, siteNames } = printLines(type, operations, walk)
  const servicesOf = ({ operation }: Entry) => operation.services.map(service).join(', ')
  const lines = all.map((line, index): Line => {
    const ends = all[index + 1]?.operation !== line.operation
    const notes = servicesOf(line) !== '' || line.operation.remarks !== ''
    return {
      ...line,
      follows: all[index - 1]?.operation === line.operation,
      noted: type !== 'to_stock' && ends && notes,
    }
  })
  return (
    <DataTable
      title={
        <div className={classes.head}>
          <strong>{t(`list.${type}`)}</strong>
          <span>{site.name}</span>
          <span>{formatMoment(now.toISOString(), site.time_zone).slice(0, 'DD/MM/YYYY HH:mm'.length)}</span>
          <span>
            {t('operations', { count: operations.length })} · {t('common:tyres', { count: all.length })}
          </span>
        </div>
      }
      columns={useColumns(type, { siteNames, servicesOf })}
      rows={lines}
      keyOf={({ tyre }) => tyre.db_id}
      details={{
        always: ({ noted }) => noted,
        render: line => (
          <>
            {servicesOf(line)}
            {servicesOf(line) && line.operation.remarks && ' · '}
            {line.operation.remarks && <b>{line.operation.remarks}</b>}
          </>
        ),
        className: classes.notes,
      }}
      rowAttributes={({ follows, noted }) => ({
        'data-first': !follows || undefined,
        'data-noted': noted || undefined,
      })}
      className={classes.list}
      still
    />
  )
}

type ColumnOptions = { siteNames: boolean; servicesOf: (line: Line) => string }

function useColumns(type: OfferedType, { siteNames, servicesOf }: ColumnOptions): Columns<Line> {
  const { t } = useTranslation(['admin', 'common'])
  const { transport } = useNames()
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
      render: ({ tyre }) => (
        <>
          {siteNames && tyre.stock_site_name && <small>{tyre.stock_site_name}</small>}
          {tyre.stock_rack ?? '–'}
        </>
      ),
      className: classes.rack,
    },
    !fromRacks && {
      id: 'customer',
      header: t('customer'),
      render: ({ operation, follows }) => (follows ? '' : operation.user.companyname),
      className: classes.owner,
    },
    {
      id: 'vehicle',
      header: t('vehicle'),
      render: ({ operation }) => formatPlate(operation.vehicle.license_plate),
      className: classes.plate,
    },
    {
      id: 'position',
      header: t('positionShort'),
      render: ({ tyre }) => tyre.position,
      className: classes.position,
    },
    {
      id: 'description',
      header: t('common:tyre.description'),
      render: ({ tyre }) => (
        <>
          {tyre.description} <small>({tyre.db_id})</small>
        </>
      ),
      className: classes.description,
    },
    { id: 'set', header: t('common:tyre.set'), render: ({ tyre }) => tyre.tyre_set },
    fromRacks && {
      id: 'customer',
      header: t('customer'),
      render: ({ operation }) => operation.user.companyname,
      className: classes.owner,
    },
    type === 'to_customer' && {
      id: 'delivery',
      header: t('delivery'),
      render: ({ operation }) => (
        <>
          {formatDate(operation.deliveryDate)}
          {operation.transport !== null && <small>{transport(operation.transport)}</small>}
        </>
      ),
    },
    !fromRacks && {
      id: 'services',
      header: t('servicesAndRemarks'),
      render: line =>
        !line.follows && (
          <>
            {servicesOf(line)}
            {line.operation.remarks && <small>{line.operation.remarks}</small>}
          </>
        ),
    },
  ]
}
