/** Second factors: what lets somebody in, and what does not (docs/decisions/0034). */
import { createHash } from 'node:crypto'
import { TOTP, Secret } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { customers } from '#contract/customers.ts'
import { people } from '#contract/people.ts'
import { account, users, type Profile, type Step } from '#contract/session.ts'
import { openSecrets } from '../../secrets.ts'
import { Authenticator } from '../../testing/authenticator.ts'
import { replaceStatement } from '../../testing/races.ts'
import { pollOptions } from '../../testing/waiting.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'
import { lockAccount } from './sessions.sql.ts'

const origin = 'http://home.test'
const key = 'a key of the tests'
let at: World
beforeAll(async () => {
  at = await world({ served: () => ({ sendsMail: true, secrets: openSecrets(key) }) })
})
afterAll(() => at.close())
let nth = 0
beforeEach(() => at.query('delete from sign_in_failure'))

const tokenOf = (reply: { headers: Record<string, unknown> }): string =>
  [reply.headers['set-cookie'] ?? []]
    .flat()
    .map(text => String(text).split(';')[0] ?? '')
    .find(cookie => cookie.startsWith('wheelhouse=')) ?? ''

/** Somebody with an account of their own, who has just signed in. */
async function somebody(type: 'user' | 'admin' = 'user'): Promise<Principal> {
  const username = `somebody-${(nth += 1)}`
  const { answer } = await at.ask(customers.saveaccount, await freshAdmin(), {
    username,
    type,
    email: `${username}@home.test`,
    password,
    ...(type === 'user' && { seq_id: at.customers.a }),
  })
  await at.settlePassword(answer._id)
  const who = { ...at.who.a, name: username, account: answer._id, type, customer: answer.seq_id }
  const reply = await at.ask(users.authenticate, { ...who, cookie: null }, { username, password })
  return { ...who, cookie: tokenOf(reply) }
}
/** An administrator who has just signed in, by any clock. */
async function freshAdmin(): Promise<Principal> {
  const reply = await at.ask(users.authenticate, { ...at.who.admin, cookie: null }, { username: 'admin', password })
  return { ...at.who.admin, cookie: tokenOf(reply) }
}
const stranger = (who: Principal): Principal => ({ ...who, cookie: null })
const begin = async (who: Principal): Promise<Step> =>
  (await at.ask(users.authenticate, stranger(who), { username: who.name, password })).answer as Step
const codeOf = (seed: string, later = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(seed), timestamp: at.clock.now.getTime() + later * 30_000 })
const halfMinuteLater = () => (at.clock.now = new Date(at.clock.now.getTime() + 30_000))

async function addApp(who: Principal): Promise<{ seed: string; codes: string[] }> {
  const { answer } = await at.ask(account.offer, who, {})
  const { seed, sealed } = answer.app ?? { seed: '', sealed: '' }
  const added = await at.ask(account.addapp, who, { sealed, code: codeOf(seed) })
  expect(added.status, added.text).toBe(200)
  return { seed, codes: added.answer.codes }
}
async function addPasskey(who: Principal, passkey = new Authenticator()): Promise<Authenticator> {
  const { answer } = await at.ask(account.offer, who, {})
  const response = passkey.make({ challenge: answer.passkey.challenge, origin })
  const added = await at.ask(account.addpasskey, who, { name: 'Key ring', response })
  expect(added.status, added.text).toBe(200)
  return passkey
}
const tryCode = async (who: Principal, step: string, code: string) => {
  const reply = await at.ask(users.factor, stranger(who), { step, code })
  return { code: reply.refusal.code, who: (reply.answer as Profile).username, cookie: tokenOf(reply) }
}
const eventsOf = async (who: Principal): Promise<string[]> =>
  (
    await at.query<{ told: string }>(
      `select concat_ws(' ', kind, facts->>'factor') as told from security_event where account_id = $1 order by id`,
      [who.account],
    )
  ).map(({ told: text }) => text)
const mailsTo = async (who: Principal): Promise<string[]> =>
  (await at.query<{ kind: string }>('select kind from mail where account_id = $1 order by id', [who.account])).map(
    ({ kind }) => kind,
  )

