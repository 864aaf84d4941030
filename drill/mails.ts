/**
 * docs/promises.md "Messages": while the mail server fails one message in three, stalls and is killed, and the portal is killed, too,
 * each message arrives once, and none about what was rolled back.
 *
 * Once: the mail server takes it, and every copy has the same Message-ID, by which a mailbox keeps one. SMTP allows no more: a sender
 * that loses the answer can't know whether the message was taken. So a copy is allowed for each answer that was lost, and for no other.
 */
import { randomInt } from 'node:crypto'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { Killable } from './killable.ts'
import { signIn, type Client } from './portalClient.ts'
import type { TakenMail } from './mailServer.ts'

/** A mail server that can be killed and started again on its port. */
class Server extends Killable {
  readonly #file: string
  constructor(file: string, port: number) {
    super('mailServer.ts', [String(port), file])
    this.#file = file
  }
  override async kill(): Promise<void> {
    await super.kill()
    this.noteKill()
  }
  /** The answer to the last message that was taken may have been lost. */
  noteKill(): void {
    appendFileSync(this.#file, 'killed\n')
  }
  taken(): TakenMail[] {
    const taken: TakenMail[] = []
    // a line that was being written when the server was killed is a message that it did not take
    for (const line of readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)) {
      const mail = /^\{.*\}$/.test(line) ? (JSON.parse(line) as TakenMail) : null
      if (mail) taken.push(mail)
      else if (taken.length > 0) taken.push({ ...(taken.pop() as TakenMail), told: false })
    }
    return taken
  }
}

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const times = short ? { accounts: 16, server: 2, portal: 1 } : { accounts: 400, server: 30, portal: 15 }
  const { check, add, control, result } = tally(log)
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-mails-'))
  // the user of the database needs to pass through it
  chmodSync(place, 0o711)
  const port = await freePort()
  const server = new Server(join(place, 'taken'), port)
  let portal: Portal | null = null
  try {
    await server.start()
    portal = await openPortal({
      DATA_DIR: join(place, 'data'),
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PUBLIC_URL: 'https://portal.example.org',
      MAIL_FROM: 'portal@example.org',
    })
    const admin = await signIn(portal.url, 'admin')
    const inviting = invite(portal, admin, times.accounts)
    inviting.catch(() => {})
    const kills = [...Array<'server'>(times.server).fill('server'), ...Array<'portal'>(times.portal).fill('portal')]
    for (const victim of kills.toSorted(() => randomInt(3) - 1)) {
      await pause(randomInt(200, short ? 800 : 3000))
      if (victim === 'server') {
        await server.kill()
        await server.start()
      } else {
        await portal.kill()
        // what the mail server has read already it takes
        await pause(500)
        server.noteKill()
        await portal.start()
      }
      await hasten(portal)
    }
    const { invited, refused } = await inviting
    await sendAll(portal)

    const taken = server.taken()
    const expected = (
      await portal.sql<{ email: string }>(`select email from account where email like '%@invited.example'`)
    ).map(({ email }) => email)
    add(invited.length, faultsOf(taken, expected))
    const unknown = invited.filter(email => !expected.includes(email))
    check('every acknowledged account is there', unknown.length === 0 ? null : unknown.join(', '))
    const unanswered = taken.filter(({ told: acknowledged }) => !acknowledged).length
    check('answers were lost', unanswered > 0 ? null : 'none was')
    check('accounts were refused', refused > 0 ? null : 'none was')
    const [given] = await portal.sql<{ count: number }>(
      `select count(*)::int as count from mail where given_up_at is not null and created_at > now() - interval '1 hour'`,
    )
    check('no message was given up', given?.count === 0 ? null : `${given?.count} were`)

    // what the checks have to find
    const [first] = taken
    if (!first) throw new Error('no message was taken')
    const finds = (other: readonly TakenMail[]): boolean => faultsOf(other, expected).length > 0
    control('a message that never came', finds(taken.filter(({ to }) => to !== first.to)))
    control('a copy under another name', finds([...taken, { ...first, id: '<other@portal>', told: false }]))
    control('a message of what was rolled back', finds([...taken, { ...first, to: 'person-0@refused.example' }]))
    // the portal forgets that it was told so
    const acknowledged = taken.findLast(mail => mail.told)
    await portal.sql(`update mail set sent_at = null where account_id = (select id from account where email = $1)`, [
      acknowledged?.to,
    ])
    await sendAll(portal)
    control('a message that is sent again', finds(server.taken()))
    const copies = taken.length - new Set(taken.map(({ to }) => to)).size
    return result(
      `${taken.length} messages taken, ${copies} of them copies under the same Message-ID, after ${unanswered} lost answers`,
      `${times.server} kills of the mail server, ${times.portal} of the portal, ${refused} accounts refused`,
    )
  } finally {
    await portal?.close()
    await server.kill()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Invites so many people, and as many whose accounts are refused or rolled back. Answers the addresses that were acknowledged. */
async function invite(
  portal: Portal,
  admin: Client,
  accounts: number,
): Promise<{ invited: string[]; refused: number }> {
  const [customer] = await portal.sql<{ id: number }>(
    `select customer_id as id from account where username = 'customer' and site_id = 1`,
  )
  const invited: string[] = []
  let refused = 0
  for (let nth = 0; nth < accounts; nth++) {
    const account = { type: 'user', seq_id: customer?.id, invite: true }
    const email = `person-${nth}@invited.example`
    const outcome = await admin.callUntilReply('/customers/saveaccount', {
      ...account,
      username: `person-${nth}`,
      email,
    })
    if (outcome.kind === 'answer') invited.push(email)
    // it was made, and the portal was killed before it said so
    else if (outcome.refusal.code !== 'account.name_taken')
      throw new Error(`person-${nth}: ${JSON.stringify(outcome.refusal)}`)
    const again = { ...account, username: `person-${nth}`, email: `person-${nth}@refused.example` }
    if ((await admin.callUntilReply('/customers/saveaccount', again)).kind === 'refusal') refused++
    if (nth % 5 === 0) await rollBack(portal, email)
  }
  return { invited, refused }
}

/** Writes a message and rolls it back a moment later, when the portal has looked for messages meanwhile. */
const rollBack = (portal: Portal, email: string): Promise<void> =>
  portal
    .asOwner(async client => {
      await client.query('begin')
      await client.query(
        `insert into mail (site_id, customer_id, account_id, kind, created_at, due_at)
         select site_id, customer_id, id, 'roleChanged', now(), now() - interval '1 day' from account where email = $1`,
        [email],
      )
      await pause(500)
      await client.query('rollback')
    })
    // the portal was killed, and its connections with it
    .catch(() => {})

/** Lets time pass for messages that wait: this is the only node, and sends one after the other. */
const hasten = (portal: Portal): Promise<unknown> =>
  portal.sql(`update mail set due_at = now() where sent_at is null and given_up_at is null`)

/** Waits until nothing is left to send. */
async function sendAll(portal: Portal): Promise<void> {
  for (let tries = 0; tries < 900; tries++) {
    const [waiting] = await portal.sql<{ count: number }>(
      `select count(*)::int as count from mail where sent_at is null and given_up_at is null`,
    )
    if (waiting?.count === 0) return
    await hasten(portal)
    await pause(1000)
  }
  throw new Error('messages still wait after a quarter of an hour')
}

/** Faults in the accepted messages: each expected address has one; a copy follows a lost answer only, under its name. */
function faultsOf(taken: readonly TakenMail[], expected: readonly string[]): string[] {
  const latest = new Map<string, TakenMail>()
  const faults: string[] = []
  for (const mail of taken) {
    const before = latest.get(mail.to)
    if (before && before.id !== mail.id) faults.push(`${mail.to} got two messages`)
    else if (before?.told) faults.push(`${mail.to} got a copy of what the portal knew to be taken`)
    latest.set(mail.to, mail)
  }
  const wanted = new Set(expected)
  for (const to of wanted) if (!latest.has(to)) faults.push(`${to} got no message`)
  for (const to of latest.keys()) if (!wanted.has(to)) faults.push(`${to} got a message of what was rolled back`)
  return faults
}
