import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteOldSecurityEvents } from './cleanUp.ts'
import { Failure } from '#domain/failure.ts'
import type { SecurityKind } from '#domain/people/security.ts'
import { audit } from '#contract/logs.ts'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/config.ts'
import { people } from '#contract/people.ts'
import { users } from '#contract/session.ts'
import { pollOptions } from '../../testing/waiting.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'
import type { Context } from '../handler.ts'
import { openForeignIdChecks } from './foreignIds.ts'
import { forgetOldOrigins } from './record.ts'
import { maxPerHour } from './security.sql.ts'

let at: World
const counted: SecurityKind[] = []
beforeAll(async () => {
  at = await world({
    now: new Date('2026-11-18T10:00:00Z'),
    served: () => ({ countSecurityEvent: kind => counted.push(kind) }),
  })
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query('truncate security_event, security_event_origin, sign_in_failure')
  counted.length = 0
})

type Event = {
  kind: string
  site_id: number | null
  customer_id: number | null
  account_id: number | null
  by_account_id: number | null
  facts: Record<string, unknown>
  address: string | null
  device: string | null
}
const events = () =>
  at.query<Event>(
    `select kind, e.site_id, customer_id, e.account_id, by_account_id, facts, address, device
     from security_event e left join security_event_origin on event_id = id order by id`,
  )
const device = 'Mozilla/5.0 (a hall)'
const signIn = (username: string, typed = password, from = '10.1.0.1', host = 'home.test') =>
  at.app.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: { host, 'user-agent': device },
    remoteAddress: from,
    payload: { username, password: typed },
  })
/** A new administrator of the first site, signed in. */
async function administrator(username: string): Promise<Principal> {
  const { answer } = await at.ask(customers.saveaccount, at.who.admin, { username, type: 'admin', password })
  await at.settlePassword(answer._id)
  const reply = await signIn(username)
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
  await at.query('truncate security_event, security_event_origin')
  counted.length = 0
  return { ...at.who.admin, name: username, account: answer._id, cookie }
}

