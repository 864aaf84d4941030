/** The administrator's home (docs/product/screens.md "Home screens"): links by mode, and statistics of the customers. */
import { SimpleGrid, Stack } from '@mantine/core'
import {
  IconBuildingCommunity,
  IconClipboardCheck,
  IconFileInvoice,
  IconScan,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { isFleet, isHotel } from '#domain/site.ts'
import { BackupAlert, LatestBackup } from '../sites/backupState.tsx'
import { useSite } from '../shared/session.ts'
import { Screen } from '../shared/screen.tsx'
import { FirstSteps } from './firstSteps.tsx'
import { LinkCard } from './linkCard.tsx'
import { Statistics } from './statistics.tsx'
import { Today } from './today.tsx'

const always = () => true
const linkCards = [
  {
    to: '/admin/operations',
    icon: IconClipboardCheck,
    title: 'nav:orders',
    text: 'home:deskText',
    in: isHotel,
  },
  { to: '/admin/intake', icon: IconScan, title: 'nav:intake', text: 'home:intakeText', in: isHotel },
  { to: '/admin/invoicing', icon: IconFileInvoice, title: 'nav:billing', text: 'home:invoicingText', in: isHotel },
  {
    to: '/admin/fleetmanagement',
    icon: IconBuildingCommunity,
    title: 'nav:fleetManagement',
    text: 'home:fleetManagementText',
    in: isFleet,
  },
  { to: '/admin/customers', icon: IconUsers, title: 'nav:customers', text: 'home:customersText', in: always },
  { to: '/admin/config', icon: IconSettings, title: 'nav:configuration', text: 'home:configText', in: always },
] as const

/** Operations and intake are hidden in fleetonly, and so are the statistics. */
export function AdminHome() {
  const { t } = useTranslation(['home', 'nav'])
  const { mode } = useSite()
  return (
    <Screen title={t('nav:today')}>
      <Stack gap="lg">
        <BackupAlert />
        <FirstSteps />
        {isHotel(mode) && <Today />}
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md">
          {linkCards
            .filter(card => card.in(mode))
            .map(({ to, icon, title, text }) => (
              <LinkCard key={to} to={to} icon={icon} title={t(title)} text={t(text)} />
            ))}
        </SimpleGrid>
        {isHotel(mode) && <Statistics />}
        {!isHotel(mode) && <LatestBackup />}
      </Stack>
    </Screen>
  )
}
