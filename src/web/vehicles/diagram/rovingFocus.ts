/** Where an arrow key leads in a drawing: one place is reached by Tab, the arrows move among the others (roving focus). */

type Place = { x: number; y: number }

const lines = (places: readonly Place[]): number[] => [...new Set(places.map(({ y }) => y))].sort((a, b) => a - b)

/** The place that a key leads to from place `from`; `null` when the key means nothing or there is nothing in that direction. */
export function nextByArrow(places: readonly Place[], from: number, key: string): number | null {
  const current = places[from]
  if (!current) return null
  const nearest = (wanted: (place: Place) => boolean, distance: (place: Place) => number): number | null => {
    let best: number | null = null
    for (const [at, place] of places.entries()) {
      if (at === from || !wanted(place)) continue
      if (best === null || distance(place) < distance(places[best]!)) best = at
    }
    return best
  }
  const horizontal = (direction: 1 | -1) =>
    nearest(
      place => place.y === current.y && Math.sign(place.x - current.x) === direction,
      place => Math.abs(place.x - current.x),
    )
  const vertical = (step: 1 | -1) => {
    const all = lines(places)
    const line = all[all.indexOf(current.y) + step]
    return line === undefined
      ? null
      : nearest(
          place => place.y === line,
          place => Math.abs(place.x - current.x),
        )
  }
  switch (key) {
    case 'ArrowRight':
      return horizontal(1)
    case 'ArrowLeft':
      return horizontal(-1)
    case 'ArrowDown':
      return vertical(1)
    case 'ArrowUp':
      return vertical(-1)
    case 'Home':
      return from === 0 ? null : 0
    case 'End':
      return from === places.length - 1 ? null : places.length - 1
    default:
      return null
  }
}
