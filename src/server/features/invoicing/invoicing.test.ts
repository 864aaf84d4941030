/** Storage from overdue to charged, marked and cleared (docs/product/money.md "Overdue storage"; docs/decisions/0028). */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { addOperation, addService, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'
import { whole } from '../../testing/whole.ts'

const calls = contract.invoicing
const now = new Date('2026-11-20T12:00:00Z')
const today = '2026-11-20'
let w: World

beforeAll(async () => {
  w = await world({ now })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query('delete from tyre; delete from vehicle')
  w.clock.now = now
  await w.setSite(w.sites.home, {
    mode: 'both',
    language: 'eng',
    time_zone: 'Europe/Brussels',
    do_doc_insert: false,
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_period',
    invoicing_period: 180,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: 27.5,
  })
})
const restore: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of restore.splice(0)) await undo()
})

/** Adds a vehicle with four tyres that have been in stock for so many days. */
async function stored(days: number, wish: { customer?: number; set?: string | null; plate?: string } = {}) {
  const { customer = w.customers.a, set = 'Winter', plate } = wish
  const vehicle = await w.addVehicle({ customer, ...(plate && { plate }) })
  const tyres = await w.addSet({ vehicle, set, status: 'in_stock', statusDate: addDays(today, -days) })
  return { vehicle, tyres }
}
const admin = () => w.who.admin
const owing = async (days: number) => {
  const { answer } = await w.ask(calls.customers, admin(), { days })
  return answer.map(({ seq_id, tyre_count, since, overdue_days }) => [seq_id, tyre_count, since, overdue_days])
}
const tyresOwed = (days: number, seq_id = w.customers.a) => w.ask(calls.tyres, admin(), { days, seq_id })
const inject = (tyres: number[], seq_id = w.customers.a) => w.ask(calls.inject, admin(), { tyres, seq_id })
const preview = (tyres: number[], seq_id = w.customers.a) => w.ask(calls.preview, admin(), { tyres, seq_id })
const mark = (tyres: number[], date = today) => w.ask(calls.markinvoiced, admin(), { tyres, date })
const clearDate = (tyreIds: number[]) => w.ask(calls.unmarkinvoiced, admin(), { tyreIds })
const invoicedOn = (tyres: number[]) =>
  w.query<{ id: number; invoiced_on: string | null }>(
    'select id, invoiced_on::text from tyre where id = any ($1) order by id',
    [tyres],
  )
const counts = async () =>
  (
    await w.query(
      `select (select count(*)::int from document) as documents, (select count(*)::int from document_line) as lines,
         (select coalesce(sum(last), 0)::int from document_counter) as numbers,
         (select count(*)::int from storage_ledger) as charged, (select count(*)::int from audit) as audit`,
    )
  )[0]

describe('overdue customers', () => {
  test('have tyres in stock for at least so many days; most tyres first, each with the oldest day', async () => {
    const old = await stored(180)
    await stored(181)
    await stored(179)
    await stored(400, { customer: w.customers.b })
    await w.query('update tyre set invoiced_on = $2 where id = $1', [old.tyres[0], addDays(today, -10)])
    expect(await owing(180)).toEqual([
      [w.customers.a, 7, '2026-05-23', 181],
      [w.customers.b, 4, '2025-10-16', 400],
    ])
    expect(await owing(182)).toEqual([[w.customers.b, 4, '2025-10-16', 400]])
    expect(await owing(401)).toEqual([])
  })

  test('exclude those whose tyres left, were removed, are paid or came today', async () => {
    const { tyres } = await stored(200)
    await stored(0)
    await w.query(`update tyre set status = 'at_customer' where id = $1`, [tyres[0]])
    await w.query('update tyre set removed_at = now() where id = $1', [tyres[1]])
    await w.query('update tyre set invoiced_on = $2 where id = $1', [tyres[2], today])
    expect(await owing(0)).toEqual([[w.customers.a, 1, '2026-05-04', 200]])
    expect((await tyresOwed(0)).answer.map(tyre => tyre.db_id)).toEqual([tyres[3]])
  })

  test('are counted in days of the site’s time zone', async () => {
    await stored(179)
    w.clock.now = new Date('2026-11-20T22:30:00Z')
    expect(await owing(180)).toEqual([])
    await w.setSite(w.sites.home, { time_zone: 'Europe/Istanbul' })
    expect(await owing(180)).toHaveLength(1)
  })

  test.each([-1, 1.5, '180 days', null, 1e9])('asked for with %j days are refused', async days => {
    expect((await w.send(calls.customers.path, admin(), { days })).refusal.code).toBe('request.invalid')
  })
})

