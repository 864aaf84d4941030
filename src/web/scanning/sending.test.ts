import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sampleScan } from '../handling/sample.ts'
import type { ScanRecord } from './records.ts'
import { sendBatch } from './sending.ts'

const requests: { path: string; account: string | null; body: Record<string, unknown> }[] = []
let reply = { status: 200, body: [] as unknown }

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    requests.push({ path, account: headers['wheelhouse-account'] ?? null, body: JSON.parse(body) })
    return new Response(JSON.stringify(reply.body), { status: reply.status })
  })
})
afterEach(() => vi.unstubAllGlobals())

const uuid = '3b1f9c0e-6c0b-4a7e-9d55-0d6f0c6f3a01'
const facts = { scanId: uuid, tyreId: 0, at: 5 }
const place = { location: 5, rack: null, tyres: [11, 12], plate: '1ABC234' }
const counted = {
  count: 7,
  location: 5,
  rack: null,
  wheels: [
    { tyre: 11, site: 1 },
    { tyre: null, site: null },
  ],
}
const moved = { stock_site_name: 'Hall', stock_rack: 'A-01', moved: [11], planned: [], former: [] }
const result = { count: 7, location: 5, stock_rack: 'A-01', found_count: 1, differences: [] }

const cases: { record: ScanRecord; path: string; body: object; answer: unknown; kept: object }[] = [
  {
    record: sampleScan({ kind: 'place', ...facts, outcome: 'location', place }),
    path: '/locations/move',
    body: { tyres: [11, 12], location: 5, ticsId: 1, scanId: uuid, timestamp: 5 },
    answer: moved,
    kept: { state: 'marked', place: { ...place, rack: 'A-01' } },
  },
  {
    record: sampleScan({ kind: 'step', ...facts, outcome: 'stepped', step: { step: 'miss', tyres: [11] } }),
    path: '/wheels/step',
    body: { step: 'miss', tyres: [11] },
    answer: { state: 'missing' },
    kept: { state: 'marked' },
  },
  {
    record: sampleScan({ kind: 'count', ...facts, outcome: 'counted', counted }),
    path: '/counts/place',
    body: {
      count: 7,
      location: 5,
      ticsId: 1,
      scanId: uuid,
      timestamp: 5,
      wheels: [{ db_id: 11, ticsId: 1 }, { ticsId: null }],
    },
    answer: result,
    kept: { state: 'marked', counted: { ...counted, result } },
  },
]

describe('a batch', () => {
  it('of scans is one request, which names the account that it is of', async () => {
    reply = { status: 200, body: [] }
    const scans = [1, 2, 3].map(tyreId => sampleScan({ scanId: `s${tyreId}`, tyreId, at: tyreId, type: 'to_waste' }))
    const sent = await sendBatch('Admin é', scans)
    expect(requests).toEqual([
      {
        path: '/operations/markscan',
        account: 'Admin%20%C3%A9',
        body: {
          type: 'to_waste',
          tyres: [1, 2, 3].map(tyreId => ({ tyreId, ticsId: 1, timestamp: tyreId, scanId: `s${tyreId}` })),
        },
      },
    ])
    expect(sent).toMatchObject({ kind: 'answered', tyres: [], records: [{ reason: { kind: 'gone' } }, {}, {}] })
  })

  it.each(cases)(
    'of a $record.kind is one request of its own kind, and the answer is kept with it',
    async ({ record, path, body, answer, kept }) => {
      reply = { status: 200, body: answer }
      const sent = await sendBatch('admin', [record])
      expect(requests).toEqual([{ path, account: 'admin', body }])
      expect(sent).toMatchObject({ kind: 'answered', records: [kept] })
    },
  )

  it.each([
    [401, { code: 'session.missing' }, { kind: 'kept', problem: 'signed_out' }],
    [409, { code: 'session.other_account' }, { kind: 'kept', problem: 'other_account' }],
    [502, null, { kind: 'kept', problem: 'offline' }],
    [500, { code: 'server.unexpected' }, { kind: 'kept', problem: 'failed' }],
    [429, { code: 'server.busy' }, { kind: 'kept', problem: 'failed' }],
    [400, { code: 'request.invalid', message: 'no' }, { kind: 'invalid', message: 'no' }],
    [409, { code: 'wheel.step', message: 'no' }, { kind: 'invalid', message: 'no' }],
    [
      409,
      { code: 'location.full', message: 'full', params: { free: 2, needed: 4 } },
      { kind: 'invalid', message: 'full', room: { free: 2, needed: 4 } },
    ],
  ])('that is answered with %i %o stays, or is refused', async (status, body, expected) => {
    reply = { status, body }
    expect(await sendBatch('admin', [sampleScan({ scanId: 'a', tyreId: 11 })])).toEqual(expected)
  })

  it('without an answer stays', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    expect(await sendBatch('admin', [sampleScan({ scanId: 'a', tyreId: 11 })])).toEqual({
      kind: 'kept',
      problem: 'offline',
    })
  })
})
