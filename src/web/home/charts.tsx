/** The charts, loaded after the figures are shown: they are the largest code of the portal. */
import '@mantine/charts/styles.layer.css'
import { DonutChart, LineChart } from '@mantine/charts'
import { useReducedMotion } from '@mantine/hooks'
import type { OfferedType } from '#domain/tyre.ts'
import classes from './home.module.css'

type Series<Name extends string> = { name: Name; label: string; color: string }
type LinesProps = {
  days: readonly ({ label: string } & Record<OfferedType, number>)[]
  series: readonly Series<OfferedType>[]
}

/** Hidden from screen readers and not focusable: its figures are beside it as a table. */
export function Lines({ days, series }: LinesProps) {
  const still = useReducedMotion()
  return (
    <div aria-hidden>
      <LineChart
        className={classes.lines ?? ''}
        h="100%"
        data={[...days]}
        dataKey="label"
        series={series.map((one, at) => ({ ...one, strokeDasharray: dashes[at] ?? '0' }))}
        curveType="linear"
        withDots={false}
        strokeWidth={2}
        yAxisProps={{ allowDecimals: false, width: 32 }}
        xAxisProps={{ minTickGap: 24 }}
        lineProps={{ isAnimationActive: !still }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}
/** Lines differ by more than their colour (WCAG 1.4.1). */
const dashes = ['0', '6 3', '2 3']

type DoughnutProps = { parts: readonly (Series<string> & { count: number })[]; total: string; size?: number }

export function Doughnut({ parts, total, size = 168 }: DoughnutProps) {
  const still = useReducedMotion()
  return (
    <div aria-hidden className={classes.doughnut}>
      <DonutChart
        data={parts.map(({ label, count, color }) => ({ name: label, value: count, color }))}
        size={size}
        thickness={26}
        paddingAngle={parts.filter(part => part.count > 0).length > 1 ? 2 : 0}
        strokeWidth={0}
        chartLabel={total}
        tooltipDataSource="segment"
        accessibilityLayer={false}
        pieProps={{ isAnimationActive: !still, rootTabIndex: -1 }}
      />
    </div>
  )
}
