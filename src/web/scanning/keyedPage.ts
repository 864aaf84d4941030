/** A page for tests to which keys are typed at given times, with nothing that has the focus and without fields. */
import { vi } from 'vitest'
import type { Keystroke } from '#domain/warehouse/barcode.ts'

/** `vi.unstubAllGlobals` removes its globals. */
export function keyedPage() {
  for (const name of ['HTMLInputElement', 'HTMLTextAreaElement']) vi.stubGlobal(name, Event)
  vi.stubGlobal('HTMLElement', EventTarget)
  const page = Object.assign(new EventTarget(), { matches: () => true })
  return {
    document: page as unknown as Document,
    /** Presses a key `at` that time, in ms. Returns whether the page would react to it. */
    press({ key, code, shift }: Keystroke, at: number): boolean {
      const event = new Event('keydown', { cancelable: true })
      Object.defineProperty(event, 'timeStamp', { value: at })
      const modifiers = { shiftKey: shift, altKey: false, ctrlKey: false, metaKey: false, repeat: false }
      page.dispatchEvent(Object.assign(event, { key, code, ...modifiers, getModifierState: () => false }))
      return !event.defaultPrevented
    },
  }
}
