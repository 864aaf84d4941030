import { useTranslation } from '../../ui/texts.ts'
import type { TreadLimits } from '#domain/tyres/tread.ts'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { heightOf, pointsOf, type Reading } from './readings.ts'
import classes from './tread.module.css'

const sizes = { small: { width: 72, height: 20 }, large: { width: 260, height: 96 } } as const
/** Room around it, so that no point is cut off. */
const margin = 4
const noMarks = { left: margin, right: margin, below: margin }
/** For what stands beside the large one: depths at both ends, names of limits, days below. */
const roomForMarks = { left: 34, right: 116, below: 18 }
/** So far apart, in px, two marks above each other can be read. */
const lineHeight = 13

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
  const { left, right, below } = size === 'large' ? roomForMarks : noMarks
  const points = pointsOf(readings, { width, height })
  const limit = heightOf(limits.legal, height)
  const advised = heightOf(limits.wanted, height)
  const texts = readings.map(({ date, depth }) =>
    t('fleet:reading', { depth: formatDepth(depth, i18n.language), date: formatDate(date) }),
  )
  const label = t('fleet:readings', { readings: texts.join(', ') })
  return (
    <svg
      viewBox={`${-left} ${-margin} ${width + left + right} ${height + margin + below}`}
      width={width + left + right}
      height={height + margin + below}
      className={classes.curve}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line x1={0} x2={width} y1={limit} y2={limit} className={classes.limit} />
      <line x1={0} x2={width} y1={advised} y2={advised} className={classes.limit} data-advised />
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
      {size === 'large' && <Marks readings={readings} points={points} limits={limits} width={width} height={height} />}
      {points.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={size === 'small' ? 1.6 : 3} className={classes.point} />
      ))}
    </svg>
  )
}

type MarksProps = {
  readings: readonly Reading[]
  points: readonly { readonly x: number; readonly y: number }[]
  limits: DepthCurveProps['limits']
  width: number
  height: number
}

/** The first and the last depth, the names of the limits at their lines, and the days below. */
function Marks({ readings, points, limits, width, height }: MarksProps) {
  const { t, i18n } = useTranslation('fleet')
  const [first, last] = [readings[0], readings.at(-1)]
  const [start, end] = [points[0], points.at(-1)]
  if (!first || !last || !start || !end) return null
  const depth = (mm: number) => formatDepth(mm, i18n.language)
  const [legal, wanted] = [heightOf(limits.legal, height), heightOf(limits.wanted, height)]
  // the mark of the limit gives way to the depth of the last point, and that of the law to both
  const advised = Math.max(wanted, end.y + lineHeight)
  return (
    <>
      <text x={start.x - 6} y={start.y} textAnchor="end" dominantBaseline="central" className={classes.value}>
        {depth(first.depth)}
      </text>
      <text x={end.x + 6} y={end.y} dominantBaseline="central" className={classes.value}>
        {depth(last.depth)}
      </text>
      {limits.wanted > limits.legal && (
        <text x={width + 6} y={advised} dominantBaseline="central" className={classes.mark}>
          {t('limit.wanted', { limit: depth(limits.wanted) })}
        </text>
      )}
      <text
        x={width + 6}
        y={Math.max(legal, limits.wanted > limits.legal ? advised + lineHeight : end.y + lineHeight)}
        dominantBaseline="central"
        className={classes.mark}
      >
        {t('limit.legal', { limit: depth(limits.legal) })}
      </text>
      <text x={0} y={height + 14} className={classes.mark}>
        {formatDate(first.date)}
      </text>
      {last.date !== first.date && (
        <text x={width} y={height + 14} textAnchor="end" className={classes.mark}>
          {formatDate(last.date)}
        </text>
      )}
    </>
  )
}
