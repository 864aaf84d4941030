/** The odometer of a vehicle as it was read, with a field for what it shows today (docs/product/vehicles.md "Odometer"). */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { odometers as calls } from '#contract/odometers.ts'
import type { VehicleMounts } from '#contract/mounts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { useToday } from '../../shared/hooks.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form } from '../../ui/form/form.tsx'
import { NumberField, useComplaint } from '../../ui/form/numberField.tsx'
import { useTranslation } from '../../ui/texts.ts'

type Reading = VehicleMounts['readings'][number]
const greyRows = 2

export function OdometerLog({ vehicle, mounted }: { vehicle: Vehicle; mounted: VehicleMounts | undefined }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const withdraw = useCall(calls.withdraw, { done: 'fleet:odometerLog.withdrawn' })
  const km = (distance: number) => t('common:km', { distance: formatNumber(distance, i18n.language) })
  return (
    <Stack gap="xs">
      <NewReading vehicle={vehicle} />
      <DataTable
        label={t('fleet:odometer')}
        rows={mounted?.readings}
        keyOf={reading => reading._id}
        placeholders={greyRows}
        empty={
          <Text size="sm" c="dimmed">
            {t('fleet:odometerLog.none')}
          </Text>
        }
        columns={[
          { id: 'date', header: t('fleet:mount.day'), render: reading => formatDate(reading.date), nowrap: true },
          {
            id: 'km',
            header: t('fleet:odometer'),
            render: (reading: Reading) => (
              <>
                {km(reading.km)}
                {!reading.agrees && (
                  <Text size="xs" c="orange.9" data-disagrees>
                    <IconAlertTriangle size={14} stroke={1.7} aria-hidden /> {t('fleet:odometerLog.disagrees')}
                  </Text>
                )}
              </>
            ),
          },
          {
            id: 'source',
            header: t('fleet:odometerLog.source'),
            render: reading => t(`fleet:odometerLog.of.${reading.source}`),
          },
          {
            id: 'withdraw',
            header: t('fleet:odometerLog.withdraw'),
            headerHidden: true,
            align: 'end',
            width: '1%',
            render: reading => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={withdraw.isPending}
                aria-label={t('fleet:odometerLog.withdrawOf', { km: km(reading.km), date: formatDate(reading.date) })}
                onClick={() => withdraw.mutate({ flt_id: vehicle.flt_id, reading: reading._id })}
              >
                {t('fleet:odometerLog.withdraw')}
              </Button>
            ),
          },
        ]}
        phone={{ heads: 'shown' }}
        frame
      />
    </Stack>
  )
}

function NewReading({ vehicle: { flt_id } }: { vehicle: Vehicle }) {
  const { t, i18n } = useTranslation(['fleet', 'vehicles', 'failures'])
  const today = useToday()
  const complaint = useComplaint()
  const record = useCall(calls.record)
  const initial = { date: today as string | null, km: null as number | null, unordered: false }
  const form = useContractForm({
    initial,
    input: ({ date, km, unordered }) => ({
      readings: [{ flt_id, date: date ?? today, km: km ?? 0 }],
      ...(unordered && { unordered }),
    }),
    liveErrors: ({ date, km }) => ({
      date: date === null ? t('vehicles:required') : undefined,
      km: km === null ? undefined : complaint({ ...tachometer, value: km }),
    }),
  })
  const [answer] = record.data?.readings ?? []
  const contradicts = answer?.outcome === 'unordered' ? answer.contradicts : null
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const {
          readings: [reading],
        } = await record.mutateAsync(wish)
        if (reading?.outcome !== 'unordered') form.set(initial)
      }}
    >
      <Group gap="sm" align="flex-end">
        <NumberField
          label={t('fleet:odometer')}
          value={form.values.km ?? ''}
          onChange={value => form.set({ km: value === '' ? null : Number(value) })}
          error={
            contradicts
              ? t('failures:odometer.order', {
                  km: formatNumber(contradicts.km, i18n.language),
                  date: formatDate(contradicts.date),
                })
              : form.error('km')
          }
          suffix=" km"
          hideControls
        />
        <DateField {...form.date('date')} label={t('fleet:mount.day')} maxDate={today} />
        <Button type="submit" disabled={form.values.km === null || !form.valid} loading={form.busy}>
          {t('fleet:odometerLog.record')}
        </Button>
      </Group>
      {contradicts && (
        <Checkbox
          mt="xs"
          label={t('fleet:mount.unordered')}
          checked={form.values.unordered}
          onChange={event => form.set({ unordered: event.currentTarget.checked })}
        />
      )}
    </Form>
  )
}
