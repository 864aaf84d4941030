import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useWho } from '../session.ts'
import { Screen } from '../ui/screen.tsx'

/** Where a superuser arrives. Language and sign-out are in the account menu, as for everybody. */
export function SuperuserHome() {
  const { t } = useTranslation('home')
  const { fullname, username } = useWho()
  return (
    <Screen title={t('welcome', { name: fullname || username })}>
      <Text>{t('superuserText')}</Text>
    </Screen>
  )
}
