/**
 * Billing runs (docs/promises.md "Stored days"): how long one takes and in how much memory, and that one whose process is killed again
 * and again makes each document once. Both charge the same customers: the first run is undone in between.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import portalProcess from '../bin/lib/portalProcess.json' with { type: 'json' }
import { contract } from '../src/contract/index.ts'
import { workNext } from '../src/server/features/billing/work.ts'
import { addOperation } from '../src/server/testing/operations.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'

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
      await store(w, customers)
      const began = performance.now()
      const counted = await begin(w)
      await workedThrough(w)
      const preview = performance.now()
      await w.ask(contract.billing.make, w.who.admin, { _id: counted, without: [] })
      const memory = await workedThrough(w)
      const made = performance.now()
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
      await w.ask(contract.billing.undo, w.who.admin, { _id: again, reason: 'The drill goes on' })
      await workedThrough(w)

      const scans = await scansBeside(w, short ? 20 : 500)
      check('scans', scans.failed === 0 ? null : `${scans.failed} scans failed beside a run`)
      return result(
        `billing run of ${customers} customers and ${customers * wheelsOfCustomer} wheels: preview ${seconds(began, preview)}, ` +
          `documents ${seconds(preview, made)}, undone in ${seconds(made, undone)}, process of ${before} MB for a quarter, ${after} MB for all; ` +
          `another one killed ${kills} times; scans in ms, alone and beside a run: ${scans.said}`,
      )
    } finally {
      await w.close()
    }
  } finally {
    await server.end()
  }
}

/** Customers with five cars each, of which every one has a set of four and a loose wheel in the store. */
async function store(w: World, customers: number): Promise<void> {
  await w.setSite(w.sites.home, {
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_period',
    invoicing_period: 30,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: 8.35,
  })
  await w.query(
    `with owner as (
       insert into customer (site_id, name, street, city) select $1, 'Run ' || n, 'Kaai 1', 'Gent' from generate_series(1, $2::int) n returning id
     ), car as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select $1, owner.id, '2R' || lpad((row_number() over ())::text, 6, '0'), 'Volvo', 'V60', 'car', $3 from owner, generate_series(1, 5) returning id, customer_id
     )
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
     select $1, car.customer_id, car.id, $4, position, 'Michelin Alpin 6 205/55R16 91H', tyre_set, 'in_stock', '2026-06-01'::date + (car.id % 90)
     from car, (values ('1A', 'Winter'), ('1B', 'Winter'), ('2A', 'Winter'), ('2B', 'Winter'), ('1A', null)) wheel (position, tyre_set)`,
    [w.sites.home, customers, w.configs.home, w.articles.home],
  )
  // what autovacuum looks at; of a table without a row it knows nothing, and plans for one that it knows to be empty read all of it later
  await w.query('analyze customer, vehicle, tyre, stay')
}

type Took = { times: number[]; failed: number }

const said = ({ times }: Took): string => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]?.toFixed(1)
  return `median ${at(0.5)}, p99 ${at(0.99)}`
}

/** Scans a wheel again and again, 20 ms after each answer, until it is over. */
async function scansUntil(w: World, tyreId: number, isOver: () => boolean): Promise<Took> {
  const took: Took = { times: [], failed: 0 }
  while (!isOver()) {
    // oxlint-disable no-await-in-loop -- a scanner waits for its answer
    const began = performance.now()
    const scan = { scanId: crypto.randomUUID(), tyreId }
    const reply = await w.ask(contract.operations.markscan, w.who.admin, { tyres: [scan] })
    took.times.push(performance.now() - began)
    if (reply.status !== 200) took.failed++
    await pause(20)
    // oxlint-enable no-await-in-loop
  }
  return took
}

/** How long scans take alone, and beside a run for so many customers in the same process, as the portal works on it. */
async function scansBeside(w: World, customers: number): Promise<{ said: string; failed: number }> {
  const { tyres } = await addOperation(w, { status: 'submitted' })
  const tyre = tyres[0]!
  let left = 500
  const alone = await scansUntil(w, tyre, () => left-- === 0)
  const run = await begin(w)
  await workedThrough(w)
  const counted = (await w.ask(contract.billing.read, w.who.admin, { _id: run })).answer
  const without = counted.rows.slice(customers).map(({ seq_id }) => seq_id)
  await w.ask(contract.billing.make, w.who.admin, { _id: run, without })
  let over = false
  const work = async () => {
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    while (await workNext(w.database, { clock: () => now }));
    over = true
  }
  const [beside] = await Promise.all([scansUntil(w, tyre, () => over), work()])
  return { said: `${said(alone)}; ${said(beside)}`, failed: alone.failed + beside.failed }
}

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`

async function begin(w: World): Promise<number> {
  const asked = { covers: 'all', until: '2026-10-31', days: 30, marks: true } as const
  return (await w.ask(contract.billing.begin, w.who.admin, asked)).answer._id
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
    // oxlint-disable no-await-in-loop -- one process after the other
    const until = (await standing(w)) + after
    const worker = startWorker(w)
    const ended = once(worker, 'exit')
    const isOver = () => worker.exitCode !== null
    while (!isOver() && (await standing(w)) < until) await pause(5)
    if (isOver()) return kills
    worker.kill('SIGKILL')
    await ended
    // oxlint-enable no-await-in-loop
  }
}

/** Checks that each customer has one document, that numbers have no gap, and that documents, ledger and preview agree. */
async function faultsOf(w: World, run: number, customers: number, check: Tally['check']): Promise<void> {
  const { answer } = await w.ask(contract.billing.read, w.who.admin, { _id: run })
  const is = (what: string, found: number, wanted: number) =>
    check(`run ${run}: ${what}`, found === wanted ? null : `${found} instead of ${wanted}`)
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
