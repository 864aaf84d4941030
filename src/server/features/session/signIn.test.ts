/** Lockouts by wrong passwords, their exceptions, and the steps between a password and a session (docs/decisions/0033). */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { audit } from '#contract/logs.ts'
import { account, users } from '#contract/session.ts'
import { customers } from '#contract/customers.ts'
import { people } from '#contract/people.ts'
import { security } from '#contract/logs.ts'
import { statement } from '../../db/statement.ts'
import { text } from '../../db/types.ts'
import { serve } from '../../http/serve.ts'
import { openSecrets } from '../../secrets.ts'
import { saveChange } from '../../testing/config.ts'
import { replaceStatement } from '../../testing/races.ts'
import { countHashes, recordStatements } from '../../testing/recorded.ts'
import { pollOptions } from '../../testing/waiting.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'
import { addReset } from '../mail/mail.sql.ts'
import { lockAttempts } from './attempts.sql.ts'
import { makeCodes } from './codes.ts'
import { hashesAtOnce, hashPassword } from './password.ts'

let at: World
beforeAll(async () => {
  at = await world({ served: () => ({ sendsMail: true, secrets: openSecrets('a key of the tests') }) })
})
afterAll(() => at.close())
beforeEach(() => at.query('delete from sign_in_failure'))

type Tried = { username: string; password?: string; from: string; host?: string; device?: string; agent?: string }
async function trySignIn(
  { username, password: typed = 'wrong', from, host = 'home.test', device, agent }: Tried,
  node = at.app,
) {
  const reply = await node.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: {
      host,
      ...(device !== undefined && { cookie: `wheelhouse-device=${device}` }),
      ...(agent !== undefined && { 'user-agent': agent }),
    },
    remoteAddress: from,
    payload: { username, password: typed },
  })
  const cookies = [reply.headers['set-cookie'] ?? []].flat().map(text => text.split(';')[0] ?? '')
  const valueOf = (name: string) => cookies.find(cookie => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
  return {
    status: reply.statusCode,
    code: (reply.json() as { code?: string }).code,
    answer: reply.json() as { isAuthenticated: boolean; awaits?: string; step?: string },
    device: valueOf('wheelhouse-device'),
    cookie: `wheelhouse=${valueOf('wheelhouse') ?? ''}`,
  }
}

const failures = async (username: string, from: string, times: number, host?: string): Promise<number[]> => {
  const statuses: number[] = []
  for (let nth = 0; nth < times; nth++) {
    statuses.push((await trySignIn({ username, from, ...(host && { host }) })).status)
  }
  return statuses
}
/** Adds failures that happened before, without taking the time to try them. */
const failedBefore = (subject: string, from: string, times: number) =>
  at.query(
    `insert into sign_in_failure (subject, site_id, address, at) select $1, $2, $3, $4 from generate_series(1, $5)`,
    [subject, at.sites.home, from, at.clock.now, times],
  )
const mailsTo = async (who: Principal): Promise<string[]> =>
  (await at.query<{ kind: string }>('select kind from mail where account_id = $1 order by id', [who.account])).map(
    ({ kind }) => kind,
  )
const withAddress = (who: Principal) =>
  at.query(`update account set email = 'somebody@home.test' where id = $1`, [who.account])

/** An administrator whose session begins now, by any clock. */
async function freshAdmin(): Promise<Principal> {
  const { cookie } = await trySignIn({ username: 'admin', password, from: '10.0.0.1' })
  return { ...at.who.admin, cookie }
}

