/** The customer's home (docs/product/screens.md "Home screens"). */
import { Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import {
  IconCar,
  IconCircleCheck,
  IconPencil,
  IconPlus,
  IconSend,
  IconWheel,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import type { Operation } from '#contract/wire.ts'
import { useFleet, useOperations, useSite, useWho } from '../shared/session.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { countOperations, lastMonth } from '../operations/completed.ts'
import { Failed, Screen } from '../shared/screen.tsx'
import { FleetHealth, useFleetHealth } from './health.tsx'
import { CustomerAccount } from '../customers/account.tsx'
import { LinkCard } from './linkCard.tsx'
import { FinishedOperations, TyreCounts } from './figures.tsx'
import classes from './home.module.css'
import { UnchangedStock } from './unchangedStock.tsx'

/** Of a figure that is on its way, in pixels. */
const figureHeightPx = 320

const counters = [
  { tab: 'pending', icon: IconPencil, hint: 'pendingHint' },
  { tab: 'submitted', icon: IconSend, hint: 'submittedHint' },
  { tab: 'completed', icon: IconCircleCheck, hint: 'completedHint' },
] as const satisfies readonly { tab: string; icon: TablerIcon; hint: string }[]

export function HotelHome() {
  const { t } = useTranslation('home')
  const { fullname, username } = useWho()
  const fleet = useFleet()
  const operations = useOperations()
  const health = useFleetHealth()
  const vehicles = fleet.data
  const failed = [fleet, operations].find(answer => answer.isError && !answer.data)
  return (
    <Screen
      title={t('welcome', { name: fullname || username })}
      actions={
        <Button component={Link} to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('newOperation')}
        </Button>
      }
    >
      {failed ? (
        <Failed error={failed.error} retry={failed.refetch} />
      ) : operations.data && !health.isPending ? (
        <Stack gap="lg">
          <FleetHealth />
          <CustomerAccount />
          {vehicles && <UnchangedStock fleet={vehicles} />}
          <Counters operations={operations.data} />
          <div className={classes.figures}>
            <FinishedOperations operations={operations.data} />
            {vehicles ? <TyreCounts fleet={vehicles} /> : <Skeleton height={figureHeightPx} />}
          </div>
        </Stack>
      ) : (
        <Loading />
      )}
    </Screen>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <Stack gap="lg" role="status" aria-label={t('loading')}>
      <Skeleton height={240} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {counters.map(({ tab }) => (
          <Skeleton key={tab} className={classes.counterPlace} />
        ))}
      </SimpleGrid>
      <div className={classes.figures}>
        <Skeleton height={figureHeightPx} />
        <Skeleton height={figureHeightPx} />
      </div>
      <Skeleton height={260} />
    </Stack>
  )
}

function Counters({ operations }: { operations: readonly Operation[] }) {
  const { t, i18n } = useTranslation('home')
  const { time_zone: timeZone } = useSite()
  const today = useToday()
  const counts = countOperations(operations, today, timeZone)
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      {counters.map(({ tab, icon: Icon, hint }) => (
        <Link key={tab} to="/operations" search={{ tab }} state={{ tab }} className={classes.counter} data-tab={tab}>
          <span className={classes.counterName}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {t(tab)}
          </span>
          <span className={classes.count}>{formatNumber(counts[tab], i18n.language)}</span>
          <span className={classes.counterHint}>{t(hint, { date: formatDate(lastMonth(today).startDate) })}</span>
        </Link>
      ))}
    </SimpleGrid>
  )
}

/** In fleetonly mode: a welcome, the ways to vehicles and tyres, and how many tyres there are. */
export function FleetHome() {
  const { t } = useTranslation('home')
  const { name } = useSite()
  const { fullname, username } = useWho()
  const fleet = useFleet()
  const health = useFleetHealth()
  if (health.isPending)
    return (
      <Screen title={t('welcome', { name: fullname || username })}>
        <Loading />
      </Screen>
    )
  return (
    <Screen title={t('welcome', { name: fullname || username })}>
      <Stack gap="lg">
        <Text size="lg">{t('fleetWelcome', { site: name })}</Text>
        <FleetHealth />
        <div className={classes.linkCards}>
          {linkCards.map(({ to, icon, title, text }) => (
            <LinkCard key={to} to={to} icon={icon} title={t(title)} text={t(text)} />
          ))}
        </div>
        <div className={classes.fleetFigure}>
          {fleet.data ? (
            <TyreCounts fleet={fleet.data} />
          ) : fleet.isError ? (
            <Failed error={fleet.error} retry={fleet.refetch} />
          ) : (
            <Skeleton height={figureHeightPx} />
          )}
        </div>
      </Stack>
    </Screen>
  )
}

const linkCards = [
  { to: '/fleet', icon: IconCar, title: 'consultVehicles', text: 'consultVehiclesText' },
  { to: '/tyres', icon: IconWheel, title: 'consultTyres', text: 'consultTyresText' },
] as const satisfies readonly { to: string; icon: TablerIcon; title: string; text: string }[]
