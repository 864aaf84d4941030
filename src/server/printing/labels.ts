/**
 * Labels of tyres, and of the places where they lie, as a PDF: a QR code that intake scans and, in print, what a person in front of the rack needs
 * (DESIGN §7 "Barcode"). Everything is vector: sharp on a thermal printer of 203 dpi and on a laser printer alike.
 * All measures in here are millimetres, those of type too.
 */
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { encodeQR } from 'qr'
import { languages, type Language } from '#domain/account.ts'
import { layoutOf, tyreSize, type Axle } from '#domain/axle.ts'
import { encodeBarcode, encodeLocation } from '#domain/barcode.ts'
import { labelPapers, type LabelLayout } from '#domain/label.ts'
import { formatPlate } from '#domain/plate.ts'

/** What a label says of a tyre. `depth` is null where the site does not show it, `axles` where the vehicle has none. */
export type LabelledTyre = {
  readonly id: number
  readonly plate: string
  readonly position: string
  /** The size with load and speed, empty when it is not known apart from the description. */
  readonly size: string
  readonly description: string
  readonly set: string | null
  readonly customer: string
  readonly depth: number | null
  readonly axles: readonly Axle[] | null
}

/** What the label of a stock location says: where it is, and how many tyres fit there (0: it only holds other locations). */
export type LabelledLocation = {
  readonly id: number
  readonly siteName: string
  readonly path: string
  readonly capacity: number
}

export type LabelPrint = {
  readonly layout: LabelLayout
  /** The number that a scanner reads as the site of the label. */
  readonly site: number
  readonly lang: Language
  readonly now: Date
}

/**
 * The labels, one a tyre, in the order given, as a PDF that can be read while it is drawn. A text that is too long for its
 * place gets smaller, then wraps, and ends in an ellipsis only where it would not be readable any more. An id that no barcode
 * can hold destroys the stream with a RangeError; a stream that is destroyed by its reader is drawn no further.
 */
export function printLabels(tyres: readonly LabelledTyre[], print: LabelPrint): Readable {
  const { draw } = layouts[print.layout]
  return printed(tyres, print, (pen, cell, tyre) => draw(pen, cell, saidOf(tyre, print)))
}

/** The same of stock locations: a way to read from the aisle, and a code that no scanner takes for a tyre's. */
export function printLocationLabels(locations: readonly LabelledLocation[], print: LabelPrint): Readable {
  const { drawLocation } = layouts[print.layout]
  return printed(locations, print, (pen, cell, location) =>
    drawLocation(pen, cell, { ...location, barcode: encodeLocation({ location: location.id, site: print.site }) }),
  )
}

function printed<T>(
  all: readonly T[],
  print: LabelPrint,
  draw: (pen: Pen, cell: { x: number; y: number }, one: T) => void,
): Readable {
  const { page, cells } = layouts[print.layout]
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    size: [page.width * point, page.height * point],
    info: { Title: 'Wheelhouse', CreationDate: print.now },
  })
  // a stream, which its types do not say
  const paper = document as unknown as Readable
  const drawAll = async (): Promise<void> => {
    const pen = penOf(document)
    for (const [nth, one] of all.entries()) {
      const cell = cells[nth % cells.length] as { x: number; y: number }
      if (nth % cells.length === 0) document.addPage().scale(point)
      draw(pen, cell, one)
      // what is drawn can be read, and who reads it can give up
      await turn()
      if (paper.destroyed) return
    }
    document.end()
  }
  drawAll().catch((error: Error) => paper.destroy(error))
  return paper
}

const point = 72 / 25.4
/** A dot of a 203 dpi printer. Modules of a QR code are whole dots on whole dots, or some come out thinner than others. */
const dot = 25.4 / 203
/** Light modules that a QR code needs around it (ISO/IEC 18004, "quiet zone"). */
const quiet = 4

// What is said on a label -----------------------------------------------------------------------------------------------

type Printed = Omit<LabelledTyre, 'depth'> & {
  readonly depth: string
  readonly barcode: string
  readonly number: string
}

