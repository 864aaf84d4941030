/** Keys that the machine delivers later than they were typed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBarcode, type Label, typeScan } from '#domain/barcode.ts'
import { listenForScans } from './scanListener.ts'

const heard = { label: vi.fn<(label: Label) => void>(), unreadable: vi.fn<(text: string) => void>() }
const layouts = { scanner: 'us', machine: 'us' } as const
const strokes = typeScan(encodeBarcode({ tyre: 4711, site: 3 }), layouts)
let page: EventTarget
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  for (const name of ['HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement']) vi.stubGlobal(name, EventTarget)
  page = new EventTarget()
  stop = listenForScans(page as Document, heard)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

/** Delivers some of the keys now; they were typed ten milliseconds apart. */
function deliver(from: number, until?: number): void {
  strokes.slice(from, until).forEach(({ key, code, shift }, nth) => {
    const event = new Event('keydown', { cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: 1000 + (from + nth) * 10 })
    const held = { shiftKey: shift, altKey: false, ctrlKey: false, metaKey: false, repeat: false }
    page.dispatchEvent(Object.assign(event, { key, code, ...held, getModifierState: () => false }))
  })
}

test('a label whose second half is delivered late is read once, and nothing is said to be unreadable', () => {
  deliver(0, 9)
  vi.advanceTimersByTime(900)
  expect(heard.unreadable).not.toHaveBeenCalled()
  deliver(9)
  vi.runAllTimers()
  expect(heard.label.mock.calls).toEqual([[expect.objectContaining({ tyre: 4711, site: 3 })]])
  expect(heard.unreadable).not.toHaveBeenCalled()
})

test('half a label that nothing follows is unreadable', () => {
  deliver(0, 9)
  vi.runAllTimers()
  expect(heard.label).not.toHaveBeenCalled()
  expect(heard.unreadable).toHaveBeenCalledOnce()
})
