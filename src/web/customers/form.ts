/** What is typed of a customer, as values. The rules are the contract's. */
import { customerLimits, type ListedCustomer } from '#contract/customers.ts'

export const fields = Object.keys(customerLimits) as (keyof typeof customerLimits)[]
export type CustomerForm = Record<(typeof fields)[number], string>
/** What was typed over what is saved, and is not saved yet. */
export type CustomerEdits = Partial<CustomerForm>

const each = (value: (field: keyof CustomerForm) => string): CustomerForm =>
  Object.fromEntries(fields.map(field => [field, value(field)])) as CustomerForm

export const emptyForm: CustomerForm = each(() => '')
export const formOf = (customer: ListedCustomer): CustomerForm => each(field => customer[field])

/** The fields of `now` that differ from `saved`; `null` for none. Only those are sent: two who change different fields both keep theirs. */
export function editsOf(saved: CustomerForm, now: CustomerForm): CustomerEdits | null {
  const changed = fields.filter(field => now[field] !== saved[field])
  return changed.length > 0 ? Object.fromEntries(changed.map(field => [field, now[field]])) : null
}

/** What is still to be saved after `sent` was: what was typed meanwhile. */
export function unsent(now: CustomerEdits | null, sent: CustomerEdits): CustomerEdits | null {
  const left = fields.filter(field => now?.[field] !== undefined && now[field] !== sent[field])
  return now && left.length > 0 ? Object.fromEntries(left.map(field => [field, now[field]])) : null
}
