/** The axis of a plot: it begins at nothing, and its marks are whole and evenly apart. */

export type Scale = { readonly top: number; readonly marks: readonly number[] }

/** Marks are 1, 2 or 5 times a power of ten apart, at least 1, and at most so many above nothing. */
export function scaleOf(values: readonly (number | null)[], most = 5): Scale {
  const largest = Math.max(0, ...values.map(value => value ?? 0))
  if (largest <= 0) return { top: 1, marks: [0, 1] }
  const least = Math.max(1, largest / most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map(times => times * power).find(wide => wide >= least - 1e-9) ?? 10 * power
  const count = Math.ceil(largest / step - 1e-9)
  return { top: count * step, marks: Array.from({ length: count + 1 }, (_, nth) => nth * step) }
}

/** Which of so many labels are written where this many have room: each nth, from the first on. */
export const labelEvery = (count: number, room: number): number => Math.max(1, Math.ceil(count / room))
