/** Revenue by month and kind: charged, owed, waived. */
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { figures as calls, type Revenue as Earned } from '#contract/figures.ts'
import { figureKinds } from '#domain/money/figures.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { useToday } from '../shared/hooks.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { Empty } from '../shared/screen.tsx'
import { Choice } from '../ui/select.tsx'
import { Figure, useMonths } from './parts.tsx'
import classes from './figures.module.css'

const states = ['charged', 'owed', 'waived'] as const

export function Revenue() {
  const { t } = useTranslation('figures')
  const answer = useAnswer(calls.revenue, {})
  return (
    <Figure answer={answer} text={t('revenue.text')}>
      {earned => <Earnings earned={earned} />}
    </Figure>
  )
}

function Earnings({ earned }: { earned: Earned }) {
  const { t, i18n } = useTranslation('figures')
  const today = useToday()
  const [kind, setKind] = useState<string>('all')
  const points = useMonths(earned.months)
  const money = moneyIn(i18n.language)
  const whole = new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
  const { earlier_owed: earlier, later_charged: later } = earned
  const kinds = figureKinds.filter(figureKind => earned.rows.some(row => row.kind === figureKind))
  const rows = earned.rows.filter(row => kind === 'all' || row.kind === kind)
  const sumOf = (month: string, state: (typeof states)[number]) =>
    rows.filter(row => row.month === month).reduce((sum, row) => sum + row[state], 0)
  const nameOf = (month: string) => points.find(({ key }) => key === month)?.label ?? month
  return (
    <>
      {earned.rows.length === 0 ? (
        <Empty text={t('revenue.none')} />
      ) : (
        <>
          <Choice
            label={t('revenue.kind')}
            className={classes.kind ?? ''}
            mb="sm"
            value={kind}
            onChange={value => setKind(value ?? 'all')}
            data={[
              { value: 'all', label: t('revenue.all') },
              ...kinds.map(value => ({ value, label: t(`kinds.${value}`) })),
            ]}
          />
          <Plot
            title={t('revenue.title')}
            over={t('month')}
            points={points}
            kind="stack"
            write={value => money.format(value)}
            writeMark={value => whole.format(value)}
            series={states.map((state, nth) => ({
              id: state,
              label: t(`revenue.${state}`),
              tint: nth + 1,
              dashed: state === 'owed',
              values: earned.months.map(month => sumOf(month, state)),
            }))}
          />
        </>
      )}
      {earlier > 0 && (
        <Text size="sm" mt="xs">
          {t('revenue.earlier', { month: points[0]?.label, amount: money.format(earlier) })}
        </Text>
      )}
      {later > 0 && (
        <Text size="sm" mt="xs">
          {t('revenue.later', { amount: money.format(later) })}
        </Text>
      )}
      {earned.rows.length > 0 && (
        <CsvBelow
          file={`${t('file.revenue')}-${today}`}
          cells={() => [
            [t('month'), t('revenue.kind'), ...states.map(state => t(`revenue.${state}`))],
            ...earned.rows.map(row => [nameOf(row.month), t(`kinds.${row.kind}`), ...states.map(state => row[state])]),
          ]}
        />
      )}
    </>
  )
}
