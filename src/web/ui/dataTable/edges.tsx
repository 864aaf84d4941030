/** The heads of a table and the sums below it. */
import type { Column, RowSelection, TableSort } from './column.ts'
import classes from './dataTable.module.css'

type HeadProps<Row, Key extends string> = {
  columns: readonly Column<Row, Key>[]
  sort: TableSort<Key> | undefined
  selection: RowSelection<Row> | undefined
  /** Says the roles of its elements: a grid or a card on a phone takes them from them. */
  roles: boolean
  /** Its rows exist only while they are in sight. */
  inWindow: boolean
}

export function Head<Row, Key extends string>({ columns, sort, selection, roles, inWindow }: HeadProps<Row, Key>) {
  return (
    <thead {...(roles && { role: 'rowgroup' })}>
      <tr {...(roles && { role: 'row' })} aria-rowindex={inWindow ? 1 : undefined}>
        {selection && <th className={`${classes.head} ${classes.select}`}>{selection.head}</th>}
        {columns.map(({ id, header, headerHidden, headerExtra, sort: by, align, from, width, className }) => {
          const sorted = sort && by !== undefined
          return (
            <th
              key={id}
              {...(roles && { role: 'columnheader' })}
              className={className ? `${classes.head} ${className}` : classes.head}
              aria-sort={!sorted ? undefined : sort.by !== by ? 'none' : sort.desc ? 'descending' : 'ascending'}
              data-align={align}
              data-from={from}
              style={width !== undefined && !inWindow ? { width } : undefined}
            >
              {sorted ? (
                sort.head({ by, text: header })
              ) : headerHidden ? (
                <span className="wh-hidden">{header}</span>
              ) : (
                header
              )}
              {headerExtra}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

export function Foot<Row, Key extends string>({
  columns,
  selection,
}: {
  columns: readonly Column<Row, Key>[]
  selection: boolean
}) {
  if (columns.every(({ footer }) => footer === undefined)) return null
  return (
    <tfoot>
      <tr>
        {selection && <td aria-hidden />}
        {columns.map(({ id, footer, align, from, className }, nth) => {
          const Cell = nth === 0 ? 'th' : 'td'
          return (
            <Cell
              key={id}
              {...(nth === 0 && { scope: 'row' })}
              className={className ? `${classes.cell} ${className}` : classes.cell}
              data-align={align}
              data-from={from}
            >
              {footer}
            </Cell>
          )
        })}
      </tr>
    </tfoot>
  )
}
