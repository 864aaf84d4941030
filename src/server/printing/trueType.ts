/** Writes TrueType fonts (ISO/IEC 14496-22): outlines of glyphs, and the file of all tables. */

/** The contours of a glyph; between two points that are on none of them one is implied. */
export type Outline = readonly (readonly { readonly x: number; readonly y: number; readonly onCurve: boolean }[])[]

const toMultipleOf4 = (length: number): number => Math.ceil(length / 4) * 4
const nothing: Buffer = Buffer.alloc(0)

/** A glyph as the table `glyf` has it, each coordinate in two bytes; nothing for one without contours. */
export function glyphOf(contours: Outline, { instructions = nothing as Buffer, overlaps = false } = {}): Buffer {
  const points = contours.flat()
  if (points.length === 0) return nothing
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  let last = -1
  const ends = contours.map(contour => (last += contour.length))
  const length = 10 + 2 * contours.length + 2 + instructions.length + 5 * points.length
  const glyph = Buffer.alloc(toMultipleOf4(length))
  let at = 0
  const write = (...values: number[]): void => {
    for (const value of values) at = glyph.writeInt16BE(value, at)
  }
  write(contours.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))
  write(...ends, instructions.length)
  at += instructions.copy(glyph, at)
  for (const [nth, { onCurve }] of points.entries())
    at = glyph.writeUInt8((onCurve ? 1 : 0) | (overlaps && nth === 0 ? 0x40 : 0), at)
  for (const values of [xs, ys]) write(...values.map((value, nth) => value - (values[nth - 1] ?? 0)))
  return glyph
}

/** A font file of these tables. Their sums are left out: no reader of a font in memory or in a PDF asks for them. */
export function trueTypeFile(tables: ReadonlyMap<string, Buffer>, flavor = 0x00010000): Buffer {
  const names = [...tables.keys()].sort()
  const header = Buffer.alloc(12 + 16 * names.length)
  header.writeUInt32BE(flavor, 0)
  header.writeUInt16BE(names.length, 4)
  const parts: Uint8Array[] = [header]
  let offset = header.length
  for (const [nth, name] of names.entries()) {
    const table = tables.get(name) ?? nothing
    const at = 12 + 16 * nth
    header.write(name, at, 'latin1')
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(table.length, at + 12)
    parts.push(table, Buffer.alloc(toMultipleOf4(table.length) - table.length))
    offset += toMultipleOf4(table.length)
  }
  return Buffer.concat(parts)
}
