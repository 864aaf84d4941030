import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountHeader, unattendedHeader } from '#contract/call.ts'
import { users } from '#contract/session.ts'
import { verifyPassword, hashPassword } from './password.ts'
import { serve } from '../../http/serve.ts'
import { invalidateSessions, deleteExpired } from './sessions.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

/** Signs in and gives the principal its new cookie. */
async function signIn(who: Principal, credentials = { username: who.name, password }): Promise<Principal> {
  const reply = await at.ask(users.authenticate, who, credentials)
  expect(reply.status, reply.text).toBe(200)
  const cookie = String(reply.headers['set-cookie'])
  return { ...who, cookie: cookie.split(';')[0] ?? '' }
}
const stranger = (who: Principal): Principal => ({ ...who, cookie: null })

test('a sign-in answers the profile and starts a session of which only a hash is stored', async () => {
  const reply = await at.ask(users.authenticate, stranger(at.who.a), { username: 'CUSTOMER-A', password })
  expect(reply.answer).toEqual({
    isAuthenticated: true,
    username: 'customer-a',
    fullname: 'Full customer-a',
    type: 'user',
    lang: 'eng',
    lang_iso: 'en',
    seq_id: at.customers.a,
  })
  const [cookie = '', device] = reply.headers['set-cookie'] as string[]
  expect(cookie).toMatch(/^wheelhouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(device).toMatch(/^wheelhouse-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  const token = cookie.slice('wheelhouse='.length).split(';')[0] ?? ''
  const [kept] = await at.query<{ found: boolean; plain: boolean }>(
    `select exists (select from session where token_hash = $1) as found, exists (select from session where token_hash = convert_to($2, 'UTF8')) as plain`,
    [createHash('sha256').update(token).digest(), token],
  )
  expect(kept).toEqual({ found: true, plain: false })
})

test('over https the cookie is bound to host and https, and HSTS is sent', async () => {
  const ask = (app: FastifyInstance) =>
    app.inject({
      method: 'POST',
      url: '/users/authenticate',
      headers: { host: 'home.test', 'x-forwarded-proto': 'https' },
      payload: { username: 'customer-b', password },
    })
  // without TRUST_PROXY the header is not believed
  const direct = await ask(at.app)
  expect(String(direct.headers['set-cookie'])).toMatch(/^wheelhouse=/)
  expect(direct.headers['strict-transport-security']).toBeUndefined()
  const proxied = await serve({ database: at.database, trustProxy: 1 })
  try {
    const reply = await ask(proxied)
    const [cookie, device] = reply.headers['set-cookie'] as string[]
    expect(cookie).toMatch(/^__Host-wheelhouse=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(device).toMatch(/^__Host-wheelhouse-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure;/)
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000')
  } finally {
    await proxied.close()
  }
})

test('behind a proxy a forged client address does not evade the limit', async () => {
  const proxied = await serve({ database: at.database, trustProxy: 1 })
  const statuses: number[] = []
  try {
    for (let nth = 0; nth < 6; nth++) {
      const reply = await proxied.inject({
        method: 'POST',
        url: '/users/authenticate',
        headers: { host: 'home.test', 'x-forwarded-for': `10.3.0.${nth}, 10.4.0.1` },
        payload: { username: 'customer-b', password: 'wrong' },
      })
      statuses.push(reply.statusCode)
    }
  } finally {
    await proxied.close()
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

test('the login state answers who is signed in', async () => {
  expect((await at.ask(users.loginstate, at.who.admin, {})).answer).toMatchObject({
    isAuthenticated: true,
    type: 'admin',
    seq_id: null,
  })
  expect((await at.ask(users.loginstate, at.who.anonymous, {})).answer).toEqual({ isAuthenticated: false })
})

test('an account of another site is not signed in here', async () => {
  const elsewhere = { ...at.who.a, host: 'other.test' }
  expect((await at.ask(users.loginstate, elsewhere, {})).answer).toEqual({ isAuthenticated: false })
  const both = await signIn(stranger(at.who.otherUser))
  expect((await at.ask(users.loginstate, both, {})).answer).toMatchObject({ seq_id: at.customers.other })
})

test('somebody who is signed in signs in as somebody else', async () => {
  const customer = await signIn(stranger(at.who.a))
  for (const name of ['customer-b', 'admin', 'superuser']) {
    const other = await signIn({ ...customer, name })
    expect((await at.ask(users.loginstate, other, {})).answer).toMatchObject({ username: name })
  }
  // the first session ended with the first change, here too
  expect((await at.ask(users.loginstate, customer, {})).answer).toEqual({ isAuthenticated: false })
})

test('a superuser signs in also where no site is', async () => {
  const who = await signIn({ ...stranger(at.who.superuser), host: 'nobody.test' })
  expect((await at.ask(users.loginstate, who, {})).answer).toMatchObject({ type: 'superuser' })
})

test('expired sessions and failures are deleted', async () => {
  await signIn(stranger(at.who.b))
  await at.query(`insert into sign_in_failure (subject, address, at) values ('x', 'y', now() - interval '2 days')`)
  const count = async (table: string): Promise<number> => (await at.query(`select from ${table}`)).length
  const kept = await count('session')
  await deleteExpired(at.database, at.clock.now)
  expect(await count('session')).toBe(kept)
  expect(await at.query(`select from sign_in_failure where subject = 'x'`)).toEqual([])
  await at.query(`update session set seen_at = seen_at - interval '13 hours' where account_id = $1`, [at.who.b.account])
  await deleteExpired(at.database, at.clock.now)
  expect(await at.query(`select from session where account_id = $1`, [at.who.b.account])).toEqual([])
})

test('a superuser signs in at every address', async () => {
  for (const host of ['home.test', 'other.test']) {
    const who = await signIn({ ...stranger(at.who.superuser), host })
    expect((await at.ask(users.loginstate, who, {})).answer).toMatchObject({ type: 'superuser' })
  }
})

test('a session is new at login and gone after logout, also in the cache of this node', async () => {
  const first = await signIn(stranger(at.who.b))
  const second = await signIn(first)
  expect(second.cookie).not.toBe(first.cookie)
  expect((await at.ask(users.loginstate, second, {})).answer).toMatchObject({ isAuthenticated: true })
  const out = await at.ask(users.logout, second, {})
  expect(String(out.headers['set-cookie'])).toMatch(/^wheelhouse=;/)
  expect((await at.ask(users.loginstate, second, {})).answer).toEqual({ isAuthenticated: false })
  invalidateSessions(at.database)
  expect((await at.ask(users.loginstate, first, {})).answer).toEqual({ isAuthenticated: false })
})

test('a session ends when its account is disabled, after 12 idle hours and after 14 days in any case', async () => {
  const was = at.clock.now
  const later = (hours: number): void => {
    at.clock.now = new Date(was.getTime() + hours * 3_600_000)
  }
  const state = async (who: Principal): Promise<boolean> => {
    invalidateSessions(at.database)
    return (await at.ask(users.loginstate, who, {})).answer.isAuthenticated
  }
  const who = await signIn(stranger(at.who.b))
  later(11.9)
  expect(await state(who)).toBe(true)
  later(11.9 + 12.1)
  expect(await state(who)).toBe(false)
  at.clock.now = was
  const busy = await signIn(stranger(at.who.b))
  for (let hours = 0; hours < 14 * 24; hours += 11) {
    later(hours)
    expect(await state(busy), `after ${hours} hours`).toBe(true)
  }
  later(14 * 24 + 1)
  expect(await state(busy)).toBe(false)
  at.clock.now = was
  const disabled = await signIn(stranger(at.who.b))
  await at.query('update account set disabled_at = now() where id = $1', [at.who.b.account])
  expect(await state(disabled)).toBe(false)
  expect(
    (await at.ask(users.authenticate, stranger(at.who.b), { username: at.who.b.name, password })).refusal.code,
  ).toBe('login.wrong')
  await at.query('update account set disabled_at = null where id = $1', [at.who.b.account])
})

test('an unknown name and a wrong password get the same answer, and five failures block that account at that address only', async () => {
  const wrong = (username: string, address: string) =>
    at.app.inject({
      method: 'POST',
      url: '/users/authenticate',
      headers: { host: 'home.test' },
      remoteAddress: address,
      payload: { username, password: 'wrong' },
    })
  const plain = (text: string): string => text.replace(/"requestId":"[^"]*"/, '')
  const unknown = await wrong('nobody-of-this-name', '10.0.0.1')
  const refusal = await wrong('admin', '10.0.0.1')
  expect(unknown.statusCode).toBe(401)
  expect(plain(refusal.payload)).toBe(plain(unknown.payload))
  for (let nth = 2; nth <= 5; nth++) expect((await wrong('admin', '10.0.0.1')).statusCode).toBe(401)
  const sixth = await wrong('ADMIN', '10.0.0.1')
  expect(sixth.statusCode).toBe(429)
  expect(sixth.headers['retry-after']).toBe('900')
  expect(JSON.parse(sixth.payload)).toMatchObject({ code: 'login.too_many' })
  // the owner elsewhere is not locked out, and neither is another account here
  expect((await wrong('admin', '10.0.0.2')).statusCode).toBe(401)
  const owner = await at.app.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: { host: 'home.test' },
    remoteAddress: '10.0.0.3',
    payload: { username: 'admin', password },
  })
  expect(owner.statusCode).toBe(200)
})

test('parallel guesses are counted like any other', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () =>
      at.app.inject({
        method: 'POST',
        url: '/users/authenticate',
        headers: { host: 'home.test' },
        remoteAddress: '10.0.1.1',
        payload: { username: 'customer-b', password: 'wrong' },
      }),
    ),
  )
  const answers = guesses.map(reply => reply.statusCode).sort()
  expect(answers).toEqual([...Array<number>(5).fill(401), ...Array<number>(15).fill(429)])
})

test('one address is blocked after fifty failures whatever the names', { tags: 'whole' }, async () => {
  const guess = (username: string) =>
    at.app.inject({
      method: 'POST',
      url: '/users/authenticate',
      headers: { host: 'home.test' },
      remoteAddress: '10.0.2.1',
      payload: { username, password: 'wrong' },
    })
  for (let nth = 0; nth < 50; nth++) expect((await guess(`name${nth}`)).statusCode).toBe(401)
  expect((await guess('name50')).statusCode).toBe(429)
})

test('what a page asks for by itself keeps no session alive, and what its user does keeps it', async () => {
  const began = at.clock.now
  const { cookie } = await signIn(stranger(at.who.a))
  const ask = async (hours: number, headers: Record<string, string>) => {
    at.clock.now = new Date(began.getTime() + hours * 3_600_000)
    return (await at.send('/fleet/fetch', { ...at.who.a, cookie }, {}, headers)).status
  }
  const byItself = { [unattendedHeader]: '1' }
  try {
    expect(await ask(1, {})).toBe(200)
    for (const hours of [5, 9, 12.9]) expect(await ask(hours, byItself)).toBe(200)
    expect(await ask(13.1, byItself)).toBe(401)
    expect(await ask(13.1, {})).toBe(401)
  } finally {
    at.clock.now = began
  }
})

test('a request that was made for another account than its session has is refused, and changes nothing', async () => {
  const move = async (account: string) =>
    await at.send('/users/language', at.who.a, { lang: 'fre' }, { [accountHeader]: encodeURIComponent(account) })
  const language = async () => (await at.ask(users.loginstate, at.who.a, {})).answer
  const before = await language()
  const refused = await move('admin')
  expect([refused.status, refused.refusal.code]).toEqual([409, 'session.other_account'])
  expect(await language()).toEqual(before)
  expect((await move((before as { username: string }).username)).status).toBe(200)
  // a request that names no account is made for the one that is signed in
  expect((await at.send('/users/language', at.who.a, { lang: 'eng' })).status).toBe(200)
  // without a session it is that which is missing
  const signedOut = await at.send('/fleet/fetch', { ...at.who.a, cookie: '' }, {}, { [accountHeader]: 'admin' })
  expect(signedOut.refusal.code).toBe('session.missing')
})

test('the language stays with the account', async () => {
  expect((await at.ask(users.language, at.who.a, { lang: 'dut' })).answer).toMatchObject({
    lang: 'dut',
    lang_iso: 'nl',
  })
  expect((await at.ask(users.loginstate, at.who.a, {})).answer).toMatchObject({ lang: 'dut' })
  const again = await signIn(stranger(at.who.a))
  expect((await at.ask(users.loginstate, again, {})).answer).toMatchObject({ lang: 'dut' })
})

test('cross-site requests are refused', async () => {
  const attempts: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of attempts) {
    const reply = await at.send('/users/language', at.who.a, { lang: 'ger' }, headers)
    expect([reply.status, reply.refusal.code], JSON.stringify(headers)).toEqual([403, 'request.foreign_origin'])
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const reply = await at.app.inject({
      method: 'POST',
      url: '/users/language',
      headers: { host: 'home.test', cookie: at.who.a.cookie ?? '', 'content-type': type },
      payload: '{"lang":"ger"}',
    })
    expect(reply.statusCode, type).toBe(415)
  }
  expect((await at.ask(users.loginstate, at.who.a, {})).answer).toMatchObject({ lang: 'dut' })
  const own = await at.send(
    '/users/language',
    at.who.a,
    { lang: 'fre' },
    { origin: 'http://home.test', 'sec-fetch-site': 'same-origin' },
  )
  expect(own.status).toBe(200)
})

