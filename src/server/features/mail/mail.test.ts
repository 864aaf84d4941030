/** Messages about accounts: once, in the reader's language, for nothing that was rolled back (docs/product/messages.md "E-mail"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { type Language, languageCodes, languages } from '#domain/people/account.ts'
import { hasLink, mailKinds } from '#domain/people/mail.ts'
import { contract } from '#contract/index.ts'
import { translate } from '../../texts/texts.ts'
import { hashToken } from '../../tokens.ts'
import { openPrintPool } from '../../printing/pool.ts'
import { addOperation } from '../../testing/operations.ts'
import { attachPapers } from '../attachments/attachments.ts'
import { lookAtViews } from '../views/weekly.ts'
import { startMailServer, type MailServer } from '../../testing/mailServer.ts'
import { world, type World } from '../../testing/world.ts'
import { replaceStatement } from '../../testing/races.ts'
import { messageToSend } from './mail.sql.ts'
import { sendNextMail } from './outbox.ts'
import { smtpTransport } from './transport.ts'

const start = new Date('2026-11-20T10:00:00Z')
const minutes = (count: number): Date => new Date(w.clock.now.getTime() + count * 60_000)
let w: World
let server: MailServer
const pool = openPrintPool({ threads: 1 })
const receiptTitle = (number: number, lang: Language) =>
  `${translate(lang, 'documents', 'receipt.title')} ${translate(lang, 'documents', 'receipt.number', { number })}`
const problems: string[] = []

beforeAll(async () => {
  server = await startMailServer()
  w = await world({ now: start, served: () => ({ sendsMail: true }) })
})
afterAll(async () => {
  await w.close()
  await pool.close()
  await server.close()
})
beforeEach(async () => {
  await w.query('delete from mail')
  w.clock.now = start
  server.answers = ['takes']
  server.taken.length = 0
  problems.length = 0
})

const portalServer = () => ({ url: server.url, from: 'portal@example.org' })

/** Sends due messages. Returns how many it tried. */
async function send({ kept = false, signal = new AbortController().signal } = {}): Promise<number> {
  const transport = kept ? null : smtpTransport(portalServer())
  let tried = 0
  const sending = {
    transport,
    publicUrl: 'https://portal.example.org:8443/',
    clock: () => w.clock.now,
    signal,
    grace: 0,
    attach: attachPapers(w.database, pool),
    look: lookAtViews(w.database),
    failed: (_: number, problem: string) => void problems.push(problem),
  }
  while (await sendNextMail(w.database, sending)) tried++
  transport?.close()
  return tried
}

let accountCount = 0
/** A new account of customer A, invited. */
async function invite(change: { lang?: 'dut' | 'fre' | 'eng' | 'ger'; fullname?: string } = {}) {
  const username = `invited-${++accountCount}`
  const reply = await w.ask(contract.customers.saveaccount, w.who.admin, {
    username,
    type: 'user',
    seq_id: w.customers.a,
    email: `${username}@example.net`,
    invite: true,
    ...change,
  })
  expect([reply.status, reply.answer.password]).toEqual([200, null])
  return { ...reply.answer, username }
}

const tokenIn = (text: string | undefined): string => /\/password#([\w-]{43})/.exec(text ?? '')?.[1] ?? ''
const signIn = (username: string, password: string) =>
  w.ask(contract.users.authenticate, w.who.anonymous, { username, password })
const setPassword = (token: string, password: string, who = w.who.anonymous) =>
  w.ask(contract.users.setpassword, who, { token, password })
const linkOf = async (account: number) =>
  (await w.ask(contract.customers.accounts, w.who.admin, { seq_id: w.customers.a })).answer.find(
    ({ _id }) => _id === account,
  )?.link

