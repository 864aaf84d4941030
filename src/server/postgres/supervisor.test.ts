import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  assertDurable,
  DataDirBusy,
  joinPostgres,
  type Postgres,
  type PostgresOptions,
  startPostgres,
} from './supervisor.ts'

const root = process.getuid?.() === 0

/** A data directory with a finished database, which most tests begin with: making one takes a second. */
let finished: string
let place: string
let started: Postgres[]
let said: string[]

beforeAll(async () => {
  finished = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-postgres-'))
  fs.chmodSync(finished, 0o755)
  await (await startPostgres({ dataDir: path.join(finished, 'data'), log: () => {}, unsafe: true })).stop()
})

afterAll(() => fs.rmSync(finished, { recursive: true }))

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-postgres-'))
  fs.chmodSync(place, 0o755)
  started = []
  said = []
})

afterEach(async () => {
  for (const postgres of started) await postgres.stop()
  const moved = path.join(place, 'closed', 'data', 'database')
  if (fs.existsSync(moved)) fs.rmSync(fs.realpathSync(moved), { recursive: true })
  fs.rmSync(place, { recursive: true, force: true })
})

const options = (more: Partial<PostgresOptions> = {}): PostgresOptions => ({
  dataDir: path.join(place, 'data'),
  log: sentence => said.push(sentence),
  unsafe: true,
  ...more,
})

/** Starts the database; `anew`: in a directory where there is none yet. */
async function start({ anew = false, ...more }: Partial<PostgresOptions> & { anew?: boolean } = {}): Promise<Postgres> {
  if (!anew) provide(options(more).dataDir)
  const postgres = await startPostgres(options(more))
  started.push(postgres)
  return postgres
}