function saidOf(tyre: LabelledTyre, { site, lang }: LabelPrint): Printed {
  return {
    ...tyre,
    plate: formatPlate(tyre.plate),
    depth: tyre.depth === null ? '' : `${tyre.depth.toLocaleString(languages[lang])} mm`,
    barcode: encodeBarcode({ tyre: tyre.id, site }),
    number: `#${tyre.id}`,
  }
}

// The pen ---------------------------------------------------------------------------------------------------------------

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type Face = 'plain' | 'bold'
type Type = {
  readonly face?: Face
  /** The size of type that is wanted, and the smallest that is still readable. */
  readonly most: number
  readonly least?: number
  /** As many lines at most; without, as many as there is room for. */
  readonly lines?: number
  readonly align?: 'left' | 'center'
  /** Where in its box the text stands. */
  readonly stand?: 'top' | 'middle' | 'bottom'
  readonly white?: boolean
}
type Pen = {
  text(text: string, box: Box, type: Type): void
  barcode(text: string, at: { x: number; y: number }, dots: number): void
  axles(axles: readonly Axle[], position: string, box: Box): void
  /** A box with corners that are a little round. */
  frame(box: Box, fill: 'white' | 'black'): void
}

const require = createRequire(import.meta.url)
const faces: Readonly<Record<Face, string>> = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
}
/** Of the size of type: from the baseline to the top of capitals, from one baseline to the next, below the last one. */
const capital = 0.73
const leading = 1.17
const below = 0.24
/** Hundredths are finer than any printer; more digits only make the file longer. */
const round = (length: number): number => Math.round(length * 100) / 100
/** About as small as a 203 dpi printer makes letters that can be told apart. */
const readable = 1.75

function penOf(page: PDFKit.PDFDocument): Pen {
  for (const [face, file] of Object.entries(faces)) page.registerFont(face, file)

  const widths = new Map<string, number>()
  /** The width of a text at size 1. */
  const measure = (face: Face, text: string): number => {
    const key = face + text
    let width = widths.get(key)
    if (width === undefined) widths.set(key, (width = page.font(face).fontSize(100).widthOfString(text) / 100))
    return width
  }

  /**
   * A text with a box for every letter that the font has not, and without marks it has not. The font's own box for those
   * will not do: pdfkit writes down a wrong width for it.
   */
  const drawable = (face: Face, text: string): string => {
    const { _font } = page.font(face) as unknown as {
      _font: { font: { hasGlyphForCodePoint(point: number): boolean } }
    }
    const has = (letter: string): boolean => _font.font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
    return Array.from(text, letter => (has(letter) ? letter : /\p{M}/u.test(letter) ? '' : '□')).join('')
  }

  return {
    text(text, box, { face = 'plain', most, least = readable, lines, align = 'left', stand = 'top', white = false }) {
      const words = drawable(face, printable(text)).split(' ').filter(Boolean)
      if (words.length === 0) return
      const room = (size: number): number =>
        Math.max(
          1,
          Math.min(lines ?? Infinity, 1 + Math.floor((box.height - size * (capital + below)) / (size * leading))),
        )
      const set = (size: number): string[] | null =>
        size * capital > box.height ? null : wrap(words, box.width / size, room(size), word => measure(face, word))
      let size = most
      let found = set(size)
      while (!found && size > least) found = set((size = Math.max(least, round(size * 0.95))))
      found ??= cut(words, box.width / size, room(size), word => measure(face, word))
      const height = size * (capital + (found.length - 1) * leading)
      const spare = { top: 0, middle: (box.height - height) / 2, bottom: box.height - height - size * below }[stand]
      for (const [nth, line] of found.entries()) {
        const shown = inReadingOrder(line)
        const x = align === 'center' ? box.x + (box.width - measure(face, shown) * size) / 2 : box.x
        const y = box.y + spare + size * (capital + nth * leading)
        page
          .font(face)
          .fontSize(size)
          .fillColor(white ? 'white' : 'black')
          .text(shown, round(x), round(y), { lineBreak: false, baseline: 'alphabetic' })
      }
    },

    barcode(text, at, dots) {
      const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quiet })
      page
        .save()
        .translate(at.x, at.y)
        .scale(dots * dot)
      for (const { x, y, width, height } of darkIn(modules)) page.rect(x, y, width, height)
      page.fill('black').restore()
    },

    frame({ x, y, width, height }, fill) {
      page
        .lineJoin('round')
        .lineWidth(0.6)
        .strokeColor('black')
        .rect(x + 0.3, y + 0.3, width - 0.6, height - 0.6)
      page.fillAndStroke(fill, 'black')
    },

    axles(axles, position, box) {
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
      for (const [fill, mounted] of [
        ['white', false],
        ['black', true],
      ] as const) {
        const tyres = picture.tyres.filter(tyre => (tyre.position === position) === mounted)
        for (const tyre of tyres) page.rect(tyre.x + 1.5, tyre.y + 1.5, tyreSize - 3, tyreSize - 3)
        if (tyres.length > 0) page.fillAndStroke(fill, 'black')
      }
      page.restore()
    },
  }
}

