/**
 * Clicks on rows and on the picture. The delay is there to tell a click from
 * a double click: one click takes the tyre, two take its whole set. The tyre shows as pre-selected at once, so that the wait
 * is not felt. A checkbox and the keyboard have no double click: they select without delay and don't come here.
 */

/** How long a click waits for a second one, in ms. */
export const preselectDelayMs = 250

type Outside = {
  /** One click, the delay is over. Several tyres when one position holds several. */
  take: (tyres: readonly number[]) => void
  /** A second click on the same place within the delay. */
  takeSet: (tyres: readonly number[]) => void
  /** Which tyres are pre-selected now. */
  show: (tyres: readonly number[]) => void
}

export function makePreselection({ take, takeSet, show }: Outside) {
  let waiting: { tyres: readonly number[]; timer: ReturnType<typeof setTimeout> } | null = null

  /** Drops the waiting selection and returns it: the screen goes away, or the user goes on without waiting. */
  function stop(): readonly number[] {
    if (!waiting) return []
    const { tyres, timer } = waiting
    clearTimeout(timer)
    waiting = null
    show([])
    return tyres
  }

  function settle() {
    const tyres = stop()
    if (tyres.length > 0) take(tyres)
  }

  return {
    click(tyres: readonly number[]) {
      if (waiting?.tyres.join() === tyres.join()) return takeSet(stop())
      settle()
      waiting = { tyres, timer: setTimeout(settle, preselectDelayMs) }
      show(tyres)
    },
    stop,
  }
}
