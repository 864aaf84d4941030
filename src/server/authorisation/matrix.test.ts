/**
 * Who may do what to whose rows, tried out: every call × principal × whose ids × mode (docs/promises.md "Authorisation"), and
 * row-level security alone. A leak is a word of somebody else's in an answer, or a changed row of theirs. Ids exchanged inside a body
 * are matrix.ids.test.ts, fields nobody may set matrix.fields.test.ts, hidden tread depth matrix.depth.test.ts.
 */
import { openOutbound } from '../outbound/outbound.ts'
import { openSecrets } from '../secrets.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modes, type Mode } from '#domain/site.ts'
import { scopesOf, type TokenScope } from '#domain/token.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import type { Context, Site, Who } from '../features/handler.ts'
import { Json, type Scope, type Tx } from '../db/database.ts'
import { handlers } from '../http/handlers.ts'
import { findSite } from '../features/sites/sites.ts'
import { answered } from '../testing/answers.ts'
import { rowOf, send, withoutRequest, type Row } from '../testing/bodies.ts'
import { reportCases } from '../testing/cases.ts'
import { missing, openOwners, owners, type Owned, type Owner, type Owners } from '../testing/owners.ts'
import { isSignedIn, revokedSessions, signInAgain } from '../testing/revoked.ts'
import { keep, records, type Kept } from '../testing/state.ts'
import { siteTokenOf, tokenOf } from '../testing/tokens.ts'
import { world, type Principal, type Reply, type World } from '../testing/world.ts'

let at: World
let rowsOf: Owners['rowsOf']
let kept: Kept
let revoked: Record<string, Principal>
let principals: Record<Name, Principal>
let tried = 0
let leaks = 0

beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z'), served: () => ({ queues: null }) })
  rowsOf = (await openOwners(at)).rowsOf
  revoked = await revokedSessions(at)
  principals = {
    ...at.who,
    tokenOfA: await tokenOf(at, at.who.a),
    tokenOfAdmin: await tokenOf(at, at.who.admin),
    tokenOfSite: await siteTokenOf(at, at.who.admin),
  }
  kept = await keep(at)
})

// what a case made is gone before the next one: answers stay small, and so does the time they take
afterEach(() => kept.restore())

afterAll(() => at.close())
reportCases('Authorisation matrix', () => ({ tried, leaks }))

