/** The selected tyres. They stay selected when the filter changes; the actions mention those that it hides. */
import { useCallback, useMemo, useState } from 'react'
import { canSelect, type TyreRow } from './rows.ts'

/** The selected tyres by their id, each as it was when it was chosen. */
export type Selection = ReadonlyMap<number, TyreRow>

/** Adds these tyres, or takes them out when it has them all. */
export function toggled(selected: Selection, rows: readonly TyreRow[]): Selection {
  const next = new Map(selected)
  const has = rows.every(row => next.has(row.tyre.db_id))
  for (const row of rows) {
    if (has) next.delete(row.tyre.db_id)
    else next.set(row.tyre.db_id, row)
  }
  return next
}

/**
 * The selection as it is now, without tyres that have meanwhile been taken into an operation or become waste. `listed` are the tyres that the list
 * has; where these are `whole`, a tyre that is not among them is gone. Where the server searches, it belongs to another search.
 */
export function stillSelected(chosen: Selection, listed: Selection, { whole }: { whole: boolean }): Selection {
  const now = new Map<number, TyreRow>()
  for (const [id, then] of chosen) {
    const row = listed.get(id) ?? (whole ? undefined : then)
    if (row && canSelect(row)) now.set(id, row)
  }
  return now
}

/** The selected tyres that are not among those that the list shows on its pages. */
export function hiddenOf(selected: Selection, listed: readonly TyreRow[]): readonly TyreRow[] {
  if (selected.size === 0) return []
  const shown = new Set(listed.map(row => row.tyre.db_id))
  return [...selected.values()].filter(row => !shown.has(row.tyre.db_id))
}

export type Selecting = {
  selected: Selection
  /** Adds tyres, or takes them out when all of them are in. */
  toggle: (rows: readonly TyreRow[]) => void
  /** Adds tyres to the selection. */
  add: (rows: readonly TyreRow[]) => void
  /** Takes tyres out. */
  drop: (ids: readonly number[]) => void
  clear: () => void
}

const nobody: Selection = new Map()

/** The selection of a list that has `all` these tyres. */
export function useSelection(all: readonly TyreRow[], { whole }: { whole: boolean }): Selecting {
  const [chosen, setChosen] = useState(nobody)
  const listed = useMemo(() => new Map(all.map(row => [row.tyre.db_id, row])), [all])
  const current = useCallback((then: Selection) => stillSelected(then, listed, { whole }), [listed, whole])
  const selected = useMemo(() => current(chosen), [current, chosen])
  return {
    selected,
    toggle: useCallback(rows => setChosen(then => toggled(current(then), rows)), [current]),
    add: useCallback(
      rows => setChosen(then => new Map([...current(then), ...rows.map(row => [row.tyre.db_id, row] as const)])),
      [current],
    ),
    drop: useCallback(ids => {
      const gone = new Set(ids)
      setChosen(then => new Map([...then].filter(([id]) => !gone.has(id))))
    }, []),
    clear: useCallback(() => setChosen(nobody), []),
  }
}
