/** The twenty largest customers, with their part of all that was charged. */
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { useTranslation } from '../ui/texts.ts'
import { figures as calls, type LargestCustomers as Largest } from '#contract/figures.ts'
import { labelled } from '../i18n.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { useToday } from '../shared/hooks.ts'
import { Empty } from '../shared/screen.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { Figure } from './parts.tsx'
import classes from './figures.module.css'

type Customer = Largest['customers'][number]

export function LargestCustomers() {
  const { t } = useTranslation('figures')
  const answer = useAnswer(calls.customers, {})
  return (
    <Figure answer={answer} text={t('customers.text')}>
      {largest =>
        largest.customers.length === 0 ? <Empty text={t('customers.none')} /> : <Ranking largest={largest} />
      }
    </Figure>
  )
}

function Ranking({ largest }: { largest: Largest }) {
  const { t, i18n } = useTranslation('figures')
  const today = useToday()
  const money = moneyIn(i18n.language)
  const number = (count: number) => formatNumber(count, i18n.language)
  // where nothing is charged the wheels make the order
  const byMoney = largest.charged_excl > 0
  const partOf = (customer: Customer) =>
    byMoney ? customer.charged_excl / largest.charged_excl : customer.wheel_count / largest.wheel_count
  const widest = Math.max(...largest.customers.map(partOf))
  const columns: Columns<Customer> = [
    {
      id: 'customer',
      header: t('customers.customer'),
      rowHeader: true,
      render: customer => (
        <>
          {customer.companyname}
          <BelowCell>{customer.city}</BelowCell>
          <BelowCell>{labelled(t('customers.wheels'), number(customer.wheel_count))}</BelowCell>
        </>
      ),
      footer: t('customers.all'),
    },
    { id: 'city', header: t('customers.city'), render: customer => customer.city, from: 'md' },
    {
      id: 'bar',
      header: t('customers.share'),
      width: '30%',
      from: 'sm',
      render: customer => (
        <span title={partOf(customer).toLocaleString(i18n.language, { style: 'percent' })}>
          {partOf(customer).toLocaleString(i18n.language, { style: 'percent' })}
          <span className={classes.bar} style={{ width: `${(partOf(customer) / widest) * 100}%` }} aria-hidden />
        </span>
      ),
    },
    {
      id: 'wheels',
      header: t('customers.wheels'),
      align: 'end',
      from: 'sm',
      render: customer => number(customer.wheel_count),
      footer: number(largest.wheel_count),
    },
    {
      id: 'charged',
      header: t('customers.charged'),
      align: 'end',
      nowrap: true,
      render: customer => money.format(customer.charged_excl),
      footer: money.format(largest.charged_excl),
    },
  ]
  return (
    <>
      <DataTable
        label={t('customers.title')}
        columns={columns}
        rows={largest.customers}
        keyOf={customer => customer.seq_id}
        phone={{ heads: 'shown' }}
        spacing="0.25rem"
      />
      <CsvBelow
        file={`${t('file.customers')}-${today}`}
        cells={() => [
          [t('customers.customer'), t('customers.city'), t('customers.wheels'), `${t('customers.charged')} (EUR)`],
          ...largest.customers.map(customer => [
            customer.companyname,
            customer.city,
            customer.wheel_count,
            customer.charged_excl,
          ]),
          [t('customers.all'), '', largest.wheel_count, largest.charged_excl],
        ]}
      />
    </>
  )
}
