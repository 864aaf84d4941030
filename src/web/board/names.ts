/** The names of closed days and of size classes on the season board. */
import { useTranslation } from '../ui/texts.ts'
import type { BoardDay, SizeClass } from '#contract/board.ts'
import { labelled } from '../i18n.ts'

/** The public holiday or the name that the site gave the day, else that it is closed; `null` for an open day. */
export function useClosedDayName(): (closed: BoardDay['closed']) => string | null {
  const { t } = useTranslation(['board', 'config'])
  return closed => {
    if (closed === null) return null
    const name = closed.holiday === null ? closed.name : t(`config:holiday.${closed.holiday}`)
    return name === '' ? t('board:closed') : labelled(t('board:closed'), name)
  }
}

/** The tyres that the places of a class take, in words. */
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
