/** The form for mounting on another day than today, a single wheel, or any rotation, with the odometer. */
import { Checkbox, Group, SimpleGrid, Stack } from '@mantine/core'
import type { VehicleMounts } from '#contract/mounts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { messageOf } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { useToday } from '../../shared/hooks.ts'
import { useSite, useVehicleConfigs } from '../../shared/session.ts'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { NumberField, useComplaint } from '../../ui/form/numberField.tsx'
import { Choice } from '../../ui/select.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { openOf } from './setMounts.tsx'
import { useChangeMounts } from './useMounts.ts'

type MountDialogProps = {
  vehicle: Vehicle
  tyres: readonly Tyre[]
  mounted: VehicleMounts | undefined
  dialog: DialogControls
}

/** Of a tyre that is not mounted. */
const nowhere = ''

export function MountDialog({ vehicle, tyres, mounted, dialog }: MountDialogProps) {
  const { t } = useTranslation(['fleet', 'common', 'vehicles'])
  const { allowTachometer } = useSite()
  const today = useToday()
  const complaint = useComplaint()
  const configs = useVehicleConfigs()
  const change = useChangeMounts(vehicle)
  const open = openOf(mounted)
  const isOn = open.some(({ tyre }) => tyres.some(({ db_id }) => db_id === tyre))
  const axles = configs.find(({ description }) => description === vehicle.configuration)?.axles ?? []
  const positions: readonly string[] =
    axles.length > 0 ? positionsOf(axles) : [...new Set(vehicle.tyres.map(({ position }) => position))]
  const form = useContractForm({
    initial: {
      date: today as string | null,
      km: null as number | null,
      unordered: false,
      // what is mounted stays where it is, and of another set all is mounted
      places: Object.fromEntries(
        tyres.map(({ db_id, position }) => [
          String(db_id),
          open.find(({ tyre }) => tyre === db_id)?.position ?? (isOn ? nowhere : position),
        ]),
      ) as Record<string, string>,
    },
    input: ({ date, km, unordered, places }) => ({
      flt_id: vehicle.flt_id,
      date: date ?? today,
      ...(km !== null && { km }),
      ...(unordered && { unordered }),
      put: tyres.flatMap(({ db_id }) => {
        const position = places[db_id]
        return position ? [{ db_id, position }] : []
      }),
      off: tyres.flatMap(({ db_id }) =>
        places[db_id] === nowhere && open.some(({ tyre }) => tyre === db_id) ? [db_id] : [],
      ),
      swap: true,
    }),
    liveErrors: ({ date, km }) => ({
      date: date === null ? t('vehicles:required') : undefined,
      km: complaint({ ...tachometer, value: km ?? '' }),
    }),
    refusals: { 'odometer.order': 'km' },
    dialog,
  })
  const isUnordered = form.refused?.code === 'odometer.order' && form.isAsRefused('km')
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await change.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <DateField {...form.date('date')} label={t('fleet:mount.day')} maxDate={today} required data-autofocus />
          {allowTachometer && (
            <NumberField
              label={t('fleet:odometer')}
              value={form.values.km ?? ''}
              onChange={value => form.set({ km: value === '' ? null : Number(value) })}
              error={isUnordered ? messageOf(form.refused) : form.error('km')}
              suffix=" km"
              hideControls
            />
          )}
        </SimpleGrid>
        {isUnordered && (
          <Checkbox
            label={t('fleet:mount.unordered')}
            checked={form.values.unordered}
            onChange={event => form.set({ unordered: event.currentTarget.checked })}
          />
        )}
        <Group gap="sm" align="flex-end">
          {tyres.map(({ db_id, position, description }) => (
            <Choice
              key={db_id}
              label={t('fleet:mount.positionOf', { position })}
              description={description}
              data={[
                ...positions.map(place => ({ value: place, label: place })),
                { value: nowhere, label: t('fleet:mount.notMounted') },
              ]}
              value={form.values.places[db_id] ?? nowhere}
              onChange={place => form.set(({ places }) => ({ places: { ...places, [db_id]: place ?? nowhere } }))}
            />
          ))}
        </Group>
        <FormActions form={form} dialog={dialog} submit={t('fleet:save')} />
      </Stack>
    </Form>
  )
}
