/** The home's figures: finished operations of 31 days and tyre counts, as charts and in words. */
import { Paper, Text, Title } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { Operation, Vehicle } from '#contract/wire.ts'
import { type OfferedType, offeredTypes } from '#domain/tyres/tyre.ts'
import { useSite } from '../shared/session.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { Ring } from '../ui/plot/ring.tsx'
import { chartDays, countedStatuses, countTyres, finishedPerDay } from './chartData.ts'
import classes from './home.module.css'

const typeTints = { to_stock: 1, to_customer: 3, to_waste: 2 } as const satisfies Record<OfferedType, number>
const statusColors = {
  in_stock: 'var(--chart-a)',
  at_customer: 'var(--chart-b)',
  on_vehicle: 'var(--chart-c)',
} as const satisfies Record<(typeof countedStatuses)[number], string>

export function FinishedOperations({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation('home')
  const { time_zone: timeZone } = useSite()
  const today = useToday()
  const days = finishedPerDay(operations, { today, timeZone })
  const series = offeredTypes.map(id => ({
    id,
    label: t(`finished.${id}`),
    tint: typeTints[id],
    values: days.map(day => day[id]),
  }))
  const heading = t('finished.heading', { count: chartDays })
  return (
    <Paper component="section" aria-labelledby="finished" className={classes.figure}>
      <Title order={2} id="finished">
        {heading}
      </Title>
      {series.every(({ values }) => values.every(value => value === 0)) ? (
        <Text c="dimmed" className={classes.noFigure}>
          {t('finished.none')}
        </Text>
      ) : (
        <Plot
          title={heading}
          over={t('finished.day')}
          points={days.map(({ date }) => ({ key: date, label: formatDate(date), short: formatDate(date).slice(0, 5) }))}
          kind="points"
          whole={t('finished.whole', { count: chartDays })}
          series={series}
        />
      )}
    </Paper>
  )
}

export function TyreCounts({ fleet }: { fleet: readonly Vehicle[] }) {
  const { t, i18n } = useTranslation(['home', 'common'])
  const site = useSite()
  const counts = countTyres(fleet)
  // Where the site does not show tyres in a state, it does not count them either.
  const shown = { in_stock: true, at_customer: site.showTyresAtCustomer, on_vehicle: site.showTyresOnVehicle }
  const parts = countedStatuses
    .filter(status => shown[status])
    .map(status => ({
      name: status,
      label: t(`common:tyreStatus.${status}`),
      color: statusColors[status],
      count: counts[status],
    }))
  const total = parts.reduce((sum, part) => sum + part.count, 0)
  return (
    <Paper component="section" aria-labelledby="tyre-counts" className={classes.figure}>
      <Title order={2} id="tyre-counts">
        {t('home:tyreCounts')}
      </Title>
      <Legend parts={parts} />
      {total === 0 ? (
        <Text c="dimmed" className={classes.noFigure}>
          {t('home:noTyres')}
        </Text>
      ) : (
        <div className={classes.doughnutPlace}>
          <Ring parts={parts} total={total.toLocaleString(i18n.language)} />
        </div>
      )}
    </Paper>
  )
}

/** The legend with the counts, also for users who can't see the chart. */
function Legend({ parts }: { parts: readonly { name: string; label: string; color: string; count: number }[] }) {
  const { i18n } = useTranslation()
  return (
    <ul className={classes.legend}>
      {parts.map(({ name, label, count }) => (
        <li key={name}>
          <span className={classes.swatch} data-part={name} aria-hidden />
          {label}
          <strong>{count.toLocaleString(i18n.language)}</strong>
        </li>
      ))}
    </ul>
  )
}
