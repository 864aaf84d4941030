import { addDays, type IsoDate } from '#domain/texts/date.ts'

type Choice = {
  value: IsoDate | null
  today: IsoDate
  min?: IsoDate | undefined
  max?: IsoDate | undefined
  /** Whether a day can't be chosen. */
  excluded?: ((day: IsoDate) => boolean) | undefined
}

/** How far a day that can be chosen is looked for, in days: longer than any list of closed days. */
const furthest = 400

/** The day whose month a calendar opens on: the chosen one, else the first from today on that can be chosen, else the last one before. */
export function calendarDay({ value, today, min, max, excluded = () => false }: Choice): IsoDate {
  if (value !== null) return value
  const first = min !== undefined && min > today ? min : today
  if (max !== undefined && max < first) return max
  for (let days = 0; days <= furthest; days++) {
    const day = addDays(first, days)
    if (max !== undefined && day > max) break
    if (!excluded(day)) return day
  }
  return first
}
