/** The axles of a configuration while they are built: pure, so that the dialog only shows them. */
import { axleRefusal, maxLocalAxles, maxWheels, type Axle } from '#domain/vehicles/axle.ts'

/** An axle or separator that keeps its key when it is moved. */
export type AxleRow = Axle & { key: number }
export type Side = 'left' | 'right'

export const rowsOf = (axles: readonly Axle[]): AxleRow[] => axles.map((axle, key) => ({ ...axle, key }))
export const axlesOf = (rows: readonly AxleRow[]): Axle[] =>
  rows.map(({ type, lift, drive, steering, left, right }) => ({ type, lift, drive, steering, left, right }))

/** The number of an axle, counted from the front without separators. */
export const numberOf = (rows: readonly AxleRow[], row: AxleRow): number =>
  rows.slice(0, rows.indexOf(row) + 1).filter(({ type }) => type === 'axle').length

const plain = { lift: false, drive: false, steering: false }
const nextKey = (rows: readonly AxleRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

/** One more axle behind the others, with as many wheels as the last one. */
export function withAxle(rows: readonly AxleRow[]): AxleRow[] {
  const { left, right } = rows.findLast(({ type }) => type === 'axle') ?? { left: 1, right: 1 }
  return [...rows, { type: 'axle', ...plain, left, right, key: nextKey(rows) }]
}

/** One more separator: behind everything, where an axle can follow; else before the last axle. */
export function withSeparator(rows: readonly AxleRow[], { axleFollows }: { axleFollows: boolean }): AxleRow[] {
  const separator: AxleRow = { type: 'separator', ...plain, left: 0, right: 0, key: nextKey(rows) }
  const at = axleFollows ? rows.length : rows.findLastIndex(({ type }) => type === 'axle')
  return rows.toSpliced(Math.max(0, at), 0, separator)
}

/** A row one place nearer to the front (-1) or to the rear (1). */
export function moved(rows: readonly AxleRow[], row: AxleRow, by: -1 | 1): AxleRow[] {
  const at = rows.indexOf(row)
  const to = at + by
  if (at < 0 || to < 0 || to >= rows.length) return [...rows]
  return rows.toSpliced(at, 1).toSpliced(to, 0, row)
}

/** Whether a row can move there: the axles of vehicles keep their order, so only a separator passes one. */
export function movable(rows: readonly AxleRow[], row: AxleRow, by: -1 | 1, fixed: boolean): boolean {
  const other = rows[rows.indexOf(row) + by]
  return other !== undefined && !(fixed && row.type === 'axle' && other.type === 'axle')
}

/** How many wheels a side of an axle can have beside those of the other: it needs one, and has no more letters than seven. */
export function wheelsOn(row: AxleRow, side: Side): { least: number; most: number } {
  const other = side === 'left' ? row.right : row.left
  return { least: other === 0 ? 1 : 0, most: maxWheels - other }
}

/** The reason why these rows are no valid configuration, and the row that causes it. */
export function problemOf(
  rows: readonly AxleRow[],
): { why: 'axles.none' | 'axles.too_many' | 'axle.wheels' | 'separator.place'; key: number | null } | null {
  if (rows.length > maxLocalAxles) return { why: 'axles.too_many', key: null }
  const wrong = axleRefusal(rows)
  if (!wrong) return null
  const why = wrong.refusal === 'separator.wheels' ? 'separator.place' : wrong.refusal
  return { why, key: why === 'axle.wheels' || why === 'separator.place' ? (rows[wrong.at]?.key ?? null) : null }
}
