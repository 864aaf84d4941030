/**
 * Every statement of a call fails once, each way in which one can: nothing of the call is kept, and made again it is done whole
 * (docs/promises.md "All or nothing"). The call runs in the real server on a real database; only the way to it is in our hands.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { loadDemo } from '../db/demo/load.ts'
import { readConfig } from '../src/server/config.ts'
import type { Database, Scope, Tx } from '../src/server/db/database.ts'
import { statement } from '../src/server/db/statement.ts'
import { int } from '../src/server/db/types.ts'
import { openStore } from '../src/server/db/open.ts'
import { importFile } from '../src/server/cli/import.ts'
import { serve } from '../src/server/http/serve.ts'
import { tally, type DrillOptions, type Figure, type Tally } from './drill.ts'
import { groundOf, type Ground } from './hotel.ts'

export const line = 11
export const says = 'any statement of a call fails: all or nothing'

/**
 * How a statement fails. `refused`: the database refuses it. `unheard`: it is carried out, but the answer is an error.
 * `cut`: the connection ends before it.
 */
const ways = ['cut', 'refused', 'unheard'] as const
type Way = (typeof ways)[number]

/** Which statement of the next call fails, and how far the call got. */
type Plan = { at: number; way: Way; reached: number; struck: boolean; apart: boolean }

const impossible = statement({ name: 'drill.impossible', sql: 'select 1 / 0' })
const connection = statement({ name: 'drill.connection', row: { pid: int }, sql: 'select pg_backend_pid() as pid' })

/** The database, with a plan for what becomes of the statements of a site's transactions. The commit counts as the last one. */
function planned(database: Database, plan: Plan, end: (pid: number) => Promise<void>): Database {
  const strike = async (tx: Tx, carryOut: () => Promise<unknown>): Promise<unknown> => {
    plan.struck = true
    if (plan.way === 'refused') return tx.run(impossible, {})
    if (plan.way === 'cut') {
      const { pid } = await tx.one(connection, {})
      await end(pid)
      return carryOut()
    }
    await carryOut()
    throw new Error('the answer of the statement was lost')
  }
  const watched = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(_, name: keyof Tx) {
        // one that is all there is to do is struck as the only one of a transaction
        if (name === 'single') return watched(tx)
        return async (...asked: unknown[]) => {
          const carryOut = () => (tx[name] as (...words: unknown[]) => Promise<unknown>)(...asked)
          // what a call still asks after its failure is no statement of it
          return !plan.struck && ++plan.reached === plan.at ? strike(tx, carryOut) : carryOut()
        }
      },
    })
  /** Without a transaction: what happens when every statement is kept for itself, for the control. */
  const apart = (scope: Scope): Tx =>
    new Proxy({} as Tx, {
      get(_, name: keyof Tx) {
        if (name === 'single') return apart(scope)
        return (...asked: unknown[]) =>
          database.transaction(scope, tx => (tx[name] as (...words: unknown[]) => Promise<unknown>)(...asked))
      },
    })
  return {
    close: () => database.close(),
    connections: () => database.connections(),
    async transaction(scope, work) {
      if (scope.system || scope.site == null) return database.transaction(scope, work)
      if (plan.apart) return work(watched(apart(scope)))
      return database.transaction(scope, async tx => {
        const result = await work(watched(tx))
        if (!plan.struck && plan.reached + 1 === plan.at && plan.way !== 'unheard')
          // the failure is kept from the work, which is done: the commit has to find out by itself
          await strike(tx, () => Promise.resolve(null)).catch(() => {})
        return result
      })
    },
  }
}

type Act = { readonly what: string; readonly does: () => Promise<{ done: boolean; said: string }> }