describe('a shared network', () => {
  test('whose address has too many failures lets in who signed in there before, and nobody else', async () => {
    const reply = await trySignIn({ username: 'admin', password, from: '10.1.0.1' })
    expect(reply.device).toBeTruthy()
    await failedBefore('name somebody', '10.1.0.1', 50)
    expect((await trySignIn({ username: 'admin', password, from: '10.1.0.1' })).status).toBe(429)
    const again = await trySignIn({ username: 'admin', password, from: '10.1.0.1', device: reply.device ?? '' })
    expect(again.status).toBe(200)
    // the device is known for that account only, and a made-up one for none
    const other = await trySignIn({ username: 'customer-b', password, from: '10.1.0.1', device: reply.device ?? '' })
    expect(other.status).toBe(429)
    expect((await trySignIn({ username: 'admin', password, from: '10.1.0.1', device: 'made-up' })).status).toBe(429)
  })

  test('is counted at each site by itself', async () => {
    await failedBefore('name somebody', '10.1.0.2', 50)
    expect((await trySignIn({ username: 'admin', password, from: '10.1.0.2' })).status).toBe(429)
    expect((await trySignIn({ username: 'admin', password, from: '10.1.0.2', host: 'other.test' })).status).toBe(200)
  })

  test('counts the wrong passwords of a known device by that device', async () => {
    const { device = '' } = await trySignIn({ username: 'customer-b', password, from: '10.1.0.3' })
    for (let nth = 0; nth < 5; nth++)
      expect((await trySignIn({ username: 'customer-b', from: `10.1.1.${nth}`, device })).status).toBe(401)
    expect((await trySignIn({ username: 'customer-b', password, from: '10.1.1.9', device })).status).toBe(429)
    expect((await trySignIn({ username: 'customer-b', password, from: '10.1.1.9' })).status).toBe(200)
  })
})

describe('an account that is guessed from many addresses', () => {
  test('is closed to strangers for a day, its owner is told once, and works on on a known device', async () => {
    await withAddress(at.who.a)
    const { device = '' } = await trySignIn({ username: 'customer-a', password, from: '10.2.0.1' })
    await failedBefore(`account ${at.who.a.account}`, '10.9.9.9', 98)
    const before = (await mailsTo(at.who.a)).length
    for (const from of ['10.2.1.1', '10.2.1.2', '10.2.1.3', '10.2.1.4'])
      await trySignIn({ username: 'customer-a', from })
    expect((await mailsTo(at.who.a)).slice(before)).toEqual(['locked'])
    const stranger = await trySignIn({ username: 'customer-a', password, from: '10.2.1.5' })
    expect([stranger.status, stranger.code]).toEqual([429, 'login.locked'])
    expect((await trySignIn({ username: 'customer-a', password, from: '10.2.1.5', device })).status).toBe(200)
    at.clock.now = new Date(at.clock.now.getTime() + 24 * 3_600_000 + 1000)
    expect((await trySignIn({ username: 'customer-a', password, from: '10.2.1.5' })).status).toBe(200)
  })
})

