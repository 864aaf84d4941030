/** The rules for the data that a device keeps of an account for offline use, and for taking a new version of the portal. Pure. */

/**
 * For how long after the server has answered last a device shows what it keeps, in ms: as long as an unused session lasts
 * (docs/product/accounts.md "Sessions").
 */
export const keptForMs = 12 * 60 * 60_000
/** The most cards that are kept: the last ones. */
export const mostCards = 500
/** The most that is kept, in characters of JSON. */
export const mostCharacters = 24_000_000

/** An answer on the device, without itself: `at` is when the server gave it, in ms. */
export type KeptEntry = { readonly key: string; readonly card: boolean; readonly at: number; readonly size: number }

export const isTooOld = (at: number, now: number): boolean => now - at > keptForMs

/** The keys of the entries to delete: too old, more cards than a device keeps, and, beyond the total size, cards first, then the largest. */
export function toForget(entries: readonly KeptEntry[], now: number): string[] {
  const old = entries.filter(({ at }) => isTooOld(at, now))
  const young = entries.filter(({ at }) => !isTooOld(at, now))
  const cards = young.filter(({ card }) => card).toSorted((a, b) => b.at - a.at)
  const others = young.filter(({ card }) => !card).toSorted((a, b) => a.size - b.size)
  let room = mostCharacters
  const unfit = [...others, ...cards.slice(0, mostCards)].filter(({ size }) => {
    if (size > room) return true
    room -= size
    return false
  })
  return [...old, ...cards.slice(mostCards), ...unfit].map(({ key }) => key)
}

/** The work in progress on a page. */
export type PageState = {
  /** Scans that are not sent, and places that are still counted. */
  readonly unsent: number
  /** A card, a dialog, or a field with something typed. */
  readonly isOpen: boolean
  /** A form with changes. */
  readonly isUnsaved: boolean
  /** There is no connection: after a reload the page could not fetch its content. */
  readonly isLost: boolean
  /** How long the page was neither touched nor used for a scan, in ms. */
  readonly untouchedMs: number
  readonly isVisible: boolean
}

/** How long a page must be idle before it is reloaded, in ms: while it is visible, its user may be walking between two racks. */
const leftAloneMs = { hidden: 60_000, visible: 5 * 60_000 }

/** Whether a page may be reloaded for a new version: nothing waits, and no work is in progress. */
export const mayReload = ({ unsent, isOpen, isUnsaved, isLost, untouchedMs, isVisible }: PageState): boolean =>
  unsent === 0 && !isOpen && !isUnsaved && !isLost && untouchedMs >= leftAloneMs[isVisible ? 'visible' : 'hidden']

/** How long ago something was, in the largest whole unit. */
export function ago(at: number, now: number): { value: number; unit: 'minute' | 'hour' } {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000))
  return minutes < 60 ? { value: minutes, unit: 'minute' } : { value: Math.floor(minutes / 60), unit: 'hour' }
}
