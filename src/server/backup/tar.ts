/** As much of tar (POSIX ustar) as a backup needs: entries with a name and a content. */

const blockSize = 512
/** Of one entry, in bytes; it is held in memory. */
const maxEntrySize = 16 * 1024 * 1024

export type Entry = { readonly name: string; readonly content: Buffer }

/** The bytes of an archive with these entries. */
export async function* packTar(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { name, content } of entries) {
    yield headerOf(name, content.length)
    yield content
    yield Buffer.alloc(-content.length & (blockSize - 1))
  }
  yield Buffer.alloc(2 * blockSize)
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockSize)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  header.write(name, 0, 100, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  octal(checksumOf(header), 148, 7)
  header[155] = 0x20
  return header
}

/** The sum of a header's bytes, with spaces in place of the checksum itself. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < blockSize; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return sum
}

/** The entries of an archive in their order. @throws when it is damaged */
export async function* unpackTar(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const read = readerOf(stream)
  for (;;) {
    const header = await read(blockSize)
    if (header.every(byte => byte === 0)) {
      if (!(await read(blockSize)).every(byte => byte === 0)) throw new Error('an entry has no name')
      if ((await read(Infinity)).length > 0) throw new Error('it continues after its end')
      return
    }
    const octal = (at: number, length: number) => parseInt(header.toString('latin1', at, at + length), 8)
    if (header.toString('latin1', 257, 262) !== 'ustar' || octal(148, 6) !== checksumOf(header))
      throw new Error('the header of an entry is wrong')
    const size = octal(124, 11)
    if (!(size <= maxEntrySize)) throw new Error('an entry is too large')
    const content = await read(size)
    await read(-size & (blockSize - 1))
    yield { name: header.toString('latin1', 0, 100).replace(/\0.*$/s, ''), content }
  }
}

/** Reads exactly so many bytes from a stream; with `Infinity`, the next chunk of the rest. */
function readerOf(stream: AsyncIterable<Buffer>): (bytes: number) => Promise<Buffer> {
  const source = stream[Symbol.asyncIterator]()
  let buffers: Buffer[] = []
  let available = 0
  return async bytes => {
    while (available < bytes) {
      const { value, done } = await source.next()
      if (done === true) {
        if (bytes !== Infinity) throw new Error('it ends too early')
        break
      }
      buffers.push(value)
      available += value.length
      if (bytes === Infinity && available > 0) break
    }
    const all = buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers)
    buffers = [all.subarray(bytes)]
    available = Math.max(0, all.length - bytes)
    return all.subarray(0, bytes)
  }
}