describe('guesses at two nodes', () => {
  /** A node of another process, as far as modules go: it shares the database and nothing else. */
  async function otherNode() {
    vi.resetModules()
    const [fresh, { openDatabase }, statements] = await Promise.all([
      import('../../http/serve.ts'),
      import('../../db/database.ts'),
      import('./attempts.sql.ts'),
    ])
    const database = openDatabase(at.appUrl, { size: 8, checkRows: true })
    const app = await fresh.serve({ database, limits: null, clock: () => at.clock.now })
    const close = () => app.close().then(() => database.close())
    return { app, lockAttempts: statements.lockAttempts, close }
  }
  let other: Awaited<ReturnType<typeof otherNode>>
  beforeAll(async () => {
    other = await otherNode()
  })
  afterAll(() => other.close())

  const guesses = async (count: number): Promise<number[]> => {
    const replies = Array.from({ length: count }, (_, nth) =>
      trySignIn({ username: 'customer-b', from: '10.3.0.1' }, nth % 2 === 0 ? at.app : other.app),
    )
    return (await Promise.all(replies)).map(({ status }) => status).toSorted((first, another) => first - another)
  }

  test('of three hundred at once exactly five are tried', async () => {
    expect(await guesses(300)).toEqual([...Array<number>(5).fill(401), ...Array<number>(295).fill(429)])
    expect(await at.query('select from sign_in_failure')).toHaveLength(5)
  })

  test('of two at once the last one that may be is tried once, by the lock', async () => {
    /** Both have begun before either can write. */
    const atOnce = async (): Promise<number[]> => {
      await at.query('delete from sign_in_failure')
      await failedBefore(`account ${at.who.b.account}`, '10.3.0.1', 4)
      await at.admin.query('begin')
      try {
        await at.admin.query('lock table sign_in_failure in share row exclusive mode')
        const guessing = guesses(2)
        await vi.waitUntil(async () => {
          const waiting = await at.admin.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return waiting.rowCount === 2
        }, pollOptions)
        await at.admin.query('commit')
        return await guessing
      } finally {
        await at.admin.query('rollback')
      }
    }
    expect(await atOnce()).toEqual([401, 429])
    const restore = [lockAttempts, other.lockAttempts].map(statement =>
      replaceStatement(statement, text => text.replace('pg_advisory_xact_lock', 'abs')),
    )
    expect(await atOnce().finally(() => restore.forEach(put => put()))).toEqual([401, 401])
  })
})

describe('nobody learns who has an account', () => {
  const requests = async (tried: Tried) => {
    const names: string[] = []
    const app = await serve({
      database: recordStatements(at.database, names),
      limits: null,
      clock: () => at.clock.now,
      sendsMail: true,
    })
    try {
      // warms the caches
      await trySignIn({ username: 'nobody-before', from: '10.3.2.1' }, app)
      names.length = 0
      const hashed = await countHashes(async () =>
        expect((await trySignIn(tried, app)).status, tried.username).toBe(401),
      )
      // sites and texts are read anew by the time, and not by who asks
      return { names: names.filter(name => !/^(sites|dictionary)\./.test(name)), hashed: hashed.all }
    } finally {
      await app.close()
    }
  }

  test('from the work that an answer takes: the same statements and one hash, invited or not, device or not', async () => {
    await at.query(
      `insert into account (site_id, username, type, password) select site_id, 'invited-only', type, '' from account where id = $1`,
      [at.who.admin.account],
    )
    const { device = '' } = await trySignIn({ username: 'customer-b', password, from: '10.3.2.1' })
    for (const cookie of [undefined, device, 'made-up']) {
      const usernames = ['nobody-of-this-name', 'customer-a', 'invited-only']
      const works: Awaited<ReturnType<typeof requests>>[] = []
      for (const username of usernames)
        works.push(await requests({ username, from: '10.3.2.2', ...(cookie !== undefined && { device: cookie }) }))
      expect(works[0]?.names.length).toBeGreaterThan(4)
      expect(works[0]?.hashed).toBe(1)
      expect(works).toEqual(usernames.map(() => works[0]))
    }
  })

  test('from a forgotten password: what is written is waited for, whoever it is', async () => {
    const written = statement({
      name: 'test.written',
      row: { xid: text.nullable() },
      sql: 'select pg_current_xact_id_if_assigned()::text as xid',
    })
    const now = at.clock.now
    const xid = await at.database.transaction({ system: true }, async tx => {
      expect((await tx.one(written, {})).xid).toBeNull()
      await tx.one(addReset, { site: at.sites.home, who: 'nobody-of-this-name', now })
      return (await tx.one(written, {})).xid
    })
    expect(xid).not.toBeNull()
  })
})

test('what is hashed leaves a core free, ten recovery codes beside passwords', async () => {
  // no more passwords than it takes: who waits is refused after a while, which a busy machine reaches with thirty
  const passwords = Array.from({ length: hashesAtOnce }, (_, nth) => `password ${nth}`)
  const { all, atOnce } = await countHashes(() => Promise.all([makeCodes(), ...passwords.map(hashPassword)]))
  expect([all, atOnce]).toEqual([10 + hashesAtOnce, hashesAtOnce])
})

