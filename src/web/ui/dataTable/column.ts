/** A table as data: its columns, and the additions of each feature to its rows. */
import type { HTMLAttributes, ReactNode } from 'react'

/**
 * Widths of the window, as in Mantine's theme: 48, 62, 75 and 88 em. Below `sm` is the phone form: rows can become cards, and
 * another cell says what a hidden column would (`BelowCell`).
 */
export type Width = 'sm' | 'md' | 'lg' | 'xl'

/** The state of a row that a cell can use, besides the row itself. */
export type RowState = {
  /** Its details are shown. */
  open: boolean
  /** Shows or hides its details. */
  toggle: () => void
  /** The id of its details while they are shown. */
  detailsId: string | undefined
  /** In a table with a window: 0 for the controls of the row that the Tab key reaches, -1 in all others. */
  tabIndex: 0 | -1 | undefined
}

type Attributes = HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | number | boolean | undefined>

export type Column<Row, Key extends string = string> = {
  /** Its name in the table. */
  id: string
  /** The text of its head. */
  header: string
  /** Only screen readers get the text of the head. */
  headerHidden?: boolean
  /** Further content of the head. */
  headerExtra?: ReactNode
  render: (row: Row, state: RowState) => ReactNode
  /** A click on the head sorts by this. */
  sort?: Key
  /** The cell names its row. */
  rowHeader?: boolean
  /** Numbers and amounts end at the same edge. */
  align?: 'end'
  nowrap?: boolean
  /** A length; in a table with a window a track of its grid. */
  width?: string
  /** Below this width of the window the column is hidden. */
  from?: Width
  /** Its area in the card that a row becomes on a phone: a name in `phone.areas`. */
  area?: string
  /** In a card the text of the head precedes the cell. */
  labelled?: boolean
  footer?: ReactNode
  /** Of its cells. */
  className?: string | undefined
  attributes?: (row: Row) => Attributes
}

/** The columns of a table; `false` for one that this site or account does not see. */
export type Columns<Row, Key extends string = string> = readonly (Column<Row, Key> | false)[]

/** The checkbox at the edge of a row: see `selection.tsx`. */
export type RowSelection<Row> = {
  head: ReactNode
  /** `some`: the row represents several, of which some are selected. */
  stateOf: (row: Row) => boolean | 'some'
  /** Rows are drawn again when this is another function: keep it with `useCallback` in long tables. */
  render: (row: Row, state: boolean | 'some') => ReactNode
}

export type SortColumn<Key extends string> = { by: Key; text: string }

/** By which column the rows are sorted, and how that is chosen: see `sort.tsx`. */
export type TableSort<Key extends string> = {
  by: Key
  desc: boolean
  head: (column: SortColumn<Key>) => ReactNode
  /** Shown above the rows on a phone, where there is no head. */
  choice: (columns: readonly SortColumn<Key>[]) => ReactNode
}

/** The shown page, and how to change it: see `paging.tsx`. */
export type TablePaging = {
  shown: <Row>(rows: readonly Row[]) => readonly Row[]
  control: (total: number) => ReactNode
}

/** The content of an expanded row. */
export type RowDetails<Row> = {
  render: (row: Row) => ReactNode
  /** Opening one closes the others. */
  single?: boolean
  /** Rows whose details are always shown. */
  always?: (row: Row) => boolean
  className?: string | undefined
}

/** The form of a row on a phone. */
export type PhoneForm = {
  /**
   * The row as a card: the areas of its grid, line by line, and the widths of its columns. Without areas the cells stand one
   * after the other.
   */
  areas?: readonly string[]
  columns?: string
  /**
   * The heads: left to screen readers (`offscreen`), gone where a field sorts in their place (`gone`), only the one that selects (`selection`),
   * or `shown`.
   */
  heads?: 'offscreen' | 'gone' | 'selection' | 'shown'
}

export type RowAttributes = Attributes
