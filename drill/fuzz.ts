/**
 * Every call with bodies drawn from its own schema and spoilt, with bodies that are none, with hostile forms, headers and
 * addresses, as each kind of account (docs/promises.md "Fuzz"): no answer is a fault of the server, every refusal has the declared shape
 * and a code that the call declares. `FUZZ_SEED` repeats a run.
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Role } from '#domain/account.ts'
import { failures, type FailureCode } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { commonFailures } from '../src/server/http/openapi.ts'
import { invalidateSessions } from '../src/server/features/session/sessions.ts'
import { invalidateSites } from '../src/server/features/sites/sites.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { bodies, chance, hostileForm, sample, schemaOf, texts, type Chance } from './hostile.ts'
import { openInside, type Inside } from './inside.ts'

export const promise = 14
export const summary = 'hostile requests end in an answer or in a declared refusal'

type Principal = { readonly role: Role | null; readonly host: string; readonly cookie: string | null }
type Asked = InjectOptions & { readonly headers: Record<string, string>; readonly payload?: string | Buffer }
type Trial = { readonly name: string; readonly call: Call; readonly asked: Asked }
type Heard = { readonly status: number; readonly text: string; readonly type: string }

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const trials = short ? 2000 : 50_000
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
  const checks = tally(log)
  const counted: Record<number, number> = {}
  /** What the server logs of its faults, by the request. */
  const faults = new Map<string, string>()
  const stream = {
    write(written: string) {
      const { requestId, err } = JSON.parse(written) as { requestId?: string; err?: { message: string } }
      if (requestId) faults.set(requestId, err?.message.slice(0, 400) ?? '')
    },
  }
  const inside = await openInside({ logger: { level: 'error', stream } })
  try {
    const keep = await keeper(inside)
    let tried = 0
    const worker = async (nth: number): Promise<void> => {
      const draw = chance(seed * 16 + nth)
      while (tried < trials) {
        if (tried++ % 500 === 0) await keep.restore()
        const entry = draw.of(calls)
        const trial = trialOf(draw, askerOf(draw, entry.call, keep.principals), entry)
        const heard = await hear(inside.app, trial.asked)
        counted[heard.status] = (counted[heard.status] ?? 0) + 1
        const wrong = wrongWith(trial.call, heard)
        checks.check(
          told(trial),
          wrong && `${wrong} ${[...faults].filter(([id]) => heard.text.includes(id)).join(' ')}`,
        )
        faults.clear()
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, nth) => worker(nth)))
    checks.check('the prototype of objects', 'polluted' in {} ? 'was reached' : null)
    await control(inside, keep.principals, seed, checks.control)
  } finally {
    await inside.close()
  }
  const statuses = Object.entries(counted).map(([status, times]) => `${times} × ${status}`)
  return checks.result(`seed ${seed}`, statuses.join(', '))
}

const at = (site: number): string => (site === 1 ? 'localhost' : 'second.localhost')

/** Sessions of every kind of account, and what puts the demo back on its feet when a request was not so hostile after all. */
async function keeper(inside: Inside): Promise<{ principals: Principal[]; restore(): Promise<void> }> {
  const addresses = await inside.sql<{ host: string; site_id: number }>('select host, site_id from site_address')
  const accounts = await inside.sql('select id, username from account')
  const named: readonly [string, number | null, string, Role][] = [
    ['customer', 1, at(1), 'user'],
    ['admin', 1, at(1), 'admin'],
    ['customer', 2, at(2), 'user'],
    ['admin', 2, at(2), 'admin'],
    ['superuser', null, at(1), 'superuser'],
  ]
  const principals: { -readonly [K in keyof Principal]: Principal[K] }[] = [
    { role: null, host: at(1), cookie: null },
    ...named.map(([, , host, role]) => ({ role, host, cookie: null })),
  ]
  return {
    principals,
    async restore() {
      await inside.sql('update site set retired_at = null')
      for (const { host, site_id } of addresses)
        await inside.sql(
          'insert into site_address (host, site_id) values ($1, $2) on conflict (host) do update set site_id = $2',
          [host, site_id],
        )
      await inside.sql(
        `update account a set disabled_at = null, erased_at = null, username = b.username
         from json_to_recordset($1) as b (id int, username text) where a.id = b.id`,
        [JSON.stringify(accounts)],
      )
      for (const [nth, [name, site]] of named.entries()) {
        const principal = principals[nth + 1]
        if (principal) principal.cookie = await inside.signIn(name, site)
      }
      invalidateSites(inside.database)
      invalidateSessions(inside.database)
    },
  }
}