describe('the browser that signs in', () => {
  test('is known by a token of the portal, and never by one of its own', async () => {
    const planted = await trySignIn({ username: 'customer-b', password, from: '10.3.3.1', device: 'planted' })
    expect(planted.device).toMatch(/^[\w-]{43}$/)
    await failedBefore('name somebody', '10.3.3.1', 50)
    const thief = { username: 'customer-b', password, from: '10.3.3.1' }
    expect((await trySignIn({ ...thief, device: 'planted' })).status).toBe(429)
    expect((await trySignIn({ ...thief, device: planted.device ?? '' })).status).toBe(200)
    // one browser of several people has one token
    const other = await trySignIn({ username: 'customer-a', password, from: '10.3.3.2', device: planted.device ?? '' })
    expect(other.device).toBe(planted.device)
  })

  test.each([
    ['an administrator gives the account another password', 'resetpassword'],
    ['the owner replaces a given one', 'newpassword'],
  ])('is unknown when %s', async (_, how) => {
    const admin = await freshAdmin()
    const username = `unknown-${how}`
    const account = await at.ask(customers.saveaccount, admin, { username, type: 'admin', password })
    await at.settlePassword(account.answer._id)
    const { device = '' } = await trySignIn({ username, password, from: '10.3.4.1' })
    let present = password
    if (how === 'resetpassword') {
      present = 'given by the administrator'
      await at.ask(customers.resetpassword, admin, { _id: account.answer._id, password: present })
      await at.settlePassword(account.answer._id)
    } else {
      present = 'kettle under ladder'
      await at.query('update account set must_change_password = true where id = $1', [account.answer._id])
      const { answer } = await trySignIn({ username, password, from: '10.3.4.2' })
      const chosen = await at.ask(users.newpassword, at.who.anonymous, { step: answer.step ?? '', password: present })
      expect(chosen.answer).toMatchObject({ isAuthenticated: true })
    }
    await failedBefore('name somebody', '10.3.4.1', 50)
    expect((await trySignIn({ username, password: present, from: '10.3.4.1', device })).status).toBe(429)
  })
})

test('a name that nobody has is stored as a fingerprint, however it is written', async () => {
  expect(await failures('My Secret Password', '10.4.0.1', 3)).toEqual([401, 401, 401])
  expect(await failures('my secret password', '10.4.0.1', 3)).toEqual([401, 401, 429])
  const [row] = await at.query<{ subjects: string[] }>(
    'select array_agg(distinct subject) as subjects from sign_in_failure',
  )
  expect(row?.subjects).toHaveLength(1)
  expect(row?.subjects[0]).toMatch(/^name [0-9a-f]{64}$/)
})

test('a name in another form of its letters is the same', async () => {
  expect(
    (await trySignIn({ username: 'ｃｕｓｔｏｍｅｒ－ｂ'.replace('－', '-'), password, from: '10.4.0.2' })).status,
  ).toBe(200)
})

test.each([
  ['\u0430dmin-2', 'account.name_deceptive'],
  // what nobody sees is lost, and with it the difference from another's name
  ['ad\u200Bmin', 'account.name_taken'],
  ['ad\u202Emin', 'account.name_taken'],
])('no account can be called %j', async (username, code) => {
  const reply = await at.ask(customers.saveaccount, await freshAdmin(), { username, type: 'admin' })
  expect(reply.refusal.code).toBe(code)
})

test('the owner of an account hears of another device, and not of a known one or of the first', async () => {
  const account = await at.ask(customers.saveaccount, await freshAdmin(), {
    username: 'new-device',
    type: 'admin',
    email: 'device@home.test',
    password,
  })
  await at.settlePassword(account.answer._id)
  const who = { ...at.who.admin, account: account.answer._id }
  const first = await trySignIn({ username: 'new-device', password, from: '10.5.0.1' })
  await trySignIn({ username: 'new-device', password, from: '10.5.0.1', device: first.device ?? '' })
  expect(await mailsTo(who)).toEqual([])
  await trySignIn({ username: 'new-device', password, from: '10.5.0.1' })
  expect(await mailsTo(who)).toEqual(['newDevice'])
})

