import { IconReceipt } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { LinkButton } from '../ui/link.tsx'

/** Opens the receipt of a confirmed storage; nothing for any other operation. */
export function ReceiptLink({ operation }: { operation: Operation }) {
  const { t } = useTranslation('papers')
  const { _id, type, status, vehicle } = operation
  if (type !== 'to_stock' || status !== 'confirmed') return null
  return (
    <LinkButton
      to="/receipt"
      search={{ operation: _id }}
      variant="default"
      size="compact-sm"
      leftSection={<IconReceipt size={16} aria-hidden />}
      aria-label={t('receiptOf', { number: _id, plate: formatPlate(vehicle.license_plate) })}
    >
      {t('openReceipt')}
    </LinkButton>
  )
}
