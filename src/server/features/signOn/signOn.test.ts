/** Single sign-on, with a real provider: who gets in, and who does not (docs/decisions/0038). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { account, users, type Step } from '#contract/session.ts'
import { signOn, type SignOnForm } from '#contract/signOn.ts'
import { site } from '#contract/sites.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { openSecrets } from '../../secrets.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../../testing/provider.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'

const origin = 'http://home.test'
let at: World
let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider([origin, 'http://other.test'])
  at = await world({
    served: () => ({
      sendsMail: true,
      secrets: openSecrets('a key of the tests'),
      outbound: openOutbound({ allowPrivate: true }),
    }),
  })
})
afterAll(async () => {
  await at.close()
  await provider.close()
})
beforeEach(async () => {
  const { status, text } = await save({})
  if (status !== 200) throw new Error(text)
})
afterEach(() => {
  provider.tamper = null
  provider.tamperUserInfo = null
  provider.foreignKey = false
})

const cookiesIn = (reply: { headers: Record<string, unknown> }): Map<string, string> =>
  new Map(
    [reply.headers['set-cookie'] ?? []].flat().map(text => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(text)) ?? []
      return [name, value] as const
    }),
  )

/** A browser in which nobody is signed in. */
class Browser {
  readonly #cookies = new Map<string, string>()
  readonly who: Principal
  constructor(who: Principal = at.who.anonymous) {
    this.who = who
  }
  get principal(): Principal {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { ...this.who, cookie: cookie || null }
  }
  async ask<C extends Parameters<World['ask']>[0]>(call: C, input: Parameters<typeof at.ask<C>>[2]) {
    const reply = await at.ask(call, this.principal, input)
    for (const [name, value] of cookiesIn(reply)) {
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return reply
  }
  has = (name: string): boolean => this.#cookies.has(name)
  /** Goes to the provider and comes back with what it answers. */
  async leave(name: string, input: { fresh?: boolean; link?: boolean } = {}): Promise<string> {
    const begun = await this.ask(signOn.begin, input)
    if (begun.status !== 200) throw new Error(begun.text)
    return provider.signIn(begun.answer.url, name)
  }
  async enter(name: string) {
    return this.ask(signOn.finish, { answer: await this.leave(name) })
  }
}
const refusalOf = async (name: string): Promise<string> => (await new Browser().enter(name)).refusal.code

const form = (): SignOnForm => ({
  name: 'Contoso',
  issuer: provider.issuer,
  client_id: clientId,
  client_secret: clientSecret,
  claim: 'preferred_username',
})
const save = async (changes: Partial<SignOnForm>, who: Principal = at.who.admin) => {
  await at.query('update session set confirmed_at = $1, created_at = $1', [at.clock.now])
  return at.ask(signOn.save, who, { ...form(), ...changes })
}

let nth = 0
/** Somebody whom the provider knows; with an account of theirs at the site, where they are to have one. */
async function somebody(claims: Record<string, unknown> = {}, type: 'user' | 'admin' | null = 'user') {
  const name = `someone-${(nth += 1)}`
  provider.people.set(name, { preferred_username: name, name: `Some One ${nth}`, ...claims })
  const [row] = type
    ? await at.query<{ id: number }>(
        `insert into account (site_id, customer_id, username, type, language, password)
         select site_id, case when $2 = 'user' then $3::int end, $1, $2, 'eng', password from account where id = $4 returning id`,
        [name, type, at.customers.a, at.who.a.account],
      )
    : []
  return { name, account: row?.id ?? 0 }
}
const eventsOf = async (kind: string) =>
  (
    await at.query<{ account_id: number | null; facts: Record<string, unknown> }>(
      'select account_id, facts from security_event where kind = $1 order by id desc limit 1',
      [kind],
    )
  )[0]

describe('somebody whom the provider knows', () => {
  test('gets a session of the account that the claim names, as after a password', async () => {
    const { name, account: id } = await somebody()
    const browser = new Browser()
    const reply = await browser.enter(name)
    expect(reply.answer, reply.text).toMatchObject({ isAuthenticated: true, username: name, seq_id: at.customers.a })
    expect((await browser.ask(users.loginstate, {})).answer.isAuthenticated).toBe(true)
    expect(await eventsOf('signInRight')).toEqual({ account_id: id, facts: { provider: true } })
    // the browser is known from now on, as after a password
    expect(await at.query('select from known_device where account_id = $1', [id])).toHaveLength(1)
  })

  test('may write the name of the account in capitals, and is the same person under another name later', async () => {
    const { name, account: id } = await somebody()
    provider.people.set(name, { preferred_username: name.toUpperCase() })
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: name })
    // the link is by the subject, which never changes
    provider.people.set(name, { preferred_username: 'married' })
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: name })
    expect(await at.query('select from sign_on_identity where account_id = $1', [id])).toHaveLength(1)
  })

  test('is not the account that the database takes for the same: a Turkish İ is no capital of i', async () => {
    const { name, account } = await somebody({}, 'admin')
    await at.query('update account set username = $1 where id = $2', [`mike-${account}`, account])
    provider.people.set(name, { preferred_username: `M\u0130KE-${account}` })
    expect(await refusalOf(name)).toBe('signOn.no_account')
    provider.people.set(name, { email: `m\u0130ke-${account}`, email_verified: true })
    await save({ claim: 'email' })
    expect(await refusalOf(name)).toBe('signOn.no_account')
    await save({})
    provider.people.set(name, { preferred_username: `MIKE-${account}` })
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: `mike-${account}`, type: 'admin' })
  })

  test('does not get the account of somebody else who had the name before', async () => {
    const { name, account: id } = await somebody()
    expect((await new Browser().enter(name)).status).toBe(200)
    const { name: heir } = await somebody({ preferred_username: name }, null)
    expect(await refusalOf(heir)).toBe('signOn.linked')
    // unless an administrator says so
    expect((await at.ask(signOn.unlink, at.who.admin, { _id: id })).status).toBe(200)
    expect((await new Browser().enter(heir)).answer).toMatchObject({ username: name })
    expect(await refusalOf(name)).toBe('signOn.linked')
  })

  test('has no account: none is made unless the site says for whom', async () => {
    const { name } = await somebody({}, null)
    expect(await refusalOf(name)).toBe('signOn.no_account')
    expect((await eventsOf('signInWrong'))?.facts).toMatchObject({ provider: true, failure: 'signOn.no_account' })
    await save({ seq_id: at.customers.b })
    const { answer } = await new Browser().enter(name)
    expect(answer).toMatchObject({ username: name, type: 'user', seq_id: at.customers.b, fullname: `Some One ${nth}` })
    const [row] = await at.query<{ id: number; password: string }>(
      'select id, password from account where username = $1',
      [name],
    )
    expect(row?.password).toBe('')
    expect(
      (await at.ask(users.authenticate, at.who.anonymous, { username: name, password: 'none of theirs' })).refusal.code,
    ).toBe('login.wrong')
    expect(await eventsOf('rolesChanged')).toMatchObject({
      account_id: row?.id,
      facts: { created: true, type: 'user' },
    })
    const audited = await at.query('select from audit where action = $1 and subject = $2', [
      'account.create',
      `account ${row?.id}`,
    ])
    expect(audited).toHaveLength(1)
  })

  test('is never a superuser, and no account is made that looks like one', async () => {
    await save({ seq_id: at.customers.a })
    const { name } = await somebody({ preferred_username: 'superuser' }, null)
    expect(await refusalOf(name)).toBe('signOn.no_account')
    provider.people.set(name, { preferred_username: 'sup\u0435ruser' })
    expect(await refusalOf(name)).toBe('signOn.no_account')
  })

  test('is nobody without the claim', async () => {
    const { name } = await somebody({ preferred_username: undefined })
    expect(await refusalOf(name)).toBe('signOn.claim')
  })

  test('gets the account of that name as it is written, except for capitals', async () => {
    const { name, account: id } = await somebody({}, 'admin')
    const { name: stranger } = await somebody({}, null)
    const fullWidth = name.replace('someone', 'ｓｏｍｅｏｎｅ')
    for (const written of [
      fullWidth,
      `  ${name.toUpperCase()} `,
      `${name}\u2060`,
      `\u00a0${name}`,
      name.replace('e', '\u0435'),
    ]) {
      provider.people.set(stranger, { preferred_username: written })
      expect(await refusalOf(stranger), JSON.stringify(written)).toMatch(/^signOn\.(claim|no_account)$/)
    }
    expect(await at.query('select from sign_on_identity where account_id = $1', [id])).toHaveLength(0)
    // what would be a new account is held to the same
    await save({ seq_id: at.customers.a })
    for (const written of [' new one', 'ｎｅｗ'] as const) {
      provider.people.set(stranger, { preferred_username: written })
      expect(await refusalOf(stranger), written).toBe('signOn.claim')
    }
    provider.people.set(stranger, { preferred_username: name.toUpperCase() })
    expect((await new Browser().enter(stranger)).answer).toMatchObject({ username: name, type: 'admin' })
  })

  test('does not get an account by a name that could pass for another one', async () => {
    const { name } = await somebody({ preferred_username: 'j\u043e@example.org' }, null)
    await at.query(
      `insert into account (site_id, customer_id, username, type, language, password)
       select site_id, customer_id, $1, 'user', 'eng', password from account where id = $2`,
      ['j\u043e@example.org', at.who.a.account],
    )
    expect(await refusalOf(name)).toBe('signOn.no_account')
  })

  test('stays out with a disabled account', async () => {
    const { name, account: id } = await somebody()
    expect((await new Browser().enter(name)).status).toBe(200)
    await at.query('update account set disabled_at = now() where id = $1', [id])
    expect(await refusalOf(name)).toBe('signOn.no_account')
  })

  test('signs in at the site that began it, and at no other', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = await browser.leave(name)
    const elsewhere = { ...browser.principal, host: 'other.test' }
    expect((await at.ask(signOn.finish, elsewhere, { answer })).refusal.code).toBe('signOn.expired')
    expect((await at.ask(signOn.begin, { ...at.who.anonymous, host: 'other.test' }, {})).refusal.code).toBe(
      'signOn.off',
    )
  })
})

