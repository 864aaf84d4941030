/** The documents of the site, newest first, each as PDF (docs/product.md "Documents"). */
import { Button, Group, Table } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fleet } from '#contract/fleet.ts'
import { invoicing } from '#contract/invoicing.ts'
import { formatPlate } from '#domain/plate.ts'
import { ask, keyOf } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { Plate } from '../shared/trade.tsx'
import classes from './invoicing.module.css'

/** So many documents the server answers at once. */
const serverPage = 50

export function Documents() {
  const { t, i18n } = useTranslation(['invoicing', 'common'])
  const pages = useInfiniteQuery({
    queryKey: [...keyOf(invoicing.documents, {}), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask(invoicing.documents, pageParam === null ? {} : { last_document: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: last => (last.length === serverPage ? (last.at(-1)?.db_id ?? null) : null),
  })
  const documents = pages.data?.pages.flat()
  if (!documents)
    return pages.isError ? <Failed error={pages.error} retry={pages.refetch} /> : <Placeholders rows={8} />
  if (documents.length === 0) return <Empty text={t('noDocuments')} />
  const money = new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'EUR' })
  return (
    <>
      <div className={classes.frame}>
        <Table className={classes.documents}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('document.number')}</Table.Th>
              <Table.Th className={classes.wide}>{t('document.date')}</Table.Th>
              <Table.Th className={classes.wide}>{t('document.type')}</Table.Th>
              <Table.Th className={classes.wide}>{t('document.customer')}</Table.Th>
              <Table.Th className={classes.wide}>{t('document.of')}</Table.Th>
              <Table.Th className={classes.number}>{t('document.amount')}</Table.Th>
              <Table.Th>
                <span className="wh-hidden">{t('document.open')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {documents.map(document => (
              <Table.Tr key={document.db_id}>
                <Table.Td>
                  <span className={classes.strong}>{document.document_number_text}</span>
                  <span className={classes.underneath}>{document.companyname}</span>
                  <span className={classes.underneath}>
                    {[
                      formatDate(document.date),
                      t(`common:documentType.${document.document_type}`),
                      document.license_plate === null
                        ? t(`reason.${document.reason}`)
                        : formatPlate(document.license_plate),
                    ].join(' · ')}
                  </span>
                </Table.Td>
                <Table.Td className={classes.wide}>{formatDate(document.date)}</Table.Td>
                <Table.Td className={classes.wide}>{t(`common:documentType.${document.document_type}`)}</Table.Td>
                <Table.Td className={classes.company}>{document.companyname}</Table.Td>
                <Table.Td className={classes.wide}>
                  {document.license_plate === null ? (
                    t(`reason.${document.reason}`)
                  ) : (
                    <Plate plate={document.license_plate} size="sm" />
                  )}
                </Table.Td>
                <Table.Td className={classes.number}>{money.format(document.amount_excl)}</Table.Td>
                <Table.Td className={classes.end}>
                  <PdfButton
                    size="compact-sm"
                    name={document.document_number_text}
                    aria-label={`PDF: ${t('document.openWhich', { number: document.document_number_text })}`}
                    pdf={() => ask(fleet.historydocument, { db_id: document.db_id })}
                  >
                    PDF
                  </PdfButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
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
