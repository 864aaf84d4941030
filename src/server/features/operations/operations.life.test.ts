/** Every status × step × person × type of an operation (docs/promises.md "States"), and what each step leaves behind. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operationStatuses, type OperationStatus } from '#domain/operations/operation.ts'
import { operationTypes, type OperationType } from '#domain/tyres/tyre.ts'
import { contract } from '#contract/index.ts'
import type { Database, Tx } from '../../db/database.ts'
import { serve } from '../../http/serve.ts'
import { addOperation, addService, addTransport, clear, picture, type Made } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

const calls = contract.operations
// 23:30 in Brussels of the tenth: the day of a tyre is that of the site
const now = new Date('2026-11-10T22:30:00Z')
let w: World

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  w.clock.now = now
  await clear(w)
  await w.setSite(w.sites.home, {
    do_doc_insert: false,
    doc_insert_exceptions: [],
    time_zone: 'Europe/Brussels',
    auto_process_intake_on_full_scan: false,
  })
})

const people = ['anonymous', 'revoked', 'superuser', 'otherUser', 'b', 'otherAdmin', 'a', 'admin'] as const
type Who = (typeof people)[number]
const principal = (who: Who): Principal =>
  who === 'revoked' ? { ...w.who.a, cookie: `wheelhouse=${'x'.repeat(43)}` } : w.who[who]

/** The code that this person gets for this step, `undefined` when it succeeds. */
function expectedCode(name: Name, who: Who, status: OperationStatus): string | undefined {
  if (who === 'anonymous' || who === 'revoked') return 'session.missing'
  if (who === 'superuser' || (!doings[name].forUsers && who !== 'admin' && who !== 'otherAdmin'))
    return 'session.forbidden'
  // somebody else's is unknown, not forbidden
  if (who !== 'a' && who !== 'admin') return 'record.missing'
  const lead = leads[status][name]
  if (!lead) return 'operation.step'
  return lead.by.includes(who) ? undefined : 'session.forbidden'
}
type Doing = { path: string; body: (id: number) => object; forUsers: boolean }
const update = (more: object): Doing => ({
  path: calls.update.path,
  body: id => ({ operation: { _id: id, ...more } }),
  forUsers: true,
})
const doings = {
  edit: update({ remarks: 'Edited' }),
  submit: update({ status: 'submitted' }),
  undo: update({ status: 'pending' }),
  'set to confirmed': update({ status: 'confirmed' }),
  'set to cancelled': update({ status: 'cancelled' }),
  delete: { path: calls.delete.path, body: id => ({ operation: { _id: id } }), forUsers: true },
  confirm: { path: calls.confirm.path, body: id => ({ operation: { _id: id }, here: 'all' }), forUsers: false },
  cancel: { path: calls.cancel.path, body: id => ({ operation: { _id: id } }), forUsers: false },
  scan: { path: calls.markscan.path, body: id => ({ operation: { _id: id } }), forUsers: false },
} satisfies Record<string, Doing>
type Name = keyof typeof doings

/** Where each status leads and by whom; every other step is refused. */
const leads: Record<OperationStatus, Partial<Record<Name, { to: OperationStatus | null; by: Who[] }>>> = {
  pending: {
    edit: { to: 'pending', by: ['a', 'admin'] },
    submit: { to: 'submitted', by: ['a', 'admin'] },
    undo: { to: 'pending', by: ['a', 'admin'] },
    delete: { to: null, by: ['a', 'admin'] },
  },
  submitted: {
    undo: { to: 'pending', by: ['admin'] },
    confirm: { to: 'confirmed', by: ['admin'] },
    cancel: { to: 'cancelled', by: ['admin'] },
    scan: { to: 'submitted', by: ['admin'] },
  },
  confirmed: {},
  cancelled: {},
}

