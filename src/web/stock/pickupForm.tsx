/** The fields of a transport form: of a new pick-up, or of one that is corrected. */
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { disposals as calls, pickupForm, type ScrapPickup } from '#contract/disposals.ts'
import { type Treatment, treatments } from '#domain/warehouse/disposal.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useToday } from '../shared/hooks.ts'
import { useSameInput } from '../several/useSeveral.ts'
import { DateField } from '../ui/dateField.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { NumberField } from '../ui/form/numberField.tsx'
import { Choice } from '../ui/select.tsx'

type Recording = {
  /** The one that is put right; without it a new one takes these tyres. */
  pickup?: ScrapPickup
  tyres?: readonly number[]
  done?: () => void
}

export function PickupDialog({ opened, onClose, ...recording }: Recording & { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('stock')
  const title = recording.pickup ? t('editing') : t('recording', { count: recording.tyres?.length ?? 0 })
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} size="38rem" long lost={t('lost')}>
      {dialog => <PickupFields {...recording} dialog={dialog} />}
    </FormDialog>
  )
}

function PickupFields({ pickup, tyres = [], done, dialog }: Recording & { dialog: DialogControls }) {
  const { t } = useTranslation(['stock', 'documents'])
  const today = useToday()
  const record = useCall(calls.record, { done: 'stock:recorded' })
  const same = useSameInput()
  const edit = useCall(calls.edit, { done: 'stock:edited' })
  const form = useContractForm({
    initial: {
      day: (pickup?.day ?? today) as string | null,
      form_number: pickup?.form_number ?? '',
      collector: pickup?.collector ?? '',
      collector_number: pickup?.collector_number ?? '',
      processor: pickup?.processor ?? '',
      processor_number: pickup?.processor_number ?? '',
      treatment: (pickup?.treatment ?? null) as Treatment | null,
      weight_kg: (pickup?.weight_kg ?? '') as number | string,
    },
    schema: pickupForm,
    input: values => ({
      ...values,
      day: values.day ?? '',
      weight_kg: values.weight_kg === '' ? null : Number(values.weight_kg),
    }),
    text: useFieldErrorText(),
    refusals: { 'stock.date_ahead': 'day' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        if (pickup) await edit.mutateAsync({ ...wish, _id: pickup._id })
        else await record.mutateAsync(same({ ...wish, tyres: [...tyres] }))
        done?.()
        dialog.close()
      }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <DateField {...form.date('day')} label={t('field.day')} maxDate={today} required />
          <TextInput {...form.text('form_number')} label={t('field.form_number')} required data-autofocus />
          <TextInput {...form.text('collector')} label={t('field.collector')} required />
          <TextInput
            {...form.text('collector_number')}
            label={t('field.collector_number')}
            description={t('numberHint')}
          />
          <TextInput {...form.text('processor')} label={t('field.processor')} />
          <TextInput {...form.text('processor_number')} label={t('field.processor_number')} />
          <Choice
            label={t('field.treatment')}
            placeholder={t('notKnown')}
            data={treatments.map(value => ({ value, label: t(`documents:proof.treatments.${value}`) }))}
            value={form.values.treatment}
            onChange={value => form.set({ treatment: treatments.find(candidate => candidate === value) ?? null })}
            clearable
          />
          <NumberField
            {...form.number('weight_kg')}
            label={t('field.weight_kg')}
            description={t('weightHint')}
            decimals={1}
          />
        </SimpleGrid>
        <FormActions form={form} dialog={dialog} submit={t(pickup ? 'save' : 'record')} />
      </Stack>
    </Form>
  )
}
