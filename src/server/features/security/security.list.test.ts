/** Which security events are listed, and for whom. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { languageIsoCodes } from '#domain/people/account.ts'
import { describeSecurityFacts, securityFacts, securityKinds } from '#domain/people/security.ts'
import { entriesPerPage } from '#contract/logs.ts'
import { security, type SecurityFilter } from '#contract/logs.ts'
import { hasText } from '../../texts/texts.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())
beforeEach(() => at.query('truncate security_event, security_event_origin'))

type Wish = {
  at?: string
  site?: number | null
  customer?: number
  account?: number
  by?: number
  facts?: object
  address?: string
}
const write = (kind: string, wish: Wish = {}) =>
  at.query(
    `with added as (
       insert into security_event (at, kind, site_id, customer_id, account_id, by_account_id, facts)
       values ($1, $2, $3, $4, $5, $6, $7) returning id, at, site_id, account_id)
     insert into security_event_origin (event_id, at, site_id, account_id, address, device)
     select id, at, site_id, account_id, $8, 'curl/8' from added where $8 <> ''`,
    [
      wish.at ?? at.clock.now,
      kind,
      wish.site === undefined ? at.sites.home : wish.site,
      wish.customer ?? null,
      wish.account ?? null,
      wish.by ?? null,
      wish.facts ?? {},
      wish.address ?? '10.0.0.7',
    ],
  )
type Filter = SecurityFilter & { last?: { at: string; _id: number } }
const listed = async (filter: Filter = {}, who: Principal = at.who.admin) =>
  (await at.ask(security.list, who, filter)).answer
const kinds = async (filter: Filter = {}, who: Principal = at.who.admin) =>
  (await listed(filter, who)).events.map(({ kind }) => kind)

test('an administrator reads of the own site who it is about, who did it and from where, newest first', async () => {
  const { a, admin, superuser } = at.who
  await write('signInRight', { account: a.account, customer: at.customers.a })
  await write('passwordChanged', { account: admin.account, by: superuser.account, address: '' })
  await write('signInWrong')
  await write('signInRight', { site: at.sites.other, account: at.who.otherAdmin.account })
  await write('foreignId', { site: null, account: a.account })
  const { events, more } = await listed()
  expect(more).toBe(false)
  const site = { _id: at.sites.home, name: 'Tyre hotel home' }
  expect(events).toMatchObject([
    { kind: 'signInWrong', account: null, by: null, customer: null, site, address: '10.0.0.7', device: 'curl/8' },
    {
      kind: 'passwordChanged',
      account: { _id: admin.account, username: 'admin', fullname: 'Full admin' },
      // an account without a site has no name there
      by: { _id: superuser.account, username: null, fullname: null },
      address: null,
      device: null,
    },
    {
      kind: 'signInRight',
      account: { _id: a.account, username: 'customer-a' },
      customer: { seq_id: at.customers.a, name: 'Garage Alfa NV' },
    },
  ])
  expect(events).toHaveLength(3)
  // even when another site is requested
  expect(await kinds({ site: at.sites.other })).toHaveLength(3)
  expect((await at.ask(security.people, at.who.admin, {})).answer.map(({ username }) => username)).toEqual([
    'admin',
    'customer-a',
  ])
})

test('is narrowed by kind, account and days on the clock of the site', async () => {
  const { admin, b } = at.who
  await write('signInWrong', { account: b.account, at: '2026-11-17T22:59:59Z' })
  await write('rolesChanged', { account: b.account, by: admin.account, at: '2026-11-17T23:00:00Z' })
  await write('exported', { account: admin.account })
  expect(await kinds({ kind: 'exported' })).toEqual(['exported'])
  expect(await kinds({ account: b.account })).toEqual(['rolesChanged', 'signInWrong'])
  // and what the account did to others
  expect(await kinds({ account: admin.account })).toEqual(['exported', 'rolesChanged'])
  expect(await kinds({ startDate: '2026-11-18' })).toEqual(['exported', 'rolesChanged'])
  expect(await kinds({ endDate: '2026-11-17' })).toEqual(['signInWrong'])
})

test('has pages without a gap, also where many have the same time', async () => {
  const many = entriesPerPage * 2 + 3
  for (let nth = 0; nth < many; nth++)
    await write('signInWrong', {
      facts: { nth },
      at: nth < 70 ? '2026-11-01T10:00:00.123456Z' : '2026-11-02T10:00:00Z',
    })
  const seen: number[] = []
  let last: { at: string; _id: number } | undefined
  for (let pages = 0; pages < 5; pages++) {
    const { events, more } = await listed(last ? { last } : {})
    seen.push(...events.map(({ facts }) => Number(facts['nth'])))
    last = events.at(-1)
    if (!more) break
  }
  expect(seen).toEqual(Array.from({ length: many }, (_, nth) => many - 1 - nth))
})

test('a superuser reads of all sites, or of one, and of customers’ accounts their number only', async () => {
  const { a, otherAdmin, superuser } = at.who
  await write('signInRight', { account: a.account, customer: at.customers.a })
  await write('signInRight', { site: at.sites.other, account: otherAdmin.account })
  await write('signInWrong', { site: null })
  await write('foreignId', { site: null, account: a.account })
  const { events } = await listed({}, superuser)
  expect(events.map(({ kind, site, account }) => [kind, site?._id ?? null, account?.username ?? null])).toEqual([
    ['foreignId', at.sites.home, null],
    ['signInWrong', null, null],
    ['signInRight', at.sites.other, 'admin'],
    ['signInRight', at.sites.home, null],
  ])
  expect(events[0]).toMatchObject({ account: { _id: a.account, username: null, fullname: null }, customer: null })
  expect(JSON.stringify(events)).not.toMatch(/customer-a|Alfa/)
  expect(await kinds({ site: at.sites.home }, superuser)).toEqual(['foreignId', 'signInRight'])
  const { answer } = await at.ask(security.people, superuser, {})
  expect(answer.map(({ _id }) => _id)).toEqual([otherAdmin.account])
  // also where no site is
  const nowhere = { ...superuser, host: 'nowhere.test' }
  expect((await at.ask(security.people, nowhere, {})).answer).toHaveLength(1)
  expect(await kinds({}, nowhere)).toHaveLength(4)
})

test('is exported in the caller’s language, in cells that no spreadsheet executes, and that is recorded', async () => {
  await write('rolesChanged', {
    account: at.who.a.account,
    by: at.who.admin.account,
    customer: at.customers.a,
    facts: { type: 'admin', was: 'user', created: true, later: 'yes' },
    address: '=cmd()',
  })
  const { csv, more } = (await at.ask(security.export, at.who.admin, { kind: 'rolesChanged' })).answer
  expect(more).toBe(false)
  expect(csv.split('\r\n').slice(0, 3)).toEqual([
    'sep=;',
    'When;What;Account;By;Site;Customer;Address;Device;Details',
    "18/11/2026 11:00:00;Account or role changed;customer-a;admin;Tyre hotel home;Garage Alfa NV;'=cmd();curl/8;" +
      '"Role: Administrator; Role before: Customer; New account: Yes; later: yes"',
  ])
  expect((await listed({ kind: 'exported' })).events).toMatchObject([
    { account: { _id: at.who.admin.account }, facts: { what: 'security' } },
  ])
})

test('every kind and fact has its texts in four languages', () => {
  const words = Object.values(securityFacts).flatMap(fact => fact?.words.map(word => `${fact.texts}.${word}`) ?? [])
  const keys = [
    ...securityKinds.map(kind => `security:kind.${kind}`),
    ...Object.keys(securityFacts).map(fact => `security:fact.${fact}`),
    ...words,
  ]
  const lacking = languageIsoCodes.flatMap(lng =>
    keys.filter(key => {
      const [namespace = '', name = ''] = key.split(':')
      return !hasText(lng, namespace, name)
    }),
  )
  expect(lacking).toEqual([])
  expect(describeSecurityFacts({ link: 'reset', labels: 101, flood: true }, key => key)).toEqual([
    { name: 'security:fact.link', value: 'security:linkOf.reset' },
    { name: 'security:fact.labels', value: '101' },
    { name: 'security:fact.flood', value: 'common:yes' },
  ])
})
