/** The tyres of a vehicle with the same set. The tables of its sets have the same columns. */
import { ActionIcon, Button, Checkbox, Paper, Text, Title, Tooltip } from '@mantine/core'
import { IconPencil, IconTransfer } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { VehicleMounts } from '#contract/mounts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { isHotel } from '#domain/site.ts'
import { may } from '#domain/tyres/tyre.ts'
import { useSite } from '../../shared/session.ts'
import { formatDate } from '../../shared/format.ts'
import { openRequest } from '../requestSubject.ts'
import { OperationTypeIcon, Rack, StatusBadge, useOperationTypeLabel, useTyreSelectName } from '../../shared/trade.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import type { Columns } from '../../ui/dataTable/column.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { DepthCurve } from '../depths/depthCurve.tsx'
import type { Readings } from '../depths/readings.ts'
import { MountedSince, openOf, SetMounts } from '../mounts/setMounts.tsx'
import { TreadDepth } from '../depths/treadDepth.tsx'
import { useTreadLimits } from '../depths/treadLimits.ts'
import { TyreCounts, useStatusNames } from '../tyreCounts.tsx'
import { countsOf } from '../vehicleRows.ts'
import classes from '../vehicleView.module.css'
import { requestOf } from './setRequests.tsx'

/** Tyres of a vehicle with the same set, in the order of their positions. */
export type TyreGroup = { set: string | null; tyres: readonly Tyre[] }

/** The dialogs for some tyres of a vehicle. */
export type TyreDialog = 'set' | 'labels' | 'depths' | 'mounts' | 'move'

type TyreSetProps = {
  vehicle: Vehicle
  group: TyreGroup
  readings: Readings
  mounted: VehicleMounts | undefined
  chosen: ReadonlySet<number>
  choose: (ids: readonly number[], on: boolean) => void
  open: (dialog: TyreDialog, tyres: readonly Tyre[]) => void
}

