/**
 * Access tokens as principals: every call with a token that is wrong in each way a token can be (docs/promises.md "Authorisation").
 * testing/matrix.ts tests what usable ones see and change.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenScopes } from '#domain/people/token.ts'
import { customers } from '#contract/customers.ts'
import { calls } from '#contract/index.ts'
import { tokens } from '#contract/tokens.ts'
import { rowOf, send, withoutRequest } from '../testing/bodies.ts'
import { reportCases } from '../testing/cases.ts'
import { openOwners, type Owned } from '../testing/owners.ts'
import { differences, keep, type Kept } from '../testing/state.ts'
import { siteTokenOf, tokenOf } from '../testing/tokens.ts'
import { password, world, type Principal, type World } from '../testing/world.ts'

let at: World
let wrong: Record<string, Principal>
let owned: Owned
let kept: Kept
let tried = 0
let leaks = 0
reportCases('Access tokens', () => ({ tried, leaks }))

const dayMs = 86_400_000
beforeAll(async () => {
  const now = new Date('2026-11-18T10:00:00Z')
  at = await world({ now, served: () => ({ queues: null }) })
  const { a, admin, otherAdmin } = at.who
  const revoked = await tokenOf(at, a)
  const [last] = (await at.ask(tokens.own, a, {})).answer
  await at.ask(tokens.revoke, a, { _id: last?._id ?? 0 })
  const expired = await tokenOf(at, admin, { days: 30 })
  wrong = {
    revoked,
    expired,
    'of a disabled account': await disabled(),
    'of an administrator elsewhere': { ...(await tokenOf(at, otherAdmin)), host: admin.host },
    'of another site': { ...(await siteTokenOf(at, otherAdmin)), host: admin.host },
    'at no site': { ...(await tokenOf(at, admin)), host: 'nowhere.test' },
    'cut short': await tokenOf(at, admin).then(who => ({ ...who, token: String(who.token).slice(0, -1) })),
    'with another prefix': await tokenOf(at, admin).then(who => ({
      ...who,
      token: String(who.token).replace('whp_', 'whs_'),
    })),
    'the cookie of a session': { ...admin, cookie: null, token: String(admin.cookie).replace('wheelhouse=', '') },
    empty: { ...admin, cookie: null, token: ' ' },
  }
  at.clock.now = new Date(now.getTime() + 31 * dayMs)
  const { rowsOf } = await openOwners(at)
  owned = await rowsOf('a')
  kept = await keep(at)
})
afterAll(() => at.close())

/** That a token was used is noted once a minute, also where it opens nothing. */
const useOnce = (who: Principal) => at.send('/users/loginstate', who, {})

async function disabled(): Promise<Principal> {
  const { answer } = await at.ask(customers.saveaccount, at.who.admin, { username: 'gone', type: 'admin', password })
  await at.settlePassword(answer._id)
  const reply = await at.send('/users/authenticate', at.who.anonymous, { username: 'gone', password })
  const [cookie = null] = String(reply.headers['set-cookie']).split(';')
  const token = await tokenOf(at, { ...at.who.admin, account: answer._id, cookie })
  await at.ask(customers.setdisabled, at.who.admin, { _id: answer._id, disabled: true })
  return token
}

test('a token that is wrong in any way opens nothing, and every way is answered alike', { tags: 'whole' }, async () => {
  await Promise.all(Object.values(wrong).map(useOnce))
  const before = await kept.read()
  for (const { name, call } of calls) {
    const row = rowOf(name)
    const answers = new Set<string>()
    for (const [how, who] of Object.entries(wrong)) {
      tried++
      const reply = await send(at, call, row, who, row.body(owned), owned)
      expect([reply.status, reply.refusal?.code], `${name} with one ${how}: ${reply.text}`).toEqual([
        401,
        'token.invalid',
      ])
      answers.add(withoutRequest(reply))
      if (owned.words.some(word => reply.text.includes(word))) leaks++
    }
    expect([...answers], name).toHaveLength(1)
  }
  const changed = differences(before, await kept.read())
  leaks += changed.length
  expect(changed).toEqual([])
  expect(leaks).toBe(0)
})

test('a usable token without the scope of a call is refused before anything is looked at', async () => {
  const fresh = at.clock.now
  at.clock.now = new Date('2026-11-18T10:00:00Z')
  const withOnly = Object.fromEntries(
    await Promise.all(
      tokenScopes.map(
        async scope => [scope, await tokenOf(at, at.who.admin, { scopes: [scope], days: null })] as const,
      ),
    ),
  )
  at.clock.now = fresh
  await Promise.all(Object.values(withOnly).map(useOnce))
  const before = await kept.read()
  for (const { name, call } of calls) {
    const row = rowOf(name)
    for (const [scope, who] of Object.entries(withOnly)) {
      if (scope === call.scope) continue
      tried++
      const reply = await send(at, call, row, who, row.body(owned), owned)
      const code = call.scope === null ? 'token.closed' : 'token.scope'
      expect([reply.status, reply.refusal?.code], `${name} with ${scope}`).toEqual([403, code])
    }
  }
  expect(differences(before, await kept.read())).toEqual([])
})