/** The dark modules of a symbol as rectangles: those side by side as one, and equal ones above each other as one. */
function darkIn(modules: readonly (readonly boolean[])[]): Box[] {
  const found: Box[] = []
  let above = new Map<string, number>()
  for (const [y, row] of modules.entries()) {
    const here = new Map<string, number>()
    for (let x = 0, end = 0; x < row.length; x = end + 1) {
      for (end = x; row[end];) end++
      if (end === x) continue
      const key = `${x} ${end}`
      const at = above.get(key) ?? found.length
      const box = found[at] ?? { x, y, width: end - x, height: 0 }
      found[at] = { ...box, height: box.height + 1 }
      here.set(key, at)
    }
    above = here
  }
  return found
}

// Text ------------------------------------------------------------------------------------------------------------------

/** Text as it stands on one line: no breaks, and none of the invisible signs that turn other text around. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()

/** The words in lines no wider than `width`, `null` when they take more lines than there are or a word is too wide. */
function wrap(
  words: readonly string[],
  width: number,
  lines: number,
  measure: (text: string) => number,
): string[] | null {
  const space = measure(' ')
  const wrapped: string[] = []
  let line: string[] = []
  let taken = 0
  for (const word of words) {
    const needs = measure(word)
    if (needs > width) return null
    if (line.length > 0 && taken + space + needs > width) {
      wrapped.push(line.join(' '))
      line = []
    }
    taken = line.length === 0 ? needs : taken + space + needs
    line.push(word)
  }
  wrapped.push(line.join(' '))
  return wrapped.length <= lines ? wrapped : null
}

