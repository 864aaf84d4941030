/** The transport methods of a site (docs/product/operations.md "Transport methods"). */
import { Badge, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { labelled } from '../i18n.ts'
import { weekdaysText } from '../shared/weekdays.ts'
import { copyOf, newTransport, numberIn, type TransportDraft, withTransport } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryTable } from './entryTable.tsx'
import { TransportDialog } from './transportDialog.tsx'
import { askRemoval } from './transportRemoval.tsx'

export function Transports() {
  const { t, i18n } = useTranslation('config')
  const { base, before, draft, edit, remove } = useEditing()
  const [opened, setOpened] = useState<TransportDraft | null>(null)
  const methods = draft.transportMethods
  async function askAndRemove(method: TransportDraft): Promise<boolean> {
    const answer = await askRemoval(method, { id: base._id, methods: before.transportMethods })
    if (answer.remove) return remove('transportMethods', method.key, answer.by)
    if (answer.add) setOpened(newTransport(false))
    return false
  }
  const limit = (most: TransportDraft['tyresPerDay']) => {
    const number = numberIn(most)
    return number ? formatNumber(number, i18n.language) : t('noLimit')
  }
  const days = ({ operationDays }: TransportDraft) => weekdaysText(operationDays, i18n.language) || t('noDays')
  return (
    <>
      <EntryTable
        list="transportMethods"
        header={t('transport.name')}
        renderName={method => (
          <>
            <strong>{method.name}</strong>
            <code>{method.code}</code>
            {method.default && <Badge size="sm">{t('transport.default')}</Badge>}
          </>
        )}
        columns={[
          {
            id: 'days',
            header: t('transport.operationDays'),
            render: method => (
              <>
                {days(method)}
                <Text size="xs" c="dimmed">
                  {labelled(t('transport.cutoffHour'), method.cutoffHour || t('allDay'))}
                </Text>
              </>
            ),
            from: 'xl',
          },
          {
            id: 'advance',
            header: t('transport.advanceDays'),
            render: method => method.advanceDays,
            from: 'xl',
          },
          {
            id: 'operations',
            header: t('transport.operationsPerDay'),
            render: method => limit(method.operationsPerDay),
            align: 'end',
            from: 'xl',
          },
          {
            id: 'tyres',
            header: t('transport.tyresPerDay'),
            render: method => limit(method.tyresPerDay),
            align: 'end',
            from: 'xl',
          },
        ]}
        summary={method => [
          days(method),
          method.cutoffHour !== '' && t('cutoffAt', { time: method.cutoffHour }),
          t('daysAhead', { count: numberIn(method.advanceDays) ?? 0 }),
          t('operationsADay', { limit: limit(method.operationsPerDay) }),
          t('tyresADay', { limit: limit(method.tyresPerDay) }),
        ]}
        onAdd={() => setOpened(newTransport(methods.length === 0))}
        onEdit={setOpened}
        onCopy={method => setOpened(copyOf(method))}
        onRemove={askAndRemove}
      />
      {opened && (
        <TransportDialog
          key={opened.key}
          method={opened}
          methods={methods}
          listed={methods.some(({ key }) => key === opened.key)}
          onApply={method => {
            edit(now => withTransport(now, method))
            setOpened(null)
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
