/**
 * The scans of a page: captured from its first moment on, and queued until the screen that handles them is loaded, so that no scan is lost and no
 * key of a scanner activates a control.
 */
import { scanListenerReady } from '#contract/prerender.ts'
import { decodeLabel } from '#domain/warehouse/barcode.ts'
import { listenForScans, type ScanHandlers } from './scanListener.ts'

type Delivery = (handlers: ScanHandlers) => void

/** More than anybody scans while a screen loads. */
const mostKept = 100

/** A feed without a listener: scans wait, a hundred at most, until a screen handles them. One is open on a page (`scanFeed`). */
export function openScanFeed() {
  let handlers: ScanHandlers | null = null
  let kept: Delivery[] = []
  const deliver = (delivery: Delivery) => {
    if (handlers) delivery(handlers)
    else if (kept.length < mostKept) kept.push(delivery)
  }
  return {
    /** Listens to a page. Returns a function that stops listening and drops unhandled scans. */
    listen(page: Document): () => void {
      const stop = listenForScans(page, {
        label: label => deliver(on => on.label(label)),
        unreadable: text => deliver(on => on.unreadable(text)),
        get typed() {
          return handlers?.typed
        },
      })
      // replays the scans of a prerendered page (src/web/prerender/handOver.ts)
      page.dispatchEvent(new Event(scanListenerReady))
      return () => {
        stop()
        kept = []
      }
    },

    /** A code that was read as a whole, by a camera: it counts as if a scanner had typed it. */
    read(text: string): void {
      const label = decodeLabel(text)
      deliver(on => (label ? on.label(label) : on.unreadable(text)))
    },

    /** Shows the card of a text, as if it had been scanned. */
    find(text: string): void {
      deliver(on => on.unreadable(text))
    },

    /** Passes all scans to a screen, earlier ones first. Returns a function that stops it. */
    handle(on: ScanHandlers): () => void {
      handlers = on
      const before = kept
      kept = []
      for (const delivery of before) delivery(on)
      return () => {
        if (handlers === on) handlers = null
      }
    },
  }
}

export const scanFeed = openScanFeed()
