/** Placeholders for absent content: grey rows while it loads, or a text for an empty list. */
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconFilterOff, IconInbox } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from './texts.ts'

type EmptyProps = { text: string; icon?: ComponentType<{ size?: number; stroke?: number }>; children?: ReactNode }

/** There is nothing to show, and that is no failure. */
export function Empty({ text, icon: Icon = IconInbox, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" c="dimmed">
      <Icon size={32} stroke={1.4} aria-hidden />
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {children}
    </Stack>
  )
}

/** Nothing is found: the way back to everything. */
export function ClearFilters({ clear }: { clear: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" leftSection={<IconFilterOff size={18} aria-hidden />} onClick={clear}>
      {t('clearFilters')}
    </Button>
  )
}

/** Grey rows while something loads. */
export function Placeholders({ rows, height = 44 }: { rows: number; height?: number }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}
