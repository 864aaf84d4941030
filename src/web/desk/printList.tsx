/** The lists that people take along to the racks and to the customer: A4, black on white. */
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/plate.ts'
import type { OfferedType } from '#domain/tyre.ts'
import { useSite } from '../shared/session.ts'
import { formatDate, formatMoment } from '../shared/format.ts'
import { printLines, type Walk } from '../shared/handling/lookup.ts'
import classes from './printList.module.css'
import { useNames } from '../shared/handling/words.ts'

type PrintListProps = { type: OfferedType; operations: readonly Operation[]; walk: Walk; now: Date }

export function PrintList({ type, operations, walk, now }: PrintListProps) {
  const { t } = useTranslation(['admin', 'common'])
  const site = useSite()
  const { service, transport } = useNames()
  const { lines: all, siteNames } = printLines(type, operations, walk)
  const fromRacks = type !== 'to_stock'
  const columns = 7 + (type === 'to_customer' ? 1 : 0)
  return (
    <table className={classes.list}>
      <thead>
        <tr className={classes.head}>
          <th colSpan={columns} aria-label={t(`list.${type}`)}>
            <div>
              <strong>{t(`list.${type}`)}</strong>
              <span>{site.name}</span>
              <span>{formatMoment(now.toISOString(), site.time_zone).slice(0, 16)}</span>
              <span>
                {t('operations', { count: operations.length })} · {t('common:tyres', { count: all.length })}
              </span>
            </div>
          </th>
        </tr>
        <tr>
          <th className={classes.box}>
            <span className="wh-hidden">{t('scanned')}</span>
          </th>
          {fromRacks && <th>{t('common:tyre.rack')}</th>}
          {!fromRacks && <th>{t('customer')}</th>}
          <th>{t('vehicle')}</th>
          <th>{t('positionShort')}</th>
          <th>{t('common:tyre.description')}</th>
          <th>{t('common:tyre.set')}</th>
          {fromRacks && <th>{t('customer')}</th>}
          {type === 'to_customer' && <th>{t('delivery')}</th>}
          {!fromRacks && <th>{t('servicesAndRemarks')}</th>}
        </tr>
      </thead>
      <tbody>
        {all.map(({ operation, tyre }, index) => {
          const follows = all[index - 1]?.operation === operation
          const ends = all[index + 1]?.operation !== operation
          const services = operation.services.map(service).join(', ')
          const noted = fromRacks && ends && (services !== '' || operation.remarks !== '')
          return (
            <Fragment key={tyre.db_id}>
              <tr className={[!follows && classes.first, noted && classes.noted].filter(Boolean).join(' ')}>
                <td className={classes.box} aria-label={t('scanned')}>
                  <span aria-hidden />
                </td>
                {fromRacks && (
                  <td className={classes.rack}>
                    {siteNames && tyre.stock_site_name && <small>{tyre.stock_site_name}</small>}
                    {tyre.stock_rack ?? '–'}
                  </td>
                )}
                {!fromRacks && <td className={classes.owner}>{follows ? '' : operation.user.companyname}</td>}
                <td className={classes.plate}>{formatPlate(operation.vehicle.license_plate)}</td>
                <td className={classes.position}>{tyre.position}</td>
                <td className={classes.description}>
                  {tyre.description} <small>({tyre.db_id})</small>
                </td>
                <td>{tyre.tyre_set ?? ''}</td>
                {fromRacks && <td className={classes.owner}>{operation.user.companyname}</td>}
                {type === 'to_customer' && (
                  <td>
                    {formatDate(operation.deliveryDate)}
                    {operation.transport !== null && <small>{transport(operation.transport)}</small>}
                  </td>
                )}
                {!fromRacks && (
                  <td>
                    {!follows && services}
                    {!follows && operation.remarks && <small>{operation.remarks}</small>}
                  </td>
                )}
              </tr>
              {noted && (
                <tr className={classes.notes}>
                  <td colSpan={columns}>
                    {services}
                    {services && operation.remarks && ' · '}
                    {operation.remarks && <b>{operation.remarks}</b>}
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
