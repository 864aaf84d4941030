/** A vehicle leaves the fleet: what becomes of each of its sets (docs/product/vehicles.md "Vehicles that leave"). */
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { fleet as fleetCalls } from '#contract/fleet.ts'
import { moves as calls } from '#contract/moves.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { type LeavingAction, leavingActions, mayLeave, usualAction } from '#domain/tyres/leaving.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useSite, useWho } from '../../shared/session.ts'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { Choice } from '../../ui/select.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { setNamed, takenIn } from '../diagram/adding.ts'
import { byFit, type Fit, useFittingVehicle } from './fitting.ts'

type LeaveProps = { vehicle: Vehicle; dialog: DialogControls; onLeft: () => void }
type Wish = { readonly action: LeavingAction; readonly to: number | null }

/** How many vehicles are proposed for a set. */
const mostProposed = 20

const setsOf = ({ tyres }: Vehicle): readonly (readonly [string | null, readonly Tyre[]])[] => [
  ...Map.groupBy(
    tyres.filter(({ tyre_status }) => tyre_status !== 'waste'),
    ({ tyre_set }) => tyre_set,
  ),
]

export function Leave({ vehicle, dialog, onLeft }: LeaveProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const who = useWho()
  const sets = setsOf(vehicle)
  const [wishes, setWishes] = useState<ReadonlyMap<string | null, Wish>>(
    () => new Map(sets.map(([set, tyres]) => [set, { action: usualAction(tyres), to: null }])),
  )
  const fleet = useAnswer(fleetCalls.fetch, who.type === 'user' ? {} : { seq_id: vehicle.seq_id }, { muted: true })
  const others = useMemo(
    () => (fleet.data ?? []).filter(({ flt_id }) => flt_id !== vehicle.flt_id),
    [fleet.data, vehicle.flt_id],
  )
  const leave = useCall(calls.leave, {
    doing: 'fleet:removing',
    done: ({ left }) => t(left ? 'fleet:leave.left' : 'fleet:removed', { plate: formatPlate(vehicle.license_plate) }),
  })
  const isReady = [...wishes.values()].every(({ action, to }) => action !== 'move' || to !== null)
  async function save() {
    try {
      await leave.mutateAsync({
        flt_id: vehicle.flt_id,
        groups: sets.map(([set, tyres]) => {
          const { action, to } = wishes.get(set) ?? { action: usualAction(tyres), to: null }
          const target = others.find(({ flt_id }) => flt_id === to)
          const isTaken =
            target !== undefined &&
            takenIn(
              target.tyres,
              set,
              tyres.map(({ position }) => position),
            ).length > 0
          return {
            tyres: tyres.map(({ db_id }) => db_id),
            action,
            ...(action === 'move' &&
              to !== null && {
                to,
                tyre_set: isTaken ? setNamed(`${set} ${formatPlate(vehicle.license_plate)}`) : set,
              }),
          }
        }),
      })
      dialog.close()
      onLeft()
    } catch {
      // shown in a toast; the choices stay
    }
  }
  return (
    <Stack gap="md">
      <Text size="sm">{t('fleet:leave.text', { plate: formatPlate(vehicle.license_plate) })}</Text>
      {sets.map(([set, tyres]) => (
        <SetChoice
          key={set ?? ''}
          name={set ?? t('common:tyre.setless')}
          tyres={tyres}
          others={others}
          wish={wishes.get(set) ?? { action: usualAction(tyres), to: null }}
          change={wish => setWishes(new Map(wishes).set(set, wish))}
        />
      ))}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button
          color="red"
          leftSection={<IconTrash size={18} stroke={1.7} aria-hidden />}
          disabled={!isReady}
          loading={leave.isPending}
          onClick={() => void save()}
          data-leave
        >
          {t('fleet:remove')}
        </Button>
      </Group>
    </Stack>
  )
}

type SetChoiceProps = {
  name: string
  tyres: readonly Tyre[]
  others: readonly Vehicle[]
  wish: Wish
  change: (wish: Wish) => void
}

function SetChoice({ name, tyres, others, wish, change }: SetChoiceProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const { mode } = useSite()
  const fittingOf = useFittingVehicle()
  const fits: readonly Fit[] = useMemo(
    () => (wish.action === 'move' ? byFit(others, tyres, fittingOf).slice(0, mostProposed) : []),
    [wish.action, others, tyres, fittingOf],
  )
  const actions = leavingActions.filter(
    action => mayLeave(action, tyres, mode) && (action !== 'move' || others.length > 0),
  )
  return (
    <Group gap="sm" align="flex-end" data-leaving={name}>
      <Choice
        label={`${name} (${t('common:tyres', { count: tyres.length })})`}
        data={actions.map(value => ({ value, label: t(`fleet:leave.action.${value}`) }))}
        value={wish.action}
        onChange={value => {
          const action = actions.find(candidate => candidate === value)
          if (action) change({ action, to: action === 'move' ? wish.to : null })
        }}
      />
      {wish.action === 'move' && (
        <Choice
          label={t('fleet:leave.to', { set: name })}
          placeholder={t('fleet:move.best')}
          data={fits.map(({ vehicle, differences }) => ({
            value: String(vehicle.flt_id),
            label: `${formatPlate(vehicle.license_plate)} · ${
              differences.length === 0
                ? t('fleet:move.fitsShort')
                : t('fleet:move.differ', { count: differences.length })
            }`,
          }))}
          value={wish.to === null ? null : String(wish.to)}
          onChange={to => change({ ...wish, to: to === null ? null : Number(to) })}
          searchable
          required
        />
      )}
    </Group>
  )
}
