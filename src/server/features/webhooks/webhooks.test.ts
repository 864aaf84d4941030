/** Webhook messages, their order, and retries while the receiver does not answer (docs/product/messages.md "Webhooks"). */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { today } from '#domain/texts/date.ts'
import { maxEndpoints, webhookKinds, type WebhookKind } from '#domain/people/webhook.ts'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { tyres } from '#contract/tyres.ts'
import { webhooks, type WantedEndpoint } from '#contract/webhooks.ts'
import { statement } from '../../db/statement.ts'
import { int } from '../../db/types.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { openSecrets } from '../../secrets.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'
import { deleteOldEvents, deliverNext } from './deliver.ts'
import { takeNextDelivery } from './webhooks.sql.ts'

const secrets = openSecrets('a key that is long enough to be one, at least here')
const outbound = openOutbound({ allowPrivate: true, allowPrivateForCustomers: true, timeoutMs: 2000 })
const dayMs = 24 * 3_600_000

type Heard = {
  /** The path. */
  to: string
  id: string
  signatures: string
  headers: Record<string, string>
  body: string
  type: string
  data: Record<string, unknown>
}
let at: World
let receiver: Server
let url = ''
let heard: Heard[] = []
/** The receiver's reaction to a message; `true`: accepts it. */
let answer: (heard: Heard, response: ServerResponse) => boolean
/** How much later it is than it really is. */
let later = 0
const clock = () => new Date(Date.now() + later)

beforeAll(async () => {
  at = await world({ served: () => ({ secrets, outbound }) })
  receiver = createServer((request, response) => void hear(request, response))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await at.close()
})
beforeEach(() => {
  heard = []
  later = 0
  answer = () => true
})
afterEach(() => at.query('truncate webhook_endpoint, webhook_event, webhook_delivery, mail cascade'))

async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
  const headers = request.headers as Record<string, string>
  const { 'webhook-id': id, 'webhook-signature': signatures } = headers
  const message = { to: request.url ?? '', id: String(id), signatures: String(signatures), body, type, data, headers }
  heard.push(message)
  if (answer(message, response)) response.writeHead(200).end('thank you')
}

async function endpoint(
  wanted: Partial<WantedEndpoint> = {},
  who = at.who.admin,
): Promise<{ _id: number; secret: string }> {
  const {
    status,
    answer: endpoint,
    text,
  } = await at.ask(webhooks.save, who, {
    url,
    kinds: [...webhookKinds],
    enabled: true,
    ...wanted,
  })
  if (status !== 200) throw new Error(text)
  return { _id: endpoint._id, secret: endpoint.secret ?? '' }
}

const deliver = async () => {
  const sending = { secrets, outbound, sendsMail: true, clock }
  return (await deliverNext(at.database, sending)) || deliverNext(at.database, { ...sending, ofCustomers: true })
}
/** Delivers the due messages, by several workers at once. */
async function deliverAll(workers = 1): Promise<void> {
  const work = async (): Promise<void> => {
    while (await deliver());
  }
  await Promise.all(Array.from({ length: workers }, work))
}
const types = () => heard.map(({ type }) => type)

/** Says that these happened to objects of the home site, in their order. */
const happen = (...things: readonly (readonly [kind: WebhookKind, object: string])[]) =>
  at.query(
    `select publish_happenings(array(
       select row($1, null, kind, object, jsonb_build_object('nth', nth))::webhook_happening
       from unnest($2::text[], $3::text[]) with ordinality as t(kind, object, nth) order by nth))`,
    [at.sites.home, things.map(([kind]) => kind), things.map(([, object]) => object)],
  )
const log = async (_id: number) => (await at.ask(webhooks.log, at.who.admin, { _id })).answer.deliveries
const listed = async () => (await at.ask(webhooks.list, at.who.admin, {})).answer.endpoints

