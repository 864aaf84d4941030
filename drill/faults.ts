/**
 * docs/promises.md "All or nothing": each statement of a call fails once, in each of three ways. Nothing of the call is kept, and
 * repeated it succeeds. The call runs in the real server on a real database; the drill only wraps the connection.
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
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { selectBasics, type Basics } from './portalClient.ts'

export const promise = 11
export const summary = 'any statement of a call fails: all or nothing'

/**
 * How a statement fails. `disconnected`: the connection ends before it. `refused`: the database refuses it. `lost answer`: it is
 * executed, but the answer is an error.
 */
const failures = ['disconnected', 'refused', 'lost answer'] as const
type FailureKind = (typeof failures)[number]

/** Which statement of the next call fails and how, and how many statements the call made. `autocommit`: without a transaction. */
type Plan = { at: number; failure: FailureKind; reached: number; failed: boolean; autocommit: boolean }

const impossible = statement({ name: 'drill.impossible', sql: 'select 1 / 0' })
const connection = statement({ name: 'drill.connection', row: { pid: int }, sql: 'select pg_backend_pid() as pid' })

/** The database with a plan for which statement of a site's transaction fails. The commit counts as the last statement. */
function withFaults(database: Database, plan: Plan, disconnect: (pid: number) => Promise<void>): Database {
  const fail = async (tx: Tx, perform: () => Promise<unknown>): Promise<unknown> => {
    plan.failed = true
    if (plan.failure === 'refused') return tx.run(impossible, {})
    if (plan.failure === 'disconnected') {
      const { pid } = await tx.one(connection, {})
      await disconnect(pid)
      return perform()
    }
    await perform()
    throw new Error('the answer of the statement was lost')
  }
  const faulty = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(_, name: keyof Tx) {
        // a single statement fails like the only one of a transaction
        if (name === 'single') return faulty(tx)
        return async (...parameters: unknown[]) => {
          const perform = () => (tx[name] as (...words: unknown[]) => Promise<unknown>)(...parameters)
          // statements after the failure are not counted
          return !plan.failed && ++plan.reached === plan.at ? fail(tx, perform) : perform()
        }
      },
    })
  /** Each statement in a transaction of its own, for the negative control. */
  const autocommitted = (scope: Scope): Tx =>
    new Proxy({} as Tx, {
      get(_, name: keyof Tx) {
        if (name === 'single') return autocommitted(scope)
        return (...parameters: unknown[]) =>
          database.transaction(scope, tx => (tx[name] as (...words: unknown[]) => Promise<unknown>)(...parameters))
      },
    })
  return {
    size: database.size,
    close: () => database.close(),
    connections: () => database.connections(),
    async transaction(scope, work) {
      if (scope.system || scope.site == null) return database.transaction(scope, work)
      if (plan.autocommit) return work(faulty(autocommitted(scope)))
      return database.transaction(scope, async tx => {
        const result = await work(faulty(tx))
        if (!plan.failed && plan.reached + 1 === plan.at && plan.failure !== 'lost answer')
          // the work is done and does not see the failure: the commit has to notice it
          await fail(tx, () => Promise.resolve(null)).catch(() => {})
        return result
      })
    },
  }
}

