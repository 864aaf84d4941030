/** Depths in mm to choose from. */
const depths: readonly number[] = [1.6, 2, 3, 4, 5, 6, 7, 8]

/** The depths to choose from, with the chosen one: an address may name any. */
export const depthChoices = (chosen: number | null): readonly number[] =>
  chosen === null || depths.includes(chosen) ? depths : [...depths, chosen].toSorted((a, b) => a - b)
