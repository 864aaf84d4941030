/** The pick-ups of a period: the register of a site, or the tyres collected for one customer, each with its proof. */
import { Box, Group, Menu, Text, Title } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { disposals as calls, type ScrapPickup } from '#contract/disposals.ts'
import { addMonths } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { ask, useAnswer, useCall } from '../shared/api.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { Failed } from '../shared/screen.tsx'
import { pollInterval } from '../shared/session.ts'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DateField } from '../ui/dateField.tsx'
import { RowMenu } from '../ui/rowMenu.tsx'
import type { StockTabProps } from './tab.ts'
import { PickupDialog } from './pickupForm.tsx'
import { usePages } from './pages.tsx'
import { usePickupSheet } from './sheets.ts'

export function Pickups({ chosen, change, ofSite }: StockTabProps) {
  const { t } = useTranslation('stock')
  const today = useToday()
  const { from = addMonths(today, -12), to = today, customer } = chosen
  const ofCustomer = customer !== undefined && ofSite ? { seq_id: customer } : {}
  const { data, error, refetch } = useAnswer(
    calls.list,
    { startDate: from, endDate: to, ...ofCustomer },
    { refetchInterval: pollInterval, keep: true },
  )
  return (
    <section aria-label={t('pickups')}>
      <Title order={2} size="h4" mb="xs">
        {t('pickups')}
      </Title>
      <Group align="flex-end" gap="sm" mb="md">
        <DateField label={t('from')} value={from} maxDate={to} onChange={day => day && change({ from: day })} />
        <DateField
          label={t('to')}
          value={to}
          minDate={from}
          maxDate={today}
          onChange={day => day && change({ to: day })}
        />
        {ofSite && (
          <CustomerChoice
            label={t('customer')}
            placeholder={t('allCustomers')}
            value={customer}
            onChange={next => change({ customer: next })}
          />
        )}
        <Box ms="auto">
          <WorkbookButton
            title={t('pickups')}
            file={`${t('fileOfPickups')}-${from}-${to}`}
            columns={usePickupSheet()}
            rows={data ?? []}
          />
        </Box>
      </Group>
      <PickupTable
        pickups={data}
        failure={error && <Failed error={error} retry={refetch} />}
        customer={ofCustomer.seq_id}
        editable={ofSite && customer === undefined}
      />
    </section>
  )
}

type PickupTableProps = {
  pickups: readonly ScrapPickup[] | undefined
  failure: ReactNode
  customer: number | undefined
  editable: boolean
}

function PickupTable({ pickups, failure, customer, editable }: PickupTableProps) {
  const { t, i18n } = useTranslation('stock')
  const [editing, setEditing] = useState<ScrapPickup | null>(null)
  const [withdrawing, setWithdrawing] = useState<ScrapPickup | null>(null)
  const withdraw = useCall(calls.withdraw, { done: 'stock:withdrawn' })
  const number = (value: number) => formatNumber(value, i18n.language)
  const weightOf = (pickup: ScrapPickup) =>
    pickup.weight_kg === null
      ? t('about', { kg: number(pickup.estimate_kg) })
      : t('kilos', { kg: number(pickup.weight_kg) })
  const columns: Columns<ScrapPickup> = [
    {
      id: 'day',
      header: t('field.day'),
      rowHeader: true,
      nowrap: true,
      area: 'day',
      render: pickup => (
        <>
          {formatDate(pickup.day)}
          <BelowCell>{t('tyresOf', { count: pickup.tyre_count })}</BelowCell>
          <BelowCell>{weightOf(pickup)}</BelowCell>
        </>
      ),
    },
    {
      id: 'collector',
      header: t('field.collector'),
      area: 'collector',
      render: pickup => (
        <>
          {pickup.collector}
          <BelowCell width="md">{pickup.form_number}</BelowCell>
        </>
      ),
    },
    { id: 'form', header: t('field.form_number'), render: pickup => pickup.form_number, from: 'md' },
    { id: 'tyres', header: t('tyres'), align: 'end', render: pickup => number(pickup.tyre_count), from: 'sm' },
    { id: 'weight', header: t('weight'), align: 'end', nowrap: true, render: weightOf, from: 'sm' },
    {
      id: 'proof',
      header: t('proof'),
      headerHidden: true,
      align: 'end',
      area: 'proof',
      render: pickup => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <PdfButton
            size="compact-sm"
            name={`${t('proof')} ${pickup.form_number}`}
            pdf={() => ask(calls.proof, { _id: pickup._id, ...(customer !== undefined && { seq_id: customer }) })}
            aria-label={t('proofOf', { number: pickup.form_number })}
          >
            {t('proof')}
          </PdfButton>
          {editable && (
            <RowMenu label={t('moreOf', { number: pickup.form_number })}>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(pickup)}>
                {t('edit')}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => setWithdrawing(pickup)}
              >
                {t('withdraw')}
              </Menu.Item>
            </RowMenu>
          )}
        </Group>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label={t('pickups')}
        columns={columns}
        rows={pickups}
        keyOf={pickup => pickup._id}
        failure={failure}
        empty={<Text c="dimmed">{t('noPickups')}</Text>}
        phone={{ areas: ['day collector', 'proof proof'], columns: '1fr 1fr', heads: 'offscreen' }}
        spacing="0.25rem"
        placeholders={3}
        frame
        paging={usePages('pickupsPerPage', t('pickupsPerPage'), pickups?.length ?? 0)}
      />
      {editing && <PickupDialog opened onClose={() => setEditing(null)} pickup={editing} />}
      {withdrawing && (
        <ReasonDialog
          title={t('withdrawTitle', { number: withdrawing.form_number })}
          text={t('withdrawText')}
          confirm={t('withdraw')}
          danger
          send={reason => withdraw.mutateAsync({ _id: withdrawing._id, reason })}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  )
}
