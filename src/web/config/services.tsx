/** The services of a site (docs/product/operations.md "Services"). */
import { Badge } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { serviceIcon } from '../operations/serviceIcons.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { amountIn, copyOf, newService, type ServiceDraft, withService } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryTable } from './entryTable.tsx'
import { ServiceDialog } from './serviceDialog.tsx'

export function Services() {
  const { t, i18n } = useTranslation('config')
  const { draft, edit } = useEditing()
  const typeLabel = useOperationTypeLabel()
  const [opened, setOpened] = useState<ServiceDraft | null>(null)
  const euros = moneyIn(i18n.language)
  const price = (service: ServiceDraft) => {
    const amount = amountIn(service.price_excl)
    return amount ? euros.format(amount) : t('noPrice')
  }
  const type = ({ operation_type }: ServiceDraft) => operation_type && typeLabel(operation_type)
  return (
    <>
      <EntryTable
        list="services"
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
          {
            id: 'article',
            header: t('service.article_number'),
            render: service => service.article_number,
            from: 'xl',
          },
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
          service.article_number !== '' && t('articleNumber', { number: service.article_number }),
          t(`insertion.${service.article_insertion_method}`),
          price(service),
        ]}
        onAdd={() => setOpened(newService())}
        onEdit={setOpened}
        onCopy={service => setOpened(copyOf(service))}
      />
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
