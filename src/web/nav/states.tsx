/** The states of a screen without content: loading, not found, failed. */
import { Button, Stack, Text, Title } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useLocation, useRouter } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { useEffect, useRef, useState } from 'react'
import { Refused } from '../shared/api.ts'
import { checkConnection, useLost } from '../shared/connection.ts'
import { Failed, Placeholders, Screen, usePageTitle } from '../shared/screen.tsx'
import screen from '../shared/screen.module.css'

/** The code or the data of a screen is on its way. */
export function Loading() {
  return (
    <div className={screen.screen}>
      <Placeholders rows={6} />
    </div>
  )
}

/** The screen of any other path. */
export function NotFound() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  usePageTitle(t('notFound'))
  return (
    <div className={screen.screen}>
      <Stack align="center" gap="sm" py="xl" ta="center">
        <Title order={1}>{t('notFound')}</Title>
        <Text c="dimmed">{t('notFoundWhere', { path: pathname })}</Text>
        <Button component={Link} to="/" variant="default" mt="sm">
          {t('goHome')}
        </Button>
      </Stack>
    </div>
  )
}

/** A screen that could not be loaded or has thrown. The rest of the portal keeps working. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  const retry = () => {
    boundary.reset()
    reset()
    void router.invalidate()
  }
  const unloaded =
    !(error instanceof Refused) &&
    error instanceof Error &&
    /dynamically imported module|module script|preload CSS/i.test(error.message)
  if (unloaded) return <Unloaded />
  return (
    <Screen title={t('crashed')}>
      <Failed error={error} retry={retry} />
    </Screen>
  )
}

/**
 * The files of a screen did not load. Without a connection it waits, and reloads the page once the server is back, since browsers cache the failed
 * import. With a connection, a new build has replaced the files.
 */
function Unloaded() {
  const { t } = useTranslation()
  const lost = useLost()
  const [checked, setChecked] = useState(false)
  const waited = useRef(false)
  useEffect(() => {
    void checkConnection().then(() => setChecked(true))
  }, [])
  useEffect(() => {
    if (lost) waited.current = true
    else if (waited.current) location.reload()
  }, [lost])
  if (lost || !checked) return <Loading />
  return (
    <Screen title={t('newVersion')}>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </Screen>
  )
}
