/** Stored days when tyres leave, come back, and documents are withdrawn (docs/product/money.md "Stored days"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { addOperation, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.invoicing
const today = '2026-11-20'
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${today}T12:00:00Z`) })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query('delete from tyre; delete from vehicle')
  await at(today)
  await w.setSite(w.sites.home, {
    do_doc_insert: false,
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_period',
    invoicing_period: 180,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: 27.5,
  })
})

const admin = () => w.who.admin
const seq_id = () => w.customers.a
/** Makes it this day, with everybody still signed in. */
async function at(date: IsoDate): Promise<void> {
  w.clock.now = new Date(`${date}T12:00:00Z`)
  await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
}
/** A set of four that has been in the store for so many days. */
async function stored(days: number): Promise<number[]> {
  const vehicle = await w.addVehicle({})
  return w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: addDays(today, -days) })
}
const status = (tyres: number[], to: string, date: IsoDate) =>
  w.query('update tyre set status = $2, status_date = $3, location_id = null where id = any ($1)', [tyres, to, date])
const inject = (tyres: number[], left = false) => w.ask(calls.inject, admin(), { tyres, seq_id: seq_id(), left })
const listed = async (tyres: number[]) =>
  (await w.ask(calls.tyres, admin(), { seq_id: seq_id(), days: 0, paid: true })).answer
    .filter(tyre => tyres.includes(tyre.db_id))
    .map(tyre => [tyre.overdue_days, tyre.owed_days, tyre.paid_until])

