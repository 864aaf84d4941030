/** A field that looks customers up by what is typed. */
import { useState } from 'react'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { Choice } from '../../ui/select.tsx'
import { useDebounced } from '../../ui/hooks.ts'
import { useAnswer } from '../api.ts'

type CustomerChoiceProps = {
  label: string
  description?: string
  placeholder: string
  nothingFoundMessage: string
  value: number | undefined
  /** What the one of `value` is called, as far as that is known. */
  name?: string
  /** Has the focus where its dialog opens. */
  first?: boolean
  onChange: (customer: number | undefined) => void
}

const labelOf = (customer: { companyname: string; name: string; city: string }) =>
  [customer.companyname || customer.name, customer.city].filter(Boolean).join(', ')

export function CustomerChoice({ value, name: known = '', first = false, onChange, ...field }: CustomerChoiceProps) {
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState({ value, label: known })
  const named = picked.value === value ? picked.label : ''
  // one that an address or another control chose is known by its number alone
  const asked = useAnswer(
    customers.customer,
    { seq_id: value ?? 0 },
    { enabled: value !== undefined && named === '', muted: true },
  )
  const name = named || (asked.data ? labelOf(asked.data) : '')
  // The name of the one that was picked is not a search.
  const wanted = useDebounced(typed === name ? '' : typed, 200)
  const found = useAnswer(fleet.findcustomerbyname, { string: wanted }, { keep: true })
  const options = (found.data ?? []).map(customer => ({
    value: String(customer.seq_id),
    label: labelOf(customer),
  }))
  if (value !== undefined && !options.some(option => option.value === String(value)))
    options.unshift({ value: String(value), label: name || (asked.isError ? `#${value}` : '') })
  return (
    <Choice
      {...field}
      {...(first && { 'data-autofocus': true, openOnFocus: false })}
      data={options}
      value={value === undefined ? null : String(value)}
      onChange={(id, option) => {
        const chosen = id === null ? undefined : Number(id)
        setPicked({ value: chosen, label: option?.label ?? '' })
        onChange(chosen)
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already, in more than the label shows.
      filter={({ options: all }) => all}
      searchable
      clearable
    />
  )
}
