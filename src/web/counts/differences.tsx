/** The differences between a count and the records, and the ways to solve them (docs/product/warehouse.md "Counting"). */
import { Button, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { CountDifference } from '#contract/counts.ts'
import { type Solution, solutionsOf } from '#domain/warehouse/count.ts'
import { Plate } from '../shared/trade.tsx'
import classes from './counts.module.css'
import { Unbroken } from '../ui/unbroken.tsx'

/** Describes a difference beside its wheel: where the wheel belongs, or what its label says. */
export function useDifferenceText(): (difference: CountDifference) => string {
  const { t } = useTranslation('counts')
  return ({ outcome, belongs_rack: belongs, seen_rack: seen, label_site: site, label_tyre: tyre }) => {
    switch (outcome) {
      case 'moved':
        return belongs === '' ? t('told.movedNowhere') : t('told.moved', { place: belongs })
      case 'twice':
        return t('told.twice', { place: seen })
      case 'missing':
        return seen === '' ? t('told.missing') : t('told.missingSeen', { place: seen })
      case 'foreign':
        return t('told.foreign', { tyre, site })
      case 'unknown':
        return tyre === null ? t('told.unknownBare') : t('told.unknown', { tyre })
    }
  }
}

type DifferencesProps = {
  differences: readonly CountDifference[]
  busy: boolean
  solve: (difference: CountDifference, how: Solution) => void
}

/** The differences of a place, each with its solutions, to be touched with gloves. */
export function Differences({ differences, busy, solve }: DifferencesProps) {
  const { t } = useTranslation('counts')
  const describe = useDifferenceText()
  return (
    <ul className={classes.differences} aria-label={t('column.differences')}>
      {differences.map(difference => (
        <li key={difference.finding} data-outcome={difference.outcome} data-done={!difference.open || undefined}>
          <p className={classes.difference}>
            <strong>{t(`outcome.${difference.outcome}`)}</strong>
            {difference.license_plate !== '' && <Plate plate={difference.license_plate} size="sm" />}
            <span>
              <Unbroken part={difference.belongs_rack || difference.seen_rack}>
                {[difference.position, describe(difference)].filter(Boolean).join(' · ')}
              </Unbroken>
            </span>
          </p>
          {difference.description !== '' && (
            <Text size="sm" c="dimmed">
              {difference.description}
            </Text>
          )}
          {difference.open ? (
            <div className={classes.solutions}>
              {solutionsOf(difference.outcome, difference).map(how => (
                <Button key={how} variant="default" size="md" disabled={busy} onClick={() => solve(difference, how)}>
                  <Unbroken part={difference.belongs_rack}>
                    {t(`how.${how}`, { place: difference.belongs_rack })}
                  </Unbroken>
                </Button>
              ))}
            </div>
          ) : (
            <Text size="sm">{difference.solved ? t(`solved.${difference.solved}`) : t('settled')}</Text>
          )}
        </li>
      ))}
    </ul>
  )
}
