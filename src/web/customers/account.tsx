/** The debts and credit of a customer, with the statement of account (docs/product/money.md "Paid or not"). */
import { Badge, Group, Text, Title } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { type CustomerAccount as Account, payments as calls } from '#contract/payments.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { formats, type SheetColumns } from '../shared/workbook.ts'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import classes from './customers.module.css'

type OpenInvoice = Account['open_invoices'][number]

/** The account of a customer; without `customer` one's own. Nothing where nothing is open or in hand. */
export function CustomerAccount({ customer }: { customer?: number | undefined }) {
  const { t, i18n } = useTranslation('payments')
  const input = customer === undefined ? {} : { seq_id: customer }
  const { data: account } = useAnswer(calls.account, input, { muted: true })
  const today = useToday()
  const money = moneyIn(i18n.language)
  if (!account || (account.open_invoices.length === 0 && account.in_hand === 0)) return null
  const sums = [
    t('account.sum', { open: money.format(account.open) }),
    ...(account.overdue > 0 ? [t('account.overdue', { amount: money.format(account.overdue) })] : []),
    ...(account.in_hand > 0 ? [t('account.inHand', { amount: money.format(account.in_hand) })] : []),
  ]
  const columns: SheetColumns<OpenInvoice> = [
    { header: t('account.number'), text: ({ number }) => number },
    { header: t('account.issued'), day: ({ issued_on }) => issued_on },
    { header: t('account.due'), day: ({ due_on }) => due_on },
    { header: t('account.gross'), number: ({ gross }) => gross, format: formats.amount },
    { header: t('account.open'), number: ({ open }) => open, format: formats.amount },
    { header: t('account.state'), text: ({ state }) => t(`state.${state}`) },
  ]
  return (
    <section aria-labelledby="account" className={classes.section}>
      <Group justify="space-between" gap="xs" mb="xs">
        <div>
          <Title order={2} id="account">
            {t('account.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {sums.join(' · ')}
          </Text>
        </div>
        <Group gap="xs">
          <PdfButton name={t('account.statement')} pdf={() => ask(calls.statement, input)}>
            {t('account.statement')}
          </PdfButton>
          <WorkbookButton
            title={t('account.title')}
            file={`${t('account.file')}-${today}`}
            columns={columns}
            rows={account.open_invoices}
          />
        </Group>
      </Group>
      <DataTable
        columns={[
          {
            id: 'number',
            header: t('account.number'),
            render: ({ number, issued_on, state }) => (
              <>
                {number}{' '}
                {state !== 'open' && (
                  <Badge size="sm" color={state === 'overdue' ? 'red' : 'yellow'}>
                    {t(`state.${state}`)}
                  </Badge>
                )}
                <BelowCell>{formatDate(issued_on)}</BelowCell>
              </>
            ),
          },
          { id: 'issued', header: t('account.issued'), render: row => formatDate(row.issued_on), from: 'sm' },
          { id: 'due', header: t('account.due'), render: row => formatDate(row.due_on), nowrap: true },
          { id: 'gross', header: t('account.gross'), render: row => money.format(row.gross), align: 'end', from: 'sm' },
          { id: 'open', header: t('account.open'), render: row => money.format(row.open), align: 'end', nowrap: true },
        ]}
        rows={account.open_invoices}
        keyOf={({ _id }) => _id}
        empty={t('account.none')}
        phone={{ heads: 'shown' }}
        frame
      />
    </section>
  )
}
