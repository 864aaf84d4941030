/** How dates, moments, depths, amounts and locations are written on screens. */
import * as date from '#domain/texts/date.ts'
import { numberFormat } from '#domain/texts/number.ts'

/** A day as DD/MM/YYYY; nothing for no day. */
export const formatDate = (day: date.IsoDate | null | undefined): string => (day ? date.formatDate(day) : '')

/** A moment as DD/MM/YYYY HH:mm:ss on the clock of the site (`useSite().time_zone`); nothing for no moment. */
export const formatMoment = (moment: string | null | undefined, timeZone: string): string =>
  moment ? date.formatMoment(moment, timeZone) : ''

/** The same without its seconds, as DD/MM/YYYY HH:mm. */
export const formatMinute = (moment: string | null | undefined, timeZone: string): string =>
  formatMoment(moment, timeZone).slice(0, 16)

/** The time zone of this device, for moments that belong to no site. Read on demand: the first call takes tens of milliseconds. */
export const deviceTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A tread depth with one or two decimals, in the language of the page (`i18n.language`); nothing for none. */
export function formatDepth(depth: number | null | undefined, language: string): string {
  if (depth === null || depth === undefined) return ''
  return numberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 2 }).format(depth)
}

/** The name of a location: its rack, or where it has none that of the site of the warehouse. */
export const locationName = (location: { readonly stock_rack: string; readonly stock_site_name: string }): string =>
  location.stock_rack || location.stock_site_name

/** Locations as choices of a select; with their hall where there are several, as halls name their racks alike. */
export function locationChoices(
  locations: readonly { readonly _id: number; readonly stock_rack: string; readonly stock_site_name: string }[],
): { value: string; label: string }[] {
  const severalHalls = new Set(locations.map(location => location.stock_site_name)).size > 1
  return locations.map(location => ({
    value: String(location._id),
    label:
      severalHalls && location.stock_rack
        ? `${location.stock_rack} · ${location.stock_site_name}`
        : locationName(location),
  }))
}
