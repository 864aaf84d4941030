/** Programs with access tokens, and the events that end a token (docs/product/accounts.md "Access tokens"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxTokens, scopesOf } from '#domain/people/token.ts'
import { audit } from '#contract/logs.ts'
import { customers } from '#contract/customers.ts'
import { calls, contract } from '#contract/index.ts'
import { people } from '#contract/people.ts'
import { account, users } from '#contract/session.ts'
import { fleet } from '#contract/fleet.ts'
import { tokens } from '#contract/tokens.ts'
import { vehicleConfigs } from '#contract/vehicleConfigs.ts'
import { defaultLimits } from '../../http/rateLimits.ts'
import { siteTokenOf, tokenOf } from '../../testing/tokens.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'

const now = new Date('2026-11-18T10:00:00Z')
let at: World
beforeAll(async () => {
  at = await world({ now, served: () => ({ limits: { ...defaultLimits, token: 40 } }) })
})
afterAll(() => at.close())
beforeEach(async () => {
  at.clock.now = now
  await at.query('truncate security_event, security_event_origin')
})

const whoIs = async (who: Principal) => (await at.ask(users.loginstate, who, {})).answer
const works = async (who: Principal): Promise<boolean> => {
  const { status, refusal } = await at.ask(users.loginstate, who, {})
  if (status !== 200) expect([status, refusal.code]).toEqual([401, 'token.invalid'])
  return status === 200
}
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
const refusals = async () =>
  at.query(`select site_id, account_id, facts from security_event where kind = 'tokenRefused' order by id`)

/** An account of customer A, with a session. */
async function newAccount(username: string): Promise<Principal> {
  const account = await at.ask(customers.saveaccount, at.who.admin, {
    username,
    type: 'user',
    seq_id: at.customers.a,
    password,
  })
  const { _id } = account.answer
  await at.settlePassword(_id)
  const reply = await at.send('/users/authenticate', at.who.anonymous, { username, password })
  const [cookie = null] = String(reply.headers['set-cookie']).split(';')
  return { ...at.who.a, name: username, account: _id, cookie }
}

test('a personal token acts as its account, and one of the site as an administrator of its own', async () => {
  const ofA = await tokenOf(at, at.who.a)
  expect(await whoIs(ofA)).toMatchObject({ username: 'customer-a', type: 'user', seq_id: at.customers.a })
  const vehicle = await at.addVehicle({ customer: at.customers.b })
  expect((await at.ask(fleet.vehicle, ofA, { flt_id: vehicle })).refusal.code).toBe('record.missing')
  const ofSite = await siteTokenOf(at, at.who.admin, { name: 'ERP' })
  expect(await whoIs(ofSite)).toMatchObject({ fullname: 'ERP', type: 'admin', seq_id: null })
  expect((await at.ask(fleet.vehicle, ofSite, { flt_id: vehicle })).status).toBe(200)
})

test('two programs store four tyres: one of the customer orders it, one of the warehouse scans them in', async () => {
  const customer = await tokenOf(at, at.who.a, { scopes: ['read', 'operations'] })
  const warehouse = await siteTokenOf(at, at.who.admin, { scopes: ['read', 'operations', 'warehouse'] })
  const vehicle = (
    await at.ask(fleet.new, customer, {
      vehicleData: { license_plate: '2API001', brand: 'Volvo', description: 'V60', type: 'car', configuration: 'Car' },
    })
  ).answer.flt_id
  const added = await at.ask(contract.tyres.add, customer, {
    flt_id: vehicle,
    tyre_set: 'Winter',
    tyres: ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: at.articles.home })),
  })
  expect(added.status, added.text).toBe(200)
  const mine = (await at.ask(fleet.vehicle, customer, { flt_id: vehicle })).answer.tyres.map(({ db_id }) => db_id)
  const operation = { flt_id: vehicle, tyres: mine, operationType: 'to_stock' as const }
  const { _id } = (await at.ask(contract.operations.new, customer, { operation })).answer
  await at.ask(contract.operations.update, customer, { operation: { _id, status: 'submitted' } })
  await at.ask(contract.operations.markscan, warehouse, { operation: { _id } })
  const confirmed = await at.ask(contract.operations.confirm, warehouse, { operation: { _id }, here: mine })
  expect(confirmed.status, confirmed.text).toBe(200)
  const stored = (await at.ask(fleet.vehicle, customer, { flt_id: vehicle })).answer.tyres
  expect(stored.map(({ tyre_status }) => tyre_status)).toEqual(['in_stock', 'in_stock', 'in_stock', 'in_stock'])
})

