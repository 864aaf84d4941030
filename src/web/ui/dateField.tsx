import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { typedDate } from './dateText.ts'

/** A field for a day, typed or picked. The calendar opens in its place, so that it lies within its landmark. */
export function DateField(props: Omit<DateInputProps, 'valueFormat' | 'dateParser'>) {
  const { t } = useTranslation('common')
  return (
    <DateInput
      valueFormat="DD/MM/YYYY"
      dateParser={typedDate}
      placeholder={t('dateForm')}
      popoverProps={{ withinPortal: false }}
      leftSection={<IconCalendar size={18} stroke={1.6} aria-hidden />}
      {...props}
    />
  )
}
