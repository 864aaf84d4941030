/** The rows of a page in steps: those in sight at once, the others frame by frame. */
import { useEffect, useState } from 'react'
import { afterPaint } from '../afterPaint.ts'
import { usePhone } from '../usePhone.ts'
import type { RowKey } from './bodyRow.tsx'
import type { TablePaging } from './column.ts'

/** About as many rows as fit on a screen below the content above a table. */
const rowsInSight = { phone: 8, desk: 16 }

type Steps<Row> = {
  /** Without pages all rows are drawn at once. */
  paging: TablePaging | undefined
  keyOf: (row: Row) => RowKey
}

/** How far a list is drawn: so many rows of its page, and those that were there before. */
type Drawing<Row> = { rows: readonly Row[]; count: number; before: ReadonlySet<RowKey> }

const none: ReadonlySet<RowKey> = new Set()

/**
 * Which rows of a page are drawn. When the list becomes another one, as with each word of a filter, the rows below those in sight follow
 * a few in each frame (`waiting`): the first ones are painted and a key is handled first. Rows that are there already stay.
 */
export function useProgressiveRows<Row>(rows: readonly Row[], { paging, keyOf }: Steps<Row>) {
  const [drawing, setDrawing] = useState<Drawing<Row>>({ rows, count: Infinity, before: none })
  const step = usePhone() ? rowsInSight.phone : rowsInSight.desk
  const page = paging ? paging.shown(rows) : rows
  const shown = paging ? renderedRows(page, { drawing, keyOf }) : page
  const waiting = shown.length < page.length
  if (paging && drawing.rows !== rows) {
    const before = new Set(renderedRows(paging.shown(drawing.rows), { drawing, keyOf }).map(keyOf))
    setDrawing({ rows, count: step, before })
  }
  useEffect(() => {
    if (!waiting) return
    return afterPaint(() => setDrawing({ ...drawing, count: drawing.count + step }))
  }, [waiting, drawing, step])
  return { shown, waiting }
}

type DrawnOptions<Row> = { drawing: Pick<Drawing<Row>, 'count' | 'before'>; keyOf: (row: Row) => RowKey }

/** The first rows of a page, and those further down that were there before. */
export const renderedRows = <Row>(
  page: readonly Row[],
  { drawing: { count, before }, keyOf }: DrawnOptions<Row>,
): readonly Row[] => page.filter((row, nth) => nth < count || before.has(keyOf(row)))