/** The tables that have this column, but for records of the calls themselves: what a customer has, or a site. */
const tablesWith = async (column: string): Promise<string[]> =>
  (
    await at.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = $1 and t.table_type = 'BASE TABLE' order by 1`,
      [column],
    )
  ).flatMap(({ name }) => (records.includes(name) ? [] : [name]))

let printed = ''
/**
 * Fingerprints of everything that these customers have, and of what these sites have, in one statement: another one's calls
 * may not change it.
 */
async function fingerprints(strangers: readonly Owner[], sites: readonly number[]): Promise<string[]> {
  if (printed === '') {
    const print = (table: string, whose: string): string =>
      `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${table} t where ${whose})`
    printed = [
      ...(await tablesWith('customer_id')).map(table => print(table, 'customer_id = asked.customer')),
      ...(await tablesWith('site_id')).map(table => print(table, 'site_id = asked.site')),
      print('site', 't.id = asked.site'),
    ].join(', ')
  }
  // with a name, or PostgreSQL would plan it anew thousands of times
  const { rows } = await at.admin.query<{ print: string }>({
    name: 'fingerprints',
    text: `select concat_ws(',', ${printed}) as print
     from unnest($1::int[], $2::int[]) with ordinality as asked(customer, site, nth) order by nth`,
    values: [strangers.map(owner => at.customers[owner]), sites],
  })
  return rows.map(row => row.print)
}

/** The sites that somebody has nothing to do with; a superuser has to do with all. */
const sitesForeignTo = (who: Principal): number[] =>
  who.type === 'superuser' ? [] : Object.values(at.sites).filter(site => who.type === null || site !== who.site)

const visible: Record<keyof World['who'] | 'tokenOfA' | 'tokenOfAdmin' | 'tokenOfSite', readonly Owner[]> = {
  anonymous: [],
  superuser: [],
  a: ['a'],
  b: ['b'],
  admin: ['a', 'b'],
  otherUser: ['other'],
  otherAdmin: ['other'],
  tokenOfA: ['a'],
  tokenOfAdmin: ['a', 'b'],
  tokenOfSite: ['a', 'b'],
}
type Name = keyof typeof visible

/** What an answer to this principal may not hold: words of strangers, and of sites that it has nothing to do with. */
function secretsOf(who: Principal, strangers: readonly Owner[], owned: Record<Owner, Owned>): string[] {
  const foreign = owners.filter(owner => sitesForeignTo(who).includes(owned[owner].site))
  return [...strangers.flatMap(owner => owned[owner].words), ...foreign.map(owner => owned[owner].siteWord)]
}

const ask = (call: Call, row: Row, who: Principal, body: unknown, of: Owned): Promise<Reply<unknown>> => {
  tried++
  return send(at, call, row, who, body, of)
}

/** The refusal that everybody gets who may not call this at all, `null` for whoever may. */
function barred(call: Call, who: Principal, mode: Mode): { status: number; code: string } | null {
  if (who.token && call.scope === null) return { status: 403, code: 'token.closed' }
  const scopes: readonly TokenScope[] = scopesOf[who.type ?? 'superuser']
  if (who.token && call.scope && !scopes.includes(call.scope)) return { status: 403, code: 'token.scope' }
  if (call.who === 'anyone') return null
  if (!who.type) return { status: 401, code: 'session.missing' }
  if (!call.who.includes(who.type)) return { status: 403, code: 'session.forbidden' }
  if (who.type !== 'superuser' && !call.modes.includes(mode)) return { status: 403, code: 'site.mode' }
  return null
}

function expectNoSecret(reply: Reply<unknown>, secret: readonly string[], label: string): void {
  const found = secret.filter(word => reply.text.includes(word))
  if (found.length > 0) leaks++
  expect(found, label).toEqual([])
}

describe.each(modes)('in mode %s', mode => {
  beforeEach(async () => {
    await at.setSite(at.sites.home, { mode })
    await at.setSite(at.sites.other, { mode })
  })

  test.each(calls.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
    const row = rowOf(name)
    let fresh: Record<Owner, Owned> | null = null
    for (const who of Object.keys(visible) as Name[]) {
      const principal = principals[who]
      // the mode is not asked of a token; one is enough
      if (principal.token && mode !== 'both') continue
      // signing out would end the session that the next cases use
      if (name === 'users.logout' && principal.cookie) continue
      const may = visible[who]
      const strangers = owners.filter(owner => !may.includes(owner))
      // rows serve as long as no call has changed them: making them is what takes most of the time
      fresh ??= { a: await rowsOf('a'), b: await rowsOf('b'), other: await rowsOf('other') }
      const owned: Record<Owner, Owned> = fresh
      const before = await fingerprints(strangers, sitesForeignTo(principal))
      const secret = secretsOf(principal, strangers, owned)
      const { report, article } = owned.a
      const nothing: Owned = { ...missing(owned.a), report, article }
      const bar = barred(call, principal, mode)
      const refusalOfMissing =
        row.names.length > 0 ? withoutRequest(await ask(call, row, principal, row.body(nothing), nothing)) : ''

      for (const owner of owners) {
        const label = `${name} by ${who} on rows of ${owner} in ${mode}`
        const reply = await ask(call, row, principal, row.body(owned[owner]), owned[owner])
        if (reply.status < 400 && call.invalidates.length > 0) fresh = null
        expect(reply.status, `${label}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
        expectNoSecret(reply, secret, label)
        if (bar) {
          expect([reply.status, reply.refusal.code], label).toEqual([bar.status, bar.code])
        } else if (row.names.length > 0 && strangersOf(principal, owner, may, row)) {
          expect(withoutRequest(reply), `${label} answers as for a missing one`).toBe(refusalOfMissing)
          expect(reply.refusal?.code, label).toBe(row.optional && reply.status === 200 ? undefined : 'record.missing')
        } else if (call.who !== 'anyone') {
          expect([401, 403, 404], `${label}: ${reply.text.slice(0, 300)}`).not.toContain(reply.status)
        }
      }

      // they are all refused and change nothing: at once
      await Promise.all(
        ['x', -1, 1.5, '1; drop table tyre', null, [2e9, 1], {}, 1e308, true].map(async malformed => {
          const broken: Owned = Object.fromEntries(
            Object.entries(owned.a).map(([key, value]) => [key, Array.isArray(value) ? [malformed] : malformed]),
          ) as unknown as Owned
          const reply = await ask(call, row, principal, row.body(broken), owned.a)
          const label = `${name} by ${who} with ${JSON.stringify(malformed)}: ${reply.text.slice(0, 200)}`
          expect(reply.status, label).toBeLessThan(500)
          if (row.names.length > 0) expect([400, 404, bar?.status, row.optional && 200], label).toContain(reply.status)
          expectNoSecret(reply, secret, label)
        }),
      )

      const after = await fingerprints(strangers, sitesForeignTo(principal))
      if (after.join() !== before.join()) leaks++
      expect(after, `${name} by ${who} in ${mode} leaves the rows of ${strangers.join(' and ')}`).toEqual(before)
    }
  })

  test('a session that has ended is answered as if it had never been, whatever ended it', async () => {
    expect(await revivals(mode)).toEqual([])
  })
})

