/**
 * `npm run drill:ha [-- --short]`: two portals on two PostgreSQL under Patroni, with the files of deploy/ha: etcd elects, HAProxy
 * finds the primary and the portals, PgBouncer pools. The primary is killed repeatedly under sixteen writers; every
 * acknowledged write must be on the new primary. Measures how long no write was acknowledged.
 *
 * Needs Debian's patroni, python3-psycopg2, haproxy, pgbouncer, etcd-server and postgresql-15.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { applicationRole, freePort } from '../src/server/postgres/connection.ts'
import { escapesOf } from '../src/server/testing/escapes.ts'
import { tally, type Tally } from './drill.ts'
import { Writers } from './kills.ts'

const programs = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
}
const packages = 'patroni python3-psycopg2 haproxy pgbouncer etcd-server postgresql-15'
const files = new URL('../deploy/ha/', import.meta.url)

const log = (sentence: string): void => console.error(`    ha: ${sentence}`)

/** Values for `${…}` in a file of deploy/ha; a missing one is a mistake of the file or of this drill. */
function filled(file: string, values: Readonly<Record<string, string | number>>): string {
  return readFileSync(new URL(file, files), 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} asks for ${name}`)
    return String(value)
  })
}

/** PostgreSQL and PgBouncer refuse root: Debian's user for them. */
function debianUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

const user = debianUser()
const running = new Set<ChildProcess>()

/** Runs a program as the database's user until it is ended; its output goes into a file. */
function start(
  directory: string,
  name: string,
  program: string,
  words: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const out = openSync(join(directory, `${name}.log`), 'a')
  const child = spawn(program, words, {
    cwd: directory,
    // Debian's Python programs must use Debian's Python
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: directory, ...env },
    stdio: ['ignore', out, out],
    ...user,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

/** A machine of the database: Patroni and the PostgreSQL that it runs. */
class Machine {
  readonly name: string
  readonly address = '127.0.0.1'
  readonly port: number
  readonly api: number
  readonly dir: string
  readonly #place: string
  #patroni: ChildProcess | undefined
  constructor(directory: string, name: string, ports: { port: number; api: number }) {
    this.name = name
    this.#place = directory
    this.dir = join(directory, name)
    this.port = ports.port
    this.api = ports.api
    mkdirSync(this.dir, { mode: 0o700 })
    if (user) chownSync(this.dir, user.uid, user.gid)
  }
  writeConfig(values: Readonly<Record<string, string | number>>): void {
    const file = filled('patroni.yml', {
      ...values,
      NODE: this.name,
      ADDRESS: this.address,
      PATRONI_PORT: this.api,
      POSTGRES_PORT: this.port,
      DATA: join(this.dir, 'data'),
      RUN: this.dir,
    })
    writeFileSync(join(this.dir, 'patroni.yml'), file)
  }
  start(): void {
    this.#patroni = start(this.#place, this.name, programs.patroni, [join(this.dir, 'patroni.yml')])
  }
  /** Every process of it, Patroni first. */
  processes({ postgresOnly = false } = {}): number[] {
    const data = join(this.dir, 'data')
    const own = readdirSync('/proc').filter(entry => {
      try {
        return /^\d+$/.test(entry) && readlinkSync(`/proc/${entry}/cwd`) === data
      } catch {
        return false
      }
    })
    const patroni = this.#patroni?.pid
    return [...(patroni !== undefined && !postgresOnly ? [patroni] : []), ...own.map(Number)]
  }
  signal(signal: NodeJS.Signals, options: { postgresOnly?: boolean } = {}): void {
    for (const pid of this.processes(options)) {
      try {
        process.kill(pid, signal)
      } catch {
        // it has just ended
      }
    }
  }
  /** Its view of the cluster, `null` when it does not answer. */
  async members(): Promise<Member[] | null> {
    try {
      const reply = await fetch(`http://${this.address}:${this.api}/cluster`, { signal: AbortSignal.timeout(2000) })
      return ((await reply.json()) as { members: Member[] }).members
    } catch {
      return null
    }
  }
}

