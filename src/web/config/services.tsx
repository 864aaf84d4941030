/** The services of a site (SPEC §3, §5 "Service form"). */
import { Badge, SimpleGrid, Switch, Table, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertionMethods } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyre.ts'
import { Choice } from '../ui/choice.tsx'
import { describedIn } from '../shared/operation/deliveryDays.ts'
import { serviceIcon } from '../shared/serviceIcons.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import classes from './config.module.css'
import { Descriptions } from './descriptions.tsx'
import { amountIn, copyOf, newService, type ServiceDraft, serviceComplaints, withService } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryDialog } from './entryDialog.tsx'
import { Money } from './fields.tsx'
import { IconPicker } from './iconPicker.tsx'
import { EntryActions, EntryState, ListFrame } from './lists.tsx'

export function Services() {
  const { t, i18n } = useTranslation('config')
  const { draft, edit } = useEditing()
  const typeLabel = useOperationTypeLabel()
  const [opened, setOpened] = useState<ServiceDraft | null>(null)
  const euros = new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'EUR' })
  const price = (service: ServiceDraft) => {
    const amount = amountIn(service.price_excl)
    return amount ? euros.format(amount) : t('noPrice')
  }
  return (
    <>
      <ListFrame list="services" onAdd={() => setOpened(newService())}>
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('service.name')}</Table.Th>
              <Table.Th className={classes.wide}>{t('service.operation_type')}</Table.Th>
              <Table.Th className={classes.wide}>{t('service.article_number')}</Table.Th>
              <Table.Th className={classes.wide}>{t('service.article_insertion_method')}</Table.Th>
              <Table.Th className={classes.numberWide}>{t('service.price_excl')}</Table.Th>
              <Table.Th className={classes.actions}>
                <span className="wh-hidden">{t('actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {draft.services.map((service, index) => {
              const Icon = serviceIcon(service)
              const type = service.operation_type && typeLabel(service.operation_type)
              return (
                <Table.Tr key={service.key}>
                  <Table.Td>
                    <span className={classes.nameLine}>
                      {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
                      <strong>{service.name}</strong>
                      {service.preselected && <Badge size="sm">{t('service.preselected')}</Badge>}
                      {service.blocked && (
                        <Badge size="sm" color="gray" leftSection={<IconLock size={12} aria-hidden />}>
                          {t('service.blocked')}
                        </Badge>
                      )}
                      <EntryState list="services" entryKey={service.key} index={index} />
                    </span>
                    <span className={classes.dimmed}>{describedIn(i18n.language, service)}</span>
                    <span className={classes.underneath}>
                      {[
                        type,
                        service.article_number && t('articleNumber', { number: service.article_number }),
                        t(`insertion.${service.article_insertion_method}`),
                        price(service),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </Table.Td>
                  <Table.Td className={classes.wide}>{type}</Table.Td>
                  <Table.Td className={classes.wide}>{service.article_number}</Table.Td>
                  <Table.Td className={classes.wide}>{t(`insertion.${service.article_insertion_method}`)}</Table.Td>
                  <Table.Td className={classes.numberWide}>{price(service)}</Table.Td>
                  <Table.Td className={classes.actions}>
                    <EntryActions
                      list="services"
                      entry={service}
                      onEdit={() => setOpened(service)}
                      onCopy={() => setOpened(copyOf(service))}
                    />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </ListFrame>
      {opened && (
        <ServiceDialog
          key={opened.key}
          service={opened}
          listed={draft.services.some(({ key }) => key === opened.key)}
          onApply={service => {
            edit(now => withService(now, service))
            setOpened(null)
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

type ServiceDialogProps = {
  service: ServiceDraft
  listed: boolean
  onApply: (service: ServiceDraft) => void
  onClose: () => void
}

function ServiceDialog({ service, listed, onApply, onClose }: ServiceDialogProps) {
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
