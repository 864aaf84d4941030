/** The values of a customer's form. The rules are the contract's. */
import { customerForm, customerLimits, type ListedCustomer } from '#contract/customers.ts'

const fields = Object.keys(customerLimits) as (keyof typeof customerLimits)[]
type TextFields = Record<(typeof fields)[number], string>
/** A depth in mm, or an incomplete one; empty: the site's setting. */
type Depth = number | string
export type CustomerForm = TextFields & { min_tread_summer: Depth; min_tread_winter: Depth }

const each = (value: (field: keyof TextFields) => string): TextFields =>
  Object.fromEntries(fields.map(field => [field, value(field)])) as TextFields

export const emptyForm: CustomerForm = { ...each(() => ''), min_tread_summer: '', min_tread_winter: '' }
export const formOf = (customer: ListedCustomer): CustomerForm => ({
  ...each(field => customer[field]),
  min_tread_summer: customer.min_tread_summer ?? '',
  min_tread_winter: customer.min_tread_winter ?? '',
})

const depthIn = (field: Depth): number | null => (field === '' ? null : Number(field))

/** The input that saves these fields. */
export const inputOf = <F extends Partial<CustomerForm>>({ min_tread_summer, min_tread_winter, ...texts }: F) => ({
  ...texts,
  ...(min_tread_summer !== undefined && { min_tread_summer: depthIn(min_tread_summer) }),
  ...(min_tread_winter !== undefined && { min_tread_winter: depthIn(min_tread_winter) }),
})

/** The rules of the form, and the field that a refusal of the server is about. */
export const customerRules = {
  schema: customerForm,
  input: (form: CustomerForm) => inputOf(form),
  refusals: { 'customer.code_taken': 'code' },
} as const
