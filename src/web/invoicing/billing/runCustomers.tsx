/** The customers of a billing run: the charges, the remarks, and the document of each. */
import { Badge, Group, Text } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { BillingRunCustomer, OpenRun } from '#contract/billing.ts'
import { fleet } from '#contract/fleet.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { tariffKinds } from '#domain/money/tariff.ts'
import { labelled } from '../../i18n.ts'
import { ask } from '../../shared/api.ts'
import { PdfButton } from '../../shared/pdf.tsx'
import { WorkbookButton } from '../../shared/workbookButton.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { paging } from '../../ui/dataTable/paging.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { FilterField } from '../../ui/filterField.tsx'
import classes from '../invoicing.module.css'
import { chosenIn, differenceOf, matches, withAllToggled } from '../charges/rows.ts'
import { useRunSheet } from '../sheets.ts'

type RunCustomersProps = {
  run: OpenRun
  /** Customers who get no document. */
  without: ReadonlySet<number>
  onWithout: (without: ReadonlySet<number>) => void
}

export function RunCustomers({ run, without, onWithout }: RunCustomersProps) {
  const { t, i18n } = useTranslation('billing')
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(100)
  const sheet = useRunSheet()
  const shown = useMemo(
    () => run.rows.filter(row => matches(`${row.companyname}\n${row.city}`, filter)),
    [run.rows, filter],
  )
  const isReady = run.state === 'ready'
  const money = moneyIn(i18n.language)
  const signed = moneyIn(i18n.language, 'exceptZero')
  const selection = useRowSelection<BillingRunCustomer>({
    head: {
      label: t('chooseAll'),
      state: chosenIn(shown, without),
      toggle: () => onWithout(withAllToggled(shown, without)),
    },
    stateOf: ({ seq_id }) => !without.has(seq_id),
    labelOf: useCallback(({ companyname }) => t('choose', { customer: companyname }), [t]),
    toggle: useCallback(
      ({ seq_id }, selected) => {
        const next = new Set(without)
        if (selected) next.delete(seq_id)
        else next.add(seq_id)
        onWithout(next)
      },
      [without, onWithout],
    ),
  })
  const difference = (row: BillingRunCustomer) => {
    const by = differenceOf(row)
    return by === null ? '–' : signed.format(by)
  }
  return (
    <>
      <Group justify="space-between" gap="sm">
        {run.rows.length > 8 ? <FilterField label={t('filterLabel')} value={filter} settle={setFilter} /> : <span />}
        <WorkbookButton
          size="xs"
          title={t('runs')}
          file={`${t('file')}-${run.until}`}
          columns={sheet}
          rows={shown}
          disabled={shown.length === 0}
        />
      </Group>
      <DataTable
        columns={[
          {
            id: 'customer',
            header: t('column.customer'),
            render: row => (
              <>
                <Text size="sm" fw={600}>
                  {row.companyname}
                </Text>
                {row.city !== '' && (
                  <Text size="xs" c="dimmed">
                    {row.city}
                  </Text>
                )}
                <Remarks row={row} />
                <Parts row={row} />
                <BelowCell width="lg">
                  {labelled(t('column.last'), row.last_excl === null ? '–' : money.format(row.last_excl))} ·{' '}
                  <span className={classes.together}>
                    {labelled(t('column.stored'), formatNumber(row.days, i18n.language))}
                  </span>
                </BelowCell>
                {!isReady && (
                  <BelowCell plain>
                    <Document row={row} />
                  </BelowCell>
                )}
              </>
            ),
          },
          {
            id: 'tyres',
            header: t('column.tyres'),
            render: row => formatNumber(row.tyre_count, i18n.language),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'days',
            header: t('column.stored'),
            render: row => formatNumber(row.days, i18n.language),
            align: 'end',
            from: 'lg',
          },
          {
            id: 'quantity',
            header: t('column.quantity'),
            render: row => formatNumber(row.quantity, i18n.language),
            align: 'end',
            from: 'lg',
          },
          {
            id: 'last',
            header: t('column.last'),
            render: row => (row.last_excl === null ? '–' : money.format(row.last_excl)),
            align: 'end',
            from: 'lg',
          },
          { id: 'difference', header: t('column.difference'), render: difference, align: 'end', from: 'sm' },
          {
            id: 'amount',
            header: t('column.amount'),
            render: row => <span className={classes.strong}>{money.format(row.amount_excl)}</span>,
            align: 'end',
            nowrap: true,
          },
          !isReady && {
            id: 'document',
            header: t('column.document'),
            render: row => <Document row={row} />,
            from: 'sm',
          },
        ]}
        rows={shown}
        keyOf={row => row.seq_id}
        selection={isReady ? selection : undefined}
        paging={
          run.rows.length > 10
            ? paging({ label: t('perPage'), page, size, onPage: setPage, onSize: setSize })
            : undefined
        }
        empty={t('noRows')}
        phone={{ heads: 'shown' }}
        frame
      />
    </>
  )
}

function Remarks({ row }: { row: BillingRunCustomer }) {
  const { t } = useTranslation('billing')
  if (row.remarks.length === 0) return null
  return (
    <Group gap={4} mt={2}>
      {row.remarks.map(remark => (
        <Badge key={remark} size="sm" color={remark === 'address_missing' ? 'gray' : 'orange'} variant="light">
          {t(`remark.${remark}`)}
        </Badge>
      ))}
    </Group>
  )
}

/** The parts of the amount, where it is not storage alone. */
function Parts({ row }: { row: BillingRunCustomer }) {
  const { t, i18n } = useTranslation('billing')
  const money = moneyIn(i18n.language)
  const parts = tariffKinds.flatMap(kind => {
    const amount = row.parts[kind]
    return amount === undefined ? [] : [`${t(`parts.${kind}`)} ${money.format(amount)}`]
  })
  if (row.charge_count === 0 && parts.length < 2) return null
  return (
    <Text size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  )
}

function Document({ row }: { row: BillingRunCustomer }) {
  const { t } = useTranslation('billing')
  const { document, state } = row
  if (!document)
    return (
      <Text size="sm" c={state === 'failed' ? 'red' : state === 'changed' ? 'orange' : 'dimmed'}>
        {t(`customerState.${state}`)}
      </Text>
    )
  return (
    <Group gap={6} wrap="nowrap">
      <PdfButton
        size="compact-sm"
        name={document.number}
        pdf={() => ask(fleet.historydocument, { db_id: document.db_id })}
      >
        {document.number}
      </PdfButton>
      {state === 'undone' && (
        <Badge color="red" size="sm">
          {t('customerState.undone')}
        </Badge>
      )}
    </Group>
  )
}
