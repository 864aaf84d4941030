import { useTranslation } from '../../ui/texts.ts'
import type { Tyre } from '#contract/wire.ts'
import { treadLookOf } from '#domain/tyres/tread.ts'
import { formatDepth } from '../../shared/format.ts'
import { type Judged, useTreadLimits } from './treadLimits.ts'
import classes from './tread.module.css'

type TreadDepthProps = { tyre: Pick<Tyre, 'profile_depth' | 'season'>; vehicle: Judged; verbose?: boolean }

/**
 * A tyre's depth in the colour of its tread verdict on this vehicle today, with the verdict in words for screen readers. `verbose` shows the words,
 * and the reason.
 */
export function TreadDepth({ tyre, vehicle, verbose = false }: TreadDepthProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { limitsOf, why } = useTreadLimits(vehicle)
  const limits = limitsOf(tyre)
  const tread = treadLookOf(tyre.profile_depth, limits)
  if (tread === null) return <>–</>
  const meaning = t(`fleet:tread.${tread}`)
  const reason = why(limits)
  return (
    <span className={classes.depth} title={verbose ? undefined : `${meaning}. ${reason}`}>
      <span className={classes.badge} data-tread={tread}>
        {t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })}
      </span>
      <span className={verbose ? classes.meaning : 'wh-hidden'}> {verbose ? `${meaning}. ${reason}` : meaning}</span>
    </span>
  )
}
