/** Names of tyre sets and the positions they hold (SPEC §5 "Tyre set name"). */

/**
 * Whether tyres that are added need a set name: once the vehicle has setless tyres, and at least as many of them as it
 * has positions. Otherwise the name is optional (SPEC §5).
 */
export const setNameRequired = ({ setless, positions }: { setless: number; positions: number }): boolean =>
  setless > 0 && setless >= positions

/** The positions of `selected` that a tyre of `others` already takes, each once, in the order of `selected`. */
export function takenPositions(
  selected: readonly { position: string }[],
  others: readonly { position: string }[],
): string[] {
  const held = new Set(others.map(tyre => tyre.position))
  return [...new Set(selected.map(tyre => tyre.position).filter(position => held.has(position)))]
}
