/** Actions that correct a mistaken scan, on its card. */
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconMapPin } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { locations } from '#contract/locations.ts'
import { formatPlate } from '#domain/plate.ts'
import { useAnswer } from '../shared/api.ts'
import { freeAt, nearestWithRoom } from '../shared/handling/lookup.ts'
import type { ScannedPlace, ScanRecord } from '../shared/scanning/scanQueue.ts'
import classes from './intake.module.css'

export type CorrectionActions = {
  register: (record: ScanRecord) => void
  placeRemaining: (place: ScannedPlace) => void
  placeSome: (place: ScannedPlace, free: number) => void
}

/** How many places with room a card names. */
const placesNamed = 3

export function Corrections({
  record,
  register,
  placeRemaining,
  placeSome,
}: { record: ScanRecord } & CorrectionActions) {
  const { t } = useTranslation(['intake', 'admin'])
  const { reason, place, state } = record
  if (reason?.kind === 'elsewhere')
    return (
      <div className={classes.corrections}>
        <Button leftSection={<IconArrowsExchange size={18} aria-hidden />} onClick={() => register(record)}>
          {t('switchAndRegister', { type: t(`admin:types.${reason.type}`) })}
        </Button>
      </div>
    )
  const [rest] = place?.rest ?? []
  if (place && rest && state !== 'refused')
    return (
      <div className={classes.corrections}>
        <span>{t('restUnplaced', { count: rest.tyres.length, plate: formatPlate(rest.plate ?? '') })}</span>
        <Button
          variant="default"
          leftSection={<IconMapPin size={18} aria-hidden />}
          onClick={() => placeRemaining(place)}
        >
          {t('placeRest')}
        </Button>
      </div>
    )
  if (place && reason?.kind === 'refused' && reason.room)
    return <FullPlace place={place} {...reason.room} placeSome={placeSome} />
  return null
}

type FullPlaceProps = { place: ScannedPlace; free: number; needed: number; placeSome: CorrectionActions['placeSome'] }

/** A full place: the nearest places with room for all, and an action to use the free part. */
function FullPlace({ place, free, needed, placeSome }: FullPlaceProps) {
  const { t } = useTranslation('intake')
  const { data = [] } = useAnswer(locations.all, {}, { muted: true })
  const near = nearestWithRoom(data, { from: place.location, needed, most: placesNamed })
  return (
    <div className={classes.corrections}>
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
        <Button variant="default" onClick={() => placeSome(place, free)}>
          {t('splitHere', { count: free })}
        </Button>
      )}
    </div>
  )
}
