/**
 * A long table of which only the rows in sight exist: thousands scroll like ten. One row or cell at a time is in the order of the
 * Tab key; arrows, Page Up and Down, Home and End go to another.
 */
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { isPrerendering } from '../prerendering.ts'
import { usePrinting } from '../print.tsx'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefCallback,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** A row, and the column where cells have the focus individually. */
type Place = { readonly row: number; readonly column?: number | undefined }

export type RowWindow = {
  /** The screen is being printed: paper has room for all rows, one below the other as in any other table. */
  readonly printing: boolean
  /** The rows that exist, and how far below the first row of all each is, in pixels. */
  readonly items: readonly { index: number; key: string | number | bigint; start: number }[]
  /** Of all rows, in pixels. */
  readonly height: number
  /** The element that is as high as all rows. */
  readonly list: RefCallback<HTMLElement>
  readonly measure: RefCallback<HTMLElement>
  readonly active: Place
  /** How many cells of a row take the focus; `undefined` where the rows' own controls do. */
  readonly columns: number | undefined
  readonly events: {
    onKeyDown: (event: KeyboardEvent) => void
    onFocus: (event: FocusEvent) => void
    onBlur: (event: FocusEvent) => void
  }
  /** Scrolls there and gives it the focus. */
  readonly go: (place: Place) => void
}

type RowWindowOptions<Row> = {
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Of a row that has not been drawn yet, in pixels. */
  rowHeight: number
  /** The height of bars over the page above and below the rows, in pixels: an arrow key leads to no row behind them. */
  bars: { above: number; below: number }
  columns?: number
  /** Keys besides those that move. */
  onKey?: (event: KeyboardEvent, place: Place) => void
}

const rowsPerPage = 10

/** Where a key leads to, or `undefined` when it does not move. */
function placeAfter(
  { key, ctrlKey }: KeyboardEvent,
  { row, column = 0 }: Place,
  last: Required<{ row: number; column: number | undefined }>,
): Place | undefined {
  const moves: Record<string, Place> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    PageDown: { row: row + rowsPerPage, column },
    PageUp: { row: row - rowsPerPage, column },
    ...(last.column === undefined
      ? { Home: { row: 0 }, End: { row: last.row } }
      : {
          ArrowRight: { row, column: column + 1 },
          ArrowLeft: { row, column: column - 1 },
          Home: { row: ctrlKey ? 0 : row, column: 0 },
          End: { row: ctrlKey ? last.row : row, column: last.column },
        }),
  }
  const to = moves[key]
  return to && within(to, last)
}

const within = ({ row, column }: Place, last: { row: number; column: number | undefined }): Place => ({
  row: Math.max(0, Math.min(last.row, row)),
  column: last.column === undefined ? undefined : Math.max(0, Math.min(last.column, column ?? 0)),
})

const phoneHeightPx = 900

export function useRowWindow<Row>({ rows, keyOf, rowHeight, bars, columns, onKey }: RowWindowOptions<Row>): RowWindow {
  const printing = usePrinting()
  const [list, setList] = useState<HTMLElement | null>(null)
  const margin = useDistanceFromTop(list)
  const last = { row: rows.length - 1, column: columns === undefined ? undefined : columns - 1 }
  const [chosen, setChosen] = useState<Place>({ row: 0 })
  const active = within(chosen, last)
  /** The active row or cell takes the focus once it exists. */
  const wanted = useRef(false)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    // the first rows are there before anything is measured
    initialRect: { width: 0, height: isPrerendering ? phoneHeightPx : innerHeight },
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingStart: bars.above,
    scrollPaddingEnd: bars.below,
    // oxlint-disable-next-line react/exhaustive-deps -- which key a row has does not change
    getItemKey: useCallback((index: number) => (index in rows ? keyOf(rows[index] as Row) : index), [rows]),
    // The row that has the focus stays, or the focus would fall to the page when it scrolls out of sight.
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      return active.row < 0 || indexes.includes(active.row) ? indexes : [...indexes, active.row].sort((a, b) => a - b)
    },
  })
  const go = (place: Place) => {
    setChosen(place)
    wanted.current = true
    virtual.scrollToIndex(place.row, { align: 'auto' })
  }
  // The focused row has left the list: the focus goes to the one in its place, not to the top of the page.
  const hadFocus = useRef(false)
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) wanted.current = true
  }, [rows])
  useEffect(() => {
    if (!wanted.current) return
    const row = list?.parentElement?.querySelector(`:scope > [data-index="${active.row}"]`)
    const target = active.column === undefined ? '[data-main]' : `[data-column="${active.column}"]`
    const element = row?.querySelector<HTMLElement>(target)
    if (!element) return
    wanted.current = false
    element.focus({ preventScroll: true })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.metaKey) return
    const to = event.ctrlKey && columns === undefined ? undefined : placeAfter(event, active, last)
    if (!to) {
      onKey?.(event, active)
      return
    }
    event.preventDefault()
    if (to.row !== active.row || to.column !== active.column) go(to)
  }
  const onFocus = ({ target }: FocusEvent) => {
    const row = target.closest<HTMLElement>('[data-index]')
    const column = target.closest<HTMLElement>('[data-column]')?.dataset.column
    if (row) setChosen({ row: Number(row.dataset.index), column: column === undefined ? undefined : Number(column) })
    hadFocus.current = row !== null
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget) hadFocus.current = currentTarget.contains(relatedTarget)
  }
  return {
    printing,
    items: virtual.getVirtualItems().map(({ index, key, start }) => ({ index, key, start: start - margin })),
    height: virtual.getTotalSize(),
    list: setList,
    measure: virtual.measureElement,
    active,
    columns,
    events: { onKeyDown, onFocus, onBlur },
    go,
  }
}

/** The distance of an element from the top of the page, in pixels; follows changes above it. */
function useDistanceFromTop(element: HTMLElement | null): number {
  const [distance, setDistance] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => setDistance(Math.round(element.getBoundingClientRect().top + scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return distance
}