describe('what is recorded', () => {
  test('signing in, right, wrong and locked, by the number of the account and never by a name', async () => {
    await signIn('Customer-A')
    for (let nth = 0; nth < 5; nth++) await signIn('admin', 'wrong')
    await signIn('admin')
    await signIn('my secret typed as a name', 'wrong')
    await signIn('superuser', password, '10.1.0.1', 'other.test')
    const { a, admin, superuser } = at.who
    const here = { site_id: at.sites.home, by_account_id: null, facts: {}, address: '10.1.0.1', device }
    const wrong = { ...here, kind: 'signInWrong', account_id: admin.account, customer_id: null }
    expect(await events()).toEqual([
      { ...here, kind: 'signInRight', account_id: a.account, customer_id: at.customers.a },
      ...Array.from({ length: 5 }, () => wrong),
      { ...wrong, kind: 'signInLocked' },
      { ...wrong, account_id: null },
      { ...here, kind: 'signInRight', site_id: at.sites.other, account_id: superuser.account, customer_id: null },
    ])
    const [kept] = await at.query<{ all: string }>(
      `select (select json_agg(e) from security_event e)::text || (select json_agg(o) from security_event_origin o) as all`,
    )
    expect(kept?.all).not.toMatch(/secret|customer-a|admin"/i)
    expect(counted).toEqual([
      'signInRight',
      ...Array<string>(5).fill('signInWrong'),
      'signInLocked',
      'signInWrong',
      'signInRight',
    ])
  })

  test('signing out, and a password that its owner, an administrator or a link has changed', async () => {
    const ann = await administrator('ann')
    const next = 'another long password'
    expect((await at.ask(users.password, ann, { password: 'wrong', wanted: next })).status).toBe(409)
    expect((await at.ask(users.password, ann, { password, wanted: next })).status).toBe(200)
    await at.ask(customers.resetpassword, at.who.admin, { _id: ann.account })
    await at.ask(users.logout, at.who.b, {})
    expect((await events()).map(({ kind, account_id, by_account_id }) => [kind, account_id, by_account_id])).toEqual([
      ['signInWrong', ann.account, null],
      ['passwordChanged', ann.account, null],
      ['passwordChanged', ann.account, at.who.admin.account],
      ['signOut', at.who.b.account, null],
    ])
  })

  test('who may do what: accounts that are made, changed, disabled and erased, also by a superuser', async () => {
    const { answer: account } = await at.ask(customers.saveaccount, at.who.admin, { username: 'kim', type: 'admin' })
    const _id = account._id
    await at.ask(customers.saveaccount, at.who.admin, { _id, fullname: 'Kim' })
    await at.ask(customers.saveaccount, at.who.admin, { _id, type: 'user', seq_id: at.customers.b })
    await at.ask(customers.setdisabled, at.who.admin, { _id, disabled: true })
    await at.ask(customers.setdisabled, at.who.admin, { _id, disabled: true })
    await at.ask(people.eraseaccount, at.who.admin, { _id })
    const { answer: admin } = await at.ask(hotelconfig.newadmin, at.who.superuser, {
      id: at.sites.other,
      username: 'lee',
    })
    const by = at.who.admin.account
    expect(
      (await events()).map(event => [event.kind, event.site_id, event.account_id, event.by_account_id, event.facts]),
    ).toEqual([
      ['rolesChanged', at.sites.home, _id, by, { created: true, type: 'admin' }],
      ['rolesChanged', at.sites.home, _id, by, { type: 'user', was: 'admin' }],
      ['rolesChanged', at.sites.home, _id, by, { disabled: true }],
      ['rolesChanged', at.sites.home, _id, by, { erased: true }],
      ['rolesChanged', at.sites.other, admin._id, at.who.superuser.account, { created: true, type: 'admin' }],
    ])
  })

  test('what leaves the portal: exports, and prints of more than 100 labels', async () => {
    const vehicle = await at.addVehicle({})
    const tyres: number[] = []
    for (let nth = 0; nth < 26; nth++) tyres.push(...(await at.addSet({ vehicle, set: `Set ${nth}` })))
    await at.ask(audit.export, at.who.admin, {})
    await at.ask(customers.export, at.who.admin, {})
    await at.ask(people.driver, at.who.admin, { flt_id: vehicle })
    await at.ask(people.account, at.who.admin, { _id: at.who.a.account })
    await at.ask(audit.export, at.who.superuser, {})
    for (const most of [100, 101])
      expect((await at.ask(fleet.getTyreLabels, at.who.a, { tyres: tyres.slice(0, most), report_id: 1 })).status).toBe(
        200,
      )
    const { admin, a, superuser } = at.who
    expect(
      (await events()).map(({ kind, account_id, by_account_id, facts }) => [kind, account_id, by_account_id, facts]),
    ).toEqual([
      ['exported', admin.account, null, { what: 'audit' }],
      ['exported', admin.account, null, { what: 'customers' }],
      ['exported', admin.account, null, { what: 'driver', vehicle }],
      ['exported', a.account, admin.account, { what: 'account' }],
      ['exported', superuser.account, null, { what: 'audit' }],
      ['printedMany', a.account, null, { labels: 101 }],
    ])
  })

  test('nothing of what was refused, or rolled back with its transaction', async () => {
    expect((await at.ask(people.account, at.who.admin, { _id: at.who.otherUser.account })).status).toBe(404)
    expect((await at.ask(audit.export, at.who.a, {})).status).toBe(403)
    const again = { username: 'customer-a', type: 'user' as const, seq_id: at.customers.a }
    expect((await at.ask(customers.saveaccount, at.who.admin, again)).status).toBe(409)
    expect((await events()).filter(({ kind }) => kind !== 'foreignId')).toEqual([])
    expect(counted.filter(kind => kind !== 'foreignId')).toEqual([])
  })
})

describe('an id of somebody else', () => {
  const noticed = async (many: number) => {
    await vi.waitFor(() => expect(counted.filter(kind => kind === 'foreignId')).toHaveLength(many), pollOptions)
    return (await events()).filter(({ kind }) => kind === 'foreignId')
  }

  test('is recorded after the refusal, which is that of a missing one', async () => {
    const [own, ofB, elsewhere] = [
      await at.addVehicle({}),
      await at.addVehicle({ customer: at.customers.b }),
      await at.addVehicle({ customer: at.customers.other }),
    ]
    const { a, admin } = at.who
    for (const flt_id of [own, ofB, elsewhere, 2e9]) await at.ask(fleet.vehicle, a, { flt_id })
    await at.ask(fleet.vehicle, admin, { flt_id: ofB })
    await at.ask(fleet.vehicle, admin, { flt_id: elsewhere })
    await at.ask(hotelconfig.adminconfig, admin, { id: at.sites.other })
    await at.ask(people.account, admin, { _id: at.who.otherUser.account })
    const vehicle = { call: 'fleet.vehicle', record: 'vehicle' }
    // of another site’s record the administrators learn nothing: they could find out what there is
    expect(
      (await noticed(5)).map(notice => [notice.account_id, notice.site_id, notice.customer_id, notice.facts]),
    ).toEqual([
      [a.account, at.sites.home, at.customers.a, { ...vehicle, id: ofB }],
      [a.account, null, null, { ...vehicle, id: elsewhere }],
      [admin.account, null, null, { ...vehicle, id: elsewhere }],
      [admin.account, null, null, { call: 'hotelconfig.adminconfig', record: 'site', id: at.sites.other }],
      [admin.account, null, null, { call: 'people.account', record: 'account', id: at.who.otherUser.account }],
    ])
  })

  test('among tyres that are scanned is looked up, too, though the others of the request are answered', async () => {
    const vehicle = await at.addVehicle({ customer: at.customers.other })
    const elsewhere = await at.addTyre({ vehicle })
    const before = (await events()).length
    const scans = [{ tyreId: elsewhere, id: crypto.randomUUID(), at: at.clock.now.toISOString() }]
    const reply = await at.send('/operations/markscan', at.who.admin, { tyres: scans })
    expect([reply.status, reply.headers['wheelhouse-unused']]).toEqual([200, String(elsewhere)])
    await at.app.securityEventsWritten()
    expect((await events()).slice(before).map(({ kind, facts }) => [kind, facts])).toEqual([
      ['foreignId', { call: 'operations.markscan', record: 'tyre', id: elsewhere }],
    ])
  })

  /** Looks ids up by itself; `times` of a vehicle are refused to an account before anything is waited for. */
  function looking() {
    const foreignIds = openForeignIdChecks(at.database, {
      count: kind => counted.push(kind),
      failed: error => expect.fail(String(error)),
    })
    const request = { site: at.sites.home, address: '10.3.0.1', agent: '' } as Context<unknown, 'anyone'>['request']
    const refuse = ({ account, customer }: Principal, flt_id: number, times = 1, now = at.clock.now) => {
      const who = {
        account,
        customer,
        type: 'user',
        site: at.sites.home,
        username: '',
        fullname: '',
        warehouse: false,
        lang: 'eng',
      } as const
      for (let nth = 0; nth < times; nth++)
        foreignIds.check(new Failure('record.missing'), {
          call: 'fleet.vehicle',
          input: { flt_id },
          who,
          context: { now, request },
        })
    }
    return { ...foreignIds, refuse }
  }
  const accounts = async () => (await events()).map(({ account_id }) => account_id)

  test('is looked up though another account tries many at once, of which all but a few are dropped', async () => {
    const ofOther = await at.addVehicle({ customer: at.customers.other })
    const { refuse, whenIdle } = looking()
    refuse(at.who.a, ofOther, 1000)
    refuse(at.who.b, ofOther)
    await whenIdle()
    const who = await accounts()
    expect(who.at(-1)).toBe(at.who.b.account)
    expect(who.filter(account => account === at.who.a.account).length).toBeLessThan(10)
  })

  test('of an account that tries them one by one is looked up so many times an hour', async () => {
    const ofOther = await at.addVehicle({ customer: at.customers.other })
    const { refuse, whenIdle } = looking()
    for (let nth = 0; nth < maxPerHour; nth++) {
      refuse(at.who.a, 2e9)
      await whenIdle()
    }
    refuse(at.who.a, ofOther)
    refuse(at.who.b, ofOther)
    await whenIdle()
    expect(await accounts()).toEqual([at.who.b.account])
    refuse(at.who.a, ofOther, 1, new Date(at.clock.now.getTime() + 3_600_000))
    await whenIdle()
    expect(await accounts()).toEqual([at.who.b.account, at.who.a.account])
  })

  test('is not looked up after another refusal, or once the portal stops', async () => {
    const ofOther = await at.addVehicle({ customer: at.customers.other })
    const { check, refuse, whenIdle, close } = looking()
    const context = { now: at.clock.now, request: {} as Context<unknown, 'anyone'>['request'] }
    const input = { flt_id: ofOther }
    check(new Failure('request.invalid'), { call: 'fleet.vehicle', input, who: null, context })
    check(new Error('away'), { call: 'fleet.vehicle', input, who: null, context })
    refuse(at.who.a, ofOther, 3)
    await close()
    await whenIdle()
    expect((await accounts()).length).toBeLessThan(2)
  })
})

describe('a flood', () => {
  /** So many sign-ins under a name that nobody has, each from an address of its own. */
  const flood = async (guesses: number, host: string) => {
    for (let nth = 0; nth < guesses; nth++) await signIn('nobody', 'wrong', `10.2.${nth >> 8}.${nth & 255}`, host)
  }

  test('is written up to a number an hour, whose last says so, and counted whole', async () => {
    // events earlier in this hour, so that the test needs few sign-ins
    await at.query(
      `insert into security_event (at, kind, site_id) select $1, 'signInWrong', $2 from generate_series(1, $3::int)`,
      [at.clock.now, at.sites.home, maxPerHour - 2],
    )
    await flood(5, 'home.test')
    const written = (await events()).map(({ facts }) => facts).slice(maxPerHour - 2)
    expect(written).toEqual([{}, { flood: true }])
    expect(counted).toHaveLength(5)
    // neither another site nor an account that exists is kept from being recorded
    await flood(1, 'other.test')
    await signIn('admin', 'wrong')
    expect(await events()).toHaveLength(maxPerHour + 2)
    // and an hour later it is written again
    const { now } = at.clock
    at.clock.now = new Date(now.getTime() + 3_600_001)
    await flood(1, 'home.test')
    at.clock.now = now
    expect(await events()).toHaveLength(maxPerHour + 3)
  })
})

describe('address and device', () => {
  const origins = () =>
    at.query<{ account_id: number | null }>('select account_id from security_event_origin order by event_id')

  test('are forgotten after 90 days, and what happened stays', async () => {
    const { now } = at.clock
    await signIn('customer-a')
    at.clock.now = new Date(now.getTime() + 60_000)
    await signIn('customer-b')
    at.clock.now = now
    await forgetOldOrigins(at.database, new Date(now.getTime() + 90 * 86_400_000 + 30_000))
    expect(await origins()).toEqual([{ account_id: at.who.b.account }])
    expect(await events()).toHaveLength(2)
  })

  test('are handed out and erased with the other data of a person', async () => {
    const ann = await administrator('bea')
    await signIn('bea')
    await signIn('customer-a')
    await at.query(
      `with hidden as (insert into security_event (at, kind, account_id) values (now(), 'foreignId', $1) returning id)
       insert into security_event_origin (event_id, at, account_id, address, device) select id, now(), $1, '10.9.9.9', '' from hidden`,
      [ann.account],
    )
    const { answer } = await at.ask(people.account, at.who.admin, { _id: ann.account })
    expect(answer.security).toEqual([{ at: expect.any(String), kind: 'signInRight', address: '10.1.0.1', device }])
    await at.ask(people.eraseaccount, at.who.admin, { _id: ann.account })
    expect(new Set((await origins()).map(({ account_id }) => account_id))).toEqual(
      new Set([at.who.a.account, at.who.admin.account]),
    )
    expect((await events()).map(({ kind }) => kind)).toContain('signInRight')
  })
})

test('events older than the operator keeps them are removed with their origins, by the owner of the tables', async () => {
  const add = async (age: string): Promise<number> => {
    const [row] = await at.query<{ id: number }>(
      `insert into security_event (at, kind, site_id, account_id, facts) values (now() - $1::interval, 'signInRight', $2, $3, '{}') returning id`,
      [age, at.sites.home, at.who.admin.account],
    )
    await at.query(
      `insert into security_event_origin (event_id, at, site_id, account_id, address, device) select id, at, site_id, account_id, '', '' from security_event where id = $1`,
      [row?.id],
    )
    return Number(row?.id)
  }
  const [old, young] = [await add('25 months'), await add('23 months')]
  expect(await deleteOldSecurityEvents(at.adminUrl, 24, new Date())).toBeGreaterThanOrEqual(1)
  const left = await at.query<{ id: number }>('select id::int8 as id from security_event where id = any($1)', [
    [old, young],
  ])
  expect(left.map(({ id }) => Number(id))).toEqual([young])
  expect(await deleteOldSecurityEvents(at.adminUrl, 24, new Date())).toBe(0)
  await expect(deleteOldSecurityEvents(at.appUrl, 24, new Date())).rejects.toThrow('permission denied')
})
