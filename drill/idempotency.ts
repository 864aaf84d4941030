/** Repeated calls with the same idempotency key, also concurrent: executed once, each gets the first answer (docs/promises.md "Repeated calls"). */
import { randomUUID } from 'node:crypto'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { answerOf, addVehicle, selectBasics, signIn, type Client, type Basics, type Outcome } from './portalClient.ts'

export const promise = 13
export const summary = 'calls repeated with one key are executed once'

type Repeated = {
  readonly what: string
  readonly by: Client
  readonly path: string
  readonly body: unknown
  /** Counts the rows of the kind that the call makes, as `n`. */
  readonly counts: string
  /** The number that one call makes. */
  readonly makes: number
}

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const times = short ? 40 : 1000
  const imports = short ? 10 : 200
  const checks = tally(log)
  const portal = await openPortal()
  try {
    const { repeated, unguarded } = await callsOf(portal)
    for (const call of await repeated) await repeatCall(portal, call, times, checks)
    for (const withCode of [true, false]) await importAtOnce(portal, { times: imports, withCode }, checks)
    await repeatedWithoutKey(portal, unguarded, checks)
    return checks.result(`each call ${times} times at once, imports ${imports} times`)
  } finally {
    await portal.close()
  }
}

const countOf = async (portal: Portal, sql: string): Promise<number> =>
  (await portal.sql<{ n: number }>(sql))[0]?.n ?? Number.NaN

/** Makes a call `times` times at once with one key; retries while the server is busy. */
async function repeatCall(
  portal: Portal,
  { what, by, path, body, counts, makes }: Repeated,
  times: number,
  checks: Tally,
) {
  const headers = { 'idempotency-key': randomUUID() }
  const ask = async (): Promise<Outcome> => {
    for (;;) {
      const reply = await by.call(path, body, headers)
      if (reply.kind !== 'refusal' || (reply.status !== 503 && reply.refusal.code !== 'server.busy')) return reply
    }
  }
  const before = await countOf(portal, counts)
  const replies = await Promise.all(Array.from({ length: times }, ask))
  const [first] = replies
  for (const reply of replies) {
    const same = first?.kind === 'answer' && reply.kind === 'answer' && reply.text === first.text
    checks.check(what, same ? null : `answered ${JSON.stringify(reply).slice(0, 300)}`)
  }
  const added = (await countOf(portal, counts)) - before
  checks.check(what, added === makes ? null : `made ${added} rows instead of ${makes}`)
  const other = await by.call(path, { ...(body as object), beside: true }, headers)
  const refused = other.kind === 'refusal' && other.refusal.code === 'request.key_reused'
  checks.check(
    what,
    refused ? null : `another call under the same key was answered ${JSON.stringify(other).slice(0, 300)}`,
  )
}

