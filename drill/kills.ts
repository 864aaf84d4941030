/**
 * docs/promises.md "Durability": the server and its database are killed at random moments under sixteen writers. Every acknowledged
 * write is there afterwards, and none is there in part.
 */
import { randomInt, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addDays, today } from '#domain/texts/date.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import {
  answerOf,
  addVehicle,
  readySite,
  selectBasics,
  Stopped,
  signIn,
  type Client,
  type Basics,
} from './portalClient.ts'
import { violations, openLedger, rules, isDetected, type Ledger } from './ledger.ts'
import { openDisk, type Disk } from './powerCut.ts'

export const promise = 10
export const summary = 'kill -9 under 16 writers: no acknowledged write is lost'
export const long = true

const writerCount = 16

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const times = short ? { server: 3, database: 2, power: 1 } : { server: 100, database: 30, power: 5 }
  const checks = tally(log)
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-drill-'))
  // the user of the database needs to pass through it
  chmodSync(directory, 0o711)
  const disk = await openDisk(directory)
  const dataDir = 'why' in disk ? join(directory, 'data') : disk.dir
  const portal = await openPortal({ DATA_DIR: dataDir })
  const writers = new Writers(portal)
  try {
    await writers.start()
    for (let nth = 1; nth <= times.server; nth++) {
      await pause(randomInt(50, 1200))
      await portal.kill()
      await portal.start()
      if (nth % 10 === 0 || nth === times.server) await writers.verify(`kill ${nth} of the server`, checks)
      else checks.check(`kill ${nth} of the server`, null)
    }
    for (let nth = 1; nth <= times.database; nth++) {
      await pause(randomInt(50, 1200))
      // the postmaster, one of its processes, which takes down all others, or all at once
      killDatabase(dataDir, (['server', 'process', 'all'] as const)[nth % 3] ?? 'all')
      await ready(portal)
      if (nth % 10 === 0 || nth === times.database) await writers.verify(`kill ${nth} of the database`, checks)
      else checks.check(`kill ${nth} of the database`, null)
    }
    for (let nth = 1; nth <= times.power; nth++) {
      await pause(randomInt(300, 2500))
      await cutPower(portal, disk, directory)
      await portal.start()
      await writers.verify(`power cut ${nth}`, checks)
    }
    await writers.stop()
    await writers.verify('the end', checks)
    checks.add(writers.ledger.acknowledged, writers.refusals)
    await writers.proveChecks(checks)
    await refusedStarts(portal, dataDir, checks)
    if (!('why' in disk)) await lostWithoutSync(portal, disk, directory, checks)
    return checks.result(
      `${times.server} kills of the server, ${times.database} of PostgreSQL, ${times.power} power cuts, ${writers.ledger.acknowledged} acknowledged writes, ${rules.length} rules of the records`,
      'why' in disk
        ? `no loop mount here (${disk.why}): instead of power cuts, all processes are killed and the directory is copied`
        : disk.description,
    )
  } finally {
    await writers.stop().catch(() => {})
    await portal.kill()
    killDatabase(dataDir, 'all')
    if (!('why' in disk)) await disk.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** One portal, or the load balancer of several. */
type WrittenPortal = Pick<Portal, 'url' | 'sql' | 'asOwner'>

// Writers -----------------------------------------------------------------------------------------------------------------

/** Sixteen clients that write until they are stopped, and record the acknowledged writes. */
export class Writers {
  readonly ledger: Ledger = openLedger()
  /** Calls that should have succeeded and were refused. */
  readonly refusals: string[] = []
  readonly #portal: WrittenPortal
  #working: Promise<unknown> = Promise.resolve()
  #stopped = false
  #first = 0
  #basics: Basics | null = null
  #transport = 0
  #user: Client | null = null
  constructor(portal: WrittenPortal) {
    this.#portal = portal
  }

  async start(count = writerCount): Promise<void> {
    const [user, admin] = await Promise.all([signIn(this.#portal.url, 'customer'), signIn(this.#portal.url, 'admin')])
    const [basics] = await this.#portal.sql<Basics & { first: number }>(
      `select *, (select max(id) from operation) as first from (${selectBasics}) basics`,
    )
    if (!basics) throw new Error('the demo lacks the basic rows')
    const { transport } = await readySite(this.#portal)
    this.#transport = transport
    this.#first = basics.first
    this.#basics = basics
    this.#user = user
    this.#working = Promise.all(Array.from({ length: count }, (_, nth) => this.#work(nth, user, admin)))
    this.#working.catch(() => {})
  }

  /** Ends the writers. Calls without a reply are given up. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#working
  }

  async #work(nth: number, user: Client, admin: Client): Promise<void> {
    const stopped = () => this.#stopped
    try {
      for (let vehicle = 0; !this.#stopped; vehicle++) {
        await this.#serve({ plate: `1K${String(nth).padStart(2, '0')}${vehicle}`, user, admin, stopped }).catch(
          (error: Error) => {
            if (error instanceof Stopped) throw error
            this.refusals.push(error.message)
          },
        )
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
  }

  /** Stores and recalls the tyres of one vehicle. Each step is recorded when it is acknowledged. */
  async #serve({
    plate,
    user,
    admin,
    stopped,
  }: {
    plate: string
    user: Client
    admin: Client
    stopped: () => boolean
  }): Promise<void> {
    const { ledger } = this
    if (!this.#basics) return
    const { vehicle, tyres } = await addVehicle(user, { ...this.#basics, plate })
    const ask = async <A>(by: Client, path: string, body: unknown): Promise<A> =>
      answerOf(await by.callUntilReply<A>(path, body, stopped), path)
    for (let step = 0; step < 20 && !stopped(); step++) {
      const type = step % 2 === 0 ? 'to_stock' : 'to_customer'
      const { _id } = await ask<{ _id: number }>(user, '/operations/new', {
        operation: { flt_id: vehicle, tyres, operationType: type },
      })
      ledger.operation(_id, 'pending')
      const day = addDays(today({ now: new Date(), timeZone: 'Europe/Brussels' }), 3)
      const delivery =
        type === 'to_customer' ? { transport: this.#transport, deliveryDate: day } : { withRims: 'steel' }
      await ask(user, '/operations/update', { operation: { _id, status: 'submitted', remarks: plate, ...delivery } })
      ledger.operation(_id, 'submitted')
      for (const tyreId of tyres) {
        const scanId = randomUUID()
        await ask(admin, '/operations/markscan', { tyres: [{ tyreId, ticsId: 1, scanId }], type })
        ledger.scan(scanId, _id, tyreId)
      }
      const odometer = randomInt(1, 9_000_000)
      const reading = { db_id: tyres[0], profile_depth: 6, profile_date: addDays(day, -3), profile_tacho: odometer }
      await ask(admin, '/fleet/measuretyres', { readings: [reading], deeper: true })
      ledger.reading(odometer)
      const { document } = await ask<{ document: number | null }>(admin, '/operations/confirm', { operation: { _id } })
      ledger.operation(_id, 'confirmed', document)
    }
  }

  /** Acknowledged writes that are missing, and rules of the records that are broken. */
  async wrong(): Promise<string[]> {
    return this.#portal.asOwner(async client => [
      ...(await this.ledger.missing(client)),
      ...(await violations(client, this.#first)),
    ])
  }

  async verify(what: string, checks: Tally): Promise<void> {
    let wrong: string[] | null = null
    for (const deadline = Date.now() + 300_000; wrong === null;)
      // the rest of a killed database may answer for a moment and then end during the query
      wrong = await this.wrong().catch(async (error: Error) => {
        if (Date.now() > deadline || !isUnavailable(error)) throw error
        await pause(200)
        return null
      })
    checks.check(what, wrong.length > 0 ? wrong.slice(0, 20).join('; ') : null)
  }

  /** Negative controls: each kind of write is missed when it is deleted by hand, and each rule is found broken. */
  async proveChecks(checks: Tally): Promise<void> {
    if (!this.#basics || !this.#user) return
    // one that stays pending, to delete
    const { vehicle, tyres } = await addVehicle(this.#user, { ...this.#basics, plate: '1KEND' })
    const input = { operation: { flt_id: vehicle, tyres, operationType: 'to_stock' } }
    this.ledger.operation(
      answerOf(await this.#user.callUntilReply<{ _id: number }>('/operations/new', input), 'the last operation')._id,
      'pending',
    )
    await this.#portal.asOwner(async client => {
      for (const [what, sql] of Object.entries(this.ledger.deletions()))
        checks.control(
          `${what} deleted by hand`,
          await isDetected(client, { sql, values: [] }, async () => (await this.ledger.missing(client)).length > 0),
        )
      const broken = await violations(client, this.#first)
      checks.check('the records before they are broken', broken.length > 0 ? broken.slice(0, 20).join('; ') : null)
      for (const rule of rules) {
        const breaking = { sql: rule.breaks, values: rule.breaks.includes('$1') ? [this.#first] : [] }
        const detected = await isDetected(
          client,
          breaking,
          async () => (await violations(client, this.#first, [rule])).length > 0,
        )
        checks.control(`broken by hand: ${rule.summary}`, detected)
      }
    })
  }
}

/** Whether the database is starting, recovering, ending, or away. */
const isUnavailable = ({ message, code }: Error & { readonly code?: string }): boolean =>
  code?.startsWith('57P0') || /terminat|ECONN|ENOENT|EPIPE|closed/i.test(message)

// Kills -------------------------------------------------------------------------------------------------------------------

const clusterOf = (dataDir: string): string => join(dataDir, 'database', 'cluster')

/** The PostgreSQL processes of a data directory, the postmaster first. */
function processesOf(dataDir: string): number[] {
  const cluster = clusterOf(dataDir)
  if (!existsSync(join(cluster, 'postmaster.pid'))) return []
  const server = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
  const others = readdirSync('/proc').filter(entry => {
    try {
      return /^\d+$/.test(entry) && Number(entry) !== server && readlinkSync(`/proc/${entry}/cwd`) === cluster
    } catch {
      return false
    }
  })
  try {
    return readlinkSync(`/proc/${server}/cwd`) === cluster ? [server, ...others.map(Number)] : others.map(Number)
  } catch {
    return others.map(Number)
  }
}

/** Kills the postmaster, another process of PostgreSQL, or all at once. */
function killDatabase(dataDir: string, what: 'server' | 'process' | 'all'): void {
  const [server, ...others] = processesOf(dataDir)
  const chosen =
    what === 'server'
      ? [server]
      : what === 'process'
        ? [others[randomInt(Math.max(1, others.length))]]
        : [server, ...others]
  for (const pid of chosen) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch {
      // it has just ended by itself
    }
  }
}

/** Waits until the portal is ready again. */
async function ready(portal: Portal): Promise<void> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline;) {
    const reply = await fetch(`${portal.url}/health/ready`).catch(() => null)
    if (reply?.ok) return
    await pause(50)
  }
  throw new Error('the portal did not come back within five minutes')
}

/** Cuts the power: all processes end, and the next start finds only flushed data. */
async function cutPower(portal: Portal, disk: Awaited<ReturnType<typeof openDisk>>, directory: string): Promise<void> {
  const dataDir = 'why' in disk ? join(directory, 'data') : disk.dir
  const running = processesOf(dataDir)
  if (!('why' in disk)) await disk.cut()
  await portal.kill()
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended because it could not write
    }
  }
  if ('why' in disk) replaceByCopy(dataDir)
  else await disk.recover()
}

/** Replaces the directory by a copy. */
function replaceByCopy(dataDir: string): void {
  cpSync(dataDir, `${dataDir}.copy`, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  rmSync(dataDir, { recursive: true })
  renameSync(`${dataDir}.copy`, dataDir)
}

/** The portal refuses to start on a database that could lose acknowledged writes. */
async function refusedStarts(portal: Portal, dataDir: string, checks: Tally): Promise<void> {
  const settings = join(clusterOf(dataDir), 'postgresql.auto.conf')
  await portal.stop()
  const before = readFileSync(settings, 'utf8')
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    appendFileSync(settings, `${setting} = off\n`)
    const reason = await portal.start().then(
      () => 'it started',
      (error: Error) => error.message,
    )
    checks.check(`starting with ${setting} off`, reason.includes(`${setting} switched off`) ? null : reason)
    await portal.stop()
    writeFileSync(settings, before)
  }
  await portal.start()
}

/** Negative control of the power cut: without fsync it loses acknowledged writes, and they are missed. */
async function lostWithoutSync(portal: Portal, disk: Disk, directory: string, checks: Tally): Promise<void> {
  await portal.stop()
  const unsafe = await openPortal({ DATA_DIR: disk.dir, ALLOW_UNSAFE_DATABASE: '1' })
  const writers = new Writers(unsafe)
  try {
    await writers.start(4)
    await pause(2000)
    await cutPower(unsafe, disk, directory)
    await writers.stop()
    const wrong = await unsafe.start().then(
      () => writers.wrong(),
      (error: Error) => [error.message],
    )
    checks.control(`a power cut without fsync, after ${writers.ledger.acknowledged} writes,`, wrong.length > 0)
  } finally {
    await writers.stop()
    await unsafe.kill()
    killDatabase(disk.dir, 'all')
  }
}