describe('a tyre that leaves', () => {
  test('takes no unpaid day with it: a confirmed recall leaves its days owed, and they can be charged', async () => {
    const { id, tyres, vehicle } = await addOperation(w, { type: 'to_customer', status: 'submitted', scanned: true })
    await w.query('update tyre set status_date = $2 where id = any ($1)', [tyres, addDays(today, -172)])
    expect((await w.ask(contract.operations.confirm, admin(), { operation: { _id: id } })).status).toBe(200)

    expect((await w.ask(calls.left, admin(), undefined)).answer).toMatchObject([
      { seq_id: seq_id(), tyre_count: tyres.length, since: addDays(today, -172), overdue_days: 172 },
    ])
    const { answer: left } = await w.ask(calls.lefttyres, admin(), { seq_id: seq_id() })
    expect(left.map(tyre => [tyre.db_id, tyre.flt_id, tyre.owed_days, tyre.left_date, tyre.tyre_status])).toEqual(
      tyres.map(tyre => [tyre, vehicle, 172, today, 'at_customer']),
    )
    expect((await inject(tyres)).refusal.code).toBe('invoicing.nothing')
    await at(addDays(today, 60))
    expect((await inject(tyres, true)).answer).toMatchObject({ amount_excl: 27.5 })
    const [line] = await w.query<{ description: string }>('select description from document_line')
    expect(line?.description).toContain('from 01/06/2026 to 20/11/2026 (172 days)')
    expect((await w.ask(calls.left, admin(), undefined)).answer).toEqual([])
    // the period that had begun is charged to its end
    expect((await inject(tyres, true)).refusal.code).toBe('invoicing.documented')
  })

  test('still owes when it is scrapped or removed', async () => {
    const tyres = await stored(40)
    await status(tyres, 'waste', today)
    await w.query('update tyre set removed_at = $2 where id = any ($1)', [tyres, w.clock.now])
    expect((await w.ask(calls.lefttyres, admin(), { seq_id: seq_id() })).answer).toHaveLength(4)
    expect((await inject(tyres, true)).status).toBe(200)
  })

  test('owes nothing more once its days are waived, with the reason on record', async () => {
    const tyres = await stored(40)
    await status(tyres, 'at_customer', today)
    const waive = () => w.ask(calls.waive, admin(), { tyres, seq_id: seq_id(), left: true, reason: 'Our mistake' })
    expect((await waive()).answer).toEqual({ tyres, days: 160 })
    expect((await waive()).refusal.code).toBe('invoicing.nothing')
    expect((await w.ask(calls.left, admin(), undefined)).answer).toEqual([])
    const [row] = await w.query<{ facts: unknown }>(`select facts from audit where action = 'invoicing.waive'`)
    expect(row?.facts).toEqual({ days: 160, tyres, reason: 'Our mistake' })
    expect((await w.ask(calls.waive, admin(), { tyres, seq_id: seq_id(), reason: ' ' })).status).toBe(400)
  })

  test('owes the waived days again once the waiver is taken back, once, with a reason', async () => {
    const tyres = await stored(40)
    const waivers = async () => (await w.ask(calls.waivers, admin(), undefined)).answer
    const overdue = async () =>
      (await w.ask(calls.tyres, admin(), { seq_id: seq_id(), days: 0 })).answer.map(tyre => [
        tyre.owed_days,
        tyre.waived_days,
        tyre.waived_reason,
      ])
    const before = await waivers()
    await w.ask(calls.waive, admin(), { tyres, seq_id: seq_id(), reason: 'Our mistake' })
    expect(await overdue()).toEqual(tyres.map(() => [0, 40, 'Our mistake']))
    const [waiver, ...others] = await waivers()
    expect(others).toEqual(before)
    expect(waiver).toMatchObject({
      seq_id: seq_id(),
      tyre_count: 4,
      days: 160,
      vehicle_count: 1,
      reason: 'Our mistake',
      taken_back: null,
    })
    const takeBack = (reason: string) => w.ask(calls.unwaive, admin(), { _id: waiver?._id ?? 0, reason })
    expect((await takeBack(' ')).refusal.code).toBe('request.invalid')
    expect((await takeBack('Wrong customer')).answer).toEqual({ days: 160 })
    expect(await overdue()).toEqual(tyres.map(() => [40, 0, null]))
    expect((await waivers())[0]).toMatchObject({
      days: 160,
      reason: 'Our mistake',
      taken_back: { reason: 'Wrong customer' },
    })
    expect((await takeBack('Again')).refusal.code).toBe('invoicing.nothing')
    const [row] = await w.query<{ facts: unknown }>(`select facts from audit where action = 'invoicing.unwaive'`)
    expect(row?.facts).toEqual({ days: 160, tyres, reason: 'Wrong customer' })
  })

  test('before the end of a period that has begun owes it, whether it was charged before or after', async () => {
    const [before, after] = [await stored(10), await stored(10)]
    const charged = (await inject(before)).answer.amount_excl
    await at(addDays(today, 20))
    await status([...before, ...after], 'at_customer', addDays(today, 20))
    expect((await w.ask(calls.credits, admin(), undefined)).answer).toEqual([])
    expect((await w.ask(calls.credit, admin(), { tyres: before, reason: 'x' })).refusal.code).toBe('invoicing.nothing')
    const late = await w.ask(calls.inject, admin(), { tyres: after, seq_id: w.customers.a, left: true })
    expect([charged, late.answer.amount_excl]).toEqual([27.5, 27.5])
  })

  test('on an earlier day than was charged by the day is offered as credit, which adds up, until it is credited', async () => {
    await w.setSite(w.sites.home, { invoicing_mode: 'per_day', invoicing_price_excl: 0.35 })
    const tyres = await stored(10)
    await inject(tyres)
    await status(tyres, 'at_customer', addDays(today, -3))
    const credits = async () => (await w.ask(calls.credits, admin(), undefined)).answer
    // three days of a set: € 1.05, and not four times € 0.26
    expect((await credits()).map(row => [row.db_id, row.unused_days, row.amount_excl])).toEqual(
      tyres.map((tyre, nth) => [tyre, 3, [0.26, 0.27, 0.26, 0.26][nth]]),
    )
    // a unit that is charged as one is credited as one
    const credited = (await w.ask(calls.credit, admin(), { tyres: tyres.slice(0, 1), reason: 'Credit note 7' })).answer
    expect(credited.tyres.toSorted()).toEqual(tyres)
    expect(await credits()).toEqual([])
    expect((await w.ask(calls.credit, admin(), { tyres, reason: 'x' })).refusal.code).toBe('invoicing.nothing')
  })

  test('and comes back in time uses what was paid', async () => {
    await w.setSite(w.sites.home, { invoicing_mode: 'per_day', invoicing_price_excl: 0.35 })
    const tyres = await stored(10)
    await inject(tyres)
    await status(tyres, 'at_customer', addDays(today, -3))
    await status(tyres, 'in_stock', addDays(today, -3))
    expect((await w.ask(calls.credits, admin(), undefined)).answer).toEqual([])
  })

  test('is no credit while another wheel of its set uses what was charged for both', async () => {
    const tyres = await stored(190)
    await inject(tyres)
    const [first, ...others] = tyres as [number, ...number[]]
    await status([first], 'at_customer', addDays(today, -20))
    const credits = async () =>
      (await w.ask(calls.credits, admin(), undefined)).answer.map(row => [row.db_id, row.unused_days, row.amount_excl])
    expect(await credits()).toEqual([])
    await status(others, 'at_customer', addDays(today, -15))
    // the second of two periods, which began ten days ago
    expect(await credits()).toEqual(tyres.map((tyre, nth) => [tyre, 180, [6.88, 6.87, 6.88, 6.87][nth]]))
  })
})

