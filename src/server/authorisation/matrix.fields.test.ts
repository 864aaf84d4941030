/**
 * Fields that nobody may set, sent with every writing call at every level of its body (docs/promises.md "Authorisation"): every field of the
 * server's answers and tables, and the usual names of forged rights. The call then does what it does without
 * them, or is refused: every row of every table is compared.
 * @module-tag whole
 */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Role, roles } from '#domain/people/account.ts'
import type { Call } from '#contract/call.ts'
import { calls, contract } from '#contract/index.ts'
import { invalidateTexts } from '../texts/dictionary.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { invalidateSites } from '../features/sites/sites.ts'
import { rowOf, send } from '../testing/bodies.ts'
import { reportCases } from '../testing/cases.ts'
import { levelsOf, put } from '../testing/inputs.ts'
import { openOwners, type Owned, type Owners } from '../testing/owners.ts'
import { differences, keep, type Kept, type State } from '../testing/state.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let rows: Owners
let kept: Kept
let columns: string[]
let tried = 0

beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  rows = await openOwners(at)
  // so that more is written: a document by a confirmation, a tyre that is in no catalogue
  for (const site of Object.values(at.sites))
    await at.setSite(site, { do_doc_insert: true, doc_insert_type: 'deliverynote' })
  await at.setSite(at.sites.home, { allow_unknown_article: true, unknown_winter_article: at.articles.home })
  kept = await keep(at)
  const siteColumns = await at.query<{ name: string }>(
    `select distinct column_name as name from information_schema.columns where table_schema = 'public' order by 1`,
  )
  columns = siteColumns.map(({ name }) => name)
})
afterAll(() => at.close())
reportCases('Fields forged', () => ({ tried }))

/** The value that an attacker would want in a field, judged by its name. */
function wish(field: string, owned: Owned): unknown {
  const special: Record<string, unknown> = {
    site: owned.site,
    site_id: owned.site,
    customer: owned.customer,
    customer_id: owned.customer,
    seq_id: owned.customer,
    flt_id: owned.vehicle,
    vehicle_id: owned.vehicle,
    account_id: at.who.admin.account,
    user: { username: 'admin', fullname: 'Forged', companyname: 'Forged' },
    role: 'superuser',
    roles: ['superuser'],
    isAdmin: true,
    type: 'superuser',
    mode: 'fleetonly',
    status: 'confirmed',
    tyre_status: ['waste'],
    tyre_count: 1,
    version: 0,
  }
  if (field in special) return special[field]
  if (/_at$|At$|_date$|_on$|^date|^at$|created|updated|submitted|until|since|day$/.test(field))
    return '2020-02-02T00:00:00Z'
  if (/(^|_)id$|Id$/.test(field)) return 1
  if (
    /^(is|allow|show|auto|do|with|has)_?[A-Z]|open|scanned|disabled|blocked|bolts|hubcaps|removed|unknown/.test(field)
  )
    return true
  return 'forged'
}

/** The names of everything that the server answers. */
const answered = (() => {
  const names = new Set<string>()
  for (const { call } of calls)
    for (const fields of levelsOf(call.output as z.ZodType).values()) for (const field of fields) names.add(field)
  return names
})()
const usual = ['site', 'customer', 'role', 'roles', 'isAdmin', '_version', 'admin', 'owner']

/** Every name that a forged field may have; a body may also stand under the one that is left out (docs/product/calls.md "Wire format"). */
const namesFor = (call: Call): string[] =>
  [...new Set([...usual, ...answered, ...columns])].filter(
    name => !(call === contract.hotelconfig.edit && name === 'config'),
  )

/** The body with forged fields in every object that it is made of, but for those that the call itself has there. */
function forged(call: Call, body: unknown, owned: Owned): unknown {
  const levels = levelsOf(call.input)
  const names = namesFor(call)
  const into = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map(entry => into(entry, [...path, '*']))
    if (value === null || typeof value !== 'object') return value
    const own = levels.get(path.join('.')) ?? new Set<string>()
    const entries: [string, unknown][] = names
      .filter(name => !own.has(name) && !(name in value && Object.hasOwn(value, name)))
      .map(name => [name, wish(name, owned)])
    tried += entries.length
    const inner = Object.entries(value).map(([key, inner]): [string, unknown] => [key, into(inner, [...path, key])])
    return Object.fromEntries([...entries, ...inner])
  }
  return into(body, [])
}

