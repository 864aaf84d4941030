/** What the audit is narrowed by; all of it stands in the address. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { audit as calls } from '#contract/audit.ts'
import { fleet } from '#contract/fleet.ts'
import { type AuditGroup, auditGroups, superuserGroups } from '#domain/audit.ts'
import type { IsoDate } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { useDebounced } from '../ui/hooks.ts'
import classes from './audit.module.css'
import { AccountChoice, type ChosenProps, ClearFilters, Period, SiteChoice, without } from './choices.tsx'

export type Wanted = {
  search?: string
  group?: AuditGroup
  account?: number
  customer?: number
  site?: number
  from?: IsoDate
  to?: IsoDate
}

type FiltersProps = { wanted: Wanted; change: (wanted: Wanted) => void }

export function Filters({ wanted, change }: FiltersProps) {
  const { t } = useTranslation('audit')
  const { type } = useWho()
  const superuser = type === 'superuser'
  const { search = '', group, account, from, to } = wanted
  const people = useAnswer(calls.people, superuser && wanted.site !== undefined ? { site: wanted.site } : {})
  const set = (part: Record<string, unknown>) => change(without({ ...wanted, ...part }))
  // emptied anew when the filters are cleared
  const [cleared, setCleared] = useState(0)
  return (
    <search className={classes.filters}>
      <FilterField
        key={`search ${cleared}`}
        label={t('filterLabel')}
        placeholder={t('filter')}
        value={search}
        settle={typed => set({ search: typed.trim() })}
        className={classes.search}
      />
      <Choice
        label={t('what')}
        placeholder={t('everything')}
        data={(superuser ? superuserGroups : auditGroups).map(value => ({ value, label: t(`group.${value}`) }))}
        value={group ?? null}
        onChange={value => set({ group: value ?? undefined })}
        clearable
      />
      <AccountChoice
        label={t('who')}
        people={people.data}
        value={account}
        onChange={chosen => set({ account: chosen })}
      />
      {superuser ? (
        <SiteChoice value={wanted.site} onChange={site => set({ site, account: undefined })} />
      ) : (
        <CustomerChoice value={wanted.customer} onChange={customer => set({ customer })} />
      )}
      <Period from={from} to={to} onChange={set} />
      <ClearFilters
        disabled={Object.keys(wanted).length === 0}
        clear={() => {
          setCleared(times => times + 1)
          change({})
        }}
      />
    </search>
  )
}

/** Looks customers up by what is typed. */
function CustomerChoice({ value, onChange }: ChosenProps) {
  const { t } = useTranslation('audit')
  const [typed, setTyped] = useState('')
  const [name, setName] = useState('')
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
      label={t('customer')}
      placeholder={t('allCustomers')}
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
      nothingFoundMessage={t('noCustomer')}
      searchable
      clearable
    />
  )
}
