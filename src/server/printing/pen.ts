/**
 * Draws text, barcodes and vehicles on a page. Everything is vector: sharp on a thermal printer of 203 dpi and on a laser printer
 * alike. All lengths are millimetres, font sizes too.
 */
import { encodeQR } from 'qr'
import { layoutOf, tyreSize, type Axle } from '#domain/vehicles/axle.ts'
import { directionOf, registerFonts, type Face } from './fonts.ts'
import { capHeight, descent, fitWords, lineHeight, printable, round, type FitLimits } from './textFit.ts'

export type Point = { readonly x: number; readonly y: number }
export type Box = Point & { readonly width: number; readonly height: number }
type TextStyle = FitLimits & {
  readonly face?: Face
  readonly align?: 'left' | 'center'
  readonly verticalAlign?: 'top' | 'middle' | 'bottom'
  readonly white?: boolean
}
export type Pen = {
  text(text: string, box: Box, style: TextStyle): void
  /** A QR code with its quiet zone, from its upper left corner; a module is so many dots of a 203 dpi printer wide. */
  barcode(text: string, corner: Point, dotsPerModule: number): void
  /** A vehicle from above, with one tyre filled. */
  axles(axles: readonly Axle[], position: string, box: Box): void
  /** A box with slightly rounded corners. */
  frame(box: Box, fill: 'white' | 'black'): void
}

/** A dot of a 203 dpi printer. Modules of a QR code are whole dots on whole dots, or some come out thinner than others. */
const dot = 25.4 / 203
/** Light modules that a QR code needs around it (ISO/IEC 18004, "quiet zone"). */
const quietZone = 4

const toWholeDots = (length: number): number => Math.round(length / dot) * dot

/** A pen for a page that is scaled to millimetres. */
export function penOn(page: PDFKit.PDFDocument): Pen {
  registerFonts(page)
  const measure = measureOn(page)
  return {
    text(text, box, { face = 'plain', align = 'left', verticalAlign = 'top', white = false, ...limits }) {
      const line = printable(text)
      if (line === '') return
      const { size, lines } = fitWords(line, box, limits, word => measure(face, word))
      const direction = directionOf(line)
      const height = size * (capHeight + (lines.length - 1) * lineHeight)
      const top = {
        top: 0,
        middle: (box.height - height) / 2,
        bottom: box.height - height - size * descent,
      }[verticalAlign]
      for (const [index, shown] of lines.entries()) {
        const x = align === 'center' ? box.x + (box.width - measure(face, shown) * size) / 2 : box.x
        const y = box.y + top + size * (capHeight + index * lineHeight)
        page
          .font(face)
          .fontSize(size)
          .fillColor(white ? 'white' : 'black')
          .text(shown, round(x), round(y), {
            lineBreak: false,
            baseline: 'alphabetic',
            direction,
          } as PDFKit.Mixins.TextOptions)
      }
    },

    barcode(text, corner, dotsPerModule) {
      const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })
      page
        .save()
        .translate(toWholeDots(corner.x), toWholeDots(corner.y))
        .scale(dotsPerModule * dot)
      fillModules(page, modules)
      page.restore()
    },

    frame({ x, y, width, height }, fill) {
      page
        .lineJoin('round')
        .lineWidth(0.6)
        .strokeColor('black')
        .rect(x + 0.3, y + 0.3, width - 0.6, height - 0.6)
      page.fillAndStroke(fill, 'black')
    },

    axles: (axles, position, box) => drawAxles(page, axles, position, box),
  }
}

/** A QR code with its quiet zone on any page, `width` of its units wide. */
export function drawCode(page: PDFKit.PDFDocument, text: string, { x, y, width }: Point & { width: number }): void {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })
  page
    .save()
    .translate(x, y)
    .scale(width / modules.length)
  fillModules(page, modules)
  page.restore()
}

function fillModules(page: PDFKit.PDFDocument, modules: readonly (readonly boolean[])[]): void {
  for (const { x, y, width, height } of darkRectangles(modules)) page.rect(x, y, width, height)
  page.fill('black')
}

/** Measures texts at font size 1, each once. */
function measureOn(page: PDFKit.PDFDocument): (face: Face, text: string) => number {
  const widths = new Map<string, number>()
  return (face, text) => {
    const key = face + text
    let width = widths.get(key)
    if (width === undefined) widths.set(key, (width = page.font(face).fontSize(100).widthOfString(text) / 100))
    return width
  }
}

/** The dark modules of a QR code as rectangles: those side by side as one, and equal ones above each other as one. */
function darkRectangles(modules: readonly (readonly boolean[])[]): Box[] {
  const boxes: Box[] = []
  let above = new Map<string, number>()
  for (const [y, row] of modules.entries()) {
    const here = new Map<string, number>()
    for (let x = 0, end = 0; x < row.length; x = end + 1) {
      for (end = x; row[end];) end++
      if (end === x) continue
      const key = `${x} ${end}`
      const index = above.get(key) ?? boxes.length
      const box = boxes[index] ?? { x, y, width: end - x, height: 0 }
      boxes[index] = { ...box, height: box.height + 1 }
      here.set(key, index)
    }
    above = here
  }
  return boxes
}

function drawAxles(page: PDFKit.PDFDocument, axles: readonly Axle[], position: string, box: Box): void {
  const picture = layoutOf(axles)
  const scale = Math.min(box.width / picture.width, box.height / picture.height, 0.2)
  page
    .save()
    .translate(box.x + (box.width - picture.width * scale) / 2, box.y + (box.height - picture.height * scale) / 2)
    .scale(scale)
    .lineWidth(3)
    .lineJoin('round')
    .strokeColor('black')
  for (const { x, y1, y2 } of picture.frames) page.moveTo(x, y1).lineTo(x, y2)
  for (const { x1, x2, y } of picture.axles) page.moveTo(x1, y).lineTo(x2, y)
  page.stroke()
  for (const { x1, x2, y } of picture.separators) page.moveTo(x1, y).lineTo(x2, y).dash(8, {}).stroke().undash()
  for (const [fill, marked] of [
    ['white', false],
    ['black', true],
  ] as const) {
    const tyres = picture.tyres.filter(tyre => (tyre.position === position) === marked)
    for (const tyre of tyres) page.rect(tyre.x + 1.5, tyre.y + 1.5, tyreSize - 3, tyreSize - 3)
    if (tyres.length > 0) page.fillAndStroke(fill, 'black')
  }
  page.restore()
}
