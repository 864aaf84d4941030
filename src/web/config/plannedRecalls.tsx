/** The open operations that are planned on days of the site. */
import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { useAnswer } from '../shared/api.ts'
import { type EditedSite, siteOf } from './editing.ts'

/** How many open recalls and storages are planned on each of these days. */
export function usePlannedRecalls(site: EditedSite, days: readonly IsoDate[]): (day: IsoDate) => number {
  const { data = [] } = useAnswer(
    calls.plannedrecalls,
    { ...siteOf(site), days: [...days] },
    { enabled: days.length > 0, staleTime: 0, muted: true, keep: true },
  )
  return day => data.find(planned => planned.day === day)?.recall_count ?? 0
}

/** Says how many of them a day has that is going to be closed. */
export function PlannedWarning({ site, days }: { site: EditedSite; days: readonly IsoDate[] }) {
  const { t } = useTranslation('config')
  const recallsOn = usePlannedRecalls(site, days)
  const count = days.reduce((sum, day) => sum + recallsOn(day), 0)
  return (
    <div role="status">
      {count > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {t('closedDays.warning', { count })}
        </Alert>
      )}
    </div>
  )
}
