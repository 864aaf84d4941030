/**
 * Every call with bodies generated from its schema and mutated, with malformed bodies, hostile forms, headers and
 * paths, as every role (docs/promises.md "Fuzz"): no answer is a server error, every refusal has the declared shape and
 * a code that the call declares. `FUZZ_SEED` repeats a run.
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Role } from '#domain/people/account.ts'
import { failures, type FailureCode } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { commonFailures } from '../src/server/http/openapi.ts'
import { invalidateSessions } from '../src/server/features/session/sessions.ts'
import { invalidateSites } from '../src/server/features/sites/sites.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { bodies, seededRandom, hostileForm, generate, schemaOf, texts, type Random } from './hostileInput.ts'
import { openInProcess, type InProcessPortal } from './inProcess.ts'

export const promise = 14
export const summary = 'hostile requests get an answer or a declared refusal'

type Principal = { readonly role: Role | null; readonly host: string; readonly cookie: string | null }
type Asked = InjectOptions & { readonly headers: Record<string, string>; readonly payload?: string | Buffer }
type Trial = { readonly name: string; readonly call: Call; readonly request: Asked }
type Reply = { readonly status: number; readonly text: string; readonly type: string }

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const trials = short ? 2000 : 50_000
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
  const checks = tally(log)
  const counted: Record<number, number> = {}
  /** The logged server errors, by request id. */
  const faults = new Map<string, string>()
  const stream = {
    write(written: string) {
      const { requestId, err } = JSON.parse(written) as { requestId?: string; err?: { message: string } }
      if (requestId) faults.set(requestId, err?.message.slice(0, 400) ?? '')
    },
  }
  const portal = await openInProcess({ logger: { level: 'error', stream } })
  try {
    const demo = await prepareDemo(portal)
    let tried = 0
    const worker = async (nth: number): Promise<void> => {
      const random = seededRandom(seed * 16 + nth)
      while (tried < trials) {
        if (tried++ % 500 === 0) await demo.restore()
        const entry = random.of(calls)
        const trial = trialOf(random, pickPrincipal(random, entry.call, demo.principals), entry)
        const reply = await send(portal.app, trial.request)
        counted[reply.status] = (counted[reply.status] ?? 0) + 1
        const wrong = violationOf(trial.call, reply)
        checks.check(
          describe(trial),
          wrong && `${wrong} ${[...faults].filter(([id]) => reply.text.includes(id)).join(' ')}`,
        )
        faults.clear()
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, nth) => worker(nth)))
    checks.check('the prototype of objects', 'polluted' in {} ? 'was reached' : null)
    await control(portal, demo.principals, seed, checks.control)
  } finally {
    await portal.close()
  }
  const statuses = Object.entries(counted).map(([status, times]) => `${times} × ${status}`)
  return checks.result(`seed ${seed}`, statuses.join(', '))
}

const at = (site: number): string => (site === 1 ? 'localhost' : 'second.localhost')

/** Sessions of every role, and a function that restores what a request may have changed. */
async function prepareDemo(portal: InProcessPortal): Promise<{ principals: Principal[]; restore(): Promise<void> }> {
  const addresses = await portal.sql<{ host: string; site_id: number }>('select host, site_id from site_address')
  const accounts = await portal.sql('select id, username from account')
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
      await portal.sql('update site set retired_at = null')
      for (const { host, site_id } of addresses)
        await portal.sql(
          'insert into site_address (host, site_id) values ($1, $2) on conflict (host) do update set site_id = $2',
          [host, site_id],
        )
      await portal.sql(
        `update account a set disabled_at = null, erased_at = null, username = b.username
         from json_to_recordset($1) as b (id int, username text) where a.id = b.id`,
        [JSON.stringify(accounts)],
      )
      for (const [nth, [name, site]] of named.entries()) {
        const principal = principals[nth + 1]
        if (principal) principal.cookie = await portal.signIn(name, site)
      }
      invalidateSites(portal.database)
      invalidateSessions(portal.database)
    },
  }
}

/** Mostly a principal who may make the call, so that the handler is reached. */
function pickPrincipal(random: Random, { who }: Call, principals: readonly Principal[]): Principal {
  const able = principals.filter(({ role }) => who === 'anyone' || (role !== null && who.includes(role)))
  return random.of(random() < 0.85 ? able : principals)
}