/** Waits for a condition. @throws Error when it is not met in time */
async function until<T>(what: string, seconds: number, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await pause(100)) {
    const answer = await ask()
    if (answer) return answer
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** How the primary fails. */
const failureModes = {
  machine: 'its machine ends at once (kill -9 of Patroni and PostgreSQL)',
  frozen: 'its machine freezes (SIGSTOP) and resumes after a failover',
  postgres: 'PostgreSQL ends at once (kill -9), Patroni lives',
} as const
type Way = keyof typeof failureModes

function startEtcd(directory: string, etcdPort: number, etcdPeer: number): void {
  const etcdAt = `http://127.0.0.1:${etcdPort}`
  const peerAt = `http://127.0.0.1:${etcdPeer}`
  const election = {
    name: 'one',
    'data-dir': join(directory, 'etcd'),
    'listen-client-urls': etcdAt,
    'advertise-client-urls': etcdAt,
    'listen-peer-urls': peerAt,
    'initial-advertise-peer-urls': peerAt,
    'initial-cluster': `one=${peerAt}`,
  }
  start(
    directory,
    'etcd',
    programs.etcd,
    Object.entries(election).flatMap(([flag, value]) => [`--${flag}`, value]),
  )
}

type Login = { readonly name: string; readonly password: string }

function startPgBouncer(
  directory: string,
  nth: number,
  { port, primaryPort, owner, application }: { port: number; primaryPort: number; owner: Login; application: Login },
): void {
  const dir = join(directory, `pgbouncer-${nth}`)
  mkdirSync(dir)
  writeFileSync(
    join(dir, 'userlist.txt'),
    [owner, application].map(({ name, password }) => `"${name}" "${password}"\n`).join(''),
  )
  const values = {
    DATABASE: owner.name,
    PRIMARY_ADDRESS: '127.0.0.1',
    PRIMARY_PORT: primaryPort,
    ADDRESS: '127.0.0.1',
    PGBOUNCER_PORT: port,
    RUN: dir,
  }
  writeFileSync(join(dir, 'pgbouncer.ini'), filled('pgbouncer.ini', values))
  start(directory, `pgbouncer-${nth}`, programs.pgbouncer, [join(dir, 'pgbouncer.ini')])
}

/** Waits for a primary and a synchronous standby. Returns the primary's name. */
const waitForSync = (first: Machine, second: Machine, seconds: number): Promise<string> =>
  until('a primary and a synchronous standby', seconds, async () => {
    const members = (await first.members()) ?? (await second.members())
    const leader = leaderOf(members)
    return (
      leader && members?.some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state)) && leader
    )
  })

async function acknowledges(ledger: Writers['ledger']): Promise<void> {
  const before = ledger.acknowledged
  await until('writes are acknowledged again', 90, async () => ledger.acknowledged > before)
}

/** Fails the primary in this mode and restarts its machine. Returns how long no write was acknowledged, in ms. */
async function failPrimary(
  round: string,
  mode: Way,
  { machine, survivor }: { machine: Machine; survivor: Machine },
  writers: Writers,
  checks: Tally,
): Promise<number> {
  const { ledger } = writers
  const gapTimer = measureGap(ledger)
  if (mode === 'frozen') machine.signal('SIGSTOP')
  else machine.signal('SIGKILL', { postgresOnly: mode === 'postgres' })
  await until('another primary', 60, async () => {
    const leader = leaderOf(await survivor.members())
    // while Patroni runs it may be the same machine again
    return leader === survivor.name || (mode === 'postgres' && leader !== null && ledger.acknowledged > gapTimer.before)
  })
  await acknowledges(ledger)
  await pause(500)
  const gapMs = gapTimer.stop()
  await writers.verify(`${round}: ${failureModes[mode]}`, checks)
  log(
    `${round}: ${failureModes[mode]}: nothing acknowledged for ${(gapMs / 1000).toFixed(1)} s, ${ledger.acknowledged} acknowledged so far`,
  )
  if (mode === 'frozen') {
    machine.signal('SIGCONT')
    await pause(3000)
    await writers.verify(`${round}: after it resumed`, checks)
  } else if (mode === 'machine') {
    await until('its processes are gone', 20, async () => machine.processes({ postgresOnly: true }).length === 0)
    machine.start()
  }
  return gapMs
}

/** The last lines of every program's output, for diagnosis. */
function printLogs(directory: string, portals: readonly Portal[]): void {
  for (const name of ['etcd', 'one', 'two', 'haproxy', 'pgbouncer-0']) {
    const file = join(directory, `${name}.log`)
    if (existsSync(file)) console.error(`---- ${name}\n${readFileSync(file, 'utf8').split('\n').slice(-12).join('\n')}`)
  }
  for (const portal of portals) console.error(portal.output.slice(-5).join(''))
}

