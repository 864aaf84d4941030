/** The damage reports of a tyre, with photos, and the actions that staff may take on them (docs/product/warehouse.md "Damage"). */
import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { damages as calls, type DamageReport } from '#contract/damages.ts'
import { type DamageCode, maxPhotos } from '#domain/warehouse/damage.ts'
import { labelled } from '../i18n.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { formatMoment } from '../shared/format.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useSite } from '../shared/session.ts'
import classes from './damage.module.css'
import { SmallPhotos, TakePhotos } from './photos.tsx'

/** The codes of open damage; nothing without. */
export function DamageBadges({ damages }: { damages: readonly DamageCode[] }) {
  const { t } = useTranslation()
  return damages.map(code => (
    <Badge key={code} color="red" variant="filled">
      {t(`damage.${code}`)}
    </Badge>
  ))
}

export function Reports({ tyre, mayChange }: { tyre: number; mayChange: boolean }) {
  const { t } = useTranslation('damages')
  const answer = useAnswer(calls.list, { tyres: [tyre] })
  const [closing, setClosing] = useState<DamageReport | null>(null)
  const end = useCall(calls.end, { done: 'common:performed' })
  if (answer.isPending) return <Placeholders rows={1} height={44} />
  if (answer.isError) return <Failed error={answer.error} retry={answer.refetch} />
  if (answer.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    )
  return (
    <>
      <ul className={classes.reports} aria-label={t('title')}>
        {answer.data.map(report => (
          <Report
            key={report._id}
            report={report}
            {...(mayChange && {
              repair: () => end.mutate({ damage: report._id, how: 'repaired' }),
              close: () => setClosing(report),
            })}
          />
        ))}
      </ul>
      {closing && (
        <ReasonDialog
          title={t('close')}
          text={t('closeWhy')}
          confirm={t('close')}
          send={note => end.mutateAsync({ damage: closing._id, how: 'closed', note })}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  )
}

function Report({ report, repair, close }: { report: DamageReport; repair?: () => void; close?: () => void }) {
  const { t } = useTranslation(['damages', 'common'])
  const { time_zone: zone } = useSite()
  const { code, ended, photos } = report
  const damage = code ? t(`common:damage.${code}`) : t('photographed')
  const timeAndAuthor = (time: string, by: string | null) => (by ? t('by', { time, by }) : time)
  const howEnded = ended && t(`ended.${ended.how}`, { time: timeAndAuthor(formatMoment(ended.at, zone), ended.by) })
  return (
    <li className={classes.report}>
      <Group gap="xs">
        {code ? (
          <Badge color={ended ? 'gray' : 'red'} variant={ended ? 'light' : 'filled'}>
            {damage}
          </Badge>
        ) : (
          <Text size="sm" fw={600}>
            {damage}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {timeAndAuthor(formatMoment(report.at, zone), report.by)}
        </Text>
      </Group>
      {report.note && <Text size="sm">{report.note}</Text>}
      {howEnded && (
        <Text size="sm" c="dimmed">
          {ended?.note ? labelled(howEnded, ended.note) : howEnded}
        </Text>
      )}
      {photos.length > 0 && <SmallPhotos photos={photos} name={nth => t('photo', { nth, damage })} />}
      {repair && !ended && (
        <Group gap="xs">
          {photos.length < maxPhotos && (
            <TakePhotos subject={{ damage: report._id }} size="xs" label={t('addPhotoTo', { damage })}>
              {t('addPhoto')}
            </TakePhotos>
          )}
          {code && (
            <>
              <Button size="xs" variant="default" aria-label={t('repairedIt', { damage })} onClick={repair}>
                {t('repaired')}
              </Button>
              <Button size="xs" variant="default" aria-label={t('closeIt', { damage })} onClick={close}>
                {t('close')}
              </Button>
            </>
          )}
        </Group>
      )}
    </li>
  )
}