describe('an authenticator app', () => {
  test('is asked for after the password, and each of its codes works once', async () => {
    const who = await somebody()
    const { seed } = await addApp(who)
    const step = await begin(who)
    expect(step).toMatchObject({ isAuthenticated: false, awaits: 'factor', methods: ['app', 'code'] })
    // the code that added it was used
    expect((await tryCode(who, step.step, codeOf(seed))).code).toBe('factor.wrong')
    halfMinuteLater()
    const now = codeOf(seed)
    const inside = await tryCode(who, step.step, ` ${now.slice(0, 3)} ${now.slice(3)}`)
    expect(inside.who).toBe(who.name)
    expect((await at.ask(users.loginstate, { ...who, cookie: inside.cookie }, {})).answer.isAuthenticated).toBe(true)
    // the step is used up, and so is the code
    expect((await tryCode(who, step.step, codeOf(seed, 1))).code).toBe('login.expired')
    expect((await tryCode(who, (await begin(who)).step, now)).code).toBe('factor.wrong')
    expect((await tryCode(who, (await begin(who)).step, codeOf(seed, 1))).who).toBe(who.name)
    // an hour from now is no tolerance of a clock
    expect((await tryCode(who, (await begin(who)).step, codeOf(seed, 120))).code).toBe('factor.wrong')
  })

  test('shows again who sits there with the password, as a recovery code does; neither does alone', async () => {
    const who = await somebody()
    const { seed, codes } = await addApp(who)
    at.clock.now = new Date(at.clock.now.getTime() + 16 * 60_000)
    const confirm = async (shown: { password?: string; code?: string }) =>
      (await at.ask(account.confirm, who, shown)).refusal.code
    const stale = async () => (await at.ask(account.offer, who, {})).refusal.code
    const code = codeOf(seed)
    expect(await confirm({ password })).toBe('factor.missing')
    expect(await confirm({ code })).toBe('request.invalid')
    expect(await confirm({ password: 'wrong', code })).toBe('account.password_wrong')
    expect(await confirm({ password, code: 'none of mine' })).toBe('factor.wrong')
    expect(await stale()).toBe('session.stale')
    expect(await confirm({ password, code })).toBeUndefined()
    expect(await stale()).toBeUndefined()
    expect(await confirm({ password, code })).toBe('factor.wrong')
    expect(await confirm({ password, code: codes[0] ?? '' })).toBeUndefined()
    expect(await confirm({ password, code: codes[0] ?? '' })).toBe('factor.wrong')
  })

  test('is guessed five times, and a right password gives no more tries', async () => {
    const who = await somebody()
    const { seed } = await addApp(who)
    halfMinuteLater()
    const wrong = codeOf(seed) === '000000' ? '111111' : '000000'
    const heard: string[] = []
    for (let time = 0; time < 6; time++) heard.push((await tryCode(who, (await begin(who)).step, wrong)).code)
    expect(heard).toEqual([...Array<string>(5).fill('factor.wrong'), 'login.too_many'])
    expect((await tryCode(who, (await begin(who)).step, codeOf(seed))).code).toBe('login.too_many')
    expect((await eventsOf(who)).slice(-2)).toEqual(['signInLocked', 'signInLocked'])
  })

  test('gives no more guesses to whoever shows a code again that was used', async () => {
    const who = await somebody()
    const { seed } = await addApp(who)
    const used = codeOf(seed)
    const wrong = used === '000000' ? '111111' : '000000'
    const heard: string[] = []
    for (const code of [wrong, wrong, wrong, wrong, used, wrong])
      heard.push((await tryCode(who, (await begin(who)).step, code)).code)
    expect(heard).toEqual([...Array<string>(5).fill('factor.wrong'), 'login.too_many'])
  })

  test('has its seed in no table in the clear, and is of nobody else', async () => {
    const [who, other] = [await somebody(), await somebody()]
    const { seed } = await addApp(who)
    const [kept] = await at.query<{ seed: Buffer }>('select seed from totp where account_id = $1', [who.account])
    const bytes = Buffer.from(Secret.fromBase32(seed).bytes)
    expect([kept?.seed.includes(bytes), kept?.seed.includes(seed)]).toEqual([false, false])
    expect(openSecrets(key).decrypt(kept?.seed ?? Buffer.alloc(0), `totp ${who.account}`)).toBe(seed)
    // an offer to one account is worthless to another, and a row moved to another account can't be decrypted
    const { answer } = await at.ask(account.offer, who, {})
    const { seed: offered, sealed } = answer.app ?? { seed: '', sealed: '' }
    const taken = await at.ask(account.addapp, other, { sealed, code: codeOf(offered) })
    expect(taken.refusal.code).toBe('factor.wrong')
    await addApp(other)
    await at.query('update totp set seed = $1 where account_id = $2', [kept?.seed, other.account])
    halfMinuteLater()
    expect((await tryCode(other, (await begin(other)).step, codeOf(seed))).code).toBe('factor.wrong')
  })

  test('that was offered waits ten minutes for its first code', async () => {
    const who = await somebody()
    const { answer } = await at.ask(account.offer, who, {})
    const { seed, sealed } = answer.app ?? { seed: '', sealed: '' }
    at.clock.now = new Date(at.clock.now.getTime() + 10 * 60_000 + 1000)
    expect((await at.ask(account.addapp, who, { sealed, code: codeOf(seed) })).refusal.code).toBe('factor.wrong')
  })
})