describe('an address', () => {
  const email = 'boss@example.org'
  const owner = async () => {
    const { name, account: id } = await somebody({ email }, 'admin')
    await at.query('delete from account where username = $1', [email])
    await at.query('update account set username = $1 where id = $2', [email, id])
    await save({ claim: 'email' })
    return { name, account: id }
  }
  type Said = Record<string, unknown>
  const says =
    (overrides: Said) =>
    (claims: Said): Said => ({ ...claims, email: undefined, email_verified: undefined, ...overrides })

  test.each<[string, Said, Said]>([
    ['that is said to be unverified', {}, { email, email_verified: false }],
    ['of which nothing is said', {}, { email }],
    ['that is verified as a text', {}, { email, email_verified: 'true' }],
    ['that is unverified as a text', {}, { email, email_verified: 'false' }],
    ['that is verified as a number', {}, { email, email_verified: 1 }],
    ['that is unverified as a number', {}, { email, email_verified: 0 }],
    ['that is verified as null', {}, { email, email_verified: null }],
    [
      'of which the token says nothing, and user info that it is unverified',
      { email },
      { email, email_verified: false },
    ],
    ['of which the token says nothing, and user info neither', { email }, { email }],
    ['of which the token says nothing, and user info nothing at all', { email }, {}],
    [
      'of which the token says yes, and user info no',
      { email, email_verified: true },
      { email, email_verified: false },
    ],
    [
      'of which the token says no, and user info yes',
      { email, email_verified: false },
      { email, email_verified: true },
    ],
    ['while user info verifies another one', { email }, { email: 'other@example.org', email_verified: true }],
    ['while the token verifies another one', { email: 'other@example.org', email_verified: true }, { email }],
    ['that is verified without being said', { email }, { email_verified: true }],
  ])('%s gets no account', async (_, token, userInfo) => {
    const { name, account: id } = await owner()
    provider.tamper = says(token)
    provider.tamperUserInfo = says(userInfo)
    expect(await refusalOf(name)).toBe('signOn.claim')
    expect(await at.query('select from sign_on_identity where account_id = $1', [id])).toHaveLength(0)
  })

  test.each<[string, Said, Said]>([
    ['by the token', { email, email_verified: true }, {}],
    ['by user info', {}, { email, email_verified: true }],
    ['by user info while the token says it without a word on that', { email }, { email, email_verified: true }],
    ['by both', { email, email_verified: true }, { email, email_verified: true }],
  ])('that is verified %s gets its account', async (_, token, userInfo) => {
    const { name } = await owner()
    provider.tamper = says(token)
    provider.tamperUserInfo = says(userInfo)
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: email, type: 'admin' })
  })

  test('is asked of nobody who is linked: existing links stay', async () => {
    const { name, account: id } = await owner()
    await at.query(
      `insert into sign_on_identity (site_id, issuer, subject, account_id, created_at, used_at) values ($1, $2, $3, $4, now(), now())`,
      [at.sites.home, provider.issuer, name, id],
    )
    const requests = provider.asked('/me')
    provider.tamper = says({ email, email_verified: 'false' })
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: email })
    expect(provider.asked('/me')).toBe(requests)
  })
})

