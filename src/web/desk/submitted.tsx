/** Submitted operations of one type: found by customer, date, plate or tyre; copied, printed, worked on. */
import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconCopy, IconPrinter, IconSearch, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locations } from '#contract/locations.ts'
import type { Operation } from '#contract/wire.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { copyText } from '../ui/copy.ts'
import { Empty } from '../shared/screen.tsx'
import { formatDate, formatDepth, formatMoment } from '../shared/format.ts'
import { printPages } from '../ui/print.tsx'
import { DateField } from '../ui/dateField.tsx'
import { ListLine } from '../ui/listLine.tsx'
import { typingDelayMs, useDebounced } from '../ui/hooks.ts'
import { copyOf } from './copyColumns.ts'
import classes from './desk.module.css'
import { OperationRows } from './operationRows.tsx'
import { tyresLeft, walkOf } from './pickingList.ts'
import { PrintDialog } from './printDialog.tsx'
import { PrintList } from './printList.tsx'
import { customersOf, deskOrder } from '../handling/lookup.ts'
import { useNames } from '../operations/names.ts'

type Filter = { customer: string | null; day: string | null; words: string }
const everything: Filter = { customer: null, day: null, words: '' }

export function Submitted({ type, operations }: { type: OfferedType; operations: readonly Operation[] }) {
  const { t, i18n } = useTranslation(['desk', 'common'])
  const site = useSite()
  const names = useNames()
  // prefetched, so that a picking list is printed in walking order at once
  const { data: warehouse } = useAnswer(locations.all, {}, { muted: true, ahead: true, enabled: type !== 'to_stock' })
  const [filter, setFilter] = useState(everything)
  const [printing, setPrinting] = useState(false)
  const words = useDebounced(filter.words, typingDelayMs)
  const ofType = useMemo(
    () => operations.filter(operation => operation.type === type).sort(deskOrder),
    [operations, type],
  )
  const shown = useMemo(() => {
    const wanted = normalizePlate(words)
    return ofType.filter(
      operation =>
        (filter.customer === null || String(operation.seq_id) === filter.customer) &&
        (filter.day === null || operation.deliveryDate === filter.day) &&
        (wanted === '' ||
          operation.vehicle.license_plate.includes(wanted) ||
          operation.tyres.some(tyre => String(tyre.db_id).startsWith(wanted))),
    )
  }, [ofType, filter.customer, filter.day, words])
  const tyres = shown.reduce((sum, operation) => sum + operation.tyres.length, 0)
  const filtered = filter.customer !== null || filter.day !== null || filter.words !== ''

  const copy = () =>
    copyText(
      copyOf(
        shown,
        {
          heading: column => t(`copy.${column}`),
          type: option => (option === 'to_spare' ? t('common:operationType.to_spare') : t(`types.${option}`)),
          service: names.service,
          transport: names.transport,
          depth: depth => formatDepth(depth, i18n.language),
          date: formatDate,
          moment: moment => formatMoment(moment, site.time_zone),
        },
        { withDepth: site.allowProfileDepth },
      ),
    )

  const print = (printed: readonly Operation[]) => {
    setPrinting(false)
    const now = new Date()
    printPages(<PrintList type={type} operations={printed} walk={walkOf(warehouse ?? [])} now={now} />)
  }

  if (ofType.length === 0) return <Empty text={t(`none.${type}`)} />
  return (
    <>
      <ListLine
        search={
          <TextInput
            label={t('plateOrTyre')}
            placeholder={t('plateOrTyre')}
            value={filter.words}
            onChange={event => setFilter({ ...filter, words: event.currentTarget.value })}
            leftSection={<IconSearch size={16} aria-hidden />}
            className={classes.search}
            type="search"
            autoComplete="off"
          />
        }
        fields={
          <>
            <Select
              label={t('customer')}
              placeholder={t('allCustomers')}
              data={customersOf(ofType).map(({ seq_id, companyname, count }) => ({
                value: String(seq_id),
                label: `${companyname} (${count})`,
              }))}
              value={filter.customer}
              onChange={customer => setFilter({ ...filter, customer })}
              searchable
              clearable
              nothingFoundMessage={t('noCustomer')}
              className={classes.customer}
            />
            {type !== 'to_waste' && (
              <DateField
                label={t(type === 'to_stock' ? 'arrivalDate' : 'recallDate')}
                placeholder={t(type === 'to_stock' ? 'arrivalDate' : 'recallDate')}
                value={filter.day}
                onChange={day => setFilter({ ...filter, day })}
                clearable
                className={classes.day}
              />
            )}
          </>
        }
        fieldsSet={Number(filter.customer !== null) + Number(filter.day !== null)}
        actions={[
          { label: t('copyButton'), icon: IconCopy, disabled: shown.length === 0, run: copy },
          {
            label: t(`print.${type}`),
            icon: IconPrinter,
            disabled: tyresLeft(shown) === 0,
            run: () => (type === 'to_customer' ? setPrinting(true) : print(shown)),
          },
        ]}
      />
      {printing && <PrintDialog operations={shown} onPrint={print} onClose={() => setPrinting(false)} />}
      <Group gap="xs" mb="xs" className={filtered ? undefined : 'wh-hidden'}>
        <Text size="sm" c="dimmed" role="status">
          {t('operations', { count: shown.length })} · {t('common:tyres', { count: tyres })}
        </Text>
        {filtered && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => setFilter(everything)}
          >
            {t('clearFilters')}
          </Button>
        )}
      </Group>
      {shown.length === 0 ? (
        <Empty text={t('noneToDisplay')} />
      ) : (
        <OperationRows operations={shown} type={type} key={`${filter.customer} ${filter.day} ${words}`} />
      )}
    </>
  )
}
