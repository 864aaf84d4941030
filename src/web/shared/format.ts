/** How dates, moments and depths are written on screens. */
import * as date from '#domain/date.ts'

/** A day as DD/MM/YYYY; nothing for no day. */
export const formatDate = (day: date.IsoDate | null | undefined): string => (day ? date.formatDate(day) : '')

/** A moment as DD/MM/YYYY HH:mm:ss on the clock of the site (`useSite().time_zone`); nothing for no moment. */
export const formatMoment = (moment: string | null | undefined, timeZone: string): string =>
  moment ? date.formatMoment(moment, timeZone) : ''

/** A tread depth with one or two decimals, in the language of the page (`i18n.language`); nothing for none. */
export function formatDepth(depth: number | null | undefined, language: string): string {
  if (depth === null || depth === undefined) return ''
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 }).format(depth)
}
