/**
 * Every table of the portal: columns as data, and what a screen adds of sorting, pages, selection, details, a window (only the rows in
 * sight exist) and a phone form. A feature is a value from its own module, so that a page loads those that it uses.
 */
import { type CSSProperties, type ReactNode, useCallback, useId, useMemo, useState } from 'react'
import { Skeleton } from '@mantine/core'
import { Empty } from '../emptyStates.tsx'
import { useTranslation } from '../texts.ts'
import { BodyRow, type RowKey } from './bodyRow.tsx'
import type {
  Column,
  Columns,
  PhoneForm,
  RowAttributes,
  RowDetails,
  RowSelection,
  SortColumn,
  TablePaging,
  TableSort,
} from './column.ts'
import classes from './dataTable.module.css'
import { Foot, Head } from './headAndFoot.tsx'
import type { RowWindow } from './rowWindow.ts'
import { useProgressiveRows } from './progressiveRows.ts'

type ScrollFrame = { label: string; maxHeight?: string; minWidth?: number }

type TableProps<Row, Key extends string> = {
  columns: readonly Column<Row, Key>[]
  rows: readonly Row[]
  keyOf: (row: Row) => RowKey
  /** Its name for screen readers. */
  label?: string
  /** Above the heads, over all columns; repeated on each page that is printed. */
  title?: ReactNode
  sort?: TableSort<Key> | undefined
  paging?: TablePaging | undefined
  selection?: RowSelection<Row> | undefined
  details?: RowDetails<Row> | undefined
  rowWindow?: RowWindow | undefined
  phone?: PhoneForm
  /** A click anywhere on the row. Keys and screen readers need a link or a checkbox in it that does the same. */
  onRowClick?: ((row: Row) => void) | undefined
  /** `data-` attributes and the like; `before` is the row above. */
  rowAttributes?: (row: Row, before: Row | undefined) => RowAttributes
  /** Whether a new row object shows the same; a long table does not draw it again then. */
  sameRow?: (one: Row, other: Row) => boolean
  /** A border and a surface around it, or a part of a page or dialog that scrolls separately and has this name. */
  frame?: boolean | ScrollFrame
  /** Newer rows are being fetched. */
  busy?: boolean
  striped?: boolean
  /** No lines between rows. */
  borderless?: boolean
  /** The row under the pointer is not tinted. */
  still?: boolean
  /** Padding above and below the text of a cell. */
  spacing?: string
  className?: string | undefined
  id?: string | undefined
}

type DataTableProps<Row, Key extends string> = Omit<TableProps<Row, Key>, 'columns' | 'rows'> & {
  columns: Columns<Row, Key>
  /** `undefined` while they are loading. */
  rows: readonly Row[] | undefined
  /** In the place of rows that could not be loaded. */
  failure?: ReactNode
  /** In the place of no rows. Without it only the heads are shown. */
  empty?: ReactNode
  /** The number of grey rows while loading, and their height in pixels. */
  placeholders?: number
  placeholderHeight?: number
}

/** A table with its faces: loading, failed, empty, content. */
export function DataTable<Row, Key extends string = string>({
  columns,
  rows,
  failure,
  empty,
  placeholders = 8,
  placeholderHeight = 44,
  ...table
}: DataTableProps<Row, Key>) {
  const shown = useMemo(() => columns.filter(column => column !== false), [columns])
  if (!rows)
    return failure || <LoadingTable {...table} columns={shown} count={placeholders} height={placeholderHeight} />
  if (rows.length === 0 && empty !== undefined) return typeof empty === 'string' ? <Empty text={empty} /> : empty
  const rowWindow = table.rowWindow?.printing ? undefined : table.rowWindow
  return <FilledTable {...table} rowWindow={rowWindow} columns={shown} rows={rows} />
}

type LoadingProps<Row, Key extends string> = Omit<TableProps<Row, Key>, 'rows'> & { count: number; height: number }

