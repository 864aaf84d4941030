/** The inverse of the actions on a scan card, for Undo (docs/product/warehouse.md "The card of a scan"). */
import type { CardAction } from '#domain/warehouse/card.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'

/** A wheel as it was before something was done with it. */
export type Before = {
  readonly tyre: number
  /** Where it was, else the place that was kept for it; null where neither is known. */
  readonly spot: number | null
  /** Whether the action scanned the wheel for its operation. */
  readonly scan: boolean
  /** The type of the operation for which the wheel had been scanned: declaring it missing removes the scan. */
  readonly scannedFor?: OfferedType | undefined
}

/** The last action and its wheels. */
export type Done = {
  readonly action: CardAction
  readonly wheels: readonly Before[]
  /** The action of the history that takes it back. */
  readonly kept?: string
}

type WayBack = {
  /** The wheels whose scan is taken back. */
  readonly scans: readonly number[]
  /** The wheels that go back, by the place where they were. */
  readonly spots: ReadonlyMap<number, readonly number[]>
  /** The wheels that are missing no more, wherever they are. */
  readonly found: readonly number[]
  /** The wheels that are scanned again for their operation. */
  readonly rescans: readonly { readonly tyre: number; readonly type: OfferedType }[]
  /** How many wheels stay as they are: their former place is unknown. */
  readonly left: number
}

/** Each wheel returns to its own former place: wheels in hand come from several places, and some were scanned for a storage. */
export function wayBack({ action, wheels }: Done): WayBack {
  const moved = action === 'place' || action === 'pick' || action === 'miss'
  const others = moved ? wheels.filter(({ scan }) => !scan) : []
  const spots = new Map<number, number[]>()
  for (const { tyre, spot } of others) if (spot !== null) spots.set(spot, [...(spots.get(spot) ?? []), tyre])
  const nowhere = others.filter(({ spot }) => spot === null).map(({ tyre }) => tyre)
  return {
    scans: wheels.filter(({ scan }) => scan).map(({ tyre }) => tyre),
    spots,
    found: action === 'miss' ? nowhere : [],
    rescans: action === 'miss' ? others.flatMap(({ tyre, scannedFor: type }) => (type ? { tyre, type } : [])) : [],
    left: action === 'miss' ? 0 : nowhere.length,
  }
}
