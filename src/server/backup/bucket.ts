/**
 * Backups in a bucket of a store that speaks S3 (docs/operations.md "Automatic backups"). They go there in parts, one of which is
 * in memory at a time, and are an object only when the last one has arrived.
 */
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import type { BackupFile, BackupFolder } from './storage.ts'

export type BucketAccess = { readonly keyId: string; readonly secret: string; readonly region: string }

/** The store refused, or could not be reached; the message is for the person at the terminal. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}

/** In bytes. A store takes 10,000 parts of an object, all but the last of 5 MB or more. */
const partSize = 16 * 1024 * 1024
/** How long a request that failed waits before it is made again, in ms; after the last one it has failed. */
const pauses = [1000, 4000, 15_000] as const

type Options = { readonly partSize?: number; readonly pauses?: readonly number[] }

/** The folder at https://HOST/BUCKET/FOLDER. */
export function openBucket(address: string, access: BucketAccess, options: Options = {}): BackupFolder {
  const url = new URL(address)
  const [bucket = '', ...folders] = url.pathname.split('/').filter(part => part !== '')
  const prefix = folders.map(part => `${decodeURIComponent(part)}/`).join('')
  const name = `${url.origin}/${[bucket, ...folders].join('/')}`
  const store = new S3mini({
    endpoint: `${url.origin}/${bucket}`,
    accessKeyId: access.keyId,
    secretAccessKey: access.secret,
    region: access.region,
  })

  /** Makes a request again while the store, or the way to it, fails. */
  const patiently = async <T>(request: () => Promise<T>): Promise<T> => {
    for (const ms of options.pauses ?? pauses) {
      try {
        return await request()
      } catch (error) {
        if (error instanceof S3ServiceError && error.status < 500 && error.status !== 429) throw refused(error)
        await pause(ms)
      }
    }
    return request().catch(error => {
      throw refused(error)
    })
  }
  const refused = (error: unknown): StoreRefused =>
    error instanceof StoreRefused ? error : new StoreRefused(`${name}: ${reasonOf(error)}`, { cause: error })

  const fileOf = (key: string): BackupFile => {
    const file: BackupFile = {
      name: `${name}/${key.slice(prefix.length)}`,
      exists: async () => (await patiently(() => store.objectExists(key))) === true,
      size: () => patiently(() => store.getContentLength(key)),
      async remove() {
        await patiently(() => store.deleteObject(key))
      },
      async read(count) {
        const { body } = await patiently(() => store.getObjectRaw(key, count === undefined, 0, count))
        return Readable.from(piecesOf(body, refused), { objectMode: false })
      },
      async write(source, check) {
        const upload = await patiently(() => store.getMultipartUploadId(key))
        const parts: Awaited<ReturnType<typeof store.uploadPart>>[] = []
        try {
          for await (const part of inParts(source, options.partSize ?? partSize))
            parts.push(await patiently(() => store.uploadPart(key, upload, part, parts.length + 1)))
          await patiently(() => store.completeMultipartUpload(key, upload, parts))
          await check(file)
        } catch (error) {
          // whichever of the two is there; what can't be removed now is found by the next one
          await Promise.allSettled([store.abortMultipartUpload(key, upload), store.deleteObject(key)])
          throw error
        }
      },
    }
    return file
  }

  return {
    name,
    async names() {
      const objects = await patiently(() => store.listObjects('/', prefix, undefined, { delimiter: '/' }))
      if (!objects) throw new StoreRefused(`There is no bucket ${url.origin}/${bucket}.`)
      return objects.map(({ Key }) => Key.slice(prefix.length)).filter(key => key !== '' && !key.includes('/'))
    },
    file: file => fileOf(prefix + file),
  }
}

/** The reason that the store or the system gave. An error of fetch hides it in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null, refused: (error: unknown) => Error) {
  try {
    for await (const piece of body ?? []) yield piece
  } catch (error) {
    throw refused(error)
  }
}

/** Pieces of `size` bytes; the last one may be smaller, and the only one empty. */
async function* inParts(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    pieces.push(piece)
    length += piece.length
    if (length < size) continue
    const all = Buffer.concat(pieces)
    for (let at = 0; at + size <= length; at += size) yield all.subarray(at, at + size)
    pieces = [all.subarray(length - (length % size))]
    length %= size
  }
  if (length > 0) yield Buffer.concat(pieces)
}
