/** Weekdays as people write them. Sunday is 0, Saturday 6. */
import { type IsoDate, weekday } from '#domain/texts/date.ts'
import { formatDate } from './format.ts'

/** In the order of a week: all four languages begin it on Monday here, as the calendars of the portal do. */
export const weekOrder = [1, 2, 3, 4, 5, 6, 0] as const

/** The name of a weekday in a language. */
export function weekdayName(day: number, language: string, length: 'long' | 'short' = 'long'): string {
  // The first of January 2023 was a Sunday.
  const date = new Date(Date.UTC(2023, 0, 1 + day))
  return formatOf(language, length).format(date)
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Made once: lists name the weekday of each day, and making a format takes much longer than using it. */
function formatOf(language: string, length: 'long' | 'short'): Intl.DateTimeFormat {
  const key = `${language} ${length}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' })
  formats.set(key, format)
  return format
}

/** A day with its weekday: `Thursday 26/11/2026`, or in short `Thu 26/11/2026`. */
export const dayName = (day: IsoDate, language: string, length: 'long' | 'short' = 'long'): string =>
  `${weekdayName(weekday(day), language, length)} ${formatDate(day)}`

/** Some weekdays in few words, in the order of a week: three and more in a row as `Mon – Fri`. */
export function weekdaysText(days: readonly number[], language: string): string {
  const runs: number[][] = []
  for (const [place, day] of weekOrder.entries()) {
    if (!days.includes(day)) continue
    const run = runs.at(-1)
    if (run && run.at(-1) === place - 1) run.push(place)
    else runs.push([place])
  }
  const name = (place: number | undefined) => weekdayName(weekOrder[place ?? 0] ?? 0, language, 'short')
  return runs.flatMap(run => (run.length > 2 ? [`${name(run[0])} – ${name(run.at(-1))}`] : run.map(name))).join(', ')
}
