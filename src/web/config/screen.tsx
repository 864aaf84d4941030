/** The screens /admin/config and /superuser/config. */
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useSearch } from '@tanstack/react-router'
import { hotelconfig as calls } from '#contract/config.ts'
import { labelled } from '../i18n.ts'
import type { SettingsPage } from '../searchParams.ts'
import { useAnswer } from '../shared/api.ts'
import { Screen, Unanswered } from '../shared/screen.tsx'
import { LinkButton } from '../ui/link.tsx'
import { useTranslation } from '../ui/texts.ts'
import { Settings } from './form.tsx'

const loading = { rows: 6, height: 88 }

/** An administrator's own site. */
export function Configuration() {
  const { t } = useTranslation('nav')
  const { page } = useSearch({ from: '/admin/config' })
  const config = useAnswer(calls.adminconfig, {})
  return (
    <Screen title={t(page ? `settingsPage.${page}` : 'settings')}>
      {config.data ? (
        <Settings site={{ saved: config.data, superuser: false }} page={page} />
      ) : (
        <Unanswered error={config.error} retry={config.refetch} {...loading} />
      )}
    </Screen>
  )
}

/** Any site, with the settings reserved for superusers and the accounts of its administrators. */
export function SiteConfiguration() {
  const { t } = useTranslation('sites')
  const { id: inAddress, page } = useSearch({ from: '/superuser/config' })
  const { state } = useLocation()
  const id = inAddress ?? state.id
  if (id === undefined) {
    return (
      <Screen title={t('site')} actions={<ToSites />}>
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('noSite')}
        </Alert>
      </Screen>
    )
  }
  return <SiteWith key={id} id={id} page={page} />
}

const back = { variant: 'subtle', leftSection: <IconArrowLeft size={18} aria-hidden /> } as const

function ToSites() {
  const { t } = useTranslation('sites')
  return (
    <LinkButton to="/superuser" {...back}>
      {t('allSites')}
    </LinkButton>
  )
}

function SiteWith({ id, page }: { id: number; page: SettingsPage | undefined }) {
  const { t } = useTranslation(['sites', 'nav'])
  const config = useAnswer(calls.adminconfig, { id })
  const name = config.data?.name ?? t('sites:site')
  return (
    <Screen
      title={page ? labelled(name, t(`nav:settingsPage.${page}`)) : name}
      actions={
        page ? (
          <LinkButton to="/superuser/config" search={{ id }} {...back}>
            {name}
          </LinkButton>
        ) : (
          <ToSites />
        )
      }
    >
      {config.data ? (
        <Settings site={{ saved: config.data, superuser: true }} page={page} />
      ) : (
        <Unanswered error={config.error} retry={config.refetch} {...loading} />
      )}
    </Screen>
  )
}