test('is shown once and stored as a hash', async () => {
  const { answer } = await at.ask(tokens.make, at.who.a, { name: 'Once', scopes: ['read'], days: 30 })
  expect(answer.token).toMatch(/^whp_[\w-]{43}$/)
  const listed = (await at.ask(tokens.own, at.who.a, {})).answer
  expect(listed[0]).toEqual({
    _id: answer._id,
    name: 'Once',
    ending: answer.token.slice(-4),
    scopes: ['read'],
    made: expect.stringContaining('2026-11-18'),
    by: 'customer-a',
    expires: expect.stringContaining('2026-12-18'),
    used: null,
    state: 'usable',
  })
  const [stored] = await at.query<{ all: string }>(
    `select (select string_agg(t::text, ' ') from api_token t) || (select string_agg(h::text, ' ') from api_token_hash h) as all`,
  )
  expect(stored?.all).not.toContain(answer.token.slice(4))
  // and used is said to a minute
  await at.ask(users.loginstate, { ...at.who.a, cookie: null, token: answer.token }, {})
  expect((await at.ask(tokens.own, at.who.a, {})).answer[0]?.used).not.toBeNull()
})

test('needs no origin, shows no cookie, and is taken in place of one', async () => {
  const ofA = await tokenOf(at, at.who.a)
  const both = { ...ofA, cookie: at.who.admin.cookie }
  expect(await whoIs(both)).toMatchObject({ username: 'customer-a' })
  const foreign = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect((await at.send(users.loginstate.path, ofA, {}, foreign)).status).toBe(200)
  // the control: a cookie is refused from there
  expect((await at.send(users.loginstate.path, at.who.a, {}, foreign)).status).toBe(403)
  // a wrong token is not made good by a cookie
  const wrong = await at.send(users.loginstate.path, { ...at.who.admin, token: 'whp_wrong' }, {})
  expect([wrong.status, wrong.refusal.code, wrong.headers['www-authenticate']]).toEqual([
    401,
    'token.invalid',
    'Bearer',
  ])
  expect(wrong.headers['set-cookie']).toBeUndefined()
  // the password of a proxy is none of ours
  const proxied = await at.send(users.loginstate.path, at.who.a, {}, { authorization: 'Basic cHJveHk6cHJveHk=' })
  expect(proxied.answer).toMatchObject({ username: 'customer-a' })
})

test('is not made by a session that has to confirm its identity first, nor with more than the account can', async () => {
  at.clock.now = new Date(now.getTime() + 16 * 60_000)
  const wanted = { name: 'Late', scopes: ['read' as const], days: 30 as const }
  expect((await at.ask(tokens.make, at.who.a, wanted)).refusal.code).toBe('session.stale')
  expect((await at.ask(tokens.makesite, at.who.admin, wanted)).refusal.code).toBe('session.stale')
  at.clock.now = now
  const more = { name: 'More', scopes: ['warehouse' as const], days: 30 as const }
  expect((await at.ask(tokens.make, at.who.a, more)).refusal.code).toBe('token.scope_refused')
})

test('what a scope opens is said for each role, and what is about somebody’s own security is open to none', () => {
  for (const role of ['user', 'admin', 'superuser'] as const) {
    const opens = calls.flatMap(({ call }) =>
      call.scope !== null && call.who !== 'anyone' && call.who.includes(role) && role !== 'superuser'
        ? [call.scope]
        : [],
    )
    expect([...new Set(opens)].toSorted(), role).toEqual(scopesOf[role].toSorted())
  }
  const closed = ['users', 'account', 'tokens', 'signOn', 'people', 'security', 'audit', 'mails'] as const
  for (const feature of closed)
    for (const call of Object.values(contract[feature]))
      expect(call.scope, call.name).toBe(call.name === 'users.loginstate' ? 'read' : null)
  for (const { name, call } of calls) {
    // an import of accounts is refused to tokens by its kind (imports.test.ts)
    if (call.failures.includes('session.stale') && !call.failures.includes('token.closed'))
      expect(call.scope, name).toBeNull()
    if (call.who !== 'anyone' && call.who.every(role => role === 'superuser')) expect(call.scope, name).toBeNull()
    // printing labels is recorded, also by a token
    const noted = name === 'fleet.getTyreLabels' ? ['labels.day'] : []
    if (call.scope === 'read') expect(call.invalidates, name).toEqual(noted)
  }
})

