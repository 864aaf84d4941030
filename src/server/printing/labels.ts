/**
 * Labels of tyres and of stock locations, as a PDF: a QR code that intake scans, and in print what a person in front of the rack
 * needs (docs/product/warehouse.md "Labels", "Barcodes").
 */
import type { Readable } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { languages, type Language } from '#domain/people/account.ts'
import type { Axle } from '#domain/vehicles/axle.ts'
import { encodeBarcode, encodeLocation } from '#domain/warehouse/barcode.ts'
import type { LabelLayout } from '#domain/warehouse/label.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { layouts } from './labelLayouts.ts'
import { penOn, type Pen, type Point } from './pen.ts'

/** The data of a tyre's label. `depth` is null where the site does not show it, `axles` where the vehicle has none. */
export type LabelledTyre = {
  readonly id: number
  readonly plate: string
  readonly position: string
  /** The size with load and speed index; empty when it is not known apart from the description. */
  readonly size: string
  readonly description: string
  readonly set: string | null
  readonly customer: string
  readonly depth: number | null
  readonly axles: readonly Axle[] | null
}

/** The data of a location's label: its place and capacity (0: it only contains other locations). */
export type LabelledLocation = {
  readonly id: number
  readonly siteName: string
  readonly path: string
  readonly capacity: number
}

export type LabelPrint = {
  readonly layout: LabelLayout
  /** The number that a scanner reads as the label's site. */
  readonly site: number
  readonly lang: Language
  readonly now: Date
}

/**
 * One label a tyre, in the order given, as a PDF that can be read while it is drawn. An id that no barcode can hold destroys the
 * stream with a RangeError; when the reader destroys the stream, drawing stops.
 */
export function printLabels(tyres: readonly LabelledTyre[], print: LabelPrint): Readable {
  const { drawTyre } = layouts[print.layout]
  return printAll(tyres, print, (pen, corner, tyre) =>
    drawTyre(pen, corner, {
      ...tyre,
      plate: formatPlate(tyre.plate),
      depth: tyre.depth === null ? '' : `${tyre.depth.toLocaleString(languages[print.lang])} mm`,
      barcode: encodeBarcode({ tyre: tyre.id, site: print.site }),
      number: `#${tyre.id}`,
    }),
  )
}

/** The same for stock locations: a path that is readable from the aisle, and a code that no scanner takes for a tyre's. */
export function printLocationLabels(locations: readonly LabelledLocation[], print: LabelPrint): Readable {
  const { drawLocation } = layouts[print.layout]
  return printAll(locations, print, (pen, corner, location) =>
    drawLocation(pen, corner, { ...location, barcode: encodeLocation({ location: location.id, site: print.site }) }),
  )
}

/** A PDF measures in points. */
const pointsPerMm = 72 / 25.4

function printAll<T>(
  items: readonly T[],
  print: LabelPrint,
  draw: (pen: Pen, corner: Point, item: T) => void,
): Readable {
  const { page, corners } = layouts[print.layout]
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    size: [page.width * pointsPerMm, page.height * pointsPerMm],
    info: { Title: 'Wheelhouse', CreationDate: print.now },
  })
  // pdfkit's types don't say that it is a stream
  const stream = document as unknown as Readable
  const drawAll = async (): Promise<void> => {
    const pen = penOn(document)
    for (const [index, item] of items.entries()) {
      const corner = corners[index % corners.length] as Point
      if (index % corners.length === 0) document.addPage().scale(pointsPerMm)
      draw(pen, corner, item)
      // the drawn PDF is readable, and the reader can cancel
      await nextTick()
      if (stream.destroyed) return
    }
    document.end()
  }
  drawAll().catch((error: Error) => stream.destroy(error))
  return stream
}
