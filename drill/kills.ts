/**
 * The server and its database are ended at any moment while sixteen people work: what they were told to be done is there, and
 * nothing is half there (docs/promises.md "Durability").
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
import { addDays, today } from '#domain/date.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { tally, type DrillOptions, type Figure, type Tally } from './drill.ts'
import { answerOf, bringVehicle, groundOf, Over, signIn, type Client, type Ground } from './hotel.ts'
import { disagreements, openLedger, rules, seenAfter, type Ledger } from './ledger.ts'
import { openDisk, type Disk } from './power.ts'

export const line = 10
export const says = 'kill -9 under 16 writers: all that was acknowledged is there'
export const long = true

const writers = 16

export async function run({ short, log }: DrillOptions): Promise<Figure> {
  const times = short ? { server: 3, database: 2, power: 1 } : { server: 100, database: 30, power: 5 }
  const books = tally(log)
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-drill-'))
  // the database's own user passes through it
  chmodSync(place, 0o711)
  const disk = await openDisk(place)
  const dataDir = 'why' in disk ? join(place, 'data') : disk.dir
  const portal = await openPortal({ DATA_DIR: dataDir })
  const crew = new Crew(portal)
  try {
    await crew.begin()
    for (let nth = 1; nth <= times.server; nth++) {
      await pause(randomInt(50, 1200))
      await portal.kill()
      await portal.start()
      if (nth % 10 === 0 || nth === times.server) await crew.look(`kill ${nth} of the server`, books)
      else books.check(`kill ${nth} of the server`, null)
    }
    for (let nth = 1; nth <= times.database; nth++) {
      await pause(randomInt(50, 1200))
      // the whole server of the database, one of its processes, which brings down all others, or everything at once
      killDatabase(dataDir, (['server', 'process', 'all'] as const)[nth % 3] ?? 'all')
      await ready(portal)
      if (nth % 10 === 0 || nth === times.database) await crew.look(`kill ${nth} of the database`, books)
      else books.check(`kill ${nth} of the database`, null)
    }
    for (let nth = 1; nth <= times.power; nth++) {
      await pause(randomInt(300, 2500))
      await cutPower(portal, disk, place)
      await portal.start()
      await crew.look(`power cut ${nth}`, books)
    }
    await crew.end()
    await crew.look('the end', books)
    books.add(crew.ledger.acknowledged, crew.troubles)
    await crew.prove(books)
    await refusedStarts(portal, dataDir, books)
    if (!('why' in disk)) await lostWithoutSync(portal, disk, place, books)
    return books.figure(
      `${times.server} kills of the server, ${times.database} of PostgreSQL, ${times.power} power cuts, ${crew.ledger.acknowledged} acknowledged writes, ${rules.length} rules of the books`,
      'why' in disk
        ? `no loop mount here (${disk.why}): the power cut is a copy of the directory at the kill of all processes, as the kernel shows it`
        : disk.says,
    )
  } finally {
    await crew.end().catch(() => {})
    await portal.kill()
    killDatabase(dataDir, 'all')
    if (!('why' in disk)) await disk.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Where they work: one portal, or what stands before several. */
type Worked = Pick<Portal, 'url' | 'sql' | 'asOwner'>

// Those who work ----------------------------------------------------------------------------------------------------------

/** Sixteen who work on as long as somebody answers, and write down what they were told. */
export class Crew {
  readonly ledger: Ledger = openLedger()
  /** Refusals of what nobody should refuse. */
  readonly troubles: string[] = []
  readonly #portal: Worked
  #working: Promise<unknown> = Promise.resolve()
  #over = false
  #first = 0
  #ground: Ground | null = null
  #transport = 0
  #user: Client | null = null
  constructor(portal: Worked) {
    this.#portal = portal
  }

