import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBarcode, typeScan } from '#domain/barcode.ts'
import { openScanFeed } from './scanFeed.ts'

let page: EventTarget
beforeEach(() => {
  page = Object.assign(new EventTarget(), { matches: () => true })
  for (const name of ['HTMLInputElement', 'HTMLTextAreaElement']) vi.stubGlobal(name, Event)
  vi.stubGlobal('HTMLElement', EventTarget)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

let now = 1000
/** Scans a tyre, and tells which of the keys the page would have reacted to. */
function scan(tyre: number): string[] {
  now += 2000
  const strokes = typeScan(`${encodeBarcode({ tyre, site: 1 })}\n`, { scanner: 'us', machine: 'us' })
  return strokes.flatMap(({ key, code, shift }) => {
    const event = new Event('keydown', { cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: (now += 10) })
    const held = { shiftKey: shift, altKey: false, ctrlKey: false, metaKey: false, repeat: false }
    page.dispatchEvent(Object.assign(event, { key, code, ...held, getModifierState: () => false }))
    return event.defaultPrevented ? [] : [key]
  })
}

const screen = (seen: number[]) => ({
  label: (label: object) => void seen.push('tyre' in label ? Number(label.tyre) : 0),
  unreadable: () => {},
})

test('scans before a screen is there press nothing, and are handled by it in their order', () => {
  const feed = openScanFeed()
  const stop = feed.listen(page as Document)
  expect(scan(1)).not.toContain('Enter')
  scan(2)
  const seen: number[] = []
  const leave = feed.handle(screen(seen))
  scan(3)
  expect(seen).toEqual([1, 2, 3])
  leave()
  scan(4)
  const next: number[] = []
  feed.handle(screen(next))
  expect([seen, next]).toEqual([[1, 2, 3], [4]])
  stop()
  expect(scan(5)).toContain('Enter')
  expect(next).toEqual([4])
})

test('a screen that leaves late takes nothing from the one after it, and what was kept ends with the page', () => {
  const feed = openScanFeed()
  const stop = feed.listen(page as Document)
  const seen: number[] = []
  const leave = feed.handle(screen([]))
  feed.handle(screen(seen))
  leave()
  scan(1)
  expect(seen).toEqual([1])

  const other = openScanFeed()
  const stopOther = other.listen(page as Document)
  scan(2)
  stopOther()
  const later: number[] = []
  other.handle(screen(later))
  expect(later).toEqual([])
  stop()
})
