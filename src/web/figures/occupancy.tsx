/** How many wheels were in store by week and size class. */
import { formatNumber } from '#domain/texts/number.ts'
import { useTranslation } from '../ui/texts.ts'
import { figures as calls } from '#contract/figures.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { Empty } from '../shared/screen.tsx'
import { Figure } from './parts.tsx'

export function Occupancy() {
  const { t, i18n } = useTranslation('figures')
  const today = useToday()
  const answer = useAnswer(calls.occupancy, {})
  return (
    <Figure
      answer={answer}
      text={({ capacity }) => t('occupancy.text', { capacity: formatNumber(capacity, i18n.language) })}
    >
      {({ weeks, classes }) =>
        classes.length === 0 ? (
          <Empty text={t('occupancy.none')} />
        ) : (
          <>
            <Plot
              title={t('occupancy.title')}
              over={t('week')}
              kind="stack"
              points={weeks.map(day => ({
                key: day,
                label: t('upTo', { date: formatDate(day) }),
                short: formatDate(day).slice(0, 5),
              }))}
              series={classes.map((sizeClass, nth) => ({
                id: sizeClass.class,
                label: t(`classes.${sizeClass.class}`),
                tint: nth + 1,
                values: sizeClass.stored,
              }))}
            />
            <CsvBelow
              file={`${t('file.occupancy')}-${today}`}
              cells={() => [
                [t('week'), ...classes.map(sizeClass => t(`classes.${sizeClass.class}`)), t('total')],
                ...weeks.map((day, nth) => [
                  formatDate(day),
                  ...classes.map(({ stored }) => stored[nth] ?? 0),
                  classes.reduce((sum, { stored }) => sum + (stored[nth] ?? 0), 0),
                ]),
              ]}
            />
          </>
        )
      }
    </Figure>
  )
}
