/** The state of a billing run. */
import { Badge } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import type { RunState } from '#domain/money/billingRun.ts'

const tints = {
  counting: 'blue',
  ready: 'yellow',
  making: 'blue',
  stopped: 'orange',
  made: 'green',
  undoing: 'blue',
  undone: 'red',
  discarded: 'gray',
} as const satisfies Record<RunState, string>

export function RunBadge({ state }: { state: RunState }) {
  const { t } = useTranslation('billing')
  return (
    <Badge color={tints[state]} variant="light">
      {t(`state.${state}`)}
    </Badge>
  )
}
