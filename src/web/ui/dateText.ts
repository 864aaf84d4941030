import { type IsoDate, isIsoDate } from '#domain/texts/date.ts'

/**
 * The day that a person has typed, day before month as it is shown: `4/12/2026`, `04-12-2026`, `04 12 2026`,
 * `04.12.2026`, `04122026`. `null` while it is not a whole day: the year needs its four digits, so that half a year is not
 * taken for one.
 */
export function typedDate(text: string): IsoDate | null {
  const parts = /^\s*(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2})(\d{4})\s*$/.exec(text)
  if (!parts) return null
  const [, day = '', month = '', year = ''] = parts
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isIsoDate(date) ? date : null
}

/** Why a typed text is no day that can be chosen: it is no day, or too early or too late. `null` for one that can. */
export function wrongDate(
  text: string,
  { min, max }: { min?: IsoDate; max?: IsoDate },
): 'none' | 'early' | 'late' | null {
  const day = typedDate(text)
  if (day === null) return 'none'
  if (min !== undefined && day < min) return 'early'
  return max !== undefined && day > max ? 'late' : null
}
