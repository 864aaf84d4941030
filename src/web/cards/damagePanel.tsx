/** Damage of the wheel on the card: one tap reports it; earlier reports are listed below (docs/product/warehouse.md "Damage"). */
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconArrowLeft, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { CardWheel } from '#contract/cards.ts'
import { type DamageCode, damageCodes, maxDamageNote } from '#domain/warehouse/damage.ts'
import { Reports } from '../damages/reports.tsx'
import type { CardWork } from './cardWork.ts'
import classes from './card.module.css'

/** Reports damage of a wheel by one touch. What was refused is said on the card, and the note stays. */
export function DamagePanel({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t } = useTranslation(['damages', 'common'])
  const [note, setNote] = useState('')
  async function report(code: DamageCode) {
    if (await work.reportDamage(wheel, code, note.trim())) setNote('')
  }
  return (
    <section className={classes.keypad} aria-label={t('title')}>
      {wheel.actions.includes('damage') && (
        <>
          <TextInput
            label={t('note')}
            value={note}
            maxLength={maxDamageNote}
            onChange={event => setNote(event.currentTarget.value)}
          />
          <Text size="sm" fw={600}>
            {t('choose')}
          </Text>
          <SimpleGrid cols={2} spacing="xs" role="group" aria-label={t('choose')}>
            {damageCodes.map(code => {
              const isOpen = wheel.damages.includes(code)
              return (
                <Button
                  key={code}
                  {...(isOpen
                    ? { variant: 'light', color: 'red', leftSection: <IconCheck size={18} aria-hidden /> }
                    : { variant: 'default' })}
                  aria-pressed={isOpen}
                  size="md"
                  px="xs"
                  disabled={work.busy || work.card.isFetching}
                  onClick={() => void report(code)}
                >
                  {t(`common:damage.${code}`)}
                </Button>
              )
            })}
          </SimpleGrid>
        </>
      )}
      <Reports tyre={wheel.db_id} mayChange={wheel.actions.includes('damage')} />
      <Button
        variant="default"
        size="md"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={work.closePanel}
      >
        {t('done')}
      </Button>
    </section>
  )
}
