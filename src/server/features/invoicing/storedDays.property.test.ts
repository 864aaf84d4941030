/**
 * Random histories of tyres: they come and leave, are charged, marked, cleared, waived and credited, and documents are
 * withdrawn. After each step the ledger is what a second model says, day by day (docs/promises.md "Stored days").
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, daysBetween } from '#domain/date.ts'
import { contract } from '#contract/index.ts'
import { chance, type Chance } from '../../../../db/demo/chance.ts'
import { states, TyreDays } from '../../testing/ledgerModel.ts'
import { world, type World } from '../../testing/world.ts'

const calls = contract.invoicing
/** `HISTORIES=10000` is the whole number, of which the tests of every change take a part. */
const histories = Number(process.env['HISTORIES'] ?? 1000)
const rounds = 24
const epoch = '2025-01-01'
const period = 30
/** Longer than all rounds and a period together. */
const span = rounds * 40 + period
let w: World

beforeAll(async () => {
  w = await world({ now: new Date(`${epoch}T12:00:00Z`) })
  await w.setSite(w.sites.home, {
    invoicing_quantity: 'per_tyre',
    invoicing_mode: 'per_period',
    invoicing_period: period,
    invoicing_article: w.articles.home,
    invoicing_price_excl: 1,
  })
})
afterAll(() => w.close())

type Entry = { tyre: number; since: string; until: string; state: string; document: number | null }
const dayOf = (date: string): number => daysBetween(epoch, date)

/** What the ledger holds that is not released, as the model has it. A day that stands there twice is a fault. */
function daysOf(entries: readonly Entry[]): { state: Uint8Array; document: Uint16Array; twice: number[] } {
  const state = new Uint8Array(span)
  const document = new Uint16Array(span)
  const twice = []
  for (const entry of entries)
    for (let day = dayOf(entry.since) + 1; day <= dayOf(entry.until); day++) {
      if (state[day] !== states.none) twice.push(day)
      state[day] = entry.document !== null ? states.document : entry.state === 'waived' ? states.waived : states.marked
      document[day] = entry.document ?? 0
    }
  return { state, document, twice }
}

/** Where the ledger and the model differ, and which days have two states: nothing, or the first faults in words. */
async function faults(model: ReadonlyMap<number, TyreDays>, today: number): Promise<string[]> {
  const entries = Map.groupBy(
    await w.query<Entry>(
      `select tyre_id as tyre, since::text, until::text, state, document_id as document from storage_ledger where released_at is null`,
    ),
    entry => entry.tyre,
  )
  const owed = new Map(
    (
      await w.query<{ tyre: number; open: number; left: number }>(
        `select tyre_id as tyre, coalesce(sum(day_count(owed_days(site_id, tyre_id, since, $1::date))) filter (where until is null), 0)::int as open,
           coalesce(sum(day_count(owed_days(site_id, tyre_id, since, until))) filter (where until is not null), 0)::int as left
         from stay group by tyre_id`,
        [addDays(epoch, today)],
      )
    ).map(({ tyre, ...days }) => [tyre, days]),
  )
  const found: string[] = []
  for (const [id, tyre] of model) {
    const is = daysOf(entries.get(id) ?? [])
    const { open, left } = owed.get(id) ?? { open: 0, left: 0 }
    if (is.twice.length > 0) found.push(`tyre ${id}: day ${is.twice[0]} has two states`)
    const other = is.state.findIndex(
      (state, day) => state !== tyre.state[day] || is.document[day] !== tyre.document[day],
    )
    if (other >= 0) found.push(`tyre ${id}: day ${other} is ${is.state[other]}, not ${tyre.state[other]}`)
    if (open !== tyre.owed(today, false).length) found.push(`tyre ${id} owes ${open} days of its stay`)
    if (left !== tyre.owed(today, true).length) found.push(`tyre ${id} owes ${left} days of stays that ended`)
  }
  return found.slice(0, 5)
}

