/** A stock statement as the columns of a workbook. */
import { useTranslation } from 'react-i18next'
import type { StoredWheel } from '#contract/stock.ts'
import { formatPlate } from '#domain/plate.ts'
import type { SheetColumns } from '../shared/workbook.ts'

/** `ofSite`: for an administrator, who sees whose wheels they are and where. */
export function useStockSheet({ ofSite }: { ofSite: boolean }): SheetColumns<StoredWheel> {
  const { t } = useTranslation('stock')
  return [
    ofSite && { header: t('customer'), text: ({ companyname }) => companyname },
    { header: t('tyre'), number: ({ db_id }) => db_id },
    { header: t('vehicle'), text: ({ license_plate }) => formatPlate(license_plate) },
    { header: t('set'), text: ({ tyre_set }) => tyre_set },
    { header: t('position'), text: ({ position }) => position },
    { header: t('brand'), text: ({ brand }) => brand },
    { header: t('size'), text: ({ dimension }) => dimension },
    { header: t('description'), text: ({ description }) => description },
    { header: t('since'), day: ({ since }) => since },
    ofSite && { header: t('warehouse'), text: ({ stock_site_name }) => stock_site_name },
    ofSite && { header: t('place'), text: ({ stock_rack }) => stock_rack },
  ]
}
