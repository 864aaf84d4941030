/** The documents of the site, newest first, each as PDF (docs/product/money.md "Documents"). */
import { Badge, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { invoicing, type ListedDocument } from '#contract/invoicing.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, useCall } from '../../shared/api.ts'
import { usePages } from '../../shared/pages.ts'
import { formatDate } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { WorkbookButton } from '../../shared/workbookButton.tsx'
import { PdfButton } from '../../shared/pdf.tsx'
import { Failed } from '../../shared/screen.tsx'
import { Dotted, Plate, Subject } from '../../shared/trade.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { Unbroken } from '../../ui/unbroken.tsx'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { useDocumentsSheet } from '../sheets.ts'
import classes from '../invoicing.module.css'

/** Maximum number of documents per request. */
const serverPage = 50

export function Documents() {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  const pages = usePages(
    invoicing.documents,
    {},
    {
      after: 'last_document',
      lastOf: page => (page.length === serverPage ? page.at(-1)?.db_id : null),
    },
  )
  const [withdrawing, setWithdrawing] = useState<ListedDocument | null>(null)
  const withdraw = useCall(invoicing.withdraw, {
    done: ({ document }) => t('withdraw.done', { document }),
  })
  const today = useToday()
  const sheet = useDocumentsSheet()
  /** Those of the pages that are not here yet, too. */
  async function all() {
    let loaded = pages
    while (loaded.hasNextPage) {
      loaded = await loaded.fetchNextPage()
      if (loaded.isError) throw loaded.error
    }
    return loaded.data?.pages.flat() ?? []
  }
  const money = moneyIn(i18n.language)
  return (
    <>
      <Group justify="flex-end" mb="xs">
        <WorkbookButton
          size="xs"
          title={t('tabs.documents')}
          file={`${t('file.documents')}-${today}`}
          columns={sheet}
          rows={all}
          disabled={!pages.data?.pages[0]?.length}
        />
      </Group>
      <DataTable
        columns={[
          {
            id: 'number',
            header: t('document.number'),
            render: document => (
              <>
                <span className={classes.strong}>{document.document_number_text}</span>{' '}
                {document.withdrawn && (
                  <Badge color="red" size="sm" title={document.withdrawn_reason ?? undefined}>
                    {t('withdraw.badge')}
                  </Badge>
                )}
                {document.invoice !== null && (
                  <span className={classes.note}>
                    <Unbroken part={document.invoice}>{t('document.onInvoice', { number: document.invoice })}</Unbroken>
                  </span>
                )}
                <BelowCell width="lg">{document.companyname}</BelowCell>
                <BelowCell>
                  <Dotted>
                    {formatDate(document.date)}
                    {t(`common:documentType.${document.document_type}`)}
                    {document.license_plate === null ? (
                      t(`reason.${document.reason}`)
                    ) : (
                      <Plate plate={document.license_plate} size="sm" />
                    )}
                  </Dotted>
                </BelowCell>
              </>
            ),
            area: 'number',
          },
          {
            id: 'date',
            header: t('document.date'),
            render: document => (
              <>
                {formatDate(document.date)}
                <BelowCell width="lg">{t(`common:documentType.${document.document_type}`)}</BelowCell>
              </>
            ),
            from: 'sm',
          },
          {
            id: 'type',
            header: t('document.type'),
            render: document => t(`common:documentType.${document.document_type}`),
            nowrap: true,
            from: 'lg',
          },
          { id: 'customer', header: t('document.customer'), render: ({ companyname }) => companyname, from: 'lg' },
          {
            id: 'of',
            header: t('document.of'),
            render: ({ license_plate, reason }) =>
              license_plate === null ? t(`reason.${reason}`) : <Plate plate={license_plate} size="sm" />,
            nowrap: true,
            from: 'sm',
          },
          {
            id: 'amount',
            header: t('document.amount'),
            render: document => money.format(document.amount_excl),
            align: 'end',
            area: 'amount',
          },
          {
            id: 'open',
            header: t('document.open'),
            headerHidden: true,
            render: document => (
              <Group gap="xs" justify="flex-end">
                {document.reason === 'storage' && !document.withdrawn && document.invoice === null && (
                  <Button size="compact-sm" variant="subtle" color="red" onClick={() => setWithdrawing(document)}>
                    {t('withdraw.do')}
                  </Button>
                )}
                <PdfButton
                  size="compact-sm"
                  name={document.document_number_text}
                  aria-label={`PDF: ${t('document.openWhich', { number: document.document_number_text })}`}
                  pdf={() => ask(fleet.historydocument, { db_id: document.db_id })}
                >
                  PDF
                </PdfButton>
              </Group>
            ),
            align: 'end',
            area: 'open',
          },
        ]}
        rows={pages.data?.pages.flat()}
        keyOf={({ db_id }) => db_id}
        failure={pages.isError && <Failed error={pages.error} retry={pages.refetch} />}
        empty={t('noDocuments')}
        phone={{ areas: ['number amount', 'open open'], columns: 'minmax(0, 1fr) auto' }}
        className={classes.documents}
        frame
      />
      {withdrawing && (
        <ReasonDialog
          title={
            <Unbroken part={withdrawing.document_number_text}>
              {t('withdraw.question', { document: withdrawing.document_number_text })}
            </Unbroken>
          }
          about={
            <Subject plates={[]}>
              <Dotted>
                {withdrawing.companyname}
                {money.format(withdrawing.amount_excl)}
              </Dotted>
            </Subject>
          }
          text={t('withdraw.text')}
          confirm={t('withdraw.do')}
          danger
          send={reason => withdraw.mutateAsync({ db_id: withdrawing.db_id, reason })}
          onClose={() => setWithdrawing(null)}
        />
      )}
      {pages.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('older')}
          </Button>
        </Group>
      )}
    </>
  )
}
