/** Gives a vehicle and its tyres to another customer (docs/product/vehicles.md "Change of customer"). */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { transferRefusal } from '#domain/vehicles/vehicle.ts'
import type { ActedFor } from '../shared/acting.ts'
import { Refused, useCall } from '../shared/api.ts'
import { CustomerSearch } from '../customers/customerSearch.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useToday } from '../shared/hooks.ts'
import { DateField } from '../ui/dateField.tsx'
import { Form } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { TextLink } from '../ui/link.tsx'

type TransferProps = { vehicle: Vehicle; opened: boolean; onClose: () => void }

/** Operations that are open, by their ids, as far as their types are known. */
type Open = ReadonlyMap<number, string | null>

const openOf = ({ tyres }: Vehicle): Open =>
  new Map(tyres.flatMap(({ operation, action }) => (operation === null ? [] : [[operation, action] as const])))

/** Those that the server named when it refused. */
const openIn = ({ params }: Refused): Open => {
  const { operations, types } = params as { operations: number[]; types: string[] }
  return new Map(operations.map((id, nth) => [id, types[nth] ?? null]))
}

export function TransferVehicle({ vehicle, opened, onClose }: TransferProps) {
  const { t } = useTranslation('fleet')
  const [customer, setCustomer] = useState<ActedFor | null>(null)
  const open = openOf(vehicle)
  return (
    <FormDialog
      opened={opened}
      onClose={() => {
        setCustomer(null)
        onClose()
      }}
      title={t('transfer.title', { plate: formatPlate(vehicle.license_plate) })}
      lost={t('leaveText')}
      size="lg"
    >
      {dialog =>
        open.size > 0 ? (
          <OpenOperations open={open} />
        ) : customer === null ? (
          <Stack gap="sm">
            <Text size="sm">{t('transfer.to', { former: vehicle.customer_name })}</Text>
            <CustomerSearch choose={setCustomer} not={vehicle.seq_id} />
          </Stack>
        ) : (
          <TransferForm vehicle={vehicle} customer={customer} dialog={dialog} back={() => setCustomer(null)} />
        )
      }
    </FormDialog>
  )
}

type FormProps = { vehicle: Vehicle; customer: ActedFor; dialog: DialogControls; back: () => void }

function TransferForm({ vehicle, customer, dialog, back }: FormProps) {
  const { t } = useTranslation(['fleet', 'common', 'failures'])
  const today = useToday()
  const transfer = useCall(calls.transfer, {
    done: () => t('fleet:transfer.done', { name: customer.name }),
    shown: ['vehicle.operations_open'],
  })
  const tyres = vehicle.tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const stored = tyres.filter(tyre => tyre.tyre_status === 'in_stock').length
  const since = tyres.map(tyre => tyre.status_date).reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null)
  const form = useContractForm({
    initial: { date: today as string | null },
    input: ({ date }) => ({ flt_id: vehicle.flt_id, seq_id: customer.seq_id, date: date ?? '' }),
    rules: ({ date }) => ({ date: date === null ? t('failures:request.invalid') : undefined }),
    liveErrors: ({ date }) => {
      const refusal = date === null ? null : transferRefusal(date, { since, today })
      return { date: refusal ? t('failures:vehicle.transfer_date', refusal.facts) : undefined }
    },
  })
  const day = form.values.date
  const { error } = transfer
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await transfer.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        {error instanceof Refused && error.code === 'vehicle.operations_open' && (
          <OpenOperations open={openIn(error)} />
        )}
        <Text>
          {vehicle.customer_name} → <strong>{customer.name}</strong>
        </Text>
        <DateField {...form.date('date')} label={t('fleet:transfer.date')} />
        <Text size="sm">
          {t('fleet:transfer.tyres', { count: tyres.length })}{' '}
          {stored > 0 &&
            day !== null &&
            t('fleet:transfer.stored', { count: stored, date: formatDate(day), former: vehicle.customer_name })}{' '}
          {t('fleet:transfer.kept', { former: vehicle.customer_name })}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={back}>
            {t('fleet:transfer.back')}
          </Button>
          <Button type="submit" disabled={!form.valid} loading={form.busy} data-autofocus>
            {t('fleet:transfer.confirm', { name: customer.name })}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

/** The operations that have to be handled or deleted first. */
function OpenOperations({ open }: { open: Open }) {
  const { t } = useTranslation(['fleet', 'common'])
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('fleet:transfer.open')} role="alert">
      <ul>
        {[...open].map(([id, named]) => {
          const type = operationTypes.find(candidate => candidate === named)
          return (
            <li key={id}>
              {type && t(`common:operationType.${type}`)} {id}
            </li>
          )
        })}
      </ul>
      <TextLink to="/operations">{t('fleet:toOperations')}</TextLink>
    </Alert>
  )
}
