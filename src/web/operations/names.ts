/** The names of services and transports, by id, in the language of the page. */
import { useServiceName } from './services.tsx'
import { useTransportName } from './transportName.ts'

/** Names of services and transports by id; a service that the site no longer has is unknown. */
export const useNames = () => ({ service: useServiceName(), transport: useTransportName() })
