/** What was done, by whom and for whom: an administrator's site, a superuser's sites and dictionary (docs/product.md "Audit"). */
import { Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { audit as calls, type AuditFilter, entriesInFile } from '#contract/audit.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Entries } from './entries.tsx'
import { ExportButton } from './exportButton.tsx'
import { Filters, type Wanted } from './filters.tsx'
import { Pager, usePages } from './pages.tsx'

export function Audit() {
  const { t } = useTranslation('audit')
  const wanted = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate()
  const filter = filterOf(wanted)
  const download = (
    <ExportButton
      fetch={() => ask(calls.export, filter)}
      file={t('fileName')}
      some={t('exportedSome', { count: entriesInFile })}
    />
  )
  return (
    <Screen title={t('title')} actions={download}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('text')}
      </Text>
      <Filters
        wanted={wanted}
        change={next => void navigate({ to: '/admin/audit', search: next, replace: true, resetScroll: false })}
      />
      {/* other filters begin on the first page */}
      <Found key={JSON.stringify(filter)} filter={filter} />
    </Screen>
  )
}

/** What the address says, as it is asked. */
const filterOf = ({ search, group, account, customer, site, from, to }: Wanted): AuditFilter => ({
  ...(search && { search }),
  ...(group && { group }),
  ...(account !== undefined && { account }),
  ...(customer !== undefined && { seq_id: customer }),
  ...(site !== undefined && { site }),
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

function Found({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const pages = usePages()
  const page = useAnswer(calls.list, { ...filter, ...(pages.last && { last: pages.last }) }, { keep: true })
  if (!page.data) return page.isError ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={10} />
  const { entries, more } = page.data
  if (entries.length === 0 && pages.before.length === 0)
    return <Empty text={t(Object.keys(filter).length === 0 ? 'empty' : 'noneFound')} />
  const waiting = page.isPlaceholderData
  return (
    <>
      <Entries entries={entries} waiting={waiting} />
      <Pager pages={pages} entries={entries} more={more} waiting={waiting} label={t('pages')} />
    </>
  )
}
