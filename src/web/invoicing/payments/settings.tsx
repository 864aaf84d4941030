/** From which day on the site follows whether its invoices are paid. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { payments as calls, type PaymentSettings as Settings } from '#contract/payments.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { formatDate } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'

export function PaymentSettings() {
  const { t } = useTranslation('payments')
  const settings = useAnswer(calls.settings, {})
  const [open, setOpen] = useState(false)
  if (!settings.data) {
    if (settings.isError) return <Failed error={settings.error} retry={settings.refetch} />
    return <Placeholders rows={1} height={36} />
  }
  const { followed_from: from } = settings.data
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      <Text size="sm">{from === null ? t('settings.off') : t('settings.on', { date: formatDate(from) })}</Text>
      <Button
        variant={from === null ? 'filled' : 'default'}
        size="xs"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t(from === null ? 'settings.do' : 'settings.change')}
      </Button>
      <FormDialog opened={open} onClose={() => setOpen(false)} title={t('settings.title')} lost={t('settings.lost')}>
        {dialog => <SettingsForm saved={settings.data} dialog={dialog} />}
      </FormDialog>
    </Group>
  )
}

function SettingsForm({ saved, dialog }: { saved: Settings; dialog: DialogControls }) {
  const { t } = useTranslation('payments')
  const today = useToday()
  const save = useCall(calls.setup, { doing: 'payments:settings.saving', done: 'payments:settings.saved' })
  const form = useContractForm({
    // a year of old invoices is not overdue all at once
    initial: { followed_from: saved.followed_from ?? (`${today.slice(0, 8)}01` as string | null) },
    input: values => values,
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await save.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <DateField
          {...form.date('followed_from')}
          label={t('settings.from')}
          description={t('settings.fromHint')}
          clearable
          data-autofocus
        />
        <FormActions form={form} dialog={dialog} submit={t('settings.save')} />
      </Stack>
    </Form>
  )
}
