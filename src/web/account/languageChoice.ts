/** The choice of a language: from then on it is the account's, wherever it signs in. */
import { useMutation } from '@tanstack/react-query'
import type { Language } from '#domain/people/account.ts'
import { notify } from '../ui/notify.ts'
import { messageOf } from '../shared/api.ts'
import { changeLanguage, useWho } from '../shared/session.ts'

/** Marks the choice at once: while the old language was still marked, it could not be chosen again. */
export function useLanguageChoice(): { chosen: Language; choose: (lang: string) => void } {
  const { lang } = useWho()
  const change = useMutation({
    mutationFn: changeLanguage,
    onError: (error: Error) => notify.error(messageOf(error)),
  })
  return {
    chosen: change.isPending ? change.variables : lang,
    choose: chosen => change.mutate(chosen as Language),
  }
}