test('every answer carries the security headers', async () => {
  for (const url of ['/users/loginstate', '/nowhere']) {
    const reply = await at.app.inject({ method: 'POST', url, headers: { host: 'home.test' } })
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.headers['cache-control']).toBe('no-store')
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-(inline|eval)/)
  }
})

test('a malformed body is refused in the same shape', async () => {
  const broken = await at.app.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: { host: 'home.test', 'content-type': 'application/json' },
    payload: '{"username": ',
  })
  expect([broken.statusCode, JSON.parse(broken.payload).code]).toEqual([400, 'request.invalid'])
  const large = await at.app.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: { host: 'home.test', 'content-type': 'application/json' },
    payload: JSON.stringify({ username: 'x'.repeat(2_000_000), password }),
  })
  expect([large.statusCode, JSON.parse(large.payload).code]).toEqual([413, 'request.too_large'])
  const listed = await at.send('/users/authenticate', at.who.anonymous, [1, 2])
  expect(listed.refusal.code).toBe('request.invalid')
  const named = await at.send('/users/authenticate', at.who.anonymous, { username: 'x' })
  expect(named.refusal).toMatchObject({ code: 'request.invalid', params: { fields: ['password'] } })
})

test('a password matches its hash and no other does', async () => {
  const hash = await hashPassword('wïelbout ✓')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('wïelbout ✓'.normalize('NFD'), hash)).toBe(true)
  expect(await verifyPassword('wielbout', hash)).toBe(false)
  expect(await verifyPassword('wielbout', 'not a hash')).toBe(false)
})
