import { Alert } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'

/** Lists the features that don't work over plain http, and why (docs/operations.md "HTTPS on a local network"); empty where all do. */
export function Insecure() {
  const { t } = useTranslation('common')
  if (window.isSecureContext) return null
  return (
    <Alert color="yellow" icon={<IconLockOpen size={20} aria-hidden />} mb="md">
      {t('insecure')}
    </Alert>
  )
}
