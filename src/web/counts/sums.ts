/** How the sums of a count are told (docs/product/warehouse.md "Counting"). */
import { useTranslation } from '../ui/texts.ts'
import type { CountSummary } from '#contract/counts.ts'
import { accuracyOf, type CountOutcome, differences } from '#domain/warehouse/count.ts'
import { formatDate } from '../shared/format.ts'

type Sums = Readonly<Record<`${CountOutcome}_count`, number>>

/** How many differences a count, or a zone of it, has. */
export const differencesOf = (sums: Sums): number =>
  differences.reduce((sum, outcome) => sum + sums[`${outcome}_count`], 0)

/** The accuracy of a count: the share of wheels that were where the records had them, 0 to 1; `null` where nothing was counted. */
export const shareOf = (sums: Sums): number | null =>
  accuracyOf({ right: sums.found_count, wrong: differencesOf(sums) })

/** The accuracy as people read it; empty where nothing was counted. */
export function useAccuracy(): (sums: Sums) => string {
  const { i18n } = useTranslation()
  return sums => {
    const share = shareOf(sums)
    const style = { style: 'percent', maximumFractionDigits: 1 } as const
    return share === null ? '' : share.toLocaleString(i18n.language, style)
  }
}

/** The name of a count. */
export function useCountName(): (count: Pick<CountSummary, 'place' | 'day'>) => string {
  const { t } = useTranslation('counts')
  return ({ place, day }) => (day === null ? place : t('ofDay', { day: formatDate(day) }))
}
