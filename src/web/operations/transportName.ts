import { useTranslation } from '../ui/texts.ts'
import { useSite } from '../shared/session.ts'
import { describedIn } from './deliveryDays.ts'

/** The name of a transport method. A removed one keeps its name on the operations that it delivered. */
export function useTransportName(): (id: number) => string {
  const { t, i18n } = useTranslation('common')
  const { transportMethods, removedTransports } = useSite()
  return id => {
    const method = [...transportMethods, ...removedTransports].find(({ _id }) => _id === id)
    return method ? describedIn(i18n.language, method) : t('unknown')
  }
}
