/** How tyres differ from those of a vehicle to which they go, in words. */
import { Alert, List } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { Difference } from '#domain/tyres/fitting.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { useTranslation } from '../../ui/texts.ts'

function useDifferenceText(): (difference: Difference) => string {
  const { t } = useTranslation(['fleet', 'tyres'])
  return difference => {
    switch (difference.kind) {
      case 'position':
        return t('fleet:move.differs.position', { positions: difference.positions.join(', ') })
      case 'size':
        return t('fleet:move.differs.size', {
          axle: difference.axle,
          has: difference.has || '?',
          usual: difference.usual.join(', '),
        })
      case 'weaker':
        return t('fleet:move.differs.weaker', difference)
      case 'season':
        return t('fleet:move.differs.season', {
          seasons: seasons
            .filter(season => difference.seasons.includes(season))
            .map(season => t(`tyres:season.${season}`))
            .join(', '),
        })
      case 'depth':
        return t(`fleet:move.differs.${difference.verdict}`, { positions: difference.positions.join(', ') })
    }
  }
}

/** The differences, before anything moves; one line where there is none. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  const { t } = useTranslation('fleet')
  const textOf = useDifferenceText()
  if (differences.length === 0)
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" data-fits>
        {t('move.fits')}
      </Alert>
    )
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('move.differs.title')} role="status">
      <List size="sm">
        {differences.map(difference => (
          <List.Item key={JSON.stringify(difference)} data-differs={difference.kind}>
            {textOf(difference)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
