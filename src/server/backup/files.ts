/** Backups by their path or address: files of this machine, or in a bucket of a store that speaks S3 (bucket.ts). */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openBucket, StoreRefused, type BucketAccess } from './bucket.ts'
import type { BackupFile, BackupFolder } from './storage.ts'

const isAddress = (name: string): boolean => /^https?:\/\//.test(name)

/** @throws StoreRefused when it is an address and there is no key for it */
function accessFor(name: string, access: BucketAccess | null): BucketAccess {
  if (access) return access
  throw new StoreRefused(`To use ${name}: set BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY.`)
}

/** The folder of a path or address (BACKUP_TO). */
export const openFolder = (name: string, access: BucketAccess | null = null): BackupFolder =>
  isAddress(name) ? openBucket(name, accessFor(name, access)) : localFolder(path.resolve(name))

/** The file of a path or address, as it was typed. */
export function openFile(name: string, access: BucketAccess | null = null): BackupFile {
  if (!isAddress(name)) return localFile(name)
  const at = name.lastIndexOf('/') + 1
  return openBucket(name.slice(0, at), accessFor(name, access)).file(decodeURIComponent(name.slice(at)))
}

function localFolder(folder: string): BackupFolder {
  return {
    name: folder,
    names: () => readdir(folder),
    file: name => localFile(path.join(folder, name)),
    async sweep(before) {
      for (const name of await readdir(folder)) {
        if (!/^wheelhouse-.*\.unfinished$/.test(name)) continue
        const file = path.join(folder, name)
        if ((await stat(file)).mtime < before) await rm(file, { force: true })
      }
    },
  }
}

function localFile(file: string): BackupFile {
  const unfinished = `${file}.unfinished`
  return {
    name: file,
    exists: async () => existsSync(file),
    read: async count => createReadStream(file, count === undefined ? {} : { end: count - 1 }),
    /** It gets its name only when it is on the disk; nobody but its owner may read it. */
    async write(source, check) {
      try {
        await pipeline(source, createWriteStream(unfinished, { mode: 0o600, flush: true }))
        await check(localFile(unfinished))
        await rename(unfinished, file)
        await flushDirectory(path.dirname(file))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    size: async () => (await stat(file)).size,
    remove: () => rm(file, { force: true }),
  }
}

/** A renamed file is safe once its directory is on the disk, too. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}