for (const type of operationTypes)
  for (const status of operationStatuses)
    describe(`${type}, ${status}`, () => {
      for (const [name, doing] of Object.entries(doings) as [Name, Doing][])
        test(`${name}`, async () => {
          const transport = type === 'to_customer' ? await addTransport(w) : null
          const deliveryDate = type === 'to_customer' ? '2026-11-12' : null
          let operation: Made | null = null
          for (const person of people) {
            // a refusal changes nothing, so the next person gets the same operation
            operation ??= await addOperation(w, { type, status, transport, deliveryDate })
            const untouched = await picture(w, operation)
            const reply = await w.send(doing.path, principal(person), doing.body(operation.id))
            const expected = expectedCode(name, person, status)
            expect([person, reply.status === 200 ? undefined : reply.refusal.code]).toEqual([person, expected])
            const [row] = await w.query<{ status: OperationStatus }>('select status from operation where id = $1', [
              operation.id,
            ])
            const may = expected === undefined
            expect(row?.status ?? null).toBe(may ? leads[status][name]?.to : status)
            const changed = JSON.stringify(await picture(w, operation)) !== JSON.stringify(untouched)
            expect([person, changed]).toEqual([person, may && !(name === 'undo' && status === 'pending')])
            if (changed) operation = null
          }
        })
    })

const audits = async () =>
  w.query('select action, subject, account_id, customer_id, site_id, facts from audit order by id')

const tyresOf = (operation: Made) =>
  w.query(
    `select status, status_date::text as since, location_id is not null as placed, rims, bolts, hubcaps
     from tyre where id = any ($1) order by id`,
    [operation.tyres],
  )
const documents = () =>
  w.query(
    `select operation_id, customer_id, vehicle_id, type, reason, year, number, document_date::text as date, amount_excl::float as amount, created_by
     from document order by id`,
  )

describe('a step', () => {
  test('by a customer, and by an administrator for one, is audited with actor and customer', async () => {
    const operation = await addOperation(w)
    const step = (who: 'a' | 'admin', status: OperationStatus) =>
      w.ask(calls.update, w.who[who], { operation: { _id: operation.id, status } })
    await step('a', 'submitted')
    await step('admin', 'pending')
    await step('admin', 'submitted')
    await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id }, here: operation.tyres })
    const row = (action: string, who: 'a' | 'admin', facts: object) => ({
      action: `operation.${action}`,
      subject: `operation ${operation.id}`,
      account_id: w.who[who].account,
      customer_id: w.customers.a,
      site_id: w.sites.home,
      facts,
    })
    expect(await audits()).toEqual([
      row('submit', 'a', {}),
      row('undo', 'admin', {}),
      row('submit', 'admin', {}),
      row('confirm', 'admin', { unscanned: 4 }),
    ])
  })

  test('is no edit: editing leaves no audit', async () => {
    const operation = await addOperation(w)
    await w.ask(calls.update, w.who.a, { operation: { _id: operation.id, remarks: 'x' } })
    expect(await audits()).toEqual([])
  })

  test('that undoes a submission takes its time away and changes nothing else', async () => {
    const operation = await addOperation(w, { status: 'submitted', scanned: true })
    const { answer } = await w.ask(calls.update, w.who.admin, { operation: { _id: operation.id, status: 'pending' } })
    expect(answer).toMatchObject({ status: 'pending', submitted: null })
    expect(answer.tyres.every(tyre => tyre.scanned)).toBe(true)
    const edited = await w.ask(calls.update, w.who.admin, { operation: { _id: operation.id, status: 'submitted' } })
    const both = await w.ask(calls.update, w.who.admin, {
      operation: { _id: operation.id, status: 'pending', remarks: 'changed on the way' },
    })
    expect(edited.status).toBe(200)
    expect(both.refusal.code).toBe('operation.step')
  })
})

