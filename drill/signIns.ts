/**
 * docs/promises.md "Sign-in": a refused sign-in does not reveal whether the account exists. An unknown name, a wrong password and a
 * disabled account get the same body after the same CPU time, measured in turns. Negative control: the measurement tells a refusal for
 * which no password was hashed.
 */
import { tally, type DrillOptions, type Result } from './drill.ts'
import { seededRandom, type Random } from './hostileInput.ts'
import { openInProcess, type InProcessPortal } from './inProcess.ts'

export const promise = 16
export const summary = 'refused sign-ins do not reveal whether an account exists'
export const alone = true

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const rounds = short ? 40 : 500
  const maxDifference = short ? 0.2 : 0.08
  const inside = await openInProcess()
  try {
    await inside.sql(`update account set disabled_at = now() where username = 'customer2'`)
    await inside.sql(
      `insert into account (site_id, customer_id, username, type, password) select site_id, customer_id, 'invited', type, '' from account where username = 'customer2'`,
    )
    const names = {
      unknown: 'nobody-of-this-name',
      wrong: 'customer',
      disabled: 'customer2',
      admin: 'admin',
      invited: 'invited',
    }
    const times = new Map<string, number[]>(Object.keys(names).map(kind => [kind, []]))
    const clock = new Map<string, number[]>(Object.keys(names).map(kind => [kind, []]))
    const bodies = new Set<string>()
    const draw = seededRandom(16)
    for (let round = 0; round < rounds; round++) {
      // before an account has as many failures as it may have in a day
      if (round % 50 === 0) await inside.sql('delete from sign_in_failure')
      // in a random order, so that none always follows the same other one
      for (const [kind, username] of shuffled(Object.entries(names), draw)) {
        // a new address each time: the limit per address refuses without hashing
        const { ms, work, status, body } = await signIn(inside, username, `10.${round >> 8}.${round & 255}.1`)
        if (round > 5) {
          times.get(kind)?.push(work)
          clock.get(kind)?.push(ms)
        }
        bodies.add(body)
        check(`${kind}, round ${round}`, status === 401 ? null : `answered ${status}`)
      }
    }
    check('the body', bodies.size === 1 ? null : `there are ${bodies.size}: ${[...bodies].join(' ')}`)
    const usual = tenthPercentile([...times.values()].flat())
    for (const [kind, taken] of times) {
      const off = Math.abs(tenthPercentile(taken) - usual) / usual
      check(
        `the time of ${kind}`,
        off < maxDifference ? null : `${tenthPercentile(taken).toFixed(2)} ms instead of ${usual.toFixed(2)}`,
      )
    }

    const limited: number[] = []
    for (let nth = 0; nth < 60; nth++) {
      const { work, status } = await signIn(inside, 'admin', '10.99.0.1')
      if (status === 429) limited.push(work)
    }
    control(
      'an answer without a hash',
      limited.length > 40 && Math.abs(tenthPercentile(limited) - usual) / usual > maxDifference,
    )
    const each = [...times].map(
      ([kind, taken]) =>
        `${kind} ${tenthPercentile(taken).toFixed(2)} ms of CPU time, ${tenthPercentile(clock.get(kind) ?? []).toFixed(2)} ms elapsed`,
    )
    return result(each.join(', '), `without a hash ${tenthPercentile(limited).toFixed(2)} ms`)
  } finally {
    await inside.close()
  }
}

const shuffled = <T>(all: readonly T[], draw: Random): T[] =>
  all
    .map(item => ({ one: item, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one: item }) => item)

async function signIn({ app }: InProcessPortal, username: string, remoteAddress: string) {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const reply = await app.inject({
    method: 'POST',
    url: '/users/authenticate',
    // a device that may be known, for which it has to be looked up
    headers: { host: 'localhost', cookie: 'wheelhouse-device=somebody-else' },
    remoteAddress,
    payload: { username, password: 'not the one' },
  })
  const ms = performance.now() - begun
  // CPU time of all threads, hashing included: other load on the machine does not count
  const { user, system } = process.cpuUsage(before)
  return {
    ms,
    work: (user + system) / 1000,
    status: reply.statusCode,
    body: reply.payload.replace(/"requestId":"[^"]*"/, ''),
  }
}

/** The tenth percentile: the duration without other load. */
const tenthPercentile = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 10)] ?? Number.NaN
