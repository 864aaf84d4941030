/** A customer's details on invoices, saved separately (docs/product/money.md "Invoices"). */
import { Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { buyerForm, invoices as calls, type SavedBuyer } from '#contract/invoices.ts'
import { billingLimits } from '#domain/money/billingDetails.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { PartyFields } from './billingFields.tsx'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import classes from './customers.module.css'

export function CustomerBilling({ id }: { id: number }) {
  const { t } = useTranslation('invoices')
  const buyer = useAnswer(calls.buyer, { seq_id: id })
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="billing" className={classes.section}>
      <Title order={2} id="billing" mb="xs">
        {t('details')}
      </Title>
      {buyer.data ? (
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            {[buyer.data.legal_name, buyer.data.vat_number, buyer.data.company_number, buyer.data.buyer_reference]
              .filter(Boolean)
              .join(' · ') || t('noDetails')}
          </Text>
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
            {dialog => <Details saved={buyer.data} dialog={dialog} />}
          </FormDialog>
        </Group>
      ) : buyer.error ? (
        <Failed error={buyer.error} retry={buyer.refetch} />
      ) : (
        <Placeholders rows={3} height={56} />
      )}
    </section>
  )
}

function Details({ saved, dialog }: { saved: SavedBuyer; dialog: DialogControls }) {
  const { t } = useTranslation('invoices')
  const save = useCall(calls.savebuyer, { doing: 'invoices:saving', done: 'invoices:saved' })
  const form = useContractForm({
    initial: saved,
    schema: buyerForm,
    input: values => values,
    text: useFieldErrorText(),
    dialog,
  })
  const text = (field: 'legal_name' | 'buyer_reference' | 'exemption', hint: string) => ({
    ...form.text(field),
    label: t(`field.${field}`),
    description: hint,
    maxLength: billingLimits[field],
  })
  return (
    <Form
      form={form}
      onSubmit={async () => {
        await save.mutateAsync(buyerForm.parse(form.input))
        dialog.close()
      }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <TextInput {...text('legal_name', t('hint.legalNameOfCustomer'))} data-autofocus />
          <PartyFields form={form} noCountry={t('countryOfSite')} />
          <TextInput {...text('buyer_reference', t('hint.buyer_reference'))} />
          <TextInput {...text('exemption', t('hint.exemptionOfCustomer'))} />
        </SimpleGrid>
        <FormActions form={form} dialog={dialog} submit={t('mapping.save')} />
      </Stack>
    </Form>
  )
}
