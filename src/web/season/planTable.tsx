/** A season plan: each vehicle with its day, which can be moved; then the result of each. */
import { Alert, Button, Group, Loader, Paper, Progress, Radio, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconCircleCheck, IconSend } from '@tabler/icons-react'
import { type DragEvent, useEffect, useMemo, useState } from 'react'
import type { Translate } from '../ui/texts.ts'
import { useTranslation } from '../ui/texts.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { noParts, preselectedServices, type WornDecision } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { ChangeSeason } from '#domain/season/seasonChange.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { PartsOfWheels } from '../operations/parts.tsx'
import { useServiceName } from '../operations/services.tsx'
import { useSite } from '../shared/session.ts'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { dayName } from '../shared/weekdays.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Choice } from '../ui/select.tsx'
import { countsOf, isWorn, type Planned, refusedFirst } from './rows.ts'
import classes from './season.module.css'
import type { usePlan } from './usePlan.ts'
import { VerdictBadge } from './verdict.tsx'

/** 500 vehicles can be planned at once; as many rows with a choice in each would make a phone wait. */
const pageSize = 100
/** The media type of a dragged row. */
const dragged = 'application/x-wheelhouse-vehicle'
function drag(event: DragEvent<HTMLElement>) {
  event.dataTransfer.setData(dragged, event.currentTarget.dataset['vehicle'] ?? '')
  event.dataTransfer.effectAllowed = 'move'
}

type PlanTableProps = { planning: ReturnType<typeof usePlan>; to: ChangeSeason }

export function PlanTable({ planning, to }: PlanTableProps) {
  const { t } = useTranslation('season')
  const columns = useColumns(planning, to)
  const [page, setPage] = useState(1)
  // it takes the place of a list that may have been scrolled
  useEffect(() => void scrollTo(0, 0), [])
  const { plan, busy, submit, move, decide, drop } = planning
  const vehicles = plan?.vehicles ?? []
  const { without, done, refused, ready } = countsOf(vehicles)
  const mayLeave = useUnsavedGuard(ready > 0, t('unsent', { count: ready }))
  if (!plan) return null
  async function back() {
    // a plan without manual changes can be made again by one click
    const isLost = vehicles.some(({ moved, state }) => moved && state !== 'done')
    if (!isLost || (await mayLeave())) drop()
  }
  const days = new Set(vehicles.flatMap(({ day }) => day ?? [])).size
  return (
    <>
      {!busy && ready > 0 && (
        <>
          <WornSets plan={plan} decide={decide} />
          <PartsThatComeBack plan={plan} decide={decide} />
        </>
      )}
      <Group justify="space-between" gap="sm" mb="sm">
        <div className={classes.made}>
          <Text role="status">
            {t('planned', { count: vehicles.length - without, days: t('onDays', { count: days }) })}
          </Text>
          <PlannedServices plan={plan} />
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            disabled={busy}
            onClick={() => void back()}
          >
            {t('back')}
          </Button>
          {ready > 0 && (
            <Button leftSection={<IconSend size={18} aria-hidden />} loading={busy} onClick={() => void submit()}>
              {t(refused > 0 ? 'again' : 'submit', { count: ready })}
            </Button>
          )}
          {done > 0 && !busy && (
            <LinkButton to="/operations" search={{ tab: 'submitted' }}>
              {t('toOperations')}
            </LinkButton>
          )}
        </Group>
      </Group>
      {busy && <Progress value={((done + refused) / vehicles.length) * 100} aria-label={t('title')} mb="sm" />}
      {without > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} mb="sm">
          {t('withoutDay', { count: without })}
        </Alert>
      )}
      {!busy && done > 0 && (
        <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" mb="sm">
          {t('done', { count: done })}
        </Alert>
      )}
      {!busy && refused > 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" mb="sm">
          {t('refused', { count: refused })}
        </Alert>
      )}
      {!busy && ready + without > 0 && <Days plan={plan} move={move} />}
      <DataTable
        columns={columns}
        rows={refusedFirst(vehicles)}
        paging={paging({ page, size: pageSize, onPage: setPage })}
        keyOf={({ row }) => row.vehicle.flt_id}
        rowAttributes={({ row, state }) => ({
          'data-vehicle': row.vehicle.flt_id,
          'data-state': state,
          ...(!busy && mayMove(state) && { draggable: true, onDragStart: drag }),
        })}
        phone={{
          areas: ['vehicle vehicle', 'tyres verdict', 'day day', 'state state'],
          columns: 'minmax(0, 1fr) auto',
        }}
        frame
      />
    </>
  )
}

