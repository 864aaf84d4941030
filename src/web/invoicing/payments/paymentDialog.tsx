/** The payments of an invoice, a payment to record, and what to do with what is left over (docs/product/money.md "Paid or not"). */
import { Badge, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Invoice } from '#contract/invoices.ts'
import { type Payment, payments as calls } from '#contract/payments.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { formatDate } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { Failed } from '../../shared/screen.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { NumberField } from '../../ui/form/numberField.tsx'
import { Unbroken } from '../../ui/unbroken.tsx'

export function PaymentDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation('payments')
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={<Unbroken part={invoice.number}>{t('title', { number: invoice.number })}</Unbroken>}
      size="46rem"
      lost={t('lost')}
    >
      {dialog => <Payments invoice={invoice} dialog={dialog} />}
    </FormDialog>
  )
}

function Payments({ invoice, dialog }: { invoice: Invoice; dialog: DialogControls }) {
  const { t, i18n } = useTranslation(['payments', 'common'])
  const money = moneyIn(i18n.language)
  const [undoing, setUndoing] = useState<Payment | null>(null)
  const undo = useCall(calls.undo, { done: 'payments:undo.done' })
  const open = invoice.open ?? 0
  const named = (payment: Payment) => ({ kind: t(`kind.${payment.kind}`), amount: money.format(payment.amount) })
  return (
    <Stack gap="md">
      <Text size="sm">
        {open > 0 && invoice.due_on !== null
          ? t('openOf', {
              open: money.format(open),
              gross: money.format(invoice.gross),
              due: formatDate(invoice.due_on),
            })
          : t('settled')}
      </Text>
      <History invoice={invoice} onUndo={setUndoing} />
      {open > 0 ? (
        <RecordForm invoice={invoice} open={open} dialog={dialog} />
      ) : (
        <Group justify="flex-end">
          <Button variant="default" onClick={dialog.close}>
            {t('common:close')}
          </Button>
        </Group>
      )}
      {undoing && (
        <ReasonDialog
          title={t('undo.title', named(undoing))}
          text={t('undo.text')}
          confirm={t('undo.do')}
          danger
          send={reason => undo.mutateAsync({ _id: undoing._id, reason })}
          onClose={() => setUndoing(null)}
        />
      )}
    </Stack>
  )
}

const inHand = ({ kind, undone, rest }: Payment): boolean => kind === 'payment' && undone === null && rest > 0

/** The payments that the invoice has and had, and others of which its customer has something in hand. */
function History({ invoice, onUndo }: { invoice: Invoice; onUndo: (payment: Payment) => void }) {
  const { t, i18n } = useTranslation('payments')
  const money = moneyIn(i18n.language)
  const list = useAnswer(calls.list, { _id: invoice._id })
  const named = (payment: Payment) => ({ kind: t(`kind.${payment.kind}`), amount: money.format(payment.amount) })
  return (
    <DataTable
      columns={[
        {
          id: 'payment',
          header: t('column.state'),
          render: payment => (
            <>
              {formatDate(payment.paid_on)} {t(`kind.${payment.kind}`)}{' '}
              {payment.bank_line !== null && (
                <Text span size="xs" c="dimmed">
                  {t('fromBank')}
                </Text>
              )}{' '}
              {inHand(payment) && (
                <Badge color="teal" size="sm">
                  {t('rest', { amount: money.format(payment.rest) })}
                </Badge>
              )}
              {payment.reason !== '' && <Text size="xs">{payment.reason}</Text>}
              {payment.undone && (
                <Text size="xs" c="dimmed">
                  {t('undoneBy', payment.undone)}
                </Text>
              )}
            </>
          ),
        },
        {
          id: 'amount',
          header: t('bank.column.amount'),
          render: ({ amount, undone }) => <Text td={undone ? 'line-through' : ''}>{money.format(amount)}</Text>,
          align: 'end',
          nowrap: true,
        },
        {
          id: 'actions',
          header: t('bank.column.actions'),
          headerHidden: true,
          render: payment => (
            <Group gap="xs" justify="flex-end">
              {inHand(payment) && <InHand payment={payment} invoice={invoice} />}
              {payment.undone === null && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={t('undo.which', named(payment))}
                  onClick={() => onUndo(payment)}
                >
                  {t('undo.do')}
                </Button>
              )}
            </Group>
          ),
          align: 'end',
        },
      ]}
      rows={list.data}
      keyOf={({ _id }) => _id}
      failure={list.isError && <Failed error={list.error} retry={list.refetch} />}
      empty={t('none')}
      placeholders={1}
      phone={{ heads: 'shown' }}
      frame
    />
  )
}

/** To use for this invoice, or give back, what is left of a payment. */
function InHand({ payment, invoice }: { payment: Payment; invoice: Invoice }) {
  const { t, i18n } = useTranslation('payments')
  const use = useCall(calls.allocate, { done: 'payments:use.done' })
  const refund = useCall(calls.refund, { done: 'payments:refund.done' })
  const today = useToday()
  const amount = moneyIn(i18n.language).format(payment.rest)
  async function giveBack() {
    const title = t('refund.question', { amount })
    if (!(await confirmFirst({ title, text: t('refund.text'), confirm: t('refund.do') }))) return
    refund.mutate({ _id: payment._id, paid_on: today, amount: payment.rest })
  }
  return (
    <>
      {(invoice.open ?? 0) > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          loading={use.isPending}
          onClick={() => use.mutate({ _id: payment._id, invoice: invoice._id })}
        >
          {t('use.do')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" loading={refund.isPending} onClick={() => void giveBack()}>
        {t('refund.do')}
      </Button>
    </>
  )
}

function RecordForm({ invoice, open, dialog }: { invoice: Invoice; open: number; dialog: DialogControls }) {
  const { t, i18n } = useTranslation('payments')
  const money = moneyIn(i18n.language)
  const today = useToday()
  const [writingOff, setWritingOff] = useState(false)
  const record = useCall(calls.record, {
    done: ({ rest }) => (rest > 0 ? t('recordedRest', { amount: money.format(rest) }) : t('recorded')),
  })
  const writeOff = useCall(calls.writeoff, { done: () => t('writeOff.done', { number: invoice.number }) })
  const form = useContractForm({
    initial: { paid_on: today as string | null, amount: open as number | string, note: '' },
    input: ({ paid_on, amount, note }) => ({
      _id: invoice._id,
      paid_on: paid_on ?? '',
      amount: Number(amount),
      note: note.trim(),
    }),
    rules: ({ paid_on, amount }) => ({
      paid_on: paid_on === null || paid_on > today ? t('dateMissing') : undefined,
      amount: Number(amount) > 0 ? undefined : t('amountMissing'),
    }),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await record.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
          <NumberField {...form.number('amount')} label={t('amount')} decimals={2} hideControls data-autofocus />
          <DateField {...form.date('paid_on')} label={t('paidOn')} maxDate={today} />
          <TextInput {...form.text('note')} label={t('note')} maxLength={500} />
        </SimpleGrid>
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" color="red" onClick={() => setWritingOff(true)}>
            {t('writeOff.do')}
          </Button>
          <FormActions form={form} dialog={dialog} submit={t('record')} />
        </Group>
      </Stack>
      {writingOff && (
        <ReasonDialog
          title={t('writeOff.title', { number: invoice.number })}
          text={t('writeOff.text', { amount: money.format(open) })}
          confirm={t('writeOff.do')}
          danger
          send={reason => writeOff.mutateAsync({ _id: invoice._id, reason })}
          onClose={() => setWritingOff(false)}
        />
      )}
    </Form>
  )
}
