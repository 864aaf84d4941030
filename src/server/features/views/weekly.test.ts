/** Views by mail: every week, once, as their reader sees them (docs/product/screens.md "Named views"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { world, type World } from '../../testing/world.ts'
import { sendNextMail } from '../mail/outbox.ts'
import { lookAtViews, writeWeeklyViews } from './weekly.ts'

const { views: calls, notices } = contract
/** A Wednesday, 11:00 in Brussels. */
const start = new Date('2026-11-18T10:00:00Z')
/** The Monday after it, at 7:00. */
const monday = new Date('2026-11-23T06:00:00Z')
const later = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)
let w: World

beforeAll(async () => {
  w = await world({ now: start, served: () => ({ sendsMail: true }) })
  await w.setSite(w.sites.home, { time_zone: 'Europe/Brussels' })
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.query('delete from list_view; delete from mail; delete from tyre; delete from vehicle')
  await w.query(`update account set email = 'a@example.org', disabled_at = null where id = $1`, [w.who.a.account])
  await w.setSite(w.sites.home, { allow_profile_depth: true })
})

type Wish = { list?: 'vehicles' | 'tyres'; filter?: object; name?: string }
/** A view of customer a that comes on Mondays. */
async function weekly({ list = 'vehicles', filter = {}, name = 'My view' }: Wish = {}): Promise<number> {
  const { answer } = await w.ask(calls.save, w.who.a, { list, name, filter, shared: false } as never)
  expect((await w.ask(calls.mail, w.who.a, { _id: answer._id, weekday: 1 })).status).toBe(200)
  return answer._id
}
/** Writes and sends the due messages; returns them. */
async function sentAt(now: Date): Promise<{ subject: string; text: string }[]> {
  await writeWeeklyViews(w.database, now)
  const sending = {
    transport: null,
    publicUrl: 'https://tyres.example.com',
    clock: () => now,
    look: lookAtViews(w.database),
  }
  while (await sendNextMail(w.database, sending));
  const mails = await w.query<{ kept: { subject: string; text: string } }>(
    `select kept from mail where kind = 'view' and sent_at = $1 order by id`,
    [now],
  )
  return mails.map(({ kept }) => kept)
}
const vehicle = async (plate: string, tyres: Parameters<World['addTyre']>[0][] = []) => {
  const id = await w.addVehicle({ customer: w.customers.a, plate })
  for (const [nth, tyre] of tyres.entries()) await w.addTyre({ ...tyre, vehicle: id, position: `${nth + 1}A` })
}

test('a view comes on its day at seven, and again a week later', async () => {
  await vehicle('1ABC234')
  await weekly()
  expect(await sentAt(later(monday, -1))).toEqual([])
  const [first, ...more] = await sentAt(monday)
  expect(more).toEqual([])
  expect(first?.subject).toBe('My view: 1 row')
  expect(first?.text).toContain('- 1-ABC-234 · Volvo V60')
  expect(first?.text).toContain('https://home.test/fleet')
  expect(await sentAt(later(monday, 60))).toEqual([])
  expect(await sentAt(later(monday, 7 * 24 * 60 - 1))).toEqual([])
  expect(await sentAt(later(monday, 7 * 24 * 60))).toHaveLength(1)
})

test('two nodes that look at the same moment write one message, and a week that was missed is not made up for', async () => {
  await weekly()
  const late = later(monday, 3 * 7 * 24 * 60)
  await Promise.all([writeWeeklyViews(w.database, late), writeWeeklyViews(w.database, late)])
  expect(await w.query(`select id from mail where kind = 'view'`)).toHaveLength(1)
  await writeWeeklyViews(w.database, later(late, 60))
  expect(await w.query(`select id from mail where kind = 'view'`)).toHaveLength(1)
})

