import { SimpleGrid, Text } from '@mantine/core'
import { IconChevronRight, IconClipboardCheck, IconListDetails, IconPlus, IconScan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isHotel } from '#domain/site.ts'
import { useSite, useWho } from '../session.ts'
import { Screen } from '../ui/screen.tsx'
import classes from './home.module.css'

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
            {doors.map(({ to, icon: Icon, title, text }) => (
              <Link key={to} to={to} className={classes.door}>
                <Icon size={28} stroke={1.6} aria-hidden />
                <span>
                  <span className={classes.doorTitle}>{t(title)}</span>
                  <span className={classes.doorText}>{t(text)}</span>
                </span>
                <IconChevronRight size={18} aria-hidden className={classes.doorOpens} />
              </Link>
            ))}
          </SimpleGrid>
        </>
      )}
    </Screen>
  )
}
