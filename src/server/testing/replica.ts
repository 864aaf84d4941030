/**
 * A primary of the embedded PostgreSQL and a replica that streams from it. The binaries from npm have no pg_basebackup, so the
 * base backup is made as PostgreSQL's manual says it is done by hand ("Making a Base Backup Using the Low Level API").
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from '../postgres/supervisor.ts'

export type Pair = {
  readonly primary: { readonly adminUrl: string; readonly appUrl: string }
  /** Connects to the replica as the application. */
  readonly replicaUrl: string
  /** Does something at the replica as the owner. */
  atReplica(sql: string): Promise<void>
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  close(): Promise<void>
}

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function openPair(): Promise<Pair> {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-pair-'))
  fs.chmodSync(place, 0o711)
  const postgres = await startPostgres({ dataDir: path.join(place, 'primary'), unsafe: true, log: () => {} })
  const { adminUrl, appUrl } = postgres
  await migrate(adminUrl)
  const home = fs.realpathSync(path.join(place, 'primary', 'database'))
  const from = path.join(home, 'cluster')
  const to = `${from}-replica`
  const run = `${home}/run-replica`
  const admin = new URL(adminUrl)
  const socket = admin.searchParams.get('host') ?? ''
  const { uid, gid } = fs.statSync(from)

  await withClient(adminUrl, async client => {
    await client.query(`select pg_backup_start('test', true)`)
    fs.cpSync(from, to, {
      recursive: true,
      filter: source => !/^(pg_wal\/.|pg_replslot\/.|postmaster\.(pid|opts)$)/.test(path.relative(from, source)),
    })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    fs.writeFileSync(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  fs.writeFileSync(path.join(to, 'standby.signal'), '')
  const password = decodeURIComponent(admin.password)
  fs.appendFileSync(
    path.join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${socket} port=${admin.port} user=${admin.username} password=${password}'\n`,
  )
  fs.mkdirSync(run, { mode: 0o700 })
  owned(to, uid, gid)
  fs.chmodSync(to, 0o700)
  fs.chownSync(run, uid, gid)

  // the primary's own program, by the process that runs it
  const pid = Number(fs.readFileSync(path.join(from, 'postmaster.pid'), 'utf8').split('\n')[0])
  const program = fs.readlinkSync(`/proc/${pid}/exe`)
  const log = fs.openSync(path.join(place, 'replica.log'), 'a')
  const at = (url: string): string => {
    const there = new URL(url)
    there.searchParams.set('host', run)
    return there.href
  }
  let server: ChildProcess | undefined
  const replicaUrl = at(appUrl)
  const startReplica = async (): Promise<void> => {
    server = spawn(
      program,
      [
        '-D',
        to,
        '-c',
        `unix_socket_directories=${run}`,
        '-c',
        'listen_addresses=',
        '-c',
        `port=${admin.port}`,
        '-c',
        'fsync=off',
      ],
      { cwd: to, stdio: ['ignore', log, log], ...(process.getuid?.() === 0 && { uid, gid }) },
    )
    for (let tries = 0; ; tries++) {
      try {
        return await withClient(replicaUrl, async client => void (await client.query('select 1')))
      } catch (error) {
        if (tries > 200 || server.exitCode !== null)
          throw new Error(fs.readFileSync(path.join(place, 'replica.log'), 'utf8'), { cause: error })
        await pause(50)
      }
    }
  }
  const stopReplica = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
  await startReplica()
  return {
    primary: { adminUrl, appUrl },
    replicaUrl,
    atReplica: sql => withClient(at(adminUrl), async client => void (await client.query(sql))),
    startReplica,
    stopReplica,
    async close() {
      await stopReplica()
      fs.closeSync(log)
      await postgres.stop()
      fs.rmSync(home, { recursive: true, force: true })
      fs.rmSync(place, { recursive: true, force: true })
    },
  }
}

function owned(place: string, uid: number, gid: number): void {
  fs.chownSync(place, uid, gid)
  if (fs.statSync(place).isDirectory())
    for (const entry of fs.readdirSync(place)) owned(path.join(place, entry), uid, gid)
}