/** Masks values that differ in every run: random keys and tokens, and the moments at which the database wrote. */
function settled(state: State): State {
  const now = Date.now()
  const masked = (column: string, value: unknown): unknown => {
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, masked(key, field)]))
    if (
      ['token_hash', 'hash', 'password', 'key', 'id', 'digest', 'ending', 'scan'].includes(column) &&
      typeof value === 'string'
    )
      return '?'
    if (column === 'transaction') return '?'
    // the account of a site's token is named with the token's last characters
    if (column === 'username' && typeof value === 'string') return value.replace(/\(….{4}\)$/, '(…)')
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(Date.parse(value) - now) < 3_600_000)
      return 'now'
    return value
  }
  return Object.fromEntries(
    Object.entries(state).map(([table, all]) => {
      const texts = all.map(row => JSON.stringify(masked('', row))).toSorted()
      return [table, texts.map(text => JSON.parse(text) as Record<string, unknown>)]
    }),
  )
}

const names: Record<Role, 'a' | 'admin' | 'superuser'> = { user: 'a', admin: 'admin', superuser: 'superuser' }

const driver = { name: 'Jo', mobile_no: '1', telephone_no: '2', email: 'jo@example.org' }
const axle = { type: 'axle', wheels_left: 1, wheels_right: 1 }
/** Parts of a body that the matrix leaves out: deterministic, and with every object that the call takes. */
const fuller: Record<string, (of: Owned, role: Role) => object> = {
  'fleet.new': () => ({ vehicleData: { license_plate: 'NEW1', driver } }),
  'fleet.update': () => ({ vehicle: { driver } }),
  'tyres.add': () => ({ tyres: [{ position: '1A', unknown: { type: 'winter', description: 'Unheard of' } }] }),
  'vehicleConfigs.save': () => ({ axles: [axle, axle, axle] }),
  'operations.bookedtransportdays': owned => ({ transportMethod: { _id: owned.transport } }),
  'operations.markscan': owned => ({
    type: 'to_stock',
    tyres: owned.expected.map(tyreId => ({ tyreId, ticsId: owned.site, timestamp: at.clock.now.toISOString() })),
  }),
  'operations.confirm': owned => ({ here: owned.expected.slice(1), missing: owned.expected.slice(0, 1) }),
  'audit.list': owned => ({ last: { at: '2099-01-01T00:00:00Z', _id: owned.entry } }),
  'security.list': owned => ({ last: { at: '2099-01-01T00:00:00Z', _id: owned.entry } }),
  'hotelconfig.newadmin': () => ({ username: 'made' }),
  'hotelconfig.edit': (owned, role) =>
    role === 'superuser' ? { webstreamAccount: 'W', default_site_code: 'w', urls: [owned.host], mode: 'both' } : {},
}

/** The body of the matrix, fuller; a tyre is named by an object that can hold more than its number. */
function bodyOf(name: string, call: Call, owned: Owned, role: Role): object {
  let body = merged(rowOf(name, role).body(owned), fuller[name]?.(owned, role) ?? {}) as Record<string, unknown>
  for (const [path, fields] of levelsOf(call.input)) {
    if (!fields.has('db_id') || !path.endsWith('*') || name === 'tyres.measure') continue
    const ways = path.split('.').slice(0, -1)
    const ids = ways.reduce<unknown>((value, piece) => (value as Record<string, unknown> | undefined)?.[piece], body)
    body = put(
      body,
      ways,
      ((ids ?? owned.home) as number[]).map(db_id => ({ db_id })),
    ) as typeof body
  }
  return body
}

/** The ways to the objects in a body. */
function objectsIn(value: unknown, path: readonly string[] = []): string[] {
  if (value === null || typeof value !== 'object') return []
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    objectsIn(entry, [...path, Array.isArray(value) ? '*' : key]),
  )
  return Array.isArray(value) ? inner : [path.join('.'), ...inner]
}

