/** All that is known of the tyres of a list, as the columns of a workbook (docs/product/files.md "Exports"). */
import type { Tyre } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { Mode } from '#domain/site.ts'
import { formats, type SheetColumns } from '../shared/workbook.ts'
import type { TyreRow } from './rows.ts'

type Heading =
  | 'id'
  | 'plate'
  | 'customer'
  | 'number'
  | 'brand'
  | 'vehicle'
  | 'driver'
  | 'set'
  | 'position'
  | 'description'
  | 'season'
  | 'depth'
  | 'depthDate'
  | 'status'
  | 'statusDate'
  | 'site'
  | 'rack'
  | 'rims'
  | 'bolts'
  | 'hubcaps'

type Words = {
  heading: (column: Heading) => string
  status: (status: Tyre['tyre_status']) => string
  season: (season: string | null) => string
  rims: (rims: Tyre['stock_rims']) => string
  yesNo: (is: boolean) => string
}

/** The columns that the reader may see: the number of a vehicle only with a fleet, its customer only in the list of a whole site. */
type Seen = { mode: Mode; ofSite: boolean; withDepth: boolean }

/** Stock-only columns are empty for a tyre that is not in stock. */
const inStock = <T>({ tyre }: TyreRow, value: (tyre: Tyre) => T): T | null =>
  tyre.tyre_status === 'in_stock' ? value(tyre) : null

export const tyreSheet = (
  { heading, status, season, rims, yesNo }: Words,
  { mode, ofSite, withDepth }: Seen,
): SheetColumns<TyreRow> => [
  { header: heading('id'), number: ({ tyre }) => tyre.db_id },
  { header: heading('plate'), text: ({ vehicle }) => formatPlate(vehicle.license_plate) },
  ofSite && { header: heading('customer'), text: ({ vehicle }) => vehicle.customer_name },
  mode !== 'hotelonly' && { header: heading('number'), text: ({ vehicle }) => vehicle.number },
  { header: heading('brand'), text: ({ vehicle }) => vehicle.brand },
  { header: heading('vehicle'), text: ({ vehicle }) => vehicle.description },
  { header: heading('driver'), text: ({ vehicle }) => vehicle.driver_name },
  { header: heading('set'), text: ({ tyre }) => tyre.tyre_set },
  { header: heading('position'), text: ({ tyre }) => tyre.position },
  { header: heading('description'), text: ({ tyre }) => tyre.description },
  { header: heading('season'), text: ({ tyre }) => season(tyre.season) },
  withDepth && { header: heading('depth'), number: ({ tyre }) => tyre.profile_depth, format: formats.depth },
  withDepth && { header: heading('depthDate'), day: ({ tyre }) => tyre.profile_date },
  { header: heading('status'), text: ({ tyre }) => status(tyre.tyre_status) },
  { header: heading('statusDate'), day: ({ tyre }) => tyre.status_date },
  { header: heading('site'), text: row => inStock(row, tyre => tyre.stock_site_name) },
  { header: heading('rack'), text: row => inStock(row, tyre => tyre.stock_rack) },
  { header: heading('rims'), text: row => inStock(row, tyre => rims(tyre.stock_rims)) },
  { header: heading('bolts'), text: row => inStock(row, tyre => yesNo(tyre.stock_bolts)) },
  { header: heading('hubcaps'), text: row => inStock(row, tyre => yesNo(tyre.stock_hubcaps)) },
]
