/** The tables of invoicing as the columns of workbooks (docs/product/files.md "Exports"). */
import type { Translate } from '../ui/texts.ts'
import { useTranslation } from '../ui/texts.ts'
import type { BillingRunCustomer } from '#contract/billing.ts'
import type { Credit, LeftTyre, ListedDocument, OverdueCustomer, OverdueTyre } from '#contract/invoicing.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { differenceOf } from './charges/rows.ts'
import { formats, type SheetColumns } from '../shared/workbook.ts'

export function useOverdueCustomersSheet(): SheetColumns<OverdueCustomer> {
  const { t } = useTranslation(['invoicing', 'common'])
  return [
    { header: t('document.customer'), text: ({ companyname, name }) => companyname || name },
    { header: t('column.city'), text: ({ city }) => city },
    { header: t('column.tyres'), number: ({ tyre_count }) => tyre_count },
    { header: t('column.since'), day: ({ since }) => since },
    { header: t('column.days'), number: ({ overdue_days }) => overdue_days },
  ]
}

/** Which tyre it is. */
const tyreColumns = (
  t: Translate<'invoicing'>,
): SheetColumns<Pick<OverdueTyre, 'db_id' | 'license_plate' | 'position'>> => [
  { header: t('column.tyre'), number: ({ db_id }) => db_id },
  { header: t('column.plate'), text: ({ license_plate }) => formatPlate(license_plate) },
  { header: t('column.position'), text: ({ position }) => position },
]

/** Which tyre it is, and since when it was in storage. */
const storedColumns = (t: Translate<'invoicing'>): SheetColumns<OverdueTyre | LeftTyre> => [
  ...tyreColumns(t),
  { header: t('column.description'), text: ({ description }) => description },
  { header: t('column.set'), text: ({ tyre_set }) => tyre_set },
  { header: t('column.stockDate'), day: ({ status_date }) => status_date },
]

export function useOverdueSheet(): SheetColumns<OverdueTyre> {
  const { t } = useTranslation('invoicing')
  return [
    ...storedColumns(t),
    { header: t('column.invoiced'), day: ({ invoicedAt }) => invoicedAt },
    { header: t('column.days'), number: ({ overdue_days }) => overdue_days },
    { header: t('left.owed'), number: ({ owed_days }) => owed_days },
    { header: t('column.site'), text: ({ stock_site_name }) => stock_site_name },
    { header: t('column.rack'), text: ({ stock_rack }) => stock_rack },
    { header: t('column.document'), text: ({ document }) => document },
  ]
}

export function useLeftSheet(): SheetColumns<LeftTyre> {
  const { t } = useTranslation('invoicing')
  return [
    ...storedColumns(t),
    { header: t('left.leftOn'), day: ({ left_date }) => left_date },
    { header: t('left.owed'), number: ({ owed_days }) => owed_days },
  ]
}

export function useCreditSheet(): SheetColumns<Credit> {
  const { t } = useTranslation('invoicing')
  return [
    ...tyreColumns(t),
    { header: t('document.customer'), text: ({ companyname }) => companyname },
    { header: t('column.document'), text: ({ document }) => document },
    { header: t('left.leftOn'), day: ({ left_date }) => left_date },
    { header: t('credit.unused'), number: ({ unused_days }) => unused_days },
    { header: `${t('line.amount')} (EUR)`, number: ({ amount_excl }) => amount_excl, format: formats.amount },
  ]
}

export function useDocumentsSheet(): SheetColumns<ListedDocument> {
  const { t } = useTranslation(['invoicing', 'common'])
  return [
    { header: t('document.number'), text: document => document.document_number_text },
    { header: t('document.date'), day: ({ date }) => date },
    { header: t('document.type'), text: document => t(`common:documentType.${document.document_type}`) },
    { header: t('document.customer'), text: ({ companyname }) => companyname },
    {
      header: t('document.of'),
      text: ({ license_plate, reason }) =>
        license_plate === null ? t(`reason.${reason}`) : formatPlate(license_plate),
    },
    { header: `${t('document.amount')} (EUR)`, number: ({ amount_excl }) => amount_excl, format: formats.amount },
    { header: t('document.invoice'), text: ({ invoice }) => invoice },
    {
      header: t('withdraw.badge'),
      text: ({ withdrawn, withdrawn_reason }) => (withdrawn ? withdrawn_reason || t('common:yes') : null),
    },
  ]
}

export function useRunSheet(): SheetColumns<BillingRunCustomer> {
  const { t } = useTranslation('billing')
  return [
    { header: t('column.customer'), text: ({ companyname }) => companyname },
    { header: t('column.remarks'), text: ({ remarks }) => remarks.map(remark => t(`remark.${remark}`)).join(', ') },
    { header: t('column.tyres'), number: ({ tyre_count }) => tyre_count },
    { header: t('column.stored'), number: ({ days }) => days },
    { header: t('column.quantity'), number: ({ quantity }) => quantity },
    { header: `${t('column.last')} (EUR)`, number: ({ last_excl }) => last_excl, format: formats.amount },
    { header: `${t('column.difference')} (EUR)`, number: differenceOf, format: formats.amount },
    { header: `${t('column.amount')} (EUR)`, number: ({ amount_excl }) => amount_excl, format: formats.amount },
    { header: t('column.document'), text: ({ document }) => document?.number ?? null },
    { header: t('column.state'), text: ({ state }) => t(`customerState.${state}`) },
  ]
}
