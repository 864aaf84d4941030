/** The screen of the audit and of the security log: filters that the address keeps, a download, and pages of entries, newest first. */
import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Call } from '#contract/call.ts'
import { entriesInFile } from '#contract/logs.ts'
import { today } from '#domain/texts/date.ts'
import { ask, messageOf, useAnswer } from '../shared/api.ts'
import { saveCsvText } from '../shared/saveCsv.ts'
import { Empty, Failed, Screen } from '../shared/screen.tsx'
import { useWho } from '../shared/session.ts'
import type { Column, PhoneForm, RowAttributes } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import type { ListAction } from '../ui/listLine.tsx'
import { notify } from '../ui/notify.ts'
import { useTranslation } from '../ui/texts.ts'
import { type LogName, useZone } from './columns.tsx'
import { Filters, type FiltersProps, isBackwards, type LogSearch, type Person } from './filters.tsx'
import classes from './logs.module.css'

/** The filter as the calls have it. */
type Filter = Readonly<Record<string, unknown>>
type LogCall<Output> = Call<z.ZodType<unknown, Filter>, z.ZodType<Output>>
/** Where a page ends: the next one follows it. */
type Last = { readonly at: string; readonly _id: number }

type ListProps<Row> = {
  name: LogName
  calls: {
    readonly list: LogCall<{ more: boolean }>
    readonly people: LogCall<Person[]>
    readonly export: LogCall<{ csv: string; more: boolean }>
  }
  filter: Filter
  /** The entries of an answer of `list`. */
  entriesOf: (page: never) => readonly Row[]
  columns: readonly Column<Row>[]
  phone: PhoneForm
  rowAttributes: (row: Row) => RowAttributes
}

type LogScreenProps<Row, Search extends LogSearch> = ListProps<Row> & Omit<FiltersProps<Search>, 'people'>

export function LogScreen<Row extends Last, Search extends LogSearch>({
  views,
  search,
  change,
  what,
  customer,
  hasWords,
  chips,
  ...list
}: LogScreenProps<Row, Search>) {
  const { name, calls, filter } = list
  const { t } = useTranslation(['audit', 'security'])
  const superuser = useWho().type === 'superuser'
  const { site } = search
  const people = useAnswer(calls.people, superuser && site !== undefined ? { site } : {}).data
  const backwards = isBackwards(search)
  return (
    <Screen title={t(`${name}:title`)}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`${name}:text`)}
      </Text>
      <Filters
        {...{ name, search, change, people, what, customer, hasWords, chips, views }}
        actions={[useExport({ ...list, disabled: backwards })]}
      />
      {/* other filters begin on the first page */}
      {backwards ? <Empty text={t('noneFound')} /> : <List key={JSON.stringify(filter)} {...list} />}
    </Screen>
  )
}

/** Saves the filtered entries as a CSV file that the server makes. */
function useExport<Row>({ name, calls, filter, disabled }: ListProps<Row> & { disabled: boolean }): ListAction {
  const { t } = useTranslation(['audit', 'security', 'common'])
  const timeZone = useZone()
  const fetched = useMutation({
    mutationFn: () => ask(calls.export, filter),
    onSuccess: ({ csv, more }) => {
      saveCsvText(`${t(`${name}:fileName`)}-${today({ now: new Date(), timeZone })}`, csv)
      notify.success(more ? t(`${name}:exportedSome`, { count: entriesInFile }) : t('common:csv.saved'))
    },
    onError: error => notify.error(messageOf(error)),
  })
  return {
    label: t('common:csv.save'),
    icon: IconDownload,
    disabled,
    busy: fetched.isPending,
    run: () => fetched.mutate(),
  }
}

function List<Row extends Last>({ name, calls, filter, entriesOf, ...table }: ListProps<Row>) {
  const { t } = useTranslation(['audit', 'security'])
  /** The last entry of each page before the one that is shown. */
  const [before, setBefore] = useState<readonly Last[]>([])
  const last = before.at(-1)
  const page = useAnswer(calls.list, { ...filter, ...(last && { last }) }, { keep: true })
  if (!page.data && page.isError) return <Failed error={page.error} retry={page.refetch} />
  const more = page.data?.more === true
  const entries = page.data && entriesOf(page.data as never)
  if (entries?.length === 0 && before.length === 0)
    return <Empty text={t(Object.keys(filter).length === 0 ? `${name}:empty` : 'noneFound')} />
  const waiting = page.isPlaceholderData
  const goTo = (to: readonly Last[]) => {
    setBefore(to)
    scrollTo({ top: 0 })
  }
  return (
    <>
      <DataTable {...table} rows={entries} keyOf={({ _id }) => _id} busy={waiting} className={classes.table} frame />
      {(more || before.length > 0) && (
        <Group component="nav" aria-label={t(`${name}:pages`)} justify="flex-end" gap="xs" mt="sm">
          <Text size="sm" c="dimmed" role="status">
            {t('page', { page: before.length + 1 })}
          </Text>
          <Button
            variant="default"
            leftSection={<IconChevronLeft size={16} aria-hidden />}
            disabled={before.length === 0 || waiting}
            onClick={() => goTo(before.slice(0, -1))}
          >
            {t('newer')}
          </Button>
          <Button
            variant="default"
            rightSection={<IconChevronRight size={16} aria-hidden />}
            disabled={!more || waiting}
            onClick={() => goTo([...before, ...(entries ?? []).slice(-1).map(({ at, _id }) => ({ at, _id }))])}
          >
            {t('older')}
          </Button>
        </Group>
      )}
    </>
  )
}