test('the life of an operation is told to whoever wants it, signed so that the library’s own verifier accepts it', async () => {
  const { secret } = await endpoint()
  const { _id: partly } = await endpoint({ kinds: ['operation.submitted'] })
  await endpoint({ enabled: false })
  const vehicle = await at.addVehicle({ customer: at.customers.a })
  const tyres = await at.addSet({ vehicle })
  const { answer: operation } = await at.ask(operations.new, at.who.a, {
    operation: { flt_id: vehicle, tyres, operationType: 'to_stock' },
  })
  const { _id } = operation
  await at.ask(operations.update, at.who.a, { operation: { _id, status: 'submitted' } })
  await at.ask(operations.confirm, at.who.admin, { operation: { _id }, here: tyres })
  await deliverAll()
  expect(new Set(types())).toEqual(
    new Set(['operation.created', 'operation.submitted', 'operation.confirmed', 'tyre.received']),
  )
  expect(types().filter(type => type === 'operation.submitted')).toHaveLength(2)
  expect(types().filter(type => type === 'tyre.received')).toHaveLength(4)
  expect(heard.find(({ type }) => type === 'operation.confirmed')?.data).toEqual({
    operation: _id,
    type: 'to_stock',
    status: 'confirmed',
    vehicle,
    customer: at.customers.a,
  })
  expect((await log(partly)).map(({ kind, state }) => [kind, state])).toEqual([['operation.submitted', 'delivered']])
  const verifier = new Webhook(secret)
  const verified = heard.filter(({ body, headers }) => {
    try {
      return verifier.verify(body, headers)
    } catch {
      return false
    }
  })
  // the one for the other endpoint has another secret
  expect(verified).toHaveLength(heard.length - 1)
  const [first] = verified
  expect(() => verifier.verify(`${first?.body} `, first?.headers ?? {})).toThrow('No matching signature')
})

test('nothing is written where no endpoint wants it, nor for what was rolled back', async () => {
  await addOperation(at)
  expect(await at.query('select from webhook_event')).toEqual([])
  await endpoint({ kinds: ['document.created'] })
  await addOperation(at)
  expect(await at.query('select from webhook_event')).toEqual([])
  await endpoint()
  await at.query('begin')
  await happen(['tyre.received', 'tyre 1'])
  await at.query('rollback')
  expect(await at.query('select from webhook_event')).toEqual([])
  await happen(['tyre.received', 'tyre 1'])
  expect(await at.query('select from webhook_event')).toHaveLength(1)
})

test('what happens at one site is told to no endpoint of another', async () => {
  await at.ask(webhooks.save, at.who.otherAdmin, { url, kinds: [...webhookKinds], enabled: true })
  await happen(['tyre.received', 'tyre 1'])
  await deliverAll()
  expect(heard).toEqual([])
})

test('a message that is not taken comes again, with what comes after it about the same object behind it', async () => {
  const { _id } = await endpoint()
  await happen(['tyre.received', 'tyre 1'], ['tyre.moved', 'tyre 1'], ['tyre.received', 'tyre 2'])
  answer = ({ data }, response) => {
    if (data['nth'] !== 1 || heard.length > 3) return true
    response.writeHead(503).end('not now')
    return false
  }
  await deliverAll(4)
  expect(types()).toEqual(['tyre.received', 'tyre.received'])
  expect((await log(_id)).at(-1)).toMatchObject({ state: 'waiting', tries: 1, status: 503, answer: 'not now' })
  // growing pauses
  later = 6000
  await deliverAll(4)
  expect(heard).toHaveLength(3)
  later = 12_000
  await deliverAll(4)
  expect(heard).toHaveLength(3)
  later = 20_000
  await deliverAll(4)
  expect(heard.slice(3).map(({ data }) => data['nth'])).toEqual([1, 2])
  expect(new Set(heard.map(({ id }) => id)).size).toBe(3)
})