const mayMove = (state: Planned['state']): boolean => state === 'planned' || state === 'refused'

type Made = { plan: NonNullable<PlanTableProps['planning']['plan']> }

/** How many of the sets not submitted yet are worn, and the customer's decision (docs/product/tyres.md "Survival check"). */
function WornSets({ plan, decide }: Made & Pick<PlanTableProps['planning'], 'decide'>) {
  const { t } = useTranslation(['season', 'operations'])
  const open = plan.vehicles.filter(({ state }) => state !== 'done')
  const count = open.filter(isWorn).length
  if (count === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="status" mb="sm" data-worn={count}>
      <Stack gap="xs">
        <span>{t('season:worn', { count, total: open.length })}</span>
        <Radio.Group
          aria-label={t('operations:survival.decide')}
          value={plan.wornTyres}
          onChange={value => decide({ wornTyres: value as WornDecision })}
        >
          <Stack gap={6}>
            <Radio value="keep" label={t('operations:survival.keepOut')} />
            <Radio value="quote" label={t('operations:survival.quoteOut')} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Alert>
  )
}

/** Whether anything comes back with the plan. */
const comesBack = ({ wish, vehicles }: Made['plan']): boolean =>
  wish.returns && vehicles.some(({ row }) => row.returns.length > 0)

/** With which rims, bolts and hubcaps the tyres come back: those that each set last had, or the same for all. */
function PartsThatComeBack({ plan, decide }: Made & Pick<PlanTableProps['planning'], 'decide'>) {
  const { t } = useTranslation('season')
  const { parts } = plan
  if (!comesBack(plan)) return null
  return (
    <Paper component="section" aria-label={t('parts')} className={`${classes.parts} wh-noprint`} data-parts>
      <Switch
        label={t('partsAsLast')}
        description={t('partsAsLastHint')}
        checked={parts === null}
        onChange={event => decide({ parts: event.currentTarget.checked ? null : noParts })}
      />
      {parts && <PartsOfWheels shown={parts} change={change => decide({ parts: { ...parts, ...change } })} />}
    </Paper>
  )
}

/** The services of the delivery, and of the tyres that come back. */
function PlannedServices({ plan }: Made) {
  const { t } = useTranslation(['season', 'operations'])
  const { services } = useSite()
  const nameOf = useServiceName()
  const named = (type: OfferedType) => {
    const names = preselectedServices(type, services).map(({ _id }) => nameOf(_id))
    return names.length > 0 ? names.join(', ') : t('operations:noServices')
  }
  return (
    <>
      <Text size="sm" c="dimmed" data-services="to_customer">
        {t('season:servicesOut', { services: named('to_customer') })}
      </Text>
      {comesBack(plan) && (
        <Text size="sm" c="dimmed" data-services="to_stock">
          {t('season:servicesIn', { services: named('to_stock') })}
        </Text>
      )}
    </>
  )
}

type DaysProps = Pick<PlanTableProps['planning'], 'move'> & Made

