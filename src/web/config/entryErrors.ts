/** What is wrong with an entry of a list while it is edited in its dialog. */
import { serviceForm, transportForm } from '#contract/hotelconfig.ts'
import { isSameCode } from '#domain/site.ts'
import { type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { type ServiceDraft, serviceInput, type TransportDraft, transportInput } from './draft.ts'

/** What is wrong with a transport method beside the other ones of the site. */
export const transportErrors = (method: TransportDraft, methods: readonly TransportDraft[]): FieldErrors => ({
  ...(methods.some(other => other.key !== method.key && isSameCode(other.code, method.code)) && {
    code: { why: 'twice' },
  }),
  ...fieldErrorsOf(transportForm, transportInput(method)),
})
export const serviceErrors = (service: ServiceDraft): FieldErrors => fieldErrorsOf(serviceForm, serviceInput(service))
