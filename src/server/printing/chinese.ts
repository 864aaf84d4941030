/**
 * The letters of Chinese and the signs of Japanese: Noto Sans SC, a variable font in about a hundred parts, each with some hundred
 * letters. A part is opened by need (docs/decisions/0089).
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { glyphOf, trueTypeFile } from './trueType.ts'
import { unpacked } from './woff2.ts'

const require = createRequire(import.meta.url)
const ranges = require.resolve('@fontsource-variable/noto-sans-sc/unicode.json')
const fileOf = (part: string): string =>
  require.resolve(`@fontsource-variable/noto-sans-sc/files/noto-sans-sc-${part}-wght-normal.woff2`)
const weights = { plain: 'Regular', bold: 'Bold' } as const

/** The part of fontkit's fonts that pdfkit and we use; fontkit has no types. */
type Font = {
  createSubset(): Subset
  getGlyph(id: number): {
    readonly advanceWidth: number
    readonly path: { readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[] }
  }
  hasGlyphForCodePoint(point: number): boolean
  readonly postscriptName: string
}
type Subset = { includeGlyph(id: number): number; encode(): Buffer }
const { create } = require('fontkit') as { create(file: Buffer, variation: string): Font }

const nothing: Buffer = Buffer.alloc(0)
let parts: ReadonlyMap<number, string> | undefined

/** The part that has a letter, if one has. */
export function partWith(point: number): string | undefined {
  parts ??= new Map(
    Object.entries(JSON.parse(readFileSync(ranges, 'utf8')) as Record<string, string>)
      // Latin and Cyrillic have names, and are drawn with the font of all other texts
      .filter(([name]) => name.startsWith('['))
      .flatMap(([name, range]) => pointsOf(range).map(codePoint => [codePoint, name.slice(1, -1)] as const)),
  )
  return parts.get(point)
}

/** The letters of a range as CSS writes it: `U+4e00-4e0f,U+4e11`. */
const pointsOf = (range: string): number[] =>
  range.split(',').flatMap(stretch => {
    const [first = 0, last = first] = stretch
      .slice(2)
      .split('-')
      .map(point => Number.parseInt(point, 16))
    return Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  })

/** Opens a part in the weight of a face, as a font that pdfkit takes. */
export function openPart(part: string, face: keyof typeof weights): Font {
  const file = unpacked(readFileSync(fileOf(part)))
  const font = create(file, weights[face])
  // by its name pdfkit tells one font from another
  const postscriptName = `NotoSansSC-${weights[face]}-${part}`
  // fontkit makes no subset of a variation
  return Object.defineProperties(font, {
    postscriptName: { value: postscriptName },
    createSubset: { value: () => subsetOf(font, tablesOf(file)) },
  })
}

/** The tables of a font file. */
function tablesOf(file: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, nth) => {
    const at = 12 + 16 * nth
    const offset = file.readUInt32BE(at + 8)
    return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12))] as const
  })
  return new Map(entries)
}

const copyOf = (tables: ReadonlyMap<string, Buffer>, name: string): Buffer =>
  Buffer.concat([tables.get(name) ?? nothing])

/** Collects the glyphs that a document uses, and writes a font of these. */
function subsetOf(font: Font, tables: ReadonlyMap<string, Buffer>): Subset {
  const glyphs = [0]
  const numbers = new Map([[0, 0]])
  return {
    includeGlyph(id) {
      let number = numbers.get(id)
      if (number === undefined) numbers.set(id, (number = glyphs.push(id) - 1))
      return number
    },
    encode() {
      const outlines = glyphs.map(id => outlineOf(font, id))
      const loca = Buffer.alloc(4 * (glyphs.length + 1))
      const hmtx = Buffer.alloc(4 * glyphs.length)
      let offset = 0
      for (const [nth, id] of glyphs.entries()) {
        const outline = outlines[nth] ?? nothing
        hmtx.writeUInt16BE(Math.round(font.getGlyph(id).advanceWidth), 4 * nth)
        // its left edge: readers shift a glyph to where it says
        if (outline.length > 0) hmtx.writeInt16BE(outline.readInt16BE(2), 4 * nth + 2)
        offset += outline.length
        loca.writeUInt32BE(offset, 4 * (nth + 1))
      }
      const head = copyOf(tables, 'head')
      // locations of glyphs are 32 bits wide
      head.writeInt16BE(1, 50)
      const hhea = copyOf(tables, 'hhea')
      hhea.writeUInt16BE(glyphs.length, 34)
      const maxp = copyOf(tables, 'maxp')
      maxp.writeUInt16BE(glyphs.length, 4)
      return trueTypeFile(new Map(Object.entries({ head, hhea, maxp, hmtx, loca, glyf: Buffer.concat(outlines) })))
    },
  }
}

/** A glyph in the font's weight, as a TrueType font has it. */
function outlineOf(font: Font, id: number): Buffer {
  const contours: { x: number; y: number; onCurve: boolean }[][] = []
  for (const { command, args } of font.getGlyph(id).path.commands) {
    if (command === 'moveTo') contours.push([])
    for (let nth = 0; nth < args.length; nth += 2) {
      const [x = 0, y = 0] = args.slice(nth)
      contours.at(-1)?.push({ x: Math.round(x), y: Math.round(y), onCurve: nth === args.length - 2 })
    }
  }
  return glyphOf(contours)
}
