/** A barcode scanner at a page: a keyboard that types faster than any person. */
import type { CDPSession } from 'playwright-core'
import { type Layout, typeScan } from '#domain/barcode.ts'

/** What Chromium needs to know of the keys that do something by themselves. */
const deeds: Record<string, object> = {
  Enter: { text: '\r', windowsVirtualKeyCode: 13 },
  Tab: { windowsVirtualKeyCode: 9 },
}

/**
 * Types a code wherever the focus is, as a scanner set to one layout does at a machine that has another; '\n' is the Enter that
 * closes it. The keys go to the browser all at once, in their order and a millisecond apart by their own times: a busy machine
 * between here and the browser makes no pause that a scanner would not.
 */
export async function typeCode(
  keyboard: CDPSession,
  code: string,
  { scanner = 'us', machine = 'us' }: { scanner?: Layout; machine?: Layout } = {},
): Promise<void> {
  const begun = Date.now()
  await Promise.all(
    typeScan(code, { scanner, machine }).flatMap(({ key, code: place, shift, alt }, nth) => {
      const stroke = {
        key,
        code: place,
        modifiers: (shift ? 8 : 0) | (alt ? 3 : 0),
        timestamp: (begun + nth) / 1000,
        ...(key.length === 1 && !alt ? { text: key } : deeds[key]),
      }
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'text' in stroke ? 'keyDown' : 'rawKeyDown', ...stroke }),
        keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' }),
      ]
    }),
  )
}
