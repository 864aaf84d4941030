/** The values of a customer's form. The rules are the contract's. */
import { customerForm, customerLimits, type ListedCustomer } from '#contract/customers.ts'

const fields = Object.keys(customerLimits) as (keyof typeof customerLimits)[]
export type CustomerForm = Record<(typeof fields)[number], string>

const each = (value: (field: keyof CustomerForm) => string): CustomerForm =>
  Object.fromEntries(fields.map(field => [field, value(field)])) as CustomerForm

export const emptyForm: CustomerForm = each(() => '')
export const formOf = (customer: ListedCustomer): CustomerForm => each(field => customer[field])

/** The rules of the form, and the field that a refusal of the server is about. */
export const customerRules = {
  schema: customerForm,
  input: (form: CustomerForm) => form,
  refusals: { 'customer.code_taken': 'code' },
} as const
