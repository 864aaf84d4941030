/** The filters of the audit and of the security log; on a phone all but the words are behind a button that says how many are set. */
import { Button } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { hotelconfig } from '#contract/config.ts'
import { type IsoDate, periodProblem } from '#domain/texts/date.ts'
import { useAnswer } from '../shared/api.ts'
import { usePeriodComplaint } from '../shared/period.ts'
import { useWho } from '../shared/session.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { CollapsedOnPhone } from '../ui/collapsedOnPhone.tsx'
import { DateField } from '../ui/dateField.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { Choice } from '../ui/select.tsx'
import { useTranslation } from '../ui/texts.ts'
import type { LogName } from './columns.tsx'
import classes from './logs.module.css'

type Days = { readonly from?: IsoDate; readonly to?: IsoDate }
/** The filters of the address that both logs have. */
export type LogSearch = Days & { readonly search?: string; readonly account?: number; readonly site?: number }
export type Person = { readonly _id: number; readonly username: string; readonly fullname: string }

/** Whether a period ends before it begins: nothing is asked for. */
export const isBackwards = ({ from, to }: Days): boolean =>
  from !== undefined && to !== undefined && periodProblem({ from, to }) !== null

/** Changes some of the filters of the address, where an empty one does not stand. */
export const updating =
  <Search extends LogSearch>(search: Search, change: (search: Search) => void) =>
  (part: Readonly<Record<string, unknown>>): void => {
    const filters = Object.entries({ ...search, ...part })
    change(Object.fromEntries(filters.filter(([, value]) => value !== undefined && value !== '')) as Search)
  }

export type FiltersProps<Search extends LogSearch> = {
  name: LogName
  /** The filters of the address, and what changes them. */
  search: Search
  change: (search: Search) => void
  people: readonly Person[] | undefined
  /** Filters of this log alone. */
  what: ReactNode
  /** The choice of a customer, which superusers do not have. */
  customer?: ReactNode
  hasWords?: boolean | undefined
}

export function Filters<Search extends LogSearch>({
  name,
  search,
  change,
  people,
  what,
  customer,
  hasWords = false,
}: FiltersProps<Search>) {
  const { t } = useTranslation(['audit', 'security', 'common'])
  const superuser = useWho().type === 'superuser'
  const complaint = usePeriodComplaint()
  // remounted when the filters are cleared
  const [cleared, setCleared] = useState(0)
  const { search: words = '', ...chosen } = search
  const update = updating(search, change)
  return (
    <search className={classes.filters} data-few={!hasWords || undefined}>
      {hasWords && (
        <FilterField
          key={`search ${cleared}`}
          label={t('filterLabel')}
          placeholder={t('filter')}
          value={words}
          settle={typed => update({ search: typed.trim() })}
          className={classes.search}
        />
      )}
      <CollapsedOnPhone
        label={t('common:filters')}
        icon={<IconFilter size={18} aria-hidden />}
        count={Object.values(chosen).filter(choice => choice !== undefined).length}
      >
        {what}
        <AccountChoice
          label={t(`${name}:who`)}
          people={people}
          value={search.account}
          onChange={account => update({ account })}
        />
        {superuser ? (
          <SiteChoice value={search.site} onChange={site => update({ site, account: undefined })} />
        ) : (
          customer
        )}
        <DateField
          label={t('from')}
          value={search.from ?? null}
          onChange={day => update({ from: day ?? undefined })}
          clearable
        />
        <DateField
          label={t('to')}
          value={search.to ?? null}
          onChange={day => update({ to: day ?? undefined })}
          error={complaint(search)}
          clearable
        />
        <Button
          className={classes.clear}
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={18} aria-hidden />}
          onClick={() => {
            setCleared(times => times + 1)
            change({} as Search)
          }}
          {...ariaDisabledWhen(Object.keys(search).length === 0)}
        >
          {t('clear')}
        </Button>
      </CollapsedOnPhone>
    </search>
  )
}

type ChosenProps = { value: number | undefined; onChange: (chosen: number | undefined) => void }

function AccountChoice({
  people = [],
  label,
  ...chosen
}: ChosenProps & { people: readonly Person[] | undefined; label: string }) {
  const { t } = useTranslation('audit')
  const { value } = chosen
  const names = people.map(({ _id, username, fullname }) => ({
    value: String(_id),
    label: fullname ? `${fullname} (${username})` : username,
  }))
  // an account without recent entries, or whose name is not loaded yet
  if (value !== undefined && !names.some(name => name.value === String(value)))
    names.unshift({ value: String(value), label: `#${value}` })
  return <IdChoice label={label} placeholder={t('everybody')} data={names} {...chosen} />
}

function SiteChoice(chosen: ChosenProps) {
  const { t } = useTranslation('audit')
  const { data = [] } = useAnswer(hotelconfig.getall, {})
  const names = data.map(({ _id, name }) => ({ value: String(_id), label: name }))
  return <IdChoice label={t('site')} placeholder={t('allSites')} data={names} {...chosen} />
}

type IdChoiceProps = ChosenProps & { label: string; placeholder: string; data: { value: string; label: string }[] }

const IdChoice = ({ value, onChange, ...choice }: IdChoiceProps) => (
  <Choice
    {...choice}
    value={value === undefined ? null : String(value)}
    onChange={id => onChange(id === null ? undefined : Number(id))}
    searchable
    clearable
  />
)
