/** One transport method of a site, new or changed. */
import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { weekdayName, weekOrder } from '../shared/weekdays.ts'
import { Descriptions } from './descriptions.tsx'
import { type TransportDraft, transportInput } from './draft.ts'
import { EntryDialog, type EntryForm } from './entryDialog.tsx'
import { transportErrors } from './entryErrors.ts'
import { Boxes } from './fields.tsx'
import { tidyTime } from './time.ts'
import { NumberField } from '../ui/form/numberField.tsx'

type TransportDialogProps = {
  method: TransportDraft
  /** All transport methods of the site. */
  methods: readonly TransportDraft[]
  listed: boolean
  onApply: (method: TransportDraft) => void
  onClose: () => void
}

export function TransportDialog({ method, methods, listed, onApply, onClose }: TransportDialogProps) {
  const { t } = useTranslation('config')
  return (
    <EntryDialog
      title={listed ? t('editTransport', { name: method.name }) : t('newTransport')}
      entry={method}
      listed={listed}
      errorsOf={edited => transportErrors(edited, methods)}
      inputOf={transportInput}
      onApply={edited => onApply({ ...edited, cutoffHour: tidyTime(edited.cutoffHour) })}
      onClose={onClose}
    >
      {form => <TransportFields form={form} />}
    </EntryDialog>
  )
}

function TransportFields({ form }: { form: EntryForm<TransportDraft> }) {
  const { t, i18n } = useTranslation('config')
  const { cutoffHour, operationDays } = form.values
  const count = (field: 'advanceDays' | 'operationsPerDay' | 'tyresPerDay') => ({
    ...form.number(field),
    label: t(`transport.${field}`),
    description: t(`transportHint.${field}`),
    required: true,
  })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput {...form.text('name')} label={t('transport.name')} maxLength={60} required data-autofocus />
        <TextInput {...form.text('code')} label={t('transport.code')} maxLength={20} spellCheck={false} required />
      </SimpleGrid>
      <Boxes
        label={t('transport.operationDays')}
        error={form.error('operationDays') && t('transportHint.noDays')}
        options={weekOrder.map(day => ({ value: day, label: weekdayName(day, i18n.language) }))}
        chosen={operationDays}
        required
        onChange={days => form.set({ operationDays: days.toSorted() })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="md" verticalSpacing="sm">
        <TextInput
          {...form.text('cutoffHour')}
          label={t('transport.cutoffHour')}
          description={t('transportHint.cutoffHour')}
          onBlur={() => {
            form.set({ cutoffHour: tidyTime(cutoffHour) })
            form.leave('cutoffHour')
          }}
          placeholder="16:00"
          maxLength={8}
        />
        <NumberField {...count('advanceDays')} max={180} />
        <NumberField {...count('operationsPerDay')} />
        <NumberField {...count('tyresPerDay')} />
      </SimpleGrid>
      <Switch {...form.flag('default')} label={t('transport.isDefault')} description={t('transportHint.default')} />
      <Descriptions form={form} />
    </>
  )
}
