import { Drawer, Text } from '@mantine/core'
import { DateInput, type DateInputProps, DatePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from './texts.ts'
import { formatDate, type IsoDate, today } from '#domain/texts/date.ts'
import { calendarDay } from './calendarDay.ts'
import './dateField.css'
import { typedDate, wrongDate } from './dateText.ts'
import { usePhone } from './usePhone.ts'

type DateFieldProps = Omit<
  DateInputProps,
  | 'valueFormat'
  | 'dateParser'
  | 'fixOnBlur'
  | 'minDate'
  | 'maxDate'
  | 'onInput'
  | 'value'
  | 'onChange'
  | 'popoverProps'
  | 'date'
  | 'defaultDate'
  | 'onDateChange'
> & {
  value: string | null
  onChange: (day: string | null) => void
  minDate?: IsoDate | undefined
  maxDate?: IsoDate | undefined
}

/** How far the calendar stays away from what belongs to its field, in pixels. */
const gap = 6

type Placed = { placement: string; elements: { reference: unknown } }
/** How far from its input the calendar lies, so that it covers neither the label above nor the complaint below. */
function besideField({ placement, elements: { reference } }: Placed): number {
  if (!(reference instanceof Element)) return gap
  const input = reference.getBoundingClientRect()
  const parts = [...(reference.closest('.mantine-InputWrapper-root')?.children ?? [])]
    .filter(part => !part.matches('[data-dates-dropdown]'))
    .map(part => part.getBoundingClientRect())
  return placement.startsWith('top')
    ? input.top - Math.min(input.top, ...parts.map(({ top }) => top)) + gap
    : Math.max(input.bottom, ...parts.map(({ bottom }) => bottom)) - input.bottom + gap
}
// floating-ui takes a function, which Mantine hands on and does not declare
const offset = besideField as unknown as number

/**
 * A field for a day, typed or picked. Its calendar opens on the month of the chosen day, else of the first one on offer, and covers neither its label nor
 * its error; it stays within its landmark or dialog, and Escape closes it before the dialog. On a phone, where it would cover the field or the buttons, it
 * is a sheet with the name of the field. Text that is no day, or none on offer, stays with an error, and no form is sent with it (`data-wrong`): the
 * value is still the previous day.
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
  const phone = usePhone()
  const [opened, setOpened] = useState(false)
  const [month, setMonth] = useState<string | null>(null)
  const { complaint, isWrong, ...typing } = useTyped({ minDate, maxDate, value, clearable: props.clearable === true })
  const calendar = {
    ...(minDate !== undefined && { minDate }),
    ...(maxDate !== undefined && { maxDate }),
    date: month ?? calendarDay({ value, today: dayHere(), min: minDate, max: maxDate, excluded: props.excludeDate }),
    onDateChange: setMonth,
  }
  function show(now: boolean) {
    setMonth(null)
    setOpened(now)
  }
  function pick(day: string | null) {
    typing.forget()
    onChange(day)
  }
  return (
    <>
      <DateInput
        valueFormat="DD/MM/YYYY"
        dateParser={typedDate}
        placeholder={t('dateForm')}
        popoverProps={{
          withinPortal: false,
          offset,
          ...(phone ? { opened: false } : { onOpen: () => show(true), onClose: () => show(false) }),
        }}
        leftSection={<IconCalendar size={18} stroke={1.6} aria-hidden />}
        {...props}
        {...calendar}
        value={value}
        onInput={(event: FormEvent<HTMLInputElement>) => typing.type(event.currentTarget.value)}
        onClick={event => {
          if (phone) show(true)
          onClick?.(event)
        }}
        onChange={pick}
        onBlur={event => {
          typing.leave()
          onBlur?.(event)
        }}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === 'Enter') typing.leave()
          onKeyDown?.(event)
        }}
        fixOnBlur={!isWrong}
        error={complaint || error}
        {...(isWrong && { 'data-wrong': true })}
        {...(opened && { 'data-mantine-stop-propagation': true })}
        // a tap opens the sheet, and the keys of the screen would come over it
        {...(phone && { inputMode: 'none' })}
      />
      {phone && (
        <Sheet {...props} opened={opened} close={() => show(false)}>
          <DatePicker
            {...calendar}
            {...(props.excludeDate && { excludeDate: props.excludeDate })}
            hideOutsideDates={props.hideOutsideDates === true}
            allowDeselect={props.clearable === true}
            value={value}
            onChange={day => {
              pick(day)
              show(false)
            }}
            size="md"
            className="wh-date-sheet-calendar"
          />
        </Sheet>
      )}
    </>
  )
}

/** The day of this device: only the month of a calendar is chosen by it. */
const dayHere = () => today({ now: new Date(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })

type TypedProps = Pick<DateFieldProps, 'minDate' | 'maxDate' | 'value'> & { clearable: boolean }

/** The typed text of the field, until it is a day or another one is picked, and its fault once the field was left. */
function useTyped({ minDate, maxDate, value, clearable }: TypedProps) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const [shown, setShown] = useState(value)
  // another day was given or picked
  if (shown !== value) {
    setShown(value)
    setTyped(null)
  }
  const range = { ...(minDate !== undefined && { min: minDate }), ...(maxDate !== undefined && { max: maxDate }) }
  const wrong = typed === null || (typed.trim() === '' && clearable) ? null : wrongDate(typed, range)
  return {
    isWrong: wrong !== null,
    complaint:
      wrong !== null &&
      left &&
      t(`date.${wrong}`, { first: minDate && formatDate(minDate), last: maxDate && formatDate(maxDate) }),
    type: setTyped,
    leave: () => setLeft(true),
    forget: () => setTyped(null),
  }
}

type SheetProps = Pick<DateFieldProps, 'label' | 'description'> & {
  opened: boolean
  close: () => void
  children: ReactNode
}

/** The calendar of a phone, under the name of its field. */
function Sheet({ label, description, opened, close, children }: SheetProps) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="bottom"
      size="auto"
      title={label}
      classNames={{ content: 'wh-date-sheet' }}
      // Escape closes this sheet, and not the dialog beneath it
      closeOnEscape={false}
      onKeyDown={event => event.key === 'Escape' && close()}
      onFocusCapture={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
    >
      {description && (
        <Text size="sm" c="dimmed" mb="xs">
          {description}
        </Text>
      )}
      {children}
    </Drawer>
  )
}
