/** What the audit is narrowed by; all of it stands in the address. */
import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { audit as calls } from '#contract/audit.ts'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/hotelconfig.ts'
import { type AuditGroup, auditGroups, superuserGroups } from '#domain/audit.ts'
import type { IsoDate } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { Choice } from '../ui/choice.tsx'
import { DateField } from '../ui/dateField.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { useDebounced } from '../ui/hooks.ts'
import classes from './audit.module.css'

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

/** Without what is not asked for, so that the address stays clean. */
const without = (wanted: Record<string, unknown>): Wanted =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== ''))

export function Filters({ wanted, change }: FiltersProps) {
  const { t } = useTranslation('audit')
  const { type } = useWho()
  const superuser = type === 'superuser'
  const { search = '', group, account, from, to } = wanted
  const people = useAnswer(calls.people, superuser && wanted.site !== undefined ? { site: wanted.site } : {})
  const set = (part: Record<string, unknown>) => change(without({ ...wanted, ...part }))
  const names = (people.data ?? []).map(({ _id, username, fullname }) => ({
    value: String(_id),
    label: fullname ? `${fullname} (${username})` : username,
  }))
  // somebody who did nothing lately, or whose name is still to come
  if (account !== undefined && !names.some(({ value }) => value === String(account)))
    names.unshift({ value: String(account), label: `#${account}` })
  const backwards = from !== undefined && to !== undefined && from > to
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
      <Choice
        label={t('who')}
        placeholder={t('everybody')}
        data={names}
        value={account === undefined ? null : String(account)}
        onChange={value => set({ account: value === null ? undefined : Number(value) })}
        searchable
        clearable
      />
      {superuser ? (
        <SiteChoice value={wanted.site} onChange={site => set({ site, account: undefined })} />
      ) : (
        <CustomerChoice value={wanted.customer} onChange={customer => set({ customer })} />
      )}
      <DateField
        label={t('from')}
        value={from ?? null}
        onChange={day => set({ from: day ?? undefined })}
        clearable
        className={classes.day}
      />
      <DateField
        label={t('to')}
        value={to ?? null}
        onChange={day => set({ to: day ?? undefined })}
        error={backwards && t('backwards')}
        clearable
        className={classes.day}
      />
      <Button
        className={classes.clear}
        variant="subtle"
        color="gray"
        leftSection={<IconFilterOff size={18} aria-hidden />}
        onClick={() => {
          setCleared(times => times + 1)
          change({})
        }}
        {...ariaDisabledWhen(Object.keys(wanted).length === 0)}
      >
        {t('clear')}
      </Button>
    </search>
  )
}

type ChosenProps = { value: number | undefined; onChange: (chosen: number | undefined) => void }

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

const nothing = {}

function SiteChoice({ value, onChange }: ChosenProps) {
  const { t } = useTranslation('audit')
  const sites = useAnswer(hotelconfig.getall, nothing)
  return (
    <Choice
      label={t('site')}
      placeholder={t('allSites')}
      data={(sites.data ?? []).map(({ _id, name }) => ({ value: String(_id), label: name }))}
      value={value === undefined ? null : String(value)}
      onChange={id => onChange(id === null ? undefined : Number(id))}
      searchable
      clearable
    />
  )
}
