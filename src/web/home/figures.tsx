/** The home's figures: finished operations of 31 days and tyre counts, as charts and in words. */
import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, Vehicle } from '#contract/wire.ts'
import { type OfferedType, offeredTypes } from '#domain/tyre.ts'
import { useSite } from '../shared/session.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import type { Column } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { chartDays, countedStatuses, countTyres, finishedPerDay } from './chartData.ts'
import classes from './home.module.css'

const Lines = lazy(async () => ({ default: (await import('./charts.tsx')).Lines }))
const Doughnut = lazy(async () => ({ default: (await import('./charts.tsx')).Doughnut }))

const typeColors = {
  to_stock: 'var(--chart-a)',
  to_customer: 'var(--chart-b)',
  to_waste: 'var(--chart-c)',
} as const satisfies Record<OfferedType, string>
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
  const series = offeredTypes.map(name => ({
    name,
    label: t(`finished.${name}`),
    color: typeColors[name],
    count: days.reduce((sum, day) => sum + day[name], 0),
  }))
  const some = days.filter(day => offeredTypes.some(type => day[type] > 0))
  return (
    <Paper component="section" aria-labelledby="finished" className={classes.figure}>
      <Title order={2} id="finished">
        {t('finished.heading', { count: chartDays })}
      </Title>
      <Legend parts={series} />
      {some.length === 0 ? (
        <Text c="dimmed" className={classes.noFigure}>
          {t('finished.none')}
        </Text>
      ) : (
        <>
          <div className={classes.linesPlace}>
            <Suspense fallback={<Skeleton height="100%" />}>
              <Lines
                days={days.map(day => ({ ...day, label: formatDate(day.date).slice(0, 5) }))}
                series={series.map(({ name, label, color }) => ({ name, label, color }))}
              />
            </Suspense>
          </div>
          <details className={classes.asTable}>
            <summary>{t('finished.asTable')}</summary>
            <DataTable
              columns={[
                { id: 'day', header: t('finished.day'), render: day => formatDate(day.date) },
                ...series.map(({ name, label }): Column<(typeof some)[number]> => ({
                  id: name,
                  header: label,
                  render: day => day[name],
                  align: 'end',
                })),
              ]}
              rows={some.toReversed()}
              keyOf={day => day.date}
              spacing="0.125rem"
              still
            />
          </details>
        </>
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
          <Suspense fallback={<Skeleton height={168} circle />}>
            <Doughnut parts={parts} total={total.toLocaleString(i18n.language)} />
          </Suspense>
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
