/** The site's details on invoices, saved separately (docs/product/money.md "Invoices"). */
import { Button, Group, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { detailsForm, invoices as calls, type SavedDetails } from '#contract/invoices.ts'
import { billingLimits } from '#domain/money/billingDetails.ts'
import { formatIban } from '#domain/money/iban.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { PartyFields } from '../customers/billingFields.tsx'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { NumberField } from '../ui/form/numberField.tsx'

type Draft = Omit<SavedDetails, 'payment_days' | 'vat_rate'> & {
  payment_days: number | string
  vat_rate: number | string
}
const inputOf = (draft: Draft) => ({
  ...draft,
  payment_days: draft.payment_days === '' ? undefined : Number(draft.payment_days),
  vat_rate: draft.vat_rate === '' ? undefined : Number(draft.vat_rate),
})

export function BillingDetails() {
  const { t } = useTranslation('invoices')
  const details = useAnswer(calls.settings, {})
  const [open, setOpen] = useState(false)
  if (!details.data) {
    if (details.isError) return <Failed error={details.error} retry={details.refetch} />
    return <Placeholders rows={2} height={56} />
  }
  const { legal_name, vat_number, iban, invoices } = details.data
  const summary = [legal_name, vat_number, iban && formatIban(iban), t(invoices ? 'made' : 'notMade')]
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">{summary.filter(Boolean).join(' · ')}</Text>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('editDetails')}
      </Button>
      <FormDialog
        opened={open}
        onClose={() => setOpen(false)}
        title={t('details')}
        size="46rem"
        long
        lost={t('unsaved')}
      >
        {dialog => <Details saved={details.data} dialog={dialog} />}
      </FormDialog>
    </Group>
  )
}

function Details({ saved, dialog }: { saved: SavedDetails; dialog: DialogControls }) {
  const { t } = useTranslation('invoices')
  const save = useCall(calls.setup, { doing: 'invoices:saving', done: 'invoices:saved' })
  const form = useContractForm({
    initial: saved as Draft,
    schema: detailsForm,
    input: inputOf,
    text: useFieldErrorText(),
    dialog,
  })
  const text = (field: 'legal_name' | 'street' | 'zipcode' | 'city' | 'email' | 'iban' | 'bic') => ({
    ...form.text(field),
    label: t(`field.${field}`),
    maxLength: billingLimits[field],
  })
  return (
    <Form
      form={form}
      onSubmit={async () => {
        await save.mutateAsync(detailsForm.parse(form.input))
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Switch
          {...form.flag('invoices')}
          label={t('field.invoices')}
          description={t('hint.invoices')}
          data-autofocus
        />
        {saved.access_point && (
          <Switch {...form.flag('sends')} label={t('field.sends')} description={t('hint.sends')} />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="md">
          <TextInput {...text('legal_name')} />
          <TextInput {...text('street')} />
          <TextInput {...text('zipcode')} />
          <TextInput {...text('city')} />
          <PartyFields form={form} />
          <TextInput {...text('iban')} spellCheck={false} />
          <TextInput {...text('bic')} spellCheck={false} />
          <TextInput {...text('email')} type="email" inputMode="email" spellCheck={false} />
          <NumberField
            {...form.number('payment_days')}
            label={t('field.payment_days')}
            suffix={` ${t('daysUnit')}`}
            hideControls
            required
          />
          {(['invoice_series', 'credit_series'] as const).map(field => (
            <TextInput
              key={field}
              {...form.text(field)}
              label={t(`field.${field}`)}
              description={t('hint.series', { example: `${form.values[field].toUpperCase() || '?'}-2026-00012` })}
              maxLength={billingLimits.series}
              spellCheck={false}
              required
            />
          ))}
          <NumberField
            {...form.number('vat_rate')}
            label={t('field.vat_rate')}
            description={t('hint.vat_rate')}
            decimals={2}
            suffix=" %"
            hideControls
            required
          />
          <TextInput
            {...form.text('exemption')}
            label={t('field.exemption')}
            description={t('hint.exemptionOfSite')}
            maxLength={billingLimits.exemption}
          />
        </SimpleGrid>
        <Textarea {...form.text('note')} label={t('field.note')} maxLength={billingLimits.note} autosize minRows={2} />
        <FormActions form={form} dialog={dialog} submit={t('mapping.save')} />
      </Stack>
    </Form>
  )
}
