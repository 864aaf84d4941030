/**
 * Billing runs (docs/promises.md "Stored days"): how long one takes and in how much memory, and that one whose process is killed again
 * and again makes each document once. Both charge the same customers: the first run is undone in between.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { contract } from '../src/contract/index.ts'
import { workNext } from '../src/server/features/billing/work.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'

const now = new Date('2026-11-20T12:00:00Z')
const wheelsOfCustomer = 25

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
      const memory = process.memoryUsage().rss
      let most = memory
      const work = async () => {
        // oxlint-disable-next-line no-await-in-loop -- one turn after the other
        while (await workNext(w.database, { clock: () => now })) most = Math.max(most, process.memoryUsage().rss)
      }
      const counted = await begin(w)
      await work()
      const preview = performance.now()
      await w.ask(contract.billing.make, w.who.admin, { _id: counted, without: [] })
      await work()
      const made = performance.now()
      await faultsOf(w, counted, customers, check)
      await w.ask(contract.billing.undo, w.who.admin, { _id: counted, reason: 'The drill goes on' })
      await work()
      const undone = performance.now()
      check('undone', (await standing(w)) === 0 ? null : `${await standing(w)} documents stand`)

      const again = await begin(w)
      await work()
      await w.ask(contract.billing.make, w.who.admin, { _id: again, without: [] })
      const kills = await killedOnTheWay(w, killedAfter)
      await faultsOf(w, again, customers, check)
      return result(
        `billing run of ${customers} customers and ${customers * wheelsOfCustomer} wheels: preview ${seconds(began, preview)}, ` +
          `documents ${seconds(preview, made)}, undone in ${seconds(made, undone)}, memory + ${Math.round((most - memory) / 1024 / 1024)} MB; ` +
          `another one killed ${kills} times`,
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
  await w.query('analyze')
}

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`

async function begin(w: World): Promise<number> {
  const asked = { covers: 'all', until: '2026-10-31', days: 30, marks: true } as const
  return (await w.ask(contract.billing.begin, w.who.admin, asked)).answer._id
}

const numberOf = async (w: World, sql: string): Promise<number> =>
  (await w.query<{ n: number }>(`select (${sql})::float as n`))[0]?.n ?? Number.NaN

const standing = (w: World) => numberOf(w, 'select count(*) from document where withdrawn_at is null')

/** Kills the worker after so many documents each, until one comes to the end. Returns how often. */
async function killedOnTheWay(w: World, after: number): Promise<number> {
  for (let kills = 0; ; kills++) {
    // oxlint-disable no-await-in-loop -- one process after the other
    const until = (await standing(w)) + after
    const worker = fork(new URL('billingWorker.ts', import.meta.url), [w.appUrl, now.toISOString()])
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
