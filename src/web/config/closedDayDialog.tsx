/** A closed day of the site's own. */
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { closedDayForm } from '#contract/config.ts'
import { maxClosedDayName } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { DateField } from '../ui/dateField.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import type { EditedSite } from './editing.ts'
import { useEntries } from './entries.tsx'
import { PlannedWarning } from './plannedRecalls.tsx'

type ClosedDayDialogProps = { site: EditedSite; today: IsoDate; opened: boolean; onClose: () => void }

export function ClosedDayDialog({ site, today, ...dialog }: ClosedDayDialogProps) {
  const { t } = useTranslation('config')
  return (
    <FormDialog {...dialog} title={t('closedDays.newDay')} lost={t('dropText')}>
      {controls => <DayFields site={site} today={today} dialog={controls} />}
    </FormDialog>
  )
}

type DayFieldsProps = { site: EditedSite; today: IsoDate; dialog: DialogControls }

function DayFields({ site, today, dialog }: DayFieldsProps) {
  const { t } = useTranslation('config')
  const save = useEntries(site)
  const form = useContractForm({
    initial: { day: null as IsoDate | null, name: '' },
    schema: closedDayForm,
    input: ({ day, name }) => ({ day: day ?? '', holiday: null, name: name.trim() }),
    text: useFieldErrorText(),
    dialog,
  })
  const { day } = form.values
  const isClosed = (other: IsoDate | null) => site.saved.closedDays.some(closed => closed.day === other)
  return (
    <Form
      form={form}
      onSubmit={async closedDay => {
        await save({ closedDays: [closedDay] })
        dialog.close()
      }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <DateField
            {...form.date('day')}
            label={t('closedDays.day')}
            description={isClosed(day) ? t('closedDays.taken') : undefined}
            minDate={today}
            excludeDate={isClosed}
            required
            data-autofocus
          />
          <TextInput {...form.text('name')} label={t('closedDays.name')} maxLength={maxClosedDayName} />
        </SimpleGrid>
        <PlannedWarning site={site} days={day ? [day] : []} />
        <FormActions form={form} dialog={dialog} submit={t('add')} />
      </Stack>
    </Form>
  )
}
