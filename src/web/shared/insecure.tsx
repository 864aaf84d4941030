import { Alert } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'

/** Says what does not work over plain http, and why (docs/operations.md "HTTPS on a local network"); nothing where all does. */
export function Insecure() {
  const { t } = useTranslation('common')
  if (window.isSecureContext) return null
  return (
    <Alert color="yellow" icon={<IconLockOpen size={20} aria-hidden />} mb="md">
      {t('insecure')}
    </Alert>
  )
}
