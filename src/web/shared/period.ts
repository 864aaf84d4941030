import { useTranslation } from '../ui/texts.ts'
import { type IsoDate, periodProblem } from '#domain/texts/date.ts'

type Days = { from?: IsoDate | null | undefined; to?: IsoDate | null | undefined }

/** The error of a list's period, shown at its last day. `most`: the longest period, in days. */
export function usePeriodComplaint(): (days: Days, most?: number) => string | undefined {
  const { t } = useTranslation(['common', 'failures'])
  return ({ from, to }, most) => {
    const problem = from && to ? periodProblem({ from, to }, most) : null
    if (problem === null) return undefined
    return problem === 'turned' ? t('common:periodTurned') : t('failures:operation.period_too_long', { days: most })
  }
}
