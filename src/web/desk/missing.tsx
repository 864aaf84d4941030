/** Tyres that were not there when their operation was confirmed, until they turn up (docs/product/operations.md "Missing tyres"). */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type MissingTyre, operations } from '#contract/operations.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'

export const useMissing = () => useAnswer(operations.missing, {}, { refetchInterval: pollInterval })

const named = (tyre: MissingTyre) => ({ position: tyre.position, plate: formatPlate(tyre.license_plate) })

export function Missing({ answer }: { answer: ReturnType<typeof useMissing> }) {
  const { t } = useTranslation(['admin', 'common'])
  const { time_zone: zone } = useSite()
  const typeOf = useOperationTypeLabel()
  const [closing, setClosing] = useState<MissingTyre | null>(null)
  const close = useCall(operations.closemissing, { done: 'admin:missing.closed' })
  const { data, error, refetch } = answer
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={4} height={52} />
  if (data.length === 0) return <Empty text={t('admin:missing.none')} />
  const operationOf = (tyre: MissingTyre) => `${typeOf(tyre.type)} ${tyre.operation}`
  const sinceOf = (tyre: MissingTyre) => [formatMoment(tyre.since, zone), tyre.by].filter(Boolean).join(' · ')
  return (
    <>
      <DataTable
        columns={[
          {
            id: 'vehicle',
            header: t('admin:missing.vehicle'),
            render: tyre => (
              <>
                <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />
                <Text size="xs" c="dimmed">
                  {tyre.companyname}
                </Text>
              </>
            ),
          },
          {
            id: 'tyre',
            header: t('admin:missing.tyre'),
            render: tyre => (
              <>
                <strong>{tyre.position}</strong> {tyre.description}
                <BelowCell>{`${operationOf(tyre)} · ${sinceOf(tyre)}`}</BelowCell>
              </>
            ),
          },
          { id: 'operation', header: t('admin:missing.operation'), render: operationOf, nowrap: true, from: 'sm' },
          { id: 'since', header: t('admin:missing.since'), render: sinceOf, from: 'sm' },
          {
            id: 'close',
            header: t('admin:actions'),
            headerHidden: true,
            render: tyre => (
              <Button
                size="xs"
                variant="default"
                aria-label={t('admin:missing.closeOf', named(tyre))}
                onClick={() => setClosing(tyre)}
              >
                {t('admin:missing.close')}
              </Button>
            ),
            align: 'end',
            width: '1%',
          },
        ]}
        rows={data}
        keyOf={tyre => `${tyre.operation} ${tyre.db_id}`}
        frame
      />
      {closing && (
        <ReasonDialog
          title={t('admin:missing.closeTitle')}
          text={t('admin:missing.closeText', named(closing))}
          confirm={t('admin:missing.close')}
          send={reason => close.mutateAsync({ operation: closing.operation, db_id: closing.db_id, reason })}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  )
}
