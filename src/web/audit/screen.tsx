/** What was done, by whom and for whom: an administrator's site, a superuser's sites and dictionary (docs/product.md "Audit"). */
import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { audit as calls, type AuditEntry, type AuditFilter, entriesInFile } from '#contract/audit.ts'
import { today } from '#domain/date.ts'
import { ask, messageOf, useAnswer } from '../shared/api.ts'
import { saveFile } from '../ui/download.ts'
import { notify } from '../ui/notify.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Entries } from './entries.tsx'
import { Filters, type Wanted } from './filters.tsx'
import { useZone } from './zone.ts'

export function Audit() {
  const { t } = useTranslation('audit')
  const wanted = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate()
  const filter = filterOf(wanted)
  return (
    <Screen title={t('title')} actions={<ExportButton filter={filter} />}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('text')}
      </Text>
      <Filters
        wanted={wanted}
        change={next => void navigate({ to: '/admin/audit', search: next, replace: true, resetScroll: false })}
      />
      {/* other filters begin on the first page */}
      <Pages key={JSON.stringify(filter)} filter={filter} />
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

function Pages({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  /** The last entry of each page before the one that is shown. */
  const [before, setBefore] = useState<readonly { at: string; _id: number }[]>([])
  const last = before.at(-1)
  const page = useAnswer(calls.list, { ...filter, ...(last && { last }) }, { keep: true })
  if (!page.data) return page.isError ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={10} />
  const { entries, more } = page.data
  if (entries.length === 0 && before.length === 0)
    return <Empty text={t(Object.keys(filter).length === 0 ? 'empty' : 'noneFound')} />
  const turn = (to: readonly { at: string; _id: number }[]) => {
    setBefore(to)
    scrollTo({ top: 0 })
  }
  return (
    <>
      <Entries entries={entries} waiting={page.isPlaceholderData} />
      {(more || before.length > 0) && (
        <Group component="nav" aria-label={t('pages')} justify="flex-end" gap="xs" mt="sm">
          <Text size="sm" c="dimmed" role="status">
            {t('page', { page: before.length + 1 })}
          </Text>
          <Button
            variant="default"
            leftSection={<IconChevronLeft size={16} aria-hidden />}
            disabled={before.length === 0 || page.isPlaceholderData}
            onClick={() => turn(before.slice(0, -1))}
          >
            {t('newer')}
          </Button>
          <Button
            variant="default"
            rightSection={<IconChevronRight size={16} aria-hidden />}
            disabled={!more || page.isPlaceholderData}
            onClick={() => turn([...before, ...lastOf(entries)])}
          >
            {t('older')}
          </Button>
        </Group>
      )}
    </>
  )
}

const lastOf = (entries: readonly AuditEntry[]) => entries.slice(-1).map(({ at, _id }) => ({ at, _id }))

function ExportButton({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const timeZone = useZone()
  const fetched = useMutation({
    mutationFn: () => ask(calls.export, filter),
    onSuccess: ({ csv, more }) => {
      const day = today({ now: new Date(), timeZone })
      saveFile(csv, { name: `${t('fileName')}-${day}.csv`, type: 'text/csv;charset=utf-8' })
      notify.success(more ? t('exportedSome', { count: entriesInFile }) : t('exported'))
    },
    onError: error => notify.error(messageOf(error)),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={fetched.isPending}
      onClick={() => fetched.mutate()}
    >
      {t('export')}
    </Button>
  )
}
