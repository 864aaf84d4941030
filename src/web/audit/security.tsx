/** Sign-ins, account changes and exports (docs/product.md "Security events"). */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { entriesInFile } from '#contract/audit.ts'
import { security as calls, type SecurityFilter } from '#contract/security.ts'
import type { IsoDate } from '#domain/date.ts'
import { type SecurityKind, securityKinds } from '#domain/security.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import classes from './audit.module.css'
import { Choices, SiteChoice, without } from './choices.tsx'
import { EventPage, EventScreen } from './eventScreen.tsx'
import { usePages } from './pages.tsx'
import { SecurityEvents } from './securityEvents.tsx'

type SecuritySearch = { kind?: SecurityKind; account?: number; site?: number; from?: IsoDate; to?: IsoDate }

export function Security() {
  const { t } = useTranslation('security')
  const search = useSearch({ from: '/admin/security' })
  const navigate = useNavigate()
  const filter = filterOf(search)
  return (
    <EventScreen
      title={t('title')}
      text={t('text')}
      fetch={() => ask(calls.export, filter)}
      file={t('fileName')}
      some={t('exportedSome', { count: entriesInFile })}
      period={search}
      filters={
        <Filters
          search={search}
          change={next => void navigate({ to: '/admin/security', search: next, replace: true, resetScroll: false })}
        />
      }
    >
      {/* other filters begin on the first page */}
      <Results key={JSON.stringify(filter)} filter={filter} />
    </EventScreen>
  )
}

/** The filter of the address, as the call's input. */
const filterOf = ({ from, to, ...search }: SecuritySearch): SecurityFilter => ({
  ...search,
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

function Filters({ search, change }: { search: SecuritySearch; change: (search: SecuritySearch) => void }) {
  const { t } = useTranslation('security')
  const superuser = useWho().type === 'superuser'
  const { site } = search
  const people = useAnswer(calls.people, superuser && site !== undefined ? { site } : {})
  const update = (part: Record<string, unknown>) => change(without({ ...search, ...part }))
  return (
    <search className={classes.filters} data-few>
      <Choices
        search={search}
        update={update}
        clear={() => change({})}
        what={
          <Choice
            label={t('what')}
            placeholder={t('everything')}
            data={securityKinds.map(value => ({ value, label: t(`kind.${value}`) }))}
            value={search.kind ?? null}
            onChange={kind => update({ kind: kind ?? undefined })}
            clearable
          />
        }
        who={t('who')}
        people={people.data}
      >
        {superuser && <SiteChoice value={site} onChange={chosen => update({ site: chosen, account: undefined })} />}
      </Choices>
    </search>
  )
}

function Results({ filter }: { filter: SecurityFilter }) {
  const { t } = useTranslation('security')
  const pages = usePages()
  const page = useAnswer(calls.list, { ...filter, ...(pages.last && { last: pages.last }) }, { keep: true })
  const empty = t(Object.keys(filter).length === 0 ? 'empty' : 'noneFound')
  return (
    <EventPage page={page} rows={page.data?.events} pages={pages} empty={empty} label={t('pages')}>
      {(events, waiting) => <SecurityEvents events={events} waiting={waiting} />}
    </EventPage>
  )
}
