/** The parts of the fleet that need attention today, as a list of work (docs/product/tyres.md "Fleet health"). */
import { Paper, Skeleton, Text, Title } from '@mantine/core'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCar,
  IconChevronRight,
  IconCircleCheck,
  IconHourglass,
  IconTrendingDown,
  IconPuzzle,
  IconRuler2,
  IconSnowflake,
  IconTruckDelivery,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls, type HealthLine } from '#contract/fleet.ts'
import { type MountedQuestion, mounts } from '#contract/mounts.ts'
import type { Answer } from '#contract/call.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { isHotel } from '#domain/site.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useAnswer } from '../shared/api.ts'
import { Failed } from '../shared/screen.tsx'
import { useActing, useSite } from '../shared/session.ts'
import classes from './home.module.css'

type Health = Answer<typeof calls.health>
type Line = {
  id:
    | 'illegal'
    | 'worn'
    | 'reaching'
    | 'lackingWinter'
    | 'withoutWinter'
    | 'longStored'
    | 'incomplete'
    | 'unmeasured'
    | 'delivered'
    | 'mounts'
  icon: TablerIcon
  /** The number of findings. */
  count: number
  /** Its vehicles, the first of them by name. */
  finding?: HealthLine
  to: Pick<LinkProps, 'to' | 'search'>
}

const everywhere = { tab: 'tyres', status: '' } as const

/** The lines with findings, the most urgent first. */
function linesOf(health: Health, questions: readonly MountedQuestion[]): Line[] {
  const line = (id: Exclude<Line['id'], 'delivered' | 'mounts'>, icon: TablerIcon, to: Line['to']): Line[] => {
    const finding = health[id]
    return finding && finding.finding_count > 0 ? [{ id, icon, count: finding.finding_count, finding, to }] : []
  }
  const lacking = line('lackingWinter', IconSnowflake, { to: '/fleet', search: { sets: 'lackingWinter' } })
  return [
    ...line('illegal', IconAlertOctagon, { to: '/tyres', search: { ...everywhere, verdict: 'illegal' } }),
    ...line('worn', IconAlertTriangle, { to: '/tyres', search: { ...everywhere, verdict: 'worn' } }),
    ...line('reaching', IconTrendingDown, { to: '/tyres', search: { ...everywhere, verdict: 'reaching' } }),
    ...(lacking.length > 0
      ? lacking
      : line('withoutWinter', IconSnowflake, { to: '/fleet', search: { sets: 'noWinter' } })),
    ...mountLine(questions),
    ...line('incomplete', IconPuzzle, { to: '/fleet', search: { sets: 'incomplete' } }),
    ...line('longStored', IconHourglass, { to: '/tyres', search: { tab: 'tyres', long: true } }),
    ...line('unmeasured', IconRuler2, { to: '/tyres', search: { ...everywhere, verdict: 'unknown' } }),
    ...(health.delivered && health.delivered.operation_count > 0
      ? [
          {
            id: 'delivered' as const,
            icon: IconTruckDelivery,
            count: health.delivered.tyre_count,
            to: { to: '/operations', search: { tab: 'completed' } } as const,
          },
        ]
      : []),
  ]
}

/** Questions that the records leave open about mounted tyres; the button opens the first vehicle, where each is answered. */
function mountLine(questions: readonly MountedQuestion[]): Line[] {
  const vehicles = [...new Map(questions.map(question => [question.flt_id, question])).values()]
  const [first] = vehicles
  if (!first) return []
  return [
    {
      id: 'mounts',
      icon: IconCar,
      count: questions.length,
      finding: {
        finding_count: questions.length,
        vehicle_count: vehicles.length,
        first_vehicles: vehicles.slice(0, 3),
      },
      to: { to: '/fleet/vehicle', search: { id: first.flt_id } },
    },
  ]
}

/** The findings that need attention. The home screen waits for them: their number is unknown, and content below must not jump. */
export function useFleetHealth() {
  const acting = useActing()
  return useAnswer(calls.health, acting ? { seq_id: acting.seq_id } : {})
}

/** With a hotel, the table of storage that is unchanged says which tyres lie for long. */
export function FleetHealth() {
  const { t } = useTranslation('home')
  const { mode } = useSite()
  const health = useFleetHealth()
  const acting = useActing()
  const mounted = useAnswer(mounts.fleet, acting ? { seq_id: acting.seq_id } : {}, { muted: true })
  return (
    <Paper component="section" aria-labelledby="health" className={classes.health}>
      <Title order={2} id="health" mb="xs">
        {t('health.title')}
      </Title>
      {health.data ? (
        <Lines
          lines={linesOf(health.data, mounted.data?.questions ?? []).filter(
            ({ id }) => id !== 'longStored' || !isHotel(mode),
          )}
        />
      ) : health.isError ? (
        <Failed error={health.error} retry={health.refetch} />
      ) : (
        <Skeleton height={180} />
      )}
    </Paper>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const { t, i18n } = useTranslation('home')
  const country = countryOf(useSite().time_zone)
  const place = country ? new Intl.DisplayNames(i18n.language, { type: 'region' }).of(country) : ''
  if (lines.length === 0)
    return (
      <Text size="sm" className={classes.healthy}>
        <IconCircleCheck size={20} stroke={1.7} aria-hidden /> {t('health.nothing')}
      </Text>
    )
  return (
    <ul className={classes.lines}>
      {lines.map(({ id, icon: Icon, count, finding, to }) => (
        <li key={id} data-line={id}>
          <Link {...to}>
            <Icon size={22} stroke={1.7} aria-hidden />
            <span>
              <Text span display="block" fw={600}>
                {t(`health.${id}`, { count })}
              </Text>
              <Text span display="block" size="sm" c="dimmed">
                {finding ? <Which finding={finding} /> : t('health.deliveredHint')}
                {id === 'lackingWinter' && ` ${t('health.byLaw', { country: place })}`}
              </Text>
            </span>
            <IconChevronRight size={20} stroke={1.7} aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The plates of the first vehicles, and how many more there are. */
function Which({ finding: { vehicle_count, first_vehicles } }: { finding: HealthLine }) {
  const { t } = useTranslation('home')
  // in a sentence a plate breaks at its dashes, unless they are no-break hyphens
  const plates = first_vehicles
    .map(({ license_plate }) => formatPlate(license_plate))
    .join(', ')
    .replaceAll('-', '\u2011')
  const more = vehicle_count - first_vehicles.length
  return <>{more > 0 ? t('health.andMore', { plates, count: more }) : plates}</>
}