describe('recovery codes', () => {
  test('come with the first factor, let in once each, and are replaced whole', async () => {
    const who = await somebody()
    const { codes } = await addApp(who)
    expect(codes).toHaveLength(10)
    expect(codes[0]).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    const typed = (codes[0] ?? '').toUpperCase().replace('-', ' ')
    const inside = await tryCode(who, (await begin(who)).step, typed)
    expect(inside.who).toBe(who.name)
    expect((await tryCode(who, (await begin(who)).step, typed)).code).toBe('factor.wrong')
    const now = { ...who, cookie: inside.cookie }
    expect((await at.ask(account.factors, now, {})).answer).toMatchObject({ codes: 9, needed: false, passkeys: [] })
    const { answer } = await at.ask(account.renewcodes, now, {})
    expect((await tryCode(who, (await begin(who)).step, codes[1] ?? '')).code).toBe('factor.wrong')
    expect((await tryCode(who, (await begin(who)).step, answer.codes[1] ?? '')).who).toBe(who.name)
    // of another account they are wrong
    const other = await somebody()
    await addApp(other)
    expect((await tryCode(other, (await begin(other)).step, answer.codes[2] ?? '')).code).toBe('factor.wrong')
  })

  test('stay as they are when another factor is added, and go with the last one', async () => {
    const who = await somebody()
    await addApp(who)
    const { answer: offered } = await at.ask(account.offer, who, {})
    const response = new Authenticator().make({ challenge: offered.passkey.challenge, origin })
    expect((await at.ask(account.addpasskey, who, { name: 'Key ring', response })).answer.codes).toEqual([])
    await at.ask(account.removeapp, who, {})
    const { answer } = await at.ask(account.factors, who, {})
    expect(answer).toMatchObject({ app: null, codes: 10, passkeys: [{ name: 'Key ring', used: null }] })
    await at.ask(account.removepasskey, who, { _id: answer.passkeys[0]?._id ?? 0 })
    expect((await at.ask(account.factors, who, {})).answer).toMatchObject({ passkeys: [], app: null, codes: 0 })
    expect((await at.ask(account.renewcodes, who, {})).refusal.code).toBe('account.no_factor')
    expect((await at.ask(account.removeapp, who, {})).refusal.code).toBe('account.no_factor')
    expect((await begin(who)).isAuthenticated).toBe(true)
    expect((await eventsOf(who)).filter(event => event.startsWith('factor'))).toEqual([
      'factorAdded totp',
      'factorAdded passkey',
      'factorRemoved totp',
      'factorRemoved passkey',
    ])
    expect((await mailsTo(who)).filter(kind => kind === 'factorChanged')).toHaveLength(4)
  })
})

