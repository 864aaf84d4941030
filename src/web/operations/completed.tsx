/** The Completed tab: operations handled in a period, newest first (docs/product.md "Operations overview"). */
import { ActionIcon, Button, Group, Pagination, Paper, Table, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { useAnswer } from '../shared/api.ts'
import { useActing, useSeesSite, useSite } from '../shared/session.ts'
import { DateField } from '../ui/dateField.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { wallClock } from '#domain/date.ts'
import { lastMonth, type Period } from '../shared/operation/completed.ts'
import { OperationFacts } from '../shared/operation/operationFacts.tsx'
import { TyreList } from '../shared/operation/tyreList.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { OperationTypeIcon, StatusBadge, useOperationTypeLabel } from '../shared/trade.tsx'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import classes from './operations.module.css'

/** `recent`: those of the last month, which are loaded already. Others come with 'Get operations'. */
export function Completed({ recent }: { recent: readonly Operation[] }) {
  const { t } = useTranslation('operations')
  const today = useToday()
  const acting = useActing()
  const [period, setPeriod] = useState<Period>(lastMonth(today))
  const [asked, setAsked] = useState<Period | null>(null)
  const answer = useAnswer(
    calls.completedbydate,
    { ...(asked ?? period), ...(acting && { seq_id: acting.seq_id }) },
    { enabled: asked !== null, keep: true, staleTime: 0 },
  )
  const button = useRef<HTMLButtonElement>(null)
  const turned = period.startDate > period.endDate

  function get() {
    if (turned) return
    const same = asked?.startDate === period.startDate && asked.endDate === period.endDate
    if (same) void answer.refetch()
    else setAsked(period)
  }

  return (
    <>
      <form
        className={classes.period}
        onSubmit={event => {
          event.preventDefault()
          // Enter in a date leaves its calendar open over the answer.
          button.current?.focus()
          get()
        }}
      >
        {(['startDate', 'endDate'] as const).map(end => (
          <DateField
            key={end}
            label={t(end)}
            value={period[end]}
            onChange={date => date && setPeriod({ ...period, [end]: date })}
            maxDate={today}
            error={end === 'endDate' && turned && t('periodTurned')}
          />
        ))}
        <Button
          ref={button}
          type="submit"
          variant="default"
          disabled={turned}
          loading={asked !== null && answer.isFetching}
        >
          {t('getOperations')}
        </Button>
      </form>
      {asked === null ? (
        <History operations={recent} />
      ) : answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : answer.data ? (
        <History key={`${asked.startDate} ${asked.endDate}`} operations={answer.data} />
      ) : (
        <Placeholders rows={6} />
      )}
    </>
  )
}

const rowsPerPage = 50

function History({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation('operations')
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(operations.length / rowsPerPage))
  const now = Math.min(page, pages)
  if (operations.length === 0) return <Empty text={t('empty.completed')} />
  return (
    <>
      <Paper className={classes.history}>
        <Table className={classes.table} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.foldColumn}>
                <span className="wh-hidden">{t('detailsColumn')}</span>
              </Table.Th>
              <Table.Th>{t('columns.vehicle')}</Table.Th>
              <Table.Th className={classes.wide}>{t('columns.operation')}</Table.Th>
              <Table.Th className={classes.number}>{t('columns.tyres')}</Table.Th>
              <Table.Th>{t('columns.status')}</Table.Th>
              <Table.Th className={classes.wide}>{t('columns.date')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {operations.slice((now - 1) * rowsPerPage, now * rowsPerPage).map(operation => (
            <HistoryRow key={operation._id} operation={operation} />
          ))}
        </Table>
      </Paper>
      {pages > 1 && (
        <Group justify="center" mt="md">
          <Pagination
            total={pages}
            value={now}
            onChange={setPage}
            getControlProps={control => ({ 'aria-label': t(`pages.${control}`) })}
            getItemProps={number => ({ 'aria-label': t('pages.number', { number }) })}
          />
        </Group>
      )}
    </>
  )
}

/** A confirmed or cancelled operation; unfolds to its tyres and what was asked with it. */
function HistoryRow({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const { time_zone: timeZone } = useSite()
  const seesSite = useSeesSite()
  const typeOf = useOperationTypeLabel()
  const [open, setOpen] = useState(false)
  const id = useId()
  const { license_plate: plate } = operation.vehicle
  const day = operation.handledAt && wallClock({ now: new Date(operation.handledAt), timeZone }).date
  return (
    <Table.Tbody className={classes.row} data-operation={operation._id}>
      <Table.Tr>
        <Table.Td className={classes.foldColumn}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-expanded={open}
            aria-controls={id}
            aria-label={t('details', { which: t('which', { type: typeOf(operation.type), plate }) })}
            onClick={() => setOpen(!open)}
            className={classes.fold}
          >
            <IconChevronDown size={18} aria-hidden data-open={open || undefined} />
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <VehiclePlate plate={plate} id={operation.flt_id} size="sm" />
          <span className={classes.underneath}>{typeOf(operation.type)}</span>
          {seesSite && (
            <Text size="xs" c="dimmed">
              {operation.user.companyname}
            </Text>
          )}
        </Table.Td>
        <Table.Td className={classes.wide}>
          <span className={classes.type}>
            <OperationTypeIcon type={operation.type} size={24} />
            <span>{typeOf(operation.type)}</span>
          </span>
        </Table.Td>
        <Table.Td className={classes.number}>{operation.tyres.length}</Table.Td>
        <Table.Td>
          <StatusBadge operation={operation.status} />
          <span className={classes.underneath}>{formatDate(day)}</span>
        </Table.Td>
        <Table.Td className={`${classes.date} ${classes.wide}`}>{formatDate(day)}</Table.Td>
      </Table.Tr>
      <Table.Tr id={id} hidden={!open} className={classes.unfolded}>
        <Table.Td colSpan={6}>
          {open && (
            <>
              <TyreList tyres={operation.tyres} />
              <OperationFacts operation={operation} />
            </>
          )}
        </Table.Td>
      </Table.Tr>
    </Table.Tbody>
  )
}
