/** The transport methods of a site (SPEC §3, §5 "Transport method form"). */
import { Badge, NumberInput, SimpleGrid, Switch, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describedIn } from '../shared/operation/deliveryDays.ts'
import { weekdayName, weekdaysText, weekOrder } from '../shared/weekdays.ts'
import classes from './config.module.css'
import { Descriptions } from './descriptions.tsx'
import { copyOf, newTransport, numberIn, type TransportDraft, transportComplaints, withTransport } from './draft.ts'
import { useEditing } from './editing.ts'
import { EntryDialog } from './entryDialog.tsx'
import { Boxes } from './fields.tsx'
import { EntryActions, EntryState, ListFrame } from './lists.tsx'
import { typedTime } from './time.ts'

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

type TransportDialogProps = {
  method: TransportDraft
  listed: boolean
  onApply: (method: TransportDraft) => void
  onClose: () => void
}

function TransportDialog({ method, listed, onApply, onClose }: TransportDialogProps) {
  const { t, i18n } = useTranslation('config')
  return (
    <EntryDialog
      title={listed ? t('editTransport', { name: method.name }) : t('newTransport')}
      entry={method}
      listed={listed}
      complaintsOf={transportComplaints}
      onApply={onApply}
      onClose={onClose}
    >
      {({ entry, change, said, leave }) => {
        const count = (field: 'advanceDays' | 'operationsPerDay' | 'tyresPerDay') => ({
          label: t(`transport.${field}`),
          description: t(`transportHint.${field}`),
          value: entry[field],
          onChange: (value: number | string) => change({ [field]: value }),
          onBlur: () => leave(field),
          error: said(field),
          allowDecimal: false,
          allowNegative: false,
          clampBehavior: 'none' as const,
          required: true,
        })
        return (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
              <TextInput
                label={t('transport.name')}
                value={entry.name}
                onChange={event => change({ name: event.currentTarget.value })}
                onBlur={() => leave('name')}
                error={said('name')}
                maxLength={60}
                autoComplete="off"
                required
                data-autofocus
              />
              <TextInput
                label={t('transport.code')}
                value={entry.code}
                onChange={event => change({ code: event.currentTarget.value })}
                onBlur={() => leave('code')}
                error={said('code')}
                maxLength={20}
                autoComplete="off"
                spellCheck={false}
                required
              />
            </SimpleGrid>
            <Boxes
              label={t('transport.operationDays')}
              description={entry.operationDays.length === 0 ? t('transportHint.noDays') : undefined}
              options={weekOrder.map(day => ({ value: day, label: weekdayName(day, i18n.language) }))}
              chosen={entry.operationDays}
              onChange={days => change({ operationDays: days.toSorted() })}
            />
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="md" verticalSpacing="sm">
              <TextInput
                label={t('transport.cutoffHour')}
                description={t('transportHint.cutoffHour')}
                value={entry.cutoffHour}
                onChange={event => change({ cutoffHour: event.currentTarget.value })}
                onBlur={() => {
                  change({ cutoffHour: typedTime(entry.cutoffHour) ?? entry.cutoffHour.trim() })
                  leave('cutoffHour')
                }}
                error={said('cutoffHour')}
                placeholder="16:00"
                maxLength={8}
                autoComplete="off"
              />
              <NumberInput {...count('advanceDays')} max={180} />
              <NumberInput {...count('operationsPerDay')} />
              <NumberInput {...count('tyresPerDay')} />
            </SimpleGrid>
            <Switch
              label={t('transport.isDefault')}
              description={t('transportHint.default')}
              checked={entry.default}
              onChange={event => change({ default: event.currentTarget.checked })}
            />
            <Descriptions entry={entry} change={change} said={said} leave={leave} />
          </>
        )
      }}
    </EntryDialog>
  )
}
