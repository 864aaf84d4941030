/** The portal of a signed-in user: router, dialogs, toasts, and the styles of all components. */
import './mantine.css'
import '@mantine/dates/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { MantineThemeProvider } from '@mantine/core'
import { DatesProvider } from '@mantine/dates'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { RouterProvider } from '@tanstack/react-router'
import dayjs from 'dayjs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from './ui/texts.ts'
import type { Profile } from '#contract/session.ts'
import type { Branding, SiteConfig } from '#contract/wire.ts'
import { isHotel, type Mode } from '#domain/site.ts'
import { confirmIdentity } from './account/confirmIdentity.tsx'
import { say } from './i18n.ts'
import { onSessionExpiring, onStaleSession } from './shared/api.ts'
import { listenLive } from './shared/live.ts'
import { router } from './routes.tsx'
import { isFullConfig, onSignOut, useBranding, useWho } from './shared/session.ts'
import { signInAgain } from './shared/signInAgain.tsx'
import { hasDrafts, isAnythingTyped } from './ui/form/drafts.ts'
import { sayThatInputIsKept } from './ui/form/keptOffer.ts'
import { toastMs } from './ui/notify.ts'
import { PrintArea } from './ui/print.tsx'

export default function Portal() {
  const who = useWho()
  const config = useBranding()
  useKeptScans(who, config)
  useEffect(listenLive, [])
  useEffect(() => onStaleSession(confirmIdentity), [])
  useEffect(() => onSessionExpiring(() => void (isAnythingTyped() && signInAgain())), [])
  useEffect(() => {
    if (hasDrafts()) sayThatInputIsKept(say('common:kept.offered'))
  }, [])
  useScreensOfMode(isFullConfig(config) ? config.mode : null)
  return (
    <Spoken>
      <Dates>
        <ModalsProvider>
          <Notifications autoClose={toastMs} position="bottom-right" pauseResetOnHover="notification" limit={4} />
          <RouterProvider router={router} context={{ who, site: isFullConfig(config) ? config : null }} />
          <PrintArea />
        </ModalsProvider>
      </Dates>
    </Spoken>
  )
}

/** When the site's mode changes, a screen that it no longer has is replaced like an unknown address. */
function useScreensOfMode(mode: Mode | null) {
  const before = useRef(mode)
  useEffect(() => {
    if (before.current !== mode) void router.invalidate()
    before.current = mode
  }, [mode])
}

/** Forgets the history of scans when an administrator signs out. Scans that wait to be sent stay. */
onSignOut(async ({ type }) => {
  if (type !== 'admin') return
  await import('./scanning/scanSender.ts').then(({ forgetHandled }) => forgetHandled()).catch(() => {})
})

/** Sends scans that an earlier visit left on this device on any screen, not only on intake. */
function useKeptScans(who: Profile, config: SiteConfig | Branding) {
  useEffect(() => {
    if (who.type !== 'admin' || !isFullConfig(config) || !isHotel(config.mode)) return
    const start = async () => {
      const { scanSender } = await import('./scanning/scanSender.ts')
      scanSender(config, who)
      scanSender(config, who, 'counts')
    }
    start().catch(() => {
      // The code could not be fetched: the scans stay on the device, and intake fetches it again.
    })
  }, [who, config])
}

/** The accessible names of icon buttons in Mantine's components. */
function Spoken({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const close = { closeButtonProps: { 'aria-label': t('close') } }
  const calendar = {
    ariaLabels: {
      previousMonth: t('calendar.previousMonth'),
      nextMonth: t('calendar.nextMonth'),
      previousYear: t('calendar.previousYear'),
      nextYear: t('calendar.nextYear'),
      previousDecade: t('calendar.previousDecade'),
      nextDecade: t('calendar.nextDecade'),
    },
    clearButtonProps: { 'aria-label': t('clear') },
  }
  const clear = { clearButtonProps: { 'aria-label': t('clear') } }
  return (
    <MantineThemeProvider
      theme={{
        components: {
          Modal: { defaultProps: close },
          Drawer: { defaultProps: close },
          Notification: { defaultProps: close },
          Alert: { defaultProps: { closeButtonLabel: t('close') } },
          DateInput: { defaultProps: calendar },
          DatePicker: { defaultProps: { ariaLabels: calendar.ariaLabels } },
          Select: { defaultProps: clear },
          MultiSelect: { defaultProps: clear },
          Autocomplete: { defaultProps: clear },
        },
      }}
    >
      {children}
    </MantineThemeProvider>
  )
}

/** The names of days and months; English is built in, others are loaded with the language. */
const calendars: Record<string, () => Promise<unknown>> = {
  nl: () => import('dayjs/locale/nl'),
  fr: () => import('dayjs/locale/fr'),
  de: () => import('dayjs/locale/de'),
}

function Dates({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const language = i18n.language
  const [, loaded] = useState('en')
  useEffect(() => {
    void calendars[language]?.().then(() => loaded(language))
  }, [language])
  const locale = language in dayjs.Ls ? language : 'en'
  return <DatesProvider settings={{ locale, firstDayOfWeek: 1, weekendDays: [0, 6] }}>{children}</DatesProvider>
}