/** The answer and the state after a call that always starts from the same rows. */
async function after(
  name: string,
  call: Call,
  role: Role,
  change: (body: unknown, foreign: Owned) => unknown,
): Promise<{ status: number; text: string; state: State }> {
  await kept.restore()
  rows.rewind()
  invalidateSessions(at.database)
  invalidateSites(at.database)
  invalidateTexts(at.database)
  const own = await rows.rowsOf('a')
  const foreign = await rows.rowsOf('b')
  const body = change(bodyOf(name, call, own, role), foreign)
  const { status, text } = await send(at, call, rowOf(name, role), at.who[names[role]], body, own)
  return { status, text, state: settled(await kept.read()) }
}

const writing = calls.filter(({ call }) => call.method === 'POST' && call.who !== 'anyone')

test('the bodies have every object that the calls take', async () => {
  const owned = await rows.rowsOf('a')
  for (const { name, call } of writing) {
    const there = new Set(objectsIn(bodyOf(name, call, owned, 'admin')))
    expect(
      [...levelsOf(call.input).keys()].filter(level => !there.has(level)),
      name,
    ).toEqual([])
  }
})

describe.each(roles)('by a %s', role => {
  const its = writing.filter(({ call }) => call.who !== 'anyone' && call.who.includes(role))
  test.each(its.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
    const plain = await after(name, call, role, body => body)
    const faults = await after(name, call, role, (body, foreign) => forged(call, body, foreign))
    expect(faults.status, faults.text.slice(0, 300)).toBeLessThan(500)
    const changed = differences(plain.state, faults.state)
    expect(
      changed.map(table => [table, plain.state[table], faults.state[table]]),
      faults.text.slice(0, 300),
    ).toEqual([])
    expect(faults.status, faults.text.slice(0, 300)).toBe(plain.status)
  })
})

/** As many forged fields as a form may have beside its own. */
const perForm = 80

test.each([
  ['hotelconfig.new', 'superuser', contract.hotelconfig.new],
  ['hotelconfig.editconfigimage', 'admin', contract.hotelconfig.editconfigimage],
  ['hotelconfig.editconfigimage', 'superuser', contract.hotelconfig.editconfigimage],
] as const)('with a form: %s, by a %s', async (_, role, call) => {
  const logo = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const submit = async (extra: readonly [string, string][]): Promise<{ status: number; state: State }> => {
    await kept.restore()
    invalidateSites(at.database)
    const form = new FormData()
    const own = {
      ...(call === contract.hotelconfig.new && newSite),
      ...(role === 'superuser' && { id: at.sites.home }),
    }
    for (const [name, value] of [...Object.entries(own), ...extra]) form.append(name, String(value))
    for (const name of call.files)
      form.append(name, new Blob([new Uint8Array(logo)], { type: 'image/png' }), 'logo.png')
    const encoded = new Response(form)
    const { host, cookie } = at.who[names[role]]
    const headers = { host, cookie: cookie ?? '', 'content-type': encoded.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await encoded.arrayBuffer())
    const reply = await at.app.inject({ method: 'POST', url: call.path, headers, payload })
    return { status: reply.statusCode, state: settled(await kept.read()) }
  }
  const plain = await submit([])
  expect(plain.status).toBe(200)
  const owned = await rows.rowsOf('other')
  const keys = levelsOf(call.input).get('')
  const fields = namesFor(call).filter(name => !keys?.has(name))
  for (let first = 0; first < fields.length; first += perForm) {
    const extra = fields.slice(first, first + perForm).map((name): [string, string] => {
      const wanted = wish(name, owned)
      return [name, typeof wanted === 'string' ? wanted : JSON.stringify(wanted)]
    })
    tried += extra.length
    const faults = await submit(extra)
    expect(faults.status).toBe(200)
    expect(differences(plain.state, faults.state)).toEqual([])
  }
})
const newSite = { name: 'New', webstreamAccount: 'W', adminEmail: 'new@example.org', urls: 'new.example.org' }

