/** The portal under load, as in production; the generator, and pgbench beside it. */
import { execFile, fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import portalProcess from '../bin/lib/portalProcess.json' with { type: 'json' }
import { freePort } from '../src/server/postgres/connection.ts'
import type { Shape } from './data.ts'
import type { Load, Task } from './generator.ts'
import { commonVariables, type Job } from './jobs.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '..')

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (ended(child)) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

export type Portal = { readonly port: number; close(): Promise<void> }

/** Starts the server on a database that is filled. `profile` names a directory for a CPU profile. */
export async function openPortal(
  databaseUrl: string,
  { profile }: { profile?: string | undefined } = {},
): Promise<Portal> {
  const port = await freePort()
  const flags = [...portalProcess.flags, ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  const { DATA_DIR: _, LOG_LEVEL: __, ...environment } = process.env
  const child = spawn(process.execPath, [...flags, 'src/server/main.ts'], {
    cwd: root,
    env: {
      ...environment,
      ...portalProcess.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DEFAULT_SITE: 'bench1',
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const open = new Promise<void>((resolve, reject) => {
    const read = (text: string) => {
      output += text
      if (output.includes('is open at')) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`The portal does not start:\n${output}`)))
  })
  process.once('exit', () => child.kill('SIGKILL'))
  await open
  return { port, close: () => end(child, 'SIGTERM') }
}

export type Generator = { load(task: Task): Promise<Load>; close(): Promise<void> }

export function openGenerator(): Generator {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { stdio: 'inherit' })
  return {
    async load(task) {
      const answered = once(child, 'message') as Promise<[{ load: Load } | { failed: string }]>
      child.send(task)
      const [answer] = await answered
      if ('failed' in answer) throw new Error(`${task.job}: ${answer.failed}`)
      return answer.load
    },
    close: () => end(child, 'SIGTERM'),
  }
}

/** The throughput of the database without the portal; times in ms. */
export type Limit = { readonly perSecond: number; readonly p99: number }

/** Runs a job in pgbench: prepared statements, as many clients as the portal has connections. */
export async function limitOf(
  job: Job,
  {
    pgbench,
    url,
    shape,
    clients,
    seconds,
  }: { pgbench: string; url: string; shape: Shape; clients: number; seconds: number },
): Promise<Limit> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-pgbench-'))
  try {
    const file = path.join(place, `${job.name}.sql`)
    fs.writeFileSync(file, job.script)
    const variables = Object.entries({ ...commonVariables, ...job.variables }).flatMap(([name, value]) => [
      '-D',
      `${name}=${value}`,
    ])
    const long = job.times
      ? ['-t', String(job.times(shape, clients))]
      : ['-T', String(Math.max(1, Math.round(seconds)))]
    const { stdout } = await run(
      pgbench,
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        String(Math.min(2, clients)),
        ...long,
        '-f',
        file,
        '-l',
        `--log-prefix=${path.join(place, 'times')}`,
        ...variables,
        url,
      ],
      { env: { ...process.env, PGOPTIONS: '-c TimeZone=UTC -c jit=off' }, maxBuffer: 1024 * 1024 },
    )
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    const failed = Number(/failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
    if (!(perSecond > 0) || failed > 0) throw new Error(`pgbench, ${job.name}: ${stdout}`)
    // a line per transaction, its time in µs third
    const times = fs
      .readdirSync(place)
      .filter(name => name.startsWith('times'))
      .flatMap(name => fs.readFileSync(path.join(place, name), 'utf8').split('\n').filter(Boolean))
      .map(line => Number(line.split(' ', 3)[2]) / 1000)
      .toSorted((a, b) => a - b)
    return { perSecond, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
  } finally {
    fs.rmSync(place, { recursive: true, force: true })
  }
}
