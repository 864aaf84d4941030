/** How the site reminds of invoices: levels, and how late payment is claimed. */
import { Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { reminders as calls, remindersForm, type ReminderSettings as Settings } from '#contract/reminders.ts'
import { maxReminderLevels, reminderLimits } from '#domain/money/reminder.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useFieldErrorText } from '../../shared/form/fieldErrors.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { languageNames } from '../../shared/languages.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { NumberField } from '../../ui/form/numberField.tsx'

export function ReminderSettings() {
  const { t } = useTranslation('reminders')
  const settings = useAnswer(calls.settings, {})
  const [open, setOpen] = useState(false)
  if (!settings.data) {
    if (settings.isError) return <Failed error={settings.error} retry={settings.refetch} />
    return <Placeholders rows={1} height={36} />
  }
  const { levels } = settings.data
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      <Text size="sm">
        {levels.length === 0
          ? t('settings.off')
          : t('settings.on', { days: levels.map(({ days }) => days).join(', '), count: levels.length })}
      </Text>
      <Button
        variant={levels.length === 0 ? 'filled' : 'default'}
        size="xs"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('settings.do')}
      </Button>
      <FormDialog
        opened={open}
        onClose={() => setOpen(false)}
        title={t('settings.title')}
        size="46rem"
        long
        lost={t('settings.lost')}
      >
        {dialog => <SettingsForm saved={settings.data} dialog={dialog} />}
      </FormDialog>
    </Group>
  )
}

type Level = Settings['levels'][number]
type Draft = {
  levels: (Omit<Level, 'days' | 'fee'> & { days: number | string; fee: number | string })[]
  interest_rate: number | string
  compensation: boolean
}
const textLanguages = ['nl', 'fr', 'en', 'de'] as const
const noTexts = { nl: '', fr: '', en: '', de: '' }
const numberOf = (value: number | string): number | undefined => (value === '' ? undefined : Number(value))

function SettingsForm({ saved, dialog }: { saved: Settings; dialog: DialogControls }) {
  const { t } = useTranslation('reminders')
  const save = useCall(calls.setup, { doing: 'reminders:settings.saving', done: 'reminders:settings.saved' })
  const form = useContractForm({
    initial: {
      levels: saved.levels.length === 0 ? [{ days: 7, fee: 0, text: noTexts }] : saved.levels,
      interest_rate: saved.interest_rate ?? '',
      compensation: saved.compensation,
    } as Draft,
    schema: remindersForm,
    input: draft => ({
      levels: draft.levels.map(level => ({ ...level, days: numberOf(level.days), fee: numberOf(level.fee) })),
      interest_rate: numberOf(draft.interest_rate) ?? null,
      compensation: draft.compensation,
    }),
    text: useFieldErrorText(),
    dialog,
  })
  const { levels } = form.values
  const change = (at: number, part: Partial<Draft['levels'][number]>) =>
    form.set({ levels: levels.map((level, nth) => (nth === at ? { ...level, ...part } : level)) })
  return (
    <Form
      form={form}
      onSubmit={async () => {
        await save.mutateAsync(remindersForm.parse(form.input))
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('settings.text')}</Text>
        {levels.map((level, nth) => (
          <Fieldset key={nth} legend={t('level', { level: nth + 1 })}>
            <Stack gap="sm">
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
                <NumberField
                  value={level.days}
                  onChange={days => change(nth, { days })}
                  onBlur={() => form.leave(`levels.${nth}.days`)}
                  error={form.error(`levels.${nth}.days`)}
                  label={t('settings.days')}
                  data-autofocus={nth === 0 || undefined}
                />
                <NumberField
                  value={level.fee}
                  onChange={fee => change(nth, { fee })}
                  onBlur={() => form.leave(`levels.${nth}.fee`)}
                  error={form.error(`levels.${nth}.fee`)}
                  label={t('settings.fee')}
                  decimals={2}
                  hideControls
                />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                {textLanguages.map(language => (
                  <Textarea
                    key={language}
                    label={t('settings.letter', { language: nameOf(language) })}
                    value={level.text[language]}
                    onChange={event => change(nth, { text: { ...level.text, [language]: event.currentTarget.value } })}
                    maxLength={reminderLimits.text}
                    rows={3}
                  />
                ))}
              </SimpleGrid>
            </Stack>
          </Fieldset>
        ))}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={levels.length >= maxReminderLevels}
            onClick={() =>
              form.set({
                levels: [
                  ...levels,
                  { days: Number(levels.at(-1)?.days ?? 0) + 14, fee: levels.at(-1)?.fee ?? 0, text: noTexts },
                ],
              })
            }
          >
            {t('settings.addLevel')}
          </Button>
          {levels.length > 0 && (
            <Button size="xs" variant="subtle" color="red" onClick={() => form.set({ levels: levels.slice(0, -1) })}>
              {t('settings.removeLevel', { level: levels.length })}
            </Button>
          )}
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NumberField
            {...form.number('interest_rate')}
            label={t('settings.interest')}
            description={t('settings.interestHint')}
            decimals={2}
            suffix=" %"
            hideControls
          />
          <Checkbox {...form.flag('compensation')} label={t('settings.compensation')} mt="lg" />
        </SimpleGrid>
        <FormActions form={form} dialog={dialog} submit={t('settings.save')} />
      </Stack>
    </Form>
  )
}

const nameOf = (language: (typeof textLanguages)[number]): string =>
  languageNames[({ nl: 'dut', fr: 'fre', en: 'eng', de: 'ger' } as const)[language]].name
