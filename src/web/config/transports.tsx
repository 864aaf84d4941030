/** The transport methods of a site (docs/product.md "Transport methods"). */
import { Badge, Table } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describedIn } from '../shared/operation/deliveryDays.ts'
import { weekdaysText } from '../shared/weekdays.ts'
import classes from './config.module.css'
import { copyOf, newTransport, numberIn, type TransportDraft, withTransport } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryActions, EntryState, ListFrame } from './lists.tsx'
import { TransportDialog } from './transportDialog.tsx'

export function Transports() {
  const { t, i18n } = useTranslation('config')
  const { draft, edit } = useEditing()
  const [opened, setOpened] = useState<TransportDraft | null>(null)
  const methods = draft.transportMethods
  const limit = (most: TransportDraft['tyresPerDay']) => numberIn(most) || t('noLimit')
  return (
    <>
      <ListFrame list="transportMethods" onAdd={() => setOpened(newTransport(methods.length === 0))}>
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('transport.name')}</Table.Th>
              <Table.Th className={classes.wide}>{t('transport.operationDays')}</Table.Th>
              <Table.Th className={classes.wide}>{t('transport.cutoffHour')}</Table.Th>
              <Table.Th className={classes.numberWide}>{t('transport.advanceDays')}</Table.Th>
              <Table.Th className={classes.numberWide}>{t('transport.operationsPerDay')}</Table.Th>
              <Table.Th className={classes.numberWide}>{t('transport.tyresPerDay')}</Table.Th>
              <Table.Th className={classes.actions}>
                <span className="wh-hidden">{t('actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {methods.map((method, index) => {
              const days = weekdaysText(method.operationDays, i18n.language) || t('noDays')
              return (
                <Table.Tr key={method.key}>
                  <Table.Td>
                    <span className={classes.nameLine}>
                      <strong>{method.name}</strong>
                      <code>{method.code}</code>
                      {method.default && <Badge size="sm">{t('transport.default')}</Badge>}
                      <EntryState list="transportMethods" entryKey={method.key} index={index} />
                    </span>
                    <span className={classes.dimmed}>{describedIn(i18n.language, method)}</span>
                    <span className={classes.underneath}>
                      {[
                        days,
                        method.cutoffHour && t('cutoffAt', { time: method.cutoffHour }),
                        t('daysAhead', { count: numberIn(method.advanceDays) ?? 0 }),
                        t('operationsADay', { limit: limit(method.operationsPerDay) }),
                        t('tyresADay', { limit: limit(method.tyresPerDay) }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </Table.Td>
                  <Table.Td className={classes.wide}>{days}</Table.Td>
                  <Table.Td className={classes.wide}>{method.cutoffHour || t('allDay')}</Table.Td>
                  <Table.Td className={classes.numberWide}>{method.advanceDays}</Table.Td>
                  <Table.Td className={classes.numberWide}>{limit(method.operationsPerDay)}</Table.Td>
                  <Table.Td className={classes.numberWide}>{limit(method.tyresPerDay)}</Table.Td>
                  <Table.Td className={classes.actions}>
                    <EntryActions
                      list="transportMethods"
                      entry={method}
                      onEdit={() => setOpened(method)}
                      onCopy={() => setOpened(copyOf(method))}
                    />
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </ListFrame>
      {opened && (
        <TransportDialog
          key={opened.key}
          method={opened}
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
