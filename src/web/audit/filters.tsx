/** The filters of the audit, kept in the address. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { audit as calls } from '#contract/audit.ts'
import { type AuditGroup, auditGroups, superuserGroups } from '#domain/audit.ts'
import type { IsoDate } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { CustomerChoice } from '../shared/customer/customerChoice.tsx'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { FilterField } from '../ui/filterField.tsx'
import classes from './audit.module.css'
import { AccountChoice, Choices, ClearFilters, Period, SiteChoice, without } from './choices.tsx'

export type AuditSearch = {
  search?: string
  group?: AuditGroup
  account?: number
  customer?: number
  site?: number
  from?: IsoDate
  to?: IsoDate
}

type FiltersProps = { search: AuditSearch; change: (search: AuditSearch) => void }

export function Filters({ search, change }: FiltersProps) {
  const { t } = useTranslation('audit')
  const { type } = useWho()
  const superuser = type === 'superuser'
  const { search: text = '', group, account, from, to } = search
  const people = useAnswer(calls.people, superuser && search.site !== undefined ? { site: search.site } : {})
  const update = (part: Record<string, unknown>) => change(without({ ...search, ...part }))
  // remounted when the filters are cleared
  const [cleared, setCleared] = useState(0)
  return (
    <search className={classes.filters}>
      <FilterField
        key={`search ${cleared}`}
        label={t('filterLabel')}
        placeholder={t('filter')}
        value={text}
        settle={typed => update({ search: typed.trim() })}
        className={classes.search}
      />
      <Choices chosen={[group, account, search.customer, search.site, from, to]}>
        <Choice
          label={t('what')}
          placeholder={t('everything')}
          data={(superuser ? superuserGroups : auditGroups).map(value => ({ value, label: t(`group.${value}`) }))}
          value={group ?? null}
          onChange={value => update({ group: value ?? undefined })}
          clearable
        />
        <AccountChoice
          label={t('who')}
          people={people.data}
          value={account}
          onChange={chosen => update({ account: chosen })}
        />
        {superuser ? (
          <SiteChoice value={search.site} onChange={site => update({ site, account: undefined })} />
        ) : (
          <CustomerChoice
            label={t('customer')}
            placeholder={t('allCustomers')}
            value={search.customer}
            onChange={customer => update({ customer })}
          />
        )}
        <Period from={from} to={to} onChange={update} />
        <ClearFilters
          disabled={Object.keys(search).length === 0}
          clear={() => {
            setCleared(times => times + 1)
            change({})
          }}
        />
      </Choices>
    </search>
  )
}
