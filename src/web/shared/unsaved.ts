import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { guardActing } from './acting.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { useLatest } from '../ui/hooks.ts'

let unsavedForms = 0
/** Whether any form of this page has unsaved changes. */
export const isAnythingUnsaved = (): boolean => unsavedForms > 0

/** The record that an address is about, and the page of the settings. */
const inAddress = ({ search }: { search: object }, key: 'id' | 'page') =>
  key in search ? (search as Record<typeof key, unknown>)[key] : undefined

/**
 * Asks before a screen with unsaved changes is left: within the portal, by closing the page, or by acting for another customer. `text` names the
 * loss. `ofPage`: it is of one page of the settings only. Returns a function that asks the same question, for actions that leave the form but not the screen.
 */
export function useUnsavedGuard(unsaved: boolean, text: string, ofPage = false): () => Promise<boolean> {
  const { t } = useTranslation('common')
  const ask = useLatest(() =>
    confirmFirst({
      title: t('unsaved.question'),
      text,
      confirm: t('unsaved.leave'),
      keep: t('unsaved.stay'),
      danger: true,
    }),
  )
  useEffect(() => {
    if (!unsaved) return undefined
    unsavedForms++
    return () => void unsavedForms--
  }, [unsaved])
  useEffect(() => (unsaved ? guardActing(() => ask.current()) : undefined), [unsaved, ask])
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      const isSame = (key: 'id' | 'page') => inAddress(current, key) === inAddress(next, key)
      if (current.pathname === next.pathname && isSame('id') && (!ofPage || isSame('page'))) return false
      return !(await ask.current())
    },
  })
  return () => ask.current()
}
