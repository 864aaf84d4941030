/**
 * The scans of a page: listened for from its first moment on, and kept until the screen that handles them is loaded, so that none is
 * lost and no key of a scanner presses what is there already.
 */
import { scansHeard } from '#contract/prerender.ts'
import { decodeLabel } from '#domain/barcode.ts'
import { type Hearer, listenForScans } from './scanListener.ts'

type Heard = (hearer: Hearer) => void

/** More than anybody scans while a screen loads. */
const mostKept = 100

export function openScanFeed() {
  let hearer: Hearer | null = null
  let kept: Heard[] = []
  const hear = (heard: Heard) => {
    if (hearer) heard(hearer)
    else if (kept.length < mostKept) kept.push(heard)
  }
  return {
    /** Listens to a page. Returns what ends it, and forgets the scans that nobody has handled. */
    listen(page: Document): () => void {
      const stop = listenForScans(page, {
        label: label => hear(on => on.label(label)),
        unreadable: text => hear(on => on.unreadable(text)),
        get typed() {
          return hearer?.typed
        },
      })
      // what was scanned on a page that came with its screen comes now (src/web/prerender/handOver.ts)
      page.dispatchEvent(new Event(scansHeard))
      return () => {
        stop()
        kept = []
      }
    },

    /** A code that was read as a whole, by a camera: it counts as if a scanner had typed it. */
    read(text: string): void {
      const label = decodeLabel(text)
      hear(on => (label ? on.label(label) : on.unreadable(text)))
    },

    /** Shows the card of a text, as if it had been scanned. */
    find(text: string): void {
      hear(on => on.unreadable(text))
    },

    /** Hands all scans to a screen, first those that came before it. Returns what ends it. */
    handle(on: Hearer): () => void {
      hearer = on
      const before = kept
      kept = []
      for (const heard of before) heard(on)
      return () => {
        if (hearer === on) hearer = null
      }
    },
  }
}

export const scanFeed = openScanFeed()
