/**
 * The embedded PostgreSQL: real binaries from npm under a supervisor of ours, so that a laptop runs the same database as a
 * cluster. When DATABASE_URL names a server, only `assertDurable` of this folder is used.
 */
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, machineSettings, prepareCluster, readKeys } from './cluster.ts'
import { connectionUrls, ensureDatabase, freePort } from './connection.ts'
import { clusterDirOf, createDataDir, createSocketDir } from './directories.ts'
import { lockDataDir } from './lock.ts'
import { findOrphan, stopOrphan } from './orphan.ts'
import { readPidFile } from './pidFile.ts'
import { isWindows } from './platform.ts'
import { hasEnded, launch, stopChild, untilReady } from './server.ts'
import { DataDirBusy, type Log, StartRefused } from './startup.ts'

/** For tests: no wait for the disk, and few buffers, all of which PostgreSQL searches for each database that it drops. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
} as const

export type Postgres = {
  /** Connects as the owner of the database: for migrations only. */
  readonly adminUrl: string
  /** Connects as `wheelhouse_app`, which owns nothing and bypasses nothing. */
  readonly appUrl: string
  /** Stops the database cleanly, after the requests in flight. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  /** Everything that must survive; created when missing. */
  dataDir: string
  /** Also listens on this port of the loopback interface, for psql and the like. Otherwise a unix socket only. */
  port?: number
  /** Receives messages for the terminal. */
  log: Log
  /** Ends a start that is under way: nothing is left running or half made. */
  signal?: AbortSignal | undefined
  /** Without fsync, many times faster and lost at the first power cut: for tests only. */
  unsafe?: boolean
}

/**
 * Starts the embedded database of a data directory and supervises it until `stop`: restarts it when it dies, and replaces one that
 * outlived its portal. Resolves when it accepts connections.
 * @throws StartRefused when it can't start; DataDirBusy when another process uses the same directory.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  // A portal that is just stopping still holds the directory: give it time.
  return supervise(options, 3_000)
}

/**
 * The database of a data directory for a command that works beside the portal: the running one when a portal has it (`stop` then
 * leaves it running), else started for the duration of the command.
 * @throws StartRefused when it can't start or the running one doesn't answer.
 */
export async function joinPostgres(options: PostgresOptions): Promise<Postgres> {
  try {
    return await supervise(options, 0)
  } catch (error) {
    if (!(error instanceof DataDirBusy)) throw error
    const clusterDir = clusterDirOf(options.dataDir)
    const deadline = Date.now() + 30_000
    for (;;) {
      const running = readPidFile(clusterDir)
      if (running?.status === 'ready') {
        const urls = connectionUrls(readKeys(clusterDir), running.socketDir, running.port)
        return { adminUrl: urls.admin, appUrl: urls.app, stop: async () => {} }
      }
      if (Date.now() > deadline)
        throw new StartRefused(`${error.message} Its database doesn't answer.`, { cause: error })
      await pause(100)
    }
  }
}

async function supervise(options: PostgresOptions, lockTimeout: number): Promise<Postgres> {
  const { log, unsafe = false, signal } = options
  const dataDir = path.resolve(options.dataDir)
  createDataDir(dataDir)
  signal?.throwIfAborted()
  const lock = await lockDataDir(dataDir, lockTimeout)
  try {
    const cluster = await prepareCluster(dataDir, { unsafe, log, signal })
    const keys = readKeys(cluster.clusterDir)
    const socketDir = isWindows ? undefined : createSocketDir(cluster.databaseDir, cluster.user)
    const port = options.port ?? (socketDir ? 5432 : await freePort())
    const urls = connectionUrls(keys, socketDir, port)
    const server = supervisedServer(cluster, urls.maintenance, log, {
      ...machineSettings(),
      ...(unsafe ? unsafeSettings : {}),
      listen_addresses: options.port || !socketDir ? '127.0.0.1' : '',
      port: String(port),
      unix_socket_directories: socketDir ?? '',
      unix_socket_permissions: '0700',
    })
    const stop = async () => {
      lock.announceEnd()
      await server.stop()
      if (socketDir && !socketDir.startsWith(cluster.databaseDir))
        fs.rmSync(socketDir, { recursive: true, force: true })
      lock.release()
    }
    let stopped: Promise<void> | undefined
    const stopOnce = () => (stopped ??= stop())
    const interrupt = () => void stopOnce()
    signal?.addEventListener('abort', interrupt)
    try {
      signal?.throwIfAborted()
      await server.start()
      await ensureDatabase(urls.maintenance, keys, unsafe)
      server.restartOnExit()
    } catch (error) {
      await stopOnce()
      throw error
    }
    return { adminUrl: urls.admin, appUrl: urls.app, stop: stopOnce }
  } catch (error) {
    lock.release()
    throw error
  }
}

type SupervisedServer = {
  /** Resolves when the server accepts connections. @throws StartRefused */
  start(): Promise<void>
  /** Restarts the server whenever it ends unexpectedly. */
  restartOnExit(): void
  stop(): Promise<void>
}

function supervisedServer(
  cluster: Cluster,
  maintenanceUrl: string,
  log: Log,
  settings: Record<string, string>,
): SupervisedServer {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let restarted = Promise.resolve()

  const start = async () => {
    for (let tries = 1; ; tries++) {
      await stopOrphan(cluster, log)
      child = launch(cluster, settings)
      try {
        return await untilReady(child, maintenanceUrl, cluster, log, stopping.signal)
      } catch (error) {
        await stopChild(child, cluster)
        // A portal that was killed while it started its database leaves one that shows up only now.
        if (tries === 5 || stopping.signal.aborted || !(await findOrphan(cluster.clusterDir))) throw error
      }
    }
  }
  const restartOnExit = () => {
    if (!child) return
    const server = child
    const onExit = () => (restarted = restart(server.signalCode ?? `code ${server.exitCode}`))
    if (hasEnded(server)) onExit()
    else server.once('exit', onExit)
  }
  const restart = async (reason: string) => {
    if (stopping.signal.aborted) return
    log(`The database ended unexpectedly (${reason}). Restarting it.`)
    for (let delay = 100; ; delay = Math.min(delay * 2, 30_000)) {
      try {
        await start()
        log('The database runs again.')
        return restartOnExit()
      } catch (error) {
        if (stopping.signal.aborted) return
        log(`The database didn't start: ${(error as Error).message}`)
        await pause(delay, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }
  // The server is in a process group of its own and would outlive a portal that ends by process.exit() or an uncaught error.
  const onPortalExit = () => void child?.kill(isWindows ? 'SIGTERM' : 'SIGINT')
  process.once('exit', onPortalExit)
  const stop = async () => {
    stopping.abort()
    await restarted
    if (child) await stopChild(child, cluster)
    process.removeListener('exit', onPortalExit)
  }
  return { start, restartOnExit, stop }
}