describe('a password that somebody else has set', () => {
  async function given(username: string, typed = 'a given one that is long'): Promise<string> {
    await at.ask(customers.saveaccount, await freshAdmin(), {
      username,
      fullname: 'Jan Peeters',
      type: 'admin',
      password: typed,
    })
    const tried = await trySignIn({ username, password: typed, from: '10.6.0.1' })
    expect(tried).toMatchObject({ status: 200, answer: { isAuthenticated: false, awaits: 'password' } })
    expect(tried.cookie).toBe('wheelhouse=')
    return tried.answer.step ?? ''
  }
  const choose = (step: string, typed: string, who = at.who.anonymous) =>
    at.ask(users.newpassword, who, { step, password: typed })

  test('gives way to one that only the owner knows, and then the session begins', async () => {
    const step = await given('settles-1')
    const chosen = await choose(step, 'kettle under ladder')
    expect(chosen.answer).toMatchObject({ isAuthenticated: true, username: 'settles-1' })
    expect(
      (await trySignIn({ username: 'settles-1', password: 'kettle under ladder', from: '10.6.0.1' })).answer,
    ).toMatchObject({
      isAuthenticated: true,
    })
    // the step was used up
    expect((await choose(step, 'another kettle somewhere')).refusal.code).toBe('login.expired')
  })

  test.each([
    ['the same again', 'a given one that is long', 'account.password_known'],
    ['a short one', 'short', 'account.password_weak'],
    ['a common one', 'P@ssw0rd2024', 'account.password_guessable'],
    ['a name', 'jan peeters', 'account.password_guessable'],
  ])('is not replaced by %s, and the step still counts', async (what, typed, code) => {
    const step = await given(`settles-${what.length}-${typed.length}`)
    expect((await choose(step, typed)).refusal.code).toBe(code)
    expect((await choose(step, 'kettle under ladder')).status).toBe(200)
  })

  test('can’t be replaced late, at another site, or when it is no longer the password', async () => {
    const elsewhere = await given('settles-late')
    expect(
      (await choose(elsewhere, 'kettle under ladder', { ...at.who.anonymous, host: 'other.test' })).refusal.code,
    ).toBe('login.expired')
    at.clock.now = new Date(at.clock.now.getTime() + 10 * 60_000 + 1000)
    expect((await choose(elsewhere, 'kettle under ladder')).refusal.code).toBe('login.expired')
    const changed = await given('settles-changed')
    await at.query(`update account set password = 'another hash' where username = 'settles-changed'`)
    expect((await choose(changed, 'kettle under ladder')).refusal.code).toBe('login.expired')
    expect((await choose('made up', 'kettle under ladder')).refusal.code).toBe('login.expired')
  })
})

