/** A field in which people type. */
export type Field = HTMLInputElement | HTMLTextAreaElement

/** Puts a text into a field in a way that React notices. */
export function setField(field: Field, value: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
