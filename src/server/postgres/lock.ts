/** Which process holds a data directory: one at a time. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { unusable } from './directories.ts'
import { DataDirBusy } from './startup.ts'

/** SQLite's result code when another connection holds the lock. */
const sqliteBusy = 5

/** A data directory that is locked for this process. */
type DataDirLock = {
  /** Tells others that this process is about to release it: they wait. */
  announceEnd(): void
  release(): void
}

/**
 * Locks a data directory for this process, until it is released or the process ends in any way. Waits up to `timeout` milliseconds for
 * another process, but only for one that is stopping, or has not said yet who it is. The lock is SQLite's on a file, the one lock of the
 * operating system that Node offers on every platform: unlike a file with a process id it can't be stale, and unlike a socket it also
 * holds between two containers that share a volume.
 * @throws DataDirBusy when another process holds it; StartRefused when the directory can't be used.
 */
export async function lockDataDir(dataDir: string, timeout: number): Promise<DataDirLock> {
  const deadline = Date.now() + timeout
  for (;;) {
    const lock = tryLock(dataDir)
    if (lock) return lock
    const holder = holderOf(dataDir)
    if (Date.now() >= deadline || (holder && !holder.stopping)) throw new DataDirBusy(busyMessage(dataDir, holder))
    await pause(100)
  }
}

type Holder = { readonly process: number; readonly host: string; readonly since: string; readonly stopping?: boolean }

/** Who holds the lock, for people; the lock itself is SQLite's. */
const holderFile = (dataDir: string) => path.join(dataDir, 'server.json')

/** The lock; undefined when another process holds it. */
function tryLock(dataDir: string): DataDirLock | undefined {
  const file = holderFile(dataDir)
  let lock: DatabaseSync | undefined
  try {
    const lockFile = path.join(dataDir, 'lock')
    // Who can read a file can lock it. Never opened when it exists: closing it would drop a lock of this process.
    if (!fs.existsSync(lockFile)) fs.writeFileSync(lockFile, '', { mode: 0o600 })
    lock = new DatabaseSync(lockFile)
    lock.exec('pragma journal_mode = off; begin exclusive')
    const database = lock
    const holder: Holder = { process: process.pid, host: os.hostname(), since: new Date().toISOString() }
    fs.writeFileSync(file, JSON.stringify(holder))
    return {
      announceEnd() {
        try {
          fs.writeFileSync(file, JSON.stringify({ ...holder, stopping: true } satisfies Holder))
        } catch {
          // a full disk: others are refused at once, and nothing else
        }
      },
      release() {
        if (!database.isOpen) return
        fs.rmSync(file, { force: true })
        database.close()
      },
    }
  } catch (error) {
    if (lock?.isOpen) lock.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw unusable(dataDir, error)
  }
}

/** Who holds the lock. The holder writes its file a moment after it has taken the lock, and removes it a moment before the end. */
function holderOf(dataDir: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(holderFile(dataDir), 'utf8')) as Holder
  } catch {
    return null
  }
}

function busyMessage(dataDir: string, holder: Holder | null): string {
  const who = holder ? ` (process ${holder.process} on ${holder.host}, since ${holder.since})` : ''
  return `Another Wheelhouse${who} already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`
}