/** Which calls take a session for one that has ended. */
async function revivals(mode: Mode): Promise<string[]> {
  const found: string[] = []
  const owned = { a: await rowsOf('a'), b: await rowsOf('b'), other: await rowsOf('other') }
  const nobody = at.who.anonymous
  const secret = secretsOf(nobody, owners, owned)
  const before = await fingerprints(owners, sitesForeignTo(nobody))
  for (const { name, call } of calls) {
    const row = rowOf(name)
    // two users ago it was a customer's, and so are the rows that it would find
    const body = row.body(owned.a)
    const unknown = withoutRequest(await ask(call, row, nobody, body, owned.a))
    for (const [ended, who] of Object.entries(revoked)) {
      // counts wrong passwords, whoever types them
      if (name === 'users.authenticate') continue
      const reply = await ask(call, row, who, body, owned.a)
      const elsewhere = who.host !== nobody.host && call.who === 'anyone'
      const alike = elsewhere || withoutRequest(reply) === unknown
      const refused = call.who === 'anyone' || reply.refusal.code === 'session.missing'
      if (!alike || !refused || secret.some(word => reply.text.includes(word))) found.push(`${name} by ${ended}`)
    }
  }
  for (const [ended, who] of Object.entries(revoked)) if (await isSignedIn(at, who)) found.push(ended)
  if ((await fingerprints(owners, sitesForeignTo(nobody))).join() !== before.join()) found.push(`rows in ${mode}`)
  leaks += found.length
  return found
}

/**
 * Whether the owner's ids mean nothing to this caller. Transport methods belong to the site, not to a customer; sites and
 * the dictionary are all a superuser's.
 */
