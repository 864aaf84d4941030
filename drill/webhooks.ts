/**
 * docs/promises.md "Messages": while the receiver of a site's webhooks fails one delivery in three and is killed, and the portal is
 * killed, too, each event arrives at least once, in order for each operation, tyre and document, signed, and none that was
 * rolled back.
 *
 * The expected events come from elsewhere: the steps of operations and their documents from the calls that were acknowledged, those of
 * tyres from their history.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { addDays, today } from '#domain/texts/date.ts'
import { type WebhookKind, webhookKinds } from '#domain/people/webhook.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { Killable } from './killable.ts'
import {
  addVehicle,
  answerOf,
  type Basics,
  type Client,
  readySite,
  selectBasics,
  signIn,
  Stopped,
} from './portalClient.ts'
import type { Told } from './webhookReceiver.ts'

const writerCount = 6

/** The events of each object, in their order. */
type Happened = ReadonlyMap<string, readonly WebhookKind[]>

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const times = short ? { events: 300, receiver: 2, portal: 1 } : { events: 10_000, receiver: 30, portal: 15 }
  const { check, add, control, result } = tally(log)
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-webhooks-'))
  const file = join(place, 'told')
  writeFileSync(file, '')
  const received = (): Told[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Told)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const portal = await openPortal({ ALLOW_PRIVATE_ADDRESSES: 'yes' })
  let receiver: Killable | null = null
  const site = new Site(portal)
  try {
    const secret = await site.open(url)
    receiver = new Killable('webhookReceiver.ts', [String(port), file, secret])
    await receiver.start()
    const begun = performance.now()
    const working = site.work(times.events)
    working.catch(() => {})
    const kills = [
      ...Array<'receiver'>(times.receiver).fill('receiver'),
      ...Array<'portal'>(times.portal).fill('portal'),
    ]
    for (const victim of kills.toSorted(() => randomInt(3) - 1)) {
      await pause(randomInt(200, short ? 800 : 6000))
      if (victim === 'receiver') {
        await receiver.kill()
        // connections are refused for a while
        await pause(randomInt(0, 500))
        await receiver.start()
      } else await site.killPortal()
      await hasten(portal)
      await site.rollBack()
    }
    await working
    const worked = performance.now()
    await sendAll(portal)
    const took = minutes(begun)
    const after = minutes(worked)

    const messages = received()
    const happened = await site.happened()
    const events = [...happened.values()].flat().length
    add(events, faultsOf(messages, happened))
    check('so many events as were wanted', events >= times.events ? null : `${events}`)
    const forged = messages.filter(({ genuine }) => !genuine).length
    check('each signature is verified', forged === 0 ? null : `${forged} were not`)
    const copies = messages.length - new Set(messages.map(({ id }) => id)).size
    check('answers were lost', copies > 0 ? null : 'none was')
    check('steps were rolled back', site.rolledBack > 0 ? null : 'none was')
    check('calls were refused', site.refused > 0 ? null : 'none was')
    const [deliveries] = await portal.sql<{ tries: number; givenUp: number }>(
      `select sum(tries)::int as tries, count(given_up_at)::int as "givenUp" from webhook_delivery`,
    )
    const { tries = 0, givenUp = 0 } = deliveries ?? {}
    check('no event was given up', givenUp === 0 ? null : `${givenUp} were`)

    // what the checks have to find
    const finds = (other: readonly Told[]): boolean => faultsOf(other, happened).length > 0
    const { id } = messages.at(-1) as Told
    control('an event that was not told', finds(messages.filter(message => message.id !== id)))
    const again = messages.find(({ type }) => type === 'tyre.added') as Told
    control('one that is told again after what came later', finds([...messages, again]))
    const other = { ...again, id: 'another', type: 'tyre.scrapped' }
    control('one of what was rolled back', finds([...messages, other]))
    for (const [what, forgery] of forgeriesOf(secret)) {
      const answer = await fetch(url, { method: 'POST', ...forgery })
      control(what, answer.status === 401 && received().at(-1)?.genuine === false)
    }
    // the portal no longer knows what an event is about, and sends the next one before it
    await portal.sql(
      `create function forget_object() returns trigger language plpgsql as
         $$ begin new.object := new.event_id::text; return new; end $$;
       create trigger object_is_forgotten before insert on webhook_delivery for each row execute function forget_object()`,
    )
    await site.work(200)
    await sendAll(portal)
    control('the order switched off', faultsOf(received(), await site.happened()).length > 0)
    return result(
      `${events} events told with ${tries} tries in ${took} minutes, the last ${after} after the last call`,
      `${copies} copies, ${times.receiver} kills of the receiver, ${times.portal} of the portal, ${site.rolledBack} steps rolled back, ${site.refused} calls refused`,
    )
  } finally {
    await site.stop()
    await portal.close()
    await receiver?.kill()
    rmSync(place, { recursive: true, force: true })
  }
}

