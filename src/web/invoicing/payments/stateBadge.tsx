import { Badge, Text } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import type { Invoice } from '#contract/invoices.ts'
import type { PaymentState } from '#domain/money/payment.ts'
import { moneyIn } from '#domain/texts/number.ts'

const colors = {
  open: 'blue',
  partly_paid: 'yellow',
  overdue: 'red',
  paid: 'green',
  written_off: 'gray',
  credited: 'gray',
} as const satisfies Record<PaymentState, string>

/** Whether an invoice is paid, and how much of it is open where that is not all of it; nothing where the site does not follow it. */
export function StateBadge({ invoice }: { invoice: Pick<Invoice, 'state' | 'open' | 'gross'> }) {
  const { t, i18n } = useTranslation('payments')
  const { state, open, gross } = invoice
  if (state === null || open === null) return null
  return (
    <>
      <Badge color={colors[state]} size="sm">
        {t(`state.${state}`)}
      </Badge>
      {open > 0 && open < gross && (
        <Text size="xs" c="dimmed" component="span" ml={6}>
          {t('left', { amount: moneyIn(i18n.language).format(open) })}
        </Text>
      )}
    </>
  )
}
