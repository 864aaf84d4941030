import { lazy, Suspense } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { Placeholders } from '../shared/screen.tsx'
import { FocusWhenLoaded, FormDialog } from '../ui/form/formDialog.tsx'

/** Rarely opened, so it is fetched when it is. */
const ChangePassword = lazy(() => import('./changePassword.tsx'))

export function ChangePasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('nav')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('changePassword')} size="26rem" lost={t('password.unsaved')}>
      {dialog => (
        <Suspense fallback={<Placeholders rows={3} />}>
          <ChangePassword dialog={dialog} />
          <FocusWhenLoaded />
        </Suspense>
      )}
    </FormDialog>
  )
}