describe('confirming', () => {
  const effects: Record<OperationType, { tyre: object; kind: string }> = {
    to_stock: {
      tyre: { status: 'in_stock', placed: true, rims: 'aluminum', bolts: true, hubcaps: true },
      kind: 'received',
    },
    to_customer: {
      tyre: { status: 'at_customer', placed: false, rims: null, bolts: false, hubcaps: false },
      kind: 'delivered',
    },
    to_waste: { tyre: { status: 'waste', placed: false, rims: null, bolts: false, hubcaps: false }, kind: 'scrapped' },
    to_spare: { tyre: { status: 'on_spare', placed: false, rims: null, bolts: false, hubcaps: false }, kind: 'spared' },
  }

  for (const type of operationTypes)
    test(`${type} gives its tyres their new state since today, writes their history and frees them`, async () => {
      const [place] = await w.addLocations({ places: 1, capacity: 8 })
      const operation = await addOperation(w, { type, status: 'submitted', scanned: true })
      if (type === 'to_stock')
        await w.query(
          `update operation set with_rims = 'aluminum', with_bolts = true, with_hubcaps = true, tachometer = 81000 where id = $1`,
          [operation.id],
        )
      else
        await w.query(
          `update tyre set location_id = $1, rims = 'steel', bolts = true, hubcaps = true where id = any ($2)`,
          [place, operation.tyres],
        )
      const bystander = await addOperation(w, {
        vehicle: operation.vehicle,
        tyres: [await w.addTyre({ vehicle: operation.vehicle, set: null })],
      })
      const untouched = await picture(w, bystander)
      const { answer, status } = await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
      expect(status).toBe(200)
      expect(answer).toMatchObject({ status: 'confirmed', handledAt: expect.stringMatching(/^2026-11-10T22:30:00/) })
      expect(await tyresOf(operation)).toEqual(
        operation.tyres.map(() => ({ ...effects[type].tyre, since: '2026-11-10' })),
      )
      expect(answer.tyres[0]).toMatchObject({
        tyre_status: (effects[type].tyre as { status: string }).status,
        status_date: '2026-11-10',
        stock_rack: type === 'to_stock' ? 'A-01-1' : null,
        stock_site_name: type === 'to_stock' ? 'Main hall' : null,
      })
      const events = await w.query(
        `select tyre_id, kind, customer_id, vehicle_id, account_id, operation_id, status, location_id, depth::float, odometer, at
         from tyre_event where kind <> 'wheel' order by tyre_id`,
      )
      expect(events).toEqual(
        operation.tyres.map(tyre_id => ({
          tyre_id,
          kind: effects[type].kind,
          customer_id: w.customers.a,
          vehicle_id: operation.vehicle,
          account_id: w.who.admin.account,
          operation_id: operation.id,
          status: (effects[type].tyre as { status: string }).status,
          location_id: type === 'to_stock' ? place : null,
          depth: 7.5,
          odometer: type === 'to_stock' ? 81_000 : null,
          at: now,
        })),
      )
      expect(await w.query('select handled_by, updated_at from operation where id = $1', [operation.id])).toEqual([
        { handled_by: w.who.admin.account, updated_at: now },
      ])
      expect(await w.query('select from operation_tyre where operation_id = $1 and open', [operation.id])).toHaveLength(
        0,
      )
      expect(await picture(w, bystander)).toEqual(untouched)
    })

  test('after midnight in the time zone of the site dates the tyres on the new day', async () => {
    await w.setSite(w.sites.home, { time_zone: 'Europe/Istanbul' })
    const operation = await addOperation(w, { status: 'submitted', scanned: true })
    await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
    expect((await tyresOf(operation))[0]).toMatchObject({ since: '2026-11-11' })
  })

  test('with tyres not scanned asks first, naming them, and changes nothing', async () => {
    const operation = await addOperation(w, { status: 'submitted' })
    await w.ask(calls.markscan, w.who.admin, { tyres: [{ tyreId: operation.tyres[1]! }] })
    const untouched = await picture(w, operation)
    const unscanned = await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
    expect(unscanned.refusal).toMatchObject({
      code: 'operation.not_scanned',
      params: { tyres: [operation.tyres[0], operation.tyres[2], operation.tyres[3]] },
    })
    expect(await picture(w, operation)).toEqual(untouched)
    const anyway = await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id }, here: operation.tyres })
    expect(anyway.answer.status).toBe('confirmed')
  })

  test('cancelling leaves every tyre as it is, and frees it', async () => {
    const operation = await addOperation(w, { status: 'submitted', scanned: true })
    const before = await tyresOf(operation)
    const { answer } = await w.ask(calls.cancel, w.who.admin, { operation: { _id: operation.id } })
    expect(answer).toMatchObject({ status: 'cancelled', handledAt: expect.any(String) })
    expect(await tyresOf(operation)).toEqual(before)
    expect(await w.query(`select from tyre_event where kind <> 'wheel'`)).toHaveLength(0)
    const again = await w.ask(calls.new, w.who.a, {
      operation: { flt_id: operation.vehicle, tyres: operation.tyres, operationType: 'to_stock' },
    })
    expect(again.status).toBe(200)
  })
})

