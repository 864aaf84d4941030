/** Fields that hold what they could not take, marked by `data-wrong`: their value is still the one before, which must not be sent instead. */

/** The first such field. */
export const wrongField = (within: ParentNode | null): HTMLElement | null =>
  within?.querySelector<HTMLElement>('[data-wrong]') ?? null

/** Puts the focus on the first such field, and answers whether there is one. */
export function focusWrongField(within: ParentNode | null): boolean {
  const field = wrongField(within)
  field?.focus()
  return field !== null
}