describe('my account', () => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  async function enter(from: string, device?: string): Promise<Principal> {
    const { status, cookie } = await trySignIn({
      username: 'customer-b',
      password,
      from,
      agent,
      ...(device !== undefined && { device }),
    })
    expect(status).toBe(200)
    return { ...at.who.b, cookie }
  }
  const isIn = async (who: Principal) => (await at.ask(users.loginstate, who, {})).answer.isAuthenticated

  test('lists where its owner is signed in, the present session first', async () => {
    await at.query('delete from session where account_id = $1', [at.who.b.account])
    const phone = await enter('10.7.0.1')
    const desk = await enter('10.7.0.2')
    const { answer } = await at.ask(account.sessions, desk, {})
    expect(answer.map(({ device, address, present }) => ({ device, address, present }))).toEqual([
      { device: 'Firefox, Windows', address: '10.7.0.2', present: true },
      { device: 'Firefox, Windows', address: '10.7.0.1', present: false },
    ])
    const other = answer.find(({ present }) => !present)
    expect((await at.ask(account.endsession, desk, { _id: other?._id ?? 0 })).status).toBe(200)
    expect([await isIn(desk), await isIn(phone)]).toEqual([true, false])
  })

  test('ends no session of somebody else', async () => {
    const own = await enter('10.7.1.1')
    const [foreign] = await at.query<{ id: number }>('select id::int from session where account_id = $1', [
      at.who.a.account,
    ])
    expect((await at.ask(account.endsession, own, { _id: foreign?.id ?? 0 })).refusal.code).toBe('record.missing')
  })

  test('ends all other sessions at once, whose devices are unknown from then on', async () => {
    const { device = '', cookie } = await trySignIn({ username: 'customer-b', password, from: '10.7.2.1' })
    const first = { ...at.who.b, cookie }
    const second = await enter('10.7.2.2')
    expect((await at.ask(account.endothers, second, {})).status).toBe(200)
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
    await failedBefore('name somebody', '10.7.2.1', 50)
    expect((await trySignIn({ username: 'customer-b', password, from: '10.7.2.1', device })).status).toBe(429)
  })

  test('an administrator’s session lasts as long as the site says, a superuser’s twelve hours, however busy', async () => {
    await at.query('update site set admin_session_hours = 3 where id = $1', [at.sites.home])
    const began = at.clock.now
    const endsOf = async (username: string) => {
      await trySignIn({ username, password, from: '10.7.3.1' })
      const [row] = await at.query<{ ends: Date }>('select ends_at as ends from session order by id desc limit 1')
      return ((row?.ends.getTime() ?? 0) - began.getTime()) / 3_600_000
    }
    expect([await endsOf('admin'), await endsOf('superuser'), await endsOf('customer-b')]).toEqual([3, 12, 14 * 24])
    await at.query('update site set admin_session_hours = 12 where id = $1', [at.sites.home])
    const { cookie } = await trySignIn({ username: 'admin', password, from: '10.7.3.2' })
    const admin = { ...at.who.admin, cookie }
    for (const hours of [6, 11.9]) {
      at.clock.now = new Date(began.getTime() + hours * 3_600_000)
      expect(await isIn(admin), `after ${hours} hours`).toBe(true)
    }
    at.clock.now = new Date(began.getTime() + 12.1 * 3_600_000)
    expect(await isIn(admin)).toBe(false)
  })

  test('a session left open gives no password, role or administrator to anybody until its owner shows who it is', async () => {
    const { cookie } = await trySignIn({ username: 'admin', password, from: '10.7.4.1' })
    const admin = { ...at.who.admin, cookie }
    const user = at.who.a.account
    const vehicle = await at.addVehicle({})
    await withAddress(at.who.a)
    await at.query('update site set admins_need_factor = true where id = $1', [at.sites.home])
    const stale = async (): Promise<(string | undefined)[]> => {
      const replies = [
        await at.ask(customers.resetpassword, admin, { _id: user }),
        await at.ask(customers.saveaccount, admin, { _id: user, type: 'admin' }),
        await at.ask(customers.saveaccount, admin, { username: `made-${at.clock.now.getTime()}`, type: 'admin' }),
        await at.ask(customers.setdisabled, admin, { _id: user, disabled: false }),
        await at.ask(customers.sendlink, admin, { _id: user }),
        await at.ask(customers.export, admin, {}),
        await at.ask(audit.export, admin, { startDate: '2026-01-01', endDate: '2026-01-02' }),
        await at.ask(security.export, admin, { startDate: '2026-01-01', endDate: '2026-01-02' }),
        await at.ask(people.account, admin, { _id: user }),
        await at.ask(people.driver, admin, { flt_id: vehicle }),
        await at.ask(people.eraseaccount, admin, { _id: at.who.admin.account }),
        await saveChange(at, { adminSessionHours: at.clock.now.getMinutes() % 2 === 0 ? 11 : 13 }, admin),
        await saveChange(at, { adminsNeedFactor: false }, admin),
      ]
      return replies.map(({ status, refusal }) => (status === 200 ? undefined : refusal.code))
    }
    at.clock.now = new Date(at.clock.now.getTime() + 15 * 60_000 + 1000)
    const allStale = Array<string>(13).fill('session.stale')
    expect(await stale()).toEqual(allStale)
    // what decides nothing of that kind needs no fresh one
    expect((await at.ask(customers.saveaccount, admin, { _id: user, fullname: 'Renamed' })).status).toBe(200)
    const wrong = await at.ask(account.confirm, admin, { password: 'wrong' })
    expect(wrong.refusal.code).toBe('account.password_wrong')
    expect(await stale()).toEqual(allStale)
    // shutting somebody out waits for nothing
    expect((await at.ask(customers.setdisabled, admin, { _id: user, disabled: true })).status).toBe(200)
    expect((await at.ask(account.confirm, admin, { password })).status).toBe(200)
    const passed = (await stale()).map(code => code ?? 'passed')
    expect(passed).toEqual(passed.map((_, nth) => (nth === 10 ? 'account.own' : 'passed')))
  })

  test('what is kept of sign-ins goes out with a person’s data and is erased with it', async () => {
    const admin = await freshAdmin()
    const account = await at.ask(customers.saveaccount, admin, { username: 'erased-soon', type: 'admin', password })
    await at.settlePassword(account.answer._id)
    await failures('ERASED-soon', '10.8.0.1', 1)
    await trySignIn({ username: 'erased-soon', password, from: '10.8.0.2', agent })
    const { answer } = await at.ask(people.account, admin, { _id: account.answer._id })
    expect(answer.sessions).toMatchObject([{ device: 'Firefox, Windows', address: '10.8.0.2' }])
    expect(answer.failures).toMatchObject([{ address: '10.8.0.1' }])
    await at.ask(people.eraseaccount, admin, { _id: account.answer._id })
    for (const table of ['session', 'known_device', 'sign_in_step'])
      expect(await at.query(`select from ${table} where account_id = $1`, [account.answer._id]), table).toEqual([])
  })
})

