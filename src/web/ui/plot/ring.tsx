/** Parts of a whole as a ring with their sum inside. The same figures are beside it as text: the ring is hidden from screen readers. */
import { labelled } from '../../i18n.ts'
import classes from './ring.module.css'

type RingProps = {
  readonly parts: readonly {
    readonly name: string
    readonly label: string
    readonly color: string
    readonly count: number
  }[]
  /** The text in its middle. */
  readonly total: string
  /** In px. */
  readonly size?: number
}

/** Of a circle whose circumference is 100. */
const radius = 50 / Math.PI
const thickness = 5
const gap = 0.6

export function Ring({ parts, total, size = 168 }: RingProps) {
  const some = parts.filter(({ count }) => count > 0)
  const sum = some.reduce((all, { count }) => all + count, 0)
  const apart = some.length > 1 ? gap : 0
  const shares = some.map(({ count }) => (count / sum) * 100)
  return (
    <svg className={classes.ring} viewBox="0 0 38 38" width={size} height={size} aria-hidden>
      {some.map(({ name, label, color, count }, nth) => {
        const length = Math.max((shares[nth] ?? 0) - apart, 0.2)
        const before = shares.slice(0, nth).reduce((all, share) => all + share, 0)
        return (
          <circle
            key={name}
            cx={19}
            cy={19}
            r={radius}
            strokeWidth={thickness}
            strokeDasharray={`${length} ${100 - length}`}
            // a circle begins on the right, this one at the top
            strokeDashoffset={25 - before}
            style={{ stroke: color }}
          >
            <title>{labelled(label, count)}</title>
          </circle>
        )
      })}
      <text x={19} y={19}>
        {total}
      </text>
    </svg>
  )
}
