/** The line above the audit and the security log. */
import { type ReactNode, useState } from 'react'
import { hotelconfig } from '#contract/config.ts'
import { type IsoDate, periodProblem } from '#domain/texts/date.ts'
import { useAnswer } from '../shared/api.ts'
import { usePeriodComplaint } from '../shared/period.ts'
import { useWho } from '../shared/session.ts'
import { DateField } from '../ui/dateField.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { type Chip, lineClasses, ListLine, type ListLineProps } from '../ui/listLine.tsx'
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
  /** Filters of this log alone, and the ones of them that are set. */
  what: ReactNode
  chips: readonly (Chip | false)[]
  /** The choice of a customer, which superusers do not have. */
  customer?: ReactNode
  hasWords?: boolean | undefined
} & Pick<ListLineProps, 'views'>

export function Filters<Search extends LogSearch>({
  name,
  search,
  change,
  people,
  what,
  customer,
  hasWords = false,
  chips,
  views,
  actions = [],
}: FiltersProps<Search> & Pick<ListLineProps, 'actions'>) {
  const { t } = useTranslation(['audit', 'security', 'common'])
  const superuser = useWho().type === 'superuser'
  const complaint = usePeriodComplaint()
  // remounted when the filters are cleared
  const [cleared, setCleared] = useState(0)
  const { search: words = '', account, site, from, to } = search
  const update = updating(search, change)
  return (
    <search>
      <ListLine
        search={
          hasWords && (
            <FilterField
              key={`search ${cleared}`}
              label={t('filterLabel')}
              placeholder={t('filter')}
              value={words}
              settle={typed => update({ search: typed.trim() })}
              className={classes.search}
            />
          )
        }
        fields={
          <>
            <DateField
              label={t('from')}
              value={from ?? null}
              onChange={day => update({ from: day ?? undefined })}
              clearable
              className={lineClasses.named}
            />
            <DateField
              label={t('to')}
              value={to ?? null}
              onChange={day => update({ to: day ?? undefined })}
              error={complaint(search)}
              clearable
              className={lineClasses.named}
            />
          </>
        }
        fieldsSet={[from, to].filter(day => day !== undefined).length}
        filters={
          <>
            {what}
            <AccountChoice
              label={t(`${name}:who`)}
              people={people}
              value={account}
              onChange={chosen => update({ account: chosen })}
            />
            {superuser ? (
              <SiteChoice value={site} onChange={chosen => update({ site: chosen, account: undefined })} />
            ) : (
              customer
            )}
          </>
        }
        chips={[
          ...chips,
          account !== undefined && {
            key: 'account',
            label: nameOf(people?.find(({ _id }) => _id === account)) ?? t(`${name}:who`),
            clear: () => update({ account: undefined }),
          },
          superuser &&
            site !== undefined && {
              key: 'site',
              label: t('site'),
              clear: () => update({ site: undefined, account: undefined }),
            },
        ]}
        clear={() => {
          setCleared(times => times + 1)
          change({} as Search)
        }}
        views={views}
        actions={actions}
      />
    </search>
  )
}

const nameOf = (person: Person | undefined): string | undefined =>
  person && (person.fullname ? `${person.fullname} (${person.username})` : person.username)

type ChosenProps = { value: number | undefined; onChange: (chosen: number | undefined) => void }

function AccountChoice({
  people = [],
  label,
  ...chosen
}: ChosenProps & { people: readonly Person[] | undefined; label: string }) {
  const { t } = useTranslation('audit')
  const { value } = chosen
  const names = people.map(person => ({ value: String(person._id), label: nameOf(person) ?? '' }))
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