test('whoever signs out has the files of the portal erased from the browser, and nothing that waits there', async () => {
  const { cookie } = await trySignIn({ username: 'customer-b', password, from: '10.9.0.1' })
  const reply = await at.ask(users.logout, { ...at.who.b, cookie }, {})
  expect(reply.headers['clear-site-data']).toBe('"cache"')
})

test('a page over https that asks a process over http is told what its proxy lacks', async () => {
  const reply = await at.send('/users/loginstate', at.who.a, {}, { origin: 'https://home.test' })
  expect([reply.status, reply.refusal.code]).toEqual([403, 'request.untrusted_proxy'])
})

test('a page whose host its proxy does not pass on is told so; one of another website is not', async () => {
  const code = async (headers: Record<string, string>) =>
    (await at.send('/users/loginstate', at.who.a, {}, headers)).refusal.code
  const origin = 'https://portal.example'
  expect(await code({ origin, 'sec-fetch-site': 'same-origin' })).toBe('request.host_lost')
  expect(await code({ origin, 'x-forwarded-host': 'portal.example' })).toBe('request.host_lost')
  expect(await code({ origin, host: '127.0.0.1:3000' })).toBe('request.host_lost')
  for (const fetchSite of ['cross-site', 'same-site'])
    expect(await code({ origin, 'sec-fetch-site': fetchSite, 'x-forwarded-host': 'portal.example' })).toBe(
      'request.foreign_origin',
    )
  expect(await code({ origin })).toBe('request.foreign_origin')
})
