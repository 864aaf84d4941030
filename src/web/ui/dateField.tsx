import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from './texts.ts'
import { formatDate, type IsoDate } from '#domain/date.ts'
import './dateField.css'
import { typedDate, wrongDate } from './dateText.ts'
import { usePhone } from './usePhone.ts'

type DateFieldProps = Omit<
  DateInputProps,
  'valueFormat' | 'dateParser' | 'fixOnBlur' | 'minDate' | 'maxDate' | 'onInput' | 'value' | 'popoverProps'
> & { value: string | null; minDate?: IsoDate | undefined; maxDate?: IsoDate | undefined }

/**
 * A field for a day, typed or picked. The calendar opens in its place, so that it stays within its landmark or dialog, and Escape closes it before
 * the dialog. Text that is no day, or none on offer, stays with an error, and no form is sent with it (`data-wrong`): the value is still the
 * previous day. On a phone typing closes the calendar, which would cover the buttons below.
 */
export function DateField({
  minDate,
  maxDate,
  value,
  onChange,
  onBlur,
  onKeyDown,
  onClick,
  error,
  ...props
}: DateFieldProps) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const phone = usePhone()
  const [typing, setTyping] = useState(false)
  const [opened, setOpened] = useState(false)
  const [shown, setShown] = useState(value)
  // another day was given or picked
  if (shown !== value) {
    setShown(value)
    setTyped(null)
  }
  const range = { ...(minDate !== undefined && { min: minDate }), ...(maxDate !== undefined && { max: maxDate }) }
  const wrong = typed === null || (typed.trim() === '' && props.clearable) ? null : wrongDate(typed, range)
  const complaint =
    wrong && left && t(`date.${wrong}`, { first: minDate && formatDate(minDate), last: maxDate && formatDate(maxDate) })
  return (
    <DateInput
      valueFormat="DD/MM/YYYY"
      dateParser={typedDate}
      placeholder={t('dateForm')}
      popoverProps={{
        withinPortal: false,
        onOpen: () => setOpened(true),
        onClose: () => setOpened(false),
        ...(phone && typing && { opened: false }),
      }}
      leftSection={<IconCalendar size={18} stroke={1.6} aria-hidden />}
      {...props}
      {...(minDate !== undefined && { minDate })}
      {...(maxDate !== undefined && { maxDate })}
      value={value}
      onInput={(event: FormEvent<HTMLInputElement>) => {
        setTyped(event.currentTarget.value)
        setTyping(true)
      }}
      onClick={event => {
        setTyping(false)
        onClick?.(event)
      }}
      onChange={day => {
        setTyped(null)
        onChange?.(day)
      }}
      onBlur={event => {
        setLeft(true)
        setTyping(false)
        onBlur?.(event)
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') setLeft(true)
        onKeyDown?.(event)
      }}
      fixOnBlur={wrong === null}
      error={complaint || error}
      {...(wrong && { 'data-wrong': true })}
      {...(opened && { 'data-mantine-stop-propagation': true })}
    />
  )
}
