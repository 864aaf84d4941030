/**
 * The directories of the embedded PostgreSQL. Inside the data directory:
 *
 *     lock          locked by the operating system while a portal runs
 *     server.json   who holds the lock, for people
 *     database/     or a link to /var/lib/wheelhouse/… when the database's user can't reach the data directory
 *       cluster/    PostgreSQL's own; keys.json (passwords of both roles) lives in it, so that a copy of it is complete
 *       run/        the unix socket
 *       postgres.log
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Log, StartRefused } from './startup.ts'
import { firstClosed, sharedDir, type User } from './user.ts'

/** Where PostgreSQL's data lie inside a data directory. */
export const clusterDirOf = (dataDir: string) => path.join(dataDir, 'database', 'cluster')

/** @throws StartRefused when it can't be created */
export function createDataDir(dataDir: string): void {
  try {
    const existed = fs.existsSync(dataDir)
    if (!existed) fs.mkdirSync(dataDir, { recursive: true })
    // The database's user passes through it, under any umask; nobody else lists its contents. An empty directory that
    // existed was created for us; one with other things in it keeps its permissions.
    if (!existed || (process.getuid?.() === 0 && fs.readdirSync(dataDir).length === 0)) fs.chmodSync(dataDir, 0o711)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

/** The refusal of a data directory that can't be created or written, with what to do. */
export function unusable(dataDir: string, error: unknown): StartRefused {
  const code = closedParent(dataDir) ?? (error as NodeJS.ErrnoException).code ?? ''
  const reason = unusableReasons[code] ?? `can't be used: ${(error as Error).message}`
  return new StartRefused(`The data directory ${dataDir} (DATA_DIR) ${reason}.`, { cause: error })
}

const unusableReasons: Readonly<Record<string, string>> = {
  EROFS: 'is on a file system that is mounted read-only. Mount it for writing, or set DATA_DIR to another folder',
  EACCES:
    "can't be written by the user that runs Wheelhouse. Let that user write there, or set DATA_DIR to another folder",
  EPERM:
    "can't be written by the user that runs Wheelhouse. Let that user write there, or set DATA_DIR to another folder",
  ENOSPC: 'is on a disk that is full. Make room there, or set DATA_DIR to another folder',
  ENOTDIR: 'is a file, or below one. Set DATA_DIR to a folder',
  EEXIST: 'is a file. Set DATA_DIR to a folder',
}

/** Why the nearest folder that exists can't be written. Node says ENOENT of a new folder on a file system that is read-only. */
function closedParent(dir: string): string | undefined {
  let nearest = path.resolve(dir)
  while (!fs.existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest)
  try {
    fs.accessSync(nearest, fs.constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/**
 * The real path of the directory of everything that PostgreSQL must reach, created when missing.
 * @throws StartRefused when it can't be created, or the user can't reach it
 */
export function createDatabaseDir(dataDir: string, user: User | undefined, log: Log): string {
  const link = path.join(dataDir, 'database')
  if (!fs.existsSync(link)) placeDatabaseDir(link, user, log)
  const databaseDir = fs.realpathSync(link)
  const closed = user && firstClosed(databaseDir, user)
  if (closed)
    throw new StartRefused(
      `The database in ${databaseDir} runs as the user ${user.name}, who can't enter ${closed}. Open it (chmod o+x ${closed}), or move the data and set DATA_DIR.`,
    )
  return databaseDir
}

function placeDatabaseDir(link: string, user: User | undefined, log: Log): void {
  const closed = user && firstClosed(path.dirname(link), user)
  if (!closed) {
    fs.mkdirSync(link)
    fs.chmodSync(link, 0o711)
    return
  }
  const elsewhere = createSharedDir(closed, user)
  fs.rmSync(link, { force: true })
  fs.symlinkSync(elsewhere, link)
  log(
    `${closed} is closed to the user ${user.name}, who runs the database. The database is in ${elsewhere} instead; ${link} links to it.`,
  )
}

function createSharedDir(closed: string, user: User): string {
  try {
    fs.mkdirSync(sharedDir, { recursive: true })
    fs.chmodSync(sharedDir, 0o755)
    const created = fs.mkdtempSync(path.join(sharedDir, 'data-'))
    fs.chmodSync(created, 0o711)
    return created
  } catch (error) {
    throw new StartRefused(
      `${closed} is closed to the user ${user.name}, who runs the database, and ${sharedDir} can't be created (${(error as Error).message}). Set DATA_DIR to a directory that this user can reach.`,
      { cause: error },
    )
  }
}

/** An empty directory for the unix socket that only the database's user enters; elsewhere when `databaseDir` has too long a path. */
export function createSocketDir(databaseDir: string, user: User | undefined): string {
  let dir = path.join(databaseDir, 'run')
  // An address of a unix socket holds 107 bytes on Linux and 103 on macOS.
  if (Buffer.byteLength(path.join(dir, '.s.PGSQL.65535')) > 100)
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-run-'))
  // Files that a killed server left there would stop the next one once its process id belongs to another process.
  else fs.rmSync(dir, { recursive: true, force: true })
  fs.mkdirSync(dir, { recursive: true })
  fs.chmodSync(dir, 0o700)
  if (user) fs.chownSync(dir, user.uid, user.gid)
  return dir
}
