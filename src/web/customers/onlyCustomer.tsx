import { Button, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { useActing } from '../shared/session.ts'
import { useSwitchCustomer } from './switch.ts'

/** Says in an empty list that it shows only one customer's rows, for an administrator who acts for them. */
export function OnlyCustomer() {
  const { t } = useTranslation()
  const acting = useActing()
  const exchange = useSwitchCustomer()
  if (!acting) return null
  return (
    <>
      <Text size="sm">{t('onlyCustomer', { name: acting.name })}</Text>
      <Button variant="default" size="xs" onClick={() => void exchange(null)}>
        {t('showAllCustomers')}
      </Button>
    </>
  )
}
