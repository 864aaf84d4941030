/** The audit: changes of an administrator's site, or of a superuser's sites and dictionary (docs/product.md "Audit"). */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { audit as calls, type AuditFilter, entriesInFile } from '#contract/audit.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { auditSearch } from '../searchParams.ts'
import { useWho } from '../shared/session.ts'
import { ViewMenu } from '../shared/views/viewMenu.tsx'
import { Entries } from './entries.tsx'
import { EventPage, EventScreen } from './eventScreen.tsx'
import { type AuditSearch, Filters } from './filters.tsx'
import { usePages } from './pages.tsx'

export function Audit() {
  const { t } = useTranslation('audit')
  const search = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate()
  const { type } = useWho()
  const filter = filterOf(search)
  return (
    <EventScreen
      title={t('title')}
      text={t('text')}
      fetch={() => ask(calls.export, filter)}
      file={t('fileName')}
      some={t('exportedSome', { count: entriesInFile })}
      period={search}
      views={
        type !== 'superuser' && (
          <ViewMenu
            list="audit"
            filter={search}
            open={view => void navigate({ to: '/admin/audit', search: auditSearch(view) })}
          />
        )
      }
      filters={
        <Filters
          search={search}
          change={next => void navigate({ to: '/admin/audit', search: next, replace: true, resetScroll: false })}
        />
      }
    >
      {/* other filters begin on the first page */}
      <Results key={JSON.stringify(filter)} filter={filter} />
    </EventScreen>
  )
}

/** The filter of the address, as the call's input. */
const filterOf = ({ search, group, account, customer, site, from, to }: AuditSearch): AuditFilter => ({
  ...(search && { search }),
  ...(group && { group }),
  ...(account !== undefined && { account }),
  ...(customer !== undefined && { seq_id: customer }),
  ...(site !== undefined && { site }),
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

function Results({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const pages = usePages()
  const page = useAnswer(calls.list, { ...filter, ...(pages.last && { last: pages.last }) }, { keep: true })
  const empty = t(Object.keys(filter).length === 0 ? 'empty' : 'noneFound')
  return (
    <EventPage page={page} rows={page.data?.entries} pages={pages} empty={empty} label={t('pages')}>
      {(entries, waiting) => <Entries entries={entries} waiting={waiting} />}
    </EventPage>
  )
}
