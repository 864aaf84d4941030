/** The wheels that were in store at the end of a day; of the whole site first how many each customer had. */
import { Anchor, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '../ui/texts.ts'
import type { StockStatement, StoredWheel } from '#contract/stock.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatDate } from '../shared/format.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { Plate, Rack } from '../shared/trade.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { usePages } from './pages.tsx'

type StatementProps = {
  answer: UseQueryResult<StockStatement, Error>
  /** Of one customer of the site. */
  isOfCustomer: boolean
  /** For an administrator. */
  ofSite: boolean
  choose: (customer: number) => void
}

export function Statement({ answer: { data, error, refetch }, isOfCustomer, ofSite, choose }: StatementProps) {
  const { t } = useTranslation('stock')
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={8} height={44} />
  const counted = { count: data.wheel_count, date: formatDate(data.date) }
  // of a customer, who alone is counted then
  const customer = isOfCustomer ? data.customers[0]?.companyname : undefined
  return (
    <>
      <Text role="status" mb="xs">
        {customer === undefined ? t('wheels', counted) : t('wheelsOf', { ...counted, customer })}
      </Text>
      {data.wheel_count === 0 ? (
        <Empty text={t('none')} />
      ) : isOfCustomer || !ofSite ? (
        <Wheels wheels={data.rows} ofSite={ofSite} />
      ) : (
        <Customers customers={data.customers} choose={choose} />
      )}
    </>
  )
}

function Customers({ customers, choose }: Pick<StockStatement, 'customers'> & Pick<StatementProps, 'choose'>) {
  const { t, i18n } = useTranslation('stock')
  const pages = usePages('stockCustomersPerPage', t('customersPerPage'), customers.length)
  const columns: Columns<StockStatement['customers'][number]> = [
    {
      id: 'customer',
      header: t('customer'),
      rowHeader: true,
      render: line => (
        <>
          <Anchor component="button" underline="always" ta="start" onClick={() => choose(line.seq_id)}>
            {line.companyname}
          </Anchor>
          <BelowCell>{line.city}</BelowCell>
        </>
      ),
    },
    { id: 'city', header: t('city'), render: line => line.city, from: 'sm' },
    {
      id: 'wheels',
      header: t('wheelsHead'),
      align: 'end',
      render: line => formatNumber(line.wheel_count, i18n.language),
    },
  ]
  return (
    <DataTable
      label={t('byCustomer')}
      columns={columns}
      rows={customers}
      keyOf={line => line.seq_id}
      phone={{ heads: 'shown' }}
      spacing="0.25rem"
      paging={pages}
    />
  )
}

function Wheels({ wheels, ofSite }: { wheels: readonly StoredWheel[] } & Pick<StatementProps, 'ofSite'>) {
  const { t } = useTranslation('stock')
  const pages = usePages('stockWheelsPerPage', t('wheelsPerPage'), wheels.length)
  const columns: Columns<StoredWheel> = [
    {
      id: 'vehicle',
      header: t('vehicle'),
      rowHeader: true,
      render: line => (
        <>
          <Plate plate={line.license_plate} size="sm" />{' '}
          <BelowCell inline plain>
            {line.position}
          </BelowCell>
          <BelowCell>{line.description}</BelowCell>
          <BelowCell width="md">{line.tyre_set}</BelowCell>
        </>
      ),
    },
    { id: 'set', header: t('set'), render: line => line.tyre_set, from: 'md' },
    { id: 'position', header: t('position'), render: line => line.position, from: 'sm' },
    { id: 'description', header: t('description'), render: line => line.description, from: 'sm' },
    {
      id: 'since',
      header: t('since'),
      nowrap: true,
      render: line => (
        <>
          {formatDate(line.since)}
          {ofSite && (
            <BelowCell>
              <Rack name={line.stock_rack} />
            </BelowCell>
          )}
        </>
      ),
    },
    ofSite && { id: 'place', header: t('place'), render: line => <Rack name={line.stock_rack} />, from: 'sm' },
  ]
  return (
    <DataTable
      label={t('wheelsHead')}
      columns={columns}
      rows={wheels}
      keyOf={line => line.db_id}
      phone={{ heads: 'shown' }}
      spacing="0.25rem"
      paging={pages}
    />
  )
}