function strangersOf(who: Principal, owner: Owner, may: readonly Owner[], row: Row): boolean {
  if (row.names.some(name => name === 'site' || name === 'spare' || name === 'translation'))
    return who.type !== 'superuser' && (owner === 'other') !== (who.site === at.sites.other)
  // the warehouse belongs to the site, and so does what it works with
  if (
    row.names.every(name =>
      [
        'branch',
        'place',
        'orphan',
        'wave',
        'stocktake',
        'finding',
        'transport',
        'config',
        'spareReport',
        'siteToken',
        'endpoint',
        'delivery',
      ].includes(name),
    )
  )
    return (owner === 'other') !== (who.site === at.sites.other)
  // a session or passkey is its account's, and no principal has those of these rows
  if (row.names.some(name => name === 'session' || name === 'passkey' || name === 'token')) return true
  return !may.includes(owner)
}

/** Somebody whom the handlers take the caller for, and for whom the transaction really works. */
type Belief = {
  readonly who: Who
  readonly site: Site
  readonly scope: Scope
  readonly strangers: readonly Owner[]
}

async function beliefs(): Promise<Record<'customer' | 'administrator' | 'superuser', Belief>> {
  const [home, other] = [await findSite(at.database, 'home.test'), await findSite(at.database, 'other.test')]
  if (!home || !other) throw new Error('no site')
  const as = ({ account, type, site, customer, name }: Principal): Who => ({
    account,
    type: type ?? 'user',
    site: type === 'superuser' ? null : site,
    customer,
    username: name,
    fullname: '',
    lang: 'eng',
  })
  const { admin, otherAdmin, superuser } = at.who
  return {
    // taken for the administrator
    customer: {
      who: as(admin),
      site: home,
      scope: { site: home.id, customer: at.customers.a },
      strangers: ['b', 'other'],
    },
    // taken for that of the other site
    administrator: {
      who: as(otherAdmin),
      site: other,
      scope: { site: home.id },
      strangers: ['other'],
    },
    // acts as one site, and is let name the other
    superuser: {
      who: as(superuser),
      site: home,
      scope: { site: home.id },
      strangers: ['other'],
    },
  }
}

/** How often handlers hand out a stranger's word, or change its rows, when nothing but the policies stands against it. */
async function leaksOfPolicies({
  who,
  site,
  scope,
  strangers,
}: Belief): Promise<{ found: string[]; changed: string[] }> {
  const found: string[] = []
  const changed: string[] = []
  for (const { name, call } of calls) {
    const row = rowOf(name)
    if (call.who === 'anyone' || !call.who.includes(who.type)) continue
    const [feature = '', entry = ''] = name.split('.')
    const handler = (
      handlers as unknown as Record<string, Record<string, (context: Context<unknown, 'anyone'>) => Promise<unknown>>>
    )[feature]?.[entry]
    for (const stranger of strangers) {
      const foreign = await rowsOf(stranger)
      const sites = foreign.site === scope.site ? [] : [foreign.site]
      const extra = name === 'hotelconfig.edit' && who.type === 'superuser' ? asSuperuser(foreign) : {}
      const input = call.input.parse({ ...(row.body(foreign) as object), ...extra })
      tried++
      const before = await fingerprints([stranger], sites)
      const answer = await at.database
        .transaction(scope, async tx => {
          const request = {
            id: '',
            address: '',
            origin: 'https://home.test',
            superusersNeedFactor: false,
            backupsSince: null,
            site: null,
            page: '',
            session: null,
            demo: [],
            agent: '',
            device: null,
            secrets: openSecrets(null),
            outbound: openOutbound({ allowPrivate: false }),
            outside: <T>(work: () => Promise<T>) => work(),
            isClientGone: () => false,
            sendsMail: true,
            setSession() {},
            setDevice() {},
            clearCache() {},
            invalidateSessions() {},
            invalidateSites() {},
            invalidateTexts() {},
            notify() {},
            etag() {},
            unused() {},
            countSecurityEvent() {},
          }
          const label = { input, who, site, now: at.clock.now, lang: 'eng', request }
          // nobody goes to work at another site
          const bound: Tx = { ...tx, asSite: () => Promise.resolve() }
          const answered = await handler?.({ ...label, tx: bound } as Context<unknown, 'anyone'>)
          // of a print, all that would stand on it
          return answered instanceof Json ? answered.text : JSON.stringify(answered)
        })
        .catch((error: Error) => String(error))
      const secret = [...foreign.words, ...(sites.length > 0 ? [foreign.siteWord] : [])]
      if (secret.some(word => String(answer).includes(word))) found.push(name)
      if ((await fingerprints([stranger], sites)).join() !== before.join()) changed.push(name)
    }
  }
  return { found, changed }
}

