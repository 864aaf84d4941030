/** The faces of a screen that can't be shown: on its way, not there, broken. */
import { Button, Stack, Text, Title } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useLocation, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Refused } from '../shared/api.ts'
import { Failed, Placeholders, Screen, usePageTitle } from '../shared/screen.tsx'
import screen from '../shared/screen.module.css'

/** The code or the data of a screen is on its way. */
export function Waiting() {
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

/** A screen that could not be loaded or has thrown. What is outside of it goes on working. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  const retry = () => {
    boundary.reset()
    reset()
    void router.invalidate()
  }
  // The files of a screen that was built anew are gone: only a reload gets the new ones.
  const outdated =
    !(error instanceof Refused) &&
    error instanceof Error &&
    /dynamically imported module|module script/i.test(error.message)
  return (
    <Screen title={outdated ? t('newVersion') : t('crashed')}>
      {outdated ? (
        <Button onClick={() => location.reload()}>{t('reload')}</Button>
      ) : (
        <Failed error={error} retry={retry} />
      )}
    </Screen>
  )
}
