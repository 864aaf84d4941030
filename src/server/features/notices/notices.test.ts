/** The recipients of notices: each gets one, by the chosen way, and only once (docs/product/messages.md "Notices"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { formatMoment } from '#domain/texts/date.ts'
import { noticeKinds, noticesFor, noticeText } from '#domain/people/notice.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { contract } from '#contract/index.ts'
import { translate } from '../../texts/texts.ts'
import { startMailServer, type MailServer } from '../../testing/mailServer.ts'
import { world, type Principal, type World } from '../../testing/world.ts'
import { sendNextMail } from '../mail/outbox.ts'
import { smtpTransport } from '../mail/transport.ts'
import { deleteOldNotices, notifyLongStored, notifyNext } from './notify.ts'

/** The database notes by its own clock when something happened. */
const start = new Date()
let w: World
let server: MailServer
let transport: number
/** Of customer A and at the site: others than those who act. */
let colleague: Principal
let vehicle: number

beforeAll(async () => {
  server = await startMailServer()
  w = await world({ now: start, served: () => ({ sendsMail: true }) })
  const [row] = await w.query<{ id: number }>(
    `insert into transport_method (site_id, name, code, is_default, description_nl, description_fr, description_en, description_de)
     values ($1, 'Own van', 'VAN', true, 'v', 'v', 'v', 'v') returning id`,
    [w.sites.home],
  )
  transport = row?.id ?? 0
  const [login] = await w.query<{ id: number }>(
    `insert into account (site_id, customer_id, username, fullname, type, language, password, email)
     values ($1, $2, 'colleague', 'Col League', 'user', 'dut', '', 'colleague@example.net') returning id`,
    [w.sites.home, w.customers.a],
  )
  const [token] = [Buffer.alloc(32, 7)]
  await w.query(`insert into session (token_hash, account_id, site_id) values (sha256($1::bytea), $2, $3)`, [
    Buffer.from(token.toString('base64url')),
    login?.id,
    w.sites.home,
  ])
  colleague = {
    ...w.who.a,
    name: 'colleague',
    account: login?.id ?? 0,
    cookie: `wheelhouse=${token.toString('base64url')}`,
  }
  await w.query(`update account set email = 'desk@home.test' where id = $1`, [w.who.admin.account])
})
afterAll(async () => {
  await w.close()
  await server.close()
})
beforeEach(async () => {
  await w.query('truncate notice, notice_choice, happening')
  await w.query('delete from mail')
  w.clock.now = new Date()
  server.answers = ['takes']
  server.taken.length = 0
  vehicle = await w.addVehicle({ customer: w.customers.a })
})

const settle = () => notifyNext(w.database, { clock: () => w.clock.now })
const later = (seconds: number): void => void (w.clock.now = new Date(w.clock.now.getTime() + seconds * 1000))
async function seen(by: Principal): Promise<string[]> {
  const { answer, status, text } = await w.ask(contract.notices.list, by, {})
  expect(status, text).toBe(200)
  return answer.notices.map(({ kind, facts }) => [kind, facts.type].filter(Boolean).join(' '))
}
async function send(): Promise<void> {
  const mails = smtpTransport({ url: server.url, from: 'portal@example.org' })
  const sending = { transport: mails, publicUrl: 'https://portal.example.org:8443/', clock: () => w.clock.now }
  while (await sendNextMail(w.database, sending)) {
    // one after the other
  }
  mails.close()
}

