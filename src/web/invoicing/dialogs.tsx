/** Marking tyres as invoiced, and the document that charges them: shown first, then made. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconFilePlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { invoicing, type OverdueTyre, type StorageBill } from '#contract/invoicing.ts'
import type { Document } from '#contract/wire.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { ask, messageOf, useAnswer, useCall } from '../shared/api.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { notify } from '../ui/notify.ts'
import { openPdf, PdfButton } from '../shared/pdf.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { Dotted } from '../shared/trade.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import { idsOf, MarkForm } from './charges/markForm.tsx'
import { daysOwedBy } from './charges/rows.ts'

type DialogProps = {
  tyres: readonly { readonly db_id: number }[]
  onClose: () => void
  /** The tyres were marked as invoiced. */
  onMarked: () => void
}

type MarkDialogProps = DialogProps & { tyres: readonly OverdueTyre[]; about: ReactNode }

/** A dialog that asks for the date up to which storage of these tyres is paid, and says how many days it settles without a document. */
export function MarkDialog({ tyres, about, onClose, onMarked }: MarkDialogProps) {
  const { t } = useTranslation(['invoicing', 'common'])
  const today = useToday()
  const owed = daysOwedBy(tyres)
  return (
    <Modal opened onClose={onClose} title={t('markTitle', { count: tyres.length })} closeOnClickOutside={false}>
      <MarkForm
        tyres={tyres}
        date={today}
        onDone={onClose}
        onMarked={onMarked}
        later={t('common:cancel')}
        cautious={owed > 0}
      >
        {about}
        <Text size="sm">{t('markText')}</Text>
        {owed > 0 && <Alert color="orange">{t('markOwed', { count: owed })}</Alert>}
      </MarkForm>
    </Modal>
  )
}

/** The document as it will be; once it is made it opens, and its tyres can be marked as invoiced at once. With `left`, they left the store. */
export function DocumentDialog({
  customer,
  about,
  tyres,
  leftOut = 0,
  left = false,
  onClose,
  onMarked,
}: DialogProps & Pick<PreviewProps, 'customer' | 'about'> & Partial<Pick<PreviewProps, 'leftOut' | 'left'>>) {
  const { t } = useTranslation('invoicing')
  const [created, setCreated] = useState<Document | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      size={created ? 'md' : 'xl'}
      title={created ? t('created') : t('documentQuestion')}
      closeOnClickOutside={false}
    >
      {created ? (
        <Made document={created} tyres={tyres} left={left} onClose={onClose} onMarked={onMarked} />
      ) : (
        <Preview
          customer={customer}
          about={about}
          tyres={tyres}
          leftOut={leftOut}
          left={left}
          onClose={onClose}
          onMade={setCreated}
        />
      )}
    </Modal>
  )
}

const pdfOf = ({ db_id }: Document) => ask(fleet.historydocument, { db_id })

type PreviewProps = Omit<DialogProps, 'onMarked'> & {
  customer: number
  about: ReactNode
  /** So many tyres were selected besides that owe no days. */
  leftOut: number
  left: boolean
  onMade: (document: Document) => void
}

function Preview({ customer, about, tyres, leftOut, left, onClose, onMade }: PreviewProps) {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  // one intention: pressed again after a lost answer it is the same call, under the same key
  const [input] = useState(() => ({ tyres: idsOf(tyres), seq_id: customer, ...(left && { left }) }))
  const preview = useAnswer(invoicing.preview, input, { staleTime: 0 })
  const inject = useCall(invoicing.inject, { done: 'invoicing:created' })
  const create = () =>
    inject.mutate(input, {
      onSuccess: document => {
        onMade(document)
        pdfOf(document).then(
          pdf => openPdf(pdf, document.document_number_text),
          (error: unknown) => notify.error(messageOf(error)),
        )
      },
      // the next preview shows why it is refused
      onError: () => void preview.refetch(),
    })
  return (
    <Stack gap="md">
      {about}
      {leftOut > 0 && <Text size="sm">{t('leftOut', { count: leftOut })}</Text>}
      {preview.isError ? (
        <Failed error={preview.error} retry={preview.refetch} />
      ) : preview.data ? (
        <Bill bill={preview.data} />
      ) : (
        <Placeholders rows={4} />
      )}
      {preview.data && !preview.isError && (
        <Group justify="space-between" gap="xs">
          <Text size="sm">{t('line.total')}</Text>
          <Text fw={650}>{moneyIn(i18n.language).format(preview.data.amount_excl)}</Text>
        </Group>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common:cancel')}
        </Button>
        <Button
          leftSection={<IconFilePlus size={18} aria-hidden />}
          loading={inject.isPending}
          onClick={create}
          {...ariaDisabledWhen(!preview.data || preview.isError || preview.isFetching)}
        >
          {t('createDocument')}
        </Button>
      </Group>
    </Stack>
  )
}

function Bill({ bill }: { bill: StorageBill }) {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  const money = moneyIn(i18n.language)
  const besides = bill.lines.filter(({ kind }) => kind !== undefined && kind !== 'storage').length
  return (
    <>
      <Text size="sm">
        <Dotted>
          {t(`common:documentType.${bill.document_type}`)}
          {formatDate(bill.date)}
          {t('common:tyres', { count: bill.tyre_count })}
          {besides > 0 && t('besides', { count: besides })}
        </Dotted>
      </Text>
      {bill.amount_excl === 0 && <Alert color="orange">{t('noPrice')}</Alert>}
      <DataTable
        columns={[
          {
            id: 'article',
            header: t('line.article'),
            render: ({ line }) => line.article_number,
            nowrap: true,
            from: 'sm',
          },
          {
            id: 'description',
            header: t('line.description'),
            render: ({ line }) => (
              <>
                <Unbroken>{line.description}</Unbroken>
                <BelowCell>
                  {formatNumber(line.quantity, i18n.language)} × {money.format(line.price_excl)}
                </BelowCell>
              </>
            ),
          },
          {
            id: 'quantity',
            header: t('line.quantity'),
            render: ({ line }) => formatNumber(line.quantity, i18n.language),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'price',
            header: t('line.price'),
            render: ({ line }) => money.format(line.price_excl),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'amount',
            header: t('line.amount'),
            render: ({ line }) => money.format(line.amount_excl),
            align: 'end',
          },
        ]}
        rows={bill.lines.map((line, nth) => ({ line, nth }))}
        keyOf={({ nth }) => nth}
        phone={{ heads: 'shown' }}
        frame={{ label: t('lines'), maxHeight: '50vh' }}
      />
    </>
  )
}

function Made({ document, tyres, left, onClose, onMarked }: DialogProps & { document: Document; left: boolean }) {
  const { t } = useTranslation(['invoicing', 'common'])
  return (
    <Stack gap="md">
      <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
        <Group justify="space-between" gap="xs">
          {t('madeText', { number: document.document_number_text })}
          <PdfButton size="compact-sm" name={document.document_number_text} pdf={() => pdfOf(document)}>
            PDF
          </PdfButton>
        </Group>
      </Alert>
      {left ? (
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common:close')}</Button>
        </Group>
      ) : (
        <MarkForm tyres={tyres} date={document.date} onDone={onClose} onMarked={onMarked} later={t('later')}>
          <Text size="sm">{t('markNow', { count: tyres.length })}</Text>
        </MarkForm>
      )}
    </Stack>
  )
}
