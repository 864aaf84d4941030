/** One service of a site, new or changed. */
import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { insertionMethods } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyre.ts'
import { Choice } from '../ui/choice.tsx'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { Descriptions } from './descriptions.tsx'
import { type ServiceDraft, serviceComplaints } from './draft.ts'
import { EntryDialog } from './entryDialog.tsx'
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
  const typeLabel = useOperationTypeLabel()
  return (
    <EntryDialog
      title={listed ? t('editService', { name: service.name }) : t('newService')}
      entry={service}
      listed={listed}
      complaintsOf={serviceComplaints}
      onApply={onApply}
      onClose={onClose}
    >
      {({ entry, change, said, leave }) => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
            <TextInput
              label={t('service.name')}
              value={entry.name}
              onChange={event => change({ name: event.currentTarget.value })}
              onBlur={() => leave('name')}
              error={said('name')}
              maxLength={60}
              autoComplete="off"
              required
              data-autofocus
            />
            <Choice
              label={t('service.operation_type')}
              data={offeredTypes.map(value => ({ value, label: typeLabel(value) }))}
              value={entry.operation_type}
              onChange={type => change({ operation_type: type as ServiceDraft['operation_type'] })}
              onBlur={() => leave('operation_type')}
              error={said('operation_type')}
              placeholder={t('choose')}
              required
            />
          </SimpleGrid>
          <IconPicker icon={entry.icon} onPick={icon => change({ icon })} />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" verticalSpacing="sm">
            <Choice
              label={t('service.article_insertion_method')}
              description={t(`insertionHint.${entry.article_insertion_method}`)}
              data={insertionMethods.map(value => ({ value, label: t(`insertion.${value}`) }))}
              value={entry.article_insertion_method}
              onChange={method =>
                change({ article_insertion_method: method as ServiceDraft['article_insertion_method'] })
              }
              required
            />
            <TextInput
              label={t('service.article_number')}
              description={t('serviceHint.article_number')}
              value={entry.article_number}
              onChange={event => change({ article_number: event.currentTarget.value })}
              onBlur={() => leave('article_number')}
              error={said('article_number')}
              inputMode="numeric"
              maxLength={20}
              autoComplete="off"
              required={entry.article_insertion_method !== 'text_line'}
            />
            <Money
              label={t('service.price_excl')}
              description={t('serviceHint.price_excl')}
              value={entry.price_excl}
              onChange={amount => change({ price_excl: amount })}
              onBlur={() => leave('price_excl')}
              error={said('price_excl')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
            <Switch
              label={t('service.preselected')}
              description={t('serviceHint.preselected')}
              checked={entry.preselected}
              onChange={event => change({ preselected: event.currentTarget.checked })}
            />
            <Switch
              label={t('service.blocked')}
              description={t('serviceHint.blocked')}
              checked={entry.blocked}
              onChange={event => change({ blocked: event.currentTarget.checked })}
            />
          </SimpleGrid>
          <Descriptions entry={entry} change={change} said={said} leave={leave} />
        </>
      )}
    </EntryDialog>
  )
}
