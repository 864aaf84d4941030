/** The positions on a label, for each layout. All lengths are millimetres, font sizes too. */
import { labelPapers, type LabelLayout } from '#domain/warehouse/label.ts'
import type { Axle } from '#domain/vehicles/axle.ts'
import type { Box, Pen, Point } from './pen.ts'
import { capHeight, descent } from './textFit.ts'

/** The texts of a tyre's label. Empty ones leave their place empty; `axles` is null where the vehicle has none. */
type TyreLabel = {
  readonly plate: string
  readonly position: string
  readonly size: string
  readonly description: string
  readonly set: string | null
  readonly customer: string
  readonly depth: string
  readonly axles: readonly Axle[] | null
  readonly barcode: string
  readonly number: string
}

type LocationLabel = {
  readonly siteName: string
  readonly path: string
  readonly capacity: number
  readonly barcode: string
}

type Layout = {
  readonly page: { readonly width: number; readonly height: number }
  /** The upper left corners of the labels on a page. */
  readonly corners: readonly Point[]
  readonly drawTyre: (pen: Pen, corner: Point, label: TyreLabel) => void
  readonly drawLocation: (pen: Pen, corner: Point, label: LocationLabel) => void
}

/** The path of the location, as large as its box allows. */
function drawPath(pen: Pen, { path, siteName }: LocationLabel, box: Box, maxSize: number): void {
  const text = path === '' ? siteName : path
  pen.text(text, box, { face: 'bold', maxSize, minSize: 3, maxLines: 1, align: 'center', verticalAlign: 'middle' })
}

/** The site's name, and how many tyres fit. */
function drawCapacity(pen: Pen, { path, siteName, capacity }: LocationLabel, box: Box, maxSize: number): void {
  const text = [path === '' ? '' : siteName, capacity > 0 ? `× ${capacity}` : ''].filter(Boolean).join('  ')
  pen.text(text, box, { maxSize, maxLines: 1, align: 'center', verticalAlign: 'middle' })
}

/** The tyre's position, white in a black box. */
function drawPosition(pen: Pen, position: string, { x, y, width, height }: Box, maxSize: number): void {
  pen.frame({ x, y, width, height }, 'black')
  const inside = { x: x + 0.8, y: y + 0.8, width: width - 1.6, height: height - 1.6 }
  pen.text(position, inside, {
    face: 'bold',
    maxSize,
    align: 'center',
    verticalAlign: 'middle',
    white: true,
    maxLines: 1,
  })
}

/** Size and description, one above the other; the description alone, and larger, where it has to tell the size too. */
function drawArticle(
  pen: Pen,
  { size, description }: TyreLabel,
  box: Box,
  maxSizes: { size: number; description: number },
): void {
  const sizeHeight = size === '' ? 0 : maxSizes.size * (capHeight + descent)
  pen.text(size, { ...box, height: sizeHeight }, { face: 'bold', maxSize: maxSizes.size, maxLines: 1 })
  pen.text(
    description,
    { ...box, y: box.y + sizeHeight, height: box.height - sizeHeight },
    { maxSize: size === '' ? maxSizes.size : maxSizes.description },
  )
}

/** A label of 62 × 100 mm on a roll, read from a metre. */
const roll62x100: Layout = {
  page: labelPapers.roll_62x100.page,
  corners: [{ x: 0, y: 0 }],
  drawTyre(pen, { x, y }, tyre) {
    pen.frame({ x: x + 3, y: y + 3, width: 56, height: 12.5 }, 'white')
    const inside = { x: x + 5, y: y + 4.25, width: 52, height: 10 }
    pen.text(tyre.plate, inside, { face: 'bold', maxSize: 11, align: 'center', verticalAlign: 'middle', maxLines: 2 })
    pen.barcode(tyre.barcode, { x: x + 0.5, y: y + 15.5 }, 8)
    const beside = { x: x + 34.5, width: 24.5 }
    drawPosition(pen, tyre.position, { ...beside, y: y + 19.5, height: 13 }, 15)
    pen.text(tyre.set ?? '', { ...beside, y: y + 34.8, height: 6 }, { face: 'bold', maxSize: 4.4, maxLines: 2 })
    pen.text(tyre.depth, { ...beside, y: y + 41, height: 4.2 }, { maxSize: 4, maxLines: 1, verticalAlign: 'bottom' })
    drawArticle(pen, tyre, { x: x + 3, y: y + 50, width: 56, height: 21.5 }, { size: 8.6, description: 4.4 })
    const pictureWidth = tyre.axles ? 25 : 0
    if (tyre.axles) pen.axles(tyre.axles, tyre.position, { x: x + 3, y: y + 73.5, width: 21, height: 23 })
    const column = { x: x + 3 + pictureWidth, width: 56 - pictureWidth }
    pen.text(tyre.customer, { ...column, y: y + 74, height: 16 }, { maxSize: 4.2 })
    const number = { ...column, y: y + 92, height: 5 }
    pen.text(tyre.number, number, { face: 'bold', maxSize: 4.5, maxLines: 1, verticalAlign: 'bottom' })
  },
  drawLocation(pen, { x, y }, location) {
    pen.frame({ x: x + 3, y: y + 3, width: 56, height: 22 }, 'white')
    drawPath(pen, location, { x: x + 5, y: y + 4.5, width: 52, height: 19 }, 16)
    pen.barcode(location.barcode, { x: x + 4, y: y + 28 }, 13)
    drawCapacity(pen, location, { x: x + 3, y: y + 86, width: 56, height: 8 }, 5)
  },
}