describe('a passkey', () => {
  const wanted = async (who: Principal, step?: string) =>
    (await at.ask(users.askpasskey, stranger(who), step === undefined ? {} : { step })).answer
  const show = async (who: Principal, response: ReturnType<Authenticator['show']>, step?: string) => {
    const reply = await at.ask(users.passkey, stranger(who), { response, ...(step !== undefined && { step }) })
    return { code: reply.refusal.code, who: (reply.answer as Profile).username, cookie: tokenOf(reply) }
  }

  test('is a second step', async () => {
    const who = await somebody()
    const passkey = await addPasskey(who)
    const { step, methods } = await begin(who)
    expect(methods).toEqual(['passkey', 'code'])
    const { challenge, allowCredentials } = await wanted(who, step)
    expect(allowCredentials?.map(({ id }) => id)).toEqual([passkey.id.toString('base64url')])
    const response = passkey.show({ challenge, origin, verified: false })
    expect((await show(who, response, step)).who).toBe(who.name)
    // neither the answer nor the step works again
    expect((await show(who, response, step)).code).toBe('login.expired')
    expect((await show(who, response, (await begin(who)).step)).code).toBe('factor.wrong')
  })

  test('is enough by itself, when its owner is shown to be there', async () => {
    const who = await somebody()
    const passkey = await addPasskey(who)
    const challenge = async () => ({ challenge: (await wanted(who)).challenge, origin })
    expect((await show(who, passkey.show({ ...(await challenge()), verified: false }))).code).toBe('factor.wrong')
    const inside = await show(who, passkey.show(await challenge()))
    expect(inside.who).toBe(who.name)
    expect((await at.ask(account.factors, { ...who, cookie: inside.cookie }, {})).answer.passkeys[0]?.used).toBeTruthy()
    // a password that somebody else has set is replaced all the same
    await at.query('update account set must_change_password = true where id = $1', [who.account])
    const reply = await at.ask(users.passkey, stranger(who), { response: passkey.show(await challenge()) })
    expect(reply.answer).toMatchObject({ isAuthenticated: false, awaits: 'password' })
    await at.query('update account set disabled_at = now() where id = $1', [who.account])
    expect((await show(who, passkey.show(await challenge()))).code).toBe('factor.wrong')
  })

  test('is refused forged, replayed, late, from another page, of another account or site, and copied', async () => {
    const [who, other] = [await somebody(), await somebody()]
    const [passkey, others] = [await addPasskey(who), await addPasskey(other)]
    const challenge = async (step?: string) => ({ challenge: (await wanted(who, step)).challenge, origin })

    const forged = passkey.show(await challenge())
    forged.response.signature = others.show(await challenge()).response.signature
    expect((await show(who, forged)).code).toBe('factor.wrong')

    const replayed = passkey.show(await challenge())
    expect((await show(who, replayed)).who).toBe(who.name)
    expect((await show(who, replayed)).code).toBe('factor.wrong')

    expect((await show(who, passkey.show({ challenge: 'bWFkZSB1cA', origin }))).code).toBe('factor.wrong')
    const elsewhere = { challenge: (await challenge()).challenge, origin: 'http://home.test.example.org' }
    expect((await show(who, passkey.show(elsewhere))).code).toBe('factor.wrong')

    const late = passkey.show(await challenge())
    at.clock.now = new Date(at.clock.now.getTime() + 5 * 60_000 + 1000)
    expect((await show(who, late)).code).toBe('factor.wrong')

    // the second step of one account is no passkey of another, nor a challenge that was not for this step
    const { step } = await begin(who)
    expect((await show(who, others.show(await challenge(step)), step)).code).toBe('factor.wrong')
    expect((await show(who, passkey.show(await challenge()), step)).code).toBe('factor.wrong')
    // neither is the step anything at another site
    const there = { ...stranger(who), host: 'other.test' }
    expect((await at.ask(users.askpasskey, there, { step })).refusal.code).toBe('login.expired')

    const atOther = { challenge: (await wanted(there)).challenge, origin: 'http://other.test' }
    expect((await show(there, passkey.show(atOther))).code).toBe('factor.wrong')

    // an authenticator that counts its uses, and a copy that does not know of the latest
    expect((await show(who, passkey.show({ ...(await challenge()), counter: 5 }))).who).toBe(who.name)
    expect((await show(who, passkey.show({ ...(await challenge()), counter: 5 }))).code).toBe('factor.wrong')
    expect((await show(who, passkey.show({ ...(await challenge()), counter: 6 }))).who).toBe(who.name)
    expect((await eventsOf(who)).filter(event => event === 'signInWrong').length).toBeGreaterThan(5)
  })

  test('is added once, from what was offered to this account, and no more than ten are', async () => {
    const [who, other] = [await somebody(), await somebody()]
    const passkey = await addPasskey(who)
    const make = async (authenticator: Authenticator, whose: Principal, by: Principal, from = origin) => {
      const { challenge } = (await at.ask(account.offer, whose, {})).answer.passkey
      const response = authenticator.make({ challenge, origin: from })
      return (await at.ask(account.addpasskey, by, { name: 'Mine', response })).refusal.code
    }
    expect(await make(passkey, other, other)).toBe('factor.wrong')
    expect(await make(new Authenticator(), who, other)).toBe('factor.wrong')
    expect(await make(new Authenticator(), other, other, 'http://home.test.example.org')).toBe('factor.wrong')
    for (let more = 1; more < 10; more++) await addPasskey(who)
    expect(await make(new Authenticator(), who, who)).toBe('account.too_many_passkeys')
  })

  test('shows again who sits there by itself, or beside the password when it does not verify its owner', async () => {
    const who = await somebody()
    const passkey = await addPasskey(who)
    at.clock.now = new Date(at.clock.now.getTime() + 16 * 60_000)
    const changes = [
      await at.ask(account.offer, who, {}),
      await at.ask(account.renewcodes, who, {}),
      await at.ask(account.removepasskey, who, { _id: 1 }),
      await at.ask(account.removeapp, who, {}),
      await at.ask(account.addapp, who, { sealed: 'x', code: '1' }),
    ]
    expect(changes.map(({ refusal }) => refusal.code)).toEqual(changes.map(() => 'session.stale'))
    const { challenge } = (await at.ask(account.askpasskey, who, {})).answer
    const others = new Authenticator().show({ challenge, origin })
    expect((await at.ask(account.confirm, who, { passkey: others })).refusal.code).toBe('factor.wrong')
    const again = (await at.ask(account.askpasskey, who, {})).answer.challenge
    const shown = passkey.show({ challenge: again, origin })
    expect((await at.ask(account.confirm, who, { passkey: shown })).status).toBe(200)
    expect((await at.ask(account.renewcodes, who, {})).answer.codes).toHaveLength(10)
    expect((await at.ask(account.askpasskey, await somebody(), {})).refusal.code).toBe('account.no_factor')

    const touched = async (alone: boolean) => {
      const { answer } = await at.ask(account.askpasskey, who, { alone })
      return { asked: answer.userVerification, shown: passkey.show({ ...answer, origin, verified: false }) }
    }
    const byItself = await touched(true)
    expect(byItself.asked).toBe('required')
    expect((await at.ask(account.confirm, who, { passkey: byItself.shown })).refusal.code).toBe('factor.wrong')
    const beside = await touched(false)
    expect(beside.asked).toBe('preferred')
    const wrong = await at.ask(account.confirm, who, { passkey: beside.shown, password: 'wrong' })
    expect(wrong.refusal.code).toBe('account.password_wrong')
    expect((await at.ask(account.confirm, who, { passkey: beside.shown, password })).status).toBe(200)
  })

  test('stays its owner’s when the account goes to another customer', async () => {
    const who = await somebody()
    const passkey = await addPasskey(who)
    await at.ask(customers.saveaccount, await freshAdmin(), { _id: who.account, seq_id: at.customers.b, type: 'user' })
    const inside = await show(who, passkey.show({ challenge: (await wanted(who)).challenge, origin }))
    const moved = await at.ask(account.factors, { ...who, cookie: inside.cookie }, {})
    expect(moved.answer.passkeys).toHaveLength(1)
  })
})

