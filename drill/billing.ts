/**
 * Billing runs (docs/promises.md "Stored days"): how long one takes and in how much memory, and that one whose process is killed again
 * and again makes each document once. Both charge the same customers: the first run is undone in between.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import portalProcess from '../bin/lib/portalProcess.json' with { type: 'json' }
import { openPortalInProduction } from '../e2e/portal.ts'
import { contract } from '../src/contract/index.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { signIn, type Client } from './portalClient.ts'

const now = new Date('2026-11-20T12:00:00Z')
const wheelsOfCustomer = 25
/** By how many MB the process may grow once it has made a quarter of the documents. */
const mostGrowth = 32

export const promise = 54
export const summary = 'a billing run that is killed on the way makes each document once'
export const alone = true

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, result } = tally(log)
  const customers = short ? 60 : 2000
  const killedAfter = short ? 20 : 100
  const server = await openTestServer()
  try {
    const w = await world({ server, now })
    try {
      await w.setSite(w.sites.home, { ...charges, invoicing_article: w.articles.home })
      await store(w.query, { site: w.sites.home, config: w.configs.home, article: w.articles.home }, customers)
      const began = performance.now()
      const counted = await begin(w)
      await workedThrough(w)
      const preview = performance.now()
      await w.ask(contract.billing.make, w.who.admin, { _id: counted, without: [] })
      const memory = await workedThrough(w)
      const madeAt = performance.now()
      await faultsOf(w, counted, customers, check)
      const [before, after] = [memory.slice(0, Math.ceil(memory.length / 4)), memory].map(taken =>
        Math.round(Math.max(...taken) / 2 ** 20),
      )
      check('memory', after! - before! <= mostGrowth ? null : `${before} MB for a quarter, ${after} MB for all`)
      await w.ask(contract.billing.undo, w.who.admin, { _id: counted, reason: 'The drill goes on' })
      await workedThrough(w)
      const undone = performance.now()
      check('undone', (await standing(w)) === 0 ? null : `${await standing(w)} documents stand`)

      const again = await begin(w)
      await workedThrough(w)
      await w.ask(contract.billing.make, w.who.admin, { _id: again, without: [] })
      const kills = await killedOnTheWay(w, killedAfter)
      await faultsOf(w, again, customers, check)
      const scans = await scansBeside(short ? 1 : 5, short ? 20 : 400)
      check('scans', scans.failed === 0 ? null : `${scans.failed} scans failed beside a run`)
      return result(
        `billing run of ${customers} customers and ${customers * wheelsOfCustomer} wheels: preview ${seconds(began, preview)}, ` +
          `documents ${seconds(preview, madeAt)}, undone in ${seconds(madeAt, undone)}, process of ${before} MB for a quarter, ${after} MB for all; ` +
          `another one killed ${kills} times; scans in ms, alone and beside a run: ${scans.figures}`,
      )
    } finally {
      await w.close()
    }
  } finally {
    await server.end()
  }
}

/** As `w.query` and `portal.sql` do. */
type Sql = (text: string, values?: unknown[]) => Promise<unknown>

/** Charges storage at a site by set, for 30 days. */
const charges = {
  invoicing_quantity: 'per_set',
  invoicing_mode: 'per_period',
  invoicing_period: 30,
  invoicing_document_type: 'reservation',
  invoicing_price_excl: 8.35,
}

/** Customers with five cars each, of which every one has a set of four and a loose wheel in the store. */
async function store(sql: Sql, at: { site: number; config: number; article: number }, customers: number) {
  await sql(
    `with owner as (
       insert into customer (site_id, name, street, city) select $1, 'Run ' || n, 'Kaai 1', 'Gent' from generate_series(1, $2::int) n returning id
     ), car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select $1, owner.id, '2R' || lpad((row_number() over ())::text, 6, '0'), 'Volvo', 'V60', 'car', $3 from owner, generate_series(1, 5) returning id, customer_id
     )
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
     select $1, car.customer_id, car.id, $4, position, 'Michelin Alpin 6 205/55R16 91H', tyre_set, 'in_stock', '2026-06-01'::date + (car.id % 90)::int
     from car, (values ('1A', 'Winter'), ('1B', 'Winter'), ('2A', 'Winter'), ('2B', 'Winter'), ('1A', null)) wheel (position, tyre_set)`,
    [at.site, customers, at.config, at.article],
  )
  // what autovacuum looks at; of a table without a row it knows nothing, and plans for one that it knows to be empty read all of it later
  await sql('analyze customer, vehicle, tyre, stay')
}

type Took = { times: number[]; failed: number }

const median = (times: readonly number[], share = 0.5): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN

const percentiles = ({ times }: Took): string =>
  `median ${median(times).toFixed(1)}, p99 ${median(times, 0.99).toFixed(1)}`

/** Scans a wheel again and again, 20 ms after each answer, until it is over, and adds what it took. */
async function scanUntil(isOver: () => boolean, scanner: Client, tyreId: number, took: Took): Promise<void> {
  while (!isOver()) {
    const began = performance.now()
    const { kind } = await scanner.call('/operations/markscan', { tyres: [{ scanId: randomUUID(), tyreId }] })
    took.times.push(performance.now() - began)
    if (kind !== 'answer') took.failed++
    await pause(20)
  }
}

/**
 * How long scans take alone, and beside runs for so many customers each, at a portal that runs as it does for a business. Times alone
 * and beside a run alternate, so that what the machine does meanwhile is in both.
 */