test('a receiver that fails one in three and hangs up gets each at least once, in order per object', async () => {
  await endpoint()
  const objects = Array.from({ length: 12 }, (_, nth) => `tyre ${nth}`)
  for (let round = 0; round < 5; round++) await happen(...objects.map(object => ['tyre.moved', object] as const))
  const taken: Record<string, number[]> = {}
  const numbers = new Map(
    (await at.query<{ key: string; id: number; object: string }>('select key, id::int, object from webhook_event')).map(
      ({ key, id, object }) => [key, { id, object }],
    ),
  )
  let count = 0
  answer = ({ id }, response) => {
    count++
    if (count % 3 === 0) {
      if (count % 2 === 0) response.destroy()
      else response.writeHead(500).end()
      return false
    }
    const { id: nth = 0, object = '' } = numbers.get(id) ?? {}
    ;(taken[object] ??= []).push(nth)
    return true
  }
  for (let rounds = 0; rounds < 40 && (await waiting()) > 0; rounds++) {
    await deliverAll(4)
    later += 3_600_000
  }
  expect(await waiting()).toBe(0)
  expect(Object.keys(taken).toSorted()).toEqual(objects.toSorted())
  for (const [object, order] of Object.entries(taken)) {
    expect(new Set(order).size, object).toBe(5)
    expect(order, object).toEqual(order.toSorted((a, b) => a - b))
  }
  expect(count).toBeGreaterThan(60)
})
const waiting = async (): Promise<number> =>
  (await at.query('select from webhook_delivery where delivered_at is null and given_up_at is null')).length

test('a node that dies with a message holds it for a minute', async () => {
  await endpoint()
  await happen(['tyre.received', 'tyre 1'])
  const stopped = AbortSignal.abort()
  await deliverNext(at.database, { secrets, outbound, sendsMail: true, clock, signal: stopped })
  await deliverAll()
  expect(heard).toEqual([])
  later = 61_000
  await deliverAll()
  expect(types()).toEqual(['tyre.received'])
})

