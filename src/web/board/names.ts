/** How the season board writes days, and why the site is closed on one. */
import { useTranslation } from 'react-i18next'
import type { BoardDay, SizeClass } from '#contract/board.ts'
import type { IsoDate } from '#domain/date.ts'
import { formatDate } from '../shared/format.ts'

/** A day with its weekday: `Thu 26/11/2026`. */
export function useDayName(): (day: IsoDate) => string {
  const { i18n } = useTranslation()
  const weekdays = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return day => `${weekdays.format(new Date(`${day}T00:00:00Z`))} ${formatDate(day)}`
}

/** The public holiday or the name that the site gave the day, else that it is closed; `null` for an open day. */
export function useClosedDayName(): (closed: BoardDay['closed']) => string | null {
  const { t } = useTranslation(['board', 'config'])
  return closed => {
    if (closed === null) return null
    const name = closed.holiday === null ? closed.name : t(`config:holiday.${closed.holiday}`)
    return name === '' ? t('board:closed') : `${t('board:closed')}: ${name}`
  }
}

/** What the places of a class take, in words. */
export function useClassName(): (one: SizeClass) => string {
  const { t } = useTranslation('board')
  return ({ diameter, width, weight, takes }) =>
    [
      diameter !== null && t('upToDiameter', { mm: diameter }),
      width !== null && t('upToWidth', { mm: width }),
      weight !== null && t('upToWeight', { kg: weight }),
      takes !== null && t(`takes.${takes}`),
    ]
      .filter(part => part !== false)
      .join(', ') || t('classAll')
}
