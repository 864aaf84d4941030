/** Who came in, what accounts may do, and what left the portal (docs/product.md "Security events"). */
import { Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { entriesInFile } from '#contract/audit.ts'
import { security as calls, type SecurityFilter } from '#contract/security.ts'
import type { IsoDate } from '#domain/date.ts'
import { type SecurityKind, securityKinds } from '#domain/security.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import classes from './audit.module.css'
import { AccountChoice, ClearFilters, Period, SiteChoice, without } from './choices.tsx'
import { ExportButton } from './exportButton.tsx'
import { Pager, usePages } from './pages.tsx'
import { SecurityEvents } from './securityEvents.tsx'

type Wanted = { kind?: SecurityKind; account?: number; site?: number; from?: IsoDate; to?: IsoDate }

export function Security() {
  const { t } = useTranslation('security')
  const wanted = useSearch({ from: '/admin/security' })
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
        change={next => void navigate({ to: '/admin/security', search: next, replace: true, resetScroll: false })}
      />
      {/* other filters begin on the first page */}
      <Found key={JSON.stringify(filter)} filter={filter} />
    </Screen>
  )
}

/** What the address says, as it is asked. */
const filterOf = ({ from, to, ...wanted }: Wanted): SecurityFilter => ({
  ...wanted,
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

function Filters({ wanted, change }: { wanted: Wanted; change: (wanted: Wanted) => void }) {
  const { t } = useTranslation('security')
  const superuser = useWho().type === 'superuser'
  const { kind, account, site, from, to } = wanted
  const people = useAnswer(calls.people, superuser && site !== undefined ? { site } : {})
  const set = (part: Record<string, unknown>) => change(without({ ...wanted, ...part }))
  return (
    <search className={classes.filters} data-few>
      <Choice
        label={t('what')}
        placeholder={t('everything')}
        data={securityKinds.map(value => ({ value, label: t(`kind.${value}`) }))}
        value={kind ?? null}
        onChange={value => set({ kind: value ?? undefined })}
        clearable
      />
      <AccountChoice
        label={t('who')}
        people={people.data}
        value={account}
        onChange={chosen => set({ account: chosen })}
      />
      {superuser && <SiteChoice value={site} onChange={chosen => set({ site: chosen, account: undefined })} />}
      <Period from={from} to={to} onChange={set} />
      <ClearFilters disabled={Object.keys(wanted).length === 0} clear={() => change({})} />
    </search>
  )
}

function Found({ filter }: { filter: SecurityFilter }) {
  const { t } = useTranslation('security')
  const pages = usePages()
  const page = useAnswer(calls.list, { ...filter, ...(pages.last && { last: pages.last }) }, { keep: true })
  if (!page.data) return page.isError ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={10} />
  const { events, more } = page.data
  if (events.length === 0 && pages.before.length === 0)
    return <Empty text={t(Object.keys(filter).length === 0 ? 'empty' : 'noneFound')} />
  const waiting = page.isPlaceholderData
  return (
    <>
      <SecurityEvents events={events} waiting={waiting} />
      <Pager pages={pages} entries={events} more={more} waiting={waiting} label={t('pages')} />
    </>
  )
}