async function scansBeside(runs: number, customers: number): Promise<{ figures: string; failed: number }> {
  const portal = await openPortalInProduction()
  try {
    const admin = await signIn(portal.url, 'admin')
    const ask = async <A>(path: string, body: unknown): Promise<A> => {
      const outcome = await admin.callUntilReply<A>(path, body)
      if (outcome.kind === 'answer') return outcome.answer
      throw new Error(`${path} was refused: ${JSON.stringify(outcome.refusal)}`)
    }
    const [at] = await portal.sql<{ site: number; config: number; article: number; wheel: number }>(
      `select s.id::int as site, (select min(id)::int from vehicle_config where site_id = s.id) as config,
         (select min(id)::int from article) as article,
         (select min(ot.tyre_id)::int from operation o join operation_tyre ot on ot.operation_id = o.id
          where o.site_id = s.id and o.status = 'submitted') as wheel
       from site s where s.id = 1`,
    )
    if (!at) throw new Error('the demo has no site')
    const columns = Object.entries({ ...charges, invoicing_article: at.article })
    await portal.sql(
      `update site set ${columns.map(([name], nth) => `${name} = $${nth + 2}`).join(', ')} where id = $1`,
      [at.site, ...columns.map(([, value]) => value)],
    )
    // it remembers its configuration
    await portal.stop()
    await portal.start()
    await store(portal.sql, at, runs * customers)
    const scanner = await signIn(portal.url, 'admin')
    const alone: Took = { times: [], failed: 0 }
    const beside: Took = { times: [], failed: 0 }
    type Listed = { _id: number; state: string }
    // the list is small; reading all rows of a run would hold this process up, which takes the times
    const until = async (run: number, state: string): Promise<void> => {
      for (;;) {
        const listed = await ask<Listed[]>('/billing/list', {})
        if (listed.some(({ _id, state: now }) => _id === run && now === state)) return
        await pause(1000)
      }
    }
    for (let nth = 0; nth < runs; nth++) {
      const { _id } = await ask<{ _id: number }>('/billing/begin', {
        covers: 'all',
        until: yesterday,
        days: 30,
        marks: true,
      })
      await until(_id, 'ready')
      const { rows } = await ask<{ rows: { seq_id: number }[] }>('/billing/read', { _id })
      let left = 500
      await scanUntil(() => left-- === 0, scanner, at.wheel, alone)
      await ask('/billing/make', { _id, without: rows.slice(customers).map(({ seq_id }) => seq_id) })
      let over = false
      await Promise.all([
        scanUntil(() => over, scanner, at.wheel, beside),
        until(_id, 'made').then(() => (over = true)),
      ])
    }
    return {
      figures: `${percentiles(alone)}; ${percentiles(beside)} (${beside.times.length} scans)`,
      failed: alone.failed + beside.failed,
    }
  } finally {
    await portal.close()
  }
}

/** Until when a run charges at a portal whose clock is right. */
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`

async function begin(w: World): Promise<number> {
  const input = { covers: 'all', until: '2026-10-31', days: 30, marks: true } as const
  return (await w.ask(contract.billing.begin, w.who.admin, input)).answer._id
}

const numberOf = async (w: World, sql: string): Promise<number> =>
  (await w.query<{ n: number }>(`select (${sql})::float as n`))[0]?.n ?? Number.NaN

const standing = (w: World) => numberOf(w, 'select count(*) from document where withdrawn_at is null')

/** The worker in a process of its own, started as the portal is. */
const startWorker = (w: World): ChildProcess =>
  fork(new URL('billingWorker.ts', import.meta.url), [w.appUrl, now.toISOString()], {
    execArgv: portalProcess.flags,
    env: { ...process.env, ...portalProcess.env },
  })

/** Waits until a worker has done all that there is to do. Returns the memory that it had on the way, in bytes. */
async function workedThrough(w: World): Promise<number[]> {
  const worker = startWorker(w)
  const memory: number[] = []
  worker.on('message', bytes => memory.push(Number(bytes)))
  const [code] = (await once(worker, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the worker ended with ${code}`)
  return memory
}

/** Kills the worker after so many documents each, until one comes to the end. Returns how often. */
async function killedOnTheWay(w: World, after: number): Promise<number> {
  for (let kills = 0; ; kills++) {
    const until = (await standing(w)) + after
    const worker = startWorker(w)
    const ended = once(worker, 'exit')
    const isOver = () => worker.exitCode !== null
    while (!isOver() && (await standing(w)) < until) await pause(5)
    if (isOver()) return kills
    worker.kill('SIGKILL')
    await ended
  }
}

/** Checks that each customer has one document, that numbers have no gap, and that documents, ledger and preview agree. */
async function faultsOf(w: World, run: number, customers: number, check: Tally['check']): Promise<void> {
  const { answer } = await w.ask(contract.billing.read, w.who.admin, { _id: run })
  const is = (what: string, actual: number, wanted: number) =>
    check(`run ${run}: ${what}`, actual === wanted ? null : `${actual} instead of ${wanted}`)
  is('customers with a document', answer.done, customers)
  is('documents', await standing(w), customers)
  is(
    'customers of documents',
    await numberOf(w, 'select count(distinct customer_id) from document where withdrawn_at is null'),
    customers,
  )
  is('gaps between numbers', await numberOf(w, 'select max(number) - count(*) from document'), 0)
  is('sum', await numberOf(w, 'select sum(amount_excl) from document where withdrawn_at is null'), answer.amount_excl)
  is(
    'sum of the lines',
    await numberOf(
      w,
      'select sum(l.quantity * l.price_excl) from document_line l join document d using (site_id) where d.id = l.document_id and d.withdrawn_at is null',
    ),
    answer.amount_excl,
  )
  is(
    'wheels charged',
    await numberOf(w, 'select count(distinct tyre_id) from storage_ledger where released_at is null'),
    customers * wheelsOfCustomer,
  )
}
