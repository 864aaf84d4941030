/** The errors of a list entry while it is edited in its dialog. */
import { serviceForm, transportForm } from '#contract/hotelconfig.ts'
import { isSameCode } from '#domain/site.ts'
import { type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { type ServiceDraft, serviceInput, type TransportDraft, transportInput } from './draft.ts'

/** Errors of a transport method in relation to the others of the site. */
export const transportErrors = (method: TransportDraft, methods: readonly TransportDraft[]): FieldErrors => ({
  ...(methods.some(other => other.key !== method.key && isSameCode(other.code, method.code)) && {
    code: { why: 'twice' },
  }),
  ...fieldErrorsOf(transportForm, transportInput(method)),
})
export const serviceErrors = (service: ServiceDraft): FieldErrors => fieldErrorsOf(serviceForm, serviceInput(service))