test('what a token does is in the audit under its name', async () => {
  const ofAdmin = await tokenOf(at, at.who.admin, { name: 'Planning' })
  await at.ask(customers.save, ofAdmin, { seq_id: at.customers.b, city: 'Brugge' })
  const ofSite = await siteTokenOf(at, at.who.admin, { name: 'Webshop' })
  await at.ask(customers.save, ofSite, { seq_id: at.customers.b, city: 'Luik' })
  await at.ask(customers.save, at.who.admin, { seq_id: at.customers.b, city: 'Gent' })
  const { entries } = (await at.ask(audit.list, at.who.admin, { seq_id: at.customers.b })).answer
  expect(entries.slice(0, 3).map(({ who, token }) => [who?.fullname, token])).toEqual([
    ['Full admin', null],
    ['Webshop', 'Webshop'],
    ['Full admin', 'Planning'],
  ])
})

test('ends when it expires, and when it is revoked, at once and for ever', async () => {
  const short = await tokenOf(at, at.who.a, { days: 30 })
  const endless = await tokenOf(at, at.who.a, { days: null })
  const ofSite = await siteTokenOf(at, at.who.admin)
  at.clock.now = new Date(later(30).getTime() - 1000)
  expect(await works(short)).toBe(true)
  at.clock.now = later(31)
  expect(await works(short)).toBe(false)
  expect(await works(endless)).toBe(true)
  at.clock.now = now
  const [latest] = (await at.ask(tokens.own, at.who.a, {})).answer
  // somebody else's are not theirs to revoke
  for (const who of [at.who.b, at.who.admin])
    expect((await at.ask(tokens.revoke, who, { _id: latest?._id ?? 0 })).refusal.code).toBe('record.missing')
  expect((await at.ask(tokens.revoke, at.who.a, { _id: latest?._id ?? 0 })).status).toBe(200)
  expect(await works(endless)).toBe(false)
  expect((await at.ask(tokens.own, at.who.a, {})).answer.map(({ _id }) => _id)).not.toContain(latest?._id)
  const [site] = (await at.ask(tokens.site, at.who.admin, {})).answer
  expect((await at.ask(tokens.revokesite, at.who.otherAdmin, { _id: site?._id ?? 0 })).refusal.code).toBe(
    'record.missing',
  )
  expect(await works(ofSite)).toBe(true)
  expect((await at.ask(tokens.revokesite, at.who.admin, { _id: site?._id ?? 0 })).status).toBe(200)
  expect(await works(ofSite)).toBe(false)
  const kinds = await at.query<{ kind: string }>('select kind from security_event order by id')
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(
    new Set(['tokenMade', 'tokenRevoked', 'tokenRefused', 'foreignId']),
  )
})

test('ends with whatever ends the sessions of its account, and does not come back', async () => {
  const ends: Record<string, (who: Principal) => Promise<unknown>> = {
    disabled: who => at.ask(customers.setdisabled, at.who.admin, { _id: who.account, disabled: true }),
    reset: who => at.ask(customers.resetpassword, at.who.admin, { _id: who.account }),
    moved: who =>
      at.ask(customers.saveaccount, at.who.admin, { _id: who.account, seq_id: at.customers.b, type: 'user' }),
    promoted: who => at.ask(customers.saveaccount, at.who.admin, { _id: who.account, type: 'admin' }),
    changed: who => at.ask(users.password, who, { password, wanted: 'another horse, another battery' }),
    erased: who => at.ask(people.eraseaccount, at.who.admin, { _id: who.account }),
  }
  for (const [name, end] of Object.entries(ends)) {
    const who = await newAccount(`ends-${name}`)
    const program = await tokenOf(at, who)
    expect(await works(program), name).toBe(true)
    expect(await end(who), name).toMatchObject({ status: 200 })
    expect(await works(program), name).toBe(false)
    if (name === 'disabled') {
      await at.ask(customers.setdisabled, at.who.admin, { _id: who.account, disabled: false })
      expect(await works(program)).toBe(false)
    }
  }
  // signing out and changing the language are nobody else's
  const who = await newAccount('ends-not')
  const program = await tokenOf(at, who)
  await at.ask(account.endothers, who, {})
  await at.ask(users.logout, who, {})
  expect(await works(program)).toBe(true)
})

test('a token of the site goes on without whoever made it, and nobody signs in with its account', async () => {
  const account = await at.ask(customers.saveaccount, at.who.admin, { username: 'leaves', type: 'admin', password })
  await at.settlePassword(account.answer._id)
  const reply = await at.send('/users/authenticate', at.who.anonymous, { username: 'leaves', password })
  const [cookie = null] = String(reply.headers['set-cookie']).split(';')
  const ofSite = await siteTokenOf(at, { ...at.who.admin, cookie }, { name: 'Stays' })
  await at.ask(customers.setdisabled, at.who.admin, { _id: account.answer._id, disabled: true })
  expect(await works(ofSite)).toBe(true)
  const listed = (await at.ask(customers.accounts, at.who.admin, {})).answer
  expect(listed.map(({ _id }) => _id)).not.toContain(ofSite.account)
  for (const answer of [
    await at.ask(customers.resetpassword, at.who.admin, { _id: ofSite.account }),
    await at.ask(customers.setdisabled, at.who.admin, { _id: ofSite.account, disabled: true }),
    await at.ask(people.account, at.who.admin, { _id: ofSite.account }),
  ])
    expect(answer.refusal.code).toBe('record.missing')
  const [row] = await at.query<{ username: string }>('select username from account where id = $1', [ofSite.account])
  const tried = await at.send('/users/authenticate', at.who.anonymous, {
    username: row?.username,
    password: 'anything',
  })
  expect(tried.refusal.code).toBe('login.wrong')
})

