import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { users } from '#contract/session.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'
import { verifyPassword } from '../session/password.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

let nth = 0
/** A name that no other test uses. */
const fresh = (word = 'name'): string => `${word}-${++nth}`

const lastAudit = async (): Promise<unknown> => {
  const [row] = await at.query(
    `select site_id, customer_id, account_id, action, subject, facts from audit order by id desc limit 1`,
  )
  return row
}
const audits = async (): Promise<number> =>
  (await at.query<{ count: number }>('select count(*)::int from audit'))[0]?.count ?? -1

/** An account with a session of its own. */
async function signedIn(options: { customer?: number; type?: 'user' | 'admin' } = {}): Promise<Principal> {
  const type = options.type ?? 'user'
  const name = fresh('account')
  const reply = await at.ask(customers.saveaccount, at.who.admin, {
    username: name,
    type,
    ...(type === 'user' && { seq_id: options.customer ?? at.customers.a }),
    password,
  })
  expect(reply.status, reply.text).toBe(200)
  await at.settlePassword(reply.answer._id)
  return signIn({ ...at.who.anonymous, name, account: reply.answer._id, type })
}

async function signIn(who: Principal, typed = password): Promise<Principal> {
  const reply = await at.ask(users.authenticate, { ...who, cookie: null }, { username: who.name, password: typed })
  expect(reply.status, reply.text).toBe(200)
  return { ...who, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' }
}
const mayEnter = async (who: Principal, typed: string): Promise<number> =>
  (await at.ask(users.authenticate, { ...who, cookie: null }, { username: who.name, password: typed })).status
const isIn = async (who: Principal): Promise<boolean> =>
  (await at.ask(users.loginstate, who, {})).answer.isAuthenticated

describe('accounts', () => {
  test('of a customer sign in for that customer, with the password that was typed', async () => {
    const username = fresh('jan')
    const { answer } = await at.ask(customers.saveaccount, at.who.admin, {
      username,
      fullname: 'Jan Peeters',
      type: 'user',
      seq_id: at.customers.b,
      lang: 'fre',
      password: 'a long enough one',
    })
    expect(answer).toMatchObject({ username, seq_id: at.customers.b, type: 'user', lang: 'fre', disabled: false })
    expect(answer.password).toBeNull()
    expect(await lastAudit()).toEqual({
      site_id: at.sites.home,
      customer_id: at.customers.b,
      account_id: at.who.admin.account,
      action: 'account.create',
      subject: `account ${answer._id}`,
      facts: { type: 'user' },
    })
    const typed = { username, password: 'a long enough one' }
    const { answer: step } = await at.ask(users.authenticate, at.who.anonymous, typed)
    // the administrator knows it: the first thing is to choose another
    expect(step).toEqual({
      isAuthenticated: false,
      awaits: 'password',
      methods: [],
      step: expect.any(String),
      username,
      known: ['Jan Peeters', 'Lease Beta NV'],
    })
    await at.settlePassword(answer._id)
    const reply = await at.ask(users.authenticate, at.who.anonymous, typed)
    expect(reply.answer).toMatchObject({ type: 'user', seq_id: at.customers.b, lang: 'fre', fullname: 'Jan Peeters' })
  })

  test('get a generated password when none is typed; it is answered once and stored nowhere', async () => {
    const username = fresh('made-up')
    const reply = await at.ask(customers.saveaccount, at.who.admin, { username, type: 'admin' })
    const generated = reply.answer.password ?? ''
    expect(generated).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/)
    expect(await mayEnter({ ...at.who.anonymous, name: username }, generated)).toBe(200)
    const again = await at.ask(customers.resetpassword, at.who.admin, { _id: reply.answer._id })
    expect(again.answer.password).not.toBe(generated)
    const [row] = await at.query<{ kept: string }>(
      `select concat_ws(' ', (select json_agg(a) from audit a), (select json_agg(k) from request_key k)) as kept`,
    )
    for (const secret of [generated, again.answer.password ?? '']) expect(row?.kept).not.toContain(secret)
    const replies = await Promise.all([
      at.send('/customers/accounts', at.who.admin, {}),
      at.send('/customers/accounts', at.who.admin, { seq_id: at.customers.a }),
      at.send('/customers/list', at.who.admin, {}),
      at.send('/customers/export', at.who.admin, {}),
      at.send('/customers/saveaccount', at.who.admin, { _id: reply.answer._id, fullname: 'Known' }),
      at.send('/customers/setdisabled', at.who.admin, { _id: reply.answer._id, disabled: false }),
    ])
    for (const { text } of replies) {
      expect(text).not.toContain('argon2')
      expect(text).not.toContain(again.answer.password)
    }
  })

  test('of a customer and administrators are listed separately, those who can sign in first', async () => {
    const user = await signedIn({ customer: at.customers.b })
    const disabled = await signedIn({ customer: at.customers.b })
    await at.ask(customers.setdisabled, at.who.admin, { _id: disabled.account, disabled: true })
    const { answer: ofB } = await at.ask(customers.accounts, at.who.admin, { seq_id: at.customers.b })
    expect(ofB.map(account => account.seq_id)).toEqual(ofB.map(() => at.customers.b))
    expect(ofB.map(account => account.username)).toEqual(expect.arrayContaining(['customer-b', user.name]))
    expect(ofB.at(-1)).toMatchObject({ username: disabled.name, disabled: true })
    const { answer: admins } = await at.ask(customers.accounts, at.who.admin, {})
    expect(admins.map(account => account.type)).toEqual(admins.map(() => 'admin'))
    expect(admins.map(account => account._id)).toContain(at.who.admin.account)
    expect(admins.map(account => account._id)).not.toContain(at.who.otherAdmin.account)
  })

  test('have a name that is unique at their site and that no superuser has; another site may use it', async () => {
    const user = await signedIn()
    const wish = { type: 'admin', password } as const
    for (const username of [user.name.toUpperCase(), 'SuperUser']) {
      const reply = await at.ask(customers.saveaccount, at.who.admin, { ...wish, username })
      expect([reply.status, reply.refusal.code]).toEqual([409, 'account.name_taken'])
      const renamed = await at.ask(customers.saveaccount, at.who.admin, { _id: at.who.b.account, username })
      expect([renamed.status, renamed.refusal.code]).toEqual([409, 'account.name_taken'])
    }
    expect((await at.ask(customers.saveaccount, at.who.otherAdmin, { ...wish, username: user.name })).status).toBe(200)
  })

  test.each([
    [{ type: 'admin' }, ['username']],
    [{ username: '', type: 'admin' }, ['username']],
    [{ username: 'x'.repeat(61), type: 'admin' }, ['username']],
    [{ username: 'typeless' }, ['type']],
    [{ username: 'super', type: 'superuser' }, ['type']],
    [{ username: 'whose', type: 'user' }, ['seq_id']],
    [{ username: 'both', type: 'admin', seq_id: 1 }, ['seq_id']],
    [{ _id: 1, password: 'a long enough one' }, ['password']],
    [{ username: 'lang', type: 'admin', lang: 'ita' }, ['lang']],
  ])('typed as %j are refused', async (form, fields) => {
    const reply = await at.send('/customers/saveaccount', at.who.admin, form)
    expect([reply.status, reply.refusal.code, reply.refusal.params.fields]).toEqual([400, 'request.invalid', fields])
  })

  test('have passwords of ten characters at least', async () => {
    const { account } = await signedIn()
    const replies = [
      await at.ask(customers.saveaccount, at.who.admin, { username: fresh(), type: 'admin', password: '123456789' }),
      await at.ask(customers.resetpassword, at.who.admin, { _id: account, password: '123456789' }),
      await at.ask(users.password, at.who.b, { password, wanted: '123456789' }),
    ]
    for (const { status, refusal } of replies)
      expect([status, refusal.code, refusal.params]).toEqual([400, 'account.password_weak', { length: 10 }])
    expect(replies[0]?.refusal.message).toBe('A password has at least 10 characters.')
  })

  test('change in the given fields; a new name or language ends no session', async () => {
    const user = await signedIn()
    const username = fresh('renamed')
    const { answer } = await at.ask(customers.saveaccount, at.who.admin, { _id: user.account, username, lang: 'ger' })
    expect(answer).toMatchObject({ username, fullname: '', lang: 'ger', seq_id: at.customers.a, password: null })
    expect(await lastAudit()).toMatchObject({
      action: 'account.edit',
      subject: `account ${user.account}`,
      customer_id: at.customers.a,
      facts: { fields: ['username', 'lang'], type: 'user' },
    })
    const state = await at.ask(users.loginstate, user, {})
    expect(state.answer).toMatchObject({ isAuthenticated: true, username, lang: 'ger' })
  })

  test('that get another customer or become administrators are signed out at once', async () => {
    const user = await signedIn({ customer: at.customers.a })
    expect(await isIn(user)).toBe(true)
    await at.ask(customers.saveaccount, at.who.admin, { _id: user.account, type: 'user', seq_id: at.customers.b })
    expect(await isIn(user)).toBe(false)
    const moved = await signIn(user)
    expect(await isIn(moved)).toBe(true)
    const { answer } = await at.ask(customers.saveaccount, at.who.admin, { _id: user.account, type: 'admin' })
    expect(answer).toMatchObject({ type: 'admin', seq_id: null })
    expect(await isIn(moved)).toBe(false)
    const admin = await signIn(user)
    expect((await at.ask(customers.list, admin, {})).status).toBe(200)
    const homeless = await at.ask(customers.saveaccount, at.who.admin, { _id: user.account, type: 'user' })
    expect([homeless.status, homeless.refusal.params.fields]).toEqual([400, ['seq_id']])
    await at.ask(customers.saveaccount, at.who.admin, { _id: user.account, type: 'user', seq_id: at.customers.b })
    expect(await isIn(admin)).toBe(false)
  })

  test('that are disabled are signed out at once and cannot sign in until they are enabled', async () => {
    const user = await signedIn()
    expect(await isIn(user)).toBe(true)
    const { answer } = await at.ask(customers.setdisabled, at.who.admin, { _id: user.account, disabled: true })
    expect(answer).toMatchObject({ _id: user.account, disabled: true })
    expect(await lastAudit()).toMatchObject({
      action: 'account.disable',
      subject: `account ${user.account}`,
      facts: {},
    })
    expect(await isIn(user)).toBe(false)
    expect(await at.query('select from session where account_id = $1', [user.account])).toEqual([])
    expect(await mayEnter(user, password)).toBe(401)
    const before = await audits()
    await at.ask(customers.setdisabled, at.who.admin, { _id: user.account, disabled: true })
    expect(await audits()).toBe(before)
    await at.ask(customers.setdisabled, at.who.admin, { _id: user.account, disabled: false })
    expect(await lastAudit()).toMatchObject({ action: 'account.enable' })
    expect(await isIn(user)).toBe(false)
    expect(await mayEnter(user, password)).toBe(200)
  })

  test('whose password is reset are signed out at once, and sign in with the new one only', async () => {
    const user = await signedIn()
    const { answer } = await at.ask(customers.resetpassword, at.who.admin, {
      _id: user.account,
      password: 'quite another',
    })
    expect(answer.password).toBeNull()
    expect(await lastAudit()).toEqual({
      site_id: at.sites.home,
      customer_id: at.customers.a,
      account_id: at.who.admin.account,
      action: 'account.password',
      subject: `account ${user.account}`,
      facts: {},
    })
    expect(await isIn(user)).toBe(false)
    expect(await mayEnter(user, password)).toBe(401)
    expect(await mayEnter(user, 'quite another')).toBe(200)
  })

  test('of another site, and superusers, are missing, as those that do not exist', async () => {
    for (const _id of [at.who.otherAdmin.account, at.who.otherUser.account, at.who.superuser.account, 2_000_000_000]) {
      const replies = [
        await at.send('/customers/saveaccount', at.who.admin, { _id, fullname: 'Mine', username: fresh() }),
        await at.send('/customers/saveaccount', at.who.admin, { _id, type: 'user', seq_id: at.customers.a }),
        await at.send('/customers/setdisabled', at.who.admin, { _id, disabled: true }),
        await at.send('/customers/resetpassword', at.who.admin, { _id }),
      ]
      expect(replies.map(reply => [reply.status, reply.refusal.code])).toEqual(
        replies.map(() => [404, 'record.missing']),
      )
    }
    for (const who of [at.who.otherAdmin, at.who.otherUser, at.who.superuser]) expect(await isIn(who)).toBe(true)
  })

  test('an administrator neither disables, resets nor demotes the own account', async () => {
    const other = await signedIn({ type: 'admin' })
    const _id = at.who.admin.account
    const replies = [
      await at.ask(customers.setdisabled, at.who.admin, { _id, disabled: true }),
      await at.ask(customers.resetpassword, at.who.admin, { _id, password }),
      await at.ask(customers.saveaccount, at.who.admin, { _id, type: 'user', seq_id: at.customers.a }),
    ]
    expect(replies.map(reply => [reply.status, reply.refusal.code])).toEqual(replies.map(() => [409, 'account.own']))
    expect(await isIn(at.who.admin)).toBe(true)
    await at.ask(customers.setdisabled, at.who.admin, { _id: other.account, disabled: true })
  })

  test('the last administrator who can sign in stays one', async () => {
    const { otherAdmin } = at.who
    await at.query(`update account set disabled_at = now() where site_id = $1 and type = 'admin' and id <> $2`, [
      otherAdmin.site,
      otherAdmin.account,
    ])
    const replies = [
      await at.ask(customers.setdisabled, otherAdmin, { _id: otherAdmin.account, disabled: true }),
      await at.ask(customers.saveaccount, otherAdmin, {
        _id: otherAdmin.account,
        type: 'user',
        seq_id: at.customers.other,
      }),
    ]
    for (const { status, refusal } of replies) expect([status, refusal.code]).toEqual([409, 'account.last_admin'])
  })

  test('of administrators who disable each other at the same moment one stays', async () => {
    for (let round = 0; round < 10; round++) {
      const pair = [await signedIn({ type: 'admin' }), await signedIn({ type: 'admin' })] as const
      await at.query(
        `update account set disabled_at = now() where site_id = $1 and type = 'admin' and id <> all ($2)`,
        [at.sites.home, pair.map(account => account.account)],
      )
      const replies = await Promise.all(
        pair.map((account, own) =>
          at.ask(customers.setdisabled, account, { _id: pair[1 - own]?.account ?? 0, disabled: true }),
        ),
      )
      expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
      const left = await at.query(
        `select id from account where site_id = $1 and type = 'admin' and disabled_at is null`,
        [at.sites.home],
      )
      expect(left).toHaveLength(1)
      await at.query(`update account set disabled_at = null where id = $1`, [at.who.admin.account])
    }
  })

  test('a sign-in that began with the old password ends without a session', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await signedIn()
      const [entered] = await Promise.all([
        at.ask(users.authenticate, { ...user, cookie: null }, { username: user.name, password }),
        at.ask(customers.resetpassword, at.who.admin, { _id: user.account, password: 'quite another' }),
      ])
      expect([200, 401]).toContain(entered.status)
      expect(await at.query('select from session where account_id = $1', [user.account])).toEqual([])
    }
  })
})

