import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type ClipboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { numberIn, separatorsOf } from '#domain/number.ts'

type Separator = 'decimalSeparator' | 'thousandSeparator' | 'allowedDecimalSeparators'
type Rest = Omit<NumberInputProps, Separator | 'allowDecimal' | 'decimalScale' | 'onPaste' | 'onPasteCapture'>

type Range = { min: number; max: number; value: number | string }
/** What is wrong with a number that was typed whole, or `null`. An empty field is no wrong number. */
export function wrongNumber({ min, max, value }: Range): 'whole' | 'range' | null {
  if (value === '') return null
  const number = Number(value)
  if (!Number.isInteger(number)) return 'whole'
  return number < min || number > max ? 'range' : null
}

/** The complaint about a whole number that can't be taken, in the language of the page. */
export function useComplaint() {
  const { t } = useTranslation()
  return ({ min, max, value }: Range): string | undefined => {
    const wrong = wrongNumber({ min, max, value })
    return wrong ? t(`number.${wrong}`, { min, max }) : undefined
  }
}

/**
 * What somebody means by a whole number with points: thousands where they part three digits each, else decimals, which are kept as
 * they are. `120.500` is 120500, `12.7` stays.
 */
export function wholeNumberIn(text: string): number | string {
  const whole = numberIn(text, { whole: true })
  if (whole !== null) return whole
  return text === '' || text.endsWith('.') || !Number.isFinite(Number(text)) ? text : Number(text)
}

export type NumberFieldProps = Rest & {
  /** Keeps what can't be taken, a sign and decimals too, for the form to complain of: nothing that was typed changes by itself. */
  keeps?: boolean
  /** How many decimals it has; none for a whole number. */
  decimals?: number
  /** Whether it names something: the number of an article has no thousands. */
  naming?: boolean
  value: number | string
  /** A text is what is on the way to a number: `8.` before 8.25, with a point in every language. */
  onChange: (value: number | string) => void
}

/**
 * A number, written as the language of the page does. A comma and a point are both understood, typed or pasted: a Belgian
 * keyboard has either beside its digits, and a number is copied from a list in another language.
 */
export function NumberField({
  decimals = 0,
  naming = false,
  keeps = false,
  suffix,
  onChange,
  ...props
}: NumberFieldProps) {
  const { i18n } = useTranslation()
  const { decimal, group } = separatorsOf(i18n.language)

  /** Mantine takes a lone point or comma for decimals: pasted kilometres would be a thousandth of themselves. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text').trim()
    if (/^\d*$/.test(text)) return
    const bare = suffix && text.endsWith(suffix.trim()) ? text.slice(0, -suffix.trim().length) : text
    const number = numberIn(bare, { whole: decimals === 0 })
    if (number === null && !/[.,]/.test(bare)) return
    event.preventDefault()
    event.stopPropagation()
    if (number !== null) onChange(decimals === 0 ? number : Number(number.toFixed(decimals)))
    else if (keeps) onChange(wholeNumberIn(bare.replace(',', '.')))
  }

  return (
    <NumberInput
      allowNegative={keeps}
      {...(keeps && { clampBehavior: 'none' })}
      {...props}
      {...(suffix && { suffix })}
      {...(keeps
        ? { onValueChange: ({ value }, { source }) => source === 'event' && onChange(wholeNumberIn(value)) }
        : { onChange })}
      allowDecimal={keeps || decimals > 0}
      {...(decimals > 0 && { decimalScale: decimals })}
      decimalSeparator={decimal}
      {...(decimals === 0 && !naming && { thousandSeparator: group })}
      allowedDecimalSeparators={[',', '.']}
      // what is held has a point, whatever is shown
      valueIsNumericString
      onPasteCapture={paste}
    />
  )
}
