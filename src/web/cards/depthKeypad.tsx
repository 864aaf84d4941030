/** The tread depth of the wheel on the card: 1 to 3 readings over the width, by keypad, keyboard or gauge; the lowest governs. */
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconBackspace, IconDeviceFloppy } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { CardWheel } from '#contract/cards.ts'
import { governingDepth } from '#domain/warehouse/card.ts'
import { formatNumber, separatorsOf } from '#domain/texts/number.ts'
import type { CardWork } from './cardWork.ts'
import classes from './card.module.css'

/** Takes up to three readings of a wheel in mm, and records the lowest. */
export function DepthKeypad({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t, i18n } = useTranslation('cards')
  const { typed, readings } = work.shown
  const text = typed ?? ''
  const depth = governingDepth(readings ?? [])
  const show = (reading: number) => formatNumber(reading, i18n.language)
  const save = depth === null ? t('save') : t('saveDepth', { depth: show(depth) })
  const sign = separatorsOf(i18n.language).decimal
  return (
    <section className={classes.keypad} aria-label={t('measuring')}>
      <Text size="sm" fw={600}>
        {t('measuring')}
      </Text>
      <p className={classes.readings}>
        {(readings ?? []).map((reading, nth) => (
          // oxlint-disable-next-line react/no-array-index-key -- readings are told apart by their place only
          <strong key={nth} data-governs={reading === depth || undefined}>
            {show(reading)}
          </strong>
        ))}
        <span>{t('lowest')}</span>
      </p>
      <form
        onSubmit={event => {
          event.preventDefault()
          work.takeReading(text)
        }}
      >
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            label={t('reading', { nth: (readings?.length ?? 0) + 1 })}
            inputMode="none"
            autoComplete="off"
            value={text}
            onChange={event => work.type(event.currentTarget.value)}
            flex={1}
            miw="9rem"
          />
          <Button type="submit" variant="default" px="xs" disabled={text === ''}>
            {t('addReading')}
          </Button>
        </Group>
      </form>
      <SimpleGrid cols={3} spacing="xs" aria-label={t('keypad')} role="group">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9', sign, '0'].map(key => (
          <Button key={key} variant="default" size="md" onClick={() => work.type(text + key)}>
            {key}
          </Button>
        ))}
        <Button
          variant="default"
          size="md"
          aria-label={t('dropReading')}
          disabled={text === '' && readings?.length === 0}
          onClick={() => (text === '' ? work.dropReading() : work.type(text.slice(0, -1)))}
        >
          <IconBackspace size={20} aria-hidden />
        </Button>
      </SimpleGrid>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={work.stopMeasuring}>
          {t('stopMeasuring')}
        </Button>
        <Button
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          disabled={depth === null}
          loading={work.busy}
          onClick={() => work.record(wheel)}
        >
          {work.isDeeper ? t('insist') : save}
        </Button>
      </Group>
    </section>
  )
}