describe('an invitation', () => {
  test('comes in the language of its reader, from their site, and its link sets the password once', async () => {
    const { _id, username } = await invite({ lang: 'dut', fullname: 'Zoë <b>Ver & Beeck</b>' })
    expect((await signIn(username, '')).status).toBe(400)
    expect((await signIn(username, 'anything else')).refusal.code).toBe('login.wrong')
    expect(await linkOf(_id)).toMatchObject({ kind: 'invitation', state: 'waiting' })
    expect(await send()).toBe(1)
    const [mail] = server.taken
    expect(mail?.subject).toBe('Uw account bij Tyre hotel home')
    expect(mail?.from?.value).toEqual([{ address: 'portal@example.org', name: 'Tyre hotel home' }])
    expect(mail?.replyTo?.value[0]?.address).toBe('admin@home.test')
    expect([mail?.to].flat()[0]?.value[0]?.address).toBe(`${username}@example.net`)
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.text).toContain(`Uw gebruikersnaam is ${username}.`)
    // the address of the site, with the scheme and port of the portal
    expect(mail?.text).toContain('https://home.test:8443/password#')
    expect(mail?.text).toContain('tot 27/11/2026 11:00.')
    expect(mail?.html).toContain('Zoë &lt;b&gt;Ver &amp; Beeck&lt;/b&gt;')
    expect(mail?.html).toContain('lang="nl"')
    expect(await linkOf(_id)).toMatchObject({ state: 'sent', problem: '' })

    const token = tokenIn(mail?.text)
    const reply = await w.ask(contract.users.link, w.who.anonymous, { token })
    expect(reply.answer).toMatchObject({ kind: 'invitation', username, until: '2026-11-27T10:00:00.000Z' })
    expect((await setPassword(token, 'short')).refusal.code).toBe('account.password_weak')
    expect((await setPassword(token, 'a horse of another colour')).answer).toEqual({ username })
    expect((await signIn(username, 'a horse of another colour')).status).toBe(200)
    expect((await setPassword(token, 'and once more with feeling')).refusal.code).toBe('link.invalid')
    expect((await w.ask(contract.users.link, w.who.anonymous, { token })).refusal.code).toBe('link.invalid')
  })

  test('is sent again by hand, and only its own site and a week know its link', async () => {
    const { _id, username } = await invite()
    await send()
    expect((await w.ask(contract.customers.sendlink, w.who.admin, { _id })).status).toBe(200)
    await send()
    const [first, second] = server.taken.map(mail => tokenIn(mail.text))
    expect(second).not.toBe(first)
    expect((await setPassword(first ?? '', 'a horse of another colour', w.who.otherUser)).refusal.code).toBe(
      'link.invalid',
    )
    w.clock.now = minutes(7 * 24 * 60 + 1)
    expect((await setPassword(first ?? '', 'a horse of another colour')).refusal.code).toBe('link.invalid')
    w.clock.now = minutes(-2)
    // either link works, and then neither
    expect((await setPassword(first ?? '', 'a horse of another colour')).answer).toEqual({ username })
    expect((await setPassword(second ?? '', 'a horse of another colour')).refusal.code).toBe('link.invalid')
    expect(await w.query(`select action from audit where subject = $1 order by id`, [`account ${_id}`])).toEqual([
      { action: 'account.create' },
      { action: 'account.link' },
      { action: 'account.password' },
    ])
  })

  test('of an account that was not made goes to nobody', async () => {
    const { username } = await invite()
    const again = await w.ask(contract.customers.saveaccount, w.who.admin, {
      username,
      type: 'user',
      seq_id: w.customers.a,
      email: 'other@example.net',
      invite: true,
    })
    expect(again.refusal.code).toBe('account.name_taken')
    expect(await send()).toBe(1)
  })

  test('has no token in the database', async () => {
    await invite()
    await send()
    const token = tokenIn(server.taken[0]?.text)
    const rows = await w.query<{ link: Buffer; mail: string }>(
      `select l.hash as link, m::text as mail from account_link l join mail m on m.id = l.mail_id`,
    )
    expect(rows.map(({ link }) => link)).toEqual([hashToken(token)])
    expect(rows[0]?.mail).not.toContain(token)
  })
})

