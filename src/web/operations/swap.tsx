/** A season swap: a recall and a storage that belong together (docs/product/season.md "Season swaps"). */
import { Paper, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation, SwapHalf } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { formatDate } from '../shared/format.ts'
import { useOperationStatusLabel } from '../shared/trade.tsx'
import cards from './card.module.css'
import classes from './swap.module.css'

type Swapped = { readonly swap: SwapHalf | null }

/** Says which half of a swap remains when the other is withdrawn, cancelled or deleted; nothing for a single operation. */
export function useOtherHalf() {
  const { t } = useTranslation('operations')
  const statusOf = useOperationStatusLabel()
  return ({ swap }: Swapped): string => {
    if (!swap) return ''
    return t('swap.onlyText', {
      type: t(`swap.type.${swap.type}`),
      count: swap.tyre_count,
      status: statusOf(swap),
    })
  }
}

/** The other half of an operation in one line; empty for an operation outside a swap. */
export function useSwapLine() {
  const { t } = useTranslation('operations')
  const statusOf = useOperationStatusLabel()
  return ({ swap }: Swapped): string => {
    if (!swap) return ''
    const line = t('swap.half', {
      type: t(`swap.type.${swap.type}`),
      count: swap.tyre_count,
      status: statusOf(swap),
    })
    return [line, formatDate(swap.deliveryDate)].filter(Boolean).join(', ')
  }
}

export function SwapNote({ swap }: Swapped) {
  const lineOf = useSwapLine()
  if (!swap) return null
  return (
    <Text span size="sm" className={classes.note} data-swap={swap._id}>
      <IconArrowsExchange size={16} aria-hidden />
      <span>{lineOf({ swap })}</span>
    </Text>
  )
}

/** Both halves as one card. */
export function SwapCard({ recall, children }: { recall: Operation; children: ReactNode }) {
  const { t } = useTranslation('operations')
  return (
    <Paper
      component="section"
      className={`${cards.nested} ${classes.card}`}
      aria-label={t('swap.titleOf', { plate: formatPlate(recall.vehicle.license_plate) })}
    >
      <Text fw={600} size="sm" className={classes.title}>
        <IconArrowsExchange size={18} aria-hidden /> {t('swap.title')}
      </Text>
      {children}
    </Paper>
  )
}