test('overdue tyres are ordered by tyre ID, with every detail that a person needs', async () => {
  const [place] = await w.addLocations({ places: 1, capacity: 8 })
  const { vehicle, tyres } = await stored(200, { plate: '1ABC234' })
  const loose = await stored(190, { set: null })
  await w.query('update tyre set location_id = $2 where id = $1', [tyres[0], place])
  await mark([tyres[0]!], '2026-05-10')
  const { answer } = await tyresOwed(180)
  expect(answer.map(tyre => tyre.db_id)).toEqual([...tyres, ...loose.tyres].sort((a, b) => a - b))
  expect(answer[0]).toEqual({
    db_id: tyres[0],
    flt_id: vehicle,
    license_plate: '1ABC234',
    position: '1A',
    description: 'Michelin Alpin 6 205/55R16 91H',
    tyre_set: 'Winter',
    waived_days: 0,
    waived_reason: null,
    status_date: '2026-05-04',
    invoicedAt: '2026-05-10',
    overdue_days: 194,
    stock_rack: 'A-01-1',
    stock_site_name: 'Main hall',
    document: null,
    document_date: null,
    paid_until: null,
    owed_days: 194,
  })
  expect(answer[4]?.tyre_set).toBe(null)
})

test('paid tyres are listed on request', async () => {
  const { tyres } = await stored(200)
  const fresh = await stored(0)
  await mark([tyres[0]!])
  const { answer } = await w.ask(calls.tyres, admin(), { days: 180, seq_id: w.customers.a, paid: true })
  expect(answer.map(tyre => [tyre.db_id, tyre.overdue_days])).toEqual([
    ...tyres.map((tyre, nth) => [tyre, nth === 0 ? 0 : 200]),
    ...fresh.tyres.map(tyre => [tyre, 0]),
  ])
})

test('what is overdue, and for how long, counts from the later of stock date and last invoice date', async () => {
  const vehicle = await w.addVehicle({})
  const anyTyre = fc.record({
    age: fc.integer({ min: -2, max: 30 }),
    invoiced: fc.option(fc.integer({ min: -2, max: 30 })),
    stored: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyTyre, { maxLength: 12 }), fc.nat({ max: 32 }), async (wishes, days) => {
      await w.query('delete from tyre')
      const expected: { id: number; days: number }[] = []
      for (const { age, invoiced, stored: inStock } of wishes) {
        const stockDate = addDays(today, -age)
        const invoicedDay = invoiced === null ? null : addDays(today, -invoiced)
        const id = await w.addTyre({
          vehicle,
          set: null,
          status: inStock ? 'in_stock' : 'at_customer',
          statusDate: stockDate,
        })
        await w.query('update tyre set invoiced_on = $2 where id = $1', [id, invoicedDay])
        const overdue = Math.max(0, invoiced === null ? age : Math.min(age, invoiced))
        if (inStock && overdue >= Math.max(1, days)) expected.push({ id, days: overdue })
      }
      const { answer } = await tyresOwed(days)
      expect(answer.map(tyre => ({ id: tyre.db_id, days: tyre.overdue_days }))).toEqual(expected)
      const oldest = Math.max(...expected.map(tyre => tyre.days))
      expect(await owing(days)).toEqual(
        expected.length === 0 ? [] : [[w.customers.a, expected.length, addDays(today, -oldest), oldest]],
      )
    }),
    { numRuns: whole ? 60 : 20 },
  )
})

