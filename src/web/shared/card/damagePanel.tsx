/** Damage of the wheel on the card: a touch reports it, and below stands what was reported before (docs/product.md "Damage"). */
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardWheel } from '#contract/cards.ts'
import { type DamageCode, damageCodes, maxDamageNote } from '#domain/damage.ts'
import { Reports } from '../damage/reports.tsx'
import type { CardWork } from './cardWork.ts'
import classes from './card.module.css'

export function DamagePanel({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t } = useTranslation(['damage', 'common'])
  const [note, setNote] = useState('')
  async function report(code: DamageCode) {
    if (await work.reportDamage(wheel, code, note.trim())) setNote('')
  }
  return (
    <section className={classes.keypad} aria-label={t('title')}>
      {wheel.actions.includes('damage') && (
        <>
          <Text size="sm" fw={600}>
            {t('choose')}
          </Text>
          <SimpleGrid cols={2} spacing="xs" role="group" aria-label={t('choose')}>
            {damageCodes.map(code => (
              <Button
                key={code}
                variant="default"
                size="md"
                px="xs"
                disabled={work.busy}
                onClick={() => void report(code)}
              >
                {t(`common:damage.${code}`)}
              </Button>
            ))}
          </SimpleGrid>
          <TextInput
            label={t('note')}
            value={note}
            maxLength={maxDamageNote}
            onChange={event => setNote(event.currentTarget.value)}
          />
        </>
      )}
      <Reports tyre={wheel.db_id} mayChange={wheel.actions.includes('damage')} />
      <Button variant="subtle" color="gray" onClick={work.closePanel}>
        {t('done')}
      </Button>
    </section>
  )
}