/** Puts a copy of the finished database there, if there is none. */
function provide(dataDir: string): void {
  if (fs.existsSync(dataDir)) return
  fs.cpSync(path.join(finished, 'data'), dataDir, { recursive: true })
  const cluster = path.join('database', 'cluster')
  const { uid, gid } = fs.statSync(path.join(finished, 'data', cluster))
  for (const file of ['', ...fs.readdirSync(path.join(dataDir, cluster), { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(dataDir, cluster, file), uid, gid)
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 20_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const serverProcess = (dataDir = path.join(place, 'data')) =>
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
  const said = execFileSync('ps', ['-o', 'uid=,pgid=', '-p', String(pid)], { encoding: 'utf8' })
  const [uid = NaN, group = NaN] = said.trim().split(/\s+/).map(Number)
  return { uid, group }
}

/** A portal in a process of its own, that has committed one row and works on. */
async function portal(): Promise<{ pid: number; kill(): Promise<void> }> {
  provide(path.join(place, 'data'))
  const program = `
    import { startPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'supervisor.ts'))}
    import { Client } from 'pg'
    const postgres = await startPostgres({ dataDir: ${JSON.stringify(path.join(place, 'data'))}, log() {} })
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
  it('keeps what was written over a stop and a start', async () => {
    const first = await start()
    await ask(first.adminUrl, 'create table scan as select 7 as tyre')
    await first.stop()
    const second = await start()
    expect(await ask(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('is UTF-8 whatever the surroundings say', async () => {
    const before = process.env['LANG']
    process.env['LANG'] = 'C'
    try {
      const { adminUrl } = await start({ anew: true })
      expect(
        await ask(adminUrl, "select current_setting('server_encoding') as encoding, upper('é') as letter"),
      ).toEqual([{ encoding: 'UTF8', letter: 'É' }])
    } finally {
      if (before === undefined) delete process.env['LANG']
      else process.env['LANG'] = before
    }
  })

  it('gives the application a role that owns nothing and bypasses nothing', async () => {
    const { adminUrl, appUrl } = await start()
    await ask(adminUrl, 'create table secret as select 1 as fact')
    expect(
      await ask(
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
    await expect(ask(appUrl, 'select * from secret')).rejects.toThrow('permission denied')
  })

  it('lets nobody in without its password, and shows that to its owner only', async () => {
    const { adminUrl } = await start()
    await expect(ask(adminUrl.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    const keys = fs.statSync(path.join(place, 'data', 'database', 'cluster', 'keys.json'))
    expect(keys.mode & 0o777).toBe(0o600)
  })

  it('never runs as root, and in a process group that the terminal does not reach', async () => {
    await start()
    const { uid, group } = processOf(serverProcess())
    expect(uid).not.toBe(0)
    expect(uid === process.getuid?.()).toBe(!root)
    expect(group).toBe(serverProcess())
  })

  it('listens on no port unless it is given one', async () => {
    const { adminUrl } = await start()
    expect(await ask(adminUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  it('also listens on the port of the loopback that it is given', async () => {
    const port = 20_000 + (process.pid % 20_000)
    const { adminUrl } = await start({ port })
    const { password } = new URL(adminUrl)
    expect(await ask(`postgres://wheelhouse:${password}@127.0.0.1:${port}/wheelhouse`, 'select 1 as one')).toEqual([
      { one: 1 },
    ])
  })

  it('works in a data directory whose path is longer than a socket address', async () => {
    const dataDir = path.join(place, 'a'.repeat(60), 'b'.repeat(60))
    const { adminUrl } = await start({ dataDir })
    expect(await ask(adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses a second server on the same data directory, and tells who has it', async () => {
    const first = await portal()
    const refused = await startPostgres(options()).catch((error: unknown) => error)
    await first.kill()
    expect(refused).toBeInstanceOf(DataDirBusy)
    expect(String(refused)).toContain(`process ${first.pid} `)
    expect(String(refused)).toContain(path.join(place, 'data'))
  })

  it('refuses a second server in the same process, too', async () => {
    const first = await start()
    await expect(startPostgres(options())).rejects.toThrow(DataDirBusy)
    expect(await ask(first.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is joined by a command while a portal has it, and is left running by it', async () => {
    const first = await start()
    await ask(first.adminUrl, 'create table scan as select 7 as tyre')
    const joined = await joinPostgres(options())
    expect(await ask(joined.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
    expect(await ask(joined.appUrl, 'select current_user as me')).toEqual([{ me: 'wheelhouse_app' }])
    await joined.stop()
    expect(await ask(first.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('loses no committed row when its portal is killed, and the next start closes what it left running', async () => {
    const killed = await portal()
    const orphan = serverProcess()
    await killed.kill()
    expect(isAlive(orphan)).toBe(true)
    const { adminUrl } = await start({ unsafe: false })
    expect(serverProcess()).not.toBe(orphan)
    expect(await ask(adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
    expect(said.join()).toContain('ended by force')
  })

  it('loses no committed row when portal and database are killed together', async () => {
    const killed = await portal()
    process.kill(serverProcess(), 'SIGKILL')
    await killed.kill()
    const { adminUrl } = await start({ unsafe: false })
    expect(await ask(adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('starts when the portal was killed while it brought its killed database back', async () => {
    // The moment can't be hit on purpose: some rounds, each a little later.
    for (const delay of [0, 40]) {
      const killed = await portal()
      process.kill(serverProcess(), 'SIGKILL')
      await new Promise(resolve => setTimeout(resolve, delay))
      await killed.kill()
      const next = await start({ unsafe: false })
      expect(await ask(next.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
      await ask(next.adminUrl, 'drop table scan')
      await next.stop()
    }
  })

  it('comes back by itself when it is killed, at the same address', async () => {
    const { adminUrl } = await start({ unsafe: false })
    await ask(adminUrl, 'create table scan as select 7 as tyre')
    const first = serverProcess()
    process.kill(first, 'SIGKILL')
    const rows = await eventually(async () => {
      expect(serverProcess()).not.toBe(first)
      return ask(adminUrl, 'select tyre from scan')
    })
    expect(rows).toEqual([{ tyre: 7 }])
  })

  it('is stopped for good, also in the middle of coming back', async () => {
    const postgres = await start()
    process.kill(serverProcess(), 'SIGKILL')
    await eventually(async () => expect(said.join()).toContain('ended unexpectedly'))
    await postgres.stop()
    await expect(ask(postgres.adminUrl, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
    const left = fs.existsSync(path.join(place, 'data', 'database', 'cluster', 'postmaster.pid'))
    expect(left && isAlive(serverProcess())).toBe(false)
  })

  it('starts although the number of a dead server has gone to another process', async () => {
    const first = await start()
    await ask(first.adminUrl, 'create table scan as select 7 as tyre')
    const cluster = path.join(place, 'data', 'database', 'cluster')
    const left = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8')
    await first.stop()
    // Run by the database's own user: that of another user PostgreSQL doesn't mistake for a server.
    const { uid, gid } = fs.statSync(cluster)
    const other = spawn('sleep', ['60'], root ? { uid, gid } : {})
    try {
      fs.writeFileSync(path.join(cluster, 'postmaster.pid'), left.replace(/^\d+/, String(other.pid)))
      const second = await start()
      expect(await ask(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
      expect(other.exitCode ?? other.signalCode).toBeNull()
    } finally {
      other.kill()
    }
  })

  it('begins anew when its making was interrupted', async () => {
    fs.mkdirSync(path.join(place, 'data', 'database', 'cluster.new', 'base'), { recursive: true })
    const { adminUrl } = await start({ anew: true })
    expect(await ask(adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(root)('lives where its user can reach it when root keeps the data in a closed home', async () => {
    const closed = path.join(place, 'closed')
    fs.mkdirSync(closed, { mode: 0o700 })
    const dataDir = path.join(closed, 'data')
    const first = await start({ dataDir, anew: true })
    await ask(first.adminUrl, 'create table scan as select 7 as tyre')
    expect(said.join()).toContain(`${closed} is closed`)
    await first.stop()
    const second = await start({ dataDir })
    expect(await ask(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })

  it('takes an empty directory that only its owner enters', async () => {
    const dataDir = path.join(place, 'private')
    fs.mkdirSync(dataDir, { mode: 0o700 })
    await start({ dataDir, anew: true })
    expect(fs.lstatSync(path.join(dataDir, 'database')).isDirectory()).toBe(true)
  })

  it.runIf(root)('says which directory must be opened when its home was closed later', async () => {
    const dataDir = path.join(place, 'home', 'data')
    await (await start({ dataDir })).stop()
    fs.chmodSync(path.join(place, 'home'), 0o700)
    await expect(startPostgres(options({ dataDir }))).rejects.toThrow(`chmod o+x ${path.join(place, 'home')}`)
  })

  it.runIf(root)('takes back a cluster that root has restored from a copy', async () => {
    const first = await start()
    await ask(first.adminUrl, 'create table scan as select 7 as tyre')
    await first.stop()
    const cluster = path.join(place, 'data', 'database', 'cluster')
    execFileSync('chown', ['-R', '0:0', cluster])
    const second = await start()
    expect(await ask(second.adminUrl, 'select tyre from scan')).toEqual([{ tyre: 7 }])
  })
})

describe('a database that could lose acknowledged writes', () => {
  it('is refused, naming what is switched off', async () => {
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

  it('is refused at the start when somebody has switched it off', async () => {
    const first = await start({ unsafe: false })
    await ask(first.adminUrl, 'alter system set fsync = off')
    await first.stop()
    await expect(startPostgres(options({ unsafe: false }))).rejects.toThrow('fsync switched off')
    // Refused, it neither holds the directory nor leaves a server behind.
    const cluster = path.join(place, 'data', 'database', 'cluster')
    expect(fs.existsSync(path.join(cluster, 'postmaster.pid'))).toBe(false)
    fs.writeFileSync(path.join(cluster, 'postgresql.auto.conf'), '')
    await start({ unsafe: false })
  })

  it('is what a sound one is not', async () => {
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
