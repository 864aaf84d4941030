/** Warns of sets that carry less or may run slower than the first one of their vehicle (docs/product/tyres.md "Load and speed"). */
import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import type { Tyre } from '#contract/wire.ts'
import { type Service, weakerSets } from '#domain/tyres/fitness.ts'

const written = ({ load, speed }: Service): string => `${load ?? '?'}${speed ?? ''}`

export function WeakerSets({ tyres }: { tyres: readonly Tyre[] }) {
  const { t } = useTranslation(['fleet', 'common'])
  const weaker = weakerSets(tyres)
  if (weaker.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('fleet:weaker.title')}>
      <List size="sm">
        {weaker.map(({ set, axle, has, needed }) => (
          <List.Item key={`${axle} ${set ?? ''}`}>
            {t('fleet:weaker.line', {
              set: set ?? t('common:tyre.setless'),
              axle,
              has: written(has),
              needed: written(needed),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