test('does only what its scopes say, and what it may not is recorded once an hour', async () => {
  const reads = await tokenOf(at, at.who.admin, { scopes: ['read'] })
  const scans = await tokenOf(at, at.who.admin, { scopes: ['warehouse'] })
  // unknown ones are told apart by their address, which other tests share
  at.clock.now = new Date(now.getTime() + 3_600_000)
  const closed = await at.ask(vehicleConfigs.remove, reads, { _id: at.configs.home })
  expect([closed.status, closed.refusal.code]).toEqual([403, 'token.closed'])
  for (const [who, call, scope] of [
    [reads, customers.save, 'operations'],
    [scans, customers.list, 'read'],
  ] as const) {
    for (let times = 0; times < 3; times++) {
      const { status, refusal } = await at.send(call.path, who, { seq_id: at.customers.b })
      expect([status, refusal.code, refusal.params]).toEqual([403, 'token.scope', { scope }])
    }
  }
  await at.send('/users/loginstate', { ...at.who.otherAdmin, cookie: null, token: String(reads.token) }, {})
  await at.send('/users/loginstate', { ...reads, token: 'whp_nobody' }, {})
  const ids = (await at.query<{ id: number }>('select id from api_token order by id desc limit 2')).map(({ id }) => id)
  const { account: admin, site } = at.who.admin
  expect(await refusals()).toEqual([
    { site_id: site, account_id: admin, facts: { token: ids[1], refusal: 'closed', call: 'vehicleConfigs.remove' } },
    { site_id: site, account_id: admin, facts: { token: ids[1], refusal: 'scope', call: 'customers.save' } },
    { site_id: site, account_id: admin, facts: { token: ids[0], refusal: 'scope', call: 'customers.list' } },
    // of the site that it belongs to, not of the one where it was tried
    { site_id: site, account_id: admin, facts: { token: ids[1], refusal: 'site', call: 'users.loginstate' } },
    { site_id: site, account_id: null, facts: { refusal: 'unknown', call: 'users.loginstate' } },
  ])
})

test('each has a rate limit of its own', async () => {
  const [first, two] = [await tokenOf(at, at.who.a), await tokenOf(at, at.who.a)]
  for (let times = 0; times < 40; times++) await at.ask(users.loginstate, first, {})
  const { status, refusal } = await at.ask(users.loginstate, first, {})
  expect([status, refusal.code]).toEqual([429, 'request.too_many'])
  expect((await at.ask(users.loginstate, two, {})).status).toBe(200)
  expect((await at.ask(users.loginstate, at.who.a, {})).status).toBe(200)
})

test('an account has so many at most, also when they are made at once', async () => {
  const who = await newAccount('has-many')
  const all = await Promise.all(
    Array.from({ length: maxTokens + 5 }, (_, nth) =>
      at.ask(tokens.make, who, { name: `No. ${nth}`, scopes: ['read'], days: 30 }),
    ),
  )
  const refused = all.filter(({ status }) => status !== 200)
  expect(refused.map(({ refusal }) => refusal.code)).toEqual(Array.from({ length: 5 }, () => 'token.too_many'))
})

test('is exported with a person’s data, and erased with it', async () => {
  const who = await newAccount('is-exported')
  await tokenOf(at, who, { name: 'Phone of Jo' })
  const { text } = await at.ask(people.account, at.who.admin, { _id: who.account })
  expect(text).toContain('Phone of Jo')
  await at.ask(people.eraseaccount, at.who.admin, { _id: who.account })
  expect(await at.query('select from api_token where account_id = $1', [who.account])).toEqual([])
})

test('a restored backup holds no token that works, and says so', async () => {
  const ofA = await tokenOf(at, at.who.a, { name: 'Before' })
  await at.query('delete from api_token_hash')
  at.clock.now = new Date(now.getTime() + 5000)
  expect(await works(ofA)).toBe(false)
  const [listed] = (await at.ask(tokens.own, at.who.a, {})).answer
  expect(listed).toMatchObject({ name: 'Before', state: 'lost' })
})
