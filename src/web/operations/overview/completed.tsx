/** The Completed tab: operations handled in a period, newest first (docs/product/operations.md "Operations overview"). */
import { Button, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { OnlyCustomer } from '../../customers/onlyCustomer.tsx'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { useAnswer } from '../../shared/api.ts'
import { useActing, useSeesSite, useSite } from '../../shared/session.ts'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { Expander } from '../../ui/dataTable/expander.tsx'
import { paging } from '../../ui/dataTable/paging.tsx'
import { ListLine, lineClasses } from '../../ui/listLine.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { formatDate } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { usePeriodComplaint } from '../../shared/period.ts'
import { handledTyres, maxPeriodDays } from '#domain/operations/operation.ts'
import { wallClock } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { lastMonth, type Period } from '../completed.ts'
import { OperationFacts } from '../operationFacts.tsx'
import { SwapNote } from '../swap.tsx'
import { DocumentsOf, TrailOf } from '../trail.tsx'
import { TyreList } from '../tyreList.tsx'
import { ReceiptLink } from '../receiptLink.tsx'
import { Empty, Failed } from '../../shared/screen.tsx'
import { OperationTypeIcon, StatusBadge, useOperationTypeLabel } from '../../shared/trade.tsx'
import { VehiclePlate } from '../../vehicles/vehiclePlate.tsx'
import { useOperationWorkbook } from './workbook.tsx'
import classes from './operations.module.css'

/** `recent`: those of the last month, which are loaded already. Others come with 'Get operations'. */
export function Completed({ recent }: { recent: readonly Operation[] }) {
  const { t } = useTranslation('operations')
  const today = useToday()
  const acting = useActing()
  const complaint = usePeriodComplaint()
  const form = useForm<Period>({
    initial: lastMonth(today),
    liveErrors: ({ startDate: from, endDate: to }) => ({ endDate: complaint({ from, to }, maxPeriodDays) }),
  })
  const period = form.values
  const [requested, setRequested] = useState<Period | null>(null)
  const answer = useAnswer(
    calls.completedbydate,
    { ...(requested ?? period), ...(acting && { seq_id: acting.seq_id }) },
    { enabled: requested !== null, keep: true, staleTime: 0 },
  )
  const button = useRef<HTMLButtonElement>(null)

  function get() {
    // Enter in a date leaves its calendar open over the answer.
    button.current?.focus()
    const same = requested?.startDate === period.startDate && requested.endDate === period.endDate
    if (same) void answer.refetch()
    else setRequested(period)
  }

  const operations = requested === null ? recent : answer.data
  const workbook = useOperationWorkbook({ tab: 'completed', operations: operations ?? none })
  return (
    <>
      <Form form={form} onSubmit={get}>
        <ListLine
          search={
            <>
              {(['startDate', 'endDate'] as const).map(end => (
                <DateField
                  key={end}
                  {...form.date(end)}
                  label={t(end)}
                  onChange={date => date && form.set({ [end]: date })}
                  maxDate={today}
                  className={lineClasses.named}
                />
              ))}
              <Button
                ref={button}
                type="submit"
                variant="default"
                disabled={!form.valid}
                loading={requested !== null && answer.isFetching}
              >
                {t('getOperations')}
              </Button>
            </>
          }
          more={[workbook]}
        />
      </Form>
      {requested !== null && answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : (
        <History key={requested ? `${requested.startDate} ${requested.endDate}` : ''} operations={operations} />
      )}
    </>
  )
}

const none: readonly Operation[] = []
const rowsPerPage = 50

/** Confirmed and cancelled operations; each expands to its tyres and details. */
function History({ operations }: { operations: readonly Operation[] | undefined }) {
  const { t } = useTranslation('operations')
  const [page, setPage] = useState(1)
  const { time_zone: timeZone } = useSite()
  const seesSite = useSeesSite()
  const typeOf = useOperationTypeLabel()
  const dayOf = ({ handledAt }: Operation) =>
    formatDate(handledAt && wallClock({ now: new Date(handledAt), timeZone }).date)
  return (
    <DataTable
      columns={[
        {
          id: 'details',
          header: t('detailsColumn'),
          headerHidden: true,
          render: ({ type, vehicle }, state) => (
            <Expander
              label={t('details', {
                which: t('which', { type: typeOf(type), plate: formatPlate(vehicle.license_plate) }),
              })}
              state={state}
            />
          ),
          width: '2.75rem',
        },
        {
          id: 'vehicle',
          header: t('columns.vehicle'),
          render: operation => (
            <>
              <VehiclePlate plate={operation.vehicle.license_plate} id={operation.flt_id} size="sm" />
              <BelowCell>{typeOf(operation.type)}</BelowCell>
              {seesSite && (
                <Text size="xs" c="dimmed">
                  {operation.user.companyname}
                </Text>
              )}
            </>
          ),
        },
        {
          id: 'operation',
          header: t('columns.operation'),
          render: ({ type }) => (
            <span className={classes.type}>
              <OperationTypeIcon type={type} size={24} />
              <span>{typeOf(type)}</span>
            </span>
          ),
          from: 'sm',
        },
        {
          id: 'tyres',
          header: t('columns.tyres'),
          render: operation => handledTyres(operation).length,
          align: 'end',
        },
        {
          id: 'status',
          header: t('columns.status'),
          render: operation => (
            <>
              <StatusBadge operation={operation} />
              <BelowCell>{dayOf(operation)}</BelowCell>
            </>
          ),
        },
        { id: 'date', header: t('columns.date'), render: dayOf, nowrap: true, from: 'sm' },
      ]}
      rows={operations}
      keyOf={({ _id }) => _id}
      paging={paging({ page, size: rowsPerPage, onPage: setPage })}
      details={{
        render: operation => (
          <>
            <Group gap="xs" mb="xs">
              <TrailOf operation={operation} />
              <DocumentsOf operation={operation} />
              <ReceiptLink operation={operation} />
              <SwapNote swap={operation.swap} />
            </Group>
            <TyreList tyres={operation.tyres} />
            <OperationFacts operation={operation} />
          </>
        ),
        className: classes.unfolded,
      }}
      empty={
        <Empty text={t('empty.completed')}>
          <OnlyCustomer />
        </Empty>
      }
      rowAttributes={({ _id }) => ({ 'data-operation': _id })}
      phone={{ heads: 'shown' }}
      className={classes.completed}
      frame
      still
    />
  )
}
