/**
 * The embedded PostgreSQL: real binaries from npm under a supervisor of ours, so that a laptop runs the same database as a
 * cluster (DESIGN §2). Nothing here is used when DATABASE_URL names a server, except `assertDurable`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import {
  DataDirBusy,
  type Home,
  holdHome,
  type Keys,
  type Log,
  makeSocketDir,
  owner,
  program,
  readKeys,
  run,
  StartRefused,
  surroundings,
  windows,
} from './home.ts'

export { DataDirBusy, StartRefused }

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
  log: Log
  /** Without fsync, many times quicker and lost at the first power cut: for tests only. */
  unsafe?: boolean
}

const application = 'wheelhouse_app'
const database = 'wheelhouse'

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
  const { release, ...place } = await holdHome(dataDir, { patience, unsafe, log })
  const { home, cluster, user } = place
  try {
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

// ---- The way to it -----------------------------------------------------------------------------------------------------------

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

/** A port of the loopback that nobody uses just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const between = (low: number, value: number, high: number) => `${Math.round(Math.min(high, Math.max(low, value)))}MB`

/** The stock settings are made for a machine of 1998 and cost 13 to 25 % on big answers. */
export function machineSettings(): Record<string, string> {
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

function launch({ home, cluster, native, user }: Home, settings: Record<string, string>): ChildProcess {
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
  { home, cluster }: Home,
  log: Log,
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
async function end(child: ChildProcess, place: Home): Promise<void> {
  if (child.pid !== undefined) await endServer(child.pid, place, async () => hasEnded(child))
}

/**
 * Ends a server: at first cleanly (PostgreSQL's "fast": transactions in flight are rolled back, everything is on disk); when that
 * takes too long in ever ruder ways, from which the next start recovers.
 */
async function endServer(pid: number, { cluster, native, user }: Home, ended: () => Promise<boolean>): Promise<void> {
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
async function endOrphan(place: Home, log: Log): Promise<void> {
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
