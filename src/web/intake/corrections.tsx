/** Actions that correct a mistaken scan, on its card. */
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconMapPin, IconSearch } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { NearestRoom } from '../handling/nearestRoom.tsx'
import { placeOf, type ScannedPlace, type ScanRecord } from '../scanning/records.ts'
import classes from './intake.module.css'

export type CorrectionActions = {
  register: (record: ScanRecord) => void
  placeRemaining: (place: ScannedPlace) => void
  placeSome: (place: ScannedPlace, free: number) => void
  /** Focuses the field that finds a tyre with an unreadable label. */
  byHand: () => void
}

/** The action that corrects the scan of a record; nothing where there is none. */
export function Corrections({
  record,
  register,
  placeRemaining,
  placeSome,
  byHand,
}: { record: ScanRecord } & CorrectionActions) {
  const { t } = useTranslation(['intake', 'desk'])
  const { reason, state } = record
  const place = placeOf(record)
  if (reason?.kind === 'elsewhere')
    return (
      <div className={classes.corrections}>
        <Button leftSection={<IconArrowsExchange size={18} aria-hidden />} onClick={() => register(record)}>
          {t('switchAndRegister', { type: t(`desk:types.${reason.type}`) })}
        </Button>
      </div>
    )
  if (reason?.kind === 'read')
    return (
      <div className={classes.corrections}>
        <Button variant="default" leftSection={<IconSearch size={18} aria-hidden />} onClick={byHand}>
          {t('findByHand')}
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
  const room = reason?.kind === 'refused' ? reason.room : undefined
  if (place && room)
    return (
      <NearestRoom
        location={place.location}
        {...room}
        split={() => placeSome(place, room.free)}
        className={classes.corrections}
      />
    )
  return null
}
