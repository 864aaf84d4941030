/** PostgreSQL's server as a child process: starting it, waiting until it is ready, stopping it. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { processOptions, program } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { readPidFile } from './pidFile.ts'
import { isWindows, run } from './platform.ts'
import { type Log, StartRefused } from './startup.ts'

const logFileOf = (databaseDir: string) => path.join(databaseDir, 'postgres.log')

/**
 * How much lower the priority of the database is. A long statement occupies one of its processes; the portal does
 * everything for everybody in one thread, which would wait for a core behind it.
 */
const nicer = 5

/** Starts the server with these settings. It is not ready yet. */
export function launch(
  { databaseDir, clusterDir, binariesDir, user }: Cluster,
  settings: Record<string, string>,
): ChildProcess {
  const file = logFileOf(databaseDir)
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 4 * 1024 * 1024) fs.renameSync(file, `${file}.1`)
  const log = fs.openSync(file, 'a', 0o600)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program(binariesDir, 'postgres'), ['-D', clusterDir, ...flags], {
    ...processOptions(databaseDir, user),
    // In a group of its own the terminal's Ctrl-C doesn't reach it: requests in flight finish before `stop`.
    detached: true,
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  child.once('error', () => {})
  // its processes inherit it
  if (child.pid !== undefined && !isWindows) setPriority(child.pid, Math.min(19, getPriority() + nicer))
  child.unref()
  return child
}

/**
 * Waits until the server accepts connections, however long it recovers from a crash.
 * @throws StartRefused when it ends or can't be run; the reason of `aborted` when that is aborted.
 */
export async function untilReady(
  child: ChildProcess,
  url: string,
  { databaseDir, clusterDir }: Cluster,
  log: Log,
  aborted: AbortSignal,
): Promise<void> {
  const started = Date.now()
  const logSize = fs.statSync(logFileOf(databaseDir), { throwIfNoEntry: false })?.size ?? 0
  let failure: Error | undefined
  child.once('error', error => (failure = error))
  for (let logged = false; ;) {
    aborted.throwIfAborted()
    if (failure) throw new StartRefused(`PostgreSQL can't be run: ${failure.message}.`, { cause: failure })
    if (hasEnded(child)) throw new StartRefused(`PostgreSQL ended while starting: ${lastLogLines(databaseDir)}`)
    // Else it is one that a killed portal has started at its last moment, and ours is about to give up.
    if ((await accepts(url, clusterDir)) && readPidFile(clusterDir)?.pid === child.pid) return
    if (!logged && Date.now() - started > 5_000) {
      log(stateOf(logSince(databaseDir, logSize)))
      logged = true
    }
    await pause(10)
  }
}

/** The sentence about a server that is not ready after some seconds, by what it has written into its log since it was started. */
export const stateOf = (written: string): string =>
  /automatic recovery in progress|redo starts at/.test(written)
    ? 'The database is recovering from a crash. That can take some minutes.'
    : 'The database is still starting. That takes long on a slow or busy machine.'

function logSince(databaseDir: string, size: number): string {
  try {
    return fs.readFileSync(logFileOf(databaseDir), 'utf8').slice(size)
  } catch {
    return ''
  }
}

/** Whether a server accepts connections. @throws StartRefused when it refuses our password */
async function accepts(url: string, clusterDir: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (code === '28P01')
      throw new StartRefused(`The passwords in ${path.join(clusterDir, 'keys.json')} are not those of the database.`, {
        cause: error,
      })
    // Not listening yet, starting up, or closing the connection while it recovers.
    const early =
      ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'].includes(code) || /terminated|timeout/.test(message)
    if (!early) throw error
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Stops the server that we have started, if it still runs, and waits for its end. */
export async function stopChild(child: ChildProcess, cluster: Cluster): Promise<void> {
  if (child.pid !== undefined) await stopServer(child.pid, cluster, async () => hasEnded(child))
}

/** How a server is stopped, and how many milliseconds each way gets before the next one. */
const escalation = [
  // PostgreSQL's "fast": transactions in flight are rolled back, everything is on disk.
  ['SIGINT', 60_000],
  ['SIGQUIT', 20_000],
  ['SIGKILL', 10_000],
] as const

/**
 * Stops a server: cleanly at first; when that takes too long, in ways that the next start recovers from.
 * @throws StartRefused when it doesn't end.
 */
export async function stopServer(
  pid: number,
  { clusterDir, binariesDir, user }: Cluster,
  ended: () => Promise<boolean>,
): Promise<void> {
  for (const [signal, timeout] of escalation) {
    if (await ended()) return
    try {
      // Windows has no signals; pg_ctl knows how to ask there.
      if (isWindows)
        await run(
          program(binariesDir, 'pg_ctl'),
          ['stop', '-D', clusterDir, '-m', 'fast'],
          processOptions(clusterDir, user),
        )
      else process.kill(pid, signal)
    } catch {
      // It ended at this very moment, or is about to: the wait below shows.
    }
    for (const deadline = Date.now() + timeout; Date.now() < deadline; await pause(5)) if (await ended()) return
  }
  throw new StartRefused(`The database in ${clusterDir} (process ${pid}) doesn't stop.`)
}

function lastLogLines(databaseDir: string): string {
  const lines = fs.readFileSync(logFileOf(databaseDir), 'utf8').trimEnd().split('\n')
  return lines.slice(-4).join(' ') || 'its log is empty.'
}
