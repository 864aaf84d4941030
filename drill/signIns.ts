/**
 * Nobody learns from a refused sign-in whether there is such an account (docs/promises.md "Sign-in"): an unknown name, a wrong password and a
 * disabled account are answered with the same body after the same work, measured in turns. The stop-watch is first shown an
 * answer for which no password was hashed.
 */
import { tally, type DrillOptions, type Figure } from './drill.ts'
import { chance, type Chance } from './hostile.ts'
import { openInside, type Inside } from './inside.ts'

export const line = 16
export const says = 'unknown and wrong sign-ins are answered alike'
export const alone = true

export async function run({ short, log }: DrillOptions): Promise<Figure> {
  const { check, control, figure } = tally(log)
  const rounds = short ? 40 : 500
  const apart = short ? 0.2 : 0.08
  const inside = await openInside()
  try {
    await inside.sql(`update account set disabled_at = now() where username = 'customer2'`)
    const names = { unknown: 'nobody-of-this-name', wrong: 'customer', disabled: 'customer2', admin: 'admin' }
    const times = new Map<string, number[]>(Object.keys(names).map(kind => [kind, []]))
    const clock = new Map<string, number[]>(Object.keys(names).map(kind => [kind, []]))
    const bodies = new Set<string>()
    const draw = chance(16)
    for (let round = 0; round < rounds; round++)
      // none is always the first, or behind the same other one
      for (const [kind, username] of shuffled(Object.entries(names), draw)) {
        // an address of its own each time: the limit per address answers without looking at the password
        const { ms, work, status, body } = await signIn(inside, username, `10.${round >> 8}.${round & 255}.1`)
        if (round > 5) {
          times.get(kind)?.push(work)
          clock.get(kind)?.push(ms)
        }
        bodies.add(body)
        check(`${kind}, round ${round}`, status === 401 ? null : `answered ${status}`)
      }
    check('the body', bodies.size === 1 ? null : `there are ${bodies.size}: ${[...bodies].join(' ')}`)
    const usual = quick([...times.values()].flat())
    for (const [kind, taken] of times) {
      const off = Math.abs(quick(taken) - usual) / usual
      check(`the time of ${kind}`, off < apart ? null : `${quick(taken).toFixed(2)} ms instead of ${usual.toFixed(2)}`)
    }

    const stopped: number[] = []
    for (let nth = 0; nth < 60; nth++) {
      const { work, status } = await signIn(inside, 'admin', '10.99.0.1')
      if (status === 429) stopped.push(work)
    }
    control('an answer without a hash', stopped.length > 40 && Math.abs(quick(stopped) - usual) / usual > apart)
    const each = [...times].map(
      ([kind, taken]) =>
        `${kind} ${quick(taken).toFixed(2)} ms of work, ${quick(clock.get(kind) ?? []).toFixed(2)} ms in all`,
    )
    return figure(each.join(', '), `without a hash ${quick(stopped).toFixed(2)} ms`)
  } finally {
    await inside.close()
  }
}

const shuffled = <T>(all: readonly T[], draw: Chance): T[] =>
  all
    .map(one => ({ one, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)

async function signIn({ app }: Inside, username: string, remoteAddress: string) {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const reply = await app.inject({
    method: 'POST',
    url: '/users/authenticate',
    headers: { host: 'localhost' },
    remoteAddress,
    payload: { username, password: 'not the one' },
  })
  const ms = performance.now() - begun
  // what else goes on in the machine makes an answer late, not work: hashing threads are counted, too
  const { user, system } = process.cpuUsage(before)
  return {
    ms,
    work: (user + system) / 1000,
    status: reply.statusCode,
    body: reply.payload.replace(/"requestId":"[^"]*"/, ''),
  }
}

/** What a try takes when nothing else is going on: one tenth of them were quicker. */
const quick = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 10)] ?? Number.NaN
