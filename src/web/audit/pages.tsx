/** Pages of events, newest first: of the audit and of security events. */
import { Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'

/** Where a page ends: the next one follows it. */
export type Last = { readonly at: string; readonly _id: number }

export type Pages = {
  /** The last entry of each page before the one that is shown. */
  readonly before: readonly Last[]
  readonly last: Last | undefined
  readonly goTo: (to: readonly Last[]) => void
}

export function usePages(): Pages {
  const [before, setBefore] = useState<readonly Last[]>([])
  return {
    before,
    last: before.at(-1),
    goTo(to) {
      setBefore(to)
      scrollTo({ top: 0 })
    },
  }
}

type PagerProps = {
  pages: Pages
  /** The entries of this page, and whether there are older ones. */
  entries: readonly Last[]
  more: boolean
  waiting: boolean
  /** Its name for screen readers. */
  label: string
}

export function Pager({ pages: { before, goTo }, entries, more, waiting, label }: PagerProps) {
  const { t } = useTranslation('audit')
  if (!more && before.length === 0) return null
  return (
    <Group component="nav" aria-label={label} justify="flex-end" gap="xs" mt="sm">
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
        onClick={() => goTo([...before, ...entries.slice(-1).map(({ at, _id }) => ({ at, _id }))])}
      >
        {t('older')}
      </Button>
    </Group>
  )
}
