/** A field that searches customers by the typed text. */
import { useDisclosure } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { typingDelayMs, useDebounced, useEnterWhenAnswered } from '../ui/hooks.ts'
import { Choice, isPointedAt } from '../ui/select.tsx'
import { messageOf, useAnswer } from '../shared/api.ts'

type CustomerChoiceProps = {
  label: string
  description?: string
  placeholder: string
  value: number | undefined
  /** The name of the customer `value`, where it is known. */
  name?: string
  /** Has the focus where its dialog or screen opens. */
  first?: boolean
  required?: boolean
  error?: string | undefined
  onChange: (customer: number | undefined) => void
}

const labelOf = (customer: { companyname: string; name: string; city: string }) =>
  [customer.companyname || customer.name, customer.city].filter(Boolean).join(', ')

/** The name of the chosen customer, and the customers that match the typed text. */
function useCustomers({ value, named, typed }: { value: number | undefined; named: string; typed: string }) {
  // one that an address or another control chose is known by its number alone
  const answer = useAnswer(
    customers.customer,
    { seq_id: value ?? 0 },
    { enabled: value !== undefined && named === '', muted: true },
  )
  const name = named || (answer.data ? labelOf(answer.data) : '')
  // The name of the one that was picked is not a search.
  const search = typed === name ? '' : typed
  const wanted = useDebounced(search, typingDelayMs)
  const matches = useAnswer(fleet.findcustomerbyname, { string: wanted }, { keep: true })
  const options = (matches.data ?? []).map(customer => ({ value: String(customer.seq_id), label: labelOf(customer) }))
  const [best] = options
  // the one that was chosen, which the field shows: behind those found
  if (value !== undefined && !options.some(option => option.value === String(value)))
    options.push({ value: String(value), label: name || (answer.isError ? `#${value}` : '') })
  const answered = wanted === search && !matches.isPending && !matches.isPlaceholderData
  return { name, search, options, best, answered, error: matches.error }
}

export function CustomerChoice({
  value,
  name: givenName = '',
  first = false,
  onChange,
  ...field
}: CustomerChoiceProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [opened, list] = useDisclosure()
  const [picked, setPicked] = useState({ value, label: givenName })
  const named = picked.value === value ? picked.label : ''
  const { name, search, options, best, answered, error } = useCustomers({ value, named, typed })

  function choose(id: string | null, label = '') {
    const chosen = id === null ? undefined : Number(id)
    setPicked({ value: chosen, label })
    setTyped(label)
    onChange(chosen)
  }

  // Enter takes the first match, once the answer to the typed text is there.
  const taking = useEnterWhenAnswered(answered, () => {
    if (!best) return
    choose(best.value, best.label)
    list.close()
  })
  function enter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || typed === name || isPointedAt(event.currentTarget)) return
    // neither submit the form, whose customer is not chosen yet, nor take an outdated option at this place in the list
    event.preventDefault()
    event.stopPropagation()
    if (search.trim() !== '') taking.enter()
  }

  return (
    <Choice
      {...field}
      {...(first && { 'data-autofocus': true, openOnFocus: false })}
      data={options}
      value={value === undefined ? null : String(value)}
      onChange={(id, option) => choose(id, option?.label)}
      searchValue={typed}
      onSearchChange={text => {
        setTyped(text)
        taking.letter()
      }}
      dropdownOpened={opened}
      onDropdownOpen={list.open}
      onDropdownClose={list.close}
      onKeyDownCapture={enter}
      // The server has searched already, in more than the label shows.
      filter={({ options: all }) => all}
      nothingFoundMessage={
        !answered ? t('customerChoice.searching') : error ? messageOf(error) : t('customerChoice.none')
      }
      searchable
      selectFirstOptionOnChange={false}
      firstIsNext={answered && search !== '' && best !== undefined}
      clearable
    />
  )
}
