/** The checkbox of each row, and that of all rows. */
import { Checkbox } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import type { RowSelection } from './column.ts'
import classes from './dataTable.module.css'

type AllRows = { label: string; state: boolean | 'some'; toggle: () => void; disabled?: boolean }

type SelectionOptions<Row> = {
  /** The checkbox in the head, or the name of the column where there is none. */
  head: AllRows | string
  stateOf: (row: Row) => boolean | 'some'
  labelOf: (row: Row) => string
  toggle: (row: Row, selected: boolean) => void
  /** Rows of which `false` have no checkbox, `'disabled'` one that can't be used. */
  offered?: (row: Row) => boolean | 'disabled'
  /** Why the row, or part of it, can't be selected. */
  renderReason?: (row: Row) => ReactNode
  size?: string
}

/**
 * Selection of rows; the screen keeps the selection. In long tables wrap `labelOf`, `toggle`, `offered` and `renderReason` in `useCallback`: a row
 * renders again when one of them changes.
 */
export function useRowSelection<Row>({
  head,
  stateOf,
  labelOf,
  toggle,
  offered,
  renderReason,
  size,
}: SelectionOptions<Row>): RowSelection<Row> {
  const render = useMemo(
    () => (row: Row, state: boolean | 'some') => {
      const offer = offered?.(row) ?? true
      return (
        <>
          {offer !== false && (
            <Checkbox
              {...(size !== undefined && { size })}
              aria-label={labelOf(row)}
              checked={state === true}
              indeterminate={state === 'some'}
              disabled={offer === 'disabled'}
              onChange={event => toggle(row, event.currentTarget.checked)}
            />
          )}
          {renderReason?.(row)}
        </>
      )
    },
    [labelOf, toggle, offered, renderReason, size],
  )
  return {
    head:
      typeof head === 'string' ? (
        <span className="wh-hidden">{head}</span>
      ) : (
        <label className={classes.all}>
          <Checkbox
            aria-label={head.label}
            checked={head.state === true}
            indeterminate={head.state === 'some'}
            disabled={head.disabled === true}
            onChange={head.toggle}
          />
          <span className={classes.allText} aria-hidden>
            {head.label}
          </span>
        </label>
      ),
    stateOf,
    render,
  }
}
