/**
 * The file of a backup: a tar in gzip, so that it can be inspected, and if need be restored by hand, with the tools of any system.
 * It holds the rows of each table as PostgreSQL's COPY writes them, in chunks, and last a manifest with a checksum of each table: a
 * file that was cut off has none.
 *
 *     rows/tyre/000001.copy  …  manifest.json
 *
 * With a passphrase all of it is inside a file of age (`age -d FILE | tar xz`).
 */
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { StoreRefused } from './bucket.ts'
import { decryption, encryption, isEncrypted, type Passphrase } from './encryption.ts'
import type { BackupFile, Check } from './storage.ts'
import { packTar, unpackTar, type Entry } from './tar.ts'

/** A backup, or a database, that can't be used as requested; the message is for the person at the terminal. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const manifest = z.object({
  format: z.literal(1),
  made: z.iso.datetime(),
  /** The migrations that were applied to the database. */
  schema: z.array(z.object({ version: z.number().int(), name: z.string(), md5: z.string() })).min(1),
  /** Whether it is the demo's: a comment on the table of sites, which is no row. */
  demo: z.boolean(),
  tables: z.record(
    name,
    z.object({ columns: z.array(name).min(1), rows: z.number().int(), bytes: z.number().int(), sha256: digest }),
  ),
  /** The last value of each sequence. */
  sequences: z.record(name, z.number().int()),
})
export type Manifest = z.output<typeof manifest>

/** Some rows of a table. */
export type Chunk = { readonly table: string; readonly rows: Buffer }

/** In bytes; the last chunk of a table may be smaller. */
export const minChunkSize = 1024 * 1024
const manifestName = 'manifest.json'
const chunkName = /^rows\/([a-z_][a-z0-9_]*)\/\d{6,}\.copy$/

/** Counts and hashes the rows of one table. */
export class TableDigest {
  readonly #hash: Hash = createHash('sha256')
  rows = 0
  bytes = 0
  add(rows: Buffer): void {
    this.#hash.update(rows)
    this.bytes += rows.length
    // COPY writes a line per row, and a line break within a value as two characters
    for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) this.rows++
  }
  /** Can be read once, at the end. */
  get result(): { rows: number; bytes: number; sha256: string } {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }
}

// Writing -----------------------------------------------------------------------------------------------------------------

/**
 * Writes a backup. It gets its name only when it is complete, and `check` has nothing against it.
 * @throws BackupRefused when a file of that name exists, or it can't be written.
 */
export async function writeArchive(
  file: BackupFile,
  parts: AsyncIterable<Chunk | Manifest>,
  { passphrase = null, check = async () => {} }: { passphrase?: Passphrase; check?: Check } = {},
): Promise<void> {
  try {
    // before an hour's work, not after it
    if (await file.exists()) throw new BackupRefused(`There is a file ${file.name} already.`)
    await pipeline(
      Readable.from(packTar(entriesOf(parts)), { objectMode: false }),
      // higher levels take three times as long for a tenth of the size
      createGzip({ level: 4 }),
      encryption(passphrase),
      written => file.write(Readable.from(written, { objectMode: false }), check),
    )
  } catch (error) {
    if (isFileError(error))
      throw new BackupRefused(`The file ${file.name} can't be written: ${error.message}.`, { cause: error })
    throw error
  }
}

/** Whether the operating system, or a store, refused something about a file. */
const isFileError = (error: unknown): error is Error =>
  error instanceof StoreRefused || (error instanceof Error && 'path' in error)

async function* entriesOf(parts: AsyncIterable<Chunk | Manifest>): AsyncGenerator<Entry> {
  let count = 0
  let previous = ''
  for await (const part of parts) {
    if ('format' in part) yield { name: manifestName, content: Buffer.from(JSON.stringify(part, null, 1)) }
    else {
      count = part.table === previous ? count + 1 : 1
      previous = part.table
      yield { name: `rows/${part.table}/${String(count).padStart(6, '0')}.copy`, content: part.rows }
    }
  }
}

// Reading -----------------------------------------------------------------------------------------------------------------

/**
 * Reads a backup once, to the end, and compares every table with its checksum. Nothing else is touched.
 * @throws BackupRefused when the file is no backup, was cut off or changed.
 */
export async function verifyArchive(file: BackupFile, passphrase: Passphrase = null): Promise<Manifest> {
  const digests = new Map<string, TableDigest>()
  let readManifest: Manifest | undefined
  for await (const part of readArchive(file, passphrase)) {
    if ('format' in part) {
      readManifest = part
      continue
    }
    const tableDigest = digests.get(part.table) ?? new TableDigest()
    digests.set(part.table, tableDigest)
    tableDigest.add(part.rows)
  }
  if (!readManifest) throw damaged(file, 'it ends too early')
  for (const [table, { rows, bytes, sha256 }] of Object.entries(readManifest.tables)) {
    const { result } = digests.get(table) ?? new TableDigest()
    digests.delete(table)
    if (result.rows !== rows || result.bytes !== bytes || result.sha256 !== sha256)
      throw damaged(file, `the rows of ${table} are not those that were written`)
  }
  if (digests.size > 0) throw damaged(file, `its manifest lacks ${[...digests.keys()].join(', ')}`)
  return readManifest
}

/** The parts of a backup in their order, one chunk in memory at a time. @throws BackupRefused */
export async function* readArchive(file: BackupFile, passphrase: Passphrase = null): AsyncGenerator<Chunk | Manifest> {
  let ended = false
  try {
    for await (const entry of unpackTar(await content(file, passphrase))) {
      if (ended) throw damaged(file, 'it continues after its end')
      const table = chunkName.exec(entry.name)?.[1]
      if (table) yield { table, rows: entry.content }
      else if (entry.name === manifestName) {
        ended = true
        yield manifest.parse(JSON.parse(entry.content.toString('utf8')))
      } else throw new BackupRefused(`${file.name} is no backup of Wheelhouse.`)
    }
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    if (isFileError(error))
      throw new BackupRefused(`The file ${file.name} can't be read: ${error.message}.`, { cause: error })
    // of age: no passphrase that it was given opens the file
    if ((error as Error).message.startsWith('no identity matched'))
      throw new BackupRefused(
        `BACKUP_KEY does not open the backup ${file.name}: it was made with another passphrase. Nothing was changed.`,
        { cause: error },
      )
    throw damaged(file, error instanceof z.ZodError ? 'its manifest is malformed' : (error as Error).message, error)
  }
}

/** The tar in a file. An error of the file, or of its encryption, is passed on. */
async function content(file: BackupFile, passphrase: Passphrase): Promise<ReturnType<typeof createGunzip>> {
  const encrypted = await isEncrypted(file)
  if (encrypted && passphrase === null)
    throw new BackupRefused(
      `The backup ${file.name} is encrypted. Set BACKUP_KEY to the passphrase that it was made with.`,
    )
  const gunzip = createGunzip()
  const source = await file.read()
  const opened: Readable = encrypted ? decryption(source, passphrase ?? '') : source
  for (const stream of new Set([source, opened])) stream.on('error', (error: Error) => gunzip.destroy(error))
  gunzip.once('close', () => source.destroy())
  return opened.pipe(gunzip)
}

const damaged = (file: BackupFile, how: string, cause?: unknown): BackupRefused =>
  new BackupRefused(`The backup ${file.name} is damaged (${how}). Nothing was changed.`, { cause })
