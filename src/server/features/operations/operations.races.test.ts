/**
 * Requests at the same moment: one wins, the others are told so, nothing is half done (docs/promises.md "Races"). Each lock is
 * first shown to be needed: without it the same race goes wrong. RACE_ROUNDS makes it longer; drill/races.ts plays the rounds as often as
 * is promised.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#contract/index.ts'
import type { Statement } from '../../db/statement.ts'
import { lockPutAway } from '../tyres/putAwayLock.sql.ts'
import { lockOperation } from './changing.sql.ts'
import { markScans } from './handling.sql.ts'
import { addOperation, addTransport, clear, type Made } from '../../testing/operations.ts'
import {
  replaceStatement,
  failsWithin,
  createRaceCustomers,
  outcomes,
  stepAtOnce,
  submitAtOnce,
  claimOneTyre,
  withoutConstraint,
  withoutCounting,
  violationOf,
} from '../../testing/races.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.operations
const rounds = Number(process.env['RACE_ROUNDS'] ?? 20)
/** Rounds within which a race has to occur without its lock. */
const tries = Math.max(rounds, 100)
vi.setConfig({ testTimeout: 30_000 + rounds * 1_000 })
const now = new Date('2026-11-10T10:00:00Z')
let w: World

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: false, do_doc_insert: false })
})

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word)

/** The statement with something else in its place until the test is over. */
const restore: (() => void)[] = []
afterEach(() => {
  for (const undo of restore.splice(0)) undo()
})
const without = (replaced: Pick<Statement, 'name' | 'text'>, text: (text: string) => string): void =>
  void restore.push(replaceStatement(replaced, text))

describe('the last places of a delivery day', () => {
  test(`go to as many as there are, ${rounds} times`, { tags: 'whole' }, async () => {
    const customers = await createRaceCustomers(w, 6)
    for (let nth = 0; nth < rounds; nth++) {
      const places = 1 + (nth % 3)
      const transport = await addTransport(w, { operationsPerDay: places })
      const requests = customers.map(customer => ({ customer, day: '2026-11-12' }))
      const { outcomes, taken } = await submitAtOnce(w, transport, requests)
      expect(outcomes.sort()).toEqual([...times(6 - places, 'delivery.day_full'), ...times(places, 'won')])
      expect(taken).toHaveLength(places)
    }
  })

  test('are overbooked when they are counted without a lock', async () => {
    const customers = await createRaceCustomers(w, 6)
    const overbooked = async () => {
      const transport = await addTransport(w, { operationsPerDay: 1 })
      const requests = customers.map(customer => ({ customer, day: '2026-11-12' }))
      return (await submitAtOnce(w, transport, requests)).taken.length > 1
    }
    expect(await withoutCounting(w, () => failsWithin(overbooked, tries))).toBe(true)
  })
})

describe('two operations on one tyre', () => {
  test(`become one, ${rounds} times`, async () => {
    for (let nth = 0; nth < rounds; nth++) {
      const { outcomes, open } = await claimOneTyre(w, 4)
      expect(outcomes).toEqual([...times(3, 'operation.tyres_busy'), 'won'])
      expect(open).toBe(1)
    }
  })

  test('become two without the index', async () => {
    const two = async () => (await claimOneTyre(w, 4)).open > 1
    const wrong = () => failsWithin(two, tries)
    expect(await withoutConstraint(w, 'operation_tyre_open', wrong, () => clear(w))).toBe(true)
  })

  test('where one is being confirmed: the other sees the state that it leaves', async () => {
    for (let nth = 0; nth < rounds; nth++) {
      const operation = await addOperation(w, { status: 'submitted', scanned: true })
      const [confirmed, second] = await Promise.all([
        w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } }),
        w.ask(calls.new, w.who.a, {
          operation: { flt_id: operation.vehicle, tyres: operation.tyres, operationType: 'to_stock' },
        }),
      ])
      expect(confirmed.status).toBe(200)
      expect(['operation.tyres_busy', 'operation.tyres_refused']).toContain(second.refusal.code)
    }
  })
})