describe('where a second step is asked for', () => {
  test('an administrator without one adds it while signing in, and does not remove the last', async () => {
    const who = await somebody('admin')
    await at.query('update site set admins_need_factor = true where id = $1', [at.sites.home])
    try {
      expect((await begin(await somebodyOf(at.who.a))).isAuthenticated).toBe(true)
      const { step, awaits, methods } = await begin(who)
      expect([awaits, methods]).toEqual(['enrolment', ['passkey', 'app']])
      expect((await at.ask(users.factor, stranger(who), { step, code: '123456' })).refusal.code).toBe('login.expired')
      const { answer: offered } = await at.ask(users.offer, stranger(who), { step })
      const { seed, sealed } = offered.app ?? { seed: '', sealed: '' }
      const wrong = await at.ask(users.enrolapp, stranger(who), { step, sealed, code: '12' })
      expect(wrong.refusal.code).toBe('factor.wrong')
      const reply = await at.ask(users.enrolapp, stranger(who), { step, sealed, code: codeOf(seed) })
      expect(reply.answer).toMatchObject({ next: { isAuthenticated: true, username: who.name } })
      expect(reply.answer.codes).toHaveLength(10)
      const inside = { ...who, cookie: tokenOf(reply) }
      expect((await at.ask(account.factors, inside, {})).answer.needed).toBe(true)
      expect((await at.ask(account.removeapp, inside, {})).refusal.code).toBe('account.factor_needed')
      expect((await at.ask(account.factors, inside, {})).answer.app).not.toBeNull()
      // the same with a passkey
      const other = await enrolling('admin')
      const passkey = new Authenticator()
      const { challenge } = (await at.ask(users.offer, stranger(other.who), { step: other.step })).answer.passkey
      const response = passkey.make({ challenge, origin })
      const added = await at.ask(users.enrolpasskey, stranger(other.who), {
        step: other.step,
        name: 'Key ring',
        response,
      })
      expect(added.answer.next).toMatchObject({ isAuthenticated: true })
    } finally {
      await at.query('update site set admins_need_factor = false where id = $1', [at.sites.home])
    }
  })

  test('nobody adds one to a sign-in that began before its owner did', async () => {
    await at.query('update site set admins_need_factor = true where id = $1', [at.sites.home])
    try {
      const { who, step } = await enrolling('admin')
      const passkey = new Authenticator()
      const { answer: offered } = await at.ask(users.offer, stranger(who), { step })
      const { seed, sealed } = offered.app ?? { seed: '', sealed: '' }
      const own = (await begin(who)).step
      const first = (await at.ask(users.offer, stranger(who), { step: own })).answer.app ?? { seed: '', sealed: '' }
      const enrolled = await at.ask(users.enrolapp, stranger(who), {
        step: own,
        sealed: first.sealed,
        code: codeOf(first.seed),
      })
      expect(enrolled.status).toBe(200)
      const response = passkey.make({ challenge: offered.passkey.challenge, origin })
      // also when the step were still there: it was begun when there was nothing to show
      await at.query(
        `insert into sign_in_step (hash, account_id, site_id, awaits, password, passed, expires_at)
         select $1, id, site_id, 'enrolment', password, false, $2::timestamptz + interval '10 minutes' from account where id = $3
         on conflict do nothing`,
        [createHash('sha256').update(step).digest(), at.clock.now, who.account],
      )
      const late = [
        await at.ask(users.offer, stranger(who), { step }),
        await at.ask(users.enrolapp, stranger(who), { step, sealed, code: codeOf(seed) }),
        await at.ask(users.enrolpasskey, stranger(who), { step, name: 'Thief', response }),
      ]
      expect(late.map(({ refusal }) => refusal.code)).toEqual(Array<string>(3).fill('login.expired'))
      halfMinuteLater()
      expect((await tryCode(who, (await begin(who)).step, codeOf(first.seed))).who).toBe(who.name)
    } finally {
      await at.query('update site set admins_need_factor = false where id = $1', [at.sites.home])
    }
  })

  test('a step that is answered twice at once lets in once', async () => {
    await at.query('update site set admins_need_factor = true where id = $1', [at.sites.home])
    try {
      const { who, step } = await enrolling('admin')
      const { answer: offered } = await at.ask(users.offer, stranger(who), { step })
      const { seed, sealed } = offered.app ?? { seed: '', sealed: '' }
      const response = new Authenticator().make({ challenge: offered.passkey.challenge, origin })
      const both = await Promise.all([
        at.ask(users.enrolapp, stranger(who), { step, sealed, code: codeOf(seed) }),
        at.ask(users.enrolpasskey, stranger(who), { step, name: 'Key ring', response }),
      ])
      expect(both.map(({ status }) => status).toSorted((first, other) => first - other)).toEqual([200, 401])
      const kept = await at.query(
        'select from passkey where account_id = $1 union all select from totp where account_id = $1',
        [who.account],
      )
      expect(kept).toHaveLength(1)
    } finally {
      await at.query('update site set admins_need_factor = false where id = $1', [at.sites.home])
    }
  })

  /** Removes both factors of an administrator at the same moment; the statuses of the answers. */
  async function removeBoth(): Promise<number[]> {
    const who = await somebody('admin')
    await addApp(who)
    await addPasskey(who)
    const [row] = await at.query<{ id: number }>('select id from passkey where account_id = $1', [who.account])
    await at.query('update site set admins_need_factor = true where id = $1', [at.sites.home])
    try {
      // each has removed its own, or waits for the other, before either is committed
      await at.admin.query('begin')
      await at.admin.query('lock table security_event in share row exclusive mode')
      const both = Promise.all([
        at.ask(account.removeapp, who, {}),
        at.ask(account.removepasskey, who, { _id: row?.id ?? 0 }),
      ])
      await vi.waitUntil(async () => {
        const waiting = await at.admin.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.rowCount === 2
      }, pollOptions)
      await at.admin.query('commit')
      return (await both).map(({ status }) => status).toSorted((first, other) => first - other)
    } finally {
      await at.query('update site set admins_need_factor = false where id = $1', [at.sites.home])
    }
  }

  test('of two factors that are removed at once, one stays, by the lock on the account', async () => {
    expect(await removeBoth()).toEqual([200, 409])
    const restore = replaceStatement(lockAccount, text => text.replace(' for update', ''))
    expect(await removeBoth().finally(restore)).toEqual([200, 200])
  })

  test('the operator asks it of superusers', async () => {
    const strict = await world({ served: () => ({ superusersNeedFactor: true }) })
    const superuser = { ...strict.who.superuser, cookie: null }
    const step = await strict.ask(users.authenticate, superuser, { username: 'superuser', password })
    await strict.close()
    // without SECRET_KEY no app can be kept
    expect(step.answer).toMatchObject({ awaits: 'enrolment', methods: ['passkey'] })
  })

  const somebodyOf = async ({ name, account: id }: Principal): Promise<Principal> => ({
    ...at.who.a,
    name,
    account: id,
  })
  async function enrolling(type: 'admin'): Promise<{ who: Principal; step: string }> {
    const username = `somebody-${(nth += 1)}`
    const [row] = await at.query<{ id: number }>(
      `insert into account (site_id, username, type, password)
       select site_id, $1, $2, password from account where id = $3 returning id`,
      [username, type, at.who.admin.account],
    )
    const who = { ...at.who.admin, name: username, account: row?.id ?? 0 }
    return { who, step: (await begin(who)).step }
  }
})

