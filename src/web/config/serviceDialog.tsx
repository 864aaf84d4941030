/** One service of a site, new or changed. */
import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { insertionMethods } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { Choice } from '../ui/select.tsx'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { Descriptions } from './descriptions.tsx'
import { type ServiceDraft, serviceInput } from './draft.ts'
import { EntryDialog, type EntryForm } from './entryDialog.tsx'
import { serviceErrors } from './entryErrors.ts'
import { Money } from './fields.tsx'
import { IconPicker } from './iconPicker.tsx'

type ServiceDialogProps = {
  service: ServiceDraft
  listed: boolean
  onApply: (service: ServiceDraft) => void
  onClose: () => void
}

export function ServiceDialog({ service, listed, onApply, onClose }: ServiceDialogProps) {
  const { t } = useTranslation('config')
  return (
    <EntryDialog
      title={listed ? t('editService', { name: service.name }) : t('newService')}
      entry={service}
      listed={listed}
      errorsOf={serviceErrors}
      inputOf={serviceInput}
      onApply={onApply}
      onClose={onClose}
    >
      {form => <ServiceFields form={form} />}
    </EntryDialog>
  )
}

function ServiceFields({ form }: { form: EntryForm<ServiceDraft> }) {
  const { t } = useTranslation('config')
  const typeLabel = useOperationTypeLabel()
  const { icon, article_insertion_method: method } = form.values
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput {...form.text('name')} label={t('service.name')} maxLength={60} required data-autofocus />
        <Choice
          {...form.choice('operation_type')}
          label={t('service.operation_type')}
          data={offeredTypes.map(value => ({ value, label: typeLabel(value) }))}
          placeholder={t('choose')}
          required
        />
      </SimpleGrid>
      <IconPicker icon={icon} onPick={picked => form.set({ icon: picked })} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" verticalSpacing="sm">
        <Choice
          {...form.choice('article_insertion_method')}
          label={t('service.article_insertion_method')}
          description={t(`insertionHint.${method}`)}
          data={insertionMethods.map(value => ({ value, label: t(`insertion.${value}`) }))}
          required
        />
        <TextInput
          {...form.text('article_number')}
          label={t('service.article_number')}
          description={t('serviceHint.article_number')}
          inputMode="numeric"
          maxLength={20}
          required={method !== 'text_line'}
        />
        <Money
          {...form.number('price_excl')}
          label={t('service.price_excl')}
          description={t('serviceHint.price_excl')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <Switch
          {...form.flag('preselected')}
          label={t('service.preselected')}
          description={t('serviceHint.preselected')}
        />
        <Switch {...form.flag('blocked')} label={t('service.blocked')} description={t('serviceHint.blocked')} />
      </SimpleGrid>
      <Descriptions form={form} />
    </>
  )
}