test.each([
  '{"operation":{"_id":1,"__proto__":{"type":"superuser"}}}',
  '{"operation":{"_id":1},"constructor":{"prototype":{"type":"superuser"}}}',
])('a prototype in a body is refused: %s', async payload => {
  const { host, cookie } = at.who.a
  const headers = { host, cookie: cookie ?? '', 'content-type': 'application/json' }
  const reply = await at.app.inject({ method: 'POST', url: '/operations/update', headers, payload })
  expect([reply.statusCode, (JSON.parse(reply.payload) as { code: string }).code]).toEqual([400, 'request.invalid'])
})

describe('a field that may be set in one place', () => {
  const refusals: readonly [told: string, call: Call, name: string, role: Role, extra: object][] = [
    [
      'the status of an operation, by its customer',
      contract.operations.update,
      'operations.update',
      'user',
      { operation: { status: 'confirmed' } },
    ],
    [
      'the same, cancelled',
      contract.operations.update,
      'operations.update',
      'user',
      { operation: { status: 'cancelled' } },
    ],
    [
      'the same, by an administrator',
      contract.operations.update,
      'operations.update',
      'admin',
      { operation: { status: 'confirmed' } },
    ],
    [
      'the mode of a site, by its administrator',
      contract.hotelconfig.edit,
      'hotelconfig.edit',
      'admin',
      { mode: 'hotelonly' },
    ],
    ['its addresses', contract.hotelconfig.edit, 'hotelconfig.edit', 'admin', { urls: ['mine.test'] }],
    ['its account', contract.hotelconfig.edit, 'hotelconfig.edit', 'admin', { webstreamAccount: 'mine' }],
    ['its default code', contract.hotelconfig.edit, 'hotelconfig.edit', 'admin', { default_site_code: 'mine' }],
    [
      'the type of an account, beyond the site',
      contract.customers.saveaccount,
      'customers.saveaccount',
      'admin',
      { type: 'superuser' },
    ],
    [
      'the customer of an administrator',
      contract.customers.saveaccount,
      'customers.saveaccount',
      'admin',
      { type: 'admin' },
    ],
    [
      'a password, where it is not reset',
      contract.customers.saveaccount,
      'customers.saveaccount',
      'admin',
      { password: 'another long one' },
    ],
  ]
  test.each(refusals)('%s is refused', async (_, call, name, role, extra) => {
    const untouched = await after(name, call, role, () => ({ nothing: true }))
    const faults = await after(name, call, role, body => merged(body, extra))
    expect([400, 403, 409], faults.text.slice(0, 300)).toContain(faults.status)
    expect(differences(untouched.state, faults.state)).toEqual([])
  })

  // the same comparison, with what a call does take: it sees every kind of row
  test.each([
    ['operations.update', contract.operations.update, 'user', { operation: { withBolts: true } }],
    ['fleet.update', contract.fleet.update, 'user', { vehicle: { description: 'Another' } }],
    ['tyres.add', contract.tyres.add, 'user', { tyre_set: 'Another' }],
    ['customers.save', contract.customers.save, 'admin', { street: 'Another' }],
    ['customers.saveaccount', contract.customers.saveaccount, 'admin', { lang: 'fre' }],
    ['hotelconfig.edit', contract.hotelconfig.edit, 'admin', { allowTachometer: false }],
    ['locations.edit', contract.locations.edit, 'admin', { walk: 7 }],
    ['vehicleConfigs.save', contract.vehicleConfigs.save, 'admin', { axle_width: 200 }],
    ['invoicing.markinvoiced', contract.invoicing.markinvoiced, 'admin', { date: '2026-11-02' }],
    ['operations.confirm', contract.operations.confirm, 'admin', { document: false }],
    ['locale.update', contract.locale.update, 'superuser', { value: 'A third' }],
  ] as const)('is seen where it may: %s', async (name, call, role, extra) => {
    const plain = await after(name, call, role, body => body)
    const faults = await after(name, call, role, body => merged(body, extra))
    expect(faults.status, faults.text.slice(0, 300)).toBe(200)
    expect(differences(plain.state, faults.state)).not.toEqual([])
  })
})

/** The body with these fields where they belong. */
function merged(body: unknown, extra: object): unknown {
  const forgedBody: Record<string, unknown> = { ...(body as object) }
  for (const [key, value] of Object.entries(extra))
    forgedBody[key] =
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? merged(forgedBody[key], value as object)
        : value
  return forgedBody
}