  async begin(count = writers): Promise<void> {
    const [user, admin] = await Promise.all([signIn(this.#portal.url, 'customer'), signIn(this.#portal.url, 'admin')])
    const [ground] = await this.#portal.sql<Ground & { first: number }>(
      `select *, (select max(id) from operation) as first from (${groundOf}) ground`,
    )
    // a transport that drives every day and takes any number: what is full refuses, and is no fault
    const [transport] = await this.#portal.sql<{ id: number }>(`
      insert into transport_method (site_id, name, code, description_nl, description_fr, description_en, description_de, operation_days, advance_days)
      values (1, 'Drill', 'drill', 'Drill', 'Drill', 'Drill', 'Drill', '{0,1,2,3,4,5,6}', 1) returning id`)
    await this.#portal.sql(`update site set do_doc_insert = true, doc_insert_exceptions = '{}' where id = 1`)
    if (!ground || !transport) throw new Error('the demo has nothing to work with')
    this.#first = ground.first
    this.#ground = ground
    this.#transport = transport.id
    this.#user = user
    // sites are remembered for two seconds
    await pause(2100)
    this.#working = Promise.all(Array.from({ length: count }, (_, nth) => this.#work(nth, user, admin)))
    this.#working.catch(() => {})
  }

  /** No new work, and nobody waits for an answer that nobody gives. */
  async end(): Promise<void> {
    this.#over = true
    await this.#working
  }

  async #work(nth: number, user: Client, admin: Client): Promise<void> {
    const stop = () => this.#over
    try {
      for (let vehicle = 0; !this.#over; vehicle++) {
        await this.#serve({ plate: `1K${String(nth).padStart(2, '0')}${vehicle}`, user, admin, stop }).catch(
          (error: Error) => {
            if (error instanceof Over) throw error
            this.troubles.push(error.message)
          },
        )
      }
    } catch (error) {
      if (!(error instanceof Over)) throw error
    }
  }

  /** A vehicle whose tyres come and go: each step is written down when it was acknowledged. */
  async #serve({
    plate,
    user,
    admin,
    stop,
  }: {
    plate: string
    user: Client
    admin: Client
    stop: () => boolean
  }): Promise<void> {
    const { ledger } = this
    if (!this.#ground) return
    const { vehicle, tyres } = await bringVehicle(user, { ...this.#ground, plate })
    const ask = async <A>(by: Client, path: string, body: unknown): Promise<A> =>
      answerOf(await by.insist<A>(path, body, stop), path)
    for (let turn = 0; turn < 20 && !stop(); turn++) {
      const type = turn % 2 === 0 ? 'to_stock' : 'to_customer'
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

  /** What is missing, and what does not agree. */
  async wrong(): Promise<string[]> {
    return this.#portal.asOwner(async client => [
      ...(await this.ledger.missing(client)),
      ...(await disagreements(client, this.#first)),
    ])
  }

  async look(what: string, books: Tally): Promise<void> {
    let wrong: string[] | null = null
    for (const deadline = Date.now() + 60_000; wrong === null;)
      // what is left of a killed database answers for a moment, and goes away under whoever looks
      wrong = await this.wrong().catch(async (error: Error) => {
        if (Date.now() > deadline || !comesAndGoes(error)) throw error
        await pause(200)
        return null
      })
    books.check(what, wrong.length > 0 ? wrong.slice(0, 20).join('; ') : null)
  }

  /** Each acknowledged write that is taken away by hand is missed, and each rule that is broken by hand is seen. */
  async prove(books: Tally): Promise<void> {
    if (!this.#ground || !this.#user) return
    // one that stays pending, to take away
    const { vehicle, tyres } = await bringVehicle(this.#user, { ...this.#ground, plate: '1KEND' })
    const wish = { operation: { flt_id: vehicle, tyres, operationType: 'to_stock' } }
    this.ledger.operation(
      answerOf(await this.#user.insist<{ _id: number }>('/operations/new', wish), 'the last operation')._id,
      'pending',
    )
    await this.#portal.asOwner(async client => {
      for (const [what, sql] of Object.entries(this.ledger.losses()))
        books.control(
          `${what} taken away by hand`,
          await seenAfter(client, { sql, values: [] }, async () => (await this.ledger.missing(client)).length > 0),
        )
      const agree = await disagreements(client, this.#first)
      books.check('the books before they are broken', agree.length > 0 ? agree.slice(0, 20).join('; ') : null)
      for (const rule of rules) {
        const broken = { sql: rule.breaks, values: rule.breaks.includes('$1') ? [this.#first] : [] }
        const seen = await seenAfter(
          client,
          broken,
          async () => (await disagreements(client, this.#first, [rule])).length > 0,
        )
        books.control(`broken by hand: ${rule.says}`, seen)
      }
    })
  }
}

/** Whether a database that starts, recovers or ends says so, or is not there for the moment. */
const comesAndGoes = ({ message, code }: Error & { readonly code?: string }): boolean =>
  code?.startsWith('57P0') || /terminat|ECONN|ENOENT|EPIPE|closed/i.test(message)

// Those who end -----------------------------------------------------------------------------------------------------------

const clusterOf = (dataDir: string): string => join(dataDir, 'database', 'cluster')

/** The processes of a data directory's database, its server first. */
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

/** Ends the database by force: its server, any other of its processes, or all at once. */
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
      // it ended by itself a moment before
    }
  }
}

/** Waits until the portal can serve again. */
async function ready(portal: Portal): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const reply = await fetch(`${portal.url}/health/ready`).catch(() => null)
    if (reply?.ok) return
    await pause(50)
  }
  throw new Error('the portal did not come back within a minute')
}

/** Everything ends at once, and the next start finds what was on the disk. */
async function cutPower(portal: Portal, disk: Awaited<ReturnType<typeof openDisk>>, place: string): Promise<void> {
  const dataDir = 'why' in disk ? join(place, 'data') : disk.dir
  const running = processesOf(dataDir)
  if (!('why' in disk)) await disk.cut()
  await portal.kill()
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it ended by itself: it could not write any more
    }
  }
  if ('why' in disk) copied(dataDir)
  else await disk.recover()
}

/** Goes on with a copy of the directory. */
function copied(dataDir: string): void {
  cpSync(dataDir, `${dataDir}.copy`, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  rmSync(dataDir, { recursive: true })
  renameSync(`${dataDir}.copy`, dataDir)
}

/** A database that could lose what it acknowledged is not started with. */
async function refusedStarts(portal: Portal, dataDir: string, books: Tally): Promise<void> {
  const settings = join(clusterOf(dataDir), 'postgresql.auto.conf')
  await portal.stop()
  const before = readFileSync(settings, 'utf8')
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    appendFileSync(settings, `${setting} = off\n`)
    const said = await portal.start().then(
      () => 'it started',
      (error: Error) => error.message,
    )
    books.check(`starting with ${setting} off`, said.includes(`${setting} switched off`) ? null : said)
    await portal.stop()
    writeFileSync(settings, before)
  }
  await portal.start()
}

/** The cut is one: without waiting for the disk, acknowledged writes are lost by it, and missed. */
async function lostWithoutSync(portal: Portal, disk: Disk, place: string, books: Tally): Promise<void> {
  await portal.stop()
  const careless = await openPortal({ DATA_DIR: disk.dir, ALLOW_UNSAFE_DATABASE: '1' })
  const crew = new Crew(careless)
  try {
    await crew.begin(4)
    await pause(2000)
    await cutPower(careless, disk, place)
    await crew.end()
    const wrong = await careless.start().then(
      () => crew.wrong(),
      (error: Error) => [error.message],
    )
    books.control(`a power cut without fsync, after ${crew.ledger.acknowledged} writes,`, wrong.length > 0)
  } finally {
    await crew.end()
    await careless.kill()
    killDatabase(disk.dir, 'all')
  }
}