test('the rows are those of the filter, of the reader’s customer alone, as they are at that moment', async () => {
  await vehicle('1AAA111', [{ vehicle: 0, depth: 2, set: 'Winter', status: 'in_stock' }])
  await vehicle('1BBB222', [{ vehicle: 0, depth: 7, set: 'Winter', status: 'in_stock' }])
  const other = await w.addVehicle({ customer: w.customers.b, plate: '1CCC333' })
  await w.addTyre({ vehicle: other, depth: 2, status: 'in_stock' })
  await weekly({ list: 'tyres', filter: { depth: 4, filter: 'winter' } })
  const [message] = await sentAt(monday)
  expect(message?.subject).toBe('My view: 1 row')
  expect(message?.text).toContain('1-AAA-111')
  expect(message?.text).not.toMatch(/1-BBB-222|1-CCC-333/)
  expect(message?.text).toContain('https://home.test/tyres?depth=4&filter=winter')
})

test('where depth is hidden, a message says none and does not filter by it', async () => {
  await vehicle('1AAA111', [{ vehicle: 0, depth: 2.5, status: 'in_stock' }])
  await vehicle('1BBB222', [{ vehicle: 0, depth: 7.5, status: 'in_stock' }])
  await weekly({ list: 'tyres', filter: { depth: 4, verdict: 'worn' } })
  await w.setSite(w.sites.home, { allow_profile_depth: false })
  const [message] = await sentAt(monday)
  expect(message?.subject).toBe('My view: 2 rows')
  expect(message?.text).not.toMatch(/2\.5|7\.5| mm/)
})

test.each([
  [
    'an account that was disabled',
    () => w.query('update account set disabled_at = now() where id = $1', [w.who.a.account]),
  ],
  ['an account without an address', () => w.query(`update account set email = '' where id = $1`, [w.who.a.account])],
  [
    'an account that became another customer’s',
    async () => {
      await w.query('update account set customer_id = $2 where id = $1', [w.who.a.account, w.customers.b])
      await w.query('update account set customer_id = $2 where id = $1', [w.who.a.account, w.customers.a])
    },
  ],
])('%s gets nothing, also of what was written already', async (_, change) => {
  await weekly()
  await writeWeeklyViews(w.database, monday)
  await change()
  expect(await sentAt(later(monday, 1))).toEqual([])
  expect(await sentAt(later(monday, 7 * 24 * 60))).toEqual([])
})

test('the link in a message ends it, without a sign-in', async () => {
  const view = await weekly()
  const [message] = await sentAt(monday)
  const key = /\/unsubscribe#([\w-]+)/.exec(message?.text ?? '')?.[1] ?? ''
  expect((await w.ask(notices.unsubscribe, w.who.anonymous, { key })).status).toBe(200)
  expect(await sentAt(later(monday, 7 * 24 * 60))).toEqual([])
  expect((await w.ask(calls.list, w.who.a, {})).answer).toMatchObject([{ _id: view, weekly: null }])
})

test('a message lists fifty rows, and says how many more there are', async () => {
  for (let nth = 0; nth < 53; nth += 1) await vehicle(`2T${String(nth).padStart(5, '0')}`)
  await weekly()
  const [message] = await sentAt(monday)
  expect(message?.subject).toBe('My view: 53 rows')
  expect(message?.text.match(/^- .*2T|^- 2-/gm)?.length ?? 0).toBeLessThanOrEqual(50)
  expect(message?.text).toContain('- and 3 more')
})

test('views of other lists are not sent, and without an address there is nothing to send to', async () => {
  const { answer } = await w.ask(calls.save, w.who.a, { list: 'season', name: 'Change', filter: {}, shared: false })
  expect((await w.ask(calls.mail, w.who.a, { _id: answer._id, weekday: 1 })).refusal.code).toBe('view.not_mailed')
  const id = await weekly()
  await w.query(`update account set email = '' where id = $1`, [w.who.a.account])
  expect((await w.ask(calls.mail, w.who.a, { _id: id, weekday: 2 })).refusal.code).toBe('mail.no_address')
  expect((await w.ask(calls.mail, w.who.b, { _id: id, weekday: 2 })).refusal.code).toBe('record.missing')
})