describe('the own password', () => {
  test('is changed with the present one; other sessions end, this one goes on under a new token', async () => {
    const user = await signedIn()
    const elsewhere = await signIn(user)
    const reply = await at.ask(users.password, user, { password, wanted: 'my own new one' })
    expect(reply.answer).toMatchObject({ isAuthenticated: true, username: user.name, seq_id: at.customers.a })
    const here = { ...user, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' }
    expect(here.cookie).not.toBe(user.cookie)
    expect([await isIn(here), await isIn(user), await isIn(elsewhere)]).toEqual([true, false, false])
    expect(await mayEnter(user, 'my own new one')).toBe(200)
    expect(await mayEnter(user, password)).toBe(401)
    expect(
      await at.query(
        `select action, customer_id, account_id, facts from audit where subject = $1 order by id desc limit 1`,
        [`account ${user.account}`],
      ),
    ).toEqual([
      {
        action: 'account.password',
        customer_id: at.customers.a,
        account_id: user.account,
        facts: { own: true },
      },
    ])
  })

  test('belongs to administrators and superusers, too', async () => {
    const admin = await signedIn({ type: 'admin' })
    expect((await at.ask(users.password, admin, { password, wanted: 'an administrators' })).status).toBe(200)
    const reply = await at.ask(users.password, at.who.superuser, { password, wanted: 'a superusers one' })
    expect(reply.answer).toMatchObject({ type: 'superuser' })
    const [row] = await at.query<{ password: string }>('select password from account where id = $1', [
      at.who.superuser.account,
    ])
    expect(await verifyPassword('a superusers one', row?.password ?? '')).toBe(true)
    expect((await at.ask(users.password, at.who.anonymous, { password, wanted: 'a long enough one' })).status).toBe(401)
  })

  test('cannot be guessed by trying: wrong ones are counted with wrong sign-ins', async () => {
    const user = await signedIn()
    const attempt = (typed: string) => at.ask(users.password, user, { password: typed, wanted: 'a long enough one' })
    for (let tries = 0; tries < 4; tries++) {
      const { status, refusal } = await attempt('not the one')
      expect([status, refusal.code]).toEqual([409, 'account.password_wrong'])
    }
    expect(await mayEnter(user, 'not the one')).toBe(401)
    const { status, refusal } = await attempt(password)
    expect([status, refusal.code]).toEqual([429, 'login.too_many'])
    expect(await isIn(user)).toBe(true)
    expect(await mayEnter(user, password)).toBe(429)
  })

  test('of two changes at once one is made', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await signedIn()
      const other = await signIn(user)
      const replies = await Promise.all([
        at.ask(users.password, user, { password, wanted: 'the first new one' }),
        at.ask(users.password, other, { password, wanted: 'the second new one' }),
      ])
      // the second finds its session over, or the password no longer the present one
      expect(replies.map(reply => reply.status).filter(status => status === 200)).toHaveLength(1)
      expect(await at.query('select from session where account_id = $1', [user.account])).toHaveLength(1)
    }
  })
})
