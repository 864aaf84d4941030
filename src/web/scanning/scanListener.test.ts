/** Keys that the machine delivers later than they were typed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBarcode, type Label, typeScan } from '#domain/warehouse/barcode.ts'
import { keyedPage } from './keyedPage.ts'
import { listenForScans } from './scanListener.ts'

const heard = { label: vi.fn<(label: Label) => void>(), unreadable: vi.fn<(text: string) => void>() }
const layouts = { scanner: 'us', machine: 'us' } as const
const strokes = typeScan(encodeBarcode({ tyre: 4711, site: 3 }), layouts)
let page: ReturnType<typeof keyedPage>
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  page = keyedPage()
  stop = listenForScans(page.document, heard)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** Delivers some of the keys now; they were typed ten milliseconds apart. */
function deliver(from: number, until?: number): void {
  strokes.slice(from, until).forEach((stroke, nth) => page.press(stroke, 1000 + (from + nth) * 10))
}

/** Keys of a gauge, ten milliseconds apart. */
const press = (keys: readonly string[], at: number): void =>
  keys.forEach((key, nth) => page.press({ key, code: key, shift: false }, at + nth * 10))

test('a label whose second half is delivered late is read once, and nothing is said to be unreadable', () => {
  deliver(0, 9)
  vi.advanceTimersByTime(900)
  expect(heard.unreadable).not.toHaveBeenCalled()
  deliver(9)
  vi.runAllTimers()
  expect(heard.label.mock.calls).toEqual([[expect.objectContaining({ tyre: 4711, site: 3 })]])
  expect(heard.unreadable).not.toHaveBeenCalled()
})

test('a label whose second half is delivered after it was said to be unreadable is read, too', () => {
  deliver(0, 9)
  vi.runAllTimers()
  expect(heard.unreadable).toHaveBeenCalledOnce()
  deliver(9)
  vi.runAllTimers()
  expect(heard.label.mock.calls).toEqual([[expect.objectContaining({ tyre: 4711, site: 3 })]])
  expect(heard.unreadable).toHaveBeenCalledOnce()
})

test('half a label that nothing follows is unreadable', () => {
  deliver(0, 9)
  vi.runAllTimers()
  expect(heard.label).not.toHaveBeenCalled()
  expect(heard.unreadable).toHaveBeenCalledOnce()
})

test('a reading of a gauge whose Enter is delivered late is ended by it, once', () => {
  const typed = vi.fn<(text: string) => void>()
  stop()
  stop = listenForScans(page.document, { ...heard, typed })
  press(['0', '.', '5'], 1000)
  vi.runAllTimers()
  press(['Enter'], 1040)
  press(['Enter'], 3000)
  expect(typed.mock.calls.flat()).toEqual(['0.5', '\n'])
})
