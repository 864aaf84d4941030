/**
 * docs/promises.md "Cross-site requests": every call with the cookie of a signed-in user, but from another site: a foreign Origin,
 * cross-site fetch metadata without one, and the content types that a form can send. A hash over all tables stays the same. The same
 * requests from the portal's own pages change it.
 */
import type { InjectOptions } from 'fastify'
import type { Role } from '#domain/people/account.ts'
import { calls } from '#contract/index.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { seededRandom, generate, schemaOf, type Random } from './hostileInput.ts'
import { openInProcess, type InProcessPortal } from './inProcess.ts'

export const promise = 18
export const summary = 'requests from other sites change nothing'

type Entry = (typeof calls)[number]
type Attack = { readonly name: string; readonly headers: Record<string, string>; readonly type?: string }

const json = 'application/json'
const foreign: readonly Attack[] = [
  { name: 'a foreign origin', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  { name: 'a foreign origin alone', headers: { origin: 'http://evil.example' } },
  { name: 'an opaque origin', headers: { origin: 'null' } },
  { name: 'a host that starts like ours', headers: { origin: 'http://localhost.evil.example' } },
  { name: 'our host on another port', headers: { origin: 'http://localhost:8081' } },
  { name: 'our host as user name of another', headers: { origin: 'http://localhost@evil.example' } },
  { name: 'a malformed origin', headers: { origin: 'localhost' } },
  { name: 'cross-site without an origin', headers: { 'sec-fetch-site': 'cross-site' } },
  { name: 'same-site without an origin', headers: { 'sec-fetch-site': 'same-site' } },
]
/** The content types that a form can send, also from a browser that sends no Origin. */
const contentTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']
const attacks: readonly Attack[] = [
  ...foreign,
  ...contentTypes.map(type => ({ name: `${type || 'no content type'}, no origin`, headers: {}, type })),
  ...contentTypes.map(type => ({
    name: `${type || 'no content type'}, foreign origin`,
    headers: { origin: 'https://evil.example' },
    type,
  })),
]

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const bodiesOfEach = short ? 1 : 5
  const inside = await openInProcess()
  try {
    const draw = seededRandom(18)
    const as = await signIn(inside)
    // the first request of a session writes to it: take the hashes after that
    for (const cookie of Object.values(as))
      await inside.app.inject({ method: 'POST', url: '/users/loginstate', headers: { host: 'localhost', cookie } })
    const before = await hashes(inside)
    for (const entry of calls)
      for (const cookie of cookiesOf(entry, as))
        for (let nth = 0; nth < bodiesOfEach; nth++) {
          const request = requestOf(entry, cookie, draw)
          for (const attack of attacks) await send(inside, entry, request, attack, checks.check)
        }
    const after = await hashes(inside)
    for (const [table, hash] of before) checks.check(`the table ${table}`, after.get(table) === hash ? null : 'changed')

    // negative control: from the portal's own pages the hash changes
    const writing: string[] = []
    let last = after
    const posts = calls.filter(({ call }) => call.method === 'POST')
    for (const entry of posts.toSorted((a, b) => Number(endsAccess.has(a.name)) - Number(endsAccess.has(b.name)))) {
      // some calls end the session
      const cookies = cookiesOf(entry, await signIn(inside))
      for (let nth = 0; nth < (short ? 4 : 40); nth++)
        for (const cookie of cookies) await inside.app.inject(requestOf(entry, cookie, draw, 'http://localhost'))
      const now = await hashes(inside)
      if ([...now].some(([table, hash]) => table !== 'session' && last.get(table) !== hash)) writing.push(entry.name)
      last = now
    }
    checks.control('requests from own pages', writing.length > 10)
    return checks.result(
      `${calls.length} calls, ${attacks.length} attacks`,
      `from own pages ${writing.length} of them change rows`,
    )
  } finally {
    await inside.close()
  }
}

/** Calls that may lock the accounts out: they are made last. */
const endsAccess = new Set([
  'hotelconfig.delete',
  'customers.setdisabled',
  'customers.saveaccount',
  'customers.resetpassword',
  'people.eraseaccount',
])

type Cookies = Readonly<Record<Role, string>>

const signIn = async (inside: InProcessPortal): Promise<Cookies> => ({
  user: await inside.signIn('customer', 1),
  admin: await inside.signIn('admin', 1),
  superuser: await inside.signIn('superuser', null),
})

/** The cookies of all roles that may make the call. */
const cookiesOf = ({ call }: Entry, cookies: Cookies): string[] =>
  call.who === 'anyone' ? [cookies.admin] : call.who.map(who => cookies[who])

type Request = InjectOptions & { readonly headers: Record<string, string>; readonly payload?: string }

/** A valid request for a call. */
function requestOf({ call }: Entry, cookie: string, draw: Random, origin?: string): Request {
  const input = (generate(schemaOf(call), draw, 0) ?? {}) as Record<string, unknown>
  return {
    method: call.method,
    url: call.path.replaceAll(/\{(\w+)\}/g, (_, piece: string) => (piece === 'ns' ? 'common' : String(input[piece]))),
    headers: {
      host: 'localhost',
      cookie,
      ...(origin && { origin }),
      ...(call.method === 'POST' && { 'content-type': json }),
    },
    ...(call.method === 'POST' && { payload: JSON.stringify(input) }),
  }
}

/** Sends a request as an attacker would, and checks that it is refused. */
async function send(
  { app }: InProcessPortal,
  { name, call }: Entry,
  request: Request,
  { name: attack, headers, type }: Attack,
  check: (what: string, wrong: string | null) => void,
): Promise<void> {
  // a program may send a file like this; a browser always sends an Origin with it
  if (call.files.length > 0 && type?.startsWith('multipart') && Object.keys(headers).length === 0) return
  const { 'content-type': usual, ...others } = request.headers
  const sent = type ?? usual
  const reply = await app.inject({
    ...request,
    headers: { ...others, ...headers, ...(sent && { 'content-type': sent }) },
  })
  const { statusCode: status } = reply
  // a GET changes nothing, and without CORS headers the other site can't read its answer
  const good = call.method === 'GET' ? status < 500 : status === 403 || status === 415
  const open = reply.headers['access-control-allow-origin'] !== undefined
  check(`${name}: ${attack}`, good && !open ? null : `answered ${status} ${reply.payload.slice(0, 200)}`)
}

/** A hash of every table, without the time when a session was last used. */
async function hashes({ sql }: InProcessPortal): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const hashes = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await sql<{ hash: string }>(
      `select coalesce(sum(hashtextextended(${name === 'session' ? `(to_jsonb(t) - 'seen_at')::text` : 't::text'}, 0)::numeric), 0)::text as hash from "${name}" t`,
    )
    hashes.set(name, row?.hash ?? '')
  }
  return hashes
}
