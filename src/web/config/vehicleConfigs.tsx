/** The vehicle configurations of the site, each saved separately (docs/product/vehicles.md "Vehicle configurations"). */
import { Badge, Button, Group, Text } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { layoutOf, tyreSize, wheelCount } from '#domain/vehicles/axle.ts'
import { type AdminVehicleConfig, vehicleConfigs as calls } from '#contract/vehicleConfigs.ts'
import type { VehicleConfig } from '#contract/wire.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useAfterRemoval } from '../ui/afterRemoval.ts'
import { RowAction } from '../shared/rowAction.tsx'
import classes from './vehicleConfigs.module.css'
import { VehicleConfigForm } from './vehicleConfigForm.tsx'

/** Rows of a long list shown at first: those of most vehicles. */
const shownFirst = 8

type Open = { what: 'new' } | { what: 'edit' | 'copy'; kept: AdminVehicleConfig }

export function VehicleConfigs() {
  const { t } = useTranslation(['config', 'vehicles'])
  const configs = useAnswer(calls.all, {}, { staleTime: 0 })
  const [open, setOpen] = useState<Open | null>(null)
  const [filter, setFilter] = useState('')
  const [all, setAll] = useState(false)
  /** Entries created here are first, newest first. */
  const [newIds, setNewIds] = useState<readonly number[]>([])
  const leave = useAfterRemoval()
  if (!configs.data) {
    if (configs.isError) return <Failed error={configs.error} retry={configs.refetch} />
    return <Placeholders rows={shownFirst} height={56} />
  }
  const placeOf = ({ _id }: AdminVehicleConfig) => (newIds.includes(_id) ? newIds.indexOf(_id) : newIds.length)
  const words = filter.toLowerCase().split(/\s+/)
  const matches = configs.data
    .filter(({ config }) => words.every(word => config.description.toLowerCase().includes(word)))
    .toSorted((first, other) => placeOf(first) - placeOf(other) || other.vehicle_count - first.vehicle_count)
  const shown = all ? matches : matches.slice(0, shownFirst)
  // The current state; one that another user removed keeps its last state and the input.
  const given = open && open.what !== 'new' ? open.kept : null
  const current = configs.data.find(({ _id }) => _id === given?._id) ?? given

  function showMade({ _id }: AdminVehicleConfig) {
    setFilter('')
    setNewIds([_id, ...newIds])
  }
  return (
    <>
      <Group justify="space-between" align="flex-end" gap="xs" mb="xs">
        <FilterField
          key={newIds.length}
          label={t('vehicleConfigs.filter')}
          value={filter}
          settle={setFilter}
          className={classes.filter ?? ''}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen({ what: 'new' })}
          data-add
        >
          {t('vehicleConfigs.add')}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'picture',
            header: t('vehicleConfigs.picture'),
            render: ({ config }) => <Lying config={config} />,
            width: '1%',
            area: 'picture',
          },
          {
            id: 'description',
            header: t('vehicleConfigs.description'),
            render: kept => <Description kept={kept} />,
            area: 'name',
          },
          {
            id: 'vehicles',
            header: t('vehicleConfigs.vehicles'),
            render: ({ vehicle_count, removed_count }) => (
              <>
                {vehicle_count}
                {removed_count > 0 && (
                  <Text size="xs" c="dimmed">
                    {t('vehicleConfigs.removedCount', { count: removed_count })}
                  </Text>
                )}
              </>
            ),
            align: 'end',
            width: '7rem',
            from: 'sm',
          },
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: kept => <ConfigActions kept={kept} open={setOpen} leave={leave} />,
            width: '1%',
            area: 'actions',
          },
        ]}
        rows={shown}
        keyOf={({ _id }) => _id}
        empty={configs.data.length === 0 ? t('vehicleConfigs.none') : t('nothingFound')}
        phone={{ areas: ['picture name', 'picture actions'], columns: '5.5rem minmax(0, 1fr)' }}
        className={classes.table}
        frame
      />
      <Group justify="space-between" gap="xs" mt="xs">
        <Text size="sm" c="dimmed">
          {t('vehicleConfigs.count', { count: matches.length })}
        </Text>
        {matches.length > shown.length && (
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {t('vehicleConfigs.showAll')}
          </Button>
        )}
      </Group>
      <FormDialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={
          open?.what === 'edit'
            ? t('vehicleConfigs.editTitle', { name: current?.config.description })
            : t('vehicleConfigs.newTitle')
        }
        size="58rem"
        long
        lost={t('vehicleConfigs.lost')}
      >
        {dialog =>
          open && (
            <VehicleConfigForm
              kept={open.what === 'edit' ? current : null}
              from={current?.config ?? null}
              dialog={dialog}
              onMade={showMade}
            />
          )
        }
      </FormDialog>
    </>
  )
}

