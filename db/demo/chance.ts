/** Chance that repeats itself: the demo is the same at every start, so its screens can be compared and its tests can fail. */

export type Chance = {
  /** A number from 0 up to, not including, 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True in `share` of the cases, 0 to 1. */
  likely(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** The same things in another order. */
  shuffled<T>(list: readonly T[]): T[]
  /** A version 4 UUID. */
  uuid(): string
}

/** A source of its own for every topic, so that a draw more in one leaves all others as they were. */
export function chance(topic: string): Chance {
  // FNV-1a of the topic starts a SplitMix32: both are a few public-domain lines and good enough for a demo
  let state = 0x811c9dc5
  for (const letter of topic) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)

  const bits = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const next = (): number => bits() / 0x1_0000_0000
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))

  return {
    next,
    between,
    likely: share => next() < share,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('nothing to pick from')
      return list[between(0, list.length - 1)] as T
    },
    shuffled<T>(list: readonly T[]): T[] {
      const drawn = [...list]
      for (let last = drawn.length - 1; last > 0; last--) {
        const other = between(0, last)
        ;[drawn[last], drawn[other]] = [drawn[other] as T, drawn[last] as T]
      }
      return drawn
    },
    uuid() {
      const hex = Array.from({ length: 4 }, () => bits().toString(16).padStart(8, '0')).join('')
      const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