describe('a document', () => {
  test('is made of a confirmed operation with a line for every service, in the language of the site', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'deliverynote', language: 'fre' })
    const services = [
      await addService(w, { name: 'Balancing', price: 12.5 }),
      await addService(w, { name: 'Storage', method: 'global', price: 30 }),
      await addService(w, { name: 'Thanks', method: 'text_line', price: 99 }),
    ]
    const operation = await addOperation(w, { status: 'submitted', scanned: true, services })
    await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
    expect(await documents()).toEqual([
      {
        operation_id: operation.id,
        customer_id: w.customers.a,
        vehicle_id: operation.vehicle,
        type: 'deliverynote',
        reason: 'operation',
        year: 2026,
        number: 1,
        date: '2026-11-10',
        amount: 80,
        created_by: w.who.admin.account,
      },
    ])
    const lines = await w.query(
      'select line, article_number, description, quantity::float, price_excl::float as price from document_line order by line',
    )
    expect(lines).toEqual([
      { line: 1, article_number: '4711', description: 'Balancing fr', quantity: 4, price: 12.5 },
      { line: 2, article_number: '4711', description: 'Storage fr', quantity: 1, price: 30 },
      { line: 3, article_number: '4711', description: 'Thanks fr', quantity: null, price: null },
    ])
    await w.setSite(w.sites.home, { language: 'eng' })
  })

  test('is made of no cancelled operation, no excepted type, and not where the site makes none', async () => {
    const confirm = async (type: OperationType) => {
      const operation = await addOperation(w, { type, status: 'submitted', scanned: true })
      await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
    }
    await confirm('to_stock')
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_exceptions: ['to_stock', 'to_waste'] })
    await confirm('to_stock')
    await confirm('to_waste')
    const cancelled = await addOperation(w, { type: 'to_customer', status: 'submitted' })
    await w.ask(calls.cancel, w.who.admin, { operation: { _id: cancelled.id } })
    expect(await documents()).toEqual([])
    await confirm('to_customer')
    expect(await documents()).toHaveLength(1)
  })

  test('is not made where the administrator confirms without one, and the audit says so', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_exceptions: [] })
    const confirm = async (wish: { document?: boolean }) => {
      const operation = await addOperation(w, { status: 'submitted', scanned: true })
      return (await w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id }, ...wish })).answer
    }
    const without = await confirm({ document: false })
    expect([without.status, without.document]).toEqual(['confirmed', null])
    expect(await documents()).toHaveLength(0)
    const [audited] = await w.query<{ facts: unknown }>(`select facts from audit where action = 'operation.confirm'`)
    expect(audited?.facts).toEqual({ unscanned: 0, document: false })
    const answered = [await confirm({}), await confirm({ document: true })].map(answer => answer.document)
    expect(answered).toEqual((await w.query<{ id: number }>('select id from document order by id')).map(row => row.id))
    await w.setSite(w.sites.home, { do_doc_insert: false })
    expect((await confirm({ document: true })).document).toBe(null)
  })

  test('has the next number of its kind and year, without a gap where a confirmation failed', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'worknote' })
    const confirm = async (type: OperationType = 'to_stock') => {
      const operation = await addOperation(w, { type, status: 'submitted', scanned: true })
      return w.ask(calls.confirm, w.who.admin, { operation: { _id: operation.id } })
    }
    await confirm()
    await w.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    )
    await w.query('create trigger refuse before insert on document for each row execute function refuse()')
    expect((await confirm()).status).toBe(500)
    await w.query('drop function refuse cascade')
    await confirm()
    await w.setSite(w.sites.home, { doc_insert_type: 'reservation' })
    await confirm()
    await w.setSite(w.sites.home, { doc_insert_type: 'worknote' })
    w.clock.now = new Date('2026-12-31T23:30:00Z')
    await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
    await confirm()
    expect((await documents()).map(({ type, year, number }) => [type, year, number])).toEqual([
      ['worknote', 2026, 1],
      ['worknote', 2026, 2],
      ['reservation', 2026, 1],
      ['worknote', 2027, 1],
    ])
    await w.query('update session set seen_at = $1, created_at = $1', [now])
  })
})

