/**
 * The file of a backup: a tar in gzip, so that it can be looked into, and in need put back by hand, with the tools of any
 * system. It holds the rows of each table as PostgreSQL's COPY writes them, cut into pieces, and last a manifest with a
 * checksum of each table: a file that was cut off has none.
 *
 *     rows/tyre/000001.copy  …  manifest.json
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/** A backup, or a database, that cannot be used for what was asked; the message is for the person at the terminal. */
export class Unusable extends Error {
  override name = 'Unusable'
}

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const manifest = z.object({
  format: z.literal(1),
  made: z.iso.datetime(),
  /** The migrations that the database had been through. */
  schema: z.array(z.object({ version: z.number().int(), name: z.string(), md5: z.string() })).min(1),
  /** Whether it is the demo's: a remark on the table of sites, which is no row. */
  demo: z.boolean(),
  tables: z.record(
    name,
    z.object({ columns: z.array(name).min(1), rows: z.number().int(), bytes: z.number().int(), sha256: digest }),
  ),
  /** The last numbers that were given. */
  sequences: z.record(name, z.number().int()),
})
export type Manifest = z.output<typeof manifest>

/** A piece of the rows of a table. */
export type Piece = { readonly table: string; readonly rows: Buffer }

/** Pieces are at least so large, the last of a table excepted. */
export const pieceFrom = 1024 * 1024
const pieceAtMost = 16 * pieceFrom
const manifestName = 'manifest.json'
const pieceName = /^rows\/([a-z_][a-z0-9_]*)\/\d{6,}\.copy$/

/** Counts and fingerprints what passes: the rows of one table. */
export class Tally {
  readonly #hash: Hash = createHash('sha256')
  rows = 0
  bytes = 0
  add(rows: Buffer): void {
    this.#hash.update(rows)
    this.bytes += rows.length
    // COPY writes a line per row, and a line break within a value as two characters
    for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) this.rows++
  }
  /** To be asked once, at the end. */
  get result(): { rows: number; bytes: number; sha256: string } {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }
}

// Writing -----------------------------------------------------------------------------------------------------------------

/**
 * Writes a backup. It has its name only when it is whole and on the disk; nobody but its owner may read it.
 * @throws Unusable when there is a file of that name already, or it can't be written.
 */
