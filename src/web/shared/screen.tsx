/** The frame of every screen, and its faces in this order: loading, failed, empty. */
import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { isWorthAnotherTry, messageOf, Refused } from './api.ts'
import { PrintHead } from './printHead.tsx'
import { useBranding } from './session.ts'
import classes from './screen.module.css'

import { Placeholders } from '../ui/emptyStates.tsx'

export { ClearFilters, Empty, Placeholders } from '../ui/emptyStates.tsx'

/** The browser's title: the screen, then the site. */
export function usePageTitle(title: string) {
  const { name } = useBranding()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
}

/**
 * Drawn by the frame at the top of a screen: the way back above its title, and the row of links with its own tabs among them. Without a frame
 * there are only these.
 */
type DoorOfScreen = { back: ReactNode; row: (tabs: ReactNode) => ReactNode }
const Door = createContext<DoorOfScreen>({ back: null, row: tabs => tabs })
export const DoorOf = Door.Provider

type ScreenProps = {
  title: string
  /** A number beside the title; left out while it is not known. */
  badge?: number | undefined
  /** The meaning of the number beside the title, for screen readers. */
  badgeLabel?: string | undefined
  actions?: ReactNode
  /** The screen's own tabs, which stand in the row of links of its door. */
  tabs?: ReactNode
  children: ReactNode
}

/** A screen: title, actions, content. Sets the browser's title. */
export function Screen({ title, badge, badgeLabel, actions, tabs = null, children }: ScreenProps) {
  const { i18n } = useTranslation()
  usePageTitle(title)
  const number = badge === undefined ? undefined : formatNumber(badge, i18n.language)
  const screen = useRef<HTMLDivElement>(null)
  const door = use(Door)
  return (
    <div ref={screen} className={classes.screen}>
      {door.back}
      <Group justify="space-between" align="center" gap="sm" mb="xs" mih={36}>
        <Group gap="xs" align="center">
          <Title order={1}>{title}</Title>
          {/* before its number is known it keeps the room, and nothing moves when that comes */}
          {badgeLabel !== undefined && (
            <Badge
              size="lg"
              {...(number === undefined
                ? { 'aria-hidden': true, className: classes.unknown }
                : { 'aria-label': `${number} ${badgeLabel}` })}
            >
              {number ?? 0}
            </Badge>
          )}
        </Group>
        {actions && (
          <Group gap="xs" maw="100%" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {door.row(tabs)}
      <PrintHead screen={screen} />
      {children}
    </div>
  )
}

/** Something could not be loaded: why, and another try where that may help. */
export function Failed({ error, retry }: { error: unknown; retry?: (() => unknown) | undefined }) {
  const { t } = useTranslation()
  const reference = error instanceof Refused ? error.requestId : ''
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('failed')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {reference && (
          <Text size="xs" c="dimmed">
            {t('reference', { id: reference })}
          </Text>
        )}
        {retry && isWorthAnotherTry(error) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => void retry()}
          >
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

type UnansweredProps = {
  error: unknown
  retry: () => unknown
  /** The placeholders while the answer loads: how many, and the height of each in px where it is not that of a line. */
  rows: number
  height?: number
}

/** An answer that is not here: it failed, or it is loading. */
export const Unanswered = ({ error, retry, ...placeholders }: UnansweredProps) =>
  error ? <Failed error={error} retry={retry} /> : <Placeholders {...placeholders} />
