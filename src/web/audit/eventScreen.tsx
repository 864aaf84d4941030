/** Shared by the audit and security events: a screen with filters and a download, and pages of events. */
import { Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { type Days, isBackwards } from './choices.tsx'
import { ExportButton, type ExportButtonProps } from './exportButton.tsx'
import { type Last, Pager, type Pages } from './pages.tsx'

type EventScreenProps = Omit<ExportButtonProps, 'disabled'> & {
  title: string
  text: string
  /** The named views of the list, if it has any. */
  views?: ReactNode
  filters: ReactNode
  period: Days
  /** The events of the period. */
  children: ReactNode
}

export function EventScreen({ title, text, views, filters, period, children, ...download }: EventScreenProps) {
  const { t } = useTranslation('audit')
  const backwards = isBackwards(period)
  return (
    <Screen title={title} actions={views}>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {filters}
      <Group justify="flex-end" mb="xs">
        <ExportButton {...download} disabled={backwards} />
      </Group>
      {backwards ? <Empty text={t('noneFound')} /> : children}
    </Screen>
  )
}

type EventPageProps<Row> = {
  /** The answer with the page. */
  page: Pick<UseQueryResult<{ more: boolean }, Error>, 'data' | 'isError' | 'error' | 'refetch' | 'isPlaceholderData'>
  rows: readonly Row[] | undefined
  pages: Pages
  /** The text without any event. */
  empty: string
  /** The name of the pager for screen readers. */
  label: string
  children: (rows: readonly Row[], waiting: boolean) => ReactNode
}

export function EventPage<Row extends Last>({ page, rows, pages, empty, label, children }: EventPageProps<Row>) {
  if (!page.data || !rows)
    return page.isError && page.error ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={10} />
  if (rows.length === 0 && pages.before.length === 0) return <Empty text={empty} />
  const waiting = page.isPlaceholderData
  return (
    <>
      {children(rows, waiting)}
      <Pager pages={pages} entries={rows} more={page.data.more} waiting={waiting} label={label} />
    </>
  )
}