export async function writeArchive(file: string, parts: AsyncIterable<Piece | Manifest>): Promise<void> {
  const unfinished = `${file}.unfinished`
  // not found out after an hour's work
  if (existsSync(file)) throw new Unusable(`There is a file ${file} already.`)
  try {
    await pipeline(
      Readable.from(tarOf(parts), { objectMode: false }),
      // beyond this level it takes thrice the time for a tenth of the size
      createGzip({ level: 4 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    await rename(unfinished, file)
    await flushDirectory(path.dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    if (ofFile(error)) throw new Unusable(`The file ${file} can't be written: ${error.message}.`, { cause: error })
    throw error
  }
}

/** Whether the operating system refused something about a file. */
const ofFile = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'path' in error

async function* tarOf(parts: AsyncIterable<Piece | Manifest>): AsyncGenerator<Buffer> {
  let nth = 0
  let last = ''
  for await (const part of parts) {
    if ('format' in part) yield* entry(manifestName, Buffer.from(JSON.stringify(part, null, 1)))
    else {
      nth = part.table === last ? nth + 1 : 1
      last = part.table
      yield* entry(`rows/${part.table}/${String(nth).padStart(6, '0')}.copy`, part.rows)
    }
  }
  yield Buffer.alloc(2 * block)
}

/** A renamed file is safe when its directory is on the disk, too. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

// Reading -----------------------------------------------------------------------------------------------------------------

/**
 * Reads a backup once, to the end, and holds every table against its checksum. Nothing else is touched.
 * @throws Unusable when the file is none, was cut off or changed.
 */
export async function verifyArchive(file: string): Promise<Manifest> {
  const tallies = new Map<string, Tally>()
  let found: Manifest | undefined
  for await (const part of readArchive(file)) {
    if ('format' in part) {
      found = part
      continue
    }
    const tally = tallies.get(part.table) ?? new Tally()
    tallies.set(part.table, tally)
    tally.add(part.rows)
  }
  if (!found) throw damaged(file, 'it ends too early')
  for (const [table, { rows, bytes, sha256 }] of Object.entries(found.tables)) {
    const { result } = tallies.get(table) ?? new Tally()
    tallies.delete(table)
    if (result.rows !== rows || result.bytes !== bytes || result.sha256 !== sha256)
      throw damaged(file, `the rows of ${table} are not those that were written`)
  }
  if (tallies.size > 0) throw damaged(file, `nothing is said of ${[...tallies.keys()].join(', ')}`)
  return found
}

/** The parts of a backup in their order, a piece in memory at a time. @throws Unusable */
export async function* readArchive(file: string): AsyncGenerator<Piece | Manifest> {
  let ended = false
  try {
    for await (const { called, content } of untar(unpacked(file))) {
      if (ended) throw damaged(file, 'it goes on after its end')
      const table = pieceName.exec(called)?.[1]
      if (table) yield { table, rows: content }
      else if (called === manifestName) {
        ended = true
        yield manifest.parse(JSON.parse(content.toString('utf8')))
      } else throw new Unusable(`${file} is no backup of Wheelhouse.`)
    }
  } catch (error) {
    if (error instanceof Unusable) throw error
    if (ofFile(error)) throw new Unusable(`The file ${file} can't be read: ${error.message}.`, { cause: error })
    throw damaged(file, error instanceof z.ZodError ? 'its manifest makes no sense' : (error as Error).message, error)
  }
}

/** Unpacks; an error of the file underneath is passed on. */
function unpacked(file: string): ReturnType<typeof createGunzip> {
  const gunzip = createGunzip()
  const source = createReadStream(file)
  source.on('error', error => gunzip.destroy(error))
  gunzip.once('close', () => source.destroy())
  return source.pipe(gunzip)
}

const damaged = (file: string, how: string, cause?: unknown): Unusable =>
  new Unusable(`The backup ${file} is damaged (${how}). Nothing was changed.`, { cause })

// tar (POSIX ustar), as much of it as is written here ---------------------------------------------------------------------

const block = 512

function* entry(called: string, content: Buffer): Generator<Buffer> {
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  header.write(called, 0, 100, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(0, 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  octal(checksum(header), 148, 7)
  header[155] = 0x20
  yield header
  yield content
  yield Buffer.alloc(-content.length & (block - 1))
}

/** The sum of a header's bytes, with blanks where it stands itself. */
function checksum(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < block; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return sum
}

async function* untar(stream: AsyncIterable<Buffer>): AsyncGenerator<{ called: string; content: Buffer }> {
  const take = taker(stream)
  for (;;) {
    const header = await take(block)
    if (header.every(byte => byte === 0)) {
      if (!(await take(block)).every(byte => byte === 0)) throw new Error('an entry has no name')
      if ((await take(Infinity)).length > 0) throw new Error('it goes on after its end')
      return
    }
    const number = (at: number, length: number) => parseInt(header.toString('latin1', at, at + length), 8)
    if (header.toString('latin1', 257, 262) !== 'ustar' || number(148, 6) !== checksum(header))
      throw new Error('the head of an entry is wrong')
    const size = number(124, 11)
    if (!(size <= pieceAtMost)) throw new Error('an entry is too large')
    const content = await take(size)
    await take(-size & (block - 1))
    yield { called: header.toString('latin1', 0, 100).replace(/\0.*$/s, ''), content }
  }
}

/** Takes so many bytes from a stream; with `Infinity`, some of what is left. */
function taker(stream: AsyncIterable<Buffer>): (bytes: number) => Promise<Buffer> {
  const source = stream[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let holding = 0
  return async bytes => {
    while (holding < bytes) {
      const { value, done } = await source.next()
      if (done === true) {
        if (bytes !== Infinity) throw new Error('it ends too early')
        break
      }
      held.push(value)
      holding += value.length
      if (bytes === Infinity && holding > 0) break
    }
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    held = [all.subarray(bytes)]
    holding = Math.max(0, all.length - bytes)
    return all.subarray(0, bytes)
  }
}