/** The table as it will be, with grey bars where its rows come. */
function LoadingTable<Row, Key extends string>(props: LoadingProps<Row, Key>) {
  const { t } = useTranslation('common')
  const { columns, selection, phone, count, height } = props
  return (
    <div role="status" aria-label={t('loading')}>
      <Frame frame={props.frame ?? props.rowWindow !== undefined} busy style={undefined}>
        <table
          className={[classes.table, props.className].filter(Boolean).join(' ')}
          data-heads={phone && (phone.heads ?? (props.sort ? 'gone' : 'offscreen'))}
          data-loading
          aria-hidden
          style={styleOf({ ...props, rows: [] })}
        >
          <Head
            columns={columns}
            title={undefined}
            sort={undefined}
            selection={selection && { ...selection, head: null }}
            roles={false}
            inWindow={false}
          />
          <tbody>
            {Array.from({ length: count }, (_, row) => (
              <tr key={row} className={classes.row} style={{ height }}>
                {selection && <td className={`${classes.cell} ${classes.select}`}>{'\u00a0'}</td>}
                {columns.map(({ id, from, align }, nth) => (
                  <td key={id} className={classes.cell} data-from={from} data-align={align}>
                    <Skeleton height={10} width={`${[70, 45, 60, 35][(row + nth) % 4]}%`} className={classes.bar} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Frame>
    </div>
  )
}

function FilledTable<Row, Key extends string>(props: TableProps<Row, Key>) {
  const { columns, rows, keyOf, title, sort, paging, selection, rowWindow, phone } = props
  const roles = rowWindow !== undefined || isCard(phone)
  const grid = rowWindow?.columns !== undefined
  const sorted = useMemo(() => sortColumns(columns), [columns])
  const { shown, waiting } = useProgressiveRows<Row>(rows, { paging, keyOf })
  return (
    <>
      {sort && <div className={classes.choice}>{sort.choice(sorted)}</div>}
      <Frame frame={rowWindow ? 'window' : props.frame} busy={props.busy} style={rowWindow && trackStyle(columns)}>
        <table
          id={props.id}
          className={[classes.table, props.className].filter(Boolean).join(' ')}
          aria-label={props.label}
          {...(roles && { role: grid ? 'grid' : 'table' })}
          {...(rowWindow && { 'aria-rowcount': rows.length + 1, 'data-window': true })}
          {...(grid && { 'aria-colcount': columns.length })}
          data-hover={!props.still || undefined}
          data-striped={props.striped || undefined}
          data-borderless={props.borderless || undefined}
          data-heads={phone && (phone.heads ?? (sort ? 'gone' : 'offscreen'))}
          data-cards={isCard(phone) || undefined}
          aria-busy={waiting || undefined}
          style={styleOf(props)}
          {...rowWindow?.events}
        >
          <Head
            columns={columns}
            title={title}
            sort={sort}
            selection={selection}
            roles={roles}
            inWindow={rowWindow !== undefined}
          />
          <Body {...props} shown={shown} roles={roles} grid={grid} />
          <Foot columns={columns} selection={selection !== undefined} />
        </table>
      </Frame>
      {paging?.control(rows.length)}
    </>
  )
}

const isCard = (phone: PhoneForm | undefined) => phone?.areas !== undefined || phone?.columns !== undefined

type FrameProps = {
  style: CSSProperties | undefined

  frame: boolean | ScrollFrame | 'window' | undefined
  busy: boolean | undefined
  children: ReactNode
}

function Frame({ frame, busy, style, children }: FrameProps) {
  if (!frame) return children
  if (frame === true || frame === 'window') {
    return (
      <div className={classes.frame} aria-busy={busy} data-window={frame === 'window' || undefined} style={style}>
        {children}
      </div>
    )
  }
  return (
    <div
      className={classes.scroll}
      style={{ maxHeight: frame.maxHeight }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it, too
      tabIndex={0}
      role="region"
      aria-label={frame.label}
    >
      {children}
    </div>
  )
}

type BodyProps<Row, Key extends string> = TableProps<Row, Key> & {
  /** Those of `rows` that are drawn; in a window `rows` are. */
  shown: readonly Row[]
  roles: boolean
  grid: boolean
}

function Body<Row, Key extends string>({ rows, shown, rowWindow, ...props }: BodyProps<Row, Key>) {
  const { keyOf, details, selection, roles } = props
  const { openRows, toggle } = useOpenRows(details?.single === true)
  const prefix = useId()
  const attributesOf = (row: Row, index: number) => props.rowAttributes?.(row, shown[index - 1])
  const rowAt = (row: Row, index: number) => {
    const key = keyOf(row)
    const open = details !== undefined && (openRows.has(key) || details.always?.(row) === true)
    return (
      <BodyRow
        key={key}
        row={row}
        rowKey={key}
        columns={props.columns}
        prefix={prefix}
        roles={roles}
        grid={props.grid}
        rowIndex={rowWindow && index + 2}
        reachable={rowWindow && (rowWindow.active.row === index ? (rowWindow.active.column ?? 0) : -1)}
        selected={selection?.stateOf(row)}
        selectionCell={selection?.render}
        open={open}
        toggle={toggle}
        details={open ? details.render(row) : undefined}
        detailsClass={details?.className}
        attributes={details ? undefined : attributesOf(row, index)}
        onClick={props.onRowClick}
        sameRow={props.sameRow}
      />
    )
  }
  const role = roles && ({ role: 'rowgroup' } as const)
  if (rowWindow) {
    const { items, height, list, measure } = rowWindow
    return (
      <WindowBody height={height} list={list}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return undefined
          return (
            <tbody
              key={key}
              ref={measure}
              role={details ? 'rowgroup' : 'presentation'}
              {...(details && attributesOf(row, index))}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {rowAt(row, index)}
            </tbody>
          )
        })}
      </WindowBody>
    )
  }
  if (!details) return <tbody {...role}>{shown.map(rowAt)}</tbody>
  // A row and its details belong together.
  return shown.map((row, index) => (
    <tbody key={keyOf(row)} {...role} {...attributesOf(row, index)}>
      {rowAt(row, index)}
    </tbody>
  ))
}

type WindowBodyProps = Pick<RowWindow, 'height' | 'list'> & { children: ReactNode }

/** The visible rows, placed over a spacer as high as all of them. */
function WindowBody({ height, list, children }: WindowBodyProps) {
  return (
    <>
      {children}
      <tbody ref={list} role="presentation" style={{ height }} />
    </>
  )
}

/** Which rows show their details. */
function useOpenRows(single: boolean) {
  const [openRows, setOpenRows] = useState<ReadonlySet<RowKey>>(new Set())
  const toggle = useCallback(
    (key: RowKey) =>
      setOpenRows(now => {
        const next = new Set(single && !now.has(key) ? [] : now)
        if (!next.delete(key)) next.add(key)
        return next
      }),
    [single],
  )
  return { openRows, toggle }
}

const sortColumns = <Row, Key extends string>(columns: readonly Column<Row, Key>[]): readonly SortColumn<Key>[] =>
  columns.flatMap(({ sort, header }) => (sort === undefined ? [] : [{ by: sort, text: header }]))

/** The tracks of rows that are grids: around the table, so that its class can say others for less room. */
const trackStyle = <Row, Key extends string>(columns: readonly Column<Row, Key>[]) =>
  ({ '--columns': columns.map(({ width = 'minmax(0, 1fr)' }) => width).join(' ') }) as CSSProperties

/** The looks that differ between tables, as custom properties. */
function styleOf<Row, Key extends string>({ phone, frame, spacing }: TableProps<Row, Key>) {
  return {
    ...(spacing !== undefined && { '--table-vertical-spacing': spacing }),
    ...(phone?.columns !== undefined && {
      '--card': `${phone.areas?.map(line => `'${line}'`).join(' ') ?? 'none'} / ${phone.columns}`,
    }),
    ...(typeof frame === 'object' && frame.minWidth !== undefined && { '--min-width': `${frame.minWidth}px` }),
  } as CSSProperties
}