const minutes = (since: number): string => ((performance.now() - since) / 60_000).toFixed(1)

/** The first demo site, whose operations and tyres are told to an endpoint. */
class Site {
  refused = 0
  rolledBack = 0
  readonly #portal: Portal
  /** The acknowledged steps of operations and their documents. */
  readonly #ledger = new Map<string, WebhookKind[]>()
  /** The last entry in a tyre's history before there was an endpoint. */
  #before = 0
  #events = 0
  #vehicles = 0
  #transport = 0
  #basics: Basics | null = null
  #clients: { user: Client; admin: Client } | null = null
  #working: Promise<unknown> = Promise.resolve()
  #stopped = false
  constructor(portal: Portal) {
    this.#portal = portal
  }

  /** Adds the endpoint and returns its secret. */
  async open(url: string): Promise<string> {
    const [user, admin] = await Promise.all([signIn(this.#portal.url, 'customer'), signIn(this.#portal.url, 'admin')])
    this.#clients = { user, admin }
    const [basics] = await this.#portal.sql<Basics & { before: string }>(
      `select *, (select max(id) from tyre_event) as before from (${selectBasics}) basics`,
    )
    if (!basics) throw new Error('the demo lacks the basic rows')
    const { transport } = await readySite(this.#portal)
    this.#transport = transport
    this.#basics = basics
    this.#before = Number(basics.before)
    const wanted = { url, kinds: [...webhookKinds], enabled: true }
    const { secret } = answerOf(
      await admin.callUntilReply<{ secret: string | null }>('/webhooks/save', wanted),
      'an endpoint',
    )
    return secret ?? ''
  }

  /** Serves vehicles until so many more events have happened. */
  async work(events: number): Promise<void> {
    const until = this.#events + events
    const serving = async (): Promise<void> => {
      while (this.#events < until && !this.#stopped) await this.#serve()
    }
    this.#working = Promise.all(Array.from({ length: writerCount }, serving)).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error
    })
    await this.#working
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#working.catch(() => {})
  }

  /** Stores and recalls the tyres of a new vehicle, with detours. */
  async #serve(): Promise<void> {
    if (!this.#basics || !this.#clients) return
    const { user, admin } = this.#clients
    const plate = `1W${String(this.#vehicles++).padStart(4, '0')}`
    const { vehicle, tyres } = await addVehicle(user, { ...this.#basics, plate })
    this.#events += tyres.length
    const ask = async <A>(by: Client, path: string, body: unknown): Promise<A> =>
      answerOf(await by.callUntilReply<A>(path, body, () => this.#stopped), path)
    const begin = async (type: string): Promise<number> => {
      const { _id } = await ask<{ _id: number }>(user, '/operations/new', {
        operation: { flt_id: vehicle, tyres, operationType: type },
      })
      this.#note(`operation ${_id}`, 'operation.created')
      return _id
    }
    const submit = async (_id: number, inDays: number | null): Promise<void> => {
      const day = addDays(today({ now: new Date(), timeZone: 'Europe/Brussels' }), inDays ?? 0)
      const delivery = inDays === null ? {} : { transport: this.#transport, deliveryDate: day }
      await ask(user, '/operations/update', { operation: { _id, status: 'submitted', ...delivery } })
      this.#note(`operation ${_id}`, 'operation.submitted')
    }
    const confirm = async (_id: number): Promise<void> => {
      const { document } = await ask<{ document: number | null }>(admin, '/operations/confirm', {
        operation: { _id },
        here: 'all',
      })
      this.#note(`operation ${_id}`, 'operation.confirmed')
      if (document !== null) this.#note(`document ${document}`, 'document.created')
      this.#events += tyres.length
    }
    for (let round = 0; round < 3; round++) {
      const dropped = await begin('to_stock')
      if (round === 0) {
        await ask(user, '/operations/delete', { operation: { _id: dropped } })
        this.#note(`operation ${dropped}`, 'operation.deleted')
      } else {
        await submit(dropped, null)
        await ask(admin, '/operations/cancel', { operation: { _id: dropped } })
        this.#note(`operation ${dropped}`, 'operation.cancelled')
      }
      const storage = await begin('to_stock')
      await submit(storage, null)
      await confirm(storage)
      if ((await admin.callUntilReply('/operations/confirm', { operation: { _id: storage } })).kind === 'refusal')
        this.refused++
      const recall = await begin('to_customer')
      await submit(recall, 3)
      await ask(admin, '/operations/update', { operation: { _id: recall, status: 'pending' } })
      this.#note(`operation ${recall}`, 'operation.reopened')
      // in one step with the submission
      this.#note(`operation ${recall}`, 'operation.rescheduled')
      await submit(recall, 4)
      await confirm(recall)
    }
  }

  #note(object: string, kind: WebhookKind): void {
    this.#ledger.set(object, [...(this.#ledger.get(object) ?? []), kind])
    this.#events++
  }

  /** Cancels an operation with its tyres scrapped, and rolls that back a moment later, when the portal has looked for events. */
  async rollBack(): Promise<void> {
    const operation = [...this.#ledger.keys()].findLast(object => object.startsWith('operation'))?.slice(10)
    if (operation === undefined) return
    await this.#portal.asOwner(async client => {
      await client.query('begin')
      const { rowCount } = await client.query(
        `update operation set status = 'cancelled', handled_at = now() where id = $1`,
        [operation],
      )
      await client.query(
        `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind)
         select ot.site_id, ot.tyre_id, ot.customer_id, o.vehicle_id, 'scrapped' from operation_tyre ot
           join operation o on o.site_id = ot.site_id and o.id = ot.operation_id where o.id = $1`,
        [operation],
      )
      await pause(300)
      await client.query('rollback')
      this.rolledBack += rowCount ?? 0
    })
  }

  /** Kills the portal and starts it again. It is the only node: what it had taken to send, for a minute, is nobody's. */
  async killPortal(): Promise<void> {
    await this.#portal.kill()
    const killed = new Date()
    // what the receiver has read already it takes
    await pause(500)
    await this.#portal.start()
    await this.#portal.sql(
      `update webhook_delivery set leased_until = null, due_at = now() where leased_until < $1::timestamptz + interval '1 minute'`,
      [killed],
    )
  }

  /** The events while the endpoint existed. */
  async happened(): Promise<Happened> {
    const tyres = await this.#portal.sql<{ object: string; kinds: WebhookKind[] }>(
      `select 'tyre ' || tyre_id as object, array_agg('tyre.' || kind order by id) as kinds from tyre_event
       where site_id = 1 and id > $1 and 'tyre.' || kind = any ($2) group by tyre_id`,
      [this.#before, webhookKinds],
    )
    return new Map([...this.#ledger, ...tyres.map(({ object, kinds }) => [object, kinds] as const)])
  }
}

/** Brings deliveries that wait for another try forward, but not those on their way. */
const hasten = (portal: Portal): Promise<unknown> =>
  portal.sql(
    `with tried as (
       update webhook_delivery set due_at = now()
       where delivered_at is null and given_up_at is null and due_at > now() and leased_until is null)
     update webhook_endpoint set retry_at = null where retry_at is not null`,
  )

/** Waits until nothing is left to send. */
async function sendAll(portal: Portal): Promise<void> {
  for (let tries = 0; tries < 1800; tries++) {
    const [waiting] = await portal.sql<{ count: number }>(
      `select count(*)::int as count from webhook_delivery where delivered_at is null and given_up_at is null`,
    )
    if (waiting?.count === 0) return
    await hasten(portal)
    await pause(1000)
  }
  throw new Error('events still wait after half an hour')
}

/** The object of an event. */
const objectOf = ({ type, data }: Told): string => {
  const thing = type.slice(0, type.indexOf('.'))
  return `${thing} ${String(data[thing])}`
}

/**
 * Faults in the accepted messages: each object has all its events, in order. A copy, which has the id
 * of the first one, may come until the next one comes.
 */
function faultsOf(messages: readonly Told[], happened: Happened): string[] {
  const faults: string[] = []
  const byObject = Map.groupBy(
    messages.filter(({ genuine }) => genuine),
    objectOf,
  )
  for (const [object, kinds] of happened) {
    const ids = (byObject.get(object) ?? []).map(({ id }) => id)
    const types = new Map((byObject.get(object) ?? []).map(({ id, type }) => [id, type]))
    if ([...types.values()].join() !== kinds.join())
      faults.push(`${object}: told ${[...types.values()].join()}, happened ${kinds.join()}`)
    // without neighbours that are copies, each stands there once
    else if (ids.filter((id, at) => id !== ids[at - 1]).length > types.size)
      faults.push(`${object}: a copy came after a later event`)
  }
  for (const object of byObject.keys()) if (!happened.has(object)) faults.push(`${object} was told, and did not happen`)
  return faults
}

/** A request as the portal makes it, signed with a secret; `sent` is what became of its body on the way. */
const signed = (by: string, at: Date, body: string, sent = body) => ({
  headers: {
    'webhook-id': 'forged',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('forged', at, body),
  },
  body: sent,
})

/** Requests that a receiver has to refuse. */
function forgeriesOf(secret: string): [string, { headers: Record<string, string>; body: string }][] {
  const body = JSON.stringify({ type: 'tyre.scrapped', data: { tyre: 1 } })
  const now = new Date()
  return [
    ['a message with another secret', signed(`whsec_${Buffer.alloc(32).toString('base64')}`, now, body)],
    ['a message that was changed on its way', signed(secret, now, body, body.replace('scrapped', 'received'))],
    ['a message of an hour ago', signed(secret, new Date(now.getTime() - 3_600_000), body)],
  ]
}
