/** What invoices say of a customer, saved by itself (docs/product.md "Invoices"). */
import { Paper, SimpleGrid, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buyerForm, invoices as calls, type SavedBuyer } from '#contract/invoices.ts'
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
import classes from './customers.module.css'

export function CustomerBilling({ id }: { id: number }) {
  const { t } = useTranslation('invoices')
  const buyer = useAnswer(calls.buyer, { seq_id: id })
  return (
    <section aria-labelledby="billing" className={classes.section}>
      <Title order={2} id="billing" mb="xs">
        {t('details')}
      </Title>
      {buyer.data ? (
        <Details saved={buyer.data} />
      ) : buyer.error ? (
        <Failed error={buyer.error} retry={buyer.refetch} />
      ) : (
        <Placeholders rows={3} height={56} />
      )}
    </section>
  )
}

function Details({ saved }: { saved: SavedBuyer }) {
  const { t } = useTranslation(['invoices', 'fleet'])
  const save = useCall(calls.savebuyer, { doing: 'invoices:saving', done: 'invoices:saved' })
  const [changes, setChanges] = useState<Changes<SavedBuyer> | null>(null)
  useUnsavedGuard(changes !== null, t('unsaved'))
  const form = useContractForm({
    initial: saved,
    held: overSaved(saved, changes, setChanges),
    schema: buyerForm,
    input: values => values,
    text: useFieldErrorText(),
  })
  const text = (field: 'legal_name' | 'buyer_reference' | 'exemption', hint: string) => ({
    ...form.text(field),
    label: t(`field.${field}`),
    description: hint,
    maxLength: billingLimits[field],
  })
  async function send() {
    const sent = changes
    if (!sent) return
    await save.mutateAsync(buyerForm.parse(form.input))
    setChanges(now => unsentOf(now, sent))
  }
  return (
    <Paper className={classes.data}>
      <Form form={form} onSubmit={send} className={classes.form}>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
            <TextInput {...text('legal_name', t('hint.legalNameOfCustomer'))} />
            <PartyFields form={form} noCountry={t('countryOfSite')} />
            <TextInput {...text('buyer_reference', t('hint.buyer_reference'))} />
            <TextInput {...text('exemption', t('hint.exemptionOfCustomer'))} />
          </SimpleGrid>
          <SaveBar
            form={form}
            discard={() => {
              setChanges(null)
              form.forgive()
            }}
          />
        </Stack>
      </Form>
    </Paper>
  )
}