describe('steps on one operation', () => {
  test(`have one winner, one audit row and at most one document, ${rounds} times`, async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true })
    for (let nth = 0; nth < rounds; nth++) {
      const fate = await stepAtOnce(w, 'submitted', ['confirm', 'cancel', 'confirm', 'cancel', 'confirm'])
      expect(violationOf('submitted', fate)).toBe(null)
      expect(fate.audited).toHaveLength(1)
    }
    const [gaps] = await w.query<{ n: number; last: number }>(
      'select count(*)::int as n, max(number) as last from document',
    )
    expect(gaps?.last ?? 0).toBe(gaps?.n)
  })

  test('have two winners without the lock', async () => {
    without(lockOperation, text => text.replace('for no key update', ''))
    const two = async () => (await stepAtOnce(w, 'submitted', ['confirm', 'cancel', 'confirm'])).audited.length > 1
    expect(await failsWithin(two, tries)).toBe(true)
  })

  test(`submit, edit and delete of a pending one: deleted or submitted, never both, ${rounds} times`, async () => {
    for (let nth = 0; nth < rounds; nth++) {
      const added = await addOperation(w)
      const operation = { _id: added.id }
      const replies = await Promise.all([
        w.ask(calls.update, w.who.a, { operation: { ...operation, status: 'submitted' } }),
        w.ask(calls.delete, w.who.a, { operation }),
        w.ask(calls.update, w.who.admin, { operation: { ...operation, status: 'submitted' } }),
        w.ask(calls.delete, w.who.admin, { operation }),
      ])
      const rows = await w.query<{ status: string }>('select status from operation where id = $1', [added.id])
      expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
      const loser = rows.length > 0 ? 'operation.step' : 'record.missing'
      expect(outcomes(replies)).toEqual(rows.length > 0 ? [...times(3, loser), 'won'] : [...times(3, loser), 'won'])
      expect(rows).toEqual(rows.length > 0 ? [{ status: 'submitted' }] : [])
    }
  })

  test(`two edits keep both fields, ${rounds} times`, async () => {
    for (let nth = 0; nth < rounds; nth++) {
      const operation = await addOperation(w)
      await Promise.all([
        w.ask(calls.update, w.who.a, { operation: { _id: operation.id, remarks: 'Hello' } }),
        w.ask(calls.update, w.who.admin, { operation: { _id: operation.id, withBolts: true } }),
      ])
      const rows = await w.query('select remarks, with_bolts from operation where id = $1', [operation.id])
      expect(rows).toEqual([{ remarks: 'Hello', with_bolts: true }])
    }
  })
})