describe('the owner of an account', () => {
  /** A browser in which an account has signed in with its password. */
  async function signedIn(username: string): Promise<Browser> {
    const browser = new Browser()
    const { text, answer } = await browser.ask(users.authenticate, { username, password })
    if (!answer.isAuthenticated) throw new Error(text)
    return browser
  }

  test('links it to whoever signs in at the provider, whatever the claim says', async () => {
    await save({ claim: 'email' })
    const { name, account: id } = await somebody({ email: 'unverified@example.org' }, 'admin')
    expect(await refusalOf(name)).toBe('signOn.claim')
    const browser = await signedIn(name)
    expect((await browser.ask(account.factors, {})).answer.sign_on).toBe(false)
    const linked = await browser.ask(signOn.finish, { answer: await browser.leave(name, { link: true }) })
    expect(linked.answer, linked.text).toMatchObject({ isAuthenticated: true, username: name })
    expect((await browser.ask(account.factors, {})).answer.sign_on).toBe(true)
    expect(await eventsOf('signOnLinked')).toMatchObject({ account_id: id })
    expect((await new Browser().enter(name)).answer).toMatchObject({ username: name })
    // the second time it changes nothing
    expect((await browser.ask(signOn.finish, { answer: await browser.leave(name, { link: true }) })).status).toBe(200)
    expect(await at.query('select from sign_on_identity where account_id = $1', [id])).toHaveLength(1)
  })

  test('needs a session that was confirmed a moment ago', async () => {
    const { name } = await somebody({})
    expect((await new Browser().ask(signOn.begin, { link: true })).refusal.code).toBe('session.missing')
    const browser = await signedIn(name)
    const now = at.clock.now
    at.clock.now = new Date(now.getTime() + 16 * 60_000)
    expect((await browser.ask(signOn.begin, { link: true })).refusal.code).toBe('session.stale')
    at.clock.now = now
    expect((await at.ask(signOn.begin, at.who.superuser, { link: true })).refusal.code).toMatch(/^session|^site/)
  })

  test('links neither a person nor an account twice, and not the account of whoever signed in meanwhile', async () => {
    const [first, other] = [await somebody(), await somebody()]
    expect((await new Browser().enter(first.name)).status).toBe(200)
    const browser = await signedIn(other.name)
    const link = async (name: string) =>
      browser.ask(signOn.finish, { answer: await browser.leave(name, { link: true }) })
    expect((await link(first.name)).refusal.code).toBe('signOn.other_account')
    expect((await link(other.name)).status).toBe(200)
    const { name: third } = await somebody({}, null)
    expect((await link(third)).refusal.code).toBe('signOn.linked')
    const answer = await browser.leave(third, { link: true })
    await browser.ask(users.authenticate, { username: first.name, password })
    expect((await browser.ask(signOn.finish, { answer })).refusal.code).toBe('signOn.expired')
    await browser.ask(users.logout, {})
    expect(await at.query('select from sign_on_identity where subject = $1', [third])).toHaveLength(0)
  })
})

