/**
 * Who may do what to whose rows, tried out: every call × principal × whose ids × mode (docs/promises.md "Authorisation"). A leak is
 * a word of somebody else's in an answer, or a changed row of theirs. Each mode is a file of tests of its own: they run side by side.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Mode } from '#domain/site.ts'
import { scopesOf, type TokenScope } from '#domain/people/token.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { rowOf, send, withoutRequest, type Row } from './bodies.ts'
import { reportCases } from './cases.ts'
import { openFingerprints, type Prints } from './fingerprints.ts'
import { missing, openOwners, owners, type Owned, type Owner, type Owners } from './owners.ts'
import { invalidateSites } from '../features/sites/sites.ts'
import { keep } from './state.ts'
import { siteTokenOf, tokenOf } from './tokens.ts'
import { warehouseOf } from './warehouse.ts'
import { world, type Principal, type Reply, type World } from './world.ts'
import { whole } from './whole.ts'

/** Whose rows each caller may see and change. */
const visible: Record<
  keyof World['who'] | 'warehouse' | 'tokenOfA' | 'tokenOfAdmin' | 'tokenOfSite',
  readonly Owner[]
> = {
  anonymous: [],
  superuser: [],
  a: ['a'],
  b: ['b'],
  admin: ['a', 'b'],
  warehouse: ['a', 'b'],
  otherUser: ['other'],
  otherAdmin: ['other'],
  tokenOfA: ['a'],
  tokenOfAdmin: ['a', 'b'],
  tokenOfSite: ['a', 'b'],
}
type Name = keyof typeof visible

/** The principals of every run: one of each kind. A whole run tries the others, and tokens, too. */
const usual: readonly Name[] = ['anonymous', 'superuser', 'a', 'admin', 'warehouse', 'otherUser']

/** The principals that are tried in a mode. The mode is not asked of a token; one is enough. */
const triedIn = (mode: Mode, principals: Matrix['principals']): readonly Name[] =>
  (whole ? (Object.keys(visible) as Name[]) : usual).filter(who => mode === 'both' || !principals[who].token)

/** The parts that all cases of a test file share. */
export type Matrix = {
  readonly at: World
  readonly principals: Readonly<Record<Name, Principal>>
  readonly rowsOf: Owners['rowsOf']
  readonly prints: () => Promise<Prints>
  /** Removes all rows made since the beginning, as after each test: the database stays small, and so does the time it takes. */
  readonly restore: () => Promise<void>
  /** How many requests were tried. */
  tried: number
  /** How many of them showed or changed somebody else's rows. */
  leaks: number
  ask(call: Call, row: Row, who: Principal, body: unknown, of: Owned): Promise<Reply<unknown>>
  expectNoSecret(reply: Reply<unknown>, secret: readonly string[], label: string): void
}

/** The world of a file of tests, and what it is `prepare`d with; what a case makes is gone before the next one. */
export function openMatrix(prepare?: (at: World, rowsOf: Owners['rowsOf']) => Promise<void>): {
  readonly now: () => Matrix
} {
  let matrix: Matrix | undefined
  const now = (): Matrix => {
    if (!matrix) throw new Error('used before beforeAll has run')
    return matrix
  }
  beforeAll(async () => {
    const at = await world({ now: new Date('2026-11-18T10:00:00Z'), served: () => ({ queues: null }) })
    const { rowsOf } = await openOwners(at)
    await prepare?.(at, rowsOf)
    const principals = {
      ...at.who,
      warehouse: await warehouseOf(at),
      tokenOfA: await tokenOf(at, at.who.a),
      tokenOfAdmin: await tokenOf(at, at.who.admin),
      tokenOfSite: await siteTokenOf(at, at.who.admin),
    }
    const prints = await openFingerprints(at)
    const kept = await keep(at)
    matrix = {
      at,
      rowsOf,
      principals,
      prints: prints.read,
      async restore() {
        await kept.restore()
        prints.forget()
        invalidateSites(at.database)
      },
      tried: 0,
      leaks: 0,
      ask(call, row, who, body, owned) {
        now().tried++
        return send(at, call, row, who, body, owned)
      },
      expectNoSecret(reply, secret, label) {
        const leaks = secret.filter(word => reply.text.includes(word))
        if (leaks.length > 0) now().leaks++
        expect(leaks, label).toEqual([])
      },
    }
  })
  afterEach(() => matrix?.restore())
  afterAll(() => matrix?.at.close())
  reportCases('Authorisation matrix', () => now())
  return { now }
}

