/** Which invoices a line of the bank pays, by hand: those that it may be for, or those of a customer. */
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { type BankLine, type PaymentProposal, payments as calls } from '#contract/payments.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { CustomerChoice } from '../../customers/customerChoice.tsx'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { formatDate } from '../../shared/format.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { NumberField } from '../../ui/form/numberField.tsx'
import classes from '../invoicing.module.css'

type Props = { line: BankLine; amount: string }

export function AssignDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  const { t } = useTranslation('payments')
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t('bank.assign.title', { amount: props.amount })}
      size="46rem"
      lost={t('bank.assign.lost')}
    >
      {dialog => <AssignForm {...props} dialog={dialog} />}
    </FormDialog>
  )
}

function AssignForm({ line, amount, dialog }: Props & { dialog: DialogControls }) {
  const { t, i18n } = useTranslation('payments')
  const money = moneyIn(i18n.language)
  const [customer, setCustomer] = useState<number | undefined>(undefined)
  const account = useAnswer(calls.account, { seq_id: customer ?? 0 }, { enabled: customer !== undefined })
  const answer = useCall(calls.answer, { done: 'payments:bank.assign.done' })
  const isEur = line.currency === 'EUR'
  const shown: readonly Pick<PaymentProposal, '_id' | 'number' | 'due_on' | 'open'>[] | undefined =
    customer === undefined ? line.proposals : account.data?.open_invoices
  const form = useContractForm({
    initial: { invoices: [] as readonly number[], amount: '' as number | string },
    input: values => ({
      _id: line._id,
      invoice_ids: [...values.invoices],
      ...(!isEur && { amount: Number(values.amount) }),
    }),
    rules: values => ({
      invoices: values.invoices.length === 0 ? t('bank.assign.missing') : undefined,
      amount: isEur || Number(values.amount) > 0 ? undefined : t('amountMissing'),
    }),
    dialog,
  })
  const { invoices: chosen } = form.values
  const ids = shown?.map(({ _id }) => _id) ?? []
  const choose = (next: readonly number[]) => form.set({ invoices: next })
  const cents = (shown ?? [])
    .filter(({ _id }) => chosen.includes(_id))
    .reduce((sum, { open }) => sum + hundredths(open), 0)
  const selection = useRowSelection<NonNullable<typeof shown>[number]>({
    head: {
      label: t('bank.assign.all'),
      state: chosen.length === 0 ? false : chosen.length === ids.length ? true : 'some',
      toggle: () => choose(chosen.length === ids.length ? [] : ids),
      disabled: ids.length === 0,
    },
    stateOf: ({ _id }) => chosen.includes(_id),
    labelOf: ({ number }) => t('bank.assign.choose', { number }),
    toggle: ({ _id }, selected) => choose(selected ? [...chosen, _id] : chosen.filter(other => other !== _id)),
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await answer.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm" className={classes.answer}>
          {[formatDate(line.booked_on), line.payer, line.payer_account, line.reference, line.message]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <CustomerChoice
          label={t('bank.assign.customer')}
          placeholder={t('bank.assign.customerHint')}
          value={customer}
          onChange={next => {
            setCustomer(next)
            choose([])
          }}
        />
        <DataTable
          label={t('bank.assign.proposals')}
          columns={[
            {
              id: 'number',
              header: t('bank.column.for'),
              render: invoice => (
                <>
                  {invoice.number}
                  {'companyname' in invoice && (
                    <Text size="xs" c="dimmed">
                      {String(invoice.companyname)}
                    </Text>
                  )}
                </>
              ),
            },
            { id: 'due', header: t('bank.column.date'), render: ({ due_on }) => formatDate(due_on), from: 'sm' },
            {
              id: 'open',
              header: t('state.open'),
              render: ({ open }) => money.format(open),
              align: 'end',
              nowrap: true,
            },
          ]}
          rows={shown}
          keyOf={({ _id }) => _id}
          selection={selection}
          empty={t(customer === undefined ? 'bank.assign.noProposal' : 'bank.assign.none')}
          placeholders={2}
          phone={{ heads: 'shown' }}
          frame
        />
        {!isEur && <NumberField {...form.number('amount')} label={t('bank.assign.amount')} decimals={2} hideControls />}
        <Group justify="flex-end">
          <Text size="sm" c={form.tried && form.errors['invoices'] ? 'red' : 'dimmed'} role="status">
            {(form.tried && form.errors['invoices']) ||
              t('bank.assign.sum', { sum: money.format(cents / 100), amount })}
          </Text>
        </Group>
        <FormActions form={form} dialog={dialog} submit={t('bank.assign.confirm')} />
      </Stack>
    </Form>
  )
}