test('an endpoint that fails for three days is disabled, its administrators get a message, and it can be enabled again', async () => {
  const { _id } = await endpoint()
  await at.query(`update account set email = username || '@example.org' where id = any ($1)`, [
    [at.who.admin.account, at.who.a.account, at.who.otherAdmin.account],
  ])
  answer = (_, response) => {
    response.writeHead(500).end()
    return false
  }
  const tries = async (): Promise<number> => {
    for (let hours = 0; hours <= 75; hours++) {
      await deliverAll()
      later += 3_600_000
    }
    return heard.length
  }
  await happen(['tyre.received', 'tyre 1'])
  const tried = await tries()
  expect(tried).toBeGreaterThan(60)
  expect(tried).toBeLessThan(80)
  const [disabled] = await listed()
  expect(disabled).toMatchObject({ _id, enabled: false, waiting: 1 })
  expect(disabled?.disabled).not.toBeNull()
  expect(await at.query('select account_id, kind, facts from mail')).toEqual([
    { account_id: at.who.admin.account, kind: 'webhookDisabled', facts: { host: new URL(url).host } },
  ])
  // nothing is written for it any more
  await happen(['tyre.received', 'tyre 2'])
  expect(await log(_id)).toHaveLength(1)
  answer = () => true
  await at.ask(webhooks.save, at.who.admin, { _id, url, kinds: ['tyre.received'], enabled: true })
  await happen(['tyre.received', 'tyre 3'])
  await deliverAll()
  expect((await log(_id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(await listed()).toMatchObject([{ enabled: true, disabled: null, failing: null, waiting: 0 }])
})

test('a message that alone is refused is given up after three days, and then no longer holds what comes after it', async () => {
  const { _id } = await endpoint()
  answer = ({ data }, response) => {
    if (data['nth'] === 2) return true
    response.writeHead(422).end()
    return false
  }
  await happen(['tyre.received', 'tyre 1'], ['tyre.moved', 'tyre 1'])
  for (let hours = 0; hours <= 75; hours++) {
    await deliverAll()
    // the endpoint takes others meanwhile
    await at.query('update webhook_endpoint set failures = 0, failing_since = null, retry_at = null')
    later += 3_600_000
  }
  expect((await log(_id)).map(({ state }) => state)).toEqual(['delivered', 'givenUp'])
})

test('several failures in a row pause an endpoint, so that it costs the others nothing', async () => {
  await endpoint()
  await endpoint({ url: `${url}/good` })
  answer = (message, response) => {
    // the first endpoint only
    if (heard.filter(({ id }) => id === message.id).length > 1) return true
    response.writeHead(500).end()
    return false
  }
  await happen(...Array.from({ length: 20 }, (_, nth) => ['tyre.moved', `tyre ${nth}`] as const))
  await deliverAll()
  const failed = await at.query<{ failures: number }>('select failures from webhook_endpoint order by id')
  expect(Math.max(...failed.map(({ failures }) => failures))).toBeLessThan(10)
})

test('thousands of messages that wait are looked at once, not once for each other', async () => {
  await endpoint()
  const waits = 3000
  await happen(...Array.from({ length: waits }, (_, nth) => ['tyre.moved', `tyre ${nth}`] as const))
  // as many as may go there at once are on their way
  await at.query(`update webhook_delivery set leased_until = now() + interval '1 minute'
    where id in (select id from webhook_delivery order by id limit 2)`)
  const now = clock()
  const [plan] = await at.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${takeNextDelivery.text}`,
    [false, now, now],
  )
  const [explained] = plan?.['QUERY PLAN'] ?? []
  expect(rowsRead(explained?.Plan)).toBeLessThan(2 * waits)
})

type PlanNode = {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
/** How many rows the nodes of a plan have handled. */
const rowsRead = (node: PlanNode | undefined): number =>
  node
    ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) +
      (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0)
    : 0

test('one that answers 410 wants no more', async () => {
  const { _id } = await endpoint()
  answer = (_, response) => {
    response.writeHead(410).end()
    return false
  }
  await happen(['tyre.received', 'tyre 1'])
  await deliverAll()
  expect(await listed()).toMatchObject([{ _id, enabled: false }])
})

test('a secret is shown once, kept encrypted, and for a day after another one both sign', async () => {
  const { _id, secret } = await endpoint()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const { text } = await at.ask(webhooks.list, at.who.admin, {})
  expect(text).not.toContain(secret.slice(6))
  const [kept] = await at.query<{ row: string }>('select e::text as row from webhook_endpoint e')
  expect(kept?.row).not.toContain(Buffer.from(secret).toString('hex'))
  const { secret: next } = (await at.ask(webhooks.rotate, at.who.admin, { _id })).answer
  const accepted = (message: Heard | undefined): boolean[] =>
    [secret, next].map(each => {
      try {
        new Webhook(each).verify(message?.body ?? '', message?.headers ?? {})
        return true
      } catch {
        return false
      }
    })
  await happen(['tyre.received', 'tyre 1'])
  await deliverAll()
  expect(accepted(heard[0])).toEqual([true, true])
  later = dayMs + 60_000
  await happen(['tyre.received', 'tyre 2'])
  await deliverAll()
  expect(heard[1]?.signatures.split(' ')).toHaveLength(1)
})

test('a test goes out at once and says what came of it, also when nobody answers', async () => {
  const { _id } = await endpoint()
  const good = await at.ask(webhooks.test, at.who.admin, { _id })
  expect(good.answer).toMatchObject({ status: 200, answer: 'thank you', problem: '' })
  expect(types()).toEqual(['test'])
  answer = (_, response) => {
    response.writeHead(302, { location: url }).end()
    return false
  }
  expect((await at.ask(webhooks.test, at.who.admin, { _id })).answer).toMatchObject({
    status: null,
    problem: 'unusable',
  })
  expect(heard).toHaveLength(2)
  answer = (_, response) => {
    response.destroy()
    return false
  }
  expect((await at.ask(webhooks.test, at.who.admin, { _id })).answer).toMatchObject({ problem: 'unreachable' })
})

test('a delivery is sent again under its own id', async () => {
  const { _id } = await endpoint()
  await happen(['tyre.received', 'tyre 1'])
  await deliverAll()
  const [done] = await log(_id)
  expect((await at.ask(webhooks.replay, at.who.otherAdmin, { _id: done?._id ?? 0 })).refusal.code).toBe(
    'record.missing',
  )
  await at.ask(webhooks.replay, at.who.admin, { _id: done?._id ?? 0 })
  later = 1000
  await deliverAll()
  expect(heard.map(({ id }) => id)).toEqual([done?.key, done?.key])
})

test('the log has pages, and is kept for 30 days', async () => {
  const { _id } = await endpoint()
  await happen(...Array.from({ length: 60 }, (_, nth) => ['tyre.moved', `tyre ${nth}`] as const))
  const first = (await at.ask(webhooks.log, at.who.admin, { _id })).answer
  const second = (await at.ask(webhooks.log, at.who.admin, { _id, last: first.deliveries.at(-1)?._id ?? 0 })).answer
  expect([first.deliveries.length, first.more, second.deliveries.length, second.more]).toEqual([50, true, 10, false])
  await deliverAll()
  await deleteOldEvents(at.database, clock())
  expect(await at.query('select from webhook_event')).toHaveLength(60)
  await deleteOldEvents(at.database, new Date(Date.now() + 31 * dayMs))
  expect(await at.query('select from webhook_event')).toEqual([])
})

test('what is saved is answered, ten at most; another address begins anew', async () => {
  const { _id } = await endpoint({ kinds: ['tyre.moved'] })
  expect(await listed()).toMatchObject([{ _id, url, kinds: ['tyre.moved'], enabled: true, waiting: 0 }])
  await at.ask(webhooks.save, at.who.admin, { _id, url: `${url}2`, kinds: ['tyre.added'], enabled: false })
  expect(await listed()).toMatchObject([{ _id, url: `${url}2`, kinds: ['tyre.added'], enabled: false }])
  for (let nth = 1; nth < maxEndpoints.site; nth++) await endpoint()
  const { refusal } = await at.ask(webhooks.save, at.who.admin, { url, kinds: ['tyre.added'], enabled: true })
  expect(refusal.code).toBe('webhook.too_many')
  expect((await at.ask(webhooks.remove, at.who.otherAdmin, { _id })).refusal.code).toBe('record.missing')
  expect((await at.ask(webhooks.remove, at.who.admin, { _id })).status).toBe(200)
  expect(await listed()).toHaveLength(maxEndpoints.site - 1)
})

test('no address inside is accepted, in whatever form it is written, nor asked when a name comes to mean one', async () => {
  const closed = await world({ served: () => ({ secrets, outbound: openOutbound({ allowPrivate: false }) }) })
  try {
    const forms = [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '0177.0.0.1',
      '１２７.0.0.1',
      '0',
      '10.1.2.3',
      '100.64.0.1',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.1.1',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
      '[fe80::1]',
      'localhost',
    ].map(host => `https://${host}/hook`)
    for (const form of [...forms, 'http://8.8.8.8/hook', 'https://user:secret@8.8.8.8/hook']) {
      const wanted = { url: form, kinds: ['tyre.added' as const], enabled: true }
      const { refusal } = await closed.ask(webhooks.save, closed.who.admin, wanted)
      expect(refusal?.code, form).toBe('webhook.address')
    }
  } finally {
    await closed.close()
  }
  await endpoint({ url: url.replace('127.0.0.1', 'localhost') })
  await happen(['tyre.received', 'tyre 1'])
  const guarded = openOutbound({ allowPrivate: false })
  await deliverNext(at.database, { secrets, outbound: guarded, sendsMail: false, clock })
  expect(heard).toEqual([])
  const [only] = await listed()
  expect(await log(only?._id ?? 0)).toMatchObject([{ state: 'waiting', problem: 'address', status: null }])
})

test('a portal that cannot keep a secret has no webhooks', async () => {
  const keyless = await world({ served: () => ({ outbound }) })
  try {
    const wanted = { url, kinds: ['tyre.added' as const], enabled: true }
    expect((await keyless.ask(webhooks.save, keyless.who.admin, wanted)).refusal.code).toBe('webhook.key')
    expect((await keyless.ask(webhooks.list, keyless.who.admin, {})).answer.available).toBe(false)
  } finally {
    await keyless.close()
  }
})

// ---- Of customers ---------------------------------------------------------------------------------------------------------------

const day = () => today({ now: at.clock.now, timeZone: 'Europe/Brussels' })
const heardAt = (path: string) => heard.filter(({ to }) => to === path)

test('a customer’s endpoint is told what happens to its own things and nothing else, and the site’s is told of all', async () => {
  await endpoint({ url: `${url}/site` })
  const { secret } = await endpoint({ url: `${url}/a` }, at.who.a)
  await endpoint({ url: `${url}/b` }, at.who.b)
  const { id: ofA } = await addOperation(at)
  const { id: ofB } = await addOperation(at, { customer: at.customers.b })
  // changes of every account are published
  const stored = await at.addVehicle({ customer: at.customers.b })
  const [tyre] = await at.addSet({ vehicle: stored })
  await at.ask(operations.update, at.who.a, { operation: { _id: ofA, status: 'submitted' } })
  await at.ask(operations.cancel, at.who.admin, { operation: { _id: ofA } })
  const measured = await at.ask(tyres.measure, at.who.admin, {
    readings: [{ db_id: tyre ?? 0, profile_date: day(), profile_depth: 1.6 }],
  })
  expect(measured.status, measured.text).toBe(200)
  const changed = await at.ask(tyres.changeset, at.who.b, { tyres: [tyre ?? 0], tyre_set: 'Spare' })
  expect(changed.status, changed.text).toBe(200)
  await deliverAll(3)
  const messages = (path: string) =>
    heardAt(path).map(({ type, data }) => `${type} ${String(data['operation'] ?? data['tyre'])}`)
  expect(messages('/hook/a')).toEqual([
    `operation.created ${ofA}`,
    `operation.submitted ${ofA}`,
    `operation.cancelled ${ofA}`,
  ])
  // the order of two objects is nobody's promise
  expect(messages('/hook/b').toSorted()).toEqual([`operation.created ${ofB}`, `tyre.changed ${tyre}`].toSorted())
  expect(messages('/hook/site').toSorted()).toEqual([...messages('/hook/a'), ...messages('/hook/b')].toSorted())
  expect(heardAt('/hook/a').every(({ data }) => data['customer'] === at.customers.a)).toBe(true)
  const [first] = heardAt('/hook/a')
  expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({
    type: 'operation.created',
  })
  // depths are never published, on any setting of the site
  expect(heard.some(({ body }) => body.includes('depth') || body.includes('measured'))).toBe(false)
})

test('when a vehicle changes its customer, each customer is told of its own tyres', async () => {
  await endpoint({ url: `${url}/a`, kinds: ['tyre.transferred'] }, at.who.a)
  await endpoint({ url: `${url}/b`, kinds: ['tyre.transferred'] }, at.who.b)
  const vehicle = await at.addVehicle({ customer: at.customers.a })
  const kept = await at.addSet({ vehicle })
  const { status, text } = await at.ask(fleet.transfer, at.who.admin, {
    flt_id: vehicle,
    seq_id: at.customers.b,
    date: day(),
  })
  expect(status, text).toBe(200)
  await deliverAll()
  const numbers = (path: string) => heardAt(path).map(({ data }) => data['tyre'])
  expect(numbers('/hook/b').toSorted()).toEqual(kept.toSorted())
  expect(numbers('/hook/a')).toHaveLength(kept.length)
  expect(numbers('/hook/a').some(tyre => kept.includes(tyre as number))).toBe(false)
})

test('customers see and change their own endpoints only; an administrator sees that they exist, and may remove them', async () => {
  const { _id: ofSite } = await endpoint({ url: `${url}/site?key=of-the-site` })
  const { _id } = await endpoint({ url: `${url}/a?key=of-a` }, at.who.a)
  await happen(['tyre.received', 'tyre 1'])
  await at.query('update webhook_event set customer_id = $1', [at.customers.a])
  await at.query(
    `insert into webhook_delivery (site_id, endpoint_id, event_id, customer_id, object)
     select site_id, $1, id, customer_id, object from webhook_event`,
    [_id],
  )
  const deliveries = await at.query<{ id: number; endpoint_id: number }>(
    'select id::int, endpoint_id from webhook_delivery',
  )
  const deliveryTo = (wanted: number) => deliveries.find(({ endpoint_id }) => endpoint_id === wanted)?.id ?? 0
  const list = async (who: Principal) => (await at.ask(webhooks.list, who, {})).answer.endpoints.map(({ url }) => url)
  expect(await list(at.who.a)).toEqual([`${url}/a?key=of-a`])
  expect(await list(at.who.b)).toEqual([])
  expect(await list(at.who.admin)).toEqual([`${url}/site?key=of-the-site`])
  const seen = await at.ask(webhooks.ofcustomers, at.who.admin, {})
  expect(seen.answer).toMatchObject([{ _id, seq_id: at.customers.a, name: 'Garage Alfa NV', host: new URL(url).host }])
  expect(seen.text).not.toContain('of-a')
  expect((await at.ask(webhooks.ofcustomers, at.who.otherAdmin, {})).answer).toEqual([])
  for (const [who, wanted] of [
    [at.who.admin, _id],
    [at.who.b, _id],
    [at.who.a, ofSite],
  ] as const) {
    const replies = [
      await at.ask(webhooks.save, who, { _id: wanted, url, kinds: ['tyre.moved'], enabled: true }),
      await at.ask(webhooks.rotate, who, { _id: wanted }),
      await at.ask(webhooks.test, who, { _id: wanted }),
      await at.ask(webhooks.log, who, { _id: wanted }),
      await at.ask(webhooks.replay, who, { _id: deliveryTo(wanted) }),
      ...(who.type === 'admin' ? [] : [await at.ask(webhooks.remove, who, { _id: wanted })]),
    ]
    expect(replies.map(({ refusal }) => refusal.code)).toEqual(replies.map(() => 'record.missing'))
  }
  expect((await at.ask(webhooks.log, at.who.a, { _id })).answer.deliveries).toHaveLength(1)
  expect((await at.ask(webhooks.replay, at.who.a, { _id: deliveryTo(_id) })).status).toBe(200)
  expect((await at.ask(webhooks.remove, at.who.admin, { _id })).status).toBe(200)
  expect(await list(at.who.a)).toEqual([])
  const audited = await at.query(
    `select action, subject, customer_id from audit where action like 'webhook.%' and customer_id is not null order by id desc limit 2`,
  )
  const subject = { subject: `customer ${at.customers.a}`, customer_id: at.customers.a }
  expect(audited).toEqual([
    { action: 'webhook.remove', ...subject },
    { action: 'webhook.add', ...subject },
  ])
})

test('a transaction of a customer sees no endpoint but its own', async () => {
  await endpoint()
  await endpoint({}, at.who.b)
  await endpoint({}, at.who.a)
  const all = statement({
    name: 'test.endpoints',
    row: { customer: int.nullable() },
    sql: 'select customer_id as customer from webhook_endpoint',
  })
  const scope = { site: at.sites.home, customer: at.customers.a }
  expect(await at.database.transaction(scope, tx => tx.rows(all, {}))).toEqual([{ customer: at.customers.a }])
})

test('a customer has three, besides the site’s', async () => {
  for (let nth = 0; nth < maxEndpoints.customer; nth++) await endpoint({}, at.who.a)
  const wanted = { url, kinds: ['tyre.added' as const], enabled: true }
  expect((await at.ask(webhooks.save, at.who.a, wanted)).refusal).toMatchObject({
    code: 'webhook.too_many',
    params: { most: 3 },
  })
  await endpoint()
  await endpoint({}, at.who.b)
})

test('what an account added is off once it is disabled or another customer’s, until a colleague switches it on', async () => {
  for (const change of ['disabled_at = now()', `customer_id = ${at.customers.b}`]) {
    const { _id } = await endpoint({}, at.who.a)
    const [before] = await at.query<{ row: unknown }>('select disabled_at, customer_id from account where id = $1', [
      at.who.a.account,
    ])
    await at.query(`update account set ${change} where id = $1`, [at.who.a.account])
    expect(await at.query('select enabled, disabled_at from webhook_endpoint')).toEqual([
      { enabled: false, disabled_at: null },
    ])
    await at.query('update account set (disabled_at, customer_id) = (null, $2) where id = $1', [
      at.who.a.account,
      at.customers.a,
    ])
    expect(before).toBeDefined()
    await at.query('delete from webhook_endpoint where id = $1', [_id])
  }
})

test('private networks that are open to administrators are closed to customers', async () => {
  const half = openOutbound({ allowPrivate: true, timeoutMs: 2000 })
  const closed = await world({ served: () => ({ secrets, outbound: half }) })
  try {
    const wanted = { url, kinds: ['tyre.added' as const], enabled: true }
    expect((await closed.ask(webhooks.save, closed.who.admin, wanted)).status).toBe(200)
    expect((await closed.ask(webhooks.save, closed.who.a, wanted)).refusal.code).toBe('webhook.address')
  } finally {
    await closed.close()
  }
  // nor once the operator has closed them again
  const { _id } = await endpoint({}, at.who.a)
  await addOperation(at)
  await deliverNext(at.database, { secrets, outbound: half, sendsMail: false, clock, ofCustomers: true })
  expect(heard).toEqual([])
  expect((await at.ask(webhooks.log, at.who.a, { _id })).answer.deliveries).toMatchObject([{ problem: 'address' }])
})

test('one delivery at a time goes to a customer, however many endpoints it has and however slow they are', async () => {
  await endpoint({ url: `${url}/a` }, at.who.a)
  await endpoint({ url: `${url}/a2` }, at.who.a)
  await endpoint({ url: `${url}/b` }, at.who.b)
  await endpoint({ url: `${url}/site` })
  await addOperation(at)
  await addOperation(at, { customer: at.customers.b })
  const take = async (ofCustomers: boolean) => {
    const [now, lease] = [clock(), new Date(clock().getTime() + 60_000)]
    const taken = await at.database.transaction({ system: true }, tx =>
      tx.maybe(takeNextDelivery, { ofCustomers, now, lease }),
    )
    return taken !== null
  }
  expect([await take(true), await take(true), await take(true)]).toEqual([true, true, false])
  // and no site waits for them
  expect([await take(false), await take(false), await take(false)]).toEqual([true, true, false])
})

test('when a customer’s endpoint is disabled, the customer’s accounts get the message', async () => {
  await endpoint({}, at.who.a)
  await at.query(`update account set email = username || '@example.org' where id = any ($1)`, [
    [at.who.admin.account, at.who.a.account, at.who.b.account],
  ])
  answer = (_, response) => {
    response.writeHead(410).end()
    return false
  }
  await addOperation(at)
  await deliverAll()
  expect(await at.query('select account_id, customer_id, kind from mail')).toEqual([
    { account_id: at.who.a.account, customer_id: at.customers.a, kind: 'webhookDisabled' },
  ])
})
