/** Sessions that were real and used, and have ended in every way that ends one (docs/promises.md "Session safety"). */
import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '#domain/people/account.ts'
import { customers } from '#contract/customers.ts'
import { people } from '#contract/people.ts'
import type { Call } from '#contract/call.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import type { Principal, World } from './world.ts'

const password = 'a password that is long enough'

/** The cookie of a new session of an account, by signing in. */
async function signIn(at: World, host: string, username: string): Promise<string> {
  const reply = await at.send('/users/authenticate', { ...at.who.anonymous, host }, { username, password })
  const [cookie = ''] = String(reply.headers['set-cookie']).split(';')
  if (reply.status !== 200 || !cookie) throw new Error(`${username} could not sign in: ${reply.text}`)
  return cookie
}

export const isSignedIn = async (at: World, who: Principal): Promise<boolean> =>
  ((await at.send('/users/loginstate', who, {})).answer as { isAuthenticated: boolean }).isAuthenticated

/** @throws when what should end a session was refused */
async function expectOk(reply: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await reply
  if (status !== 200) throw new Error(text)
}

/**
 * Principals whose session has ended, by what ended it; each was signed in and known to the server just before. And those whose
 * session goes on, but not at the address where they use it.
 */
export async function revokedSessions(at: World): Promise<Record<string, Principal>> {
  const { admin, superuser } = at.who
  const principals: Record<string, Principal> = {}
  const addRevoked = async (
    name: string,
    type: Exclude<Role, 'superuser'>,
    end: (who: Principal) => Promise<void>,
  ): Promise<void> => {
    const customer = type === 'user' ? at.customers.a : null
    const username = name.replaceAll(' ', '-')
    const saved = await at.ask(customers.saveaccount as Call, admin, {
      username,
      type,
      password,
      ...(customer !== null && { seq_id: customer }),
    })
    if (saved.status !== 200) throw new Error(saved.text)
    const { _id: account } = saved.answer as { _id: number }
    await at.settlePassword(account)
    const cookie = await signIn(at, admin.host, username)
    const who: Principal = { name, account, type, site: at.sites.home, customer, host: admin.host, cookie }
    if (!(await isSignedIn(at, who))) throw new Error(`${name} was not signed in`)
    await end(who)
    principals[name] = who
  }
  const ask = (call: Call, body: object) => expectOk(at.ask(call, admin, body as never))

  for (const type of ['user', 'admin'] as const) {
    await addRevoked(`${type} signed out`, type, who => expectOk(at.send('/users/logout', who, {})))
    await addRevoked(`${type} disabled`, type, who => ask(customers.setdisabled, { _id: who.account, disabled: true }))
    await addRevoked(`${type} given a password`, type, who => ask(customers.resetpassword, { _id: who.account }))
    await addRevoked(`${type} erased`, type, who => ask(people.eraseaccount, { _id: who.account }))
    await addRevoked(`${type} with a password of its own`, type, async who => {
      const elsewhere = { ...who, cookie: await signIn(at, who.host, who.name.replaceAll(' ', '-')) }
      await expectOk(at.send('/users/password', elsewhere, { password, wanted: `${password} and new` }))
    })
  }
  await addRevoked('user become admin', 'user', who => ask(customers.saveaccount, { _id: who.account, type: 'admin' }))
  await addRevoked('admin become user', 'admin', who =>
    ask(customers.saveaccount, { _id: who.account, type: 'user', seq_id: at.customers.a }),
  )
  await addRevoked('user of another customer', 'user', who =>
    ask(customers.saveaccount, { _id: who.account, seq_id: at.customers.b }),
  )
  const expire = (column: string, interval: string) => async (who: Principal) => {
    const hash = createHash('sha256')
      .update(who.cookie?.split('=')[1] ?? '')
      .digest()
    await at.query(`update session set ${column} = $2::timestamptz - $3::interval where token_hash = $1`, [
      hash,
      at.clock.now,
      interval,
    ])
    // the clock of these tests stands still, and a node believes what it has looked up for a second
    invalidateSessions(at.database, who.account)
  }
  await addRevoked('user idle', 'user', expire('seen_at', '12 hours 1 second'))
  await addRevoked('admin signed in too long ago', 'admin', expire('ends_at', '1 second'))

  // the superuser signs out as well
  const again = await signInAgain(at, superuser)
  await expectOk(at.send('/users/logout', again, {}))
  principals['superuser signed out'] = again

  principals['user at another site'] = { ...at.who.a, host: at.who.otherUser.host }
  principals['admin at another site'] = { ...admin, host: at.who.otherAdmin.host }
  principals['unknown'] = { ...at.who.a, cookie: `wheelhouse=${'x'.repeat(43)}` }
  return principals
}

/** A second session of an account that the world has made. */
export async function signInAgain(at: World, who: Principal): Promise<Principal> {
  const token = randomBytes(32).toString('base64url')
  await at.query(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at)
     select $1, id, site_id, $3, $3 from account where id = $2`,
    [createHash('sha256').update(token).digest(), who.account, at.clock.now],
  )
  const again = { ...who, cookie: `wheelhouse=${token}` }
  if (!(await isSignedIn(at, again))) throw new Error(`${who.name} was not signed in again`)
  return again
}