describe('the document', () => {
  test('has a line for each set with its days, exactly as its preview', async () => {
    const car = await stored(200, { plate: '1ABC234' })
    const van = await stored(400, { plate: '1XYZ987', set: null })
    const tyres = [...van.tyres, ...car.tyres]
    const before = await counts()
    const { answer: bill } = await preview(tyres)
    expect(await counts()).toEqual(before)
    expect(bill).toEqual({
      together: [car.tyres],
      document_type: 'reservation',
      date: today,
      lines: [
        {
          article_number: String(w.articles.home),
          description:
            'Michelin Alpin 6 205/55R16 91H: 1-ABC-234, Winter, from 04/05/2026 to 20/11/2026 (200 days), 4 tyres',
          quantity: 2,
          price_excl: 27.5,
          amount_excl: 55,
        },
        {
          article_number: String(w.articles.home),
          description: 'Michelin Alpin 6 205/55R16 91H: 1-XYZ-987, from 16/10/2025 to 20/11/2026 (400 days), 4 tyres',
          quantity: 12,
          price_excl: 27.5,
          amount_excl: 330,
        },
      ],
      tyre_count: 8,
      quantity: 14,
      amount_excl: 385,
    })
    const { answer } = await inject(tyres)
    expect(answer).toEqual({
      db_id: expect.any(Number),
      document_number_text: 'R-2026-00001',
      document_number_value: 1,
      date: today,
      document_type: 'reservation',
      amount_excl: 385,
    })
    const lines = await w.query(
      `select article_number, description, quantity::int, price_excl::float, (quantity * price_excl)::float as amount_excl
       from document_line order by line`,
    )
    expect(lines).toEqual(bill.lines)
    expect(await counts()).toEqual({ documents: 1, lines: 2, numbers: 1, charged: 8, audit: 1 })
    expect(await w.query('select customer_id, account_id, action, subject, facts from audit')).toEqual([
      {
        customer_id: w.customers.a,
        account_id: admin().account,
        action: 'invoicing.inject',
        subject: `document ${answer.db_id}`,
        facts: { tyres: 8, quantity: 14, amount: 385 },
      },
    ])
    // it does not mark the tyres: that is a separate action
    expect((await invoicedOn(tyres)).every(tyre => tyre.invoiced_on === null)).toBe(true)
    const pdf = await w.ask(contract.fleet.historydocument, admin(), { db_id: answer.db_id })
    expect(Buffer.from(pdf.answer, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
  })

  test.each([
    ['per_set', 'per_period', 3 + 4 * 2],
    ['per_set', 'per_day', 200 + 4 * 91],
    ['per_tyre', 'per_period', 4 * 3 + 4 * 2],
    ['per_tyre', 'per_day', 4 * 200 + 4 * 91],
  ] as const)('counts %s and %s: %i, and says what is charged as one', async (quantity, mode, count) => {
    await w.setSite(w.sites.home, { invoicing_quantity: quantity, invoicing_mode: mode, invoicing_period: 90 })
    const first = await stored(200)
    const two = await stored(91, { set: null })
    const { answer } = await preview([...first.tyres, ...two.tyres])
    expect(answer.quantity).toBe(count)
    expect(answer.together).toEqual(quantity === 'per_set' ? [first.tyres] : [])
    expect(answer.lines.reduce((sum, line) => sum + line.amount_excl, 0)).toBeCloseTo(answer.amount_excl)
  })

  test('is in the language of the site', async () => {
    await w.setSite(w.sites.home, { language: 'ger' })
    const { tyres } = await stored(1)
    expect((await preview(tyres)).answer.lines[0]?.description).toContain('(1 Tag), 4 Reifen')
  })

  test('is refused without an article, whatever the price', async () => {
    await w.setSite(w.sites.home, { invoicing_article: null })
    const { tyres } = await stored(200)
    expect((await inject(tyres)).refusal.code).toBe('invoicing.article_missing')
    await w.setSite(w.sites.home, { invoicing_article: w.articles.other })
    expect((await preview(tyres)).refusal.code).toBe('invoicing.article_missing')
  })

  test('belongs to one customer: tyres of another customer or site, and unknown ones, are missing', async () => {
    const own = await stored(200)
    const other = await stored(200, { customer: w.customers.b })
    const foreign = await stored(200, { customer: w.customers.other })
    for (const stranger of [other.tyres[0]!, foreign.tyres[0]!, 2e9])
      for (const call of [calls.inject, calls.preview])
        expect(
          (await w.ask(call, admin(), { tyres: [...own.tyres, stranger], seq_id: w.customers.a })).refusal.code,
        ).toBe('record.missing')
    expect((await inject(foreign.tyres, w.customers.other)).refusal.code).toBe('record.missing')
    expect(await counts()).toMatchObject({ documents: 0, numbers: 0 })
  })

  test('is refused for tyres that left or were paid after the list was fetched', async () => {
    const { tyres } = await stored(200)
    await w.query(`update tyre set status = 'at_customer' where id = $1`, [tyres[1]])
    expect((await inject(tyres)).refusal).toMatchObject({ code: 'invoicing.changed', params: { tyres: [tyres[1]] } })
    await mark([tyres[0]!, tyres[2]!, tyres[3]!])
    expect((await inject(tyres)).refusal.code).toBe('invoicing.nothing')
    expect(await counts()).toMatchObject({ documents: 0, numbers: 0 })
  })

  test('does not charge a day twice, not even for one tyre among others', async () => {
    const first = await stored(200)
    const second = await stored(200)
    const { answer } = await inject(first.tyres)
    const number = answer.document_number_text
    for (const tyres of [first.tyres, [...second.tyres, first.tyres[2]!]])
      expect((await inject(tyres)).refusal).toMatchObject({
        code: 'invoicing.documented',
        params: { documents: [number] },
      })
    expect((await preview(first.tyres)).refusal.code).toBe('invoicing.documented')
    expect((await tyresOwed(1)).answer.map(tyre => [tyre.document, tyre.document_date])).toEqual([
      ...first.tyres.map(() => [number, today]),
      ...second.tyres.map(() => [null, null]),
    ])
  })

  test('charges the days after the last one when its tyres are overdue again', async () => {
    await w.setSite(w.sites.home, { invoicing_mode: 'per_day' })
    const { tyres } = await stored(200)
    await inject(tyres)
    await mark(tyres)
    w.clock.now = new Date('2027-01-10T10:00:00Z')
    await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
    const { answer } = await inject(tyres)
    expect(answer).toMatchObject({ document_number_text: 'R-2027-00001', amount_excl: 51 * 27.5 })
    const [line] = await w.query<{ description: string }>(
      'select description from document_line order by document_id desc',
    )
    expect(line?.description).toContain('from 20/11/2026 to 10/01/2027 (51 days)')
    await w.query('update session set seen_at = $1, created_at = $1', [now])
  })

  test('is refused for days that are charged already, also when the tyres were marked up to an earlier day only', async () => {
    const { tyres } = await stored(200)
    await inject(tyres)
    await mark(tyres, '2026-11-01')
    expect((await inject(tyres)).refusal.code).toBe('invoicing.documented')
    await mark(tyres, today)
    expect((await inject(tyres)).refusal.code).toBe('invoicing.nothing')
  })

  test('is created once under one idempotency key, with the same answer each time', async () => {
    const { tyres } = await stored(200)
    const key = randomUUID()
    const send = () => w.send(calls.inject.path, admin(), { tyres, seq_id: w.customers.a }, { 'idempotency-key': key })
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, send))
    expect(first?.status).toBe(200)
    for (const reply of others) expect(reply.text).toBe(first?.text)
    expect(await counts()).toMatchObject({ documents: 1, numbers: 1 })
  })

  test('is created once when it is requested twenty times at once', async () => {
    const { tyres } = await stored(200)
    const replies = await Promise.all(Array.from({ length: 20 }, (_, nth) => inject(nth % 2 ? tyres : [tyres[1]!])))
    const won = replies.filter(reply => reply.status === 200)
    expect(won.length).toBe(1)
    for (const reply of replies) if (reply.status !== 200) expect(reply.refusal.code).toBe('invoicing.documented')
    expect(await counts()).toMatchObject({ documents: 1, numbers: 1 })
  })

  test('accepts tyres as records, too, and counts a repeated one once', async () => {
    const { tyres } = await stored(200)
    const records = [...tyres, ...tyres].map(db_id => ({ db_id: [db_id] as [number] }))
    expect((await w.ask(calls.inject, admin(), { tyres: records, seq_id: w.customers.a })).answer.amount_excl).toBe(55)
  })
})

