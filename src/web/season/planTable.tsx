/** A plan of the change: each vehicle with its day, which can be moved; then what became of each. */
import { Alert, Button, Group, Loader, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconCircleCheck, IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatPlate } from '#domain/plate.ts'
import { formatDate } from '../shared/format.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Choice } from '../ui/select.tsx'
import { countsOf, type Planned } from './rows.ts'
import classes from './season.module.css'
import type { usePlan } from './usePlan.ts'

type PlanTableProps = { planning: ReturnType<typeof usePlan>; leave: () => void }

export function PlanTable({ planning, leave }: PlanTableProps) {
  const { t } = useTranslation('season')
  const columns = useColumns(planning)
  const { plan, busy, submit } = planning
  if (!plan) return null
  const { vehicles } = plan
  const { without, done, refused, ready } = countsOf(vehicles)
  const days = new Set(vehicles.flatMap(({ day }) => day ?? [])).size
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <Text role="status">{t('planned', { count: vehicles.length - without, days })}</Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            disabled={busy}
            onClick={leave}
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
      {busy && <Progress value={((done + refused) / vehicles.length) * 100} aria-label={t('title')} animated mb="sm" />}
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
      <DataTable
        columns={columns}
        rows={vehicles.toSorted((a, b) => ((a.day ?? '9') < (b.day ?? '9') ? -1 : a.day === b.day ? 0 : 1))}
        keyOf={({ row }) => row.vehicle.flt_id}
        rowAttributes={({ row, state }) => ({ 'data-vehicle': row.vehicle.flt_id, 'data-state': state })}
        phone={{ areas: ['vehicle tyres', 'day state'], columns: '1fr 1fr' }}
        frame
      />
    </>
  )
}

function useColumns({ plan, busy, move }: PlanTableProps['planning']): Columns<Planned> {
  const { t } = useTranslation(['season', 'common'])
  const open = plan?.open ?? []
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
      render: ({ row: { stored, returns } }) => (
        <>
          {t('common:tyres', { count: stored.length })}
          {plan?.wish.returns === true && returns.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('season:comeBack', { count: returns.length })}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'day',
      area: 'day',
      header: t('season:day'),
      render: ({ row: { vehicle }, day, state }) =>
        state === 'done' || state === 'sending' ? (
          day && formatDate(day)
        ) : (
          <Choice
            aria-label={t('season:dayOf', { plate: formatPlate(vehicle.license_plate) })}
            placeholder={t('season:noDay')}
            data={open.map(value => ({ value, label: formatDate(value) }))}
            value={day}
            onChange={value => value !== null && move(vehicle.flt_id, value)}
            disabled={busy}
            comboboxProps={{ withinPortal: true }}
            className={classes.day}
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
