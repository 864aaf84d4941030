/** A tyre in stock, with every field that SPEC §2 "Tyre list" names, and where it lay last. */
import { Loader, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { tyres as calls } from '#contract/tyres.ts'
import { isHotel } from '#domain/site.ts'
import { messageOf, useAnswer } from '../api.ts'
import { useSite } from '../session.ts'
import { formatDate, formatDepth } from '../ui/format.ts'
import { Plate } from '../ui/trade.tsx'
import type { TyreRow } from './rows.ts'
import classes from './tyres.module.css'

export function TyreDetail({ row, opened, onClose }: { row: TyreRow; opened: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { mode, allowProfileDepth } = useSite()
  const { tyre, vehicle } = row
  const yes = (is: boolean) => (is ? t('common:yes') : t('common:no'))
  const facts: [string, ReactNode][] = [
    [t('tyres:detail.id'), tyre.db_id],
    [t('tyres:detail.position'), tyre.position],
    [t('tyres:detail.description'), tyre.description],
    ...(allowProfileDepth
      ? ([
          [
            t('tyres:detail.depth'),
            tyre.profile_depth !== null && t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) }),
          ],
          [t('tyres:detail.depthDate'), formatDate(tyre.profile_date)],
        ] as [string, ReactNode][])
      : []),
    [t('tyres:detail.site'), tyre.stock_site_name],
    [t('tyres:detail.statusDate'), formatDate(tyre.status_date)],
    [t('tyres:detail.rack'), tyre.stock_rack],
    [t('tyres:detail.rims'), tyre.stock_rims ? t(`tyres:detail.${tyre.stock_rims}`) : t('common:no')],
    [t('tyres:detail.bolts'), yes(tyre.stock_bolts)],
    [t('tyres:detail.hubcaps'), yes(tyre.stock_hubcaps)],
    ...(isHotel(mode)
      ? ([[t('tyres:detail.recent'), <Recent key="recent" id={tyre.db_id} />]] as [string, ReactNode][])
      : []),
  ]
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <span className={classes.detailTitle}>
          {t('tyres:detail.title')} <Plate plate={vehicle.license_plate} size="sm" />
        </span>
      }
    >
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}

/** The last place in the warehouse, also of a tyre that has left it. */
function Recent({ id }: { id: number }) {
  const { t } = useTranslation('tyres')
  const answer = useAnswer(calls.recentstocklocations, { tyreIds: [id] })
  if (answer.isPending) return <Loader size={16} />
  if (answer.isError) {
    return (
      <Text span size="sm" c="var(--mantine-color-error)">
        {messageOf(answer.error)}
      </Text>
    )
  }
  const places = answer.data.map(place => place.fsh_stocklocation).filter(Boolean)
  return places.length > 0 ? places.join(', ') : t('detail.noRecent')
}