describe('marking as invoiced', () => {
  test('sets the date, is recorded, and removes the tyres from the list', async () => {
    const { tyres } = await stored(200)
    const [left, ...others] = tyres as [number, ...number[]]
    const { answer } = await mark(others, '2026-11-15')
    expect(answer).toEqual({ tyres: others, date: '2026-11-15' })
    expect((await tyresOwed(180)).answer.map(tyre => tyre.db_id)).toEqual([left])
    expect((await tyresOwed(5)).answer).toHaveLength(4)
    expect(await w.query('select tyre_id, kind, note, account_id from tyre_event order by tyre_id')).toEqual(
      others.map(tyre_id => ({ tyre_id, kind: 'invoiced', note: '2026-11-15', account_id: admin().account })),
    )
    expect(await w.query('select action, subject, customer_id, facts from audit')).toEqual([
      {
        action: 'invoicing.mark',
        subject: `customer ${w.customers.a}`,
        customer_id: w.customers.a,
        facts: { date: '2026-11-15', tyres: Object.fromEntries(others.map(id => [id, null])) },
      },
    ])
  })

  test('with the same date again changes nothing', async () => {
    const { tyres } = await stored(200)
    const first = await mark(tyres)
    const again = await mark(tyres)
    expect(again.answer).toEqual(first.answer)
    expect(await w.query('select from tyre_event')).toHaveLength(4)
    expect(await w.query('select from audit')).toHaveLength(1)
  })

  test('with a future date is refused, in the site’s time zone', async () => {
    const { tyres } = await stored(200)
    expect((await mark(tyres, '2026-11-21')).refusal.code).toBe('invoicing.date_ahead')
    w.clock.now = new Date('2026-11-20T22:30:00Z')
    expect((await mark(tyres, '2026-11-21')).status).toBe(409)
    await w.setSite(w.sites.home, { time_zone: 'Europe/Istanbul' })
    expect((await mark(tyres, '2026-11-21')).status).toBe(200)
  })

  test('marks none when one tyre is foreign or missing', async () => {
    const { tyres } = await stored(200)
    const foreign = await stored(200, { customer: w.customers.other })
    for (const stranger of [foreign.tyres[0]!, 2e9]) {
      expect((await mark([...tyres, stranger])).refusal.code).toBe('record.missing')
      expect((await clearDate([...tyres, stranger])).refusal.code).toBe('record.missing')
    }
    expect((await invoicedOn([...tyres, ...foreign.tyres])).every(tyre => tyre.invoiced_on === null)).toBe(true)
  })

  test('is undone by clearing: the days before count again', async () => {
    const { tyres } = await stored(200)
    await mark(tyres)
    expect(await owing(180)).toEqual([])
    expect((await clearDate(tyres)).answer.tyres).toEqual(tyres)
    expect(await owing(180)).toEqual([[w.customers.a, 4, '2026-05-04', 200]])
    expect(await w.query(`select tyre_id from tyre_event where note = '-'`)).toHaveLength(4)
    const [, cleared] = await w.query<{ facts: unknown }>('select facts from audit order by id')
    expect(cleared?.facts).toEqual({
      date: null,
      tyres: Object.fromEntries(tyres.map(id => [id, today])),
    })
  })
})

