import { useTranslation } from '../../ui/texts.ts'
import type { TreadLimits } from '#domain/tyres/tread.ts'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { heightOf, pointsOf, type Reading } from './readings.ts'
import classes from './tread.module.css'

const sizes = { small: { width: 72, height: 20 }, large: { width: 260, height: 72 } } as const
/** Room around it, so that no point is cut off. */
const margin = 4

type DepthCurveProps = {
  readings: readonly Reading[]
  limits: Pick<TreadLimits, 'legal' | 'wanted'>
  size?: keyof typeof sizes
}

/**
 * How the depth of a tyre went down, with the legal limit and the one that is wanted as dashed lines; for a screen reader
 * as a list in words.
 */
export function DepthCurve({ readings, limits, size = 'small' }: DepthCurveProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { width, height } = sizes[size]
  const points = pointsOf(readings, { width, height })
  const limit = heightOf(limits.legal, height)
  const advised = heightOf(limits.wanted, height)
  const texts = readings.map(({ date, depth }) =>
    t('fleet:reading', { depth: formatDepth(depth, i18n.language), date: formatDate(date) }),
  )
  const label = t('fleet:readings', { readings: texts.join(', ') })
  return (
    <svg
      viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
      width={width + 2 * margin}
      height={height + 2 * margin}
      className={classes.curve}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line x1={0} x2={width} y1={limit} y2={limit} className={classes.limit} />
      <line x1={0} x2={width} y1={advised} y2={advised} className={classes.limit} data-advised />
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
      {points.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={size === 'small' ? 1.6 : 3} className={classes.point} />
      ))}
    </svg>
  )
}
