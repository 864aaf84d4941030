/** What somebody holds between two scans, and where it goes: wheel then place, place then wheels (docs/product.md "The card of a scan"). */

/** A wheel that was scanned; `vehicle` is null while nobody knows whose it is, such as without a network. */
export type Held = { readonly tyre: number; readonly vehicle: number | null; readonly plate: string | null }
export type Spot = { readonly location: number; readonly rack: string | null }
/** The wheels that wait for a place, or the place that waits for wheels; never both. */
export type Hand = { readonly wheels: readonly Held[]; readonly spot: Spot | null }

export const emptyHand: Hand = { wheels: [], spot: null }

type Taken = {
  readonly hand: Hand
  /** What is put down by this scan. */
  readonly put: { readonly wheels: readonly Held[]; readonly spot: Spot } | null
}

/**
 * A scanned wheel: with a place in hand it goes there, and the place stays in hand for the next one. Else it is taken up beside
 * the wheels of its vehicle; those of another vehicle were only looked at.
 */
export function takeWheel(hand: Hand, wheel: Held): Taken {
  if (hand.spot) return { hand, put: { wheels: [wheel], spot: hand.spot } }
  const others = hand.wheels.filter(({ tyre, vehicle }) => tyre !== wheel.tyre && vehicle === wheel.vehicle)
  return { hand: { wheels: [...others, wheel], spot: null }, put: null }
}

/** A scanned place: the wheels in hand go there, and the hand is empty. Without any, the place is for the wheels to come. */
export function takeSpot({ wheels }: Hand, spot: Spot): Taken {
  return wheels.length > 0 ? { hand: emptyHand, put: { wheels, spot } } : { hand: { wheels: [], spot }, put: null }
}
