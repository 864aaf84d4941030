import { Badge, Tooltip } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { useSite } from '../shared/session.ts'

/** Marks an open operation whose day was closed since (docs/product/operations.md "Closed days"); nothing for any other operation. */
export function ClosedDayMark({ operation }: { operation: Pick<Operation, 'handledAt' | 'deliveryDate'> }) {
  const { t } = useTranslation('common')
  const { closedDays } = useSite()
  if (operation.handledAt !== null || !closedDays.some(({ day }) => day === operation.deliveryDate)) return null
  return (
    <Tooltip label={t('closedDayHint')}>
      <Badge size="sm" color="orange">
        {t('closedDay')}
      </Badge>
    </Tooltip>
  )
}