/** The fingerprints of these customers and sites. */
export const printsOf = (
  { customers, sites }: Prints,
  strangers: readonly Owner[],
  foreign: readonly number[],
): string[] => [...strangers.map(owner => customers[owner]), ...foreign.map(site => sites.get(site) ?? '')]

/** The sites that somebody has nothing to do with; a superuser has to do with all. */
export const sitesForeignTo = (at: World, who: Principal): number[] =>
  who.type === 'superuser' ? [] : Object.values(at.sites).filter(site => who.type === null || site !== who.site)

/** Texts that an answer to this principal may not hold: words of strangers, and of sites that it has nothing to do with. */
export function secretsOf(
  at: World,
  who: Principal,
  strangers: readonly Owner[],
  owned: Readonly<Record<Owner, Owned>>,
): string[] {
  const foreign = owners.filter(owner => sitesForeignTo(at, who).includes(owned[owner].site))
  return [...strangers.flatMap(owner => owned[owner].words), ...foreign.map(owner => owned[owner].siteWord)]
}

/** The refusal of everybody who may not call this at all, `null` for those who may. */
function barred(call: Call, who: Principal, mode: Mode): { status: number; code: string } | null {
  if (who.token && call.scope === null) return { status: 403, code: 'token.closed' }
  const scopes: readonly TokenScope[] = scopesOf[who.type ?? 'superuser']
  if (who.token && call.scope && !scopes.includes(call.scope)) return { status: 403, code: 'token.scope' }
  if (call.who === 'anyone') return null
  if (!who.type) return { status: 401, code: 'session.missing' }
  if (!call.who.includes(who.type) || (who.warehouse && !call.warehouse))
    return { status: 403, code: 'session.forbidden' }
  if (who.type !== 'superuser' && !call.modes.includes(mode)) return { status: 403, code: 'site.mode' }
  return null
}

/** Expects success for those who may call this, on their own rows. The document of an owner is no delivery note: not for the warehouse. */
function expectAllowed({ status, text, refusal }: Reply<unknown>, name: string, who: Principal, label: string): void {
  if (who.warehouse && name === 'fleet.historydocument') expect(refusal.code, label).toBe('session.forbidden')
  else expect([401, 403, 404], `${label}: ${text.slice(0, 300)}`).not.toContain(status)
}

/** Signing out would end the session that the next cases use. */
const wouldSignOut = (name: string, who: Principal): boolean => name === 'users.logout' && who.cookie !== null

/** Ids of wrong types and sizes: all are refused, change nothing and show nothing, so they are sent at once. */
async function tryMalformed(
  matrix: Matrix,
  {
    name,
    call,
    row,
    who,
    bar,
    secret,
    owned,
  }: {
    name: string
    call: Call
    row: Row
    who: Name
    bar: ReturnType<typeof barred>
    secret: readonly string[]
    owned: Owned
  },
): Promise<void> {
  await Promise.all(
    ['x', -1, 1.5, '1; drop table tyre', null, [2e9, 1], {}, 1e308, true].map(async malformed => {
      const broken: Owned = Object.fromEntries(
        Object.entries(owned).map(([key, value]) => [key, Array.isArray(value) ? [malformed] : malformed]),
      ) as unknown as Owned
      const reply = await matrix.ask(call, row, matrix.principals[who], row.body(broken), owned)
      const label = `${name} by ${who} with ${JSON.stringify(malformed)}: ${reply.text.slice(0, 200)}`
      expect(reply.status, label).toBeLessThan(500)
      if (row.names.length > 0) expect([400, 404, bar?.status, row.optional && 200], label).toContain(reply.status)
      matrix.expectNoSecret(reply, secret, label)
    }),
  )
}

