/** Confirmed and cancelled operations of a period (docs/product.md "Operations desk"). */
import { ActionIcon, Button, Group, Pagination, Select, Table, Text, VisuallyHidden } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconChevronRight, IconDownload } from '@tabler/icons-react'
import { Fragment, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { addMonths } from '#domain/date.ts'
import { ask, invalidate, useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { formatMoment } from '../shared/format.ts'
import { OperationTypeIcon, StatusBadge, useOperationTypeLabel } from '../shared/trade.tsx'
import { PdfButton } from '../shared/pdf.tsx'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import classes from './desk.module.css'
import { customersOf } from '../shared/handling/lookup.ts'
import { TyreTable } from './tyreTable.tsx'
import { useNames } from '../shared/handling/words.ts'

const pageSizes = [10, 25, 50, 100]

export function Completed() {
  const { t } = useTranslation('admin')
  const today = useToday()
  const [start, setStart] = useState<string | null>(() => addMonths(today, -1))
  const [end, setEnd] = useState<string | null>(today)
  const [period, setPeriod] = useState({ startDate: addMonths(today, -1), endDate: today })
  const [customer, setCustomer] = useState<string | null>(null)
  const { data, error, refetch, isFetching } = useAnswer(operations.adminopsbydate, period, { keep: true })
  const [perPage, setPerPage] = useRemembered('actionsPerPage', 25)
  const [page, setPage] = useState(1)
  const backwards = start !== null && end !== null && start > end
  const shown = useMemo(
    () => data?.filter(({ seq_id }) => customer === null || String(seq_id) === customer) ?? [],
    [data, customer],
  )
  const pages = Math.max(1, Math.ceil(shown.length / perPage))
  const here = Math.min(page, pages)

  const fetch = () => {
    if (!start || !end || backwards) return
    setPage(1)
    if (start === period.startDate && end === period.endDate) void invalidate(['operations.adminopsbydate'])
    else setPeriod({ startDate: start, endDate: end })
  }

  return (
    <>
      <form
        onSubmit={event => {
          event.preventDefault()
          fetch()
        }}
      >
        <Group className={classes.toolbar} gap="xs" align="flex-end">
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
          <DatePickerInput
            label={t('startDate')}
            valueFormat="DD/MM/YYYY"
            value={start}
            onChange={setStart}
            maxDate={today}
            className={classes.day}
          />
          <DatePickerInput
            label={t('endDate')}
            valueFormat="DD/MM/YYYY"
            value={end}
            onChange={setEnd}
            maxDate={today}
            className={classes.day}
            error={backwards && t('backwards')}
          />
          <Button
            type="submit"
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={!start || !end || backwards}
            loading={isFetching}
          >
            {t('fetch')}
          </Button>
        </Group>
      </form>
      {!data && error ? (
        <Failed error={error} retry={refetch} />
      ) : !data ? (
        <Placeholders rows={8} />
      ) : shown.length === 0 ? (
        <Empty text={t('noneCompleted')} />
      ) : (
        <>
          <Text size="sm" c="dimmed" my="xs" role="status">
            {t('operations', { count: shown.length })}
          </Text>
          <CompletedTable operations={shown.slice((here - 1) * perPage, here * perPage)} />
          <Group justify="space-between" mt="sm" gap="sm">
            <Select
              label={t('actionsPerPage')}
              data={pageSizes.map(String)}
              value={String(perPage)}
              onChange={value => {
                setPerPage(Number(value))
                setPage(1)
              }}
              allowDeselect={false}
              className={classes.perPage}
            />
            {pages > 1 && (
              <Pagination
                total={pages}
                value={here}
                onChange={setPage}
                getControlProps={control => ({ 'aria-label': t(`page.${control}`) })}
                getItemProps={number => ({ 'aria-label': t('page.number', { number }) })}
              />
            )}
          </Group>
        </>
      )}
    </>
  )
}

function CompletedTable({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation(['admin', 'common'])
  const typeLabel = useOperationTypeLabel()
  const names = useNames()
  const site = useSite()
  const [open, setOpen] = useState<number | null>(null)
  return (
    <Table.ScrollContainer
      minWidth={760}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={t('completed')}
      className={classes.scroll ?? ''}
    >
      <Table striped className={classes.completed} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <VisuallyHidden>{t('tyres')}</VisuallyHidden>
            </Table.Th>
            <Table.Th>{t('vehicle')}</Table.Th>
            <Table.Th>{t('customer')}</Table.Th>
            <Table.Th>{t('operation')}</Table.Th>
            <Table.Th>{t('tyres')}</Table.Th>
            <Table.Th>{t('servicesAndRemarks')}</Table.Th>
            <Table.Th>{t('status')}</Table.Th>
            <Table.Th>{t('date')}</Table.Th>
            <Table.Th>{t('document')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operations.map((operation, index) => {
            const { _id, vehicle, type, status } = operation
            const expanded = open === _id
            return (
              <Fragment key={_id}>
                <Table.Tr className={classes.handled ?? ''} data-striped={index % 2 === 1 ? 'odd' : undefined}>
                  <Table.Td>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-expanded={expanded}
                      aria-label={t(expanded ? 'hideTyresOf' : 'showTyresOf', { plate: vehicle.license_plate })}
                      onClick={() => setOpen(expanded ? null : _id)}
                    >
                      <IconChevronRight size={16} aria-hidden className={classes.chevron} />
                    </ActionIcon>
                  </Table.Td>
                  <Table.Td>
                    <VehiclePlate plate={vehicle.license_plate} id={operation.flt_id} />
                  </Table.Td>
                  <Table.Td>{operation.user.companyname}</Table.Td>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap">
                      <OperationTypeIcon type={type} size={22} />
                      {typeLabel(type)}
                      <Text span size="sm" c="dimmed" className={classes.below}>
                        {t('common:tyres', { count: operation.tyres.length })}
                      </Text>
                    </Group>
                  </Table.Td>
                  <Table.Td>{operation.tyres.length}</Table.Td>
                  <Table.Td className={classes.services}>
                    <Text size="sm">{operation.services.map(names.service).join(', ')}</Text>
                    {operation.remarks && (
                      <Text size="xs" c="dimmed" className={classes.ellipsis} title={operation.remarks}>
                        {operation.remarks}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td className={classes.nowrap}>
                    <StatusBadge operation={status} />
                  </Table.Td>
                  <Table.Td>{formatMoment(operation.handledAt, site.time_zone)}</Table.Td>
                  <Table.Td>{operation.document !== null && <DocumentButton operation={operation} />}</Table.Td>
                </Table.Tr>
                {expanded && (
                  <Table.Tr className={classes.expanded}>
                    <Table.Td colSpan={9}>
                      <TyreTable tyres={operation.tyres} scanned />
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Opens the document that was made when the operation was confirmed. */
function DocumentButton({ operation: { document, vehicle } }: { operation: Operation }) {
  const { t } = useTranslation('admin')
  const name = t('documentOf', { plate: vehicle.license_plate })
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
