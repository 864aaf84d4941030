/** Stock statement and register of pick-ups as the columns of workbooks. */
import { useTranslation } from '../ui/texts.ts'
import type { ScrapPickup } from '#contract/disposals.ts'
import type { StoredWheel } from '#contract/stock.ts'
import { wasteCode } from '#domain/warehouse/disposal.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { SheetColumns } from '../shared/workbook.ts'

/** `ofSite`: for an administrator, who sees the owners of the wheels and their places. */
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

/** The register, a line for each pick-up. */
export function usePickupSheet(): SheetColumns<ScrapPickup> {
  const { t } = useTranslation('stock')
  return [
    { header: t('field.day'), day: ({ day }) => day },
    { header: t('field.form_number'), text: pickup => pickup.form_number },
    { header: t('waste'), text: () => wasteCode },
    { header: t('tyres'), number: ({ tyre_count }) => tyre_count },
    { header: t('weighed'), number: pickup => pickup.weight_kg, format: '0.0' },
    { header: t('estimated'), number: pickup => pickup.estimate_kg },
    { header: t('field.collector'), text: ({ collector }) => collector },
    { header: t('field.collector_number'), text: pickup => pickup.collector_number },
    { header: t('field.processor'), text: ({ processor }) => processor },
    { header: t('field.processor_number'), text: pickup => pickup.processor_number },
    { header: t('field.treatment'), text: ({ treatment }) => treatment },
  ]
}
