/** Every document reaches the back office, once, whatever fails on the way (docs/decisions/0014). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { documentNumberOf } from '../documentColumns.sql.ts'
import { addOperation, addService, clear } from '../../../testing/operations.ts'
import { world, type World } from '../../../testing/world.ts'
import { backOfficeConforms } from './conformance.ts'
import { embeddedBackOffice } from './embedded.ts'
import { retryDelay } from '../../../worker.ts'
import { sendNext, startOutbox } from './outbox.ts'
import type { BackOffice, SentDocument } from './port.ts'

const now = new Date('2026-11-20T10:00:00Z')
let w: World

beforeAll(async () => {
  w = await world({ now })
  await w.setSite(w.sites.home, { do_doc_insert: true, account: 'hotel-7' })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  w.clock.now = now
})

/** A foreign back office: it books, but one call in three fails, before or after it booked. */
function flakyOffice() {
  const books = new Map<string, { reference: string; document: SentDocument }[]>()
  let calls = 0
  const office: BackOffice = {
    async book(document, signal) {
      signal.throwIfAborted()
      const nth = ++calls
      await sleep(nth % 4)
      if (nth % 6 === 1) throw new Error('the back office is closed')
      const [known] = books.get(document.key) ?? []
      const booked = known ?? { reference: `B${1000 + books.size}`, document }
      if (!known) books.set(document.key, [...(books.get(document.key) ?? []), booked])
      if (nth % 6 === 4) throw new Error('the connection was lost')
      return booked.reference
    },
  }
  return { office, books, references: (key: string) => (books.get(key) ?? []).map(booked => booked.reference) }
}

/** Confirms an operation, which makes a document. */
async function confirmed(): Promise<void> {
  const service = await addService(w, { name: 'Balancing', price: 12.5 })
  const made = await addOperation(w, { status: 'submitted', scanned: true, services: [service] })
  await w.ask(contract.operations.confirm, w.who.admin, { operation: { _id: made.id } })
}

type Entry = { key: string; tries: number; due: string; problem: string; reference: string | null; number: string }
const outbox = () =>
  w.query<Entry>(
    `select o.key, o.tries, o.due_at as due, o.problem, o.reference, ${documentNumberOf('d')} as number
     from outbox o join document d on d.site_id = o.site_id and d.id = o.document_id order by o.id`,
  )
const send = (office: BackOffice, clock = now) => sendNext(w.database, office, { clock: () => clock })

/** What the portal sends for a document that it has just made. */
async function sent(change: Partial<SentDocument> = {}): Promise<SentDocument> {
  await confirmed()
  let seen: SentDocument | undefined
  const observer: BackOffice = {
    async book(document) {
      seen = document
      throw new Error('not booked, only observed')
    },
  }
  await send(observer)
  if (!seen) throw new Error('nothing was sent')
  return { ...seen, ...change }
}

backOfficeConforms('the embedded one', async () => ({
  office: embeddedBackOffice(w.database),
  document: sent,
  booked: async key => (await outbox()).filter(entry => entry.key === key).map(entry => entry.number),
}))

backOfficeConforms('one that fails at times', async () => {
  const { office, references } = flakyOffice()
  return { office, document: sent, booked: async key => references(key) }
})

test('the embedded back office refuses a document that the portal did not make', async () => {
  const stranger = { ...(await sent()), key: randomUUID() }
  await expect(embeddedBackOffice(w.database).book(stranger, new AbortController().signal)).rejects.toThrow()
})

test('a document is sent whole, with the account of its site', async () => {
  expect(await sent()).toEqual({
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    site: { id: w.sites.home, code: 'home', account: 'hotel-7' },
    number: 'W-2026-00001',
    type: 'worknote',
    date: '2026-11-20',
    reason: 'operation',
    customer: {
      seq_id: w.customers.a,
      code: '',
      name: 'Garage Alfa',
      companyname: 'Garage Alfa NV',
      street: '',
      zipcode: '',
      city: 'Gent',
      email: '',
    },
    license_plate: expect.stringMatching(/^1T\d{5}$/),
    lines: [{ article_number: '4711', description: 'Balancing en', quantity: 4, price_excl: 12.5 }],
    amount_excl: 50,
  })
})

test('what was confirmed is booked, and has its reference', async () => {
  await confirmed()
  expect(await send(embeddedBackOffice(w.database))).toBe(true)
  expect(await outbox()).toEqual([
    expect.objectContaining({ tries: 1, problem: '', reference: 'W-2026-00001', number: 'W-2026-00001' }),
  ])
  expect(await send(embeddedBackOffice(w.database))).toBe(false)
})

