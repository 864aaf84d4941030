/** What invoices say of the site, saved by itself (docs/product.md "Invoices"). */
import { SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { detailsForm, invoices as calls, type SavedDetails } from '#contract/invoices.ts'
import { billingLimits } from '#domain/billingDetails.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { PartyFields } from '../shared/billingFields.tsx'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { SaveBar } from '../shared/form/saveBar.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { type Changes, overSaved, unsentOf } from '../ui/form/changes.ts'
import { Form } from '../ui/form/form.tsx'
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
  const details = useAnswer(calls.settings, {})
  if (details.data) return <Details saved={details.data} />
  if (details.isError) return <Failed error={details.error} retry={details.refetch} />
  return <Placeholders rows={4} height={56} />
}

function Details({ saved }: { saved: SavedDetails }) {
  const { t } = useTranslation(['invoices', 'fleet'])
  const save = useCall(calls.setup, { doing: 'invoices:saving', done: 'invoices:saved' })
  const [changes, setChanges] = useState<Changes<Draft> | null>(null)
  useUnsavedGuard(changes !== null, t('unsaved'))
  const form = useContractForm({
    initial: saved as Draft,
    held: overSaved<Draft>(saved, changes, setChanges),
    schema: detailsForm,
    input: inputOf,
    text: useFieldErrorText(),
  })
  const text = (field: 'legal_name' | 'street' | 'zipcode' | 'city' | 'email' | 'iban' | 'bic') => ({
    ...form.text(field),
    label: t(`field.${field}`),
    maxLength: billingLimits[field],
  })
  async function send() {
    const sent = changes
    if (!sent) return
    await save.mutateAsync(detailsForm.parse(form.input))
    setChanges(now => unsentOf(now, sent))
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <Switch {...form.flag('invoices')} label={t('field.invoices')} description={t('hint.invoices')} />
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
        <SaveBar
          form={form}
          discard={() => {
            setChanges(null)
            form.forgive()
          }}
        />
      </Stack>
    </Form>
  )
}