/** Tries every call in this mode, by everybody, with rows of everybody. */
export function tryMode(mode: Mode): void {
  let owned: Readonly<Record<Owner, Owned>>
  const { now } = openMatrix(async (at, rowsOf) => {
    await at.setSite(at.sites.home, { mode })
    await at.setSite(at.sites.other, { mode })
    owned = { a: await rowsOf('a'), b: await rowsOf('b'), other: await rowsOf('other') }
  })
  /** The fingerprints before any call. */
  let kept: Prints | undefined
  describe(`in mode ${mode}`, () => {
    test.each(calls.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
      const matrix = now()
      const { at } = matrix
      /** The fingerprints after the last call. */
      let prints = (kept ??= await matrix.prints())
      let isChanged = false
      for (const who of triedIn(mode, matrix.principals)) {
        const principal = matrix.principals[who]
        const row = rowOf(name, principal.type)
        if (wouldSignOut(name, principal)) continue
        const may = visible[who]
        const strangers = owners.filter(owner => !may.includes(owner))
        // rows serve as long as no call has changed them
        if (isChanged) {
          await matrix.restore()
          prints = kept
          isChanged = false
        }
        const foreign = sitesForeignTo(at, principal)
        const before = printsOf(prints, strangers, foreign)
        const secret = secretsOf(at, principal, strangers, owned)
        const { report, article } = owned.a
        const nothing: Owned = { ...missing(owned.a), report, article }
        const bar = barred(call, principal, mode)
        const refusalOfMissing =
          row.names.length > 0 ? withoutRequest(await matrix.ask(call, row, principal, row.body(nothing), nothing)) : ''

        for (const owner of owners) {
          const label = `${name} by ${who} on rows of ${owner} in ${mode}`
          const reply = await matrix.ask(call, row, principal, row.body(owned[owner]), owned[owner])
          if (reply.status < 400 && call.invalidates.length > 0) isChanged = true
          expect(reply.status, `${label}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
          matrix.expectNoSecret(reply, secret, label)
          if (bar) {
            expect([reply.status, reply.refusal.code], label).toEqual([bar.status, bar.code])
          } else if (row.names.length > 0 && isStranger(at, principal, owner, may, row)) {
            expect(withoutRequest(reply), `${label} answers as for a missing one`).toBe(refusalOfMissing)
            expect(reply.refusal?.code, label).toBe(row.optional && reply.status === 200 ? undefined : 'record.missing')
          } else if (call.who !== 'anyone') {
            expectAllowed(reply, name, principal, label)
          }
        }

        // a caller without the right is refused before an id is read; a whole run tries that, too
        if (bar && !whole) continue
        await tryMalformed(matrix, { name, call, row, who, bar, secret, owned: owned.a })

        prints = await matrix.prints()
        const after = printsOf(prints, strangers, foreign)
        if (after.join() !== before.join()) matrix.leaks++
        expect(after, `${name} by ${who} in ${mode} leaves the rows of ${strangers.join(' and ')}`).toEqual(before)
      }
    })
  })
}

/**
 * Whether the owner's ids mean nothing to this caller. Transport methods belong to the site, not to a customer; sites and
 * the dictionary are all a superuser's.
 */
function isStranger(at: World, who: Principal, owner: Owner, may: readonly Owner[], row: Row): boolean {
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
        'siteEndpoint',
        'siteDelivery',
      ].includes(name),
    )
  )
    return (owner === 'other') !== (who.site === at.sites.other)
  // a session, passkey, token or view is its account's, and no principal has those of these rows
  if (row.names.some(name => ['session', 'passkey', 'token', 'view'].includes(name))) return true
  return !may.includes(owner)
}
