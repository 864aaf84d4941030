/** The alternative to a full place: the nearest places with room for all of the tyres, and their free capacity. */
import { Button } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locations } from '#contract/locations.ts'
import { freeAt } from '#domain/warehouse/location.ts'
import { locationName } from '../shared/format.ts'
import { useAnswer } from '../shared/api.ts'
import { Rack } from '../shared/trade.tsx'
import { nearestWithRoom } from './lookup.ts'

/** How many places with room are named. */
const placesNamed = 3

type NearestRoomProps = {
  location: number
  free: number
  needed: number
  split: () => void
  className: string | undefined
}

export function NearestRoom({ location, free, needed, split, className }: NearestRoomProps) {
  const { t } = useTranslation('intake')
  const { data = [] } = useAnswer(locations.all, {}, { muted: true })
  const near = nearestWithRoom(data, { from: location, needed, most: placesNamed })
  return (
    <div className={className}>
      <span>
        {near.length === 0 ? t('noRoomAnywhere', { count: needed }) : t('nearestWithRoom')}{' '}
        {near.map((place, nth) => (
          <Fragment key={place._id}>
            {nth > 0 && ', '}
            <strong>
              <Rack name={locationName(place)} />
            </strong>{' '}
            ({freeAt(place)})
          </Fragment>
        ))}
      </span>
      {free > 0 && (
        <Button variant="default" onClick={split}>
          {t('splitHere', { count: free })}
        </Button>
      )}
    </div>
  )
}
