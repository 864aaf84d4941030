/** The values of a transport method while they are typed. */
import { type AdminConfig, transportForm } from '#contract/config.ts'
import { isSameCode } from '#domain/site.ts'
import { type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'
import { type Numeral, numberIn } from './numerals.ts'
import { tidyTime } from './time.ts'

type Transport = AdminConfig['transportMethods'][number]
type Count = 'advanceDays' | 'operationsPerDay' | 'tyresPerDay'
export type TransportValues = Omit<Transport, '_id' | 'cutoffHour' | Count> &
  Record<Count, Numeral> & { cutoffHour: string }

export const newTransport = (first: boolean): TransportValues => ({
  name: '',
  code: '',
  default: first,
  description_nl: '',
  description_fr: '',
  description_en: '',
  description_de: '',
  operationDays: [1, 2, 3, 4, 5],
  advanceDays: 1,
  cutoffHour: '',
  operationsPerDay: 0,
  tyresPerDay: 0,
})

/** The cut-off without the seconds that the wire may carry. */
export const cutoffOf = ({ cutoffHour }: Pick<Transport, 'cutoffHour'>): string => cutoffHour?.slice(0, 5) ?? ''

export const transportValues = ({ _id, ...method }: Transport): TransportValues => ({
  ...method,
  cutoffHour: cutoffOf(method),
})

const count = (value: Numeral) => numberIn(value) as number
export const transportInput = (method: TransportValues) => ({
  ...method,
  cutoffHour: tidyTime(method.cutoffHour) || null,
  advanceDays: count(method.advanceDays),
  operationsPerDay: count(method.operationsPerDay),
  tyresPerDay: count(method.tyresPerDay),
})

/** The error of each field; no other transport method of the site may have the code. */
export const transportErrors = (method: TransportValues, others: readonly Pick<Transport, 'code'>[]): FieldErrors => ({
  ...(others.some(({ code }) => isSameCode(code, method.code)) && { code: { why: 'twice' } }),
  ...fieldErrorsOf(transportForm, transportInput(method)),
})
