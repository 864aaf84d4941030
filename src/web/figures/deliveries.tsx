/** How long recalls took, by the month in which they were delivered. */
import { formatNumber } from '#domain/texts/number.ts'
import { useTranslation } from '../ui/texts.ts'
import { type Deliveries as Times, figures as calls } from '#contract/figures.ts'
import { labelled } from '../i18n.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { useToday } from '../shared/hooks.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { Empty } from '../shared/screen.tsx'
import { Figure, useMonths } from './parts.tsx'

const measures = ['median', 'p90'] as const

export function Deliveries() {
  const { t } = useTranslation('figures')
  const answer = useAnswer(calls.deliveries, {})
  return (
    <Figure answer={answer} text={t('deliveries.text')}>
      {times => (times.rows.length === 0 ? <Empty text={t('deliveries.none')} /> : <Delivered times={times} />)}
    </Figure>
  )
}

function Delivered({ times: { months, rows } }: { times: Times }) {
  const { t, i18n } = useTranslation('figures')
  const today = useToday()
  const points = useMonths(months)
  const rowOf = (month: string | undefined) => rows.find(row => row.month === month)
  const recalls = (at: number) =>
    labelled(t('deliveries.recalls'), formatNumber(rowOf(months[at])?.recall_count ?? 0, i18n.language))
  return (
    <>
      <Plot
        title={t('deliveries.title')}
        over={t('month')}
        points={points}
        kind="columns"
        noteOf={recalls}
        series={measures.map((measure, nth) => ({
          id: measure,
          label: t(`deliveries.${measure}`),
          tint: nth + 1,
          values: months.map(month => rowOf(month)?.[measure] ?? null),
        }))}
      />
      <CsvBelow
        file={`${t('file.deliveries')}-${today}`}
        cells={() => [
          [t('month'), t('deliveries.recalls'), ...measures.map(measure => t(`deliveries.${measure}`))],
          ...points.map(({ key, label }) => {
            const row = rowOf(key)
            return [label, row?.recall_count ?? 0, row?.median, row?.p90]
          }),
        ]}
      />
    </>
  )
}
