import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { useActing } from '../shared/session.ts'
import { useSwitchCustomer } from './switch.ts'

type Owned = Pick<Vehicle, 'seq_id' | 'customer_name'>

/** Whether an administrator acts for a customer to whom this vehicle does not belong. */
export function useIsOtherCustomer(vehicle: Owned | undefined): boolean {
  const acting = useActing()
  return acting !== null && vehicle !== undefined && vehicle.seq_id !== acting.seq_id
}

/** Says that a vehicle does not belong to the customer acted for: changes are made on behalf of its own customer. */
export function OtherCustomer({ vehicle }: { vehicle: Owned }) {
  const { t } = useTranslation('common')
  const acting = useActing()
  const exchange = useSwitchCustomer()
  if (!acting || acting.seq_id === vehicle.seq_id) return null
  const { seq_id, customer_name: name } = vehicle
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="status" mb="md">
      {t('otherCustomer', { owner: name, acting: acting.name })}{' '}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void exchange({ seq_id, name, city: '' }, { stay: true })}
      >
        {t('actFor', { name })}
      </Button>
    </Alert>
  )
}
