/** The customer's home (docs/product.md "Home screens"). */
import { Button, Paper, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCar,
  IconCircleCheck,
  IconPencil,
  IconPlus,
  IconSend,
  IconWheel,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, Vehicle } from '#contract/wire.ts'
import { useFleet, useOperations, useSite, useWho } from '../shared/session.ts'
import { formatDate, formatDepth } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { countOperations, lastMonth } from '../shared/operation/completed.ts'
import { Failed, Screen } from '../shared/screen.tsx'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import { unchangedSince, unchangedStock } from './counts.ts'
import { Door } from './door.tsx'
import { FinishedOperations, TyreCounts } from './figures.tsx'
import classes from './home.module.css'

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
      ) : fleet.data && operations.data ? (
        <Stack gap="lg">
          <Counters operations={operations.data} />
          <div className={classes.figures}>
            <FinishedOperations operations={operations.data} />
            <TyreCounts fleet={fleet.data} />
          </div>
          <UnchangedStock fleet={fleet.data} />
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
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {counters.map(({ tab }) => (
          <Skeleton key={tab} className={classes.counterPlace} />
        ))}
      </SimpleGrid>
      <div className={classes.figures}>
        <Skeleton height={320} />
        <Skeleton height={320} />
      </div>
      <Skeleton height={260} />
    </Stack>
  )
}

function Counters({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation('home')
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
          <span className={classes.count}>{counts[tab]}</span>
          <span className={classes.counterHint}>{t(hint, { date: formatDate(lastMonth(today).startDate) })}</span>
        </Link>
      ))}
    </SimpleGrid>
  )
}

/** So many rows are shown at first; a fleet that has been lying for years has thousands. */
const firstRows = 20

function UnchangedStock({ fleet }: { fleet: readonly Vehicle[] }) {
  const { t, i18n } = useTranslation(['home', 'common'])
  const { allowProfileDepth } = useSite()
  const today = useToday()
  const [rows, setRows] = useState(firstRows)
  const tyres = unchangedStock(fleet, today)
  const rest = Math.min(tyres.length - rows, 200)
  return (
    <Paper
      component="section"
      aria-labelledby="unchanged"
      className={classes.unchanged}
      data-warning={tyres.length > 0 || undefined}
    >
      <div className={classes.unchangedHead}>
        {tyres.length > 0 && <IconAlertTriangle size={24} stroke={1.8} aria-hidden />}
        <div>
          <Title order={2} id="unchanged">
            {t('home:unchangedHeading')}
          </Title>
          <Text size="sm">
            {tyres.length === 0
              ? t('home:unchangedNone')
              : t('home:unchangedText', { count: tyres.length, date: formatDate(unchangedSince(today)) })}
          </Text>
        </div>
      </div>
      {tyres.length > 0 && (
        <Table className={classes.tyres}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('common:tyre.vehicle')}</Table.Th>
              <Table.Th className={classes.wide}>{t('common:tyre.position')}</Table.Th>
              <Table.Th>{t('common:tyre.description')}</Table.Th>
              <Table.Th className={classes.wide}>{t('common:tyre.set')}</Table.Th>
              {allowProfileDepth && (
                <Table.Th className={classes.wide} ta="end">
                  {t('common:tyre.depth')}
                </Table.Th>
              )}
              <Table.Th>{t('home:since')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tyres.slice(0, rows).map(tyre => {
              const set = tyre.tyre_set ?? t('common:tyre.setless')
              const depth =
                tyre.profile_depth === null
                  ? ''
                  : t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })
              return (
                <Table.Tr key={tyre.db_id}>
                  <Table.Td>
                    <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />
                  </Table.Td>
                  <Table.Td className={classes.wide}>{tyre.position}</Table.Td>
                  <Table.Td>
                    {tyre.description}
                    <span className={classes.narrow}>
                      {[tyre.position, set, ...(allowProfileDepth && depth ? [depth] : [])].join(' · ')}
                    </span>
                  </Table.Td>
                  <Table.Td className={classes.wide} {...(tyre.tyre_set === null && { c: 'dimmed' })}>
                    {set}
                  </Table.Td>
                  {allowProfileDepth && (
                    <Table.Td className={classes.wide} ta="end">
                      {depth}
                    </Table.Td>
                  )}
                  <Table.Td className={classes.date}>{formatDate(tyre.status_date)}</Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      )}
      {rest > 0 && (
        <Button variant="subtle" mt="xs" onClick={() => setRows(rows + rest)}>
          {t('home:unchangedMore', { count: rest })}
        </Button>
      )}
    </Paper>
  )
}

/** In fleetonly mode a welcome, the ways to vehicles and tyres, and how many tyres there are. */
export function FleetHome() {
  const { t } = useTranslation('home')
  const { name } = useSite()
  const { fullname, username } = useWho()
  const fleet = useFleet()
  return (
    <Screen title={t('welcome', { name: fullname || username })}>
      <Stack gap="lg">
        <Text size="lg">{t('fleetWelcome', { site: name })}</Text>
        <div className={classes.doors}>
          {doors.map(({ to, icon, title, text }) => (
            <Door key={to} to={to} icon={icon} title={t(title)} text={t(text)} />
          ))}
        </div>
        <div className={classes.fleetFigure}>
          {fleet.data ? (
            <TyreCounts fleet={fleet.data} />
          ) : fleet.isError ? (
            <Failed error={fleet.error} retry={fleet.refetch} />
          ) : (
            <Skeleton height={320} />
          )}
        </div>
      </Stack>
    </Screen>
  )
}

const doors = [
  { to: '/fleet', icon: IconCar, title: 'consultVehicles', text: 'consultVehiclesText' },
  { to: '/tyres', icon: IconWheel, title: 'consultTyres', text: 'consultTyresText' },
] as const satisfies readonly { to: string; icon: TablerIcon; title: string; text: string }[]