/** A call of each kind that makes or advances something; `unguarded` is one that only the key protects. */
async function callsOf(portal: Portal): Promise<{ repeated: Promise<Repeated[]>; unguarded: Repeated }> {
  const [user, admin] = await Promise.all([signIn(portal.url, 'customer'), signIn(portal.url, 'admin')])
  const [basics] = await portal.sql<Basics>(selectBasics)
  if (!basics) throw new Error('the demo lacks the basic rows')
  let plates = 0
  const addNextVehicle = () => addVehicle(user, { ...basics, plate: `1RPT${String(++plates).padStart(3, '0')}` })
  const operations = 'select count(*)::int as n from operation'
  const inStatus = (status: string) => `${operations} where status = '${status}'`
  /** A new operation, submitted if requested. */
  const operation = async (submitted: boolean): Promise<number> => {
    const { vehicle, tyres } = await addNextVehicle()
    const input = { operation: { flt_id: vehicle, tyres, operationType: 'to_stock' } }
    const operation = answerOf(await user.callUntilReply<{ _id: number }>('/operations/new', input), 'a new operation')
    const submit = { operation: { _id: operation._id, status: 'submitted' } }
    if (submitted) answerOf(await user.callUntilReply('/operations/update', submit), 'its submission')
    return operation._id
  }
  const forNew = await addNextVehicle()
  const forTyres = await addNextVehicle()
  const tyres = (positions: readonly string[]) => ({
    flt_id: forTyres.vehicle,
    tyre_set: '',
    tyres: positions.map(position => ({ position, art_id: basics.article })),
  })
  const tyresMade = { by: user, path: '/fleet/addtyres', counts: 'select count(*)::int as n from tyre' }
  const [overdue] = await portal.sql<{ seq_id: number; tyres: number[] }>(`
    select t.customer_id as seq_id, (array_agg(t.id order by t.id))[1:4] as tyres
    from tyre t where t.site_id = 1 and t.status = 'in_stock' and t.removed_at is null
      and t.billed_until < current_date - 1 and not exists (select from storage_ledger d where d.site_id = 1 and d.tyre_id = t.id)
    group by 1 order by count(*) desc limit 1`)
  if (!overdue) throw new Error('no customer of the demo has storage to charge')

  const make = async (): Promise<Repeated[]> => [
    {
      what: 'making an operation',
      by: user,
      path: '/operations/new',
      body: { operation: { flt_id: forNew.vehicle, tyres: forNew.tyres, operationType: 'to_stock' } },
      counts: operations,
      makes: 1,
    },
    {
      what: 'submitting it',
      by: user,
      path: '/operations/update',
      body: { operation: { _id: await operation(false), status: 'submitted' } },
      counts: inStatus('submitted'),
      makes: 1,
    },
    {
      what: 'confirming it, with its document',
      by: admin,
      path: '/operations/confirm',
      body: { operation: { _id: await operation(true) }, here: 'all' },
      counts: 'select count(*)::int as n from document',
      makes: 1,
    },
    {
      what: 'cancelling it',
      by: admin,
      path: '/operations/cancel',
      body: { operation: { _id: await operation(true) } },
      counts: `select count(*)::int as n from audit where action = 'operation.cancel'`,
      makes: 1,
    },
    {
      what: 'deleting it',
      by: user,
      path: '/operations/delete',
      body: { operation: { _id: await operation(false) } },
      counts: operations,
      makes: -1,
    },
    {
      what: 'a new vehicle',
      by: user,
      path: '/fleet/new',
      body: {
        vehicleData: { ...basics, license_plate: '1RPT900', brand: 'Volvo', description: 'V60', type: 'car' },
      },
      counts: 'select count(*)::int as n from vehicle',
      makes: 1,
    },
    { ...tyresMade, what: 'new tyres', body: tyres(['1A']), makes: 1 },
    {
      what: 'charging storage',
      by: admin,
      path: '/invoicing/inject',
      body: overdue,
      counts: `select count(*)::int as n from document where reason = 'storage'`,
      makes: 1,
    },
  ]
  return { repeated: make(), unguarded: { ...tyresMade, what: 'tyres without a key', body: tyres(['2B']), makes: 1 } }
}

/** The same file imported many times at once: each customer exists once. */
async function importAtOnce(portal: Portal, { times, withCode }: { times: number; withCode: boolean }, checks: Tally) {
  const admin = await signIn(portal.url, 'admin')
  const rows = Array.from({ length: 20 }, (_, nth) => `${withCode ? `RPT${nth}` : ''},Repeated ${withCode} ${nth},9000`)
  const csv = ['code,name,zipcode', ...rows].join('\n')
  const replies = await Promise.all(
    Array.from({ length: times }, () =>
      admin.callUntilReply<{ added: number; refused: number }>('/customers/import', { csv }),
    ),
  )
  const what = `importing customers ${withCode ? 'with' : 'without'} codes`
  let added = 0
  for (const reply of replies) {
    if (reply.kind === 'answer') added += reply.answer.added
    const good = reply.kind === 'answer' && reply.answer.refused === 0 && [0, 20].includes(reply.answer.added)
    checks.check(what, good ? null : JSON.stringify(reply).slice(0, 300))
  }
  checks.check(what, added === 20 ? null : `${added} customers reported as added instead of 20`)
  const count = await countOf(
    portal,
    `select count(*)::int as n from customer where name like 'Repeated ${withCode} %'`,
  )
  checks.check(what, count === 20 ? null : `${count} customers exist instead of 20`)
}

/** Negative control: without a key the same tyre is added twice. */
async function repeatedWithoutKey(
  portal: Portal,
  { by, path, body, counts, makes }: Repeated,
  checks: Tally,
): Promise<void> {
  const before = await countOf(portal, counts)
  for (const time of ['first', 'second']) answerOf(await by.call(path, body), `the ${time} call without a key`)
  const added = (await countOf(portal, counts)) - before
  checks.control('a call made twice without a key', added === 2 * makes)
}
