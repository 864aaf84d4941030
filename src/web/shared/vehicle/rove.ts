/** Where an arrow key leads in a drawing: one place is reached by Tab, the arrows move among the others (roving focus). */

type Place = { x: number; y: number }

const lines = (places: readonly Place[]): number[] => [...new Set(places.map(({ y }) => y))].sort((a, b) => a - b)

/** The place that a key leads to from place `from`; `null` when the key means nothing or there is nothing in that direction. */
export function neighbour(places: readonly Place[], from: number, key: string): number | null {
  const here = places[from]
  if (!here) return null
  const nearest = (wanted: (place: Place) => boolean, far: (place: Place) => number): number | null => {
    let best: number | null = null
    for (const [at, place] of places.entries()) {
      if (at === from || !wanted(place)) continue
      if (best === null || far(place) < far(places[best]!)) best = at
    }
    return best
  }
  const sideways = (direction: 1 | -1) =>
    nearest(
      place => place.y === here.y && Math.sign(place.x - here.x) === direction,
      place => Math.abs(place.x - here.x),
    )
  const upright = (step: 1 | -1) => {
    const all = lines(places)
    const line = all[all.indexOf(here.y) + step]
    return line === undefined
      ? null
      : nearest(
          place => place.y === line,
          place => Math.abs(place.x - here.x),
        )
  }
  switch (key) {
    case 'ArrowRight':
      return sideways(1)
    case 'ArrowLeft':
      return sideways(-1)
    case 'ArrowDown':
      return upright(1)
    case 'ArrowUp':
      return upright(-1)
    case 'Home':
      return from === 0 ? null : 0
    case 'End':
      return from === places.length - 1 ? null : places.length - 1
    default:
      return null
  }
}
