/** The services of a site (docs/product/operations.md "Services"). */
import { Badge, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { serviceForm } from '#contract/config.ts'
import { insertionMethods } from '#domain/site.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { serviceIcon } from '../operations/serviceIcons.ts'
import { fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { Choice } from '../ui/select.tsx'
import { Descriptions } from './descriptions.tsx'
import type { EditedSite } from './editing.ts'
import { type Entry, type EntryForm, EntryList, useEntries, useRemovalQuestion } from './entries.tsx'
import { Money } from './fields.tsx'
import { IconPicker } from './iconPicker.tsx'
import { newService, type ServiceValues, serviceInput, serviceValues } from './serviceForm.ts'

type Service = Entry<'services'>

export function Services({ site }: { site: EditedSite }) {
  const { t, i18n } = useTranslation('config')
  const typeLabel = useOperationTypeLabel()
  const isSure = useRemovalQuestion('services')
  const edit = useEntries(site, { doing: 'config:removing.services', done: 'config:removed.services' })
  const euros = moneyIn(i18n.language)
  const price = ({ price_excl: amount }: Service) => (amount ? euros.format(amount) : t('noPrice'))
  const type = (service: Service) => typeLabel(service.operation_type)
  return (
    <EntryList
      list="services"
      site={site}
      editor={{
        titleOf: service => (service ? t('editService', { name: service.name }) : t('newService')),
        newValues: newService,
        valuesOf: serviceValues,
        errorsOf: values => fieldErrorsOf(serviceForm, serviceInput(values)),
        inputOf: serviceInput,
        Fields: ServiceFields,
      }}
      header={t('service.name')}
      renderName={service => {
        const Icon = serviceIcon(service)
        return (
          <>
            {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
            <strong>{service.name}</strong>
            {service.preselected && <Badge size="sm">{t('service.preselected')}</Badge>}
            {service.blocked && (
              <Badge size="sm" color="gray" leftSection={<IconLock size={12} aria-hidden />}>
                {t('service.blocked')}
              </Badge>
            )}
          </>
        )
      }}
      columns={[
        { id: 'type', header: t('service.operation_type'), render: type, from: 'xl' },
        { id: 'article', header: t('service.article_number'), render: service => service.article_number, from: 'xl' },
        {
          id: 'insertion',
          header: t('service.article_insertion_method'),
          render: service => t(`insertion.${service.article_insertion_method}`),
          from: 'xl',
        },
        { id: 'price', header: t('service.price_excl'), render: price, align: 'end', from: 'xl' },
      ]}
      summary={service => [
        type(service),
        service.article_number !== null && t('articleNumber', { number: service.article_number }),
        t(`insertion.${service.article_insertion_method}`),
        price(service),
      ]}
      remove={async ({ _id, name }, { leave }) => {
        if (!(await isSure(name))) return
        leave()
        await edit({ removed: { services: [_id] } })
      }}
    />
  )
}

function ServiceFields({ form }: { form: EntryForm<ServiceValues> }) {
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
