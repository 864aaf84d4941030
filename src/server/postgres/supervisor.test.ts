import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assertDurable } from './connection.ts'
import { canMount, mount } from '../testing/mounts.ts'
import { stateOf } from './server.ts'
import { DataDirBusy } from './startup.ts'
import { joinPostgres, type Postgres, type PostgresOptions, startPostgres } from './supervisor.ts'

const isRoot = process.getuid?.() === 0

/** A data directory with a finished database, which most tests start from: creating one takes a second. */
let finished: string
let dir: string
let started: Postgres[]
let logged: string[]

beforeAll(async () => {
  finished = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-postgres-'))
  fs.chmodSync(finished, 0o755)
  await (await startPostgres({ dataDir: path.join(finished, 'data'), log: () => {}, unsafe: true })).stop()
})

afterAll(() => fs.rmSync(finished, { recursive: true }))

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-postgres-'))
  fs.chmodSync(dir, 0o755)
  started = []
  logged = []
})

afterEach(async () => {
  for (const postgres of started) await postgres.stop()
  const moved = path.join(dir, 'closed', 'data', 'database')
  if (fs.existsSync(moved)) fs.rmSync(fs.realpathSync(moved), { recursive: true })
  fs.rmSync(dir, { recursive: true, force: true })
})

const options = (more: Partial<PostgresOptions> = {}): PostgresOptions => ({
  dataDir: path.join(dir, 'data'),
  log: message => logged.push(message),
  unsafe: true,
  ...more,
})

/** Starts the database; `fresh`: in a directory that has none yet. */
async function start({
  fresh = false,
  ...more
}: Partial<PostgresOptions> & { fresh?: boolean } = {}): Promise<Postgres> {
  if (!fresh) copyFinished(options(more).dataDir)
  const postgres = await startPostgres(options(more))
  started.push(postgres)
  return postgres
}

