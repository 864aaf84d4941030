/** What ids are called: services and transports in the language of the page. */
import { useTranslation } from 'react-i18next'
import { useSite } from '../session.ts'
import { describedIn } from '../operation/deliveryDays.ts'
import { useServiceName } from '../operation/services.tsx'

/** Names of services and transports by id; one that the site no longer has is unknown. */
export function useNames() {
  const { t, i18n } = useTranslation()
  const { transportMethods } = useSite()
  const service = useServiceName()
  const transport = (id: number) => {
    const method = transportMethods.find(({ _id }) => _id === id)
    return method ? describedIn(i18n.language, method) : t('unknown')
  }
  return { service, transport }
}