/** What fits of a text that does not fit: words that are too wide are broken, and an ellipsis stands for what is left out. */
function cut(words: readonly string[], width: number, lines: number, measure: (text: string) => number): string[] {
  const pieces = words.flatMap(word => (measure(word) <= width ? [word] : broken(word, width, measure)))
  const whole = wrap(pieces, width, lines, measure)
  if (whole) return whole
  const all = wrap(pieces, width, Infinity, measure) ?? pieces
  const last = [...segments.segment(all.slice(lines - 1).join(' '))].map(({ segment }) => segment)
  while (last.length > 0 && measure(`${last.join('')}…`) > width) last.pop()
  return [...all.slice(0, lines - 1), `${last.join('').trimEnd()}…`]
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function broken(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of segments.segment(word)) {
    if (piece !== '' && measure(piece + segment) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

/** A line's words from left to right as they are printed: words in Hebrew or Arabic that follow each other run backwards. */
function inReadingOrder(line: string): string {
  const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
  if (!rightToLeft.test(line)) return line
  const shown: string[] = []
  let turned: string[] = []
  for (const word of line.split(' ')) {
    if (rightToLeft.test(word)) turned.unshift(word)
    else {
      shown.push(...turned, word)
      turned = []
    }
  }
  return [...shown, ...turned].join(' ')
}

// The layouts -----------------------------------------------------------------------------------------------------------

type Layout = {
  readonly page: { readonly width: number; readonly height: number }
  /** The upper left corners of the labels on a page. */
  readonly cells: readonly { readonly x: number; readonly y: number }[]
  readonly draw: (pen: Pen, at: { x: number; y: number }, tyre: Printed) => void
  readonly drawLocation: (pen: Pen, at: { x: number; y: number }, location: PrintedLocation) => void
}
type PrintedLocation = LabelledLocation & { readonly barcode: string }

/** The way to it, as large as its box takes it. */
function way(pen: Pen, { path, siteName }: PrintedLocation, box: Box, most: number): void {
  const text = path === '' ? siteName : path
  pen.text(text, box, { face: 'bold', most, least: 3, lines: 1, align: 'center', stand: 'middle' })
}
/** The name of its tree, and how many tyres fit. */
function foot(pen: Pen, { path, siteName, capacity }: PrintedLocation, box: Box, most: number): void {
  const said = [path === '' ? '' : siteName, capacity > 0 ? `× ${capacity}` : ''].filter(Boolean).join('  ')
  pen.text(said, box, { most, lines: 1, align: 'center', stand: 'middle' })
}

/** The corner of a barcode, on a whole dot. */
const onDots = (at: { x: number; y: number }): { x: number; y: number } => ({
  x: Math.round(at.x / dot) * dot,
  y: Math.round(at.y / dot) * dot,
})

function position(pen: Pen, text: string, { x, y, width, height }: Box, most: number): void {
  pen.frame({ x, y, width, height }, 'black')
  const inside = { x: x + 0.8, y: y + 0.8, width: width - 1.6, height: height - 1.6 }
  pen.text(text, inside, { face: 'bold', most, align: 'center', stand: 'middle', white: true, lines: 1 })
}

/** Size and description, one above the other; the description alone, and larger, where it has to tell the size too. */
function article(
  pen: Pen,
  { size, description }: Printed,
  box: Box,
  most: { size: number; description: number },
): void {
  const high = size === '' ? 0 : most.size * (capital + below)
  pen.text(size, { ...box, height: high }, { face: 'bold', most: most.size, lines: 1 })
  pen.text(
    description,
    { ...box, y: box.y + high, height: box.height - high },
    { most: size === '' ? most.size : most.description },
  )
}

const layouts: Readonly<Record<LabelLayout, Layout>> = {
  /** A label of 62 × 100 mm on a roll, read from a metre. */
  roll_62x100: {
    page: labelPapers.roll_62x100.page,
    cells: [{ x: 0, y: 0 }],
    draw(pen, { x, y }, tyre) {
      pen.frame({ x: x + 3, y: y + 3, width: 56, height: 12.5 }, 'white')
      const inside = { x: x + 5, y: y + 4.25, width: 52, height: 10 }
      pen.text(tyre.plate, inside, { face: 'bold', most: 11, align: 'center', stand: 'middle', lines: 2 })
      pen.barcode(tyre.barcode, onDots({ x: x + 0.5, y: y + 15.5 }), 8)
      const beside = { x: x + 34.5, width: 24.5 }
      position(pen, tyre.position, { ...beside, y: y + 19.5, height: 13 }, 15)
      pen.text(tyre.set ?? '', { ...beside, y: y + 34.8, height: 6 }, { face: 'bold', most: 4.4, lines: 2 })
      pen.text(tyre.depth, { ...beside, y: y + 41, height: 4.2 }, { most: 4, lines: 1, stand: 'bottom' })
      article(pen, tyre, { x: x + 3, y: y + 50, width: 56, height: 21.5 }, { size: 8.6, description: 4.4 })
      const picture = tyre.axles ? 25 : 0
      if (tyre.axles) pen.axles(tyre.axles, tyre.position, { x: x + 3, y: y + 73.5, width: 21, height: 23 })
      const words = { x: x + 3 + picture, width: 56 - picture }
      pen.text(tyre.customer, { ...words, y: y + 74, height: 16 }, { most: 4.2 })
      pen.text(tyre.number, { ...words, y: y + 92, height: 5 }, { face: 'bold', most: 4.5, lines: 1, stand: 'bottom' })
    },
    drawLocation(pen, { x, y }, location) {
      pen.frame({ x: x + 3, y: y + 3, width: 56, height: 22 }, 'white')
      way(pen, location, { x: x + 5, y: y + 4.5, width: 52, height: 19 }, 16)
      pen.barcode(location.barcode, onDots({ x: x + 4, y: y + 28 }), 13)
      foot(pen, location, { x: x + 3, y: y + 86, width: 56, height: 8 }, 5)
    },
  },

  /** A label of 57 × 32 mm on a roll. */
  roll_57x32: {
    page: labelPapers.roll_57x32.page,
    cells: [{ x: 0, y: 0 }],
    draw(pen, { x, y }, tyre) {
      pen.barcode(tyre.barcode, onDots({ x: x + 0.25, y: y + 0.5 }), 6)
      const under = { x: x + 3.2, width: 19 }
      pen.text(
        tyre.number,
        { ...under, y: y + 25.7, height: 2.5 },
        { face: 'bold', most: 2.8, lines: 1, align: 'center' },
      )
      pen.text(tyre.depth, { ...under, y: y + 28.5, height: 2.5 }, { most: 2.6, lines: 1, align: 'center' })
      const column = { x: x + 25, width: 30.5 }
      const plate = { ...column, y: y + 1.8, height: 4.4 }
      pen.text(tyre.plate, plate, { face: 'bold', most: 6, lines: 2, stand: 'middle' })
      position(pen, tyre.position, { x: column.x, y: y + 7.4, width: 9, height: 5.6 }, 6)
      const set = { x: column.x + 10.2, y: y + 7.4, width: 20.3, height: 5.6 }
      pen.text(tyre.set ?? '', set, { face: 'bold', most: 3.2, lines: 2, stand: 'middle' })
      article(pen, tyre, { ...column, y: y + 14, height: 13.2 }, { size: 4.2, description: 2.4 })
      pen.text(tyre.customer, { ...column, y: y + 27.6, height: 2.8 }, { most: 2.2, lines: 1, stand: 'bottom' })
    },
    drawLocation(pen, { x, y }, location) {
      pen.barcode(location.barcode, onDots({ x: x + 0.25, y: y + 3 }), 6)
      const column = { x: x + 25, width: 30.5 }
      way(pen, location, { ...column, y: y + 6, height: 12 }, 9)
      foot(pen, location, { ...column, y: y + 21, height: 5 }, 3)
    },
  },

  /** Labels of 99.1 × 38.1 mm on an A4 sheet, two columns of seven (the sheet sold as L7163). */
  sheet_a4_2x7: {
    page: labelPapers.sheet_a4_2x7.page,
    cells: Array.from({ length: 14 }, (_, nth) => ({
      x: 4.65 + (nth % 2) * 101.6,
      y: 15.15 + Math.floor(nth / 2) * 38.1,
    })),
    draw(pen, { x, y }, tyre) {
      pen.barcode(tyre.barcode, onDots({ x: x + 1, y: y + 1.6 }), 7)
      const under = { x: x + 4.5, y: y + 31, width: 22, height: 3 }
      pen.text(tyre.number, under, { face: 'bold', most: 3.4, lines: 1, align: 'center' })
      const column = { x: x + 31, width: 65 }
      const plate = { x: column.x, y: y + 3.6, width: 47, height: 7.4 }
      pen.text(tyre.plate, plate, { face: 'bold', most: 9.6, lines: 2, stand: 'middle' })
      position(pen, tyre.position, { x: x + 80, y: y + 3.2, width: 16, height: 8.2 }, 9)
      article(pen, tyre, { ...column, y: y + 13, height: 16 }, { size: 6.6, description: 3.4 })
      pen.text(tyre.customer, { x: column.x, y: y + 30.2, width: 40, height: 5.6 }, { most: 2.8, lines: 2 })
      const right = { x: x + 73, width: 23 }
      pen.text(tyre.set ?? '', { ...right, y: y + 30.2, height: 2.8 }, { face: 'bold', most: 2.8, lines: 1 })
      pen.text(tyre.depth, { ...right, y: y + 33.5, height: 2.8 }, { most: 2.8, lines: 1 })
    },
    drawLocation(pen, { x, y }, location) {
      pen.barcode(location.barcode, onDots({ x: x + 1, y: y + 4 }), 7)
      const column = { x: x + 31, width: 65 }
      way(pen, location, { ...column, y: y + 6, height: 17 }, 14)
      foot(pen, location, { ...column, y: y + 26, height: 6 }, 4)
    },
  },
}