test('what is rolled back is never sent', async () => {
  const made = await addOperation(w, { status: 'submitted', scanned: true })
  await w.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
  await w.query(
    'create constraint trigger refuse after insert on outbox deferrable initially deferred for each row execute function refuse()',
  )
  const reply = await w.ask(contract.operations.confirm, w.who.admin, { operation: { _id: made.id } })
  await w.query('drop function refuse cascade')
  expect(reply.status).toBe(500)
  expect(await outbox()).toEqual([])
  expect(await w.query(`select from operation where status = 'confirmed'`)).toHaveLength(0)
})

describe('a back office that fails', () => {
  const closed: BackOffice = { book: () => Promise.reject(new Error('closed until Monday')) }

  test('is tried again after growing delays, and its error is stored', async () => {
    await confirmed()
    let clock = now
    for (let tries = 1; tries <= 12; tries++) {
      expect(await send(closed, clock)).toBe(true)
      const [entry] = await outbox()
      expect(entry).toMatchObject({ tries, problem: 'closed until Monday', reference: null })
      const due = new Date(entry!.due)
      expect(due.getTime() - clock.getTime()).toBe(retryDelay(tries) * 1000)
      expect(await send(closed, new Date(due.getTime() - 1))).toBe(false)
      clock = due
    }
    expect([1, 2, 3, 10, 11, 1000].map(retryDelay)).toEqual([5, 10, 20, 2560, 3600, 3600])
    expect(await send(embeddedBackOffice(w.database), clock)).toBe(true)
    expect(await outbox()).toEqual([expect.objectContaining({ tries: 13, problem: '', reference: 'W-2026-00001' })])
  })

  test('does not keep the documents behind it waiting', async () => {
    await confirmed()
    await confirmed()
    await send(closed)
    await send(embeddedBackOffice(w.database))
    expect((await outbox()).map(entry => entry.reference)).toEqual([null, 'W-2026-00002'])
  })

  test('or never answers keeps nobody waiting: confirming ends, stopping ends', async () => {
    const asked = Promise.withResolvers<void>()
    const silent: BackOffice = { book: () => (asked.resolve(), new Promise(() => {})) }
    const worker = startOutbox(w.database, silent, { failed: () => {} })
    await confirmed()
    await asked.promise
    await confirmed()
    expect(await w.query(`select from operation where status = 'confirmed'`)).toHaveLength(2)
    await worker.stop()
    expect((await outbox()).map(entry => entry.reference)).toEqual([null, null])
  })
})

test('a node that was killed while it sent leaves the document to the others, when its lease has run out', async () => {
  await confirmed()
  const { office, references } = flakyOffice()
  // it took the document, and died before it could record the result
  await w.query(`update outbox set tries = 1, due_at = $1`, [new Date(now.getTime() + 60_000)])
  const [entry] = await outbox()
  expect(await send(office)).toBe(false)
  let clock = now
  while ((await outbox())[0]?.reference === null) {
    clock = new Date(clock.getTime() + 3_600_000)
    await send(office, clock)
  }
  expect(references(entry!.key)).toHaveLength(1)
})

test(
  'several nodes and a back office that fails at times: each document is booked once',
  { tags: 'whole' },
  async () => {
    for (let nth = 0; nth < 30; nth++) await confirmed()
    const { office, books } = flakyOffice()
    let clock = now
    const left = async () => (await outbox()).filter(entry => entry.reference === null).length
    for (let hour = 0; (await left()) > 0; hour++) {
      expect(hour).toBeLessThan(30)
      clock = new Date(clock.getTime() + 3_600_000)
      const node = async () => {
        while (await send(office, clock));
      }
      await Promise.all(Array.from({ length: 5 }, node))
    }
    const entries = await outbox()
    expect(books.size).toBe(30)
    expect(entries.map(entry => books.get(entry.key)?.map(booked => booked.reference))).toEqual(
      entries.map(entry => [entry.reference]),
    )
    expect([...books.values()].map(([booked]) => booked?.document.number).sort()).toEqual(
      entries.map(entry => entry.number).sort(),
    )
    expect(entries.some(entry => entry.tries > 1)).toBe(true)
  },
)

test('the worker empties the outbox by itself', async () => {
  const worker = startOutbox(w.database, embeddedBackOffice(w.database), { failed: () => {} })
  await confirmed()
  while ((await outbox()).some(entry => entry.reference === null)) await sleep(50)
  await worker.stop()
  expect(await outbox()).toHaveLength(1)
})
