/** The filters that the audit and security events share: by whom, where and when. */
import { Button } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig } from '#contract/hotelconfig.ts'
import { type IsoDate, periodProblem } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { CollapsedOnPhone } from '../ui/collapsedOnPhone.tsx'
import { Choice } from '../ui/select.tsx'
import { usePeriodComplaint } from '../shared/period.ts'
import { DateField } from '../ui/dateField.tsx'
import classes from './audit.module.css'

type ChosenProps = { value: number | undefined; onChange: (chosen: number | undefined) => void }

type Person = { _id: number; username: string; fullname: string }

function AccountChoice({
  people = [],
  label,
  value,
  onChange,
}: ChosenProps & { people: readonly Person[] | undefined; label: string }) {
  const { t } = useTranslation('audit')
  const names = people.map(({ _id, username, fullname }) => ({
    value: String(_id),
    label: fullname ? `${fullname} (${username})` : username,
  }))
  // an account without recent entries, or whose name is not loaded yet
  if (value !== undefined && !names.some(name => name.value === String(value)))
    names.unshift({ value: String(value), label: `#${value}` })
  return (
    <Choice
      label={label}
      placeholder={t('everybody')}
      data={names}
      value={value === undefined ? null : String(value)}
      onChange={id => onChange(id === null ? undefined : Number(id))}
      searchable
      clearable
    />
  )
}

const nothing = {}

export function SiteChoice({ value, onChange }: ChosenProps) {
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

export type Days = { from?: IsoDate | undefined; to?: IsoDate | undefined }

/** Whether a period ends before it begins: nothing is fetched. */
export const isBackwards = ({ from, to }: Days): boolean =>
  from !== undefined && to !== undefined && periodProblem({ from, to }) !== null

function Period({ from, to, onChange }: Days & { onChange: (part: Days) => void }) {
  const { t } = useTranslation('audit')
  const complaint = usePeriodComplaint()
  return (
    <>
      <DateField
        label={t('from')}
        value={from ?? null}
        onChange={day => onChange({ from: day ?? undefined })}
        clearable
        className={classes.day}
      />
      <DateField
        label={t('to')}
        value={to ?? null}
        onChange={day => onChange({ to: day ?? undefined })}
        error={complaint({ from, to })}
        clearable
        className={classes.day}
      />
    </>
  )
}

function ClearFilters({ disabled, clear }: { disabled: boolean; clear: () => void }) {
  const { t } = useTranslation('audit')
  return (
    <Button
      className={classes.clear}
      variant="subtle"
      color="gray"
      leftSection={<IconFilterOff size={18} aria-hidden />}
      onClick={clear}
      {...ariaDisabledWhen(disabled)}
    >
      {t('clear')}
    </Button>
  )
}

type Chosen = Days & { account?: number | undefined }

type ChoicesProps = {
  /** The filter of the address. The words that are searched for are no choice. */
  search: Chosen & { search?: string | undefined }
  update: (part: Chosen) => void
  clear: () => void
  what: ReactNode
  /** The name of the choice of an account, and whose there are. */
  who: string
  people: readonly Person[] | undefined
  /** Filters that only one of the lists has. */
  children: ReactNode
}

/** The choices of a filter, on a phone behind a button that says how many are set. */
export function Choices({ search, update, clear, what, who, people, children }: ChoicesProps) {
  const { t } = useTranslation()
  const { search: _, ...chosen } = search
  return (
    <CollapsedOnPhone
      label={t('filters')}
      icon={<IconFilter size={18} aria-hidden />}
      count={Object.values(chosen).filter(choice => choice !== undefined).length}
    >
      {what}
      <AccountChoice label={who} people={people} value={search.account} onChange={account => update({ account })} />
      {children}
      <Period from={search.from} to={search.to} onChange={update} />
      <ClearFilters disabled={Object.keys(search).length === 0} clear={clear} />
    </CollapsedOnPhone>
  )
}

/** Without empty filters, which are not in the address. */
export const without = <Wanted extends object>(wanted: Record<string, unknown>): Wanted =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== '')) as Wanted
