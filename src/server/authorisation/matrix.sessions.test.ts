/**
 * A session that has ended is answered as if it had never been, however it ended, in every mode and by every call.
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { modes, type Mode } from '#domain/site.ts'
import { calls } from '#contract/index.ts'
import { rowOf, withoutRequest } from '../testing/bodies.ts'
import { openMatrix, printsOf, secretsOf, sitesForeignTo } from '../testing/matrix.ts'
import { owners } from '../testing/owners.ts'
import { isSignedIn, revokedSessions, signInAgain } from '../testing/revoked.ts'
import type { Principal } from '../testing/world.ts'

let revoked: Record<string, Principal>
const { now } = openMatrix(async at => {
  revoked = await revokedSessions(at)
})

/** Which calls take a session for one that has ended. */
async function revivals(mode: Mode): Promise<string[]> {
  const matrix = now()
  const { at, rowsOf } = matrix
  const principals: string[] = []
  const owned = { a: await rowsOf('a'), b: await rowsOf('b'), other: await rowsOf('other') }
  const nobody = at.who.anonymous
  const secret = secretsOf(at, nobody, owners, owned)
  const foreign = sitesForeignTo(at, nobody)
  const before = printsOf(await matrix.prints(), owners, foreign)
  for (const { name, call } of calls) {
    const row = rowOf(name)
    // two users ago it was a customer's, and so are the rows that it would find
    const body = row.body(owned.a)
    const unknown = withoutRequest(await matrix.ask(call, row, nobody, body, owned.a))
    for (const [ended, who] of Object.entries(revoked)) {
      // counts wrong passwords, signed in or not
      if (name === 'users.authenticate') continue
      const reply = await matrix.ask(call, row, who, body, owned.a)
      const elsewhere = who.host !== nobody.host && call.who === 'anyone'
      const alike = elsewhere || withoutRequest(reply) === unknown
      const refused = call.who === 'anyone' || reply.refusal.code === 'session.missing'
      if (!alike || !refused || secret.some(word => reply.text.includes(word))) principals.push(`${name} by ${ended}`)
    }
  }
  for (const [ended, who] of Object.entries(revoked)) if (await isSignedIn(at, who)) principals.push(ended)
  if (printsOf(await matrix.prints(), owners, foreign).join() !== before.join()) principals.push(`rows in ${mode}`)
  matrix.leaks += principals.length
  return principals
}

test.each(modes)(
  'a session that has ended is answered as if it had never been, whatever ended it, in mode %s',
  async mode => {
    const { at } = now()
    for (const site of Object.values(at.sites)) await at.setSite(site, { mode })
    expect(await revivals(mode)).toEqual([])
  },
)

test('a session that outlives what should end it is found out', async () => {
  const matrix = now()
  const { at } = matrix
  await at.query(`create function keep_session() returns trigger language plpgsql as 'begin return null; end'`)
  await at.query(`create trigger outlive before delete on session for each row execute function keep_session()`)
  const really = revoked
  const before = matrix.leaks
  try {
    const who = await signInAgain(at, at.who.a)
    await at.send('/users/logout', who, {})
    revoked = { 'signed out in vain': who }
    expect(await revivals('both')).toContain('fleet.fetch by signed out in vain')
    matrix.leaks = before
  } finally {
    revoked = really
    await at.query('drop trigger outlive on session')
  }
})