/** A label of 57 × 32 mm on a roll. */
const roll57x32: Layout = {
  page: labelPapers.roll_57x32.page,
  corners: [{ x: 0, y: 0 }],
  drawTyre(pen, { x, y }, tyre) {
    pen.barcode(tyre.barcode, { x: x + 0.25, y: y + 0.5 }, 6)
    const under = { x: x + 3.2, width: 19 }
    const number = { ...under, y: y + 25.7, height: 2.5 }
    pen.text(tyre.number, number, { face: 'bold', maxSize: 2.8, maxLines: 1, align: 'center' })
    pen.text(tyre.depth, { ...under, y: y + 28.5, height: 2.5 }, { maxSize: 2.6, maxLines: 1, align: 'center' })
    const column = { x: x + 25, width: 30.5 }
    const plate = { ...column, y: y + 1.8, height: 4.4 }
    pen.text(tyre.plate, plate, { face: 'bold', maxSize: 6, maxLines: 2, verticalAlign: 'middle' })
    drawPosition(pen, tyre.position, { x: column.x, y: y + 7.4, width: 9, height: 5.6 }, 6)
    const set = { x: column.x + 10.2, y: y + 7.4, width: 20.3, height: 5.6 }
    pen.text(tyre.set ?? '', set, { face: 'bold', maxSize: 3.2, maxLines: 2, verticalAlign: 'middle' })
    drawArticle(pen, tyre, { ...column, y: y + 14, height: 13.2 }, { size: 4.2, description: 2.4 })
    const customer = { ...column, y: y + 27.6, height: 2.8 }
    pen.text(tyre.customer, customer, { maxSize: 2.2, maxLines: 1, verticalAlign: 'bottom' })
  },
  drawLocation(pen, { x, y }, location) {
    pen.barcode(location.barcode, { x: x + 0.25, y: y + 3 }, 6)
    const column = { x: x + 25, width: 30.5 }
    drawPath(pen, location, { ...column, y: y + 6, height: 12 }, 9)
    drawCapacity(pen, location, { ...column, y: y + 21, height: 5 }, 3)
  },
}

/** Labels of 99.1 × 38.1 mm on an A4 sheet, two columns of seven (the sheet sold as L7163). */
const sheetA4: Layout = {
  page: labelPapers.sheet_a4_2x7.page,
  corners: Array.from({ length: 14 }, (_, index) => ({
    x: 4.65 + (index % 2) * 101.6,
    y: 15.15 + Math.floor(index / 2) * 38.1,
  })),
  drawTyre(pen, { x, y }, tyre) {
    pen.barcode(tyre.barcode, { x: x + 1, y: y + 1.6 }, 7)
    const under = { x: x + 4.5, y: y + 31, width: 22, height: 3 }
    pen.text(tyre.number, under, { face: 'bold', maxSize: 3.4, maxLines: 1, align: 'center' })
    const column = { x: x + 31, width: 65 }
    const plate = { x: column.x, y: y + 3.6, width: 47, height: 7.4 }
    pen.text(tyre.plate, plate, { face: 'bold', maxSize: 9.6, maxLines: 2, verticalAlign: 'middle' })
    drawPosition(pen, tyre.position, { x: x + 80, y: y + 3.2, width: 16, height: 8.2 }, 9)
    drawArticle(pen, tyre, { ...column, y: y + 13, height: 16 }, { size: 6.6, description: 3.4 })
    pen.text(tyre.customer, { x: column.x, y: y + 30.2, width: 40, height: 5.6 }, { maxSize: 2.8, maxLines: 2 })
    const right = { x: x + 73, width: 23 }
    pen.text(tyre.set ?? '', { ...right, y: y + 30.2, height: 2.8 }, { face: 'bold', maxSize: 2.8, maxLines: 1 })
    pen.text(tyre.depth, { ...right, y: y + 33.5, height: 2.8 }, { maxSize: 2.8, maxLines: 1 })
  },
  drawLocation(pen, { x, y }, location) {
    pen.barcode(location.barcode, { x: x + 1, y: y + 4 }, 7)
    const column = { x: x + 31, width: 65 }
    drawPath(pen, location, { ...column, y: y + 6, height: 17 }, 14)
    drawCapacity(pen, location, { ...column, y: y + 26, height: 6 }, 4)
  },
}

export const layouts: Readonly<Record<LabelLayout, Layout>> = {
  roll_62x100: roll62x100,
  roll_57x32: roll57x32,
  sheet_a4_2x7: sheetA4,
}
