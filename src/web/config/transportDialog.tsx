/** One transport method of a site, new or changed. */
import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { weekdayName, weekOrder } from '../shared/weekdays.ts'
import { Descriptions } from './descriptions.tsx'
import { type TransportDraft, transportComplaints } from './draft.ts'
import { EntryDialog } from './entryDialog.tsx'
import { Boxes } from './fields.tsx'
import { typedTime } from './time.ts'

type TransportDialogProps = {
  method: TransportDraft
  listed: boolean
  onApply: (method: TransportDraft) => void
  onClose: () => void
}

export function TransportDialog({ method, listed, onApply, onClose }: TransportDialogProps) {
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
