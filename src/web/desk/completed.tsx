/** Confirmed and cancelled operations of a period (docs/product/operations.md "Operations desk"). */
import { Button, Group, Select, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { addMonths } from '#domain/texts/date.ts'
import { handledTyres, maxPeriodDays } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { ask, invalidate, useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { ListLine, lineClasses } from '../ui/listLine.tsx'
import { DateField } from '../ui/dateField.tsx'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Failed } from '../shared/screen.tsx'
import { formatMoment } from '../shared/format.ts'
import { OperationTypeIcon, StatusBadge, useOperationTypeLabel } from '../shared/trade.tsx'
import { PdfButton } from '../shared/pdf.tsx'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { usePeriodComplaint } from '../shared/period.ts'
import { SwapNote } from '../operations/swap.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import type { TablePaging } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Expander } from '../ui/dataTable/expander.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import classes from './desk.module.css'
import { customersOf } from '../handling/lookup.ts'
import { TyreTable } from './tyreTable.tsx'
import { ReceiptLink } from '../operations/receiptLink.tsx'
import { useNames } from '../operations/names.ts'

export function Completed() {
  const { t } = useTranslation('desk')
  const today = useToday()
  const complaint = usePeriodComplaint()
  const form = useForm<{ start: string | null; end: string | null }>({
    initial: { start: addMonths(today, -1), end: today },
    liveErrors: ({ start: from, end: to }) => ({ end: complaint({ from, to }, maxPeriodDays) }),
  })
  const { start, end } = form.values
  const [period, setPeriod] = useState({ startDate: addMonths(today, -1), endDate: today })
  const [customer, setCustomer] = useState<string | null>(null)
  const { data, error, refetch, isFetching } = useAnswer(operations.adminopsbydate, period, { keep: true })
  const [perPage, setPerPage] = useRemembered('actionsPerPage', 25)
  const [page, setPage] = useState(1)
  const shown = useMemo(
    () => data?.filter(({ seq_id }) => customer === null || String(seq_id) === customer) ?? [],
    [data, customer],
  )

  const fetch = () => {
    if (!start || !end) return
    setPage(1)
    if (start === period.startDate && end === period.endDate) void invalidate(['operations.adminopsbydate'])
    else setPeriod({ startDate: start, endDate: end })
  }

  return (
    <>
      <Form form={form} onSubmit={fetch}>
        <ListLine
          search={
            <>
              <Select
                label={t('customer')}
                placeholder={t('allCustomers')}
                data={customersOf(data ?? []).map(({ seq_id, companyname, count }) => ({
                  value: String(seq_id),
                  label: `${companyname} (${count})`,
                }))}
                value={customer}
                onChange={value => {
                  setCustomer(value)
                  setPage(1)
                }}
                searchable
                clearable
                nothingFoundMessage={t('noCustomer')}
                className={classes.customer}
              />
              <DateField
                {...form.date('start')}
                label={t('startDate')}
                maxDate={today}
                className={`${classes.day} ${lineClasses.named}`}
              />
              <DateField
                {...form.date('end')}
                label={t('endDate')}
                maxDate={today}
                className={`${classes.day} ${lineClasses.named}`}
              />
              <Button
                type="submit"
                variant="default"
                leftSection={<IconDownload size={18} aria-hidden />}
                disabled={!start || !end || !form.valid}
                loading={isFetching}
              >
                {t('fetch')}
              </Button>
            </>
          }
          status={data && <span role="status">{t('operations', { count: shown.length })}</span>}
        />
      </Form>
      <CompletedTable
        operations={data && shown}
        failure={error && <Failed error={error} retry={refetch} />}
        paging={paging({
          label: t('actionsPerPage'),
          page,
          size: perPage,
          onPage: setPage,
          onSize: size => {
            setPerPage(size)
            setPage(1)
          },
        })}
      />
    </>
  )
}

type CompletedTableProps = { operations: readonly Operation[] | undefined; failure: ReactNode; paging: TablePaging }

function CompletedTable({ operations, failure, paging }: CompletedTableProps) {
  const { t } = useTranslation(['desk', 'common'])
  const typeLabel = useOperationTypeLabel()
  const site = useSite()
  return (
    <DataTable
      columns={[
        {
          id: 'details',
          header: t('tyres'),
          headerHidden: true,
          render: ({ vehicle: { license_plate: plate } }, state) => (
            <Expander
              label={t(state.open ? 'hideTyresOf' : 'showTyresOf', { plate: formatPlate(plate) })}
              state={state}
              points="right"
              size={28}
            />
          ),
          width: '2.25rem',
          area: 'fold',
          className: classes.fold,
        },
        {
          id: 'vehicle',
          header: t('vehicle'),
          render: ({ vehicle, flt_id }) => <VehiclePlate plate={vehicle.license_plate} id={flt_id} />,
          area: 'vehicle',
        },
        {
          id: 'customer',
          header: t('customer'),
          render: operation => (
            <>
              {operation.user.companyname}
              <BelowCell width="lg">
                <ServicesAndRemarks operation={operation} />
              </BelowCell>
            </>
          ),
          area: 'customer',
        },
        {
          id: 'operation',
          header: t('operation'),
          render: ({ type, tyres }) => (
            <>
              <Group gap={6} wrap="nowrap" className={classes.type}>
                <OperationTypeIcon type={type} size={22} />
                {typeLabel(type)}
              </Group>
              <BelowCell width="lg">{t('common:tyres', { count: handledTyres({ tyres }).length })}</BelowCell>
            </>
          ),
          nowrap: true,
          area: 'type',
        },
        { id: 'tyres', header: t('tyres'), render: operation => handledTyres(operation).length, from: 'lg' },
        {
          id: 'services',
          header: t('servicesAndRemarks'),
          render: operation => <ServicesAndRemarks operation={operation} />,
          from: 'lg',
        },
        {
          id: 'status',
          header: t('status'),
          render: operation => <StatusBadge operation={operation} />,
          nowrap: true,
          area: 'status',
          className: classes.atEnd,
        },
        {
          id: 'date',
          header: t('date'),
          render: ({ handledAt }) => formatMoment(handledAt, site.time_zone),
          area: 'date',
        },
        {
          id: 'document',
          header: t('document'),
          render: operation => (
            <Group gap={6} justify="flex-end">
              <ReceiptLink operation={operation} />
              {operation.document !== null && <DocumentButton operation={operation} />}
            </Group>
          ),
          area: 'document',
          className: classes.atEnd,
        },
      ]}
      rows={operations}
      failure={failure}
      empty={t('noneCompleted')}
      keyOf={({ _id }) => _id}
      paging={paging}
      details={{
        render: ({ tyres, swap }) => (
          <>
            <SwapNote swap={swap} />
            <TyreTable tyres={tyres} />
          </>
        ),
        single: true,
      }}
      phone={{
        areas: [
          'fold vehicle status',
          'fold customer customer',
          'fold type type',
          'fold date date',
          'fold document document',
        ],
        columns: '2.75rem minmax(0, 1fr) auto',
      }}
      frame={{ label: t('completed'), minWidth: 680 }}
      className={classes.completed}
      striped
    />
  )
}

function ServicesAndRemarks({ operation: { services, remarks } }: { operation: Operation }) {
  const names = useNames()
  return (
    <>
      <Text component="span" display="block" inherit>
        {services.map(names.service).join(', ')}
      </Text>
      {remarks && (
        <Text component="span" size="xs" c="dimmed" lineClamp={2} title={remarks}>
          {remarks}
        </Text>
      )}
    </>
  )
}

/** Opens the document that was made when the operation was confirmed. */
function DocumentButton({ operation: { document, vehicle } }: { operation: Operation }) {
  const { t } = useTranslation('desk')
  const name = t('documentOf', { plate: formatPlate(vehicle.license_plate) })
  return (
    <PdfButton
      size="compact-sm"
      name={name}
      aria-label={`PDF: ${name}`}
      pdf={() => ask(fleet.historydocument, { db_id: document ?? 0 })}
    >
      PDF
    </PdfButton>
  )
}
