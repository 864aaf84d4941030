/** Invoices and credit notes: their list, new ones, and their files (docs/product/money.md "Invoices"). */
import { Alert, Badge, Button, Group } from '@mantine/core'
import { IconFileCode, IconPlus, IconSettings, IconTableExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { type Invoice, invoiceFilters, invoices as calls, invoicesPerPage } from '#contract/invoices.ts'
import { payments } from '#contract/payments.ts'
import { paymentStates } from '#domain/money/payment.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, useAnswer } from '../../shared/api.ts'
import { usePages } from '../../shared/pages.ts'
import { formatDate } from '../../shared/format.ts'
import { PdfButton } from '../../shared/pdf.tsx'
import { Failed } from '../../shared/screen.tsx'
import { Dotted } from '../../shared/trade.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { saveFile } from '../../ui/download.ts'
import { useTask } from '../../shared/useTask.ts'
import { Choice } from '../../ui/select.tsx'
import { BankFileButton } from '../payments/bank.tsx'
import { PaymentDialog } from '../payments/paymentDialog.tsx'
import { StateBadge } from '../payments/stateBadge.tsx'
import { MappingDialog } from './bookkeepingMapping.tsx'
import { CreditDialog } from './creditInvoice.tsx'
import { ExportDialog } from './exportInvoices.tsx'
import classes from '../invoicing.module.css'
import { NewInvoice } from './newInvoice.tsx'
import { SendingBadge, SendingDialog } from './sending.tsx'

export function Invoices() {
  const { t, i18n } = useTranslation(['invoices', 'invoicing', 'failures', 'common', 'payments'])
  const settings = useAnswer(calls.settings, {})
  const isFollowed = useAnswer(payments.settings, {}).data?.followed_from != null
  const [filter, setFilter] = useState<(typeof invoiceFilters)[number] | null>(null)
  const pages = usePages(calls.list, filter === null ? {} : { state: filter }, {
    after: 'last_invoice',
    lastOf: page => (page.length === invoicesPerPage ? page.at(-1)?._id : null),
    keep: true,
  })
  const [open, setOpen] = useState<'new' | 'export' | 'mapping' | null>(null)
  const [sending, setSending] = useState<number | null>(null)
  const [crediting, setCrediting] = useState<Invoice | null>(null)
  const [paying, setPaying] = useState<number | null>(null)
  const money = moneyIn(i18n.language)
  const close = () => setOpen(null)
  const maySend = settings.data?.access_point === true && settings.data.sends
  const rows = pages.data?.pages.flat()
  const shown = rows?.find(({ _id }) => _id === sending)
  const paid = rows?.find(({ _id }) => _id === paying)
  const isOff = settings.data?.invoices === false
  return (
    <>
      {isOff && (
        <Alert color="yellow" mb="md">
          {t('failures:invoices.off')}
        </Alert>
      )}
      <Group justify="space-between" gap="xs" mb="sm">
        <Button leftSection={<IconPlus size={18} aria-hidden />} disabled={isOff} onClick={() => setOpen('new')}>
          {t('new.title')}
        </Button>
        <Group gap="xs">
          {isFollowed && (
            <>
              <Choice
                aria-label={t('payments:filter.label')}
                value={filter ?? 'all'}
                onChange={value => setFilter(invoiceFilters.find(option => option === value) ?? null)}
                data={[
                  { value: 'all', label: t('payments:filter.all') },
                  { value: 'unpaid', label: t('payments:filter.unpaid') },
                  ...paymentStates.map(value => ({ value, label: t(`payments:state.${value}`) })),
                ]}
                allowDeselect={false}
              />
              <BankFileButton />
            </>
          )}
          <Button
            variant="default"
            leftSection={<IconTableExport size={18} aria-hidden />}
            onClick={() => setOpen('export')}
          >
            {t('export.title')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconSettings size={18} aria-hidden />}
            onClick={() => setOpen('mapping')}
          >
            {t('mapping.title')}
          </Button>
        </Group>
      </Group>
      <DataTable
        columns={[
          {
            id: 'number',
            header: t('column.number'),
            render: invoice => (
              <>
                <span className={classes.strong}>{invoice.number}</span> <Kind invoice={invoice} />{' '}
                {(maySend || invoice.sending !== null) && (
                  <SendingBadge invoice={invoice} onClick={() => setSending(invoice._id)} />
                )}{' '}
                <StateBadge invoice={invoice} />
                <BelowCell width="lg">{invoice.companyname}</BelowCell>
                <BelowCell>
                  <Dotted>
                    {formatDate(invoice.issued_on)}
                    {invoice.documents.join(', ')}
                  </Dotted>
                </BelowCell>
              </>
            ),
            area: 'number',
          },
          {
            id: 'date',
            header: t('column.date'),
            render: ({ issued_on }) => formatDate(issued_on),
            nowrap: true,
            from: 'sm',
          },
          {
            id: 'due',
            header: t('column.due'),
            render: ({ due_on }) => (due_on === null ? '' : formatDate(due_on)),
            nowrap: true,
            from: 'lg',
          },
          { id: 'customer', header: t('column.customer'), render: ({ companyname }) => companyname, from: 'lg' },
          {
            id: 'documents',
            header: t('column.documents'),
            render: ({ documents, credits }) =>
              credits === null ? <Numbers numbers={documents} /> : <Numbers numbers={[credits]} />,
            from: 'md',
          },
          { id: 'net', header: t('column.net'), render: ({ net }) => money.format(net), align: 'end', from: 'lg' },
          { id: 'vat', header: t('column.vat'), render: ({ vat }) => money.format(vat), align: 'end', from: 'xl' },
          {
            id: 'gross',
            header: t('column.gross'),
            render: ({ gross }) => money.format(gross),
            align: 'end',
            area: 'amount',
          },
          {
            id: 'open',
            header: t('column.open'),
            headerHidden: true,
            render: invoice => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                {invoice.state !== null && invoice.state !== 'credited' && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('payments:which', { number: invoice.number })}
                    onClick={() => setPaying(invoice._id)}
                  >
                    {t('payments:do')}
                  </Button>
                )}
                {invoice.kind === 'invoice' && invoice.credited_by === null && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={t('credit.which', { number: invoice.number })}
                    onClick={() => setCrediting(invoice)}
                  >
                    {t('credit.do')}
                  </Button>
                )}
                <UblButton invoice={invoice} />
                <PdfButton
                  size="compact-sm"
                  name={invoice.number}
                  aria-label={`PDF: ${invoice.number}`}
                  pdf={() => ask(calls.pdf, { _id: invoice._id })}
                >
                  PDF
                </PdfButton>
              </Group>
            ),
            align: 'end',
            area: 'open',
          },
        ]}
        rows={rows}
        keyOf={({ _id }) => _id}
        failure={pages.isError && <Failed error={pages.error} retry={pages.refetch} />}
        empty={t('none')}
        phone={{ areas: ['number amount', 'open open'], columns: 'minmax(0, 1fr) auto' }}
        className={classes.invoices}
        frame
      />
      {pages.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('invoicing:older')}
          </Button>
        </Group>
      )}
      <NewInvoice opened={open === 'new'} onClose={close} />
      <ExportDialog opened={open === 'export'} onClose={close} />
      <MappingDialog opened={open === 'mapping'} onClose={close} />
      {shown && <SendingDialog invoice={shown} maySend={maySend} onClose={() => setSending(null)} />}
      {paid && <PaymentDialog invoice={paid} onClose={() => setPaying(null)} />}
      {crediting && <CreditDialog invoice={crediting} onClose={() => setCrediting(null)} />}
    </>
  )
}

/** Numbers, none of which is broken. */
function Numbers({ numbers }: { numbers: readonly string[] }) {
  return numbers.map(number => (
    <div key={number} className={classes.number}>
      {number}
    </div>
  ))
}

/** The kind of an invoice that is no plain one. */
function Kind({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  if (invoice.credits !== null)
    return (
      <Badge color="gray" size="sm" title={invoice.reason}>
        {t('credit.badge')}
      </Badge>
    )
  if (invoice.credited_by !== null)
    return (
      <Badge color="red" size="sm" title={invoice.credited_by}>
        {t('credit.credited')}
      </Badge>
    )
  if (invoice.credited_in_part.length > 0)
    return (
      <Badge color="orange" size="sm" title={invoice.credited_in_part.join(', ')}>
        {t('credit.inPart')}
      </Badge>
    )
  return null
}

function UblButton({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices')
  const { busy, run } = useTask()
  async function save() {
    const { name, xml } = await ask(calls.ubl, { _id: invoice._id })
    saveFile(xml, { name, type: 'application/xml' })
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconFileCode size={18} aria-hidden />}
      aria-label={t('ubl.which', { number: invoice.number })}
      loading={busy}
      onClick={() => void run(save)}
    >
      UBL
    </Button>
  )
}