describe('two desks', () => {
  test(`that send the same scan apply it once and both get the tyre, ${rounds} times`, async () => {
    for (let nth = 0; nth < rounds; nth++) {
      await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: nth % 2 === 1 })
      const vehicle = await w.addVehicle({})
      const operation = await addOperation(w, { status: 'submitted', vehicle, tyres: [await w.addTyre({ vehicle })] })
      const scan = { tyreId: operation.tyres[0]!, scanId: randomUUID() }
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => w.ask(calls.markscan, w.who.admin, { tyres: [scan] })),
      )
      for (const reply of replies)
        expect(reply.answer).toMatchObject([
          { db_id: scan.tyreId, scanned: true, scanTimes: 1, operation: operation.id },
        ])
      const [row] = await w.query(
        `select scan_times, (select count(*)::int from tyre_event where tyre_id = $1 and kind = 'scanned') as events
        from operation_tyre where operation_id = $2`,
        [scan.tyreId, operation.id],
      )
      expect(row).toEqual({ scan_times: 1, events: 1 })
    }
  })

  test(`that scan the last two tyres confirm the operation, once, ${rounds} times`, async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true, do_doc_insert: true })
    for (let nth = 0; nth < rounds; nth++) {
      const operation = await addOperation(w, { status: 'submitted' })
      const replies = await Promise.all(
        operation.tyres.map(tyreId => w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId }] })),
      )
      expect(outcomes(replies)).toEqual(times(4, 'won'))
      for (const reply of replies) expect(reply.answer).toHaveLength(1)
      const [row] = await w.query(
        `select o.status, (select count(*)::int from audit where subject = 'operation ' || o.id) as audits,
           (select count(*)::int from document d where d.operation_id = o.id) as documents from operation o where o.id = $1`,
        [operation.id],
      )
      expect(row).toEqual({ status: 'confirmed', audits: 1, documents: 1 })
    }
  })

  test('would leave it unconfirmed if scanning did not lock the operation', async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    without(markScans, text => text.replace('for no key update of o', ''))
    const unconfirmed = async () => {
      const operation = await addOperation(w, { status: 'submitted' })
      const replies = await Promise.all(
        operation.tyres.map(tyreId => w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId }] })),
      )
      const [row] = await w.query<{ status: string; audits: number }>(
        `select status, (select count(*)::int from audit where subject = 'operation ' || o.id) as audits from operation o where id = $1`,
        [operation.id],
      )
      return row?.status !== 'confirmed' || row.audits !== 1 || replies.some(reply => reply.status !== 200)
    }
    expect(await failsWithin(unconfirmed, tries)).toBe(true)
  })

  test(`with big batches in opposite orders never block each other, ${rounds} times`, { tags: 'whole' }, async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    await w.addLocations({ places: 10, capacity: 8 })
    const transport = await addTransport(w)
    for (let nth = 0; nth < rounds; nth++) {
      const operations: Made[] = []
      for (let nth = 0; nth < 6; nth++)
        operations.push(
          await addOperation(
            w,
            nth % 2
              ? { status: 'submitted' }
              : { status: 'submitted', type: 'to_customer', transport, deliveryDate: `2026-11-${20 - nth}` },
          ),
        )
      const tyres = operations.flatMap(({ tyres }) => tyres).map(tyreId => ({ tyreId }))
      const { deadlocks } = (
        await w.query<{ deadlocks: number }>(
          'select deadlocks::int from pg_stat_database where datname = current_database()',
        )
      )[0]!
      const replies = await Promise.all([
        w.ask(calls.markscan, w.who.admin, { tyres: tyres.filter((_, tyre) => tyre % 2 === 0) }),
        w.ask(calls.markscan, w.who.admin, { tyres: tyres.toReversed().filter((_, tyre) => tyre % 2 === 0) }),
        ...operations
          .slice(0, 3)
          .map(({ id }) => w.ask(calls.confirm, w.who.admin, { operation: { _id: id }, here: 'all' })),
      ])
      for (const reply of replies) expect(['won', 'operation.step']).toContain(outcomes([reply])[0])
      await w.query('select pg_stat_force_next_flush()')
      const after = (
        await w.query<{ deadlocks: number }>(
          'select deadlocks::int from pg_stat_database where datname = current_database()',
        )
      )[0]!
      expect(after.deadlocks).toBe(deadlocks)
    }
  })
})

async function confirmFive(): Promise<{ over: number; placed: number }> {
  await w.query('update tyre set location_id = null where location_id is not null')
  const operations: Made[] = []
  for (let nth = 0; nth < 5; nth++) operations.push(await addOperation(w, { status: 'submitted', scanned: true }))
  const replies = await Promise.all(
    operations.map(({ id }) => w.ask(calls.confirm, w.who.admin, { operation: { _id: id } })),
  )
  expect(outcomes(replies)).toEqual(times(5, 'won'))
  const [row] = await w.query<{ over: number; placed: number }>(
    `select count(*) filter (where used > capacity)::int as over, sum(used)::int as placed from (
       select capacity, (select count(*) from tyre t where t.location_id = l.id) as used from location l) place`,
  )
  return row!
}

describe('confirming into a warehouse that is nearly full', () => {
  test(
    `never overfills a place and leaves none free that somebody needs, ${rounds} times`,
    { tags: 'whole' },
    async () => {
      await w.addLocations({ places: 3, capacity: 4 })
      await w.addLocations({ places: 2, capacity: 1, zone: 'B' })
      for (let nth = 0; nth < rounds; nth++) expect(await confirmFive()).toEqual({ over: 0, placed: 14 })
    },
  )

  test('would overfill one without the lock', async () => {
    await w.addLocations({ places: 3, capacity: 4 })
    without(lockPutAway, () => 'select $1::int::text as pg_advisory_xact_lock')
    expect(await failsWithin(async () => (await confirmFive()).over > 0, tries)).toBe(true)
  })
})
