/** Fields with rejected input, marked by `data-wrong`: their value is still the previous one, which must not be sent instead. */

/** The first such field. */
export const wrongField = (within: ParentNode | null): HTMLElement | null =>
  within?.querySelector<HTMLElement>('[data-wrong]') ?? null

/** Focuses the first such field, and returns whether there is one. */
export function focusWrongField(within: ParentNode | null): boolean {
  const field = wrongField(within)
  field?.focus()
  return field !== null
}
