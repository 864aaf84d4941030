import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type ClipboardEvent } from 'react'
import { useTranslation } from '../texts.ts'
import { numberIn, separatorsOf } from '#domain/texts/number.ts'

type Separator = 'decimalSeparator' | 'thousandSeparator' | 'allowedDecimalSeparators'
type Rest = Omit<NumberInputProps, Separator | 'allowDecimal' | 'decimalScale' | 'onPaste' | 'onPasteCapture'>

type Range = { min: number; max: number; value: number | string }
/** The error of a completely typed number, or `null`. An empty field has none. */
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

type Pasted = { decimals: number; signed: boolean; language: string }
/**
 * The number that was pasted into a field, with its sign where the field has one. `undefined`: the field reads it as it reads keys;
 * `null`: it has separators, but is no number.
 */
export function pastedNumber(text: string, { decimals, signed, language }: Pasted): number | null | undefined {
  const [, sign = '', digits = ''] = /^([-−]?)(.*)$/s.exec(text) ?? []
  if (/^\d*$/.test(text) || (sign !== '' && !signed)) return undefined
  const number = numberIn(digits, { whole: decimals === 0, language })
  if (number === null) return /[.,]/.test(text) ? null : undefined
  return Number((sign === '' ? number : -number).toFixed(decimals))
}

/**
 * Interprets points in a whole number: thousands separators where they split off groups of three digits, else decimals, which are kept as they are.
 * `120.500` is 120500, `12.7` stays.
 */
export function wholeNumberIn(text: string): number | string {
  const whole = numberIn(text, { whole: true, language: 'en' })
  if (whole !== null) return whole
  return text === '' || text.endsWith('.') || !Number.isFinite(Number(text)) ? text : Number(text)
}

export type NumberFieldProps = Rest & {
  /**
   * How many decimals it has. One without keeps what can't be taken, a sign and decimals too, for the form to complain of: nothing that
   * was typed changes by itself.
   */
  decimals?: number
  /** Whether it names something: the number of an article has no thousands. */
  naming?: boolean
  value: number | string
  /** A text is an incomplete number: `8.` before 8.25, with a point in every language. */
  onChange: (value: number | string) => void
}

/**
 * A number, written as the language of the page does. A comma and a point are both understood, typed or pasted: a Belgian
 * keyboard has either beside its digits, and a number is copied from a list in another language.
 */
export function NumberField({ decimals = 0, naming = false, suffix, onChange, ...props }: NumberFieldProps) {
  const { i18n } = useTranslation()
  const keeps = decimals === 0
  const { decimal, group } = separatorsOf(i18n.language)

  /** Mantine takes a lone point or comma for decimals: pasted kilometres would be a thousandth of themselves. */
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text').trim()
    const bare = suffix && text.endsWith(suffix.trim()) ? text.slice(0, -suffix.trim().length).trim() : text
    const number = pastedNumber(bare, {
      decimals,
      signed: keeps || props.allowNegative === true,
      language: i18n.language,
    })
    if (number === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (number !== null) onChange(number)
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
      // the value has a point, whichever separator is shown
      valueIsNumericString
      onPasteCapture={paste}
    />
  )
}
