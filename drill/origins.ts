/**
 * Every call in a signed-in browser's name, but from elsewhere: a foreign Origin, cross-site fetch metadata without one, and the
 * kinds of content that a form of another site can send (docs/promises.md "Cross-site requests"). A hash over all tables is the same after all of them; the
 * same requests from our own pages change it.
 */
import type { InjectOptions } from 'fastify'
import type { Role } from '#domain/account.ts'
import { calls } from '#contract/index.ts'
import { tally, type DrillOptions, type Figure } from './drill.ts'
import { chance, sample, schemaOf, type Chance } from './hostile.ts'
import { openInside, type Inside } from './inside.ts'

export const line = 18
export const says = 'requests from other sites change nothing'

type Entry = (typeof calls)[number]
type Attack = { readonly name: string; readonly headers: Record<string, string>; readonly kind?: string }

const json = 'application/json'
const foreign: readonly Attack[] = [
  { name: 'a foreign origin', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  { name: 'a foreign origin alone', headers: { origin: 'http://evil.example' } },
  { name: 'no origin at all', headers: { origin: 'null' } },
  { name: 'a host that begins like ours', headers: { origin: 'http://localhost.evil.example' } },
  { name: 'our host at another port', headers: { origin: 'http://localhost:8081' } },
  { name: 'our host as a user of theirs', headers: { origin: 'http://localhost@evil.example' } },
  { name: 'an origin that is none', headers: { origin: 'localhost' } },
  { name: 'cross-site without an origin', headers: { 'sec-fetch-site': 'cross-site' } },
  { name: 'same-site without an origin', headers: { 'sec-fetch-site': 'same-site' } },
]
/** What a form can send, also from a browser that says nothing of where it comes from. */
const kinds = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']
const attacks: readonly Attack[] = [
  ...foreign,
  ...kinds.map(kind => ({ name: `${kind || 'no kind'}, silent`, headers: {}, kind })),
  ...kinds.map(kind => ({ name: `${kind || 'no kind'}, foreign`, headers: { origin: 'https://evil.example' }, kind })),
]

export async function run({ short, log }: DrillOptions): Promise<Figure> {
  const books = tally(log)
  const bodiesOfEach = short ? 1 : 5
  const inside = await openInside()
  try {
    const draw = chance(18)
    const as = await signIn(inside)
    // with what the portal remembers when anybody asks: the state of the demo is looked at after that
    for (const cookie of Object.values(as))
      await inside.app.inject({ method: 'POST', url: '/users/loginstate', headers: { host: 'localhost', cookie } })
    const before = await hashes(inside)
    for (const entry of calls)
      for (const cookie of cookiesOf(entry, as))
        for (let nth = 0; nth < bodiesOfEach; nth++) {
          const asked = requestOf(entry, cookie, draw)
          for (const attack of attacks) await strike(inside, entry, asked, attack, books.check)
        }
    const after = await hashes(inside)
    for (const [table, hash] of before) books.check(`the table ${table}`, after.get(table) === hash ? null : 'changed')

    // the same from our own pages: the hash sees what is done
    const writing: string[] = []
    let last = after
    const posts = calls.filter(({ call }) => call.method === 'POST')
    for (const entry of posts.toSorted((a, b) => Number(shutsOut.has(a.name)) - Number(shutsOut.has(b.name)))) {
      // some of them end the session
      const cookies = cookiesOf(entry, await signIn(inside))
      for (let nth = 0; nth < (short ? 4 : 40); nth++)
        for (const cookie of cookies) await inside.app.inject(requestOf(entry, cookie, draw, 'http://localhost'))
      const now = await hashes(inside)
      if ([...now].some(([table, hash]) => table !== 'session' && last.get(table) !== hash)) writing.push(entry.name)
      last = now
    }
    books.control('requests of our own', writing.length > 10)
    return books.figure(
      `${calls.length} calls, ${attacks.length} ways`,
      `from our own pages ${writing.length} of them change rows`,
    )
  } finally {
    await inside.close()
  }
}

/** After these there may be nobody left to ask: last. */
const shutsOut = new Set([
  'hotelconfig.delete',
  'customers.setdisabled',
  'customers.saveaccount',
  'customers.resetpassword',
  'people.eraseaccount',
])

type Cookies = Readonly<Record<Role, string>>

const signIn = async (inside: Inside): Promise<Cookies> => ({
  user: await inside.signIn('customer', 1),
  admin: await inside.signIn('admin', 1),
  superuser: await inside.signIn('superuser', null),
})

/** Of everybody who may make the call. */
const cookiesOf = ({ call }: Entry, cookies: Cookies): string[] =>
  call.who === 'anyone' ? [cookies.admin] : call.who.map(who => cookies[who])

type Asked = InjectOptions & { readonly headers: Record<string, string>; readonly payload?: string }

/** A call with a body that it takes. */
function requestOf({ call }: Entry, cookie: string, draw: Chance, origin?: string): Asked {
  const input = (sample(schemaOf(call), draw, 0) ?? {}) as Record<string, unknown>
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

async function strike(
  { app }: Inside,
  { name, call }: Entry,
  asked: Asked,
  { name: how, headers, kind }: Attack,
  check: (what: string, wrong: string | null) => void,
): Promise<void> {
  // a program that is no browser may send a file so; a browser always says where it comes from
  if (call.files.length > 0 && kind?.startsWith('multipart') && Object.keys(headers).length === 0) return
  const { 'content-type': usual, ...others } = asked.headers
  const type = kind ?? usual
  const reply = await app.inject({
    ...asked,
    headers: { ...others, ...headers, ...(type && { 'content-type': type }) },
  })
  const { statusCode: status } = reply
  // whoever only reads does not change anything, and what it reads the other site is not shown
  const good = call.method === 'GET' ? status < 500 : status === 403 || status === 415
  const open = reply.headers['access-control-allow-origin'] !== undefined
  check(`${name} by ${how}`, good && !open ? null : `answered ${status} ${reply.payload.slice(0, 200)}`)
}

/** A hash of every table, without when a session was last seen. */
async function hashes({ sql }: Inside): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await sql<{ hash: string }>(
      `select coalesce(sum(hashtextextended(${name === 'session' ? `(to_jsonb(t) - 'seen_at')::text` : 't::text'}, 0)::numeric), 0)::text as hash from "${name}" t`,
    )
    found.set(name, row?.hash ?? '')
  }
  return found
}