test('a tyre that two documents charge is credited for one of them, and stays offered for the other', async () => {
  await w.setSite(w.sites.home, { invoicing_mode: 'per_day' })
  const [tyre = 0] = await stored(10)
  await w.query('update stay set tyre_set = null')
  await inject([tyre])
  await at(addDays(today, 5))
  await inject([tyre])
  await status([tyre], 'at_customer', addDays(today, -2))
  const credits = async () =>
    (await w.ask(calls.credits, admin(), undefined)).answer.map(row => [row.document, row.unused_days])
  const [first, second] = await credits()
  expect([first?.[1], second?.[1]]).toEqual([2, 5])
  const document = String(first?.[0])
  const credit = (input: object) => w.ask(calls.credit, admin(), { tyres: [tyre], reason: 'Credit note 7', ...input })
  expect((await credit({ document: 'R-1999-00001' })).refusal.code).toBe('invoicing.nothing')
  expect((await credit({ document })).status).toBe(200)
  expect(await credits()).toEqual([second])
  expect((await credit({ document })).refusal.code).toBe('invoicing.nothing')
  expect((await credit({})).status).toBe(200)
  expect(await credits()).toEqual([])
})

test('of periods that a document charged, those are offered as credit that had not begun when the tyre left', async () => {
  // two periods of 180 days, of which the second began ten days ago
  const [tyre = 0] = await stored(190)
  await w.query('update stay set tyre_set = null')
  await inject([tyre])
  await status([tyre], 'at_customer', addDays(today, -20))
  const credits = async () =>
    (await w.ask(calls.credits, admin(), undefined)).answer.map(row => [row.unused_days, row.amount_excl])
  expect(await credits()).toEqual([[180, 27.5]])
  await w.ask(calls.credit, admin(), { tyres: [tyre], reason: 'Credit note 7' })
  expect(await credits()).toEqual([])
  // what it has used stays charged
  expect(
    (await w.query(`select sum(until - since)::int as days from storage_ledger where released_at is null`))[0],
  ).toEqual({
    days: 180,
  })
})

test('a charged period is paid to its own end, however often it is invoiced', async () => {
  const tyres = await stored(30)
  expect((await inject(tyres)).answer.amount_excl).toBe(27.5)
  await w.ask(calls.markinvoiced, admin(), { tyres, date: today })
  for (const days of [30, 60, 90, 120, 150]) {
    await at(addDays(today, days))
    expect(await listed(tyres)).toEqual(tyres.map(() => [days, 0, addDays(today, 150)]))
    expect((await inject(tyres)).refusal.code).toBe('invoicing.documented')
  }
  await at(addDays(today, 151))
  expect((await inject(tyres)).answer.amount_excl).toBe(27.5)
})

describe('a document', () => {
  test('keeps its days when the last invoice date is cleared, until it is withdrawn', async () => {
    const tyres = await stored(200)
    const { answer: document } = await inject(tyres)
    await w.ask(calls.markinvoiced, admin(), { tyres, date: today })
    await w.ask(calls.unmarkinvoiced, admin(), { tyreIds: tyres })
    expect((await inject(tyres)).refusal).toMatchObject({
      code: 'invoicing.documented',
      params: { documents: [document.document_number_text] },
    })
    const withdraw = (reason: string) => w.ask(calls.withdraw, admin(), { db_id: document.db_id, reason })
    expect((await withdraw('')).status).toBe(400)
    expect((await withdraw('Wrong customer')).answer).toEqual({
      document: document.document_number_text,
      tyres,
    })
    expect((await withdraw('Again')).refusal.code).toBe('invoicing.withdrawn')
    const { answer: documents } = await w.ask(calls.documents, admin(), {})
    expect(documents).toMatchObject([{ withdrawn: true, withdrawn_reason: 'Wrong customer' }])
    expect((await inject(tyres)).answer.document_number_text).toBe('R-2026-00002')
  })

  test('of an operation, another site or nobody is not withdrawn', async () => {
    const [document] = await w.query<{ id: number }>(
      `insert into document (site_id, customer_id, type, reason, year, number, document_date) values
         ($1, $2, 'worknote', 'operation', 2026, 1, $3) returning id`,
      [w.sites.home, w.customers.a, today],
    )
    const withdraw = (who = admin()) => w.ask(calls.withdraw, who, { db_id: document!.id, reason: 'x' })
    expect((await withdraw()).refusal.code).toBe('invoicing.not_storage')
    expect((await withdraw(w.who.otherAdmin)).refusal.code).toBe('record.missing')
  })
})

test('undoing the last marking restores the date that was there before, step by step', async () => {
  const tyres = await stored(200)
  const undo = () => w.ask(calls.undomarking, admin(), { tyres })
  expect((await undo()).refusal.code).toBe('invoicing.no_marking')
  await w.ask(calls.markinvoiced, admin(), { tyres, date: '2026-08-01' })
  await w.ask(calls.markinvoiced, admin(), { tyres, date: today })
  await w.ask(calls.unmarkinvoiced, admin(), { tyreIds: tyres })
  for (const days of [
    [0, 0],
    [111, 111],
    [200, 200],
  ]) {
    expect((await undo()).answer.tyres).toEqual(tyres)
    expect(await listed(tyres)).toEqual(tyres.map(() => [...days, null]))
  }
  expect((await undo()).refusal.code).toBe('invoicing.no_marking')
})
