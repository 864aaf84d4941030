/** Retrieved tyres: unpaid stored days and prepaid ones (docs/product/money.md "Stored days"). */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleX, IconFilePlus, IconReceiptRefund } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { invoicing, type Credit, type LeftTyre } from '#contract/invoicing.ts'
import type { OverdueCustomer } from '#contract/invoicing.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { formatDate } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { WorkbookButton } from '../../shared/workbookButton.tsx'
import { Empty, Failed, Placeholders } from '../../shared/screen.tsx'
import { Subject } from '../../shared/trade.tsx'
import { VehiclePlate } from '../../vehicles/vehiclePlate.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { DocumentDialog } from '../dialogs.tsx'
import { daysOwedBy } from './rows.ts'
import { useCreditSheet, useLeftSheet } from '../sheets.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'

export function Left() {
  const { t } = useTranslation('invoicing')
  const answer = useAnswer(invoicing.left, undefined)
  if (!answer.data)
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={4} />
  return (
    <Stack gap="xl">
      <section aria-label={t('left.title')}>
        <Text size="sm" c="dimmed" mb="md">
          {t('left.text')}
        </Text>
        {answer.data.length === 0 ? (
          <Empty text={t('left.none')} />
        ) : (
          <Stack gap="xl">
            {answer.data.map(customer => (
              <CustomerTyres key={customer.seq_id} customer={customer} />
            ))}
          </Stack>
        )}
      </section>
      <Credits />
    </Stack>
  )
}

/** A customer's tyres, which are charged or waived together. */
function CustomerTyres({ customer }: { customer: OverdueCustomer }) {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  const { seq_id } = customer
  const answer = useAnswer(invoicing.lefttyres, { seq_id })
  const [open, setOpen] = useState<'document' | 'waive' | null>(null)
  const waive = useCall(invoicing.waive, { done: ({ days }) => t('left.waived', { count: days }) })
  const tyres = answer.data ?? []
  const about = (
    <Subject plates={tyres.map(tyre => tyre.license_plate)}>{customer.companyname || customer.name}</Subject>
  )
  const today = useToday()
  const sheet = useLeftSheet()
  return (
    <section aria-label={customer.companyname || customer.name}>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} size="h4">
          {customer.companyname || customer.name}
        </Title>
        <Group gap="xs">
          <Button
            size="xs"
            leftSection={<IconFilePlus size={16} aria-hidden />}
            disabled={tyres.length === 0}
            onClick={() => setOpen('document')}
          >
            {t('createDocument')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCircleX size={16} aria-hidden />}
            disabled={tyres.length === 0}
            onClick={() => setOpen('waive')}
          >
            {t('left.waive')}
          </Button>
          <WorkbookButton
            size="xs"
            title={t('tabs.left')}
            file={`${t('file.left')}-${today}`}
            columns={sheet}
            rows={tyres}
          />
        </Group>
      </Group>
      <DataTable
        columns={[
          { id: 'plate', header: t('column.plate'), render: plateOf },
          {
            id: 'description',
            header: t('column.description'),
            render: tyre => (
              <>
                {tyre.description}
                <BelowCell>{`${tyre.position} · ${formatDate(tyre.status_date)} – ${formatDate(tyre.left_date)}`}</BelowCell>
              </>
            ),
          },
          { id: 'position', header: t('column.position'), render: tyre => tyre.position, from: 'sm' },
          { id: 'came', header: t('column.stockDate'), render: tyre => formatDate(tyre.status_date), from: 'sm' },
          { id: 'leftOn', header: t('left.leftOn'), render: tyre => formatDate(tyre.left_date), from: 'sm' },
          {
            id: 'owed',
            header: t('left.owed'),
            render: tyre => formatNumber(tyre.owed_days, i18n.language),
            align: 'end',
          },
        ]}
        rows={answer.data}
        keyOf={tyre => tyre.db_id}
        failure={answer.isError && <Failed error={answer.error} retry={answer.refetch} />}
        phone={{ heads: 'shown' }}
        frame
      />
      {open === 'document' && (
        <DocumentDialog
          customer={seq_id}
          about={about}
          tyres={tyres}
          left
          onClose={() => setOpen(null)}
          onMarked={() => {}}
        />
      )}
      {open === 'waive' && (
        <ReasonDialog
          title={t('left.waiveTitle', { count: tyres.length })}
          about={about}
          text={t('left.waiveText', { count: daysOwedBy(tyres) })}
          confirm={t('left.waive')}
          danger
          send={reason => waive.mutateAsync({ tyres: tyres.map(tyre => tyre.db_id), seq_id, left: true, reason })}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}

const plateOf = (tyre: LeftTyre | Credit) => <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />
const leftOn = ({ left_date: day }: Credit) => (day === null ? '–' : formatDate(day))

/** Days charged after a tyre had left; hidden without any. */
function Credits() {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  const answer = useAnswer(invoicing.credits, undefined)
  const today = useToday()
  const sheet = useCreditSheet()
  const [crediting, setCrediting] = useState<Credit | null>(null)
  const credit = useCall(invoicing.credit, { done: 'invoicing:credit.done' })
  const money = moneyIn(i18n.language)
  if (!answer.data || answer.data.length === 0) return null
  return (
    <section aria-label={t('credit.title')}>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} size="h4">
          {t('credit.title')}
        </Title>
        <WorkbookButton
          size="xs"
          title={t('credit.title')}
          file={`${t('file.credits')}-${today}`}
          columns={sheet}
          rows={answer.data}
        />
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('credit.text')}
      </Text>
      <DataTable
        columns={[
          { id: 'plate', header: t('column.plate'), render: plateOf },
          {
            id: 'customer',
            header: t('document.customer'),
            render: row => (
              <>
                {row.companyname}
                <BelowCell>{`${row.document} · ${row.position} · ${leftOn(row)}`}</BelowCell>
              </>
            ),
          },
          { id: 'position', header: t('column.position'), render: row => row.position, from: 'sm' },
          { id: 'document', header: t('column.document'), render: row => row.document, nowrap: true, from: 'sm' },
          { id: 'leftOn', header: t('left.leftOn'), render: leftOn, from: 'sm' },
          {
            id: 'days',
            header: t('credit.unused'),
            render: row => formatNumber(row.unused_days, i18n.language),
            align: 'end',
          },
          {
            id: 'amount',
            header: t('line.amount'),
            render: row => (row.amount_excl === null ? '' : money.format(row.amount_excl)),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'credit',
            header: t('credit.do'),
            headerHidden: true,
            render: row => (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconReceiptRefund size={16} aria-hidden />}
                onClick={() => setCrediting(row)}
              >
                {t('credit.do')}
              </Button>
            ),
            align: 'end',
          },
        ]}
        rows={answer.data}
        keyOf={row => `${row.db_id} ${row.document}`}
        phone={{ heads: 'shown' }}
        frame
      />
      {crediting && (
        <ReasonDialog
          title={t('credit.question', { document: crediting.document })}
          about={
            <Subject plates={[crediting.license_plate]}>
              {crediting.position} {crediting.companyname}
            </Subject>
          }
          text={t('credit.questionText')}
          confirm={t('credit.do')}
          send={reason => credit.mutateAsync({ tyres: [crediting.db_id], document: crediting.document, reason })}
          onClose={() => setCrediting(null)}
        />
      )}
    </section>
  )
}
