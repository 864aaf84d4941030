/**
 * While a site hides tread depth, none leaves the server (docs/promises.md "Authorisation"): in no answer, export, label, document, event or history,
 * and in no answer from before that is given again. The same search finds it everywhere while it is shown.
 */
import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { calls } from '#contract/index.ts'
import { openLive, type Live } from '../http/live.ts'
import { rowOf, send } from '../testing/bodies.ts'
import { reportCases } from '../testing/cases.ts'
import { testDatabase } from '../testing/database.ts'
import { textOf } from '../testing/pdf.ts'
import { openOwners, type Owned, type Owners } from '../testing/owners.ts'
import { keep, type Kept } from '../testing/state.ts'
import { pollOptions } from '../testing/waiting.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { invalidateSites } from '../features/sites/sites.ts'
import { world, type Reply, type World } from '../testing/world.ts'

let at: World
let rows: Owners
let kept: Kept
let live: Live
let tried = 0
let leaks = 0

beforeAll(async () => {
  const on = await testDatabase()
  live = openLive(on.appUrl)
  at = await world({ now: new Date('2026-11-18T10:00:00Z'), on, served: () => ({ live }) })
  rows = await openOwners(at)
  await at.setSite(at.sites.home, { do_doc_insert: true, doc_insert_type: 'deliverynote' })
  kept = await keep(at)
  await vi.waitUntil(() => live.connected(), pollOptions)
})
afterAll(async () => {
  await live.close()
  await at.close()
})
reportCases('Hidden depth', () => ({ tried, leaks }))

/** Every tyre here has 3.33 mm, which nothing else says: not the digits of some moment or number. */
const seen = (text: string): boolean => /(?<![\d.,]|\d:)3[.,]33(?!\d)/.test(text)

/** The readable text of an answer; for a print, the text on its pages. */
async function readable({ text, answer }: Reply<unknown>): Promise<string> {
  const printed = text === '' ? null : (JSON.parse(text) as unknown)
  if (typeof printed !== 'string' || !printed.startsWith('JVBERi')) return `${text} ${JSON.stringify(answer)}`
  return textOf(printed)
}

/** Rows of customer A with all that ever says a depth: readings, a recall that was handled, its document, an event of each. */
async function measured(shown: boolean): Promise<Owned> {
  await kept.restore()
  rows.rewind()
  invalidateSessions(at.database)
  invalidateSites(at.database)
  const owned = await rows.rowsOf('a')
  await at.query(
    `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, depth, odometer)
     select site_id, id, customer_id, vehicle_id, kind, $2, 3.33, 123456 from tyre, unnest(array['measured', 'received', 'moved']) kind
     where vehicle_id = $1`,
    [owned.vehicle, at.clock.now],
  )
  await at.query(`update operation set status = 'submitted', submitted_at = now() where id = $1`, [owned.recall])
  const handled = await at.send('/operations/confirm', at.who.admin, { operation: { _id: owned.recall }, here: 'all' })
  if (handled.status !== 200) throw new Error(handled.text)
  await at.setSite(at.sites.home, { allow_profile_depth: shown })
  return owned
}

/** Other ways to make calls that have several. */
const others: Record<string, readonly ((of: Owned) => object)[]> = {
  'tyres.events': [owned => ({ tyres: [...owned.home, ...owned.stored] })],
  'operations.markscan': [owned => ({ tyres: owned.expected.map(tyreId => ({ tyreId })), type: 'to_stock' })],
  'operations.update': [
    owned => ({ operation: { _id: owned.pending, status: 'submitted' } }),
    owned => ({ operation: { _id: owned.submitted, status: 'pending' } }),
  ],
  'operations.completedbydate': [() => ({ startDate: '2026-11-01', endDate: '2026-11-30' })],
  'operations.adminopsbydate': [() => ({ startDate: '2026-11-01', endDate: '2026-11-30' })],
  'operations.admin': [() => ({ status: 'pending' })],
  'fleet.fetch': [() => ({}), () => ({ search: 'alpin' }), owned => ({ license_plate: owned.words[0] })],
  'fleet.getTyreLabels': [
    owned => ({ tyres: owned.home, report_id: 2 }),
    owned => ({ tyres: owned.stored, report_id: 3 }),
  ],
  'audit.list': [() => ({})],
  'audit.export': [() => ({})],
}

/** The calls whose answers say a depth. */
async function callsWithDepth(shown: boolean): Promise<string[]> {
  const names = new Set<string>()
  for (const { name, call } of calls) {
    if (name === 'users.logout') continue
    const row = rowOf(name)
    for (const body of [row.body, ...(others[name] ?? [])])
      for (const who of ['a', 'admin', 'superuser'] as const) {
        if (call.who !== 'anyone' && !(at.who[who].type && call.who.includes(at.who[who].type))) continue
        const owned = await measured(shown)
        // one of these calls edits the site, and would show it again
        const input = body(owned) as Record<string, unknown>
        const given = name === 'hotelconfig.edit' ? { ...input, allowProfileDepth: shown } : input
        const reply = await send(at, call, row, at.who[who], given, owned)
        tried++
        if (seen(await readable(reply))) names.add(name)
      }
  }
  return [...names]
}

