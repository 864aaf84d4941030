import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { IsoDate } from '#domain/date.ts'
import { formatDate } from './format.ts'

/** How a day is written with its weekday: `Thu 26/11/2026`. */
export function useDayName(): (day: IsoDate) => string {
  const { language } = useTranslation().i18n
  return useCallback(
    day => {
      const weekdays = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
      return `${weekdays.format(new Date(`${day}T00:00:00Z`))} ${formatDate(day)}`
    },
    [language],
  )
}