/** A mutated request to a call. */
function trialOf(random: Random, who: Principal, { name, call }: (typeof calls)[number]): Trial {
  const headers: Record<string, string> = { host: who.host, ...(who.cookie && { cookie: who.cookie }) }
  const input = generate(schemaOf(call), random, random.of([0, 0, 0.03, 0.1, 0.4]))
  const pieces = (input ?? {}) as Record<string, unknown>
  let url = call.path.replaceAll(/\{(\w+)\}/g, (_, piece: string) =>
    encodeURIComponent((random() < 0.7 ? textOf(pieces[piece]) : random.of(texts)).toWellFormed()),
  )
  if (random() < 0.05) url += random.of(['?a=%00', '?__proto__[x]=1', '/', '%', '%ff', '%00', '?%', '//', ';a=b'])
  if (call.method === 'GET')
    return { name, call, request: { method: 'GET', url, headers: mutateHeaders(headers, random) } }

  const kind = random()
  if (kind < (call.files.length > 0 ? 0.6 : 0.02)) {
    const form = hostileForm(random)
    const payload = Buffer.from(form.body, random() < 0.5 ? 'latin1' : 'utf8')
    return { name, call, request: { method: 'POST', url, headers: { ...headers, 'content-type': form.type }, payload } }
  }
  // large bodies rarely: they are all refused by size
  const payload =
    kind < 0.1
      ? random.of(random() < 0.1 ? bodies : bodies.slice(5)).make()
      : kind < 0.12
        ? Buffer.from([0xff, 0xfe, 0x7b, 0xc0, 0x80, 0xed, 0xa0, 0x80]).toString('latin1')
        : JSON.stringify(input)
  const type =
    random() < 0.97 ? 'application/json' : random.of(['text/plain', 'application/xml', '', 'application/json;;', 'x'])
  return {
    name,
    call,
    request: {
      method: 'POST',
      url,
      headers: mutateHeaders({ ...headers, ...(type && { 'content-type': type }) }, random),
      ...(payload !== undefined && { payload }),
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Headers that a browser would not send. */
function mutateHeaders(headers: Record<string, string>, random: Random): Record<string, string> {
  if (random() > 0.1) return headers
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
  return { ...headers, ...random.of(extra) }
}

async function send(app: FastifyInstance, request: Asked): Promise<Reply> {
  const reply = await app.inject(request)
  return { status: reply.statusCode, text: reply.payload, type: String(reply.headers['content-type'] ?? '') }
}

const describe = ({ name, request }: Trial): string =>
  `${name} ${request.url} ${JSON.stringify({ ...request.headers, cookie: undefined })} ${String(request.payload ?? '').slice(0, 600)}`

/** The fault of an answer, `null` for none. */
export function violationOf(call: Call, { status, text, type }: Reply): string | null {
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
  // a path of no call
  const general: readonly FailureCode[] = [...commonFailures(call), 'request.route_missing']
  if (!general.includes(code as FailureCode) && !call.failures.includes(code as FailureCode))
    return `a code that it does not declare: ${code}`
  if (typeof message !== 'string' || message === '' || message === code || message.includes('{{'))
    return `no text: ${text}`
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return `no facts: ${text}`
  return typeof requestId === 'string' && requestId !== '' ? null : `no request: ${text}`
}

const as = (status: number, answer: object): Reply => ({
  status,
  text: JSON.stringify(answer),
  type: 'application/json',
})

/** Negative controls: a failing server and malformed refusals are detected. */
async function control(
  portal: InProcessPortal,
  principals: readonly Principal[],
  seed: number,
  report: (what: string, found: boolean) => void,
): Promise<void> {
  const weak = await portal.startAnother({
    clock: () => {
      throw new Error('fails')
    },
  })
  const random = seededRandom(seed)
  let violations = 0
  for (let nth = 0; nth < 50; nth++) {
    const { call, request } = trialOf(random, random.of(principals), random.of(calls))
    if (violationOf(call, await send(weak, request)) !== null) violations++
  }
  report('a server that falls over', violations > 0)
  const [first] = calls
  if (!first) return
  const refused = { code: 'request.invalid', message: 'Not valid.', params: {}, requestId: 'x' }
  report('a refusal that is right', violationOf(first.call, as(400, refused)) === null)
  const wrong = [
    as(400, { error: 'Bad Request' }),
    as(409, refused),
    as(404, { ...refused, code: 'label.report_missing' }),
    as(400, { ...refused, message: 'At most {{most}}.' }),
    as(400, { ...refused, stack: 'at …' }),
  ]
  for (const reply of wrong) report(reply.text, violationOf(first.call, reply) !== null)
}