type FaultedCall = { readonly name: string; readonly perform: () => Promise<{ done: boolean; reply: string }> }

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-drill-'))
  const store = await openStore(readConfig({ DATA_DIR: dataDir }), { log: () => {} })
  const owner = new pg.Client({ connectionString: store.adminUrl })
  await owner.connect()
  const plan: Plan = { at: 0, failure: 'refused', reached: 0, failed: false, autocommit: false }
  const database = withFaults(store.database, plan, async pid => {
    await owner.query('select pg_terminate_backend($1, 5000)', [pid])
  })
  const app = await serve({ database, logger: false })
  try {
    await loadDemo({ client: owner, now: new Date() })
    await owner.query('update site set auto_process_intake_on_full_scan = true, do_doc_insert = true where id = 1')
    const tables = await tablesOf(owner)
    const statements: string[] = []
    for (const faultedCall of await faultedCalls({ app, database, owner, dataDir })) {
      let length = 0
      for (const failure of short ? (['lost answer'] as const) : failures)
        length = await failEach(
          faultedCall,
          { plan, failure, last: failure === 'lost answer' },
          { owner, tables, checks },
        )
      statements.push(`${faultedCall.name} ${length}`)
    }
    await control({ app, database, owner, dataDir }, plan, { owner, tables, checks })
    return checks.result(`statements: ${statements.join(', ')}`)
  } finally {
    await app.close()
    await owner.end()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Observed = { owner: pg.Client; tables: readonly string[]; checks: Tally }

/** All tables except that of sessions, which records when one was last used. */
async function tablesOf(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'session' order by 1`)
  return rows.map(({ name }) => name)
}

/** A checksum of every table. */
async function snapshot({ owner, tables }: Observed): Promise<Map<string, string>> {
  const queries = tables.map(
    name =>
      `select '${name}' as name, coalesce((select md5(string_agg(row, '' order by row)) from (select md5(t::text) as row from "${name}" t) rows), '') as sum`,
  )
  const { rows } = await owner.query<{ name: string; sum: string }>(queries.join(' union all '))
  return new Map(rows.map(({ name, sum }) => [name, sum]))
}

const differing = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before].filter(([name, sum]) => after.get(name) !== sum).map(([name]) => name)

/**
 * Makes a call with its first statement failing, then its second, and so on up to its commit. `last`: continues until
 * nothing fails and the call succeeds. Returns its number of statements.
 */
async function failEach(
  faultedCall: FaultedCall,
  { plan, failure, last }: { plan: Plan; failure: FailureKind; last: boolean },
  observed: Observed,
): Promise<number> {
  const { checks } = observed
  let before = await snapshot(observed)
  for (let at = 1; ; at++) {
    Object.assign(plan, { at, failure, reached: 0, failed: false })
    const { done, reply } = await faultedCall.perform()
    const { failed, reached } = plan
    plan.at = 0
    const after = await snapshot(observed)
    const changed = differing(before, after)
    const what = `${faultedCall.name}, statement ${at}: ${failure}`
    if (!failed) {
      checks.check(`${faultedCall.name} without a failure`, done ? null : reply)
      checks.control(`${faultedCall.name} without a failure changes rows`, changed.length > 0)
      return reached
    }
    checks.check(what, done ? 'was acknowledged' : changed.length > 0 ? `changed ${changed.join(', ')}` : null)
    before = after
    if (at > 500) throw new Error(`${faultedCall.name} does not end`)
    // that was the commit: the next kind of failure starts from the same state
    if (!last && at > reached) return reached
  }
}

type Stage = { app: FastifyInstance; database: Database; owner: pg.Client; dataDir: string }

/** A signed-in client of the whole HTTP stack. */
async function signIn(app: FastifyInstance, username: string) {
  let cookie = ''
  const ask = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ method: 'POST', url, payload, headers: { host: 'localhost', cookie, ...headers } })
    cookie ||= String(reply.headers['set-cookie'] ?? '').replace(/;.*/s, '')
    return { status: reply.statusCode, text: reply.payload }
  }
  const askOk = async <A>(url: string, payload: object): Promise<A> => {
    const { status, text } = await ask(url, payload)
    if (status !== 200) throw new Error(`${url}: ${status} ${text}`)
    return JSON.parse(text) as A
  }
  await askOk('/users/authenticate', { username, password: 'wheelhouse' })
  return { ask, must: askOk }
}
type Client = Awaited<ReturnType<typeof signIn>>

/** Submits a storage of a new vehicle's four tyres, with rims. */
async function submitStorage(user: Client, basics: Basics, plate: string): Promise<{ _id: number; tyres: number[] }> {
  const vehicleData = {
    license_plate: plate,
    brand: 'Volvo',
    description: 'V60',
    type: 'car',
    configuration: basics.configuration,
  }
  const vehicle = await user.must<{ flt_id: [number] }>('/fleet/new', { vehicleData })
  const flt_id = vehicle.flt_id[0]
  const tyres = (
    await user.must<{ db_id: [number] }[]>('/fleet/addtyres', {
      flt_id,
      tyre_set: 'Winter',
      tyres: ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: basics.article })),
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

/** A call of a client, with a new idempotency key each time. */
const faultedCall = (name: string, by: Client, url: string, payload: object): FaultedCall => ({
  name,
  perform: async () => {
    const { status, text } = await by.ask(url, payload, { 'idempotency-key': crypto.randomUUID() })
    return { done: status === 200, reply: `${status} ${text.slice(0, 300)}` }
  },
})

async function faultedCalls({ app, database, owner, dataDir }: Stage): Promise<FaultedCall[]> {
  const [user, admin, superuser] = await Promise.all(
    ['customer', 'admin', 'superuser'].map(username => signIn(app, username)),
  )
  const basics = (await owner.query<Basics>(selectBasics)).rows[0]
  if (!user || !admin || !superuser || !basics) throw new Error('the demo lacks the basic rows')
  const [toConfirm, toScan, toCancel] = [
    await submitStorage(user, basics, '1FLT001'),
    await submitStorage(user, basics, '1FLT002'),
    await submitStorage(user, basics, '1FLT003'),
  ]
  const scans = toScan.tyres.map(tyreId => ({ tyreId, ticsId: 1, scanId: crypto.randomUUID() }))
  const { rows: overdue } = await owner.query<{ seq_id: number; tyres: number[] }>(`
    select t.customer_id as seq_id, (array_agg(t.id order by t.id))[1:4] as tyres
    from tyre t where t.site_id = 1 and t.status = 'in_stock' and t.removed_at is null and t.billed_until < current_date - 1
      and not exists (select from storage_ledger d where d.site_id = 1 and d.tyre_id = t.id)
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
      ...transports,
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
  const request = {
    kind: 'vehicles',
    file,
    site: config.default_site_code,
    customer: basics.customer,
    now: new Date(),
  } as const
  const silentReporter = { rowRefused: () => {}, rowAdjusted: () => {}, remark: () => {}, progress: () => {} }
  const { rows: codes } = await owner.query<{ code: string }>('select code from site where id = 1')
  return [
    faultedCall('confirm', admin, '/operations/confirm', { operation: { _id: toConfirm._id }, here: 'all' }),
    faultedCall('markscan', admin, '/operations/markscan', { tyres: scans, type: 'to_stock' }),
    faultedCall('cancel', admin, '/operations/cancel', { operation: { _id: toCancel._id } }),
    faultedCall('inject', admin, '/invoicing/inject', overdue[0] ?? {}),
    faultedCall('edit', superuser, '/hotelconfig/edit', edit),
    faultedCall('removal of a transport method', superuser, '/hotelconfig/removetransport', {
      id: 1,
      transport: transports[0]?.['_id'],
      by: transport?.['_id'],
    }),
    faultedCall('import of customers', admin, '/customers/import', { csv: customers }),
    {
      name: 'import of vehicles',
      perform: () =>
        importFile(database, { ...request, site: codes[0]?.code ?? '' }, silentReporter).then(
          ({ added }) => ({ done: added === 700, reply: `${added} added` }),
          (error: Error) => ({ done: false, reply: error.message }),
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

/** Negative control: a confirmation without a transaction leaves half of itself. */
async function control({ app, owner }: Stage, plan: Plan, observed: Observed): Promise<void> {
  const [user, admin] = await Promise.all([signIn(app, 'customer'), signIn(app, 'admin')])
  const basics = (await owner.query<Basics>(selectBasics)).rows[0]
  if (!basics) throw new Error('the demo lacks the basic rows')
  const { _id } = await submitStorage(user, basics, '1FLT009')
  // the statements before the first write leave nothing, and are tried again
  let halfDone = false
  for (let at = 1; at <= 12 && !halfDone; at++) {
    const before = await snapshot(observed)
    Object.assign(plan, { at, failure: 'lost answer', reached: 0, failed: false, autocommit: true })
    const { status } = await admin.ask('/operations/confirm', { operation: { _id }, here: 'all' })
    plan.autocommit = false
    plan.at = 0
    halfDone = plan.failed && status !== 200 && differing(before, await snapshot(observed)).length > 0
  }
  observed.checks.control('a confirmation without a transaction', halfDone)
}