/** Tyres of the vehicle, and an operation about them that an account submits. */
async function submitted(
  type: 'to_stock' | 'to_customer',
  by: Principal = w.who.a,
): Promise<{ _id: number; tyres: number[] }> {
  const tyres = await w.addSet({
    vehicle,
    set: `Set ${type} ${Math.trunc(performance.now() * 1000)}`,
    status: type === 'to_stock' ? 'at_customer' : 'in_stock',
  })
  const about = { flt_id: vehicle, tyres, operationType: type }
  const reply = await w.ask(contract.operations.new, by, {
    operation: about,
    ...(by.name === w.who.admin.name && { seq_id: w.customers.a }),
  })
  expect(reply.status, reply.text).toBe(200)
  const { _id } = reply.answer
  const delivery = type === 'to_customer' ? { transport, deliveryDate: await firstDay() } : {}
  const sent = await w.ask(contract.operations.update, by, { operation: { _id, status: 'submitted', ...delivery } })
  expect(sent.status, sent.text).toBe(200)
  return { _id, tyres }
}
/** A day on which the transport drives, two weeks ahead. */
async function firstDay(days = 14): Promise<string> {
  await w.query(`update transport_method set operation_days = '{0,1,2,3,4,5,6}' where id = $1`, [transport])
  return new Date(w.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

describe('an operation', () => {
  test('is told to colleagues of the customer and to administrators, and to nobody at another customer or site', async () => {
    await submitted('to_stock')
    expect(await settle()).toBe(true)
    expect(await seen(colleague)).toEqual(['submitted to_stock'])
    expect(await seen(w.who.admin)).toEqual(['submitted to_stock'])
    // not the account that did it
    expect(await seen(w.who.a)).toEqual([])
    expect(await seen(w.who.b)).toEqual([])
    expect(await seen(w.who.otherAdmin)).toEqual([])
    const [notice] = (await w.ask(contract.notices.list, w.who.admin, {})).answer.notices
    expect(notice).toMatchObject({ flt_id: vehicle, read: false, facts: { type: 'to_stock', tyre_count: 4 } })
    expect(notice?.customer).not.toBeNull()
    expect((await w.ask(contract.notices.list, colleague, {})).answer.notices[0]?.customer).toBeNull()
    expect(await settle()).toBe(false)
  })

  test('is followed to its end, and what was rolled back is told to nobody', async () => {
    const { _id, tyres } = await submitted('to_stock')
    await w.ask(contract.operations.update, w.who.admin, { operation: { _id, status: 'pending' } })
    await w.ask(contract.operations.update, w.who.a, { operation: { _id, status: 'submitted' } })
    // refused: nothing is scanned and nothing was said of the missing ones
    expect((await w.ask(contract.operations.confirm, w.who.admin, { operation: { _id: 2_000_000_000 } })).status).toBe(
      404,
    )
    expect((await w.ask(contract.operations.confirm, w.who.admin, { operation: { _id }, here: tyres })).status).toBe(
      200,
    )
    await settle()
    expect(await seen(w.who.a)).toEqual(['done to_stock', 'withdrawn to_stock'])
    expect(await seen(colleague)).toEqual([
      'done to_stock',
      'submitted to_stock',
      'withdrawn to_stock',
      'submitted to_stock',
    ])
    expect(await seen(w.who.admin)).toEqual(['submitted to_stock', 'submitted to_stock'])
    const other = await submitted('to_stock')
    expect((await w.ask(contract.operations.cancel, w.who.admin, { operation: { _id: other._id } })).status).toBe(200)
    await settle()
    expect((await seen(w.who.a))[0]).toBe('cancelled to_stock')
  })

  test('that goes out on another day says from when to when', async () => {
    const { _id } = await submitted('to_customer')
    const [from, to] = [await firstDay(), await firstDay(21)]
    for (const step of [
      { status: 'pending' as const },
      { status: 'submitted' as const, transport, deliveryDate: to },
    ]) {
      const moved = await w.ask(contract.operations.update, w.who.admin, { operation: { _id, ...step } })
      expect(moved.status, moved.text).toBe(200)
    }
    await settle()
    const [notice] = (await w.ask(contract.notices.list, w.who.a, {})).answer.notices
    expect(notice).toMatchObject({ kind: 'dayChanged', facts: { from, to } })
  })

  test('is picked when its last wheel is, which is said once', async () => {
    const { tyres } = await submitted('to_customer')
    const step = (some: number[], state: string, name: string) =>
      w.query(`update wheel set state = $2, step = $3, location_id = null where tyre_id = any ($1)`, [
        some,
        state,
        name,
      ])
    const picked = async () => (await seen(w.who.a)).filter(kind => kind === 'picked to_customer').length
    await step(tyres.slice(0, 2), 'picked', 'pick')
    await settle()
    expect(await picked()).toBe(0)
    await step(tyres.slice(2, 3), 'picked', 'pick')
    // the last one is not there: what can be picked is
    await step(tyres.slice(3), 'missing', 'miss')
    await settle()
    expect(await picked()).toBe(1)
    await step(tyres.slice(3), 'picked', 'pick')
    await settle()
    expect(await picked()).toBe(1)
  })
})

test('worn tyres are told when nobody measures any more, and not twice', async () => {
  const [tyre, other] = await w.addSet({ vehicle, status: 'on_vehicle', set: 'Summer', depth: 7 })
  const measure = (db_id = 0, profile_depth = 0) =>
    w.ask(contract.tyres.measure, w.who.admin, {
      readings: [{ db_id, profile_depth, profile_date: w.clock.now.toISOString().slice(0, 10) }],
    })
  const measured = await measure(tyre, 1.2)
  expect(measured.status, measured.text).toBe(200)
  await settle()
  expect(await seen(w.who.a)).toEqual([])
  later(400)
  await settle()
  const [notice] = (await w.ask(contract.notices.list, w.who.a, {})).answer.notices
  expect(notice).toMatchObject({ kind: 'worn', flt_id: vehicle, facts: { tyre_count: 1, depth: 1.2 } })
  await measure(other, 6.9)
  later(400)
  await settle()
  expect(await seen(w.who.a)).toEqual(['worn'])
  // where depths are hidden nobody is told of one, also not of one that was told before
  await w.setSite(w.sites.home, { allow_profile_depth: false })
  expect(await seen(w.who.a)).toEqual([])
  await measure(other, 1)
  later(400)
  await settle()
  expect(await w.query(`select from notice where kind = 'worn'`)).toHaveLength(2)
  await w.setSite(w.sites.home, { allow_profile_depth: true })
})

test('webhooks hear of worn and of long stored tyres without a depth, and of the same once', async () => {
  await w.query(
    `insert into webhook_endpoint (site_id, url, kinds, secret, created_at, enabled)
     values ($1, 'https://example.org/hook', '{vehicle.worn,customer.long_stored}', 'sealed', now(), true)`,
    [w.sites.home],
  )
  const heard = () => w.query<{ kind: string; data: object }>('select kind, data from webhook_event order by id')
  const [tyre = 0] = await w.addSet({ vehicle, status: 'in_stock', set: 'Worn', depth: 7, statusDate: '2024-01-01' })
  const measure = (profile_depth: number) =>
    w.ask(contract.tyres.measure, w.who.admin, {
      readings: [{ db_id: tyre, profile_depth, profile_date: w.clock.now.toISOString().slice(0, 10) }],
    })
  for (const depth of [1.4, 1.3]) {
    await measure(depth)
    later(400)
    await settle()
    await notifyLongStored(w.database, w.clock.now)
  }
  const common = { customer: w.customers.a }
  const events = await heard()
  expect(events).toEqual([
    { kind: 'vehicle.worn', data: { ...common, vehicle, tyre_count: 1 } },
    { kind: 'customer.long_stored', data: { ...common, tyre_count: expect.any(Number) } },
  ])
  await w.query('delete from webhook_endpoint')
})

test('tyres that are stored for too long are told once a month', async () => {
  await w.addSet({ vehicle, status: 'in_stock', set: 'Old', statusDate: '2024-01-01' })
  const countNotices = async () =>
    (await w.query(`select from notice where kind = 'longStored' and account_id = $1`, [w.who.a.account])).length
  await notifyLongStored(w.database, w.clock.now)
  await notifyLongStored(w.database, w.clock.now)
  expect(await seen(w.who.a)).toEqual(['longStored'])
  const [month, season] = [31, 95].map(days => new Date(w.clock.now.getTime() + days * 86_400_000))
  await notifyLongStored(w.database, month ?? w.clock.now)
  expect(await countNotices()).toBe(2)
  await deleteOldNotices(w.database, season ?? w.clock.now)
  expect(await countNotices()).toBe(1)
})

test('notices are listed by when it happened, whatever was told first, and name their document', async () => {
  const [document] = await w.query<{ id: number }>(
    `insert into document (site_id, customer_id, type, reason, year, number, document_date)
     values ($1, $2, 'worknote', 'storage', 2026, 7, '2026-11-02') returning id`,
    [w.sites.home, w.customers.a],
  )
  await w.query(
    `insert into notice (site_id, account_id, customer_id, about_customer, kind, document_id, at, listed)
     select $1, $2, $3, $3, kind, document, at, true
     from (values ('planned', null, now() - interval '1 hour'), ('document', $4::int, now()), ('done', null, now() - interval '2 hours'))
       told (kind, document, at)`,
    [w.sites.home, colleague.account, w.customers.a, document?.id],
  )
  const { notices } = (await w.ask(contract.notices.list, colleague, {})).answer
  expect(notices.map(({ kind, document_number_text: number }) => [kind, number])).toEqual([
    ['document', 'W-2026-00007'],
    ['planned', null],
    ['done', null],
  ])
})

describe('a choice', () => {
  const choose = (who: Principal, choice: { hidden?: string[]; mailed?: string[]; daily?: boolean }) =>
    w.ask(contract.notices.choose, who, { hidden: [], mailed: [], daily: false, ...choice } as never)

  test('begins with everything in the portal, and by mail what somebody may have to act on', async () => {
    const { answer } = await w.ask(contract.notices.settings, colleague, {})
    expect(answer).toEqual({
      hidden: [],
      mailed: ['dayChanged', 'cancelled'],
      daily: false,
      kinds: [
        'submitted',
        'withdrawn',
        'planned',
        'picked',
        'dayChanged',
        'done',
        'cancelled',
        'document',
        'worn',
        'longStored',
      ],
      email: 'colleague@example.net',
      problem: '',
    })
    expect((await w.ask(contract.notices.settings, w.who.admin, {})).answer.kinds).toEqual(['submitted', 'withdrawn'])
  })

  test('of mail brings one message about what happened within a minute, in the language of its reader', async () => {
    await choose(colleague, { hidden: ['submitted'], mailed: ['submitted'] })
    await submitted('to_stock')
    await submitted('to_customer')
    await settle()
    expect(await seen(colleague)).toEqual([])
    await send()
    expect(server.taken).toHaveLength(0)
    later(61)
    await settle()
    await settle()
    await send()
    const mails = server.taken.filter(({ to }) => [to].flat()[0]?.text.includes('colleague@'))
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail?.subject).toBe('2 meldingen van Tyre hotel home')
    expect(mail?.text).toMatch(/Opslag van 4 banden ingediend\n- .*: Afroep van 4 banden ingediend/)
    expect(mail?.text).toContain('https://home.test:8443/notices')
    expect(mail?.html).toContain('<li ')

    // the link in it unsubscribes without a session, at this site only
    const key = /\/unsubscribe#([\w-]{36})/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(String(mail?.headers.get('list'))).toBeDefined()
    expect((await w.ask(contract.notices.unsubscribe, w.who.otherUser, { key })).refusal.code).toBe('record.missing')
    await submitted('to_stock')
    await settle()
    const ended = await w.ask(contract.notices.unsubscribe, { ...w.who.anonymous }, { key })
    expect(ended.answer).toEqual({ site: 'Tyre hotel home' })
    later(61)
    await settle()
    await send()
    expect(server.taken.filter(({ to }) => [to].flat()[0]?.text.includes('colleague@'))).toHaveLength(1)
    expect((await w.ask(contract.notices.settings, colleague, {})).answer.mailed).toEqual([])
  })

  test('of one message a day is due at seven in the morning of the site', async () => {
    await choose(colleague, { mailed: ['submitted'], daily: true })
    await submitted('to_stock')
    await settle()
    const [due] = await w.query<{ at: Date }>(`select mail_due_at as at from notice where account_id = $1`, [
      colleague.account,
    ])
    const at = due?.at ?? new Date(0)
    expect(formatMoment(at, 'Europe/Brussels').slice(-8)).toBe('07:00:00')
    const hours = (at.getTime() - w.clock.now.getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(0)
    expect(hours).toBeLessThanOrEqual(25)
  })

  test('is read back, and belongs to the account as it is: of another customer it begins anew', async () => {
    const choice = { hidden: ['planned'], mailed: ['done', 'document'], daily: true } as const
    expect((await choose(colleague, { ...choice } as never)).answer).toEqual(choice)
    expect((await w.ask(contract.notices.settings, colleague, {})).answer).toMatchObject(choice)
    await submitted('to_stock')
    await settle()
    expect(await seen(colleague)).toEqual(['submitted to_stock'])
    const move = (customer: number) =>
      w.query(`update account set customer_id = $1 where id = $2`, [customer, colleague.account])
    await move(w.customers.b)
    await move(w.customers.a)
    expect(await seen(colleague)).toEqual([])
    expect((await w.ask(contract.notices.settings, colleague, {})).answer.daily).toBe(false)
  })

  test('is for oneself: reading and choosing touch nobody else', async () => {
    await submitted('to_stock', w.who.admin)
    await settle()
    const { answer } = await w.ask(contract.notices.list, w.who.a, {})
    expect(answer.unread).toBe(1)
    const last = answer.notices[0]?._id ?? 0
    expect((await w.ask(contract.notices.read, w.who.b, { last })).answer).toEqual({ read: 0 })
    expect((await w.ask(contract.notices.read, w.who.a, { last })).answer).toEqual({ read: 1 })
    expect((await w.ask(contract.notices.list, w.who.a, {})).answer.unread).toBe(0)
    expect((await w.ask(contract.notices.list, colleague, {})).answer.unread).toBe(1)
  })
})

test('an address that does not exist shows at the choice', async () => {
  await w.ask(contract.notices.choose, colleague, { hidden: [], mailed: ['submitted'], daily: false })
  await submitted('to_stock')
  await settle()
  later(61)
  await settle()
  server.answers = ['refuses']
  await send()
  expect((await w.ask(contract.notices.settings, colleague, {})).answer.problem).toMatch(/5\d\d|refuse/i)
})

test('without a hotel there is only what the vehicles need', () => {
  const site = { mode: 'fleetonly', allowProfileDepth: true } as const
  expect(noticesFor('user', site)).toEqual(['worn'])
  expect(noticesFor('admin', site)).toEqual([])
  expect(noticesFor('user', { ...site, allowProfileDepth: false })).toEqual([])
})

test.each(languageCodes)('every notice has a text without gaps: %s', lang => {
  for (const kind of noticeKinds)
    for (const type of operationTypes)
      for (const tyre_count of [1, 4]) {
        const { key, values } = noticeText({
          kind,
          facts: { type, tyre_count, from: '2026-11-25', to: null, depth: 1.6 },
        })
        const text = translate(lang, 'notices', key, values)
        expect(text, key).not.toMatch(/^text\.|\{\{|undefined/)
      }
})
