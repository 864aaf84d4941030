import type { ReactNode } from 'react'
import type { Width } from './column.ts'
import classes from './dataTable.module.css'

type BelowCellProps = {
  width?: Width
  /** In the line of the text around it. */
  inline?: boolean
  /** In the colour and size of the text around it. */
  plain?: boolean
  children: ReactNode
}

/** The values of the hidden columns, as a second line in a visible cell. */
export function BelowCell({ width = 'sm', inline = false, plain = false, children }: BelowCellProps) {
  return (
    <span
      className={classes.below}
      data-below={width}
      data-inline={inline || undefined}
      data-plain={plain || undefined}
    >
      {children}
    </span>
  )
}

/** Words that count less; they stay readable in a selected row. */
export function Dimmed({ title, nowrap, children }: { title?: string; nowrap?: boolean; children: ReactNode }) {
  return (
    <span className={classes.dimmed} title={title} data-nowrap={nowrap}>
      {children}
    </span>
  )
}
