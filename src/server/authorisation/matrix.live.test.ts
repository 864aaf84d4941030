/**
 * Who sees which live changes: rows of operations reach those who would be answered the same rows if they asked, and nobody
 * else (docs/promises.md "Authorisation"). The same search finds a leak without the policies, and where pages are grouped wrongly.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type LiveEvent, rowLists, rowPaths } from '#contract/live.ts'
import type { Who } from '../features/handler.ts'
import { invalidateSites } from '../features/sites/sites.ts'
import { openLive, type Live } from '../http/live.ts'
import { openGroups } from '../http/liveGroups.ts'
import { reportCases } from '../testing/cases.ts'
import { testDatabase } from '../testing/database.ts'
import { tablesWith } from '../testing/fingerprints.ts'
import { sitesForeignTo } from '../testing/matrix.ts'
import { openOwners, owners, type Owned, type Owner, type Owners } from '../testing/owners.ts'
import { keep, type Kept } from '../testing/state.ts'
import { pollOptions } from '../testing/waiting.ts'
import { warehouseOf } from '../testing/warehouse.ts'
import { world, type Principal, type World } from '../testing/world.ts'

/** Whose operations each may see. */
const visible = {
  superuser: [],
  a: ['a'],
  b: ['b'],
  admin: ['a', 'b'],
  warehouse: ['a', 'b'],
  otherUser: ['other'],
  otherAdmin: ['other'],
} as const satisfies Record<string, readonly Owner[]>
type Name = keyof typeof visible
const names = Object.keys(visible) as Name[]

let at: World
let live: Live
let rows: Owners
let kept: Kept
let principals: Record<Name, Principal>
let tried = 0
let leaks = 0

beforeAll(async () => {
  const on = await testDatabase()
  live = openLive(on.appUrl)
  at = await world({ now: new Date('2026-11-18T10:00:00Z'), on, served: () => ({ live, queues: null }) })
  rows = await openOwners(at)
  principals = { ...at.who, warehouse: await warehouseOf(at) }
  kept = await keep(at)
  await vi.waitUntil(() => live.connected(), pollOptions)
})
afterEach(async () => {
  await kept.restore()
  rows.rewind()
  invalidateSites(at.database)
})
afterAll(async () => {
  await live.close()
  await at.close()
})
reportCases('Live changes', () => ({ tried, leaks }))

const whoOf = ({ account, type, warehouse = false, site, customer, name }: Principal): Who => ({
  account,
  type: type ?? 'user',
  warehouse,
  site: type === 'superuser' ? null : site,
  customer,
  username: name,
  fullname: '',
  lang: 'eng',
})

/** A page of each of them; `keyOf` groups them otherwise than they are. */
function openPages(keyOf?: (who: Who) => string) {
  const groups = openGroups({ database: at.database, queues: null, live }, { interval: 15, ...(keyOf && { keyOf }) })
  const messages = new Map<Name, string>(names.map(name => [name, '']))
  const leave = names.map(name =>
    groups.join(whoOf(principals[name]), {
      write: text => void messages.set(name, `${messages.get(name) ?? ''}${String(text)}`),
    }),
  )
  return { told: messages, close: () => leave.forEach(stop => stop()) }
}

