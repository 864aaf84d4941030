import { useTranslation } from '../ui/texts.ts'
import { locale as calls, type Translation } from '#contract/translations.ts'
import { useCall } from '../shared/api.ts'
import { reloadTexts } from '../i18n.ts'
import { confirmFirst } from '../ui/confirm.tsx'

/** Deletes a translation after a question; returns whether it was deleted. `shipped` is the text that takes its place. */
export function useDeletion(): (over: Translation, shipped: string | null) => Promise<boolean> {
  const { t } = useTranslation('translations')
  const remove = useCall(calls.delete, { doing: 'translations:deleting', done: 'translations:deleted' })
  return async (over, shipped) => {
    const sure = await confirmFirst({
      title: t('deleteQuestion'),
      text: shipped === null ? t('deleteMade') : t('deleteText', { text: shipped }),
      confirm: t('delete'),
      danger: true,
    })
    if (!sure) return false
    try {
      await remove.mutateAsync({ id: over._id })
    } catch {
      // Shown in a toast.
      return false
    }
    void reloadTexts()
    return true
  }
}