/** Tries to get out of the role that the portals log in as: through each pooler, at the primary and at the replica. */
async function checkLogins(urls: readonly string[], primaryUrl: string, checks: Tally): Promise<void> {
  for (const url of urls) {
    const ways = await escapesOf(url, 'customer', ['wheelhouse', 'postgres', 'replicator'])
    const { port } = new URL(url)
    checks.check(`no statement leads out of the role at port ${port}`, ways.length > 0 ? ways.join(', ') : null)
  }
  const users = await withClient(primaryUrl, async client => {
    const { rows } = await client.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity where application_name = 'wheelhouse'`,
    )
    return rows.map(({ usename }) => usename).join(', ')
  })
  checks.check('the portals log in as nobody else', users === applicationRole ? null : users)
}

async function run({ short }: { short: boolean }): Promise<number> {
  const missing = Object.values(programs).filter(program => !existsSync(program))
  if (missing.length > 0) {
    console.error(`Not here: ${missing.join(', ')}. On Debian: apt-get install ${packages}`)
    return 1
  }
  const kills: readonly Way[] = short
    ? ['machine', 'frozen']
    : ['machine', 'frozen', 'postgres', 'machine', 'frozen', 'postgres']
  const checks = tally(log)
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-ha-'))
  chmodSync(directory, 0o755)
  if (user) chownSync(directory, user.uid, user.gid)
  const portals: Portal[] = []
  const machines: Machine[] = []
  let writers: Writers | undefined
  const gaps: number[] = []
  try {
    const { etcdPort, etcdPeer, primaryPort, replicaPort, portalPort, pooler, other } = await ports(
      'etcdPort',
      'etcdPeer',
      'primaryPort',
      'replicaPort',
      'portalPort',
      'pooler',
      'other',
    )
    const { portOne, apiOne, portTwo, apiTwo } = await ports('portOne', 'apiOne', 'portTwo', 'apiTwo')
    const first = new Machine(directory, 'one', { port: portOne, api: apiOne })
    const second = new Machine(directory, 'two', { port: portTwo, api: apiTwo })
    machines.push(first, second)
    const secret = 'of-this-drill-only'
    const owner = { name: 'wheelhouse', password: secret }
    const application = { name: applicationRole, password: `${secret}-either` }

    startEtcd(directory, etcdPort, etcdPeer)
    for (const machine of machines)
      machine.writeConfig({
        ETCD: `127.0.0.1:${etcdPort}`,
        SUPERUSER_PASSWORD: secret,
        REPLICATION_PASSWORD: secret,
        REWIND_PASSWORD: secret,
        SHARED_BUFFERS: '512MB',
        NETWORK: '127.0.0.1/32',
      })
    first.start()
    await until('the first machine is the primary', 90, async () => leaderOf(await first.members()))
    second.start()
    const whole = (seconds: number) => waitForSync(first, second, seconds)
    await whole(90)
    await withClient(`postgres://postgres:${secret}@127.0.0.1:${portOne}/postgres`, async client => {
      await client.query(
        `create role ${application.name} login password '${application.password}';
         create role ${owner.name} login password '${owner.password}' in role ${application.name}`,
      )
      await client.query(`create database ${owner.name} owner ${owner.name} encoding 'UTF8' template template0`)
    })

    // HAProxy gets the addresses of the portals before they start
    const { portalOne, portalTwo } = await ports('portalOne', 'portalTwo')
    writeFileSync(
      join(directory, 'haproxy.cfg'),
      filled('haproxy.cfg', {
        HAPROXY_ADDRESS: '127.0.0.1',
        PRIMARY_PORT: primaryPort,
        REPLICA_PORT: replicaPort,
        PORTAL_PORT: portalPort,
        ADDRESS_ONE: first.address,
        POSTGRES_PORT_ONE: first.port,
        PATRONI_PORT_ONE: first.api,
        ADDRESS_TWO: second.address,
        POSTGRES_PORT_TWO: second.port,
        PATRONI_PORT_TWO: second.api,
        PORTAL_ONE: `127.0.0.1:${portalOne}`,
        PORTAL_TWO: `127.0.0.1:${portalTwo}`,
      }),
    )
    start(directory, 'haproxy', programs.haproxy, ['-db', '-f', join(directory, 'haproxy.cfg')])
    for (const [nth, port] of [pooler, other].entries())
      startPgBouncer(directory, nth, { port, primaryPort, owner, application })
    const urlOf = ({ name, password }: Login, port: number): string =>
      `postgres://${name}:${password}@127.0.0.1:${port}/${owner.name}`
    const primaryUrl = urlOf(owner, primaryPort)
    const replicaUrl = urlOf(owner, replicaPort)
    await until('HAProxy finds the primary', 20, () => withClient(primaryUrl, async () => true).catch(() => null))
    for (const [nth, [at, port]] of (
      [
        [portalOne, pooler],
        [portalTwo, other],
      ] as const
    ).entries())
      portals.push(
        await openPortal({
          DATABASE_URL: urlOf(owner, port),
          DATABASE_APP_URL: urlOf(application, port),
          DATABASE_READ_URL: replicaUrl,
          DATABASE_POOL: '12',
          DATA_DIR: join(directory, `portal-${nth}`),
          PORT: String(at),
          // `npm start` validates answers against the contract; production does not
          LOG_LEVEL: 'warn',
          TRUST_PROXY: '1',
        }),
      )
    const url = `http://localhost:${portalPort}`
    await until('HAProxy finds the portals', 20, () =>
      fetch(`${url}/health/ready`).then(
        reply => reply.ok,
        () => null,
      ),
    )

    await checkLogins(
      [pooler, other, primaryPort, replicaPort].map(port => urlOf(application, port)),
      primaryUrl,
      checks,
    )

    const asOwner: Portal['asOwner'] = work =>
      withClient(primaryUrl, async client => {
        await client.query(`select set_config('app.scope', 'system', false), set_config('app.site', '1', false)`)
        return work(client)
      })
    writers = new Writers({
      url,
      asOwner,
      sql: (text, values = []) => asOwner(async client => (await client.query(text, [...values])).rows),
    })
    await writers.start()
    const { ledger } = writers
    await acknowledges(ledger)
    log(`sixteen write; the primary is ${await whole(10)}`)

    for (const [nth, mode] of kills.entries()) {
      await pause(1500)
      const leader = await whole(120)
      const machine = leader === first.name ? first : second
      gaps.push(
        await failPrimary(
          `${nth + 1}`,
          mode,
          { machine, survivor: machine === first ? second : first },
          writers,
          checks,
        ),
      )
    }

    await whole(120)
    const gapTimer = measureGap(ledger)
    await portals[0]?.kill()
    await acknowledges(ledger)
    await pause(1500)
    log(`a portal is killed: no write acknowledged for ${(gapTimer.stop() / 1000).toFixed(1)} s`)
    await portals[0]?.start()
    await writers.stop()
    await writers.verify('the end', checks)
    checks.add(ledger.acknowledged, writers.refusals)
    await writers.proveChecks(checks)
    const { tried, failed } = checks.result()
    const seconds = gaps.map(gapMs => (gapMs / 1000).toFixed(1))
    console.log(
      `primary ended ${kills.length} times under 16 writers, 2 portals: ${ledger.acknowledged} acknowledged writes, ${tried} tried, ${failed} failed; nothing acknowledged for ${seconds.join(', ')} s`,
    )
    return failed > 0 ? 1 : 0
  } catch (error) {
    console.error(error)
    printLogs(directory, portals)
    return 1
  } finally {
    await writers?.stop().catch(() => {})
    for (const portal of portals) await portal.kill()
    for (const machine of machines) {
      machine.signal('SIGCONT')
      machine.signal('SIGKILL')
    }
    await Promise.all([...running].map(child => end(child)))
    await pause(300)
    if (process.env['KEEP'] === undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

const leaderOf = (members: readonly Member[] | null): string | null =>
  members?.find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null

/** Different free ports of the loopback. */
async function ports<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const distinct = new Set<number>()
  while (distinct.size < names.length) distinct.add(await freePort())
  const free = [...distinct]
  return Object.fromEntries(names.map((name, nth) => [name, free[nth]])) as Record<Name, number>
}

/** Measures the longest time without an acknowledged write, in ms. */
function measureGap(ledger: Writers['ledger']): { readonly before: number; stop(): number } {
  const before = ledger.acknowledged
  let last = performance.now()
  let seen = before
  let longest = 0
  const sample = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    if (ledger.acknowledged === seen) return
    seen = ledger.acknowledged
    last = now
  }
  const timer = setInterval(sample, 20)
  return {
    before,
    stop() {
      clearInterval(timer)
      sample()
      return longest
    },
  }
}

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
process.exitCode = await run(values)