export function TyreSet({ vehicle, group: { set, tyres }, readings, mounted, chosen, choose, open }: TyreSetProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const { mode } = useSite()
  const name = set ?? t('common:tyre.setless')
  const living = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const inside = living.filter(tyre => chosen.has(tyre.db_id))
  // Only a hotel does something with selected tyres.
  const selects = isHotel(mode)
  const names = useStatusNames()
  // one that sits on the vehicle says since when, in place of its counts
  const onVehicle = openOf(mounted).map(({ tyre }) => tyre)
  const isMounted = living.length > 0 && living.every(({ db_id }) => onVehicle.includes(db_id))
  const nameOf = useTyreSelectName()
  const selection = useRowSelection<Tyre>({
    head: t('fleet:select'),
    stateOf: tyre => chosen.has(tyre.db_id),
    labelOf: tyre => nameOf(tyre, vehicle.license_plate),
    toggle: (tyre, on) => choose([tyre.db_id], on),
    offered: tyre => tyre.tyre_status !== 'waste' || 'disabled',
  })
  return (
    <Paper
      component="section"
      aria-label={name}
      className={classes.set}
      data-set={set ?? ''}
      style={{ '--rack': `${longestRack(vehicle)}ch` } as CSSProperties}
    >
      <div className={classes.setHead}>
        {selects && (
          <Checkbox
            aria-label={t('fleet:selectSet', { set: name })}
            checked={living.length > 0 && inside.length === living.length}
            indeterminate={inside.length > 0 && inside.length < living.length}
            disabled={living.length === 0}
            onChange={event =>
              choose(
                living.map(tyre => tyre.db_id),
                event.currentTarget.checked,
              )
            }
          />
        )}
        <Title order={2} size="h3">
          {name}
        </Title>
        {isMounted ? (
          <MountedSince tyres={living} mounted={mounted} />
        ) : (
          <TyreCounts counts={countsOf(tyres)} names={names} />
        )}
        {living.length > 0 && (
          <Tooltip label={t('fleet:changeSetName')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.rename}
              aria-label={t('fleet:changeSetNameOf', { set: name })}
              onClick={() => open('set', living)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {living.length > 0 && living.every(tyre => may('move', tyre)) && (
          <Tooltip label={t('fleet:move.button')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('fleet:move.buttonOf', { set: name })}
              onClick={() => open('move', living)}
              data-move-set
            >
              <IconTransfer size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <SetMounts vehicle={vehicle} name={name} tyres={living} mounted={mounted} open={some => open('mounts', some)} />
        {selects && <RequestOfSet vehicle={vehicle} tyres={tyres} mounted={onVehicle} />}
      </div>
      <DataTable
        columns={useColumns(vehicle, readings)}
        rows={tyres}
        keyOf={tyre => tyre.db_id}
        selection={selects ? selection : undefined}
        rowAttributes={tyre => ({ 'data-tyre': tyre.db_id })}
        phone={{ heads: 'offscreen' }}
      />
    </Paper>
  )
}

type RequestOfSetProps = { vehicle: Vehicle; tyres: readonly Tyre[]; mounted: readonly number[] }

/** Storage of a set at the customer or on the vehicle, or recall of one in stock, on one sheet. */
function RequestOfSet({ vehicle, tyres, mounted }: RequestOfSetProps) {
  const { t } = useTranslation('fleet')
  const typeOf = useOperationTypeLabel()
  const request = requestOf(tyres)
  if (!request) return null
  const { type, offered } = request
  const isOn = type === 'to_stock' && offered.some(tyre => mounted.includes(tyre))
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.request}
      leftSection={<OperationTypeIcon type={type} size={18} />}
      onClick={() => openRequest({ flt_id: vehicle.flt_id, type, tyres: offered, mounted })}
      data-request={type}
    >
      {isOn ? t('mount.offAndStore') : typeOf(type)}
    </Button>
  )
}

/** The length of the longest name of a place at which a tyre of the vehicle lies. */
const longestRack = ({ tyres }: Vehicle) => Math.max(0, ...tyres.map(({ stock_rack: rack }) => rack?.length ?? 0))

/** The columns of each set of a vehicle: one that any of its tyres needs is in all of them. */
function useColumns(vehicle: Vehicle, readings: Readings): Columns<Tyre> {
  const { t } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth } = useSite()
  const { limitsOf } = useTreadLimits(vehicle)
  const curves = allowProfileDepth && vehicle.tyres.some(tyre => (readings.get(tyre.db_id)?.length ?? 0) > 1)
  return [
    {
      id: 'position',
      header: t('common:tyre.position'),
      render: tyre => tyre.position,
      nowrap: true,
      className: classes.position,
    },
    {
      id: 'description',
      header: t('common:tyre.description'),
      render: tyre => (
        <>
          {tyre.description}
          {tyre.action && (
            <Text size="xs" c="dimmed">
              {t('fleet:inOperation', { type: t(`common:operationType.${tyre.action}`) })}
            </Text>
          )}
          <BelowCell>{t(`common:tyreStatus.${tyre.tyre_status}`)}</BelowCell>
          {tyre.stock_rack && (
            <BelowCell>
              <Rack name={tyre.stock_rack} />
            </BelowCell>
          )}
        </>
      ),
    },
    allowProfileDepth && {
      id: 'depth',
      header: t('common:tyre.depth'),
      render: tyre => (
        <>
          <TreadDepth tyre={tyre} vehicle={vehicle} />
          <Text size="xs" c="dimmed" title={t('fleet:measuredOn')}>
            {formatDate(tyre.profile_date)}
          </Text>
        </>
      ),
      nowrap: true,
      className: classes.depth,
    },
    curves && {
      id: 'curve',
      header: t('fleet:course'),
      render: tyre => {
        const its = readings.get(tyre.db_id) ?? []
        return its.length > 1 && <DepthCurve readings={its} limits={limitsOf(tyre)} />
      },
      from: 'xl',
      className: classes.curve,
    },
    {
      id: 'status',
      header: t('common:tyre.status'),
      render: tyre => (
        <>
          <StatusBadge tyre={tyre.tyre_status} />
          {tyre.stock_rack && (
            <Text size="xs" c="dimmed" title={t('common:tyre.rack')}>
              <Rack name={tyre.stock_rack} />
            </Text>
          )}
        </>
      ),
      from: 'sm',
      className: classes.status,
    },
  ]
}
