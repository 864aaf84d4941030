/** A credit note for an invoice: which of its lines, and why (docs/product/money.md "Invoices"). */
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import { type Invoice, type InvoiceLine, invoices as calls } from '#contract/invoices.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { Unbroken } from '../../ui/unbroken.tsx'

export function CreditDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation('invoices')
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={<Unbroken part={invoice.number}>{t('credit.question', { number: invoice.number })}</Unbroken>}
      size="44rem"
      lost={t('credit.lost')}
    >
      {dialog => <Lines invoice={invoice} dialog={dialog} />}
    </FormDialog>
  )
}

function Lines({ invoice, dialog }: { invoice: Invoice; dialog: DialogControls }) {
  const lines = useAnswer(calls.lines, { _id: invoice._id })
  if (lines.data) return <CreditForm invoice={invoice} lines={lines.data} dialog={dialog} />
  return lines.isError ? <Failed error={lines.error} retry={lines.refetch} /> : <Placeholders rows={2} height={40} />
}

type CreditFormProps = { invoice: Invoice; lines: readonly InvoiceLine[]; dialog: DialogControls }

function CreditForm({ invoice, lines, dialog }: CreditFormProps) {
  const { t, i18n } = useTranslation(['invoices', 'common'])
  const credit = useCall(calls.credit, { done: ({ number }) => t('credit.done', { number }) })
  const money = moneyIn(i18n.language)
  const open = lines.filter(({ credited_by }) => credited_by === null).map(({ line }) => line)
  // until somebody chooses all that are left; never one that another credit note takes back meanwhile
  const chosenOf = ({ lines: wanted }: { lines: readonly number[] | null }) =>
    open.filter(line => wanted === null || wanted.includes(line))
  const form = useContractForm({
    initial: { reason: '', lines: null as readonly number[] | null },
    input: values => ({
      _id: invoice._id,
      reason: values.reason.trim(),
      lines: chosenOf(values),
    }),
    rules: values => ({
      reason: values.reason.trim() === '' ? t('common:reason.missing') : undefined,
      lines: chosenOf(values).length === 0 ? t('credit.linesMissing') : undefined,
    }),
    dialog,
  })
  const chosen = chosenOf(form.values)
  const cents = lines.filter(({ line }) => chosen.includes(line)).reduce((sum, { net }) => sum + hundredths(net), 0)
  const choose = (next: readonly number[]) => form.set({ lines: next })
  const selection = useRowSelection<InvoiceLine>({
    head: {
      label: t('credit.all'),
      state: chosen.length === 0 ? false : chosen.length === open.length ? true : 'some',
      toggle: () => choose(chosen.length === open.length ? [] : open),
    },
    stateOf: ({ line }) => chosen.includes(line),
    labelOf: ({ description }) => t('credit.choose', { line: description }),
    offered: ({ credited_by }) => credited_by === null,
    toggle: ({ line }, selected) => choose(selected ? [...chosen, line] : chosen.filter(other => other !== line)),
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await credit.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('credit.text')}</Text>
        <DataTable
          columns={[
            {
              id: 'line',
              header: t('credit.line'),
              render: ({ description, credited_by }) => (
                <>
                  <Unbroken>{description}</Unbroken>
                  {credited_by !== null && (
                    <Text size="xs" c="dimmed">
                      {t('credit.creditedBy', { number: credited_by })}
                    </Text>
                  )}
                </>
              ),
            },
            { id: 'net', header: t('column.net'), render: ({ net }) => money.format(net), align: 'end', nowrap: true },
          ]}
          rows={lines}
          keyOf={({ line }) => line}
          selection={selection}
          empty=""
          phone={{ heads: 'shown' }}
          frame
        />
        <Group justify="flex-end">
          <Text size="sm" c={form.tried && form.errors['lines'] ? 'red' : 'dimmed'} role="status">
            {(form.tried && form.errors['lines']) ||
              t('credit.sum', { count: chosen.length, amount: money.format(cents / 100) })}
          </Text>
        </Group>
        <TextInput {...form.text('reason')} label={t('common:reason.label')} maxLength={500} data-autofocus />
        <FormActions form={form} dialog={dialog} submit={t('credit.confirm')} />
      </Stack>
    </Form>
  )
}
