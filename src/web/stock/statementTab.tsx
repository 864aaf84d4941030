/** Chooses the day, and for an administrator the customer, of a stock statement (docs/product/warehouse.md "Stock statement"). */
import { Group, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { stock as calls } from '#contract/stock.ts'
import { ask, messageOf, useAnswer } from '../shared/api.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { useToday } from '../shared/hooks.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { DateField } from '../ui/dateField.tsx'
import type { StockTabProps } from './tab.ts'
import { useStockSheet } from './sheets.ts'
import { Statement } from './statement.tsx'

export function StatementTab({ chosen, change, ofSite }: StockTabProps) {
  const { t } = useTranslation('stock')
  const today = useToday()
  const { date = today, customer } = chosen
  const input = { date, ...(customer !== undefined && { seq_id: customer }) }
  const list = !ofSite || customer !== undefined
  const answer = useAnswer(calls.statement, { ...input, list })
  const isAhead = answer.error?.code === 'stock.date_ahead'
  const file = `${t('file')}-${date}`
  return (
    <>
      <Text c="dimmed" mb="md">
        {t('intro')}
      </Text>
      <Group align="flex-end" gap="sm" mb="md">
        <DateField
          label={t('date')}
          value={date}
          maxDate={today}
          error={isAhead && messageOf(answer.error)}
          onChange={day => change({ date: day === null || day === today ? undefined : day })}
        />
        {ofSite && (
          <CustomerChoice
            label={t('customer')}
            placeholder={t('allCustomers')}
            value={customer}
            onChange={next => change({ customer: next })}
          />
        )}
        <Group gap="sm" wrap="nowrap" ms="auto">
          <PdfButton name={file} pdf={() => ask(calls.statementpdf, input)}>
            {t('pdf')}
          </PdfButton>
          <WorkbookButton
            title={t('tabs.statement')}
            file={file}
            columns={useStockSheet({ ofSite })}
            rows={async () => (await ask(calls.statement, input)).rows}
          />
        </Group>
      </Group>
      {!isAhead && (
        <Statement
          key={JSON.stringify(input)}
          answer={answer}
          isOfCustomer={customer !== undefined}
          ofSite={ofSite}
          choose={next => change({ customer: next })}
        />
      )}
    </>
  )
}
