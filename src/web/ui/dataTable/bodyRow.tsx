/** One row of a table, with its expanded content. */
import { memo, type MouseEvent, type ReactNode } from 'react'
import { labelled as nameBefore } from '../../i18n.ts'
import type { Column, RowAttributes, RowSelection, RowState } from './column.ts'
import classes from './dataTable.module.css'

export type RowKey = string | number

type BodyRowProps<Row, Key extends string> = {
  row: Row
  rowKey: RowKey
  columns: readonly Column<Row, Key>[]
  prefix: string
  roles: boolean
  grid: boolean
  rowIndex: number | undefined
  /** In a window: the cell of this row that the Tab key reaches, -1 in all other rows. */
  reachable: number | undefined
  selected: boolean | 'some' | undefined
  selectionCell: RowSelection<Row>['render'] | undefined
  open: boolean
  toggle: (key: RowKey) => void
  details: ReactNode
  detailsClass: string | undefined
  attributes: RowAttributes | undefined
  onClick: ((row: Row) => void) | undefined
  sameRow: ((one: Row, other: Row) => boolean) | undefined
}

function PlainBodyRow<Row, Key extends string>(props: BodyRowProps<Row, Key>) {
  const { row, rowKey, columns, roles, grid, reachable, selected, selectionCell, open, toggle, onClick } = props
  // a space would end the id for `aria-controls`
  const detailsId = open ? `${props.prefix}${encodeURIComponent(rowKey)}` : undefined
  const state: RowState = {
    open,
    toggle: () => toggle(rowKey),
    detailsId,
    tabIndex: reachable === undefined ? undefined : reachable >= 0 ? 0 : -1,
  }
  const click = (event: MouseEvent) => {
    const { target, detail } = event
    if (target instanceof Element && target.closest('a, button, input, label')) return
    // A text selected with the mouse is meant to be copied; the second of two clicks selects a word.
    if (detail < 2 && getSelection()?.isCollapsed === false) return
    onClick?.(row)
  }
  let nth = -1
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tr
        {...(roles && { role: 'row' })}
        aria-rowindex={props.rowIndex}
        data-selected={selected === true || undefined}
        data-open={open || undefined}
        data-clickable={onClick !== undefined || undefined}
        {...props.attributes}
        className={props.attributes?.className ? `${classes.row} ${props.attributes.className}` : classes.row}
        onClick={onClick && click}
      >
        {selectionCell && selected !== undefined && (
          <td
            {...(roles && { role: 'cell' })}
            className={`${classes.cell} ${classes.select}`}
            style={{ gridArea: 'select' }}
          >
            <div>{selectionCell(row, selected)}</div>
          </td>
        )}
        {columns.map(
          ({ id, header, render, rowHeader, align, nowrap, from, area, labelled, className, attributes }) => {
            const Cell = rowHeader ? 'th' : 'td'
            if (!rowHeader) nth++
            return (
              <Cell
                key={id}
                {...(rowHeader && { scope: 'row' })}
                {...(roles && { role: rowHeader ? 'rowheader' : grid ? 'gridcell' : 'cell' })}
                {...(grid && !rowHeader && { 'data-column': nth, tabIndex: reachable === nth ? 0 : -1 })}
                data-align={align}
                data-nowrap={nowrap}
                data-from={from}
                data-labelled={labelled ? nameBefore(header) : undefined}
                style={area === undefined ? undefined : { gridArea: area }}
                {...attributes?.(row)}
                className={className ? `${classes.cell} ${className}` : classes.cell}
              >
                {render(row, state)}
              </Cell>
            )
          },
        )}
      </tr>
      {open && (
        <tr id={detailsId} {...(roles && { role: 'row' })} className={classes.details}>
          <td
            {...(roles && { role: 'cell' })}
            colSpan={columns.length + Number(selectionCell !== undefined)}
            className={props.detailsClass}
          >
            {props.details}
          </td>
        </tr>
      )}
    </>
  )
}

/** Attributes are new objects on each render, so they are compared by content. */
function sameAttributes(before: RowAttributes | undefined, other: RowAttributes | undefined): boolean {
  if (before === other) return true
  if (!before || !other) return false
  const keys = Object.keys(before) as (keyof RowAttributes)[]
  return keys.length === Object.keys(other).length && keys.every(key => Object.is(before[key], other[key]))
}

function sameProps<Row, Key extends string>(before: BodyRowProps<Row, Key>, other: BodyRowProps<Row, Key>): boolean {
  return (Object.keys(other) as (keyof BodyRowProps<Row, Key>)[]).every(key => {
    if (key === 'attributes') return sameAttributes(before.attributes, other.attributes)
    if (key === 'row' && other.sameRow) return other.sameRow(before.row, other.row)
    return Object.is(before[key], other[key])
  })
}

/** A page can have 250 rows and be drawn between two keystrokes: rows that show the same are not drawn again. */
export const BodyRow = memo(PlainBodyRow, sameProps) as typeof PlainBodyRow