test('documents are listed newest first, of the site or of a customer, page by page', async () => {
  for (let nth = 0; nth < 53; nth++) {
    const customer = nth % 2 ? w.customers.b : w.customers.a
    const { tyres } = await stored(10 + nth, { customer })
    await inject(tyres, customer)
  }
  const first = await w.ask(calls.documents, admin(), {})
  expect(first.answer).toHaveLength(50)
  expect(first.answer[0]).toMatchObject({ document_number_value: 53, companyname: 'Garage Alfa NV', reason: 'storage' })
  const second = await w.ask(calls.documents, admin(), { last_document: first.answer.at(-1)!.db_id })
  expect(second.answer.map(document => document.document_number_value)).toEqual([3, 2, 1])
  const ofB = await w.ask(calls.documents, admin(), { seq_id: w.customers.b })
  expect(ofB.answer).toHaveLength(26)
  expect((await w.ask(calls.documents, admin(), { seq_id: w.customers.other })).refusal.code).toBe('record.missing')
  expect((await w.ask(calls.documents, w.who.otherAdmin, {})).answer).toEqual([])
})

test('numbers have no gap, however confirmations and storage documents overlap and fail', async () => {
  await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'reservation', doc_insert_exceptions: [] })
  const service = await addService(w, { method: 'global', price: 10 })
  // every third insert of a document fails, after its number was taken
  await w.query(`create sequence written; create function refuse() returns trigger language plpgsql as $$ begin
    if nextval('written') % 3 = 0 then raise exception 'refused'; end if; return null; end $$`)
  await w.query('grant usage on sequence written to public')
  await w.query('create trigger refuse after insert on document_line for each row execute function refuse()')
  restore.push(() => w.query('drop function refuse cascade; drop sequence written'))
  const deeds: (() => Promise<{ status: number }>)[] = []
  for (let nth = 0; nth < 25; nth++) {
    const { tyres } = await stored(200)
    deeds.push(() => inject(tyres))
    const { id } = await addOperation(w, { status: 'submitted', scanned: true, services: [service] })
    deeds.push(() => w.ask(contract.operations.confirm, admin(), { operation: { _id: id } }))
  }
  const replies = await Promise.all(deeds.map(deed => deed()))
  const successes = replies.filter(reply => reply.status === 200).length
  expect(successes).toBeGreaterThan(10)
  expect(successes).toBeLessThan(50)
  const numbers = await w.query<{ number: number }>('select number from document order by number')
  expect(numbers.map(row => row.number)).toEqual(Array.from({ length: successes }, (_, nth) => nth + 1))
  expect(await counts()).toMatchObject({ numbers: successes, lines: successes })
  const [confirmed] = await w.query<{ n: number }>(
    `select count(*)::int as n from operation where status = 'confirmed'`,
  )
  const [ofOperations] = await w.query<{ n: number }>(
    `select count(*)::int as n from document where reason = 'operation'`,
  )
  expect(confirmed).toEqual(ofOperations)
})
