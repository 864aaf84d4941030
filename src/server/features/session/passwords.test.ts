/** Passwords wherever they are set: the same names are no part of one, and none passes the second step. */
import { TOTP, Secret } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { hotelconfig } from '#contract/config.ts'
import { account, users } from '#contract/session.ts'
import { hashToken } from '../../tokens.ts'
import { openSecrets } from '../../secrets.ts'
import { password, world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ served: () => ({ sendsMail: true, secrets: openSecrets('a key of the tests') }) })
})
afterAll(() => at.close())

/** Gives the token of a link to a new password, as if its message had come. */
async function linkFor(owner: number, token: string): Promise<string> {
  await at.query(
    `with sent as (
       insert into mail (site_id, customer_id, account_id, kind, created_at, due_at)
       select site_id, customer_id, id, 'reset', $2, $2 from account where id = $1 returning id, site_id, customer_id, account_id)
     insert into account_link (hash, mail_id, site_id, customer_id, account_id, kind, expires_at)
     select $3, id, site_id, customer_id, account_id, 'reset', $2::timestamptz + interval '30 minutes' from sent`,
    [owner, at.clock.now, hashToken(token)],
  )
  return token
}

// Garage Alfa NV is the customer, Tyre hotel home the site
test.each(['garage alfa nv', 'tyrehotelhome'])('%j is none, whoever sets it and wherever', async typed => {
  const { admin, superuser, a } = at.who
  const username = `named-${typed.length}`
  const replies = [
    await at.ask(customers.saveaccount, admin, { username, type: 'user', seq_id: at.customers.a, password: typed }),
    await at.ask(customers.resetpassword, admin, { _id: a.account, password: typed }),
    await at.ask(users.password, a, { password, wanted: typed }),
    await at.ask(users.setpassword, at.who.anonymous, { token: await linkFor(a.account, username), password: typed }),
    // an administrator of a site is of no customer
    ...(typed === 'tyrehotelhome'
      ? [await at.ask(hotelconfig.newadmin, superuser, { id: at.sites.home, username, password: typed })]
      : []),
  ]
  expect(replies.map(({ refusal }) => refusal.code)).toEqual(replies.map(() => 'account.password_guessable'))
})

test('a link to a new one sets it and passes no second step', async () => {
  const who = at.who.a
  const { answer: offered } = await at.ask(account.offer, who, {})
  const { seed, sealed } = offered.app ?? { seed: '', sealed: '' }
  const code = TOTP.generate({ secret: Secret.fromBase32(seed), timestamp: at.clock.now.getTime() })
  expect((await at.ask(account.addapp, who, { sealed, code })).status).toBe(200)
  const chosen = 'a horse of another colour'
  const set = await at.ask(users.setpassword, at.who.anonymous, {
    token: await linkFor(who.account, 'lost'),
    password: chosen,
  })
  expect(set.answer).toEqual({ username: who.name })
  expect(set.headers['set-cookie']).toBeUndefined()
  const begun = await at.ask(users.authenticate, at.who.anonymous, { username: who.name, password: chosen })
  expect(begun.answer).toMatchObject({ isAuthenticated: false, awaits: 'factor' })
})