/** What a superuser fills in of a site's configuration (docs/product.md "Site configuration"). */
const asSuperuser = (of: Owned) => ({ webstreamAccount: 'W', default_site_code: 'w', urls: [of.host], mode: 'both' })

describe('row-level security alone keeps customers and sites apart', () => {
  beforeAll(async () => {
    for (const site of Object.values(at.sites)) await at.setSite(site, { mode: 'both' })
  })

  test.each(['customer', 'administrator', 'superuser'] as const)(
    'although a %s is taken for somebody else, and the check sees it without it',
    async kind => {
      const belief = (await beliefs())[kind]
      const alone = await leaksOfPolicies(belief)
      leaks += alone.found.length + alone.changed.length
      expect(alone).toEqual({ found: [], changed: [] })
      const guarded = [...new Set(['site', ...(await tablesWith('site_id'))])]
      for (const table of guarded) await at.query(`alter table ${table} disable row level security`)
      try {
        const open = await leaksOfPolicies(belief)
        expect(open.found).not.toEqual([])
        expect(open.changed).not.toEqual([])
      } finally {
        for (const table of guarded) await at.query(`alter table ${table} enable row level security`)
      }
    },
    600_000,
  )
})

test('a session that outlives what should end it is found out', async () => {
  await at.query(`create function keep_session() returns trigger language plpgsql as 'begin return null; end'`)
  await at.query(`create trigger kept before delete on session for each row execute function keep_session()`)
  const really = revoked
  const before = leaks
  try {
    const who = await signInAgain(at, at.who.a)
    await at.send('/users/logout', who, {})
    revoked = { 'signed out in vain': who }
    expect(await revivals('both')).toContain('fleet.fetch by signed out in vain')
    leaks = before
  } finally {
    revoked = really
    await at.query('drop trigger kept on session')
  }
})

test('the answers of all these calls were held against the API page', () => {
  // these refuse what the matrix sends, such as a wrong password or no picture: tests of their own get their answers
  const refused = [
    'users.authenticate',
    'users.password',
    'users.forgotten',
    'users.link',
    'users.setpassword',
    'users.newpassword',
    'users.factor',
    'users.passkey',
    'users.offer',
    'users.enrolapp',
    'users.enrolpasskey',
    'signOn.begin',
    'signOn.finish',
    'signOn.save',
    'signOn.remove',
    'tokens.revoke',
    'webhooks.save',
    'webhooks.rotate',
    'webhooks.test',
    'account.endsession',
    'account.askpasskey',
    'account.confirm',
    'account.addapp',
    'account.removeapp',
    'account.addpasskey',
    'account.removepasskey',
    'account.renewcodes',
    'customers.sendlink',
    'hotelconfig.editconfigimage',
    'hotelconfig.new',
    'imports.check',
    'imports.take',
    'waves.plan',
    'fleet.inactivate',
    'fleet.transfer',
    'operations.adminopsbydate',
    'operations.closemissing',
    'operations.unscan',
    'billing.make',
    'billing.cancel',
    'billing.resume',
    'billing.undo',
    'billing.pdf',
    'invoicing.preview',
    'invoicing.inject',
    'invoicing.credit',
    'invoicing.undomarking',
    'invoicing.withdraw',
  ]
  const unseen = calls.map(({ name }) => name).filter(name => !answered.has(name))
  expect(unseen.filter(name => !refused.includes(name))).toEqual([])
})
