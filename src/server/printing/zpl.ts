/**
 * Labels of tyres in ZPL, the language of label printers: the same code and words as the PDF has, on the rolls (docs/product/warehouse.md "Labels").
 * The printer draws the letters with its own font, so a text is as long as its line at most.
 */
import { languages, type Language } from '#domain/people/account.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { labelPapers, type RollLayout } from '#domain/warehouse/label.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { LabelledTyre } from './labels.ts'
import { printable } from './textFit.ts'

export type ZplPrint = {
  readonly layout: RollLayout
  readonly site: number
  readonly lang: Language
  /** Of the printer: 203 or 300 dots an inch. */
  readonly dpi: number
}

/** A line of text: where it begins, its height and the width that it may take, in mm. */
type Line = { readonly x: number; readonly y: number; readonly height: number; readonly width: number }

/** Where what stands on each roll; `code` is the side of the QR code at most. */
const places = {
  roll_62x100: {
    code: { x: 4, y: 4, side: 30 },
    position: { x: 38, y: 8, height: 13, width: 22 },
    depth: { x: 38, y: 24, height: 5, width: 22 },
    plate: { x: 4, y: 38, height: 10, width: 54 },
    size: { x: 4, y: 51, height: 6, width: 54 },
    description: { x: 4, y: 60, height: 4.5, width: 54, lines: 3 },
    set: { x: 4, y: 77, height: 5, width: 54 },
    customer: { x: 4, y: 84, height: 4, width: 54 },
    number: { x: 4, y: 91, height: 4, width: 54 },
  },
  roll_57x32: {
    code: { x: 2, y: 2, side: 18 },
    plate: { x: 22, y: 2, height: 5.5, width: 33 },
    position: { x: 22, y: 8.5, height: 5.5, width: 14 },
    depth: { x: 37, y: 9.5, height: 3.5, width: 18 },
    size: { x: 22, y: 15, height: 3.2, width: 33 },
    description: { x: 2, y: 21, height: 2.6, width: 53, lines: 2 },
    set: { x: 22, y: 18.2, height: 2.4, width: 33 },
    customer: { x: 2, y: 27.5, height: 2.4, width: 36 },
    number: { x: 40, y: 27.5, height: 2.4, width: 15 },
  },
} as const satisfies Record<
  RollLayout,
  { code: { x: number; y: number; side: number } } & Record<
    'position' | 'depth' | 'plate' | 'size' | 'description' | 'set' | 'customer' | 'number',
    Line & { lines?: number }
  >
>

/** The widest letter of a text on average, by the height of its line: of capitals and digits. */
const letterWidth = 0.58
/** The code of a tyre has 25 modules a side; a printer draws each with at most 10 dots. */
const modules = 25
const largestModule = 10
const lineDistance = 1.15

/** A text without what ZPL reads as a command, or a reader as the other direction. */
const escaped = (text: string): string =>
  text.replaceAll(/[\^~_\\]/g, sign => `_${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)

/** A text in lines of so many letters, words kept whole where they fit; an ellipsis replaces the rest. */
function linesOf(text: string, letters: number, most: number): string[] {
  const lines = ['']
  for (const word of printable(text).split(' ')) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if ([...longer].length <= letters || last === '') lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const cut = (line: string): string => {
    const all = [...line]
    return all.length <= letters ? line : `${all.slice(0, letters - 1).join('')}…`
  }
  const shown = lines.slice(0, most).map(cut)
  if (lines.length > most) shown[most - 1] = cut(`${shown[most - 1]} ${'…'.padEnd(letters, '…')}`)
  return shown
}

/** One label a tyre, in the order given. */
export const zplOf = (tyres: readonly LabelledTyre[], print: ZplPrint): string =>
  tyres.map(tyre => labelOf(tyre, print)).join('')

function labelOf(tyre: LabelledTyre, { layout, site, lang, dpi }: ZplPrint): string {
  const dots = (mm: number): number => Math.round((mm * dpi) / 25.4)
  const at = places[layout]
  const { width, height } = labelPapers[layout].page
  const module = Math.min(largestModule, Math.floor(dots(at.code.side) / modules))
  const text = (place: Line & { lines?: number }, content: string): string =>
    linesOf(content, Math.floor(place.width / (place.height * letterWidth)), place.lines ?? 1)
      .map(
        (line, nth) =>
          `^FO${dots(place.x)},${dots(place.y + nth * place.height * lineDistance)}^A0N,${dots(place.height)}^FH_^FD${escaped(line)}^FS`,
      )
      .join('')
  return [
    `^XA^CI28^PW${dots(width)}^LL${dots(height)}^LH0,0`,
    // error correction M, as the PDF has it, in the mode that the printer chooses
    `^FO${dots(at.code.x)},${dots(at.code.y)}^BQN,2,${module}^FDMA,${encodeBarcode({ tyre: tyre.id, site })}^FS`,
    text(at.position, tyre.position),
    text(at.depth, tyre.depth === null ? '' : `${tyre.depth.toLocaleString(languages[lang])} mm`),
    text(at.plate, formatPlate(tyre.plate)),
    text(at.size, tyre.size),
    text(at.description, tyre.description),
    text(at.set, tyre.set ?? ''),
    text(at.customer, tyre.customer),
    text(at.number, `#${tyre.id}`),
    '^XZ\n',
  ].join('')
}
