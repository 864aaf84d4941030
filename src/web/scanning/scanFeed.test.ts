import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBarcode, encodeCommand, encodeLocation, typeScan } from '#domain/warehouse/barcode.ts'
import { keyedPage } from './keyedPage.ts'
import { openScanFeed } from './scanFeed.ts'

let page: ReturnType<typeof keyedPage>
beforeEach(() => {
  page = keyedPage()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

let now = 1000
/** Scans a tyre, and returns the keys to which the page would have reacted. */
function scan(tyre: number): string[] {
  now += 2000
  const strokes = typeScan(`${encodeBarcode({ tyre, site: 1 })}\n`, { scanner: 'us', machine: 'us' })
  return strokes.filter(stroke => page.press(stroke, (now += 10))).map(({ key }) => key)
}

const screen = (seen: number[]) => ({
  label: (label: object) => void seen.push('tyre' in label ? Number(label.tyre) : 0),
  unreadable: () => {},
})

test('scans before a screen is there press nothing, and are handled by it in their order', () => {
  const feed = openScanFeed()
  const stop = feed.listen(page.document)
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
  const stop = feed.listen(page.document)
  const seen: number[] = []
  const leave = feed.handle(screen([]))
  feed.handle(screen(seen))
  leave()
  scan(1)
  expect(seen).toEqual([1])

  const other = openScanFeed()
  const stopOther = other.listen(page.document)
  scan(2)
  stopOther()
  const later: number[] = []
  other.handle(screen(later))
  expect(later).toEqual([])
  stop()
})

test('a code that a camera read is handled as if a scanner had typed it', () => {
  const feed = openScanFeed()
  feed.read(encodeBarcode({ tyre: 1, site: 1 }))
  const seen: string[] = []
  feed.handle({ label: label => void seen.push(JSON.stringify(label)), unreadable: text => void seen.push(text) })
  feed.read(encodeLocation({ location: 2, site: 1 }))
  feed.read(encodeCommand({ command: 'next', site: 1 }))
  feed.read('5410001234567')
  expect(seen).toEqual([
    '{"tyre":1,"site":1}',
    '{"location":2,"site":1}',
    '{"command":"next","site":1}',
    '5410001234567',
  ])
})