export async function run({ short, log }: DrillOptions): Promise<Figure> {
  const books = tally(log)
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-drill-'))
  const store = await openStore(readConfig({ DATA_DIR: dataDir }), { log: () => {} })
  const owner = new pg.Client({ connectionString: store.adminUrl })
  await owner.connect()
  const plan: Plan = { at: 0, way: 'refused', reached: 0, struck: false, apart: false }
  const database = planned(store.database, plan, async pid => {
    await owner.query('select pg_terminate_backend($1, 5000)', [pid])
  })
  const app = await serve({ database, logger: false })
  try {
    await loadDemo({ client: owner, now: new Date() })
    await owner.query('update site set auto_process_intake_on_full_scan = true, do_doc_insert = true where id = 1')
    const tables = await tablesOf(owner)
    const statements: string[] = []
    for (const act of await actsOf({ app, database, owner, dataDir })) {
      let length = 0
      for (const way of short ? (['unheard'] as const) : ways)
        length = await failEach(act, { plan, way, last: way === 'unheard' }, { owner, tables, books })
      statements.push(`${act.what} ${length}`)
    }
    await control({ app, database, owner, dataDir }, plan, { owner, tables, books })
    return books.figure(`statements: ${statements.join(', ')}`)
  } finally {
    await app.close()
    await owner.end()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Sight = { owner: pg.Client; tables: readonly string[]; books: Tally }

/** Every table but that of the sessions, in which is written when one was last seen. */
async function tablesOf(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'session' order by 1`)
  return rows.map(({ name }) => name)
}

/** What every table holds, to the byte. */
async function picture({ owner, tables }: Sight): Promise<Map<string, string>> {
  const asked = tables.map(
    name =>
      `select '${name}' as name, coalesce((select md5(string_agg(row, '' order by row)) from (select md5(t::text) as row from "${name}" t) rows), '') as sum`,
  )
  const { rows } = await owner.query<{ name: string; sum: string }>(asked.join(' union all '))
  return new Map(rows.map(({ name, sum }) => [name, sum]))
}

const differing = (one: Map<string, string>, other: Map<string, string>): string[] =>
  [...one].filter(([name, sum]) => other.get(name) !== sum).map(([name]) => name)

/**
 * The act with its first statement failing, its second, and so on to its commit; answers how many it has. The last of the ways
 * goes on until nothing fails and the act is done.
 */
async function failEach(
  act: Act,
  { plan, way, last }: { plan: Plan; way: Way; last: boolean },
  sight: Sight,
): Promise<number> {
  const { books } = sight
  let before = await picture(sight)
  for (let at = 1; ; at++) {
    Object.assign(plan, { at, way, reached: 0, struck: false })
    const { done, said } = await act.does()
    const { struck, reached } = plan
    plan.at = 0
    const after = await picture(sight)
    const changed = differing(before, after)
    const what = `${act.what}, statement ${at} ${way}`
    if (!struck) {
      books.check(`${act.what} without a failure`, done ? null : said)
      books.control(`${act.what} without a failure changes rows`, changed.length > 0)
      return reached
    }
    books.check(what, done ? 'was told to be done' : changed.length > 0 ? `changed ${changed.join(', ')}` : null)
    before = after
    if (at > 500) throw new Error(`${act.what} does not end`)
    // that was the commit: the other ways begin from the same state
    if (!last && at > reached) return reached
  }
}

type Stage = { app: FastifyInstance; database: Database; owner: pg.Client; dataDir: string }

/** Asks in somebody's name, over the whole HTTP stack. */
async function asker(app: FastifyInstance, username: string) {
  let cookie = ''
  const ask = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ method: 'POST', url, payload, headers: { host: 'localhost', cookie, ...headers } })
    cookie ||= String(reply.headers['set-cookie'] ?? '').replace(/;.*/s, '')
    return { status: reply.statusCode, text: reply.payload }
  }
  const must = async <A>(url: string, payload: object): Promise<A> => {
    const { status, text } = await ask(url, payload)
    if (status !== 200) throw new Error(`${url}: ${status} ${text}`)
    return JSON.parse(text) as A
  }
  await must('/users/authenticate', { username, password: 'wheelhouse' })
  return { ask, must }
}
type Asker = Awaited<ReturnType<typeof asker>>

/** A storage of a vehicle's four tyres, with rims, that waits to be handled. */
async function storage(user: Asker, ground: Ground, plate: string): Promise<{ _id: number; tyres: number[] }> {
  const vehicleData = {
    license_plate: plate,
    brand: 'Volvo',
    description: 'V60',
    type: 'car',
    configuration: ground.configuration,
  }
  const vehicle = await user.must<{ flt_id: [number] }>('/fleet/new', { vehicleData })
  const flt_id = vehicle.flt_id[0]
  const tyres = (
    await user.must<{ db_id: [number] }[]>('/fleet/addtyres', {
      flt_id,
      tyre_set: 'Winter',
      tyres: ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: ground.article })),
    })
  ).map(tyre => tyre.db_id[0])
  const { _id } = await user.must<{ _id: number }>('/operations/new', {
    operation: { flt_id, tyres, operationType: 'to_stock' },
  })
  await user.must('/operations/update', {
    operation: { _id, status: 'submitted', withRims: 'steel', remarks: 'Drill' },
  })
  return { _id, tyres }
}

/** A call in somebody's name, each time under another key. */
const act = (what: string, by: Asker, url: string, payload: object): Act => ({
  what,
  does: async () => {
    const { status, text } = await by.ask(url, payload, { 'idempotency-key': crypto.randomUUID() })
    return { done: status === 200, said: `${status} ${text.slice(0, 300)}` }
  },
})

async function actsOf({ app, database, owner, dataDir }: Stage): Promise<Act[]> {
  const [user, admin, superuser] = await Promise.all(
    ['customer', 'admin', 'superuser'].map(username => asker(app, username)),
  )
  const ground = (await owner.query<Ground>(groundOf)).rows[0]
  if (!user || !admin || !superuser || !ground) throw new Error('the demo has nothing to work with')
  const [toConfirm, toScan, toCancel] = [
    await storage(user, ground, '1FLT001'),
    await storage(user, ground, '1FLT002'),
    await storage(user, ground, '1FLT003'),
  ]
  const scans = toScan.tyres.map(tyreId => ({ tyreId, ticsId: 1, scanId: crypto.randomUUID() }))
  const { rows: owed } = await owner.query<{ seq_id: number; tyres: number[] }>(`
    select t.customer_id as seq_id, (array_agg(t.id order by t.id))[1:4] as tyres
    from tyre t where t.site_id = 1 and t.status = 'in_stock' and t.removed_at is null and t.billed_until < current_date - 1
      and not exists (select from document_tyre d where d.site_id = 1 and d.tyre_id = t.id)
    group by 1 order by count(*) desc limit 1`)
  const config = await superuser.must<Config>('/hotelconfig/adminconfig', { id: 1 })
  const [transport, ...transports] = config.transportMethods
  const [service, ...services] = config.services
  const edit = {
    ...config,
    name: `${config.name} II`,
    adminEmail: 'drill@example.org',
    urls: [...config.urls, 'drill.example.org'],
    transportMethods: [
      ...transports.slice(1),
      { ...transport, default: true, advanceDays: 3 },
      { ...transport, _id: undefined, default: false, code: 'drill', name: 'Drill' },
    ],
    services: [...services.slice(1), { ...service, name: 'Drill' }, { ...service, _id: undefined, name: 'Drill 2' }],
  }
  const customers = ['code,name', ...Array.from({ length: 1100 }, (_, nth) => `FLT${nth},Customer ${nth}`)].join('\n')
  const file = join(dataDir, 'vehicles.csv')
  const rows = Array.from(
    { length: 700 },
    (_, nth) => `1FLV${String(nth).padStart(3, '0')},car,Volvo,V60,${nth % 2 ? 4 : ''}`,
  )
  await writeFile(file, ['license_plate,kind,brand,description,wheels', ...rows].join('\n'))
  const wanted = {
    kind: 'vehicles',
    file,
    site: config.default_site_code,
    customer: ground.customer,
    now: new Date(),
  } as const
  const quiet = { rowRefused: () => {}, rowAdjusted: () => {}, remark: () => {}, progress: () => {} }
  const { rows: codes } = await owner.query<{ code: string }>('select code from site where id = 1')
  return [
    act('confirm', admin, '/operations/confirm', { operation: { _id: toConfirm._id }, anyway: true }),
    act('markscan', admin, '/operations/markscan', { tyres: scans, type: 'to_stock' }),
    act('cancel', admin, '/operations/cancel', { operation: { _id: toCancel._id } }),
    act('inject', admin, '/invoicing/inject', owed[0] ?? {}),
    act('edit', superuser, '/hotelconfig/edit', edit),
    act('import of customers', admin, '/customers/import', { csv: customers }),
    {
      what: 'import of vehicles',
      does: () =>
        importFile(database, { ...wanted, site: codes[0]?.code ?? '' }, quiet).then(
          ({ added }) => ({ done: added === 700, said: `${added} added` }),
          (error: Error) => ({ done: false, said: error.message }),
        ),
    },
  ]
}
type Config = {
  name: string
  default_site_code: string
  urls: string[]
  transportMethods: Record<string, unknown>[]
  services: Record<string, unknown>[]
}

/** What the check says of a confirmation whose statements are kept each for itself: half of it is there. */
async function control({ app, owner }: Stage, plan: Plan, sight: Sight): Promise<void> {
  const [user, admin] = await Promise.all([asker(app, 'customer'), asker(app, 'admin')])
  const ground = (await owner.query<Ground>(groundOf)).rows[0]
  if (!ground) throw new Error('the demo has nothing to work with')
  const { _id } = await storage(user, ground, '1FLT009')
  const before = await picture(sight)
  Object.assign(plan, { at: 7, way: 'unheard', reached: 0, struck: false, apart: true })
  const { status } = await admin.ask('/operations/confirm', { operation: { _id }, anyway: true })
  plan.apart = false
  plan.at = 0
  const changed = differing(before, await picture(sight))
  sight.books.control('a confirmation without a transaction', plan.struck && status !== 200 && changed.length > 0)
}
