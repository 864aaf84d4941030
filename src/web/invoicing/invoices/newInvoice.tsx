/** A new invoice: whose, and of which documents. */
import { Group, Space, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { invoices as calls, type OpenDocument } from '#contract/invoices.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { CustomerChoice } from '../../customers/customerChoice.tsx'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { formatDate } from '../../shared/format.ts'
import { Failed } from '../../shared/screen.tsx'
import { Plate } from '../../shared/trade.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'

export function NewInvoice({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('invoices')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('new.title')} size="44rem" lost={t('new.lost')}>
      {dialog => <NewInvoiceForm dialog={dialog} />}
    </FormDialog>
  )
}

type Draft = { seq_id: number | null; documents: readonly number[] }

function NewInvoiceForm({ dialog }: { dialog: DialogControls }) {
  const { t, i18n } = useTranslation('invoices')
  const make = useCall(calls.make, { done: ({ number }) => t('new.done', { number }) })
  const [listed, setListed] = useState<readonly OpenDocument[]>([])
  const form = useContractForm({
    initial: { seq_id: null, documents: [] } as Draft,
    input: ({ seq_id, documents }) => ({ seq_id: seq_id ?? 0, documents: [...documents] }),
    rules: ({ seq_id, documents }) => ({
      seq_id: seq_id === null ? t('new.customerMissing') : undefined,
      documents: documents.length === 0 ? t('new.documentsMissing') : undefined,
    }),
    dialog,
  })
  const { seq_id, documents } = form.values
  const cents = listed
    .filter(({ db_id }) => documents.includes(db_id))
    .reduce((sum, { amount_excl }) => sum + hundredths(amount_excl), 0)
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await make.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <CustomerChoice
          label={t('new.customer')}
          placeholder={t('new.customerHint')}
          first
          value={seq_id ?? undefined}
          onChange={customer => form.set({ seq_id: customer ?? null, documents: [] })}
        />
        {seq_id === null ? (
          // the list of customers opens here, within the dialog
          <Space h="14rem" />
        ) : (
          <Documents
            key={seq_id}
            customer={seq_id}
            chosen={documents}
            choose={(next, all) => {
              setListed(all)
              form.set({ documents: next })
            }}
          />
        )}
        <Group justify="space-between">
          <Text size="sm" c={form.tried && form.errors['documents'] ? 'red' : 'dimmed'} role="status">
            {(form.tried && (form.errors['seq_id'] ?? form.errors['documents'])) ||
              (seq_id === null
                ? t('new.customerMissing')
                : t('new.sum', { count: documents.length, amount: moneyIn(i18n.language).format(cents / 100) }))}
          </Text>
        </Group>
        <FormActions form={form} dialog={dialog} submit={t('new.create')} />
      </Stack>
    </Form>
  )
}

type DocumentsProps = {
  customer: number
  chosen: readonly number[]
  choose: (documents: number[], all: readonly OpenDocument[]) => void
}

function Documents({ customer, chosen, choose }: DocumentsProps) {
  const { t, i18n } = useTranslation(['invoices', 'common', 'invoicing'])
  const open = useAnswer(calls.open, { seq_id: customer })
  const money = moneyIn(i18n.language)
  const all = open.data ?? []
  const ids = all.map(({ db_id }) => db_id)
  const selection = useRowSelection<OpenDocument>({
    head: {
      label: t('new.all'),
      state: chosen.length === 0 ? false : chosen.length === ids.length ? true : 'some',
      toggle: () => choose(chosen.length === ids.length ? [] : ids, all),
      disabled: ids.length === 0,
    },
    stateOf: ({ db_id }) => chosen.includes(db_id),
    labelOf: ({ number }) => t('new.choose', { number }),
    toggle: ({ db_id }, selected) =>
      choose(selected ? [...chosen, db_id] : chosen.filter(other => other !== db_id), all),
  })
  return (
    <DataTable
      columns={[
        {
          id: 'number',
          header: t('new.document'),
          render: ({ number, date }) => (
            <>
              {number}
              <BelowCell>{formatDate(date)}</BelowCell>
            </>
          ),
        },
        { id: 'date', header: t('column.date'), render: ({ date }) => formatDate(date), from: 'sm' },
        {
          id: 'of',
          header: t('new.of'),
          render: ({ license_plate, reason }) =>
            license_plate === null ? t(`invoicing:reason.${reason}`) : <Plate plate={license_plate} size="sm" />,
        },
        { id: 'amount', header: t('column.net'), render: ({ amount_excl }) => money.format(amount_excl), align: 'end' },
      ]}
      rows={open.data}
      keyOf={({ db_id }) => db_id}
      selection={selection}
      failure={open.isError && <Failed error={open.error} retry={open.refetch} />}
      empty={t('new.none')}
      phone={{ heads: 'shown' }}
      frame
    />
  )
}
