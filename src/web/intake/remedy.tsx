/** What can be done about a scan that was not what somebody meant, on its card. */
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconMapPin } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { locations } from '#contract/locations.ts'
import { formatPlate } from '#domain/plate.ts'
import { useAnswer } from '../shared/api.ts'
import { freeAt, nearestWithRoom } from '../shared/handling/lookup.ts'
import type { PlaceTaken, ScanRecord } from '../shared/scanning/scanQueue.ts'
import classes from './intake.module.css'

export type Remedies = {
  register: (record: ScanRecord) => void
  placeRest: (place: PlaceTaken) => void
  split: (place: PlaceTaken, free: number) => void
}

/** How many places with room a card names. */
const placesNamed = 3

export function Remedy({ record, register, placeRest, split }: { record: ScanRecord } & Remedies) {
  const { t } = useTranslation(['intake', 'admin'])
  const { reason, place, state } = record
  if (reason?.kind === 'elsewhere')
    return (
      <div className={classes.remedy}>
        <Button leftSection={<IconArrowsExchange size={18} aria-hidden />} onClick={() => register(record)}>
          {t('switchAndRegister', { type: t(`admin:types.${reason.type}`) })}
        </Button>
      </div>
    )
  const [rest] = place?.rest ?? []
  if (place && rest && state !== 'refused')
    return (
      <div className={classes.remedy}>
        <span>{t('restUnplaced', { count: rest.tyres.length, plate: formatPlate(rest.plate ?? '') })}</span>
        <Button variant="default" leftSection={<IconMapPin size={18} aria-hidden />} onClick={() => placeRest(place)}>
          {t('placeRest')}
        </Button>
      </div>
    )
  if (place && reason?.kind === 'refused' && reason.room)
    return <FullPlace place={place} {...reason.room} split={split} />
  return null
}

type FullPlaceProps = { place: PlaceTaken; free: number; needed: number; split: Remedies['split'] }

/** A place that is full: the nearest ones that take all of it, and the way to use what is free. */
function FullPlace({ place, free, needed, split }: FullPlaceProps) {
  const { t } = useTranslation('intake')
  const { data = [] } = useAnswer(locations.all, {}, { muted: true })
  const near = nearestWithRoom(data, { from: place.location, needed, most: placesNamed })
  return (
    <div className={classes.remedy}>
      <span>
        {near.length === 0 ? t('noRoomAnywhere', { count: needed }) : t('nearestWithRoom')}{' '}
        {near.map((one, nth) => (
          <Fragment key={one._id}>
            {nth > 0 && ', '}
            <strong className={classes.rackName}>{one.stock_rack || one.stock_site_name}</strong> ({freeAt(one)})
          </Fragment>
        ))}
      </span>
      {free > 0 && (
        <Button variant="default" onClick={() => split(place, free)}>
          {t('splitHere', { count: free })}
        </Button>
      )}
    </div>
  )
}
