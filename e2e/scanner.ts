/** A barcode scanner at a page: a keyboard that types faster than a person. */
import type { CDPSession } from 'playwright-core'
import { type Keystroke, type Layout, typeScan } from '#domain/warehouse/barcode.ts'

/** The fields that Chromium needs for keys that are not letters. */
const specialKeys: Record<string, object> = {
  Enter: { text: '\r', windowsVirtualKeyCode: 13 },
  Tab: { windowsVirtualKeyCode: 9 },
}

type Layouts = { scanner?: Layout; machine?: Layout }

/**
 * Types a code wherever the focus is, as a scanner set to one layout does on a machine that has another; '\n' is the
 * closing Enter. The keys are sent to the browser at once, with timestamps a millisecond apart, so that a busy machine
 * adds no pause.
 */
export const typeCode = (keyboard: CDPSession, code: string, layouts?: Layouts): Promise<void> =>
  type(keyboard, code, { ...layouts, pace: 1, since: Date.now() })

/** How scanners differ: milliseconds between two keys, and from the last one to the closing key. */
export const keyIntervals = [10, 30, 60] as const
export const suffixDelays = [0, 250, 400, 700, 1000] as const
export const suffixes = ['Enter', 'Tab'] as const
type Suffix = (typeof suffixes)[number]

/** Types a code with this interval between keys, and Enter or Tab `after` this many milliseconds, by timestamps. */
export const typeSlowly = (
  keyboard: CDPSession,
  code: string,
  { pace, after, suffix }: { pace: number; after: number; suffix: Suffix },
): Promise<void> => type(keyboard, code, { pace, after, suffix, since: Date.now() - code.length * pace - after })

/** Milliseconds between the keys of a person, and until they use the scanner. */
const byHand = { pace: 90, untilScan: 150 } as const

/** Types a text as a person does who scans next. The timestamps of the keys are before this call. */
export const typeByHand = (keyboard: CDPSession, text: string): Promise<void> =>
  type(keyboard, text, { pace: byHand.pace, since: Date.now() - text.length * byHand.pace - byHand.untilScan })

async function type(
  keyboard: CDPSession,
  text: string,
  {
    scanner = 'us',
    machine = 'us',
    pace,
    since,
    after = pace,
    suffix,
  }: Layouts & { pace: number; since: number; after?: number; suffix?: Suffix },
): Promise<void> {
  const closing: Keystroke[] = suffix ? [{ key: suffix, code: suffix, shift: false }] : []
  const strokes = [...typeScan(text, { scanner, machine }), ...closing]
  await Promise.all(
    strokes.flatMap(({ key, code: keyCode, shift, alt }, nth) => {
      const stroke = {
        key,
        code: keyCode,
        modifiers: (shift ? 8 : 0) | (alt ? 3 : 0),
        timestamp: (since + nth * pace + (key in specialKeys ? after - pace : 0)) / 1000,
        ...(key.length === 1 && !alt ? { text: key } : specialKeys[key]),
      }
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'text' in stroke ? 'keyDown' : 'rawKeyDown', ...stroke }),
        keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' }),
      ]
    }),
  )
}