describe('a forgotten password', () => {
  const forgotten = (username: string) => w.ask(contract.users.forgotten, w.who.anonymous, { username })

  test('is answered alike for everybody, and sends one message to whom it belongs', async () => {
    const { _id, username } = await invite()
    await send()
    await setPassword(tokenIn(server.taken[0]?.text), 'a horse of another colour')
    server.taken.length = 0
    const replies = [
      await forgotten('nobody at all'),
      await forgotten(username.toUpperCase()),
      await forgotten(username),
    ]
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
      [200, '{}'],
    ])
    expect(await send()).toBe(1)
    expect(server.taken[0]?.subject).toBe('A new password for Tyre hotel home')
    const session = await signIn(username, 'a horse of another colour')
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? ''
    const changed = await setPassword(tokenIn(server.taken[0]?.text), 'a horse of the right colour')
    expect(changed.answer).toEqual({ username })
    const state = await w.ask(contract.users.loginstate, { ...w.who.a, account: _id, cookie }, {})
    expect(state.answer).toMatchObject({ isAuthenticated: false })
    // its owner hears of it
    await send()
    expect(server.taken.map(mail => mail.subject)).toEqual([
      'A new password for Tyre hotel home',
      'Your password was changed',
    ])
    expect(server.taken[1]?.text).not.toContain('#')
  })

  test('may be asked for by address, three times an hour, and for half an hour', async () => {
    const { username } = await invite()
    await w.query('delete from mail')
    for (let nth = 0; nth < 6; nth++) {
      await forgotten(`${username}@EXAMPLE.net`)
      w.clock.now = minutes(3)
    }
    expect(await send()).toBe(3)
    w.clock.now = minutes(31)
    expect((await setPassword(tokenIn(server.taken[0]?.text), 'a horse of another colour')).refusal.code).toBe(
      'link.invalid',
    )
  })

  test('of a disabled account is never sent, not even when it was on its way', async () => {
    const { _id, username } = await invite()
    await send()
    await forgotten(username)
    await w.ask(contract.customers.setdisabled, w.who.admin, { _id, disabled: true })
    await send()
    expect(server.taken).toHaveLength(1)
    expect((await setPassword(tokenIn(server.taken[0]?.text), 'a horse of another colour')).refusal.code).toBe(
      'link.invalid',
    )
    expect((await w.ask(contract.customers.sendlink, w.who.admin, { _id })).refusal.code).toBe('mail.no_address')
  })
})

/** Somebody at a site that has a logo. */
async function addReader(): Promise<number> {
  const logo = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'navy' } })
    .png()
    .toBuffer()
  await w.query(
    `insert into image (site_id, kind, media_type, digest, content) values ($1, 'landinglogo', 'image/png', $2, $3)
     on conflict (site_id, kind) do update set content = excluded.content`,
    [w.sites.home, '0'.repeat(64), logo],
  )
  const [account] = await w.query<{ id: number }>(
    `update account set email = 'reader@example.net' where id =
       (select min(id) from account where site_id = $1 and type = 'user') returning id`,
    [w.sites.home],
  )
  return account?.id ?? 0
}

/** A notice for an account, and its choice of messages. */
async function addNotice(account: number): Promise<number> {
  await w.query(
    `insert into notice_choice (account_id, site_id, customer_id) select id, site_id, customer_id from account where id = $1
     on conflict do nothing`,
    [account],
  )
  const [notice] = await w.query<{ id: number }>(
    `insert into notice (site_id, account_id, customer_id, about_customer, kind, license_plate, facts, at, listed)
     select site_id, id, customer_id, customer_id, 'picked', '1-ABC-234', '{"tyres": 4}', now(), true from account where id = $1
     returning id::int`,
    [account],
  )
  return notice?.id ?? 0
}

/** A view that comes to the account, and that nothing is in. */
async function addView(account: number): Promise<number> {
  const [view] = await w.query<{ id: number }>(
    `with made as (
       insert into list_view (site_id, customer_id, account_id, list, name, filter)
       select site_id, customer_id, id, 'vehicles', 'Empty ' || language, '{"filter":"no such vehicle"}' from account where id = $1
       returning site_id, customer_id, account_id, id)
     insert into view_mail (site_id, view_id, account_id, customer_id, weekday, due_at)
     select site_id, id, account_id, customer_id, 1, now() from made returning view_id as id`,
    [account],
  )
  return view?.id ?? 0
}