test('an administrator removes it for somebody who has lost it, and nobody else does', async () => {
  const who = await somebody()
  const admin = await freshAdmin()
  expect((await at.ask(customers.resetfactors, admin, { _id: who.account })).refusal.code).toBe('account.no_factor')
  await addPasskey(who)
  await addApp(who)
  const listed = async () =>
    (await at.ask(customers.accounts, admin, { seq_id: at.customers.a })).answer.find(({ _id }) => _id === who.account)
  expect((await listed())?.second_step).toBe(true)
  const refused = [
    await at.ask(customers.resetfactors, who, { _id: who.account }),
    await at.ask(customers.resetfactors, at.who.otherAdmin, { _id: who.account }),
    await at.ask(customers.resetfactors, admin, { _id: admin.account }),
  ]
  expect(refused.map(({ refusal }) => refusal.code)).toEqual(['session.forbidden', 'session.stale', 'account.own'])
  expect((await at.ask(customers.resetfactors, admin, { _id: who.account })).answer.second_step).toBe(false)
  // the authenticator no longer admits its holder
  expect((await at.ask(users.loginstate, who, {})).answer.isAuthenticated).toBe(false)
  expect((await begin(who)).isAuthenticated).toBe(true)
  expect(await at.query('select from recovery_code where account_id = $1', [who.account])).toEqual([])
  expect((await eventsOf(who)).filter(event => event.startsWith('factorRemoved'))).toEqual([
    'factorRemoved passkey',
    'factorRemoved totp',
  ])
})

test('is handed out with the data of its owner, and nothing of it is left of an erased account', async () => {
  const who = await somebody()
  await addPasskey(who)
  await addApp(who)
  const details = await at.ask(people.account, await freshAdmin(), { _id: who.account })
  expect(details.answer.factors.map(({ name }) => name)).toEqual(['Key ring', 'Authenticator app'])
  await at.ask(people.eraseaccount, await freshAdmin(), { _id: who.account })
  for (const table of ['passkey', 'totp', 'recovery_code'])
    expect(await at.query(`select from ${table} where account_id = $1`, [who.account])).toEqual([])
})
