/**
 * Unpacks a web font (W3C "WOFF File Format 2.0") to the TrueType font in it: of a font that is still packed, fontkit draws one weight
 * only. Outlines are simple glyphs; a font that uses more of the format is refused.
 */
import { brotliDecompressSync } from 'node:zlib'
import { glyphOf, type Outline, trueTypeFile } from './trueType.ts'

/** Known table tags, in the order of their index (section 4.1). */
const tags =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .replaceAll('_', ' ')
    .split(/ (?=\S)/)
const otherTag = 63

/** Reads big-endian numbers one after the other. */
function readerOf(bytes: Buffer) {
  let at = 0
  const advance = (length: number): number => {
    at += length
    return at - length
  }
  return {
    uint8: () => bytes.readUInt8(advance(1)),
    uint16: () => bytes.readUInt16BE(advance(2)),
    int16: () => bytes.readInt16BE(advance(2)),
    uint32: () => bytes.readUInt32BE(advance(4)),
    take: (length: number): Buffer => {
      const start = advance(length)
      return bytes.subarray(start, start + length)
    },
    skip: (length: number): void => void advance(length),
    /** UIntBase128: seven bits a byte, the highest bit says that more follow. */
    base128(): number {
      let value = 0
      for (let more = true; more;) {
        const byte = bytes.readUInt8(advance(1))
        value = value * 128 + (byte & 0x7f)
        more = byte >= 0x80
      }
      return value
    },
    /** 255UInt16: one byte for most numbers. */
    short(): number {
      const code = bytes.readUInt8(advance(1))
      if (code === 253) return bytes.readUInt16BE(advance(2))
      if (code === 255) return bytes.readUInt8(advance(1)) + 253
      if (code === 254) return bytes.readUInt8(advance(1)) + 506
      return code
    },
  }
}
type Reader = ReturnType<typeof readerOf>

/** The TrueType font in a WOFF 2 file. */
export function unpacked(woff2: Buffer): Buffer {
  const file = readerOf(woff2)
  if (file.take(4).toString('latin1') !== 'wOF2') throw new Error('no WOFF 2 font')
  const flavor = file.uint32()
  file.skip(4)
  const count = file.uint16()
  file.skip(6)
  const compressed = file.uint32()
  file.skip(24)
  const entries = Array.from({ length: count }, () => {
    const flags = file.uint8()
    const index = flags & 0x3f
    const tag = index === otherTag ? file.take(4).toString('latin1') : (tags[index] ?? '')
    const length = file.base128()
    const version = flags >> 6
    // outlines are transformed unless they say otherwise, all other tables only if they say so
    const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
    if (transformed && tag !== 'glyf' && tag !== 'loca') throw new Error(`the table ${tag} is transformed`)
    return { tag, transformed, length: transformed ? file.base128() : length }
  })
  const data = readerOf(brotliDecompressSync(file.take(compressed)))
  const tables = new Map<string, Buffer>()
  for (const { tag, transformed, length } of entries) {
    const table = data.take(length)
    if (!transformed) tables.set(tag, table)
    else if (tag === 'glyf') {
      const { glyf, loca } = outlinesOf(table)
      tables.set('glyf', glyf).set('loca', loca)
    }
  }
  const head = Buffer.concat([tables.get('head') ?? Buffer.alloc(0)])
  // locations of glyphs are 32 bits wide, below
  head.writeInt16BE(1, 50)
  tables.set('head', head)
  return trueTypeFile(tables, flavor)
}

/** Whether the bit of a glyph is set. */
const has = (bitmap: Buffer | null, nth: number): boolean => ((bitmap?.[nth >> 3] ?? 0) & (0x80 >> (nth & 7))) !== 0

/** Glyphs and where each begins, from their transformed table (section 5.1). */
function outlinesOf(table: Buffer): { glyf: Buffer; loca: Buffer } {
  const header = readerOf(table)
  header.skip(2)
  const hasOverlaps = (header.uint16() & 1) !== 0
  const count = header.uint16()
  header.skip(2)
  const sizes = Array.from({ length: 7 }, () => header.uint32())
  const [contours, points, flags, coordinates, , boxes, instructions] = sizes.map(size => header.take(size)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const overlaps = hasOverlaps ? header.take(Math.ceil(count / 8)) : null
  const streams = {
    contours: readerOf(contours),
    points: readerOf(points),
    flags: readerOf(flags),
    coordinates: readerOf(coordinates),
    instructions: readerOf(instructions),
  }
  const bitmapLength = 4 * Math.ceil(count / 32)
  const explicitBoxes = readerOf(boxes.subarray(bitmapLength))
  const glyphs: Uint8Array[] = []
  const loca = Buffer.alloc(4 * (count + 1))
  let offset = 0
  for (let nth = 0; nth < count; nth++) {
    const contourCount = streams.contours.int16()
    if (contourCount < 0) throw new Error('a glyph is made of others')
    if (contourCount > 0) {
      const glyph = simpleGlyph(contourCount, streams, has(overlaps, nth))
      if (has(boxes, nth)) explicitBoxes.take(8).copy(glyph, 2)
      glyphs.push(glyph)
      offset += glyph.length
    }
    loca.writeUInt32BE(offset, 4 * (nth + 1))
  }
  return { glyf: Buffer.concat(glyphs), loca }
}

type Streams = Record<'points' | 'flags' | 'coordinates' | 'instructions', Reader>

function simpleGlyph(contourCount: number, streams: Streams, overlaps: boolean): Buffer {
  const lengths = Array.from({ length: contourCount }, () => streams.points.short())
  let x = 0
  let y = 0
  const contours: Outline = lengths.map(length =>
    Array.from({ length }, () => {
      const flag = streams.flags.uint8()
      const delta = deltaOf(flag & 0x7f, streams.coordinates)
      x += delta.x
      y += delta.y
      return { x, y, onCurve: flag < 0x80 }
    }),
  )
  const instructions = streams.instructions.take(streams.coordinates.short())
  return glyphOf(contours, { instructions, overlaps })
}

const signed = (positive: number, value: number): number => (positive ? value : -value)

/** The distance of a point from the one before: table 2 of section 5.2, whose rows differ in bits, distances and signs. */
function deltaOf(flag: number, from: Reader): { x: number; y: number } {
  const xSign = flag & 1
  const ySign = (flag >> 1) & 1
  if (flag < 10) return { x: 0, y: signed(xSign, ((flag & 14) << 7) + from.uint8()) }
  if (flag < 20) return { x: signed(xSign, (((flag - 10) & 14) << 7) + from.uint8()), y: 0 }
  if (flag < 84) {
    const row = flag - 20
    const both = from.uint8()
    return {
      x: signed(xSign, 1 + (row & 0x30) + (both >> 4)),
      y: signed(ySign, 1 + ((row & 0x0c) << 2) + (both & 15)),
    }
  }
  if (flag < 120) {
    const row = flag - 84
    return {
      x: signed(xSign, 1 + (Math.trunc(row / 12) << 8) + from.uint8()),
      y: signed(ySign, 1 + (((row % 12) >> 2) << 8) + from.uint8()),
    }
  }
  if (flag < 124) {
    const first = from.uint8()
    const middle = from.uint8()
    return {
      x: signed(xSign, (first << 4) + (middle >> 4)),
      y: signed(ySign, ((middle & 15) << 8) + from.uint8()),
    }
  }
  return { x: signed(xSign, from.uint16()), y: signed(ySign, from.uint16()) }
}
