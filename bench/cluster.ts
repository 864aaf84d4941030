/** A PostgreSQL of the benchmark's own: as an operator would run it, durable, and gone when the run is over. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { machineSettings } from '../src/server/postgres/cluster.ts'
import { startPostgres } from '../src/server/postgres/supervisor.ts'

const run = promisify(execFile)

export type Cluster = {
  /** Connects as the owner of everything, whom row-level security does not bind. */
  readonly url: string
  /** Which PostgreSQL it is, for the reader of the figures. */
  readonly version: string
  close(): Promise<void>
}

const debian = '/usr/lib/postgresql'

/** The directory of Debian's PostgreSQL programs, the newest when there are several. */
function programs(): string | undefined {
  if (!fs.existsSync(debian)) return undefined
  const majors = fs.readdirSync(debian).filter(major => fs.existsSync(path.join(debian, major, 'bin', 'initdb')))
  const newest = majors.toSorted((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? undefined : path.join(debian, newest, 'bin')
}

/** Where pgbench is. @throws Error that names the package to install. */
export function findPgbench(): string {
  const places = [...(process.env['PATH'] ?? '').split(path.delimiter), programs() ?? '']
  const program = places.map(place => path.join(place, 'pgbench')).find(file => fs.existsSync(file))
  if (program) return program
  throw new Error(
    'pgbench is not on this machine. It measures the limit that the portal is compared with; Debian has it in the package postgresql-contrib: apt-get install postgresql-contrib.',
  )
}

/** PostgreSQL refuses to run as root: then it runs as Debian's user for it, or as nobody. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const { stdout } = await run('getent', ['passwd', name])
      const [, , uid, gid] = stdout.split(':')
      return { uid: Number(uid), gid: Number(gid) }
    } catch {
      continue
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.')
}

async function askVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  } finally {
    await client.end()
  }
}

/**
 * Starts it in a new directory: Debian's PostgreSQL where it is installed, else the embedded one. Autovacuum is off: the
 * benchmark tidies between its rounds, outside the clock.
 */
export async function openCluster(): Promise<Cluster> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-bench-'))
  const discard = () => fs.rmSync(place, { recursive: true, force: true })
  const bin = programs()
  if (bin === undefined) {
    const postgres = await startPostgres({ dataDir: place, log: () => {} })
    const url = postgres.adminUrl
    return {
      url,
      version: `${await askVersion(url)} (embedded)`,
      async close() {
        await postgres.stop()
        discard()
      },
    }
  }
  const user = await unprivileged()
  if (user) fs.chownSync(place, user.uid, user.gid)
  const data = path.join(place, 'data')
  await run(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'owner', '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: place },
  )
  const settings = {
    ...machineSettings(),
    autovacuum: 'off',
    listen_addresses: '',
    unix_socket_directories: place,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = fs.openSync(path.join(place, 'log'), 'a')
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], {
    ...user,
    cwd: place,
    stdio: ['ignore', log, log],
    // a terminal's Ctrl-C ends the benchmark, which then ends it
    detached: true,
  })
  fs.closeSync(log)
  const end = () => {
    server.kill('SIGQUIT')
    discard()
  }
  process.once('exit', end)
  // ended from outside it takes its PostgreSQL along
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const url = `postgres://owner@/postgres?host=${encodeURIComponent(place)}`
  await ready(server, url, path.join(place, 'log'))
  return {
    url,
    version: await askVersion(url),
    async close() {
      process.off('exit', end)
      const ended = new Promise(resolve => server.once('exit', resolve))
      if (server.exitCode === null && server.kill('SIGINT')) await ended
      discard()
    },
  }
}

async function ready(server: ChildProcess, url: string, log: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; ;) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`PostgreSQL does not start:\n${fs.readFileSync(log, 'utf8')}`)
    try {
      await askVersion(url)
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
