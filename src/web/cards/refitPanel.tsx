/** Moves the wheel on the card to another vehicle (docs/product/warehouse.md "The card of a scan"). */
import { Button, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { CardWheel } from '#contract/cards.ts'
import { fleet } from '#contract/fleet.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useAnswer } from '../shared/api.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { MoveTyres } from '../vehicles/moving/moveTyres.tsx'
import type { CardWork } from './cardWork.ts'
import classes from './card.module.css'

export function RefitPanel({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t } = useTranslation(['damages', 'common'])
  const { data, isError, error, refetch } = useAnswer(
    fleet.fetch,
    { license_plate: wheel.license_plate },
    { muted: true },
  )
  const vehicle = data?.find(({ flt_id }) => flt_id === wheel.flt_id)
  const tyres = vehicle?.tyres.filter(({ db_id }) => db_id === wheel.db_id)
  return (
    <section className={classes.keypad} aria-label={t('damages:refit.title')}>
      <Text size="sm" fw={600}>
        {t('damages:refit.title')}
      </Text>
      {vehicle && tyres && (
        <MoveTyres
          tyres={tyres}
          from={vehicle}
          onMoved={(to, position) => work.refitted(formatPlate(to.license_plate), position)}
        />
      )}
      {!vehicle && (isError ? <Failed error={error} retry={refetch} /> : <Placeholders rows={2} height={44} />)}
      <Button variant="subtle" color="gray" onClick={work.closePanel}>
        {t('common:cancel')}
      </Button>
    </section>
  )
}
