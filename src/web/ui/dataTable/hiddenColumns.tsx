import type { ReactNode } from 'react'
import type { Width } from './column.ts'
import classes from './dataTable.module.css'

type BelowProps = {
  width?: Width
  /** In the line of the text around it. */
  inline?: boolean
  /** In the colour and size of the text around it. */
  plain?: boolean
  children: ReactNode
}

/** What hidden columns would say, under the text of another cell: below the width from which those are shown. */
export function Below({ width = 'sm', inline = false, plain = false, children }: BelowProps) {
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
export function Dimmed({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <span className={classes.dimmed} title={title}>
      {children}
    </span>
  )
}
