/** A field that looks customers up by what is typed. */
import { useState } from 'react'
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
  onChange: (customer: number | undefined) => void
}

export function CustomerChoice({ value, name: known = '', onChange, ...field }: CustomerChoiceProps) {
  const [typed, setTyped] = useState('')
  const [name, setName] = useState(known)
  // The name of the one that was picked is not a search.
  const wanted = useDebounced(typed === name ? '' : typed, 200)
  const found = useAnswer(fleet.findcustomerbyname, { string: wanted }, { keep: true })
  const options = (found.data ?? []).map(customer => ({
    value: String(customer.seq_id),
    label: [customer.companyname || customer.name, customer.city].filter(Boolean).join(', '),
  }))
  if (value !== undefined && !options.some(option => option.value === String(value)))
    options.unshift({ value: String(value), label: name || `#${value}` })
  return (
    <Choice
      {...field}
      data={options}
      value={value === undefined ? null : String(value)}
      onChange={(id, option) => {
        setName(option?.label ?? '')
        onChange(id === null ? undefined : Number(id))
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
