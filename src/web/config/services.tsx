/** The services of a site (docs/product.md "Services"). */
import { Badge, Table } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describedIn } from '../shared/operation/deliveryDays.ts'
import { serviceIcon } from '../shared/serviceIcons.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import classes from './config.module.css'
import { amountIn, copyOf, newService, type ServiceDraft, withService } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryActions, EntryState, ListFrame } from './lists.tsx'
import { ServiceDialog } from './serviceDialog.tsx'

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