test('no answer carries a depth', { tags: 'whole' }, async () => {
  const silent = await callsWithDepth(false)
  leaks += silent.length
  expect(silent).toEqual([])
})

test('the control: while depth is shown, all that show it are found', { tags: 'whole' }, async () => {
  expect((await callsWithDepth(true)).toSorted()).toEqual([
    'cards.read',
    'changes.tyres',
    'fleet.fetch',
    'fleet.getTyreLabels',
    'fleet.update',
    'fleet.vehicle',
    'gate.load',
    'labels.print',
    'operations.admin',
    'operations.adminopsbydate',
    'operations.cancel',
    'operations.completedbydate',
    'operations.confirm',
    'operations.fetch',
    'operations.markscan',
    'operations.new',
    'operations.reschedule',
    'operations.swap',
    'operations.update',
    'operations.withdraw',
    'papers.overview',
    'papers.receipt',
    'papers.receiptpdf',
    'tyres.changeset',
    'tyres.events',
    'tyres.measure',
    'tyres.undoset',
    'wheels.candidates',
  ])
})

test(
  'a document and all labels say none in print while depth is hidden, and are read well enough to see it',
  { tags: 'whole' },
  async () => {
    for (const shown of [false, true]) {
      const owned = await measured(shown)
      const [paper] = await at.query<{ id: number }>(
        `select id from document where type = 'deliverynote' and reason = 'operation'`,
      )
      const document = await at.send('/fleet/historydocument', at.who.a, { db_id: paper?.id })
      const ofDocument = await readable(document)
      expect(ofDocument).toContain('Garage Alfa')
      expect(seen(ofDocument)).toBe(shown)
      for (const report_id of [1, 2, 3]) {
        const labels = await readable(await at.send('/fleet/getTyreLabels', at.who.a, { tyres: owned.home, report_id }))
        expect(labels).toContain(`#${owned.home[0]}`)
        expect([report_id, seen(labels)]).toEqual([report_id, shown])
      }
    }
  },
)

test('an answer from when depth was shown is given again without it', { tags: 'whole' }, async () => {
  const keyed = calls.filter(({ call }) => call.idempotent && call.who !== 'anyone')
  const messages: string[] = []
  const before: string[] = []
  for (const { name, call } of keyed)
    for (const who of ['a', 'admin'] as const) {
      const owned = await measured(true)
      const key = { 'idempotency-key': randomUUID() }
      const body = rowOf(name).body(owned)
      const first = await at.send(call.path, at.who[who], body, key)
      if (first.status !== 200) continue
      if (seen(first.text)) before.push(name)
      await at.setSite(at.sites.home, { allow_profile_depth: false })
      const again = await at.send(call.path, at.who[who], body, key)
      tried++
      expect(again.status, again.text).toBe(200)
      expect(call.output.safeParse(again.answer).success, name).toBe(true)
      if (seen(again.text) || /"profile_(depth|date|tacho)":\[(?!null)/.test(again.text))
        messages.push(`${name} by ${who}`)
      // and whole, once it is shown again
      await at.setSite(at.sites.home, { allow_profile_depth: true })
      expect((await at.send(call.path, at.who[who], body, key)).text).toBe(first.text)
    }
  leaks += messages.length
  expect(messages).toEqual([])
  expect([...new Set(before)].toSorted()).toEqual([
    'gate.load',
    'operations.cancel',
    'operations.confirm',
    'operations.new',
    'operations.reschedule',
    'operations.swap',
    'operations.update',
    'operations.withdraw',
  ])
})

test.each([true, false])('open screens are sent depths with rows, and only while they are shown: %s', async shown => {
  const owned = await measured(shown)
  if (!at.app.server.listening) await at.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = at.app.server.address() as AddressInfo
  let heard = ''
  const { host, cookie } = at.who.admin
  const request = get({ port, path: '/live', headers: { host, cookie: cookie ?? '' } }, reply =>
    reply.setEncoding('utf8').on('data', (piece: string) => void (heard += piece)),
  )
  await vi.waitUntil(() => live.listeners() === 1, pollOptions)
  const readings = owned.home.map(db_id => ({ db_id, profile_depth: 3.33, profile_date: '2026-11-18' }))
  if (shown) expect((await at.send('/fleet/measuretyres', at.who.a, { readings })).text).toContain('3.33')
  const scanned = await at.send('/operations/markscan', at.who.admin, { tyres: [{ tyreId: owned.expected[0] }] })
  expect(scanned.status).toBe(200)
  await vi.waitUntil(() => heard.includes('"rows"'), pollOptions)
  expect(seen(heard)).toBe(shown)
  // nothing else says anything of a tyre
  for (const [, data = ''] of heard.matchAll(/data: (.*)/g)) {
    const { rows: _, ...rest } = JSON.parse(data) as Record<string, unknown>
    expect(Object.keys(rest).toSorted()).toEqual(['from', 'paths'])
  }
  request.destroy()
  await vi.waitUntil(() => live.listeners() === 0, pollOptions)
})
