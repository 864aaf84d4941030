/** Searches the customers of the site and picks one (docs/product/vehicles.md "Fleet management"). */
import { Text, Title, UnstyledButton } from '@mantine/core'
import { IconBuilding, IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Customer } from '#contract/wire.ts'
import { type ActedFor, recentCustomers } from '../shared/acting.ts'
import { useAnswer } from '../shared/api.ts'
import { useActing, useWho } from '../shared/session.ts'
import { useEnterWhenAnswered } from '../ui/hooks.ts'
import { FilterField } from '../ui/filterField.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import classes from './customerSearch.module.css'

/** The most results that the server returns. */
const serverMost = 50

const actedFor = ({ seq_id, name, companyname, city }: Customer): ActedFor => ({
  seq_id,
  name: companyname || name,
  city,
})

/** The person, where the company has not the same name. */
const contactOf = ({ name, companyname }: Customer) => (companyname && !companyname.includes(name) ? name : '')

type SearchProps = {
  choose: (customer: ActedFor) => void
  /** A customer to leave out. */
  not?: number
}

/** With an empty field the recently chosen ones come first, then the first ones of the site. */
export function CustomerSearch({ choose, not }: SearchProps) {
  const { t } = useTranslation('fleetmanagement')
  const { username } = useWho()
  const [wanted, setWanted] = useState('')
  const [typed, setTyped] = useState('')
  const matches = useAnswer(calls.findcustomerbyname, { string: wanted }, { keep: true })
  const recent = wanted.trim() === '' ? recentCustomers(username).filter(({ seq_id }) => seq_id !== not) : []
  const offered = (matches.data ?? []).filter(({ seq_id }) => seq_id !== not)
  const [best] = offered
  const taking = useEnterWhenAnswered(typed === wanted && !matches.isPending && !matches.isPlaceholderData, () => {
    if (best) choose(actedFor(best))
  })
  function move(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return moveByArrows(event)
    // the form around it, if any, has no customer yet
    event.preventDefault()
    if (typed.trim() !== '') taking.enter()
  }
  return (
    // The arrows move through field and results; each is reached with the Tab key as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.search} onKeyDown={move}>
      <FilterField
        label={t('search')}
        placeholder={t('searchHint')}
        value={wanted}
        settle={setWanted}
        onType={text => {
          setTyped(text)
          taking.letter()
        }}
        data-autofocus
        className={classes.field}
      />
      {recent.length > 0 && (
        <section aria-labelledby="recent-customers">
          <Title order={2} id="recent-customers" className={classes.heading}>
            {t('recent')}
          </Title>
          <ul className={classes.results}>
            {recent.map(customer => (
              <Result key={customer.seq_id} customer={customer} choose={choose} />
            ))}
          </ul>
        </section>
      )}
      {matches.data ? (
        <section aria-labelledby="found-customers">
          <Title order={2} id="found-customers" className={classes.heading}>
            <span role="status">
              {matches.data.length === serverMost
                ? t('firstFound', { count: serverMost })
                : t('found', { count: matches.data.length })}
            </span>
          </Title>
          {matches.data.length === 0 ? (
            <Empty text={t('noneFound')} icon={IconBuilding} />
          ) : (
            <ul className={classes.results} aria-busy={matches.isPlaceholderData}>
              {offered.map(customer => (
                <Result
                  key={customer.seq_id}
                  customer={actedFor(customer)}
                  contact={contactOf(customer)}
                  street={customer.street}
                  vehicles={customer.vehicles}
                  choose={choose}
                />
              ))}
            </ul>
          )}
        </section>
      ) : matches.isError ? (
        <Failed error={matches.error} retry={matches.refetch} />
      ) : (
        <Placeholders rows={6} height={52} />
      )}
    </div>
  )
}

type ResultProps = {
  customer: ActedFor
  contact?: string
  street?: string
  vehicles?: number
  choose: (customer: ActedFor) => void
}

function Result({ customer, contact, street, vehicles, choose }: ResultProps) {
  const { t } = useTranslation('fleetmanagement')
  const chosen = useActing()?.seq_id === customer.seq_id
  return (
    <li>
      <UnstyledButton
        className={classes.result}
        data-customer={customer.seq_id}
        aria-current={chosen || undefined}
        onClick={() => choose(customer)}
      >
        <span className={classes.who}>
          <Text span fw={600}>
            {customer.name}
          </Text>
          <Text span size="sm" c="dimmed">
            {[contact, street, customer.city].filter(Boolean).join(' · ')}
          </Text>
        </span>
        {vehicles !== undefined && (
          <Text span size="sm" c="dimmed" className={classes.vehicles}>
            {t('vehicles', { count: vehicles })}
          </Text>
        )}
        {chosen && <IconCheck size={18} role="img" aria-label={t('chosen')} />}
      </UnstyledButton>
    </li>
  )
}

/** Down and up through the field and the results. */
function moveByArrows(event: KeyboardEvent<HTMLDivElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button[data-customer]')]
  const at = stops.findIndex(stop => stop === document.activeElement)
  const next = stops[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