/** The days that have room, with how many vehicles each gets. A row that is dropped on one moves there; its own choice does the same. */
function Days({ plan: { open, vehicles }, move }: DaysProps) {
  const { t, i18n } = useTranslation('season')
  const [over, setOver] = useState<IsoDate | null>(null)
  const counts = Map.groupBy(vehicles, ({ day }) => day)
  return (
    <div className={`${classes.days} wh-noprint`}>
      <Text size="sm" c="dimmed">
        {t('dragHint')}
      </Text>
      <ul className={classes.dayList}>
        {open.map(day => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- rows are dropped on it; without a mouse each row has a choice
          <li
            key={day}
            data-day={day}
            data-over={over === day || undefined}
            onDragOver={event => {
              if (!event.dataTransfer.types.includes(dragged)) return
              event.preventDefault()
              setOver(day)
            }}
            onDragLeave={() => setOver(null)}
            onDrop={event => {
              event.preventDefault()
              setOver(null)
              const id = Number(event.dataTransfer.getData(dragged))
              if (id > 0) move(id, day)
            }}
          >
            {dayName(day, i18n.language, 'short')} <b>{counts.get(day)?.length ?? 0}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function useColumns({ plan, busy, move }: PlanTableProps['planning'], to: ChangeSeason): Columns<Planned> {
  const { t, i18n } = useTranslation(['season', 'common'])
  const { language } = i18n
  const { open, wish } = plan ?? {}
  // the same array until a column changes: answers then draw only their own rows again
  return useMemo(
    () => columnsOf({ t, language, open: open ?? [], returns: wish?.returns === true, busy, move, to }),
    [t, language, open, wish, busy, move, to],
  )
}

type ColumnsOf = Pick<PlanTableProps['planning'], 'busy' | 'move'> & {
  t: Translate<['season', 'common']>
  language: string
  open: readonly IsoDate[]
  /** Whether tyres are to come back. */
  returns: boolean
  to: ChangeSeason
}

function columnsOf({ t, language, open, returns: alsoBack, busy, move, to }: ColumnsOf): Columns<Planned> {
  const nameOf = (day: IsoDate) => dayName(day, language, 'short')
  const days = open.map(value => ({ value, label: nameOf(value) }))
  return [
    {
      id: 'vehicle',
      area: 'vehicle',
      header: t('common:tyre.vehicle'),
      render: ({ row: { vehicle } }) => (
        <>
          <VehiclePlate plate={vehicle.license_plate} id={vehicle.flt_id} />
          <Text size="xs" c="dimmed">
            {[vehicle.brand, vehicle.description, vehicle.driver_name].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
    },
    {
      id: 'tyres',
      area: 'tyres',
      header: t('season:stored'),
      render: ({ row: { stored, returns, wears } }) => (
        <>
          {t('common:tyres', { count: stored.length })}
          {alsoBack && (
            <Text size="xs" c="dimmed">
              {returns.length > 0
                ? t('season:comeBack', { count: returns.length })
                : t(wears.length > 0 ? 'season:nothingBack' : 'season:nothingRecorded')}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'verdict',
      area: 'verdict',
      header: t('season:verdict'),
      render: ({ row: { verdict } }) => <VerdictBadge verdict={verdict} to={to} />,
    },
    {
      id: 'day',
      area: 'day',
      header: t('season:day'),
      render: ({ row: { vehicle }, day, state }) =>
        busy || !mayMove(state) ? (
          <span className={classes.set}>{day ? nameOf(day) : t('season:noDay')}</span>
        ) : (
          <Choice
            aria-label={t('season:dayOf', { plate: formatPlate(vehicle.license_plate) })}
            placeholder={t('season:noDay')}
            data={days}
            value={day}
            onChange={value => value !== null && move(vehicle.flt_id, value)}
            comboboxProps={{ withinPortal: true }}
            className={classes.ownDay}
          />
        ),
    },
    {
      id: 'state',
      area: 'state',
      header: t('season:state'),
      render: ({ state, why }) =>
        state === 'sending' ? (
          <Loader size="xs" aria-label={t('season:stateOf.sending')} />
        ) : (
          <Text size="sm" {...(state === 'refused' && { c: 'red' })}>
            {state === 'refused' ? why : t(`season:stateOf.${state}`)}
          </Text>
        ),
    },
  ]
}
