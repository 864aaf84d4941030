/** A closed day of the site's own. */
import { SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { closedDayForm } from '#contract/hotelconfig.ts'
import { type ClosedDay, maxClosedDayName } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { DateField } from '../ui/dateField.tsx'
import { EntryDialog } from './entryDialog.tsx'

type Entry = { day: IsoDate | null; name: string }
const inputOf = ({ day, name }: Entry) => ({ day: day ?? '', holiday: null, name })

type ClosedDayDialogProps = {
  closed: readonly ClosedDay[]
  today: IsoDate
  onApply: (closed: ClosedDay) => void
  onClose: () => void
}

export function ClosedDayDialog({ closed, today, onApply, onClose }: ClosedDayDialogProps) {
  const { t } = useTranslation('config')
  const isClosed = (day: IsoDate | null) => closed.some(other => other.day === day)
  return (
    <EntryDialog<Entry>
      title={t('closedDays.newDay')}
      entry={{ day: null, name: '' }}
      listed={false}
      errorsOf={entry => fieldErrorsOf(closedDayForm, inputOf(entry))}
      inputOf={inputOf}
      onApply={({ day, name }) => day !== null && onApply({ day, holiday: null, name: name.trim() })}
      onClose={onClose}
    >
      {form => (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <DateField
            {...form.date('day')}
            label={t('closedDays.day')}
            description={isClosed(form.values.day) ? t('closedDays.taken') : undefined}
            minDate={today}
            excludeDate={isClosed}
            required
            data-autofocus
          />
          <TextInput {...form.text('name')} label={t('closedDays.name')} maxLength={maxClosedDayName} />
        </SimpleGrid>
      )}
    </EntryDialog>
  )
}