/** One round: the tyres are dealt out to the actions, so that each has one. */
async function round(
  model: ReadonlyMap<number, TyreDays>,
  draw: Chance,
  today: number,
  documents: number[],
): Promise<void> {
  const admin = w.who.admin
  const seq_id = w.customers.a
  const hands = Map.groupBy(model.keys(), () => draw.between(0, 9))
  const which = (hand: number, fits: (tyre: TyreDays) => boolean): [number[], TyreDays[]] => {
    const ids = (hands.get(hand) ?? []).filter(id => fits(model.get(id)!))
    return [ids, ids.map(id => model.get(id)!)]
  }
  const done = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    if (status !== 200) throw new Error(text)
  }
  const date = addDays(epoch, today)

  const [leaving, left] = which(0, tyre => tyre.came !== null)
  await w.query(`update tyre set status = 'at_customer', status_date = $2 where id = any ($1)`, [leaving, date])
  for (const tyre of left) tyre.came = null

  const [coming, came] = which(1, tyre => tyre.came === null)
  await w.query(`update tyre set status = 'in_stock', status_date = $2 where id = any ($1)`, [coming, date])
  for (const tyre of came) tyre.came = today

  for (const [hand, isLeft] of [
    [2, false],
    [3, false],
    [4, true],
  ] as const) {
    const [tyres, charged] = which(hand, tyre => tyre.owed(today, isLeft).length > 0)
    if (tyres.length === 0) continue
    const { answer } = await w.ask(calls.inject, admin, { tyres, seq_id, left: isLeft })
    for (const tyre of charged) tyre.charge({ today, document: answer.db_id, left: isLeft, period })
    documents.push(answer.db_id)
  }

  const [marked, toMark] = which(5, () => true)
  const on = Math.max(0, today - draw.between(0, 50))
  await done(w.ask(calls.markinvoiced, admin, { tyres: marked, date: addDays(epoch, on) }))
  for (const tyre of toMark) tyre.mark(on)

  const [cleared, toClear] = which(6, () => true)
  await done(w.ask(calls.unmarkinvoiced, admin, { tyreIds: cleared }))
  for (const tyre of toClear) tyre.mark(null)

  const [undone, toUndo] = which(7, tyre => tyre.marks.length > 0)
  if (undone.length > 0) await done(w.ask(calls.undomarking, admin, { tyres: undone }))
  for (const tyre of toUndo) tyre.undo()

  const isLeft = draw.likely(0.5)
  const [waived, toWaive] = which(8, tyre => tyre.owed(today, isLeft).length > 0)
  if (waived.length > 0)
    await done(w.ask(calls.waive, admin, { tyres: waived, seq_id, left: isLeft, reason: 'Agreed' }))
  for (const tyre of toWaive) tyre.waive(today, isLeft)

  const [credited, toCredit] = which(9, tyre => tyre.hasCredit)
  if (credited.length > 0) await done(w.ask(calls.credit, admin, { tyres: credited, reason: 'Credit note' }))
  for (const tyre of toCredit) tyre.credit()

  if (documents.length > 3 && draw.likely(0.5)) {
    const [document] = documents.splice(draw.between(0, documents.length - 1), 1)
    await done(w.ask(calls.withdraw, admin, { db_id: document!, reason: 'A mistake' }))
    for (const tyre of model.values()) tyre.withdraw(document!)
  }
}

test(`no stored day of ${histories} random histories is without a state, and none has two`, async () => {
  const vehicle = await w.addVehicle({})
  const ids = await w.query<{ id: number }>(
    `insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, season, status, status_date)
     select $1, $2, $3, $4, '1A', 'Michelin', 'winter', 'at_customer', $5 from generate_series(1, $6::int) returning id`,
    [w.sites.home, w.customers.a, vehicle, w.articles.home, epoch, histories],
  )
  const model = new Map(ids.map(({ id }) => [id, new TyreDays(span)]))
  const draw = chance('stored days')
  const documents: number[] = []
  let today = 0
  for (let nth = 0; nth < rounds; nth++) {
    today += draw.between(1, 40)
    w.clock.now = new Date(`${addDays(epoch, today)}T12:00:00Z`)
    await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
    for (const tyre of model.values()) tyre.note(today)
    await round(model, draw, today, documents)
    if (nth % 4 === 3) expect(await faults(model, today), `after round ${nth + 1}`).toEqual([])
  }
  const [{ entries } = { entries: 0 }] = await w.query<{ entries: number }>(
    'select count(*)::int as entries from storage_ledger',
  )
  expect(entries).toBeGreaterThan(histories)

  // the control: a day that is missing and one that stands there twice are noticed
  await w.query(`alter table storage_ledger drop constraint one_state_a_day`)
  const again = `insert into storage_ledger (site_id, tyre_id, customer_id, since, until)
    select site_id, tyre_id, customer_id, since, until from storage_ledger where released_at is null limit 1`
  await w.query(again)
  expect(await faults(model, today)).toEqual([
    expect.stringContaining('has two states'),
    expect.stringContaining('not'),
  ])
  await w.query('delete from storage_ledger where id = (select max(id) from storage_ledger)')
  expect(await faults(model, today)).toEqual([])
  await w.query(`update storage_ledger set since = since + 1 where id = (
    select max(id) from storage_ledger where released_at is null and until - since > 1)`)
  expect((await faults(model, today)).length).toBeGreaterThan(0)
}, 300_000)
