/** The invoices of a period as a CSV file for bookkeeping. */
import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { invoices as calls } from '#contract/invoices.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useCall } from '../../shared/api.ts'
import { useToday } from '../../shared/hooks.ts'
import { usePeriodComplaint } from '../../shared/period.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { DateField } from '../../ui/dateField.tsx'
import { saveFile } from '../../ui/download.ts'
import { Form, FormButtons } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'

export function ExportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('invoices')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('export.title')} lost={t('export.lost')}>
      {dialog => <ExportForm dialog={dialog} />}
    </FormDialog>
  )
}

/** The first and the last day of the month before. */
function lastMonth(today: string): { from: string; to: string } {
  const end = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1, 0)).toISOString().slice(0, 10)
  return { from: `${end.slice(0, 8)}01`, to: end }
}

function ExportForm({ dialog }: { dialog: DialogControls }) {
  const { t, i18n } = useTranslation(['invoices', 'common'])
  const today = useToday()
  const [unmapped, setUnmapped] = useState<Answer<typeof calls.export>['unmapped']>([])
  const run = useCall(calls.export, {
    done: ({ invoices: count }) => t('export.done', { count }),
    shown: ['invoices.none_in_period', 'invoices.too_many'],
  })
  const complaint = usePeriodComplaint()
  const form = useContractForm({
    initial: lastMonth(today) as { from: string | null; to: string | null },
    input: ({ from, to }) => ({ from: from ?? '', to: to ?? '' }),
    rules: ({ from, to }) => ({
      from: from === null ? t('export.dayMissing') : undefined,
      to: to === null ? t('export.dayMissing') : complaint({ from, to }),
    }),
    refusals: { 'invoices.none_in_period': 'to', 'invoices.too_many': 'to' },
    dialog,
    loss: () => 'nothing',
  })
  return (
    <Form
      form={form}
      onSubmit={async period => {
        const exported = await run.mutateAsync(period)
        saveFile(exported.csv, { name: `${t('export.file')}-${period.from}-${period.to}.csv`, type: 'text/csv' })
        if (exported.unmapped.length === 0) dialog.close()
        else setUnmapped(exported.unmapped)
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('export.text')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <DateField {...form.date('from')} label={t('export.from')} />
          <DateField {...form.date('to')} label={t('export.to')} />
        </SimpleGrid>
        {unmapped.length > 0 && (
          <Alert color="yellow" role="status">
            {t('export.unmapped', {
              rates: unmapped
                .map(({ category, rate }) => `${category} ${formatNumber(rate, i18n.language)} %`)
                .join(', '),
            })}
          </Alert>
        )}
        <FormButtons>
          <Button variant="default" onClick={dialog.cancel}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.busy} data-autofocus>
            {t('export.download')}
          </Button>
        </FormButtons>
      </Stack>
    </Form>
  )
}
