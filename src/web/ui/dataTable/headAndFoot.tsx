/** The heads of a table and the sums below it. */
import type { ReactNode } from 'react'
import type { Column, RowSelection, TableSort } from './column.ts'
import classes from './dataTable.module.css'

type HeadProps<Row, Key extends string> = {
  columns: readonly Column<Row, Key>[]
  title: ReactNode
  sort: TableSort<Key> | undefined
  selection: RowSelection<Row> | undefined
  /** Says the roles of its elements: a grid or a card on a phone takes them from them. */
  roles: boolean
  /** Its rows exist only while they are in sight. */
  inWindow: boolean
}

export function Head<Row, Key extends string>({
  columns,
  title,
  sort,
  selection,
  roles,
  inWindow,
}: HeadProps<Row, Key>) {
  return (
    <thead {...(roles && { role: 'rowgroup' })}>
      {title !== undefined && (
        <tr className={classes.title}>
          <th colSpan={columns.length + Number(selection !== undefined)}>{title}</th>
        </tr>
      )}
      <tr {...(roles && { role: 'row' })} aria-rowindex={inWindow ? 1 : undefined}>
        {selection && <th className={`${classes.head} ${classes.select}`}>{selection.head}</th>}
        {columns.map(({ id, header, headerHidden, headerExtra, sort: by, align, from, width }) => {
          const sorted = sort && by !== undefined
          return (
            <th
              key={id}
              {...(roles && { role: 'columnheader' })}
              className={classes.head}
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
  const named = columns.find(({ footer }) => footer !== undefined)
  if (!named) return null
  return (
    <tfoot>
      <tr>
        {selection && <td aria-hidden />}
        {columns.map(column => {
          const { id, footer, align, from, className } = column
          const Cell = column === named ? 'th' : 'td'
          return (
            <Cell
              key={id}
              {...(column === named && { scope: 'row' })}
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