describe.each(languageCodes)('in %s', lang => {
  let reader = 0
  beforeAll(async () => {
    reader = await addReader()
  })

  test.each(mailKinds)('a message of the kind %s has subject, text, HTML, logo and link', async kind => {
    const facts = {
      device: 'Firefox, Windows',
      address: '192.0.2.7',
      latest: '24/11/2026 02:00 UTC',
      problem: 'No room.',
      host: 'erp.example.org',
      count: 1,
      notices: kind === 'notices' ? [await addNotice(reader)] : [],
      view: kind === 'view' ? await addView(reader) : 0,
      receipt: kind === 'paper' ? (await addOperation(w, { status: 'confirmed' })).id : 0,
    }
    await w.query(
      `insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
       select site_id, customer_id, id, $1, $2, $3, $3 from account where id = $4`,
      [kind, JSON.stringify(facts), start, reader],
    )
    await w.query('update account set language = $1 where id = $2', [lang, reader])
    expect(await send()).toBe(1)
    const [mail] = server.taken
    const { html = '', text = '', subject = '', attachments = [] } = mail ?? {}
    const [{ site, username } = { site: '', username: '' }] = await w.query<{ site: string; username: string }>(
      'select s.name as site, a.username from account a join site s on s.id = a.site_id where a.id = $1',
      [reader],
    )
    const title = kind === 'paper' ? receiptTitle(facts.receipt, lang) : ''
    const [view] = await w.query<{ name: string }>('select name from list_view where id = $1', [facts.view])
    const seen = view && { view: view.name, count: 0 }
    const say = (key: string) => translate(lang, 'mail', `${kind}.${key}`, { ...facts, ...seen, site, username, title })
    expect(subject).toBe(say('subject'))
    expect(text).toContain(say('ignore'))
    // neither a key nor a placeholder
    for (const part of [subject, text, String(html)])
      expect(part).not.toMatch(/\{\{|\}\}|undefined|\.(?:subject|text|ignore)/)
    expect(String(html)).toContain(`<html lang="${languages[lang]}">`)
    const link = hasLink(kind) ? /https:\/\/\S+\/password#[\w-]{43}/ : /https:\/\/\S+/
    expect(text).toMatch(link)
    expect(String(html)).toMatch(link)
    expect(attachments.map(({ contentType, cid }) => [contentType, cid])).toEqual([
      ['image/png', 'logo'],
      ...(kind === 'paper' ? [['application/pdf', undefined]] : []),
    ])
  })
})

test('a logo that can’t be drawn is left out, and the name of the site stands there', async () => {
  await addReader()
  await w.query(`update image set content = 'no picture' where site_id = $1`, [w.sites.home])
  await invite()
  expect(await send()).toBe(1)
  const [mail] = server.taken
  expect(mail?.attachments).toEqual([])
  expect(String(mail?.html)).not.toContain('cid:logo')
  await w.query('delete from image where site_id = $1', [w.sites.home])
})

describe('a link', () => {
  const sent = async (kind: 'invitation' | 'reset') => {
    const { _id, username } = await invite()
    await send()
    if (kind === 'reset') {
      await setPassword(tokenIn(server.taken.at(-1)?.text), 'a horse of another colour')
      await w.ask(contract.users.forgotten, w.who.anonymous, { username })
      await send()
    }
    return { _id, username, token: tokenIn(server.taken.at(-1)?.text) }
  }
  const isGood = async (token: string) => (await w.ask(contract.users.link, w.who.anonymous, { token })).status === 200

  test.each<[string, (account: number) => Promise<{ status: number; text: string }>]>([
    ['another address', _id => w.ask(contract.customers.saveaccount, w.who.admin, { _id, email: 'right@example.net' })],
    ['another role', _id => w.ask(contract.customers.saveaccount, w.who.admin, { _id, type: 'admin' })],
    [
      'another customer',
      _id => w.ask(contract.customers.saveaccount, w.who.admin, { _id, type: 'user', seq_id: w.customers.b }),
    ],
    ['a password of an administrator', _id => w.ask(contract.customers.resetpassword, w.who.admin, { _id })],
    [
      'having been disabled',
      async _id => {
        await w.ask(contract.customers.setdisabled, w.who.admin, { _id, disabled: true })
        return w.ask(contract.customers.setdisabled, w.who.admin, { _id, disabled: false })
      },
    ],
  ])('is void after %s', async (_, change) => {
    const { _id, token } = await sent('invitation')
    expect(await isGood(token)).toBe(true)
    const changed = await change(_id)
    expect(changed.status, changed.text).toBe(200)
    expect(await isGood(token)).toBe(false)
  })

  test('is void after its owner has changed the password', async () => {
    const { username, token } = await sent('reset')
    const session = await signIn(username, 'a horse of another colour')
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? ''
    const changed = await w.ask(
      contract.users.password,
      { ...w.who.a, cookie },
      { password: 'a horse of another colour', wanted: 'a horse of the right colour' },
    )
    expect(changed.status, changed.text).toBe(200)
    expect(await isGood(token)).toBe(false)
  })

  test('never goes to an address that was changed while its message was made', async () => {
    const { _id } = await invite()
    const restore = replaceStatement(messageToSend, text =>
      text.replace("nullif(m.to_address, '')", "'mistyped@example.net'"),
    )
    await send().finally(restore)
    expect(server.taken).toEqual([])
    expect(problems).toEqual(['the account has another address now'])
    w.clock.now = minutes(1)
    await send()
    expect(await isGood(tokenIn(server.taken[0]?.text))).toBe(true)
    expect(await linkOf(_id)).toMatchObject({ state: 'sent' })
  })
})

