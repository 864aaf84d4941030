/** Who owes how much today: storage of tyres in the store and of those that left, and charges (docs/product/money.md "Overdue storage"). */
import { Text, Title } from '@mantine/core'
import { billing, type OwingCustomer } from '#contract/billing.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer } from '../../shared/api.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useTranslation } from '../../ui/texts.ts'

const storageOf = ({ parts }: OwingCustomer): number => parts.storage ?? 0

export function Owing({ days }: { days: number }) {
  const { t, i18n } = useTranslation('invoicing')
  const { data, error, refetch } = useAnswer(billing.owing, { days })
  const euro = (amount: number) => moneyIn(i18n.language).format(amount)
  // a sum of cents has no rests of binary fractions
  const sum = (data ?? []).reduce((cents, { amount_excl }) => cents + Math.round(amount_excl * 100), 0) / 100
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={6} />
  return (
    <>
      <Title order={2} size="h4">
        {t('owing.title', { amount: euro(sum) })}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('owing.text')}
      </Text>
      <DataTable
        label={t('owing.label')}
        columns={[
          {
            id: 'customer',
            header: t('owing.customer'),
            rowHeader: true,
            render: ({ seq_id, companyname }) => (
              <TextLink to="/admin/invoicing" search={{ days, customer: seq_id }}>
                {companyname}
              </TextLink>
            ),
          },
          { id: 'tyres', header: t('owing.tyres'), render: ({ tyre_count }) => tyre_count, align: 'end', from: 'sm' },
          { id: 'storage', header: t('owing.storage'), render: row => euro(storageOf(row)), align: 'end', from: 'sm' },
          {
            id: 'charges',
            header: t('owing.charges'),
            render: row => euro(row.amount_excl - storageOf(row)),
            align: 'end',
            from: 'sm',
          },
          { id: 'amount', header: t('owing.amount'), render: row => euro(row.amount_excl), align: 'end', nowrap: true },
        ]}
        rows={data}
        keyOf={({ seq_id }) => seq_id}
        empty={t('owing.none')}
        frame
      />
    </>
  )
}
