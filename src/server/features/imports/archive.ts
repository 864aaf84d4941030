/** The entries of a ZIP archive, unpacked in pieces: none is ever held as a whole. */
import { Inflate } from 'fflate'
import { FileRefused } from './import.refused.ts'

/** An entry of a ZIP archive, as its directory tells of it. */
export type Entry = {
  readonly name: string
  /** How many bytes it says to be, packed and unpacked. */
  readonly packed: number
  readonly unpacked: number
  /** Where it begins in the archive. */
  readonly at: number
  readonly method: number
}

const broken = (): FileRefused => new FileRefused('workbook_broken', { reason: 'ZIP' })

/** The entries of a ZIP archive. @throws FileRefused */
export function entriesOf(buffer: Buffer): Entry[] {
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > buffer.length) throw broken()
  const entries: Entry[] = []
  let at = buffer.readUInt32LE(end + 16)
  for (let nth = buffer.readUInt16LE(end + 10); nth > 0; nth--) {
    if (at + 46 > buffer.length || buffer.readUInt32LE(at) !== 0x0201_4b50) throw broken()
    const nameLength = buffer.readUInt16LE(at + 28)
    entries.push({
      name: buffer.toString('utf8', at + 46, at + 46 + nameLength),
      method: buffer.readUInt16LE(at + 10),
      packed: buffer.readUInt32LE(at + 20),
      unpacked: buffer.readUInt32LE(at + 24),
      at: buffer.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32)
  }
  return entries
}

/** As many packed bytes are unpacked at a time; they are at most a thousand times as many then. */
const packedPiece = 2048

/** An entry in pieces, no more of it than it says to be. @throws FileRefused */
export function* inflated(buffer: Buffer, { at, packed, unpacked, method }: Entry): Generator<Buffer> {
  if (at + 30 > buffer.length) throw broken()
  const from = at + 30 + buffer.readUInt16LE(at + 26) + buffer.readUInt16LE(at + 28)
  const content = buffer.subarray(from, from + packed)
  let pieces: Buffer[] = []
  const inflate = new Inflate(piece => pieces.push(Buffer.from(piece)))
  let left = unpacked
  for (let start = 0; start < content.length && left > 0; start += packedPiece) {
    const piece = content.subarray(start, start + packedPiece)
    if (method === 0) pieces.push(piece)
    else
      try {
        inflate.push(piece, start + packedPiece >= content.length)
      } catch (error) {
        throw new FileRefused('workbook_broken', { reason: 'ZIP' }, { cause: error })
      }
    for (const piece of pieces) {
      yield piece.subarray(0, left)
      left = Math.max(0, left - piece.length)
    }
    pieces = []
  }
}
