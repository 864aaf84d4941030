/**
 * A tyre and its last place. In stock it has every field of docs/product/tyres.md "Tyre list"; any other tyre has its status instead of the stock-only
 * fields: place, rims, bolts and hubcaps.
 */
import { Group, Loader, Modal, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import { isHotel } from '#domain/site.ts'
import { messageOf, useAnswer } from '../shared/api.ts'
import { Reports } from '../damages/reports.tsx'
import { useSite, useWho } from '../shared/session.ts'
import { formatDate, formatDepth } from '../shared/format.ts'
import { Plate, Rack, StatusBadge } from '../shared/trade.tsx'
import { CopyButton } from '../ui/copyButton.tsx'
import { TyreDot } from '../vehicles/sets/tyreDot.tsx'
import { TreadDepth } from '../vehicles/depths/treadDepth.tsx'
import { useTreadLimits } from '../vehicles/depths/treadLimits.ts'
import type { TyreRow } from './rows.ts'
import classes from './tyres.module.css'

export function TyreDetail({ row, opened, onClose }: { row: TyreRow; opened: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation(['tyres', 'common', 'damages'])
  const { limitsOf } = useTreadLimits(row.vehicle)
  const { mode, allowProfileDepth } = useSite()
  const who = useWho()
  const { tyre, vehicle } = row
  const yes = (is: boolean) => (is ? t('common:yes') : t('common:no'))
  const inStock = tyre.tyre_status === 'in_stock'
  const facts: (readonly [string, ReactNode])[] = [
    [t('tyres:detail.id'), <Copied key="id" value={String(tyre.db_id)} />],
    [t('tyres:detail.position'), tyre.position],
    [t('tyres:detail.description'), tyre.description],
  ]
  if (allowProfileDepth) {
    facts.push(
      [t('tyres:detail.depth'), <TreadDepth key="depth" tyre={tyre} vehicle={vehicle} verbose />],
      [t('tyres:detail.depthDate'), formatDate(tyre.profile_date)],
    )
    const { wanted } = limitsOf(tyre)
    if (tyre.tyre_status !== 'waste' && tyre.profile_depth !== null && tyre.profile_depth > wanted) {
      const limit = formatDepth(wanted, i18n.language)
      facts.push([t('tyres:detail.forecast', { limit }), <Forecast key="forecast" id={tyre.db_id} />])
    }
  }
  facts.push([t('tyres:dot.title'), <TyreDot key="dot" id={tyre.db_id} mayChange={tyre.tyre_status !== 'waste'} />])
  if (inStock) facts.push([t('tyres:detail.site'), tyre.stock_site_name])
  else facts.push([t('tyres:columns.status'), <StatusBadge key="status" tyre={tyre.tyre_status} />])
  facts.push([t('tyres:detail.statusDate'), formatDate(tyre.status_date)])
  if (inStock) {
    facts.push(
      [t('tyres:detail.rack'), <Rack key="rack" name={tyre.stock_rack} />],
      [t('tyres:detail.rims'), tyre.stock_rims ? t(`tyres:detail.${tyre.stock_rims}`) : t('common:no')],
      [t('tyres:detail.bolts'), yes(tyre.stock_bolts)],
      [t('tyres:detail.hubcaps'), yes(tyre.stock_hubcaps)],
    )
  }
  if (isHotel(mode)) facts.push([t('tyres:detail.recent'), <Recent key="recent" id={tyre.db_id} />])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <span className={classes.detailTitle}>
          {inStock ? t('tyres:detail.title') : t('tyres:detail.other')}{' '}
          <Plate plate={vehicle.license_plate} size="sm" />
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
      {isHotel(mode) && (
        <section aria-label={t('damages:title')}>
          <Title order={3} size="h5" mb="xs">
            {t('damages:title')}
          </Title>
          <Reports tyre={tyre.db_id} mayChange={who.type === 'admin' && tyre.tyre_status !== 'waste'} />
        </section>
      )}
    </Modal>
  )
}

/** A number that is copied by a click. */
function Copied({ value }: { value: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {value} <CopyButton text={value} />
    </Group>
  )
}

/** From when to when the tyre is likely to wear down to its limit. */
function Forecast({ id }: { id: number }) {
  const { t } = useTranslation('tyres')
  const answer = useAnswer(calls.forecast, { tyres: [id] })
  if (answer.isPending) return <Loader size={16} />
  if (answer.isError) return <Fault error={answer.error} />
  const { from, until } = answer.data[0] ?? {}
  if (!from || !until) return t('detail.forecastNone')
  return (
    <>
      {t('detail.forecastDays', { from: formatDate(from), until: formatDate(until) })}
      <Text size="xs" c="dimmed">
        {t('detail.forecastWhy')}
      </Text>
    </>
  )
}

const Fault = ({ error }: { error: unknown }) => (
  <Text span size="sm" c="var(--mantine-color-error)">
    {messageOf(error)}
  </Text>
)

/** The last place in the warehouse, also of a tyre that has left it. */
function Recent({ id }: { id: number }) {
  const { t } = useTranslation('tyres')
  const answer = useAnswer(calls.recentstocklocations, { tyreIds: [id] })
  if (answer.isPending) return <Loader size={16} />
  if (answer.isError) return <Fault error={answer.error} />
  const places = answer.data.map(place => place.fsh_stocklocation).filter(Boolean)
  if (places.length === 0) return t('detail.noRecent')
  return places.map((place, nth) => (
    <Fragment key={place}>
      {nth > 0 && ', '}
      <Rack name={place} />
    </Fragment>
  ))
}