describe('an answer is refused', () => {
  const seconds = (): number => Math.floor(Date.now() / 1000)
  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['with another nonce', claims => ({ ...claims, nonce: 'another one' })],
    ['without a nonce', claims => ({ ...claims, nonce: undefined })],
    ['that has expired', claims => ({ ...claims, iat: seconds() - 700, exp: seconds() - 100 })],
    ['of another issuer', claims => ({ ...claims, iss: 'https://elsewhere.example' })],
    ['for another client', claims => ({ ...claims, aud: 'another' })],
    ['without a subject', claims => ({ ...claims, sub: undefined })],
    ['that was issued by nobody', claims => ({ ...claims, iss: undefined })],
  ])('%s', async (_, tamper) => {
    const { name } = await somebody()
    provider.tamper = tamper
    const browser = new Browser()
    expect((await browser.enter(name)).refusal.code).toBe('signOn.failed')
    expect(browser.has('wheelhouse')).toBe(false)
    expect((await eventsOf('signInWrong'))?.facts).toMatchObject({ provider: true, failure: 'signOn.failed' })
    // the same without the change is taken
    provider.tamper = claims => claims
    expect((await browser.enter(name)).status).toBe(200)
  })

  test('signed with a key that is not the provider’s', async () => {
    const { name } = await somebody()
    provider.foreignKey = true
    expect(await refusalOf(name)).toBe('signOn.failed')
  })

  test('the second time, and with a code that was used', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = await browser.leave(name)
    expect((await browser.ask(signOn.finish, { answer })).status).toBe(200)
    expect((await browser.ask(signOn.finish, { answer })).refusal.code).toBe('signOn.expired')
    // the code of one sign-in with the state of another
    const other = new URLSearchParams(await browser.leave(name))
    other.set('code', new URLSearchParams(answer).get('code') ?? '')
    expect((await browser.ask(signOn.finish, { answer: other.toString() })).refusal.code).toBe('signOn.failed')
  })

  test('at once in two places, for one of them', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = await browser.leave(name)
    const replies = await Promise.all([1, 2].map(() => at.ask(signOn.finish, browser.principal, { answer })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('in another browser than began it, which goes on in its own', async () => {
    const { name } = await somebody()
    const [victim, attacker] = [new Browser(), new Browser()]
    const answer = await attacker.leave(name)
    // a browser without a cookie, and one with a sign-in of its own
    expect((await victim.ask(signOn.finish, { answer })).refusal.code).toBe('signOn.expired')
    await victim.leave(name)
    expect((await victim.ask(signOn.finish, { answer })).refusal.code).toBe('signOn.expired')
    expect(victim.has('wheelhouse')).toBe(false)
    expect((await attacker.ask(signOn.finish, { answer })).status).toBe(200)
  })

  test('without a state, with one of nobody, and after ten minutes', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = new URLSearchParams(await browser.leave(name))
    for (const state of [null, 'nobody’s']) {
      const changed = new URLSearchParams(answer)
      if (state === null) changed.delete('state')
      else changed.set('state', state)
      expect((await browser.ask(signOn.finish, { answer: changed.toString() })).refusal.code).toBe('signOn.expired')
    }
    const begun = at.clock.now
    at.clock.now = new Date(begun.getTime() + 10 * 60_000)
    expect((await browser.ask(signOn.finish, { answer: answer.toString() })).refusal.code).toBe('signOn.expired')
    at.clock.now = begun
  })

  test('that names another issuer beside its code (RFC 9207)', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = new URLSearchParams(await browser.leave(name))
    answer.set('iss', 'https://elsewhere.example')
    expect((await browser.ask(signOn.finish, { answer: answer.toString() })).refusal.code).toBe('signOn.failed')
  })

  test('of a provider that the site has no longer', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    const answer = await browser.leave(name)
    await at.query('update sign_on set issuer = $1', ['https://elsewhere.example'])
    expect((await browser.ask(signOn.finish, { answer })).refusal.code).toBe('signOn.off')
  })

  test('that says no, and to a client whose secret is wrong', async () => {
    expect(await refusalOf('nobody there')).toBe('signOn.declined')
    const { name } = await somebody()
    await save({ client_secret: 'not the one' })
    expect(await refusalOf(name)).toBe('signOn.client')
  })
})