/** A database whose nth statement of an operation fails after it has done its work. */
function failing(database: Database, nth: number): { database: Database; reached: () => number } {
  let count = 0
  const failed = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, name: keyof Tx) {
        // one that is all there is to do fails in PostgreSQL or not at all; here it is one of the transaction
        if (name === 'single') return failed(target)
        const method = target[name] as (...args: unknown[]) => Promise<unknown>
        return async (...args: unknown[]) => {
          const answer = await method.apply(target, args)
          const { name: statementName } = (args[0] ?? {}) as { name?: string }
          if (statementName?.startsWith('operations.') && ++count === nth) throw new Error('the power is gone')
          return answer
        }
      },
    })
  return {
    database: { ...database, transaction: (scope, work) => database.transaction(scope, tx => work(failed(tx))) },
    reached: () => count,
  }
}

describe('when a statement fails', () => {
  const cases = {
    confirm: [
      calls.confirm.path,
      'submitted',
      (operation: Made) => ({ operation: { _id: operation.id }, here: operation.tyres }),
    ],
    cancel: [calls.cancel.path, 'submitted', (operation: Made) => ({ operation: { _id: operation.id } })],
    'markscan with automatic confirmation': [
      calls.markscan.path,
      'submitted',
      (operation: Made) => ({ tyres: operation.tyres.map(tyreId => ({ tyreId })) }),
    ],
    delete: [calls.delete.path, 'pending', (operation: Made) => ({ operation: { _id: operation.id } })],
    'update with submission': [
      calls.update.path,
      'pending',
      (operation: Made) => ({ operation: { _id: operation.id, status: 'submitted', remarks: 'x', services: [] } }),
    ],
  } as const

  for (const [name, [path, status, body]] of Object.entries(cases))
    test(`${name} does all or nothing, whichever statement it is`, async () => {
      await w.addLocations({ places: 2, capacity: 4 })
      await w.setSite(w.sites.home, { do_doc_insert: true, auto_process_intake_on_full_scan: true })
      const services = [await addService(w)]
      let reached = Number.POSITIVE_INFINITY
      for (let nth = 1; nth <= reached; nth++) {
        const operation = await addOperation(w, { status, services })
        const untouched = JSON.stringify(await picture(w, operation))
        const faulty = failing(w.database, nth)
        const app = await serve({ database: faulty.database, checkAnswers: true, clock: () => now })
        const reply = await app.inject({
          method: 'POST',
          url: path,
          headers: { host: 'home.test', cookie: w.who.admin.cookie ?? '' },
          payload: body(operation),
        })
        await app.close()
        // once it fails no more, there was no nth statement
        if (faulty.reached() < nth) reached = faulty.reached()
        const failed = faulty.reached() >= nth
        expect(reply.statusCode).toBe(failed ? 500 : 200)
        expect(JSON.stringify(await picture(w, operation)) === untouched).toBe(failed)
      }
      expect(reached).toBeGreaterThan(1)
    })
})
