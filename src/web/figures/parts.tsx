/** Components that the figures share. */
import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatDate } from '../shared/format.ts'
import { Failed } from '../shared/screen.tsx'

/** A figure with its faces: its meaning, and its content once the answer is there. */
export function Figure<T>({
  text,
  answer,
  children,
}: {
  text: string | ((data: T) => string)
  answer: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  children: (data: T) => ReactNode
}) {
  const { data, error, refetch } = answer
  if (data === undefined) return error && <Failed error={error} retry={refetch} />
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {typeof text === 'string' ? text : text(data)}
      </Text>
      {children(data)}
    </>
  )
}

/** The months of an axis, by their first days: `November 2026`, `11/26`. */
export function useMonths(months: readonly string[]) {
  const { i18n } = useTranslation()
  const names = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return months.map(month => ({
    key: month,
    label: names.format(new Date(`${month}T00:00:00Z`)),
    short: formatDate(month).slice(3, 6) + month.slice(2, 4),
  }))
}