describe('steps and sessions', () => {
  test('the own second step is asked for after the provider, and its session ends there too', async () => {
    const { name, account: id } = await somebody({}, 'admin')
    await at.query(
      `insert into passkey (account_id, site_id, credential, public_key, counter, transports, name, created_at)
       values ($1, $2, sha256($3::bytea), '', 0, '{}', 'Key ring', now())`,
      [id, at.sites.home, name],
    )
    const step = (await new Browser().enter(name)).answer as Step
    expect(step).toMatchObject({ isAuthenticated: false, awaits: 'factor', methods: ['passkey'] })
    // also where the provider says that it took two
    provider.tamper = claims => ({ ...claims, amr: ['pwd', 'mfa'] })
    expect((await new Browser().enter(name)).answer).toMatchObject({ awaits: 'factor' })
    const [kept] = await at.query<{ kept: boolean }>(
      'select bool_and(sign_on is not null) as kept from sign_in_step where account_id = $1',
      [id],
    )
    expect(kept?.kept).toBe(true)
  })

  test('a site that demands one of administrators has it added, unless the provider took two', async () => {
    await at.setSite(at.sites.home, { admins_need_factor: true })
    const { name } = await somebody({}, 'admin')
    expect((await new Browser().enter(name)).answer).toMatchObject({ awaits: 'enrolment' })
    provider.tamper = claims => ({ ...claims, amr: ['pwd', 'otp', 'mfa'] })
    expect((await new Browser().enter(name)).answer).toMatchObject({ isAuthenticated: true, type: 'admin' })
    await at.setSite(at.sites.home, { admins_need_factor: false })
  })

  test('a password that has to be changed is nothing for somebody who types none', async () => {
    const { name, account: id } = await somebody()
    await at.query('update account set must_change_password = true where id = $1', [id])
    expect((await new Browser().enter(name)).answer).toMatchObject({ isAuthenticated: true })
  })

  test('the session of an administrator lasts as long as the site says', async () => {
    await at.setSite(at.sites.home, { admin_session_hours: 3 })
    const { name, account: id } = await somebody({}, 'admin')
    await new Browser().enter(name)
    const [session] = await at.query<{ hours: number }>(
      'select extract(epoch from ends_at - created_at)::int / 3600 as hours from session where account_id = $1',
      [id],
    )
    expect(session?.hours).toBe(3)
    await at.setSite(at.sites.home, { admin_session_hours: 12 })
  })

  test('counts as fresh only where the provider says when it asked', async () => {
    const { name } = await somebody({}, 'admin')
    const browser = new Browser()
    await browser.enter(name)
    expect((await browser.ask(account.offer, {})).refusal?.code).toBe('session.stale')
    // asked for, it has to say so
    const fresh = await browser.leave(name, { fresh: true })
    expect((await browser.ask(signOn.finish, { answer: fresh })).status).toBe(200)
    expect((await browser.ask(account.offer, {})).status).toBe(200)
    // and not of an hour ago
    provider.tamper = claims => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3600 })
    const stale = await browser.leave(name, { fresh: true })
    expect((await browser.ask(signOn.finish, { answer: stale })).refusal.code).toBe('signOn.failed')
  })

  test('signing out ends the session here, and names where to end the one at the provider', async () => {
    const { name } = await somebody()
    const browser = new Browser()
    await browser.enter(name)
    const { answer, headers } = await browser.ask(users.logout, {})
    expect(headers['clear-site-data']).toBe('"cache"')
    const next = new URL(answer.next ?? '')
    expect(next.origin + next.pathname).toBe(`${provider.issuer}/session/end`)
    expect(next.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/`)
    expect(next.searchParams.get('client_id')).toBe(clientId)
    // the provider takes it: it knows whom to sign out, and where to go then
    expect((await fetch(next)).status).toBe(200)
    expect((await browser.ask(users.loginstate, {})).answer.isAuthenticated).toBe(false)
    const typed = new Browser()
    await typed.ask(users.authenticate, { username: 'customer-a', password })
    expect((await typed.ask(users.logout, {})).answer).toEqual({})
  })
})

describe('the provider of a site', () => {
  test('is named to strangers, and its secret to nobody', async () => {
    expect((await at.ask(site.gsc, at.who.anonymous, {})).answer.signOn).toBe('Contoso')
    const { answer, text } = await at.ask(signOn.settings, at.who.admin, {})
    expect(answer).toMatchObject({
      provider: { name: 'Contoso', issuer: provider.issuer, client_id: clientId, has_secret: true },
      redirect: `${origin}/signon`,
      afterSignOut: `${origin}/`,
    })
    expect(text).not.toContain(clientSecret)
    const kept = await at.query<{ row: string }>(
      `select row_to_json(t)::text || encode(t.client_secret, 'escape') as row from sign_on t`,
    )
    expect(kept).toHaveLength(1)
    expect(kept[0]?.row).not.toContain(clientSecret)
    const [audited] = await at.query<{ facts: string }>(
      `select facts::text from audit where action = 'signOn.save' order by id desc limit 1`,
    )
    expect(audited?.facts).toContain(provider.issuer)
    expect(audited?.facts).not.toContain(clientSecret)
    expect(await eventsOf('signOnChanged')).toBeDefined()
  })

  test('keeps its secret when the form leaves it out, but gives it to no other issuer', async () => {
    const { client_secret: _, ...rest } = form()
    expect((await at.ask(signOn.save, at.who.admin, { ...rest, name: 'Other words' })).answer.has_secret).toBe(true)
    const { name } = await somebody()
    expect((await new Browser().enter(name)).status).toBe(200)
    const elsewhere = await at.ask(signOn.save, at.who.admin, { ...rest, issuer: 'https://elsewhere.example' })
    expect(elsewhere.refusal).toMatchObject({ code: 'request.invalid', params: { fields: ['client_secret'] } })
  })

  test('is saved when it answers as one, by somebody freshly signed in', async () => {
    const before = provider.asked('/.well-known/openid-configuration')
    expect(
      (await save({ issuer: `${provider.issuer}/.well-known/openid-configuration`, client_id: 'anew' })).status,
    ).toBe(200)
    expect(provider.asked('/.well-known/openid-configuration')).toBe(before + 1)
    expect((await save({ issuer: `${provider.issuer}/elsewhere` })).refusal.code).toBe('signOn.unusable')
    expect((await save({ issuer: 'http://127.0.0.1:1' })).refusal.code).toBe('signOn.unreachable')
    expect((await save({ issuer: 'http://169.254.169.254' })).refusal.code).toBe('signOn.address')
    expect((await save({ issuer: 'javascript:alert(1)' })).refusal.code).toBe('request.invalid')
    expect((await save({ seq_id: at.customers.other })).refusal.code).toBe('record.missing')
    const now = at.clock.now
    at.clock.now = new Date(now.getTime() + 16 * 60_000)
    expect((await at.ask(signOn.save, at.who.admin, form())).refusal.code).toBe('session.stale')
    expect((await at.ask(signOn.remove, at.who.admin, {})).refusal.code).toBe('session.stale')
    expect((await at.ask(signOn.unlink, at.who.admin, { _id: at.who.a.account })).refusal.code).toBe('session.stale')
    at.clock.now = now
  })

  test('is gone once it is removed', async () => {
    expect((await at.ask(signOn.remove, at.who.admin, {})).status).toBe(200)
    expect((await at.ask(site.gsc, at.who.anonymous, {})).answer.signOn).toBeNull()
    expect((await new Browser().ask(signOn.begin, {})).refusal.code).toBe('signOn.off')
    expect((await at.ask(signOn.remove, at.who.admin, {})).refusal.code).toBe('signOn.off')
  })

  test('is asked on the internet only, unless the operator opens private networks; and needs a key that lasts', async () => {
    const usual = await world()
    const reply = await usual.ask(signOn.save, usual.who.admin, form())
    expect(reply.refusal.code).toBe('signOn.key')
    await usual.close()
    const keyed = await world({ served: () => ({ secrets: openSecrets('a key') }) })
    for (const issuer of [provider.issuer, 'https://127.0.0.1', 'https://2130706433', 'https://[::ffff:127.0.0.1]'])
      expect((await keyed.ask(signOn.save, keyed.who.admin, { ...form(), issuer })).refusal.code, issuer).toBe(
        'signOn.address',
      )
    await keyed.close()
  })
})
