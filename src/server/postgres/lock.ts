/** Which process holds a data directory: one at a time. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { DataDirBusy, StartRefused } from './startup.ts'

/** SQLite's result code when another connection holds the lock. */
const sqliteBusy = 5

/**
 * Locks a data directory for this process, until the returned function is called or the process ends in any way. Waits up to
 * `timeout` milliseconds for another process to release it. The lock is SQLite's on a file, the one lock of the operating system
 * that Node offers on every platform: unlike a file with a process id it can't be stale, and unlike a socket it also holds between
 * two containers that share a volume.
 * @returns the function that releases the lock.
 * @throws DataDirBusy when another process still holds it; StartRefused when the directory can't be used.
 */
export async function lockDataDir(dataDir: string, timeout: number): Promise<() => void> {
  const deadline = Date.now() + timeout
  for (;;) {
    const release = tryLock(dataDir)
    if (release) return release
    if (Date.now() >= deadline) throw new DataDirBusy(busyMessage(dataDir))
    await pause(100)
  }
}

/** Who holds the lock, for people; the lock itself is SQLite's. */
const holderFile = (dataDir: string) => path.join(dataDir, 'server.json')

/** The function that releases the lock; undefined when another process holds it. */
function tryLock(dataDir: string): (() => void) | undefined {
  const holder = holderFile(dataDir)
  let lock: DatabaseSync | undefined
  try {
    const file = path.join(dataDir, 'lock')
    // Who can read a file can lock it. Never opened when it exists: closing it would drop a lock of this process.
    if (!fs.existsSync(file)) fs.writeFileSync(file, '', { mode: 0o600 })
    lock = new DatabaseSync(file)
    lock.exec('pragma journal_mode = off; begin exclusive')
    const database = lock
    fs.writeFileSync(
      holder,
      JSON.stringify({ process: process.pid, host: os.hostname(), since: new Date().toISOString() }),
    )
    return () => {
      if (!database.isOpen) return
      fs.rmSync(holder, { force: true })
      database.close()
    }
  } catch (error) {
    if (lock?.isOpen) lock.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined
    throw new StartRefused(`The data directory ${dataDir} can't be used: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function busyMessage(dataDir: string): string {
  let who = ''
  try {
    const holder = JSON.parse(fs.readFileSync(holderFile(dataDir), 'utf8')) as {
      process: number
      host: string
      since: string
    }
    who = ` (process ${holder.process} on ${holder.host}, since ${holder.since})`
  } catch {
    // The holder writes this file a moment after it has taken the lock.
  }
  return `Another Wheelhouse${who} already uses the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`
}
