/** The administrator's copy of operations: 14 tab-separated columns, one row per tyre. */
import type { Operation } from '#contract/wire.ts'
import { tabLines } from '#domain/texts/cell.ts'

/** The columns in their order; each is the key of its heading in the namespace `admin`, under `copy`. */
export const copyColumns = [
  'tyre',
  'position',
  'description',
  'rack',
  'depth',
  'set',
  'plate',
  'customer',
  'type',
  'services',
  'delivery',
  'transport',
  'submitted',
  'remarks',
] as const
type CopyColumn = (typeof copyColumns)[number]

/** How non-text values are written, in the language and time zone of the account that copies. */
export type CopyWords = {
  heading(column: CopyColumn): string
  type(type: Operation['type']): string
  service(id: number): string
  transport(id: number): string
  depth(depth: number): string
  date(date: string): string
  moment(moment: string): string
}

/**
 * Operations as text for the clipboard: a line of headings, then a line per tyre, safe to paste into a spreadsheet. The columns
 * are always the same 14; depth is empty where it is not shown.
 */
export function copyOf(
  operations: readonly Operation[],
  words: CopyWords,
  { withDepth }: { withDepth: boolean },
): string {
  const rows = operations.flatMap(operation =>
    operation.tyres.map(tyre => {
      const cells: Record<CopyColumn, string | number | null> = {
        tyre: tyre.db_id,
        position: tyre.position,
        description: tyre.description,
        rack: tyre.stock_rack,
        depth: !withDepth || tyre.profile_depth === null ? null : words.depth(tyre.profile_depth),
        set: tyre.tyre_set,
        plate: operation.vehicle.license_plate,
        customer: operation.user.companyname,
        type: words.type(operation.type),
        services: operation.services.map(words.service).join(', '),
        delivery: operation.deliveryDate && words.date(operation.deliveryDate),
        transport: operation.transport && words.transport(operation.transport),
        submitted: operation.submitted && words.moment(operation.submitted),
        remarks: operation.remarks,
      }
      return copyColumns.map(column => cells[column])
    }),
  )
  return tabLines([copyColumns.map(words.heading), ...rows])
}
