/** The wheels or place in hand between two scans: wheel then place, place then wheels (docs/product/warehouse.md "The card of a scan"). */

/** A wheel that was scanned; `vehicle` is null while it is not known whose it is: the answer is on its way, or there is no network. */
export type Held = { readonly tyre: number; readonly vehicle: number | null; readonly plate: string | null }
export type Spot = { readonly location: number; readonly rack: string | null }
/** The wheels that wait for a place, or the place that waits for wheels; never both. */
export type Hand = { readonly wheels: readonly Held[]; readonly spot: Spot | null }

export const emptyHand: Hand = { wheels: [], spot: null }

type Taken = {
  readonly hand: Hand
  /** The wheels that this scan puts down, and where. */
  readonly put: { readonly wheels: readonly Held[]; readonly spot: Spot } | null
}

/**
 * A scanned wheel: with a place in hand it goes there, and the place stays in hand for the next one. Else it is taken up beside
 * the wheels of its vehicle, and those that may be; those of another vehicle were only looked at.
 */
export function takeWheel(hand: Hand, wheel: Held): Taken {
  if (hand.spot) return { hand, put: { wheels: [wheel], spot: hand.spot } }
  const mayBelong = ({ vehicle }: Held) => vehicle === wheel.vehicle || vehicle === null || wheel.vehicle === null
  const others = hand.wheels.filter(other => other.tyre !== wheel.tyre && mayBelong(other))
  return { hand: { wheels: [...others, wheel], spot: null }, put: null }
}

/** A scanned place: the wheels in hand go there, and the hand is empty. Without any, the place is for the wheels to come. */
export function takeSpot({ wheels }: Hand, spot: Spot): Taken {
  // whose a wheel is may still not be known: only those that surely belong together go to one place
  const last = wheels.at(-1)
  const together = wheels.filter(({ vehicle }) => vehicle === last?.vehicle)
  return last ? { hand: emptyHand, put: { wheels: together, spot } } : { hand: { wheels: [], spot }, put: null }
}

/** The hand once the vehicle of a wheel in it is known, as if it had been known when the wheel was scanned. */
export function learn(hand: Hand, identified: Held): Hand {
  if (!hand.wheels.some(({ tyre }) => tyre === identified.tyre)) return hand
  return hand.wheels
    .map(wheel => (wheel.tyre === identified.tyre ? identified : wheel))
    .reduce((before, wheel) => takeWheel(before, wheel).hand, emptyHand)
}

/** A hand without some wheels: unknown or missing ones. */
export const letGo = (hand: Hand, tyres: readonly number[]): Hand => ({
  ...hand,
  wheels: hand.wheels.filter(({ tyre }) => !tyres.includes(tyre)),
})
