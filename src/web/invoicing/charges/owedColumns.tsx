/** The columns of a customer's overdue tyres. */
import { useMemo } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { OverdueTyre } from '#contract/invoicing.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatDate } from '../../shared/format.ts'
import { VehiclePlate } from '../../vehicles/vehiclePlate.tsx'
import { BelowCell, Dimmed } from '../../ui/dataTable/secondaryText.tsx'
import type { Column } from '../../ui/dataTable/column.ts'
import { Dotted, Rack } from '../../shared/trade.tsx'
import classes from '../invoicing.module.css'

export function useOwedColumns(): readonly Column<OverdueTyre>[] {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  return useMemo(() => {
    const setOf = (tyre: OverdueTyre) => tyre.tyre_set ?? t('common:tyre.setless')
    return [
      { id: 'tyre', header: t('column.tyre'), render: tyre => tyre.db_id, nowrap: true, from: 'lg' },
      {
        id: 'plate',
        header: t('column.plate'),
        render: tyre => <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />,
        area: 'main',
      },
      { id: 'position', header: t('column.position'), render: tyre => tyre.position, nowrap: true, from: 'xl' },
      {
        id: 'description',
        header: t('column.description'),
        render: tyre => (
          <>
            {tyre.description}
            <div>
              <Dimmed>{setOf(tyre)}</Dimmed>
            </div>
            {tyre.waived_reason !== null && (
              <span className={classes.note}>
                {t('waived', { count: tyre.waived_days, reason: tyre.waived_reason })}
              </span>
            )}
            <BelowCell width="xl">
              <Dotted>
                {tyre.position}
                {t('since', { date: formatDate(tyre.status_date) })}
              </Dotted>
            </BelowCell>
            <BelowCell width="lg">
              <Dotted>
                {tyre.db_id}
                {tyre.invoicedAt !== null && t('invoicedOn', { date: formatDate(tyre.invoicedAt) })}
                {tyre.paid_until !== null && t('chargedTo', { date: formatDate(tyre.paid_until) })}
                {tyre.stock_rack && <Rack name={tyre.stock_rack} />}
                {tyre.stock_site_name}
              </Dotted>
            </BelowCell>
          </>
        ),
        area: 'text',
        className: classes.text,
      },
      {
        id: 'days',
        header: t('column.days'),
        render: tyre => (
          <>
            {formatNumber(tyre.overdue_days, i18n.language)}
            <BelowCell inline> {t('days')}</BelowCell>
            {tyre.owed_days !== tyre.overdue_days && (
              <span className={classes.note}>{t('owedDays', { count: tyre.owed_days })}</span>
            )}
          </>
        ),
        align: 'end',
        area: 'days',
        className: classes.daysCell,
      },
      {
        id: 'stockDate',
        header: t('column.stockDate'),
        render: tyre => formatDate(tyre.status_date),
        nowrap: true,
        from: 'xl',
      },
      {
        id: 'invoiced',
        header: t('column.invoiced'),
        render: tyre => (
          <>
            {formatDate(tyre.invoicedAt)}
            {tyre.document !== null && <span className={classes.paper}>{tyre.document}</span>}
            {tyre.paid_until !== null && (
              <span className={classes.note}>{t('chargedTo', { date: formatDate(tyre.paid_until) })}</span>
            )}
          </>
        ),
        nowrap: true,
        from: 'lg',
      },
      {
        id: 'rack',
        header: t('column.rack'),
        render: tyre => <Rack name={tyre.stock_rack} />,
        nowrap: true,
        from: 'lg',
        attributes: tyre => ({ title: tyre.stock_site_name ?? undefined }),
      },
    ]
  }, [t, i18n.language])
}
