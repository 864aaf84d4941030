/** The filters of the audit, kept in the address. */
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { audit as calls } from '#contract/audit.ts'
import { type AuditGroup, auditGroups, superuserGroups } from '#domain/audit.ts'
import type { IsoDate } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { CustomerChoice } from '../shared/customer/customerChoice.tsx'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { FilterField } from '../ui/filterField.tsx'
import classes from './audit.module.css'
import { Choices, SiteChoice, without } from './choices.tsx'

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
        value={search.search ?? ''}
        settle={typed => update({ search: typed.trim() })}
        className={classes.search}
      />
      <Choices
        search={search}
        update={update}
        clear={() => {
          setCleared(times => times + 1)
          change({})
        }}
        what={
          <Choice
            label={t('what')}
            placeholder={t('everything')}
            data={(superuser ? superuserGroups : auditGroups).map(value => ({ value, label: t(`group.${value}`) }))}
            value={search.group ?? null}
            onChange={group => update({ group: group ?? undefined })}
            clearable
          />
        }
        who={t('who')}
        people={people.data}
      >
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
      </Choices>
    </search>
  )
}
