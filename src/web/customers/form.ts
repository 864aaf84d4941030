/** The values of a customer's form. The rules are the contract's. */
import { customerForm, customerLimits, type ListedCustomer } from '#contract/customers.ts'

const fields = Object.keys(customerLimits) as (keyof typeof customerLimits)[]
type TextFields = Record<(typeof fields)[number], string>
/** A depth in mm, or an incomplete one; empty: the site's setting. */
type Depth = number | string
/** As the site says, or the customer's own choice. */
export const presumptions = ['site', 'yes', 'no'] as const
export type CustomerForm = TextFields & {
  min_tread_summer: Depth
  min_tread_winter: Depth
  presume_mounts: (typeof presumptions)[number]
}

const each = (value: (field: keyof TextFields) => string): TextFields =>
  Object.fromEntries(fields.map(field => [field, value(field)])) as TextFields

export const emptyForm: CustomerForm = {
  ...each(() => ''),
  min_tread_summer: '',
  min_tread_winter: '',
  presume_mounts: 'site',
}
export const formOf = (customer: ListedCustomer): CustomerForm => ({
  ...each(field => customer[field]),
  min_tread_summer: customer.min_tread_summer ?? '',
  min_tread_winter: customer.min_tread_winter ?? '',
  presume_mounts: customer.presume_mounts === null ? 'site' : customer.presume_mounts ? 'yes' : 'no',
})

const depthIn = (field: Depth): number | null => (field === '' ? null : Number(field))

/** The input that saves these fields. */
export const inputOf = <F extends Partial<CustomerForm>>({
  min_tread_summer,
  min_tread_winter,
  presume_mounts,
  ...texts
}: F) => ({
  ...texts,
  ...(min_tread_summer !== undefined && { min_tread_summer: depthIn(min_tread_summer) }),
  ...(min_tread_winter !== undefined && { min_tread_winter: depthIn(min_tread_winter) }),
  ...(presume_mounts !== undefined && { presume_mounts: presume_mounts === 'site' ? null : presume_mounts === 'yes' }),
})

/** The rules of the form, and the field that a refusal of the server is about. */
export const customerRules = {
  schema: customerForm,
  input: (form: CustomerForm) => inputOf(form),
  refusals: { 'customer.code_taken': 'code' },
} as const