/** Copies the finished database there, if there is none. */
function copyFinished(dataDir: string): void {
  if (fs.existsSync(dataDir)) return
  fs.cpSync(path.join(finished, 'data'), dataDir, { recursive: true })
  const cluster = path.join('database', 'cluster')
  const { uid, gid } = fs.statSync(path.join(finished, 'data', cluster))
  for (const file of ['', ...fs.readdirSync(path.join(dataDir, cluster), { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(dataDir, cluster, file), uid, gid)
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 120_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const serverProcess = (dataDir = path.join(dir, 'data')) =>
  Number(fs.readFileSync(path.join(dataDir, 'database', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** User and process group of a process; minimal Linux systems have no ps. */
function processOf(pid: number): { uid: number; group: number } {
  if (process.platform === 'linux') {
    const afterName = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
    return { uid: fs.statSync(`/proc/${pid}`).uid, group: Number(afterName.split(' ')[2]) }
  }
  const output = execFileSync('ps', ['-o', 'uid=,pgid=', '-p', String(pid)], { encoding: 'utf8' })
  const [uid = NaN, group = NaN] = output.trim().split(/\s+/).map(Number)
  return { uid, group }
}

/** A portal in a process of its own, which has committed one row and keeps running. */
async function portal(): Promise<{ pid: number; kill(): Promise<void> }> {
  copyFinished(path.join(dir, 'data'))
  const program = `
    import { startPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'supervisor.ts'))}
    import { Client } from 'pg'
    const postgres = await startPostgres({ dataDir: ${JSON.stringify(path.join(dir, 'data'))}, log() {} })
    const client = new Client({ connectionString: postgres.adminUrl })
    client.on('error', () => {})
    await client.connect()
    await client.query('create table scan as select 7 as tyre')
    console.log('committed')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the portal did not start')))
  await Promise.race([once(child.stdout, 'data'), failed])
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps what was written across a stop and a start', async () => {
    const first = await start()
    await query(first.adminUrl, 'create table scan as select 7 as tyre')
    await first.stop()
    const second = await start()
    expect(await query(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it.skipIf(process.platform === 'win32')('gives way to the portal', async () => {
    await start()
    expect(os.getPriority(serverProcess())).toBe(os.getPriority() + 5)
  })

  it('is UTF-8 whatever the environment says', { tags: 'whole' }, async () => {
    const before = process.env['LANG']
    process.env['LANG'] = 'C'
    try {
      const { adminUrl } = await start({ fresh: true })
      expect(
        await query(adminUrl, "select current_setting('server_encoding') as encoding, upper('é') as letter"),
      ).toEqual([{ encoding: 'UTF8', letter: 'É' }])
    } finally {
      if (before === undefined) delete process.env['LANG']
      else process.env['LANG'] = before
    }
  })

  it('gives the application a role that owns nothing and bypasses nothing', async () => {
    const { adminUrl, appUrl } = await start()
    await query(adminUrl, 'create table secret as select 1 as fact')
    expect(
      await query(
        appUrl,
        `select current_user as me, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
                (select count(*)::int from pg_class where relowner = r.oid) as owned
           from pg_roles r where rolname = current_user`,
      ),
    ).toEqual([
      {
        me: 'wheelhouse_app',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        owned: 0,
      },
    ])
    await expect(query(appUrl, 'select * from secret')).rejects.toThrow('permission denied')
  })

  it('needs a password, which only its owner can read', async () => {
    const { adminUrl } = await start()
    await expect(query(adminUrl.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    const keys = fs.statSync(path.join(dir, 'data', 'database', 'cluster', 'keys.json'))
    expect(keys.mode & 0o777).toBe(0o600)
  })

  it('never runs as root, and in a process group that the terminal does not reach', async () => {
    await start()
    const { uid, group } = processOf(serverProcess())
    expect(uid).not.toBe(0)
    expect(uid === process.getuid?.()).toBe(!isRoot)
    expect(group).toBe(serverProcess())
  })

  it('listens on no port unless it is given one', async () => {
    const { adminUrl } = await start()
    expect(await query(adminUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  it('also listens on the port of the loopback that it is given', async () => {
    const port = 20_000 + (process.pid % 20_000)
    const { adminUrl } = await start({ port })
    const { password } = new URL(adminUrl)
    expect(await query(`postgres://wheelhouse:${password}@127.0.0.1:${port}/wheelhouse`, 'select 1 as one')).toEqual([
      { one: 1 },
    ])
  })

  it('works in a data directory whose path is longer than a socket address', async () => {
    const dataDir = path.join(dir, 'a'.repeat(60), 'b'.repeat(60))
    const { adminUrl } = await start({ dataDir })
    expect(await query(adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses a second server on the same data directory, and says who has it', async () => {
    const first = await portal()
    const refused = await startPostgres(options()).catch((error: unknown) => error)
    await first.kill()
    expect(refused).toBeInstanceOf(DataDirBusy)
    expect(String(refused)).toContain(`process ${first.pid} `)
    expect(String(refused)).toContain(path.join(dir, 'data'))
  })

  it('refuses it at once, and waits only for one that is stopping', async () => {
    const first = await start()
    const begun = performance.now()
    await expect(startPostgres(options())).rejects.toThrow(DataDirBusy)
    // not the three seconds that a stopping one gets
    expect(performance.now() - begun).toBeLessThan(2000)
    const stopping = first.stop()
    const second = await startPostgres(options())
    await stopping
    await second.stop()
  })

  it('takes back a first start that is interrupted, while it creates its files and while it starts', async () => {
    for (const stage of ['creates', 'starts']) {
      const dataDir = path.join(dir, stage)
      const interrupting = new AbortController()
      const database = path.join(dataDir, 'database')
      const starting = startPostgres(options({ dataDir, signal: interrupting.signal }))
      starting.catch(() => {})
      const begun = stage === 'creates' ? path.join(database, 'cluster.new', 'base') : path.join(database, 'cluster')
      while (!fs.existsSync(begun)) await new Promise(resolve => setTimeout(resolve, 5))
      interrupting.abort(new Error('interrupted'))
      await expect(starting).rejects.toThrow()
      const files = fs.readdirSync(database)
      expect(files).not.toContain('cluster.new')
      expect(files).not.toContain('password')
      expect(fs.existsSync(path.join(database, 'cluster', 'postmaster.pid'))).toBe(false)
      if (process.platform === 'linux') {
        const workingIn = fs.readdirSync('/proc').filter(pid => {
          try {
            return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(database)
          } catch {
            return false
          }
        })
        expect(workingIn).toEqual([])
      }
      // the next one finds nothing in its way
      await (await startPostgres(options({ dataDir }))).stop()
    }
  })

  it.runIf(canMount)('says that a data directory is on a file system that is read-only', async () => {
    const mounted = path.join(dir, 'mounted')
    fs.mkdirSync(mounted)
    const unmount = mount(mounted, 'ro')
    try {
      for (const dataDir of [mounted, path.join(mounted, 'new', 'data')])
        await expect(startPostgres(options({ dataDir }))).rejects.toThrow(
          /\(DATA_DIR\) is on a file system that is mounted read-only\. Mount it for writing/,
        )
    } finally {
      unmount()
    }
  })

  it('says that a data directory is a file', async () => {
    const file = path.join(dir, 'file')
    fs.writeFileSync(file, '')
    for (const dataDir of [file, path.join(file, 'data')])
      await expect(startPostgres(options({ dataDir }))).rejects.toThrow(/\(DATA_DIR\) is a file/)
  })

  it('says of a server that is not ready only what its log says', () => {
    expect(stateOf('LOG:  starting PostgreSQL 18.4\n')).toContain('is still starting')
    expect(
      stateOf(
        'LOG:  database system was not properly shut down; automatic recovery in progress\nLOG:  redo starts at 0/1\n',
      ),
    ).toContain('is recovering from a crash')
  })

  it('also refuses a second server in the same process', { tags: 'whole' }, async () => {
    const first = await start()
    await expect(startPostgres(options())).rejects.toThrow(DataDirBusy)
    expect(await query(first.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is used by a command while a portal runs it, and left running', async () => {
    const first = await start()
    await query(first.adminUrl, 'create table scan as select 7 as tyre')
    const joined = await joinPostgres(options())
    expect(await query(joined.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
    expect(await query(joined.appUrl, 'select current_user as me')).toEqual([{ me: 'wheelhouse_app' }])
    await joined.stop()
    expect(await query(first.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('loses no committed row when its portal is killed, and the next start stops the orphaned server', async () => {
    const killed = await portal()
    const orphan = serverProcess()
    await killed.kill()
    expect(isAlive(orphan)).toBe(true)
    const { adminUrl } = await start({ unsafe: false })
    expect(serverProcess()).not.toBe(orphan)
    expect(await query(adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
    expect(logged.join()).toContain('ended by force')
  })

  it('loses no committed row when portal and database are killed together', { tags: 'whole' }, async () => {
    const killed = await portal()
    process.kill(serverProcess(), 'SIGKILL')
    await killed.kill()
    const { adminUrl } = await start({ unsafe: false })
    expect(await query(adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('starts when the portal was killed while it restarted its killed database', { tags: 'whole' }, async () => {
    // The exact moment can't be chosen: some rounds, each a little later.
    for (const delay of [0, 40]) {
      const killed = await portal()
      process.kill(serverProcess(), 'SIGKILL')
      await new Promise(resolve => setTimeout(resolve, delay))
      await killed.kill()
      const next = await start({ unsafe: false })
      expect(await query(next.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
      await query(next.adminUrl, 'drop table scan')
      await next.stop()
    }
  })

  it('restarts when it is killed, at the same address', async () => {
    const { adminUrl } = await start({ unsafe: false })
    await query(adminUrl, 'create table scan as select 7 as tyre')
    const first = serverProcess()
    process.kill(first, 'SIGKILL')
    const rows = await eventually(async () => {
      expect(serverProcess()).not.toBe(first)
      return query(adminUrl, 'select tyre from scan')
    })
    expect(rows).toEqual([{ tyre: 7 }])
  })

  it('is stopped for good, also in the middle of a restart', async () => {
    const postgres = await start()
    process.kill(serverProcess(), 'SIGKILL')
    await eventually(async () => expect(logged.join()).toContain('ended unexpectedly'))
    await postgres.stop()
    await expect(query(postgres.adminUrl, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
    const left = fs.existsSync(path.join(dir, 'data', 'database', 'cluster', 'postmaster.pid'))
    expect(left && isAlive(serverProcess())).toBe(false)
  })

  it('starts although another process has got the id of a dead server', async () => {
    const first = await start()
    await query(first.adminUrl, 'create table scan as select 7 as tyre')
    const cluster = path.join(dir, 'data', 'database', 'cluster')
    const left = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8')
    await first.stop()
    // Run by the database's own user: PostgreSQL doesn't mistake a process of another user for a server.
    const { uid, gid } = fs.statSync(cluster)
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
    try {
      fs.writeFileSync(path.join(cluster, 'postmaster.pid'), left.replace(/^\d+/, String(other.pid)))
      const second = await start()
      expect(await query(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
      expect(other.exitCode ?? other.signalCode).toBeNull()
    } finally {
      other.kill()
    }
  })

  it('starts over when its creation was interrupted', { tags: 'whole' }, async () => {
    fs.mkdirSync(path.join(dir, 'data', 'database', 'cluster.new', 'base'), { recursive: true })
    const { adminUrl } = await start({ fresh: true })
    expect(await query(adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot)(
    'is stored where its user can reach it when root keeps the data in a closed directory',
    { tags: 'whole' },
    async () => {
      const closed = path.join(dir, 'closed')
      fs.mkdirSync(closed, { mode: 0o700 })
      const dataDir = path.join(closed, 'data')
      const first = await start({ dataDir, fresh: true })
      await query(first.adminUrl, 'create table scan as select 7 as tyre')
      expect(logged.join()).toContain(`${closed} is closed`)
      await first.stop()
      const second = await start({ dataDir })
      expect(await query(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
    },
  )

  it('uses an empty directory that only its owner can enter', { tags: 'whole' }, async () => {
    const dataDir = path.join(dir, 'private')
    fs.mkdirSync(dataDir, { mode: 0o700 })
    await start({ dataDir, fresh: true })
    expect(fs.lstatSync(path.join(dataDir, 'database')).isDirectory()).toBe(true)
  })

  it.runIf(isRoot)('says which directory must be opened when one was closed later', async () => {
    const dataDir = path.join(dir, 'home', 'data')
    await (await start({ dataDir })).stop()
    fs.chmodSync(path.join(dir, 'home'), 0o700)
    await expect(startPostgres(options({ dataDir }))).rejects.toThrow(`chmod o+x ${path.join(dir, 'home')}`)
  })

  it.runIf(isRoot)('uses a cluster that root has restored from a copy', async () => {
    const first = await start()
    await query(first.adminUrl, 'create table scan as select 7 as tyre')
    await first.stop()
    const cluster = path.join(dir, 'data', 'database', 'cluster')
    execFileSync('chown', ['-R', '0:0', cluster])
    const second = await start()
    expect(await query(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })
})

describe('a database that could lose acknowledged writes', () => {
  it('is refused, with the settings that are switched off', async () => {
    const { appUrl } = await start()
    const client = new Client({ connectionString: appUrl })
    await client.connect()
    try {
      await expect(assertDurable(client)).rejects.toThrow('fsync, full_page_writes, synchronous_commit switched off')
      await expect(assertDurable(client, { unsafe: true })).resolves.toBeUndefined()
      await client.query('set synchronous_commit = on')
      await expect(assertDurable(client)).rejects.toThrow('fsync, full_page_writes switched off')
    } finally {
      await client.end()
    }
  })

  it('is refused at the start when a setting was switched off', { tags: 'whole' }, async () => {
    const first = await start({ unsafe: false })
    await query(first.adminUrl, 'alter system set fsync = off')
    await first.stop()
    await expect(startPostgres(options({ unsafe: false }))).rejects.toThrow('fsync switched off')
    // It neither holds the directory nor leaves a server behind.
    const cluster = path.join(dir, 'data', 'database', 'cluster')
    expect(fs.existsSync(path.join(cluster, 'postmaster.pid'))).toBe(false)
    fs.writeFileSync(path.join(cluster, 'postgresql.auto.conf'), '')
    await start({ unsafe: false })
  })

  it('is not one with all settings on', async () => {
    const { appUrl } = await start({ unsafe: false })
    const client = new Client({ connectionString: appUrl })
    await client.connect()
    try {
      await expect(assertDurable(client)).resolves.toBeUndefined()
    } finally {
      await client.end()
    }
  })
})