function Description({ kept: { config, vehicle_count } }: { kept: AdminVehicleConfig }) {
  const { t } = useTranslation(['config', 'vehicles'])
  const axles = config.axles.filter(({ type }) => type === 'axle').length
  return (
    <>
      <div className={classes.name}>
        {config.description}
        {config.source !== 'local' && <Badge size="sm">{t('vehicleConfigs.foreign')}</Badge>}
      </div>
      <Text size="xs" c="dimmed">
        {t('vehicles:picture.axles', { count: axles })},{' '}
        {t('vehicles:picture.wheels', { count: wheelCount(config.axles) })}
        <BelowCell inline> · {t('vehicleConfigs.vehicleCount', { count: vehicle_count })}</BelowCell>
      </Text>
    </>
  )
}

type ConfigActionsProps = { kept: AdminVehicleConfig; open: (open: Open) => void; leave: (button: HTMLElement) => void }

function ConfigActions({ kept, open, leave }: ConfigActionsProps) {
  const { t } = useTranslation('config')
  const remove = useCall(calls.remove, {
    doing: 'config:vehicleConfigs.removing',
    done: 'config:vehicleConfigs.removed',
  })
  const { _id, config, vehicle_count, removed_count } = kept
  const { description: name } = config

  async function askAndRemove(button: HTMLElement) {
    const sure = await confirmFirst({
      title: t('vehicleConfigs.removeQuestion'),
      text: t('vehicleConfigs.removeText', { name }),
      confirm: t('remove'),
      danger: true,
    })
    if (!sure) return
    leave(button)
    remove.mutate({ _id })
  }
  const foreign = config.source === 'local' ? undefined : t('vehicleConfigs.foreignText')
  const had = vehicle_count + removed_count > 0 ? t('vehicleConfigs.inUseText') : undefined
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <RowAction
        icon={IconPencil}
        label={t('editWhich', { name })}
        tip={t('edit')}
        barred={foreign}
        run={() => open({ what: 'edit', kept })}
      />
      <RowAction
        icon={IconCopy}
        label={t('copyWhich', { name })}
        tip={t('copy')}
        run={() => open({ what: 'copy', kept })}
      />
      <RowAction
        icon={IconTrash}
        label={t('removeWhich', { name })}
        tip={t('remove')}
        barred={foreign ?? had}
        danger
        loading={remove.isPending}
        run={button => void askAndRemove(button)}
      />
    </Group>
  )
}

/** The vehicle rotated, front to the left: compact, so that many can be compared. */
function Lying({ config }: { config: VehicleConfig }) {
  const layout = layoutOf(config.axles, { axleHeight: config.axle_height, axleWidth: config.axle_width })
  const margin = 3
  return (
    <svg
      viewBox={`${-margin} ${-margin} ${layout.height + 2 * margin} ${layout.width + 2 * margin}`}
      className={classes.lying}
      style={{ '--units': layout.height + 2 * margin } as React.CSSProperties}
      aria-hidden
    >
      <g transform={`translate(0 ${layout.width}) rotate(-90)`}>
        {layout.frames.map(({ x, y1, y2 }) => (
          <line key={y1} x1={x} x2={x} y1={y1} y2={y2} className={classes.lyingFrame} />
        ))}
        {layout.separators.map(({ x1, x2, y }) => (
          <line key={y} x1={x1} x2={x2} y1={y} y2={y} className={classes.lyingSeparator} />
        ))}
        {layout.axles.map(({ axle, x1, x2, y, lift }) => (
          <line key={axle} x1={x1} x2={x2} y1={y} y2={y} className={classes.lyingAxle} data-lift={lift || undefined} />
        ))}
        {layout.tyres.map(({ position, x, y }) => (
          <rect
            key={position}
            x={x + 3}
            y={y - 2}
            width={tyreSize - 6}
            height={tyreSize + 4}
            rx={5}
            className={classes.lyingTyre}
          />
        ))}
      </g>
    </svg>
  )
}