describe('a message', () => {
  test('about a changed address goes to the one before, which is forgotten then', async () => {
    const { _id, username } = await invite()
    await send()
    await w.ask(contract.customers.saveaccount, w.who.admin, { _id, email: 'right@example.net' })
    await send()
    const last = server.taken.at(-1)
    expect(last?.subject).toBe('Your e-mail address was changed')
    expect([last?.to].flat()[0]?.value[0]?.address).toBe(`${username}@example.net`)
    expect(last?.text).not.toContain('right@example.net')
    expect(await w.query(`select to_address from mail where kind = 'emailChanged'`)).toEqual([{ to_address: '' }])
    expect(await w.query(`select by_account_id as by from security_event where kind = 'emailChanged'`)).toContainEqual({
      by: w.who.admin.account,
    })
  })

  test('tells nobody from where an administrator works, and keeps no address once it is sent', async () => {
    const { _id, username } = await invite()
    await send()
    await setPassword(tokenIn(server.taken[0]?.text), 'a horse of another colour')
    await w.ask(contract.customers.sendlink, w.who.admin, { _id })
    await w.ask(contract.customers.resetpassword, w.who.admin, { _id, password: 'given by the administrator' })
    await w.settlePassword(_id)
    await signIn(username, 'given by the administrator')
    await signIn(username, 'given by the administrator')
    await send()
    const messages = server.taken.map(({ subject, text }) => [subject, text?.includes('From the internet address')])
    expect(messages).toEqual([
      ['Your account at Tyre hotel home', false],
      ['A new password for Tyre hotel home', false],
      ['Your password was changed', false],
      ['Signed in on a new device', true],
    ])
    expect(await w.query(`select from mail where facts ?| array['address', 'device']`)).toEqual([])
  })

  test('has a number that no other database gives', async () => {
    await invite()
    const [row] = await w.query<{ id: string }>('select message_id as id from mail')
    await send()
    expect(server.taken[0]?.messageId).toBe(`<${row?.id}@example.org>`)
    expect(row?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
  })

  test('of a customer’s account is listed by its number, and what the mail server said without an address', async () => {
    const { _id, username } = await invite()
    server.answers = ['unknown address']
    await send()
    await w.query(`update mail set problem = problem || ' <' || $1 || '@example.net>'`, [username])
    const { answer } = await w.ask(contract.mails.list, w.who.superuser, {})
    expect(answer).toMatchObject([{ account: _id, username: null, problem: expect.stringContaining('<…>') as string }])
    expect(JSON.stringify(answer)).not.toContain(username)
  })
})

describe('an address at which nothing arrives', () => {
  const accountOf = async (account: number) =>
    (await w.ask(contract.customers.accounts, w.who.admin, { seq_id: w.customers.a })).answer.find(
      ({ _id }) => _id === account,
    )
  const refused = expect.stringContaining('no such user') as string

  test('shows beside it with since when, until a message arrives', async () => {
    const { _id } = await invite()
    expect((await accountOf(_id))?.bounced).toBeNull()
    server.answers = ['unknown address', 'unknown address', 'takes']
    await send()
    w.clock.now = minutes(5)
    await w.ask(contract.customers.sendlink, w.who.admin, { _id })
    await send()
    const bounced = (await accountOf(_id))?.bounced
    expect(bounced).toEqual({ since: '2026-11-20T10:00:00+00:00', problem: refused })
    await w.ask(contract.customers.sendlink, w.who.admin, { _id })
    await send()
    expect((await accountOf(_id))?.bounced).toBeNull()
  })

  test('does not show while the message is tried again', async () => {
    const { _id } = await invite()
    server.answers = ['try later']
    await send()
    expect((await accountOf(_id))?.bounced).toBeNull()
  })

  test('is forgotten with another one, also when the message to the former one fails', async () => {
    const { _id, username } = await invite()
    server.answers = ['unknown address']
    await send()
    const save = (change: object) =>
      w.ask(contract.customers.saveaccount, w.who.admin, { _id, type: 'user' as const, ...change })
    expect((await save({ fullname: 'Mistyped' })).answer.bounced).toMatchObject({ problem: refused })
    const mended = await save({ email: `${username}@example.com` })
    expect([mended.status, mended.answer.bounced]).toEqual([200, null])
    expect(await send()).toBe(1)
    expect(
      await w.query('select kind, problem from mail where account_id = $1 order by id desc limit 1', [_id]),
    ).toEqual([{ kind: 'emailChanged', problem: refused }])
    expect((await accountOf(_id))?.bounced).toBeNull()
  })

  test('of an administrator shows to the other ones, to superusers and to its owner', async () => {
    const { admin, superuser } = w.who
    await w.query(`update account set email = 'desk@example.net' where id = $1`, [admin.account])
    await w.query(
      `insert into mail (site_id, account_id, kind, created_at, due_at) values ($1, $2, 'passwordChanged', $3, $3)`,
      [w.sites.home, admin.account, start],
    )
    server.answers = ['unknown address']
    await send()
    const bounced = { since: '2026-11-20T10:00:00+00:00', problem: refused }
    const own = ({ _id }: { _id: number }) => _id === admin.account
    const listed = await w.ask(contract.customers.accounts, admin, {})
    expect(listed.answer.find(own)).toMatchObject({ email: 'desk@example.net', bounced })
    const bySuperuser = async () =>
      (await w.ask(contract.hotelconfig.admins, superuser, { id: w.sites.home })).answer.find(own)
    expect(await bySuperuser()).toMatchObject({ email: 'desk@example.net', bounced })
    expect((await w.ask(contract.notices.settings, admin, {})).answer.problem).toEqual(refused)
    // in SQL, because the problem must go however the address changes
    await w.query(`update account set email = '' where id = $1`, [admin.account])
    expect(await bySuperuser()).toMatchObject({ email: '', bounced: null })
    expect((await w.ask(contract.notices.settings, admin, {})).answer.problem).toBe('')
  })
})

describe('a mail server', () => {
  test('that fails is tried again after growing pauses, and gets the message once', async () => {
    const { _id } = await invite()
    server.answers = ['try later', 'drops', 'refuses', 'takes']
    const pauses: number[] = []
    // a server that refuses what it was given will not take it later
    for (const wait of [0, 5, 10]) {
      w.clock.now = new Date(w.clock.now.getTime() + wait * 1000)
      const [before] = await w.query<{ due: string }>('select due_at as due from mail')
      expect(await send(), `after ${wait} s, due ${before?.due}`).toBe(1)
      pauses.push(wait)
    }
    expect(problems[0]).toContain('greylisted')
    expect(server.taken).toEqual([])
    expect(await linkOf(_id)).toMatchObject({ state: 'failed', problem: expect.stringContaining('refused') as string })
    w.clock.now = minutes(24 * 60)
    expect(await send()).toBe(0)
  })

  test('that is away for a day is tried until it is back', async () => {
    await invite()
    server.answers = ['try later']
    let tries = 0
    for (let hours = 0; hours < 30; hours += 3) {
      tries += await send()
      w.clock.now = minutes(3 * 60)
    }
    expect(tries).toBe(10)
    server.answers = ['takes']
    expect([await send(), await send()]).toEqual([1, 0])
    expect(server.taken).toHaveLength(1)
  })

  test('that is away for three days is given up, which the administrator sees', async () => {
    const { _id } = await invite()
    server.answers = ['try later']
    for (let hours = 0; hours < 80; hours += 8) {
      await send()
      w.clock.now = minutes(8 * 60)
    }
    w.clock.now = start
    expect(await linkOf(_id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('greylisted') as string,
    })
    const { answer } = await w.ask(contract.mails.list, w.who.superuser, {})
    expect(answer).toMatchObject([{ state: 'failed', site: 'Tyre hotel home', kind: 'invitation', kept: null }])
  })

  test('that does not know the address is not asked again', async () => {
    const { _id } = await invite()
    server.answers = ['unknown address', 'takes']
    expect([await send(), await send()]).toEqual([1, 0])
    expect(await linkOf(_id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('no such user') as string,
    })
  })

  test('that never answers holds nobody up when the portal stops', async () => {
    await invite()
    server.answers = ['stalls']
    const stopping = new AbortController()
    const sending = send({ signal: stopping.signal })
    await expect.poll(() => server.stalling).toBe(1)
    stopping.abort(new Error('stopping'))
    await sending
    expect(problems).toEqual([])
    const [row] = await w.query<{ sent: string | null; problem: string }>('select sent_at as sent, problem from mail')
    expect(row).toEqual({ sent: null, problem: 'stopping' })
  })

  test.each(['is silent', 'stalls'] as const)(
    'that %s is given up after its time, and asked for the other messages and for this one later',
    async how => {
      const [first, second] = [await invite(), await invite()]
      server.answers = [how]
      const transport = smtpTransport(portalServer(), how === 'is silent' ? { greetingTimeout: 50 } : {})
      const sending = { transport, publicUrl: 'https://portal.example.org', clock: () => w.clock.now }
      // the time for all of it ends what the steps of the transport allow
      expect(await sendNextMail(w.database, { ...sending, ...(how === 'stalls' && { timeout: 500 }) })).toBe(true)
      transport.close()
      server.answers = ['takes']
      expect([await linkOf(first._id), await linkOf(second._id)]).toMatchObject([
        { state: 'waiting', problem: expect.stringMatching(/time|greeting never received/i) as string },
        { state: 'waiting', problem: '' },
      ])
      const addressee = () => server.taken.map(mail => [mail.to].flat()[0]?.value[0]?.address)
      expect(await send()).toBe(1)
      expect(addressee()).toEqual([`${second.username}@example.net`])
      w.clock.now = minutes(1)
      expect(await send()).toBe(1)
      expect(addressee()).toEqual([second, first].map(({ username }) => `${username}@example.net`))
      expect(await linkOf(first._id)).toMatchObject({ state: 'sent', problem: '' })
    },
  )

  test('gets each message once from five nodes', async () => {
    for (let nth = 0; nth < 10; nth++) await invite()
    await Promise.all(Array.from({ length: 5 }, () => send()))
    expect(new Set(server.taken.map(mail => mail.messageId)).size).toBe(10)
    expect(server.taken).toHaveLength(10)
  })
})

test('without a mail server everything else works, and nothing waits', async () => {
  const quiet = await world({ now: start })
  try {
    const account = { username: 'quiet', type: 'user', seq_id: quiet.customers.a, email: 'quiet@example.net' } as const
    const invited = await quiet.ask(contract.customers.saveaccount, quiet.who.admin, { ...account, invite: true })
    expect(invited.refusal.code).toBe('mail.off')
    const { answer } = await quiet.ask(contract.customers.saveaccount, quiet.who.admin, account)
    expect(answer.password).toMatch(/^\w{4}-\w{4}-\w{4}$/)
    const reply = await quiet.ask(contract.users.forgotten, quiet.who.anonymous, { username: 'quiet' })
    expect(reply.refusal.code).toBe('mail.off')
    expect((await quiet.ask(contract.customers.sendlink, quiet.who.admin, { _id: answer._id })).refusal.code).toBe(
      'mail.off',
    )
    await quiet.ask(contract.customers.resetpassword, quiet.who.admin, { _id: answer._id })
    expect(await quiet.query('select * from mail')).toEqual([])
    const state = await quiet.ask(contract.users.loginstate, quiet.who.anonymous, {})
    expect(state.answer).toEqual({ isAuthenticated: false })
  } finally {
    await quiet.close()
  }
})

test('the demo keeps messages for the superuser to look at', async () => {
  await invite({ lang: 'fre' })
  expect(await send({ kept: true })).toBe(1)
  const { answer } = await w.ask(contract.mails.list, w.who.superuser, {})
  expect(answer).toMatchObject([{ state: 'sent', kept: { subject: 'Votre compte chez Tyre hotel home' } }])
  expect(tokenIn(answer[0]?.kept?.text)).not.toBe('')
})

test('an erased account leaves no message, and another role is told of', async () => {
  const { _id } = await invite()
  await send()
  await w.ask(contract.customers.saveaccount, w.who.admin, { _id, type: 'admin' })
  await send()
  expect(server.taken.at(-1)?.subject).toBe('The rights of your account have changed')
  await w.ask(contract.people.eraseaccount, w.who.admin, { _id })
  expect(await w.query('select * from mail where account_id = $1', [_id])).toEqual([])
  expect(await w.query('select * from account_link where account_id = $1', [_id])).toEqual([])
  expect(await w.query('select email from account where id = $1', [_id])).toEqual([{ email: '' }])
})