const eventsOf = (text: string): LiveEvent[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map(event => JSON.parse(event.slice('data: '.length)) as LiveEvent)

/** Rows of everybody, in a world in which nothing was told before. */
const ownRows = async (): Promise<Record<Owner, Owned>> => ({
  a: await rows.rowsOf('a'),
  b: await rows.rowsOf('b'),
  other: await rows.rowsOf('other'),
})

/** Scans a tyre of everybody's submitted storage, and edits everybody's pending operation, by those who may. */
async function changeAll(owned: Record<Owner, Owned>): Promise<void> {
  const accounts = { a: at.who.a, b: at.who.b, other: at.who.otherUser }
  for (const owner of owners) {
    const { expected, pending } = owned[owner]
    const admin = owner === 'other' ? at.who.otherAdmin : at.who.admin
    const scan = await at.send('/operations/markscan', admin, { tyres: [{ tyreId: expected[0] }] })
    const edit = await at.send('/operations/update', accounts[owner], { operation: { _id: pending, remarks: 'Soon' } })
    expect([scan.status, edit.status]).toEqual([200, 200])
  }
}

/** Leaks in the messages to one principal: words of strangers, ids of their operations. */
function foundOf(name: Name, text: string, owned: Record<Owner, Owned>): string[] {
  const who = principals[name]
  const strangers = owners.filter(owner => !(visible[name] as readonly Owner[]).includes(owner))
  const foreign = owners.filter(owner => sitesForeignTo(at, who).includes(owned[owner].site))
  const secret = [...strangers.flatMap(owner => owned[owner].words), ...foreign.map(owner => owned[owner].siteWord)]
  const ids = strangers.flatMap(owner => [owned[owner].submitted, owned[owner].pending])
  const named = eventsOf(text).flatMap(({ rows: given }) => {
    const { changed = {}, operations = [] } = (given ?? {}) as {
      changed?: Record<string, number[]>
      operations?: { _id: number }[]
    }
    return [...Object.values(changed).flat(), ...operations.map(({ _id }) => _id)]
  })
  const leaks = [...secret.filter(word => text.includes(word)), ...ids.filter(id => named.includes(id)).map(String)]
  tried += secret.length + ids.length
  return leaks.map(what => `${name}: ${what}`)
}

/** Waits until everybody who may know has been told of some rows. */
const allTold = (messages: ReadonlyMap<Name, string>): Promise<void> =>
  vi.waitFor(() => {
    for (const name of names) if (visible[name].length > 0) expect(messages.get(name), name).toContain('"rows":')
  }, pollOptions)

test('each is sent the rows that it would be answered, and no others', async () => {
  const owned = await ownRows()
  const pages = openPages()
  await changeAll(owned)
  await allTold(pages.told)
  await vi.waitFor(async () => {
    for (const name of names) {
      const named = foundOf(name, pages.told.get(name) ?? '', owned)
      leaks += named.length
      expect(named).toEqual([])
      const sent = new Map<number, unknown>()
      for (const event of eventsOf(pages.told.get(name) ?? ''))
        for (const row of (event.rows as { operations?: { _id: number }[] } | undefined)?.operations ?? [])
          sent.set(row._id, row)
      const who = principals[name]
      const answered = new Map<number, unknown>()
      for (const list of rowLists)
        for (const status of ['submitted', 'pending']) {
          const reply = await at.send(rowPaths[list], who, list === 'operations.admin' ? { status } : {})
          if (reply.status === 200) for (const row of reply.answer as { _id: number }[]) answered.set(row._id, row)
        }
      for (const [id, row] of sent) expect(row, `${name}, operation ${id}`).toEqual(answered.get(id))
      // no row of theirs is missing: the scan reaches all, the edit of a pending operation the desks
      for (const owner of visible[name]) {
        expect([...sent.keys()], name).toContain(owned[owner].submitted)
        if (who.type === 'admin') expect([...sent.keys()], name).toContain(owned[owner].pending)
      }
    }
  }, pollOptions)
  pages.close()
})

test('fleetonly has no operations, and no rows are sent', async () => {
  const owned = await ownRows()
  await at.setSite(at.sites.home, { mode: 'fleetonly' })
  invalidateSites(at.database)
  const pages = openPages()
  const change = { site: at.sites.home, audience: 'everyone', paths: Object.values(rowPaths), from: '' } as const
  live.publish({ ...change, operations: [owned.a.submitted] })
  await vi.waitFor(() => expect(pages.told.get('admin')).not.toBe(''), pollOptions)
  expect(pages.told.get('admin')).not.toContain('"rows"')
  pages.close()
})

test.each([true, false])('depths are among them if the site shows depths: %s', async shown => {
  const owned = await ownRows()
  await at.query('update tyre set profile_depth = 3.33 where id = any ($1)', [owned.a.expected])
  await at.setSite(at.sites.home, { allow_profile_depth: shown })
  invalidateSites(at.database)
  const pages = openPages()
  await changeAll(owned)
  await allTold(pages.told)
  for (const name of ['a', 'admin', 'warehouse'] as const) {
    const says = (pages.told.get(name) ?? '').includes('"profile_depth":[3.33]')
    if (says && !shown) leaks++
    expect(says, name).toBe(shown)
  }
  pages.close()
})

/** Tells everybody at a site of everybody's operations, as no call does: nothing but the policies stands against it. */
async function leaksOfPolicies(): Promise<string[]> {
  const owned = await ownRows()
  const pages = openPages()
  const ids = owners.flatMap(owner => [owned[owner].submitted, owned[owner].pending])
  const site = at.sites.home
  for (const audience of [at.customers.a, at.customers.b])
    live.publish({ site, audience, paths: Object.values(rowPaths), from: '', operations: ids })
  await vi.waitFor(() => {
    for (const name of ['a', 'b', 'admin'] as const) expect(pages.told.get(name)).toContain('"rows"')
  }, pollOptions)
  const faults = names.flatMap(name => {
    const strangers = owners.filter(owner => !(visible[name] as readonly Owner[]).includes(owner))
    const text = pages.told.get(name) ?? ''
    return strangers.flatMap(owner => owned[owner].words).filter(word => text.includes(word))
  })
  pages.close()
  return faults
}

test('row-level security alone keeps the rows of others back, and the check sees it without it', async () => {
  const alone = await leaksOfPolicies()
  leaks += alone.length
  expect(alone).toEqual([])
  await kept.restore()
  rows.rewind()
  const guarded = [...new Set(['site', ...(await tablesWith(at, 'site_id'))])]
  for (const table of guarded) await at.query(`alter table ${table} disable row level security`)
  try {
    expect(await leaksOfPolicies()).not.toEqual([])
  } finally {
    for (const table of guarded) await at.query(`alter table ${table} enable row level security`)
  }
})

test.each(['site', 'customer', 'type', 'warehouse'] as const)(
  'people who differ in their %s share no answer, and the check sees it if they do',
  async part => {
    const owned = await ownRows()
    const same = ({ site, customer, type, warehouse }: Who) =>
      JSON.stringify({ site, customer, type, warehouse, [part]: 'the same' })
    // the second differs from the first in this only, and may not know what the first is told
    const a = whoOf(principals.a)
    const [first, second]: readonly [Who, Who] = {
      site: [a, { ...a, site: at.sites.other }] as const,
      customer: [a, { ...a, customer: at.customers.b }] as const,
      type: [{ ...a, type: 'admin' }, a] as const,
      warehouse: [a, { ...a, warehouse: true }] as const,
    }[part]
    const path = rowPaths[part === 'type' ? 'operations.admin' : 'operations.fetch']
    const tell = async (keyOf?: (who: Who) => string): Promise<string> => {
      const groups = openGroups(
        { database: at.database, queues: null, live },
        { interval: 15, ...(keyOf && { keyOf }) },
      )
      let [witness, message] = ['', '']
      const stop = [
        groups.join(first, { write: text => void (witness += String(text)) }),
        groups.join(second, { write: text => void (message += String(text)) }),
      ]
      const change = { site: at.sites.home, audience: at.customers.a, paths: [path], from: '' }
      live.publish({ ...change, operations: [owned.a.submitted] })
      await vi.waitFor(() => expect(witness).toContain('"rows"'), pollOptions)
      // what comes after it has come
      for (const site of [at.sites.home, at.sites.other])
        live.publish({ site, audience: 'everyone', paths: ['/last'], from: '' })
      await vi.waitFor(() => expect(message).toContain('/last'), pollOptions)
      stop.forEach(leave => leave())
      return message
    }
    const row = `"changed":{"${path}":[${owned.a.submitted}]}`
    expect((await tell()).includes(row)).toBe(false)
    expect((await tell(same)).includes(row)).toBe(true)
  },
)