/** Mostly somebody who may make the call, so that what is behind it is reached. */
function askerOf(draw: Chance, { who }: Call, principals: readonly Principal[]): Principal {
  const able = principals.filter(({ role }) => who === 'anyone' || (role !== null && who.includes(role)))
  return draw.of(draw() < 0.85 ? able : principals)
}

/** A request to a call, as somebody, spoilt in one of many ways. */
function trialOf(draw: Chance, who: Principal, { name, call }: (typeof calls)[number]): Trial {
  const headers: Record<string, string> = { host: who.host, ...(who.cookie && { cookie: who.cookie }) }
  const input = sample(schemaOf(call), draw, draw.of([0, 0, 0.03, 0.1, 0.4]))
  const pieces = (input ?? {}) as Record<string, unknown>
  let url = call.path.replaceAll(/\{(\w+)\}/g, (_, piece: string) =>
    encodeURIComponent((draw() < 0.7 ? textOf(pieces[piece]) : draw.of(texts)).toWellFormed()),
  )
  if (draw() < 0.05) url += draw.of(['?a=%00', '?__proto__[x]=1', '/', '%', '%ff', '%00', '?%', '//', ';a=b'])
  if (call.method === 'GET') return { name, call, asked: { method: 'GET', url, headers: spoilt(headers, draw) } }

  const kind = draw()
  if (kind < (call.files.length > 0 ? 0.6 : 0.02)) {
    const form = hostileForm(draw)
    const payload = Buffer.from(form.body, draw() < 0.5 ? 'latin1' : 'utf8')
    return { name, call, asked: { method: 'POST', url, headers: { ...headers, 'content-type': form.type }, payload } }
  }
  // the large ones rarely: they are all refused by their first bytes
  const payload =
    kind < 0.1
      ? draw.of(draw() < 0.1 ? bodies : bodies.slice(5)).make()
      : kind < 0.12
        ? Buffer.from([0xff, 0xfe, 0x7b, 0xc0, 0x80, 0xed, 0xa0, 0x80]).toString('latin1')
        : JSON.stringify(input)
  const type =
    draw() < 0.97 ? 'application/json' : draw.of(['text/plain', 'application/xml', '', 'application/json;;', 'x'])
  return {
    name,
    call,
    asked: {
      method: 'POST',
      url,
      headers: spoilt({ ...headers, ...(type && { 'content-type': type }) }, draw),
      ...(payload !== undefined && { payload }),
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Headers that a browser would not send. */
function spoilt(headers: Record<string, string>, draw: Chance): Record<string, string> {
  if (draw() > 0.1) return headers
  const extra: readonly Record<string, string>[] = [
    { 'idempotency-key': 'x' },
    { 'idempotency-key': '9f2c4c3e-7a53-4b7e-9a47-0d5c1c9e4f11' },
    { 'accept-language': `${'x,'.repeat(3000)}nl` },
    { 'accept-language': 'fr;q=NaN, ../../nl' },
    { cookie: 'wheelhouse=' },
    { cookie: `wheelhouse=${'a'.repeat(5000)}` },
    { cookie: 'wheelhouse=%00%ff; wheelhouse=b' },
    { origin: 'null' },
    { origin: '://' },
    { referer: 'http://[' },
    { referer: `http://a/${'%'.repeat(3000)}` },
    { host: 'nobody.example' },
    { host: 'a b' },
    { 'accept-encoding': 'gzip, br;q=x' },
    { 'if-none-match': 'W/"*", *' },
    { 'wheelhouse-tab': "'; notify x" },
    { 'x-forwarded-for': 'x', 'x-forwarded-host': 'y', 'x-forwarded-proto': 'https,http' },
    { 'content-encoding': 'gzip' },
    { 'transfer-encoding': 'identity' },
  ]
  return { ...headers, ...draw.of(extra) }
}

async function hear(app: FastifyInstance, asked: Asked): Promise<Heard> {
  const reply = await app.inject(asked)
  return { status: reply.statusCode, text: reply.payload, type: String(reply.headers['content-type'] ?? '') }
}

const told = ({ name, asked }: Trial): string =>
  `${name} ${asked.url} ${JSON.stringify({ ...asked.headers, cookie: undefined })} ${String(asked.payload ?? '').slice(0, 600)}`

/** What is wrong with how a call was answered, `null` when nothing is. */
export function wrongWith(call: Call, { status, text, type }: Heard): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  if (status === 200 || status === 304) return null
  if (!type.startsWith('application/json')) return `${status} as ${type}`
  let refusal: Record<string, unknown>
  try {
    refusal = JSON.parse(text) as Record<string, unknown>
  } catch {
    return `${status} that is no JSON: ${text.slice(0, 100)}`
  }
  return wrongWithRefusal(call, status, text, refusal)
}

function wrongWithRefusal(
  call: Call,
  status: number,
  text: string,
  refusal: Readonly<Record<string, unknown>>,
): string | null {
  const { code, message, params, requestId } = refusal
  if (Object.keys(refusal).toSorted().join() !== 'code,message,params,requestId') return `another shape: ${text}`
  if (typeof code !== 'string' || !Object.hasOwn(failures, code)) return `an unknown code: ${text}`
  if (failures[code as FailureCode] !== status) return `${status} for ${code}`
  // an address that is that of no call: of pieces that no route takes
  const general: readonly FailureCode[] = [...commonFailures(call), 'request.route_missing']
  if (!general.includes(code as FailureCode) && !call.failures.includes(code as FailureCode))
    return `a code that it does not declare: ${code}`
  if (typeof message !== 'string' || message === '' || message === code || message.includes('{{'))
    return `no text: ${text}`
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return `no facts: ${text}`
  return typeof requestId === 'string' && requestId !== '' ? null : `no request: ${text}`
}

const as = (status: number, answer: object): Heard => ({
  status,
  text: JSON.stringify(answer),
  type: 'application/json',
})

/** A server that falls over, and one that answers in a shape of its own, are found out. */
async function control(
  inside: Inside,
  principals: readonly Principal[],
  seed: number,
  seen: (what: string, found: boolean) => void,
): Promise<void> {
  const weak = await inside.another({
    clock: () => {
      throw new Error('falls over')
    },
  })
  const draw = chance(seed)
  let found = 0
  for (let nth = 0; nth < 50; nth++) {
    const { call, asked } = trialOf(draw, draw.of(principals), draw.of(calls))
    if (wrongWith(call, await hear(weak, asked)) !== null) found++
  }
  seen('a server that falls over', found > 0)
  const [first] = calls
  if (!first) return
  const refused = { code: 'request.invalid', message: 'Not valid.', params: {}, requestId: 'x' }
  seen('a refusal that is right', wrongWith(first.call, as(400, refused)) === null)
  const wrong = [
    as(400, { error: 'Bad Request' }),
    as(409, refused),
    as(404, { ...refused, code: 'label.report_missing' }),
    as(400, { ...refused, message: 'At most {{most}}.' }),
    as(400, { ...refused, stack: 'at …' }),
  ]
  for (const heard of wrong) seen(heard.text, wrongWith(first.call, heard) !== null)
}
