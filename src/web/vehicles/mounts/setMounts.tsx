/** Mounts a set, swaps it with what is mounted, or takes it off, each with one button. */
import { Button, Menu, Text } from '@mantine/core'
import { IconCar, IconCarOff, IconDots, IconRotate2, IconSwitchHorizontal } from '@tabler/icons-react'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { VehicleMounts } from '#contract/mounts.ts'
import { formatDate } from '#domain/texts/date.ts'
import { mayMount, rotationsOf } from '#domain/tyres/mount.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useVehicleConfigs } from '../../shared/session.ts'
import { RowMenu } from '../../ui/rowMenu.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { useChangeMounts } from './useMounts.ts'

type SetMountsProps = {
  vehicle: Vehicle
  /** The name of the set, as a button needs it. */
  name: string
  tyres: readonly Tyre[]
  mounted: VehicleMounts | undefined
  /** Opens the dialog with days, odometer and positions. */
  open: (tyres: readonly Tyre[]) => void
}

export const openOf = (mounted: VehicleMounts | undefined) =>
  (mounted?.mounts ?? []).filter(({ until }) => until === null)

export function SetMounts({ vehicle, name, tyres, mounted, open }: SetMountsProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const change = useChangeMounts(vehicle)
  const configs = useVehicleConfigs()
  const { flt_id } = vehicle
  const ids = tyres.map(({ db_id }) => db_id)
  const all = openOf(mounted)
  const here = all.filter(({ tyre }) => ids.includes(tyre))
  // a position that two tyres have is for the dialog
  const mountable = tyres.filter(tyre => mayMount(tyre) && tyre.operation === null)
  const positions = mountable.map(({ position }) => position)
  const ready = new Set(positions).size === positions.length ? mountable : []
  const isTaken = all.some(({ tyre, position }) => positions.includes(position) && !ids.includes(tyre))
  const axles = configs.find(({ description }) => description === vehicle.configuration)?.axles ?? []
  if (!mounted || (here.length === 0 && mountable.length === 0)) return null
  const isOn = here.length > 0
  return (
    <>
      {isOn ? (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconCarOff size={18} stroke={1.7} aria-hidden />}
          loading={change.isPending}
          onClick={() => change.mutate({ flt_id, off: here.map(({ tyre }) => tyre) })}
          data-mount="off"
        >
          {t('fleet:mount.off')}
        </Button>
      ) : (
        ready.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={
              isTaken ? (
                <IconSwitchHorizontal size={18} stroke={1.7} aria-hidden />
              ) : (
                <IconCar size={18} stroke={1.7} aria-hidden />
              )
            }
            loading={change.isPending}
            onClick={() =>
              change.mutate({ flt_id, put: ready.map(({ db_id }) => ({ db_id })), ...(isTaken && { swap: true }) })
            }
            data-mount={isTaken ? 'swap' : 'mount'}
          >
            {t(isTaken ? 'fleet:mount.swap' : 'fleet:mount.mount')}
          </Button>
        )
      )}
      <RowMenu label={t('fleet:mount.moreOf', { set: name })} title={t('fleet:mount.more')} tabIndex={undefined}>
        <Menu.Item leftSection={<IconDots size={18} aria-hidden />} onClick={() => open(tyres)}>
          {t('fleet:mount.details')}
        </Menu.Item>
        {isOn &&
          rotationsOf(axles).map(rotation => (
            <Menu.Item
              key={rotation}
              leftSection={<IconRotate2 size={18} aria-hidden />}
              onClick={() => change.mutate({ flt_id, rotation })}
            >
              {t(`fleet:mount.rotation.${rotation}`)}
            </Menu.Item>
          ))}
      </RowMenu>
    </>
  )
}

/** Since when a set is on the vehicle, and how far it has run; it stands in the place of the counts by status. */
export function MountedSince({ tyres, mounted }: Pick<SetMountsProps, 'tyres' | 'mounted'>) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const ids = tyres.map(({ db_id }) => db_id)
  const here = openOf(mounted).filter(({ tyre }) => ids.includes(tyre))
  const since = here
    .map(mount => mount.since)
    .toSorted()
    .at(-1)
  if (since === undefined) return null
  const km = Math.max(0, ...(mounted?.tyres ?? []).filter(({ tyre }) => ids.includes(tyre)).map(tyre => tyre.km))
  return (
    <Text size="sm" c="dimmed">
      {[
        t(here.every(({ source }) => source === 'presumed') ? 'fleet:mount.presumedSince' : 'fleet:mount.since', {
          date: formatDate(since),
        }),
        km > 0 && t('common:km', { distance: formatNumber(km, i18n.language) }),
      ]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  )
}

/** When and where a tyre was on vehicles, newest first. */
export function MountHistory({ tyre, mounted }: { tyre: number; mounted: VehicleMounts | undefined }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const periods = (mounted?.mounts ?? []).filter(period => period.tyre === tyre)
  if (periods.length === 0) return null
  return (
    <ul aria-label={t('fleet:mount.history')} style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
      {periods.map(period => (
        <li key={`${period.since} ${period.position}`}>
          <Text size="xs" c="dimmed">
            {[
              period.position,
              t('fleet:mount.period', {
                from: formatDate(period.since),
                until: period.until === null ? t('fleet:mount.today') : formatDate(period.until),
              }),
              period.km !== null && t('common:km', { distance: formatNumber(period.km, i18n.language) }),
              period.source === 'presumed' && t('fleet:mount.presumed'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  )
}
