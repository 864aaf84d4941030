/** The aged balance: what is open by how long it has been due, and who owes most. */
import { ages } from '#domain/money/payment.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useTranslation } from '../ui/texts.ts'
import { figures as calls, type UnpaidFigures } from '#contract/figures.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { useToday } from '../shared/hooks.ts'
import { Empty } from '../shared/screen.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { Figure } from './parts.tsx'

type Customer = UnpaidFigures['customers'][number]

export function Unpaid() {
  const { t } = useTranslation('figures')
  const answer = useAnswer(calls.unpaid, {})
  return (
    <Figure answer={answer} text={t('unpaid.text')}>
      {unpaid => (unpaid.customers.length === 0 ? <Empty text={t('unpaid.none')} /> : <Aged unpaid={unpaid} />)}
    </Figure>
  )
}

function Aged({ unpaid }: { unpaid: UnpaidFigures }) {
  const { t, i18n } = useTranslation('figures')
  const today = useToday()
  const money = moneyIn(i18n.language)
  const columns: Columns<Customer> = [
    {
      id: 'customer',
      header: t('customers.customer'),
      rowHeader: true,
      render: ({ companyname, open, ages: its }) => (
        <>
          {companyname}
          {open > its.due && <BelowCell>{t('unpaid.overdue', { amount: money.format(open - its.due) })}</BelowCell>}
        </>
      ),
      footer: t('customers.all'),
    },
    ...ages.map(
      age =>
        ({
          id: age,
          header: t(`unpaid.age.${age}`),
          align: 'end',
          nowrap: true,
          from: 'md',
          render: (customer: Customer) => (customer.ages[age] === 0 ? '' : money.format(customer.ages[age])),
          footer: money.format(unpaid.ages[age]),
        }) as const,
    ),
    {
      id: 'open',
      header: t('unpaid.open'),
      align: 'end',
      nowrap: true,
      render: ({ open }) => money.format(open),
      footer: money.format(unpaid.open),
    },
  ]
  return (
    <>
      <DataTable
        label={t('unpaid.title')}
        columns={columns}
        rows={unpaid.customers}
        keyOf={({ seq_id }) => seq_id}
        phone={{ heads: 'shown' }}
        spacing="0.25rem"
      />
      <CsvBelow
        file={`${t('file.unpaid')}-${today}`}
        cells={() => [
          [t('customers.customer'), ...ages.map(age => `${t(`unpaid.age.${age}`)} (EUR)`), `${t('unpaid.open')} (EUR)`],
          ...unpaid.customers.map(({ companyname, ages: its, open }) => [
            companyname,
            ...ages.map(age => its[age]),
            open,
          ]),
          [t('customers.all'), ...ages.map(age => unpaid.ages[age]), unpaid.open],
        ]}
      />
    </>
  )
}
