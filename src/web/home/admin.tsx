import { SimpleGrid, Text } from '@mantine/core'
import { IconClipboardCheck, IconListDetails, IconPlus, IconScan } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isHotel } from '#domain/site.ts'
import { useSite, useWho } from '../session.ts'
import { Screen } from '../ui/screen.tsx'
import { Door } from './door.tsx'

const doors = [
  { to: '/admin/operations', icon: IconClipboardCheck, title: 'nav:operationsDesk', text: 'home:deskText' },
  { to: '/admin/intake', icon: IconScan, title: 'nav:intake', text: 'home:intakeText' },
  { to: '/operations', icon: IconListDetails, title: 'nav:operations', text: 'home:overviewText' },
  { to: '/wizard/step1', icon: IconPlus, title: 'nav:newOperation', text: 'home:newText' },
] as const

/** SPEC §2 "Admin home": operations and intake are hidden in fleetonly. */
export function AdminHome() {
  const { t } = useTranslation(['home', 'nav'])
  const { mode } = useSite()
  const { fullname, username } = useWho()
  return (
    <Screen title={t('home:welcome', { name: fullname || username })}>
      {isHotel(mode) && (
        <>
          <Text c="dimmed" mb="md">
            {t('home:adminHeading')}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }} spacing="md">
            {doors.map(({ to, icon, title, text }) => (
              <Door key={to} to={to} icon={icon} title={t(title)} text={t(text)} />
            ))}
          </SimpleGrid>
        </>
      )}
    </Screen>
  )
}
