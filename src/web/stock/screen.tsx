/** What was in store at the end of a day (docs/product.md "Stock statement"). */
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { stock as calls } from '#contract/stock.ts'
import { ask } from '../shared/api.ts'
import { CustomerChoice } from '../shared/customer/customerChoice.tsx'
import { useToday } from '../shared/hooks.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { Screen } from '../shared/screen.tsx'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { DateField } from '../ui/dateField.tsx'
import { Statement } from './statement.tsx'
import { useStockSheet } from './sheet.ts'

type Chosen = { date?: string | undefined; customer?: number | undefined }
type ChosenProps = { chosen: Chosen; change: (next: Chosen) => void }

/** What the address says of it. */
const searchOf = ({ date, customer }: Chosen) => ({
  ...(date !== undefined && { date }),
  ...(customer !== undefined && { customer }),
})

/** An administrator's, of the whole site or one customer. */
export function StockScreen() {
  const { t } = useTranslation('stock')
  const chosen = useSearch({ from: '/admin/stock' })
  const navigate = useNavigate()
  const change = (next: Chosen) =>
    void navigate({ to: '/admin/stock', search: searchOf({ ...chosen, ...next }), replace: true, resetScroll: false })
  return (
    <StatementScreen chosen={chosen} change={change} ofSite>
      <CustomerChoice
        label={t('customer')}
        placeholder={t('allCustomers')}
        nothingFoundMessage={t('noCustomer')}
        value={chosen.customer}
        onChange={customer => change({ customer })}
      />
    </StatementScreen>
  )
}

/** A customer's own. */
export function OwnStockScreen() {
  const chosen = useSearch({ from: '/stock' })
  const navigate = useNavigate()
  const change = (next: Chosen) =>
    void navigate({ to: '/stock', search: searchOf({ ...chosen, ...next }), replace: true, resetScroll: false })
  return <StatementScreen chosen={chosen} change={change} />
}

function StatementScreen({
  chosen,
  change,
  ofSite = false,
  children,
}: ChosenProps & { ofSite?: boolean; children?: ReactNode }) {
  const { t } = useTranslation('stock')
  const today = useToday()
  const { date = today, customer } = chosen
  const asked = { date, ...(customer !== undefined && { seq_id: customer }) }
  const file = `${t('file')}-${date}`
  return (
    <Screen
      title={t('title')}
      actions={
        <>
          <PdfButton name={file} pdf={() => ask(calls.statementpdf, asked)}>
            {t('pdf')}
          </PdfButton>
          <WorkbookButton
            title={t('title')}
            file={file}
            columns={useStockSheet({ ofSite })}
            rows={async () => (await ask(calls.statement, asked)).rows}
          />
        </>
      }
    >
      <Text c="dimmed" mb="md">
        {t('intro')}
      </Text>
      <Group align="flex-end" gap="sm" mb="md">
        <DateField
          label={t('date')}
          value={date}
          maxDate={today}
          onChange={day => change({ date: day === null || day === today ? undefined : day })}
        />
        {children}
      </Group>
      <Statement
        key={JSON.stringify(asked)}
        asked={asked}
        ofSite={ofSite}
        choose={next => change({ customer: next })}
      />
    </Screen>
  )
}
