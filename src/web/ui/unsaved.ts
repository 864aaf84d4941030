import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { confirmFirst } from './confirm.tsx'

/** The record that an address is about. */
const idIn = ({ search }: { search: object }) => ('id' in search ? search.id : undefined)

/** Asks before a screen with unsaved changes is left, within the portal and by closing the page. `text` says what is lost. */
export function useUnsavedGuard(unsaved: boolean, text: string): void {
  const { t } = useTranslation('common')
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && idIn(current) === idIn(next)) return false
      const leave = await confirmFirst({
        title: t('unsaved.question'),
        text,
        confirm: t('unsaved.leave'),
        keep: t('unsaved.stay'),
        danger: true,
      })
      return !leave
    },
  })
}
