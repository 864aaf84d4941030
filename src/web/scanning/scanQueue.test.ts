import { describe, expect, it } from 'vitest'
import type { OperationTyre } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { sampleScan, sampleTyre } from '../handling/sample.ts'
import type { ScanStore } from './keptScans.ts'
import { isAnswered, markedScans, type ScanRecord } from './records.ts'
import { type QueueParts, scanQueue, type ScanQueue } from './scanQueue.ts'
import { batchSize, type SendResult } from './sending.ts'

/** The answer to a batch of scans: these tyres are marked. */
const markedAs = (batch: readonly ScanRecord[], tyres: readonly OperationTyre[]): SendResult => ({
  kind: 'answered',
  records: markedScans(
    batch.filter(record => record.kind === 'scan'),
    tyres,
  ),
  tyres,
})

/** A device: one store and one lock, shared by all its tabs; they hear each other at once. */
function device() {
  const disk = new Map<string, ScanRecord>()
  const tabs: ScanQueue[] = []
  let lock: Promise<unknown> = Promise.resolve()
  let broken = false
  let gate: Promise<void> = Promise.resolve()
  const store: ScanStore = {
    async all(owner) {
      if (broken) throw new Error('no disk')
      const records = [...disk.values()].filter(record => record.owner === owner)
      await gate
      return records
    },
    async put(records) {
      await Promise.resolve()
      if (broken) throw new Error('no disk')
      for (const record of records) disk.set(record.scanId, structuredClone(record))
    },
    async remove(scanIds) {
      for (const scanId of scanIds) disk.delete(scanId)
    },
  }
  return {
    disk,
    breakDisk: () => (broken = true),
    /** From now on, reading the disk takes until the returned function is called, and returns the content at the start. */
    slowDisk() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    /** Opens a tab; after a crash the next one reads the content of the disk. */
    tab(
      send: (batch: readonly ScanRecord[]) => Promise<SendResult>,
      { owner = '1/admin', ...more }: Partial<Pick<QueueParts, 'owner' | 'marked'>> = {},
    ): ScanQueue {
      const queue: ScanQueue = scanQueue({
        ...more,
        owner,
        store,
        send,
        alone: (_, job) => {
          const mine = lock.then(job)
          lock = mine.catch(() => {})
          return mine
        },
        tell: () => {
          for (const tab of tabs) if (tab !== queue) void tab.load()
        },
      })
      tabs.push(queue)
      return queue
    },
  }
}

/** A server that marks every tyre except those listed as gone, and records its requests. */
function server({ gone = [] as number[] } = {}) {
  const calls: { type: OfferedType; scanIds: string[] }[] = []
  const state = { online: true }
  return {
    calls,
    state,
    get applied() {
      return calls.flatMap(({ scanIds }) => scanIds)
    },
    send: async (scans: readonly ScanRecord[]): Promise<SendResult> => {
      await Promise.resolve()
      if (!state.online) return { kind: 'kept', problem: 'offline' }
      calls.push({ type: scans[0]?.type ?? 'to_stock', scanIds: scans.map(({ scanId }) => scanId) })
      const ids = scans.map(({ tyreId }) => tyreId ?? 0).filter(tyre => !gone.includes(tyre))
      return markedAs(
        scans,
        ids.map(db_id => sampleTyre({ db_id, scanned: true, stock_rack: 'A-01-1-1' })),
      )
    },
  }
}

const settled = () => new Promise(resolve => setTimeout(resolve))
const states = (queue: ScanQueue) =>
  Object.fromEntries(queue.snapshot().history.map(({ scanId, state }) => [scanId, state]))

/** The state of a scan at 10:00 after this answer of the server. */
async function answeredWith(facts: Partial<OperationTyre>, scan: { outcome?: 'unchecked' | 'duplicate' } = {}) {
  const queue = device().tab(async batch =>
    markedAs(batch, [
      sampleTyre({ db_id: 11, scanned: true, scanTimes: 1, scanRegisteredAt: '2026-11-20T10:00:00.000Z', ...facts }),
    ]),
  )
  await queue.add(sampleScan({ scanId: 'a', tyreId: 11, at: Date.parse('2026-11-20T10:00:00.000Z'), ...scan }))
  await queue.send()
  return queue.snapshot().history[0]
}

describe('a scan', () => {
  it('is in the history at once, and on the disk before it is sent', async () => {
    const here = device()
    const queue = here.tab(server().send)
    const kept = queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    expect(queue.snapshot().waiting.map(({ scanId }) => scanId)).toEqual(['a'])
    await kept
    expect(here.disk.get('a')?.state).toBe('waiting')
  })

  it('that the server marks takes over the answered tyre and waits no longer', async () => {
    const here = device()
    const { send } = server()
    const queue = here.tab(send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.send()
    expect(queue.snapshot().waiting).toEqual([])
    expect(queue.snapshot().history[0]).toMatchObject({
      state: 'marked',
      tyre: { scanned: true, stock_rack: 'A-01-1-1' },
    })
    expect(here.disk.get('a')?.state).toBe('marked')
  })

  it('is waiting or known as marked at every moment, so that its operation stays scanned', async () => {
    const marked = new Set<number>()
    const queue = device().tab(server().send, {
      marked: tyres => {
        for (const { db_id } of tyres) marked.add(db_id)
      },
    })
    let lost = 0
    queue.subscribe(() => {
      if (queue.snapshot().waiting.length === 0 && !marked.has(11)) lost++
    })
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.send()
    expect(marked).toEqual(new Set([11]))
    expect(lost).toBe(0)
  })

  it('whose tyre is missing in the answer becomes an error with its reason and is not sent again', async () => {
    const there = server({ gone: [12] })
    const queue = device().tab(there.send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.add(sampleScan({ scanId: 'b', tyreId: 12 }))
    await queue.send()
    await queue.send()
    expect(states(queue)).toEqual({ a: 'marked', b: 'refused' })
    expect(queue.snapshot().history.find(({ scanId }) => scanId === 'b')?.reason).toEqual({ kind: 'gone' })
    expect(there.applied).toEqual(['a', 'b'])
  })

  it('of a tyre that another device scanned before becomes a duplicate that says since when', async () => {
    const since = '2026-11-20T09:58:00.000Z'
    const conflict = { outcome: 'duplicate', state: 'marked', reason: { kind: 'conflict', since } }
    expect(await answeredWith({ scanTimes: 2, scanRegisteredAt: since })).toMatchObject(conflict)
    expect(await answeredWith({ scanTimes: 2, scanRegisteredAt: since }, { outcome: 'unchecked' })).toMatchObject(
      conflict,
    )
  })

  it('that came later than one made after it is a duplicate too: it waited, the other one did not', async () => {
    expect(await answeredWith({ scanTimes: 2, scanRegisteredAt: '2026-11-20T10:01:00.000Z' })).toMatchObject({
      outcome: 'duplicate',
    })
  })

  it('that was the first stays found, however often it is sent and whoever scans the tyre later', async () => {
    expect(await answeredWith({})).toMatchObject({ outcome: 'found', reason: null })
    expect(await answeredWith({ scanTimes: 2 })).toMatchObject({ outcome: 'found', reason: null })
  })

  it('by a clock that is ahead of the server is found: it is the only one', async () => {
    expect(await answeredWith({ scanRegisteredAt: '2026-11-20T09:59:00.000Z' })).toMatchObject({ outcome: 'found' })
  })

  it('that was a duplicate when it was made needs no other reason', async () => {
    expect(
      await answeredWith({ scanTimes: 2, scanRegisteredAt: '2026-11-20T09:58:00.000Z' }, { outcome: 'duplicate' }),
    ).toMatchObject({ outcome: 'duplicate', reason: null })
  })

  it('that is only noted is never sent', async () => {
    const there = server()
    const queue = device().tab(there.send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11, outcome: 'missing', state: 'noted' }))
    await queue.send()
    expect(there.calls).toEqual([])
  })
})

describe('without a network', () => {
  it('scans stay in the order in which they were made, and arrive once when it is back', async () => {
    const there = server()
    const queue = device().tab(there.send)
    there.state.online = false
    for (let tyre = 1; tyre <= 40; tyre++) void queue.add(sampleScan({ scanId: `s${tyre}`, tyreId: tyre }))
    await queue.send()
    await queue.send()
    expect(queue.snapshot()).toMatchObject({ problem: 'offline', sending: false })
    expect(queue.snapshot().waiting).toHaveLength(40)
    there.state.online = true
    await queue.send()
    expect(queue.snapshot()).toMatchObject({ problem: null, waiting: [] })
    expect(there.applied).toEqual(Array.from({ length: 40 }, (_, i) => `s${i + 1}`))
  })

  it('a later visit finds them: after a reload, a crash, or another sign-in', async () => {
    const here = device()
    const there = server()
    there.state.online = false
    const before = here.tab(there.send)
    await before.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await before.send()
    there.state.online = true
    const after = here.tab(there.send)
    await after.load()
    expect(after.snapshot().waiting.map(({ scanId }) => scanId)).toEqual(['a'])
    await after.send()
    expect(there.applied).toEqual(['a'])
  })

  it.each(['signed_out', 'other_account', 'failed'] as const)('or when %s, nothing is lost', async problem => {
    const queue = device().tab(async () => ({ kind: 'kept', problem }))
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.send()
    expect(queue.snapshot()).toMatchObject({ problem, waiting: [{ scanId: 'a' }] })
  })

  it('a sender that throws against its promise loses nothing and can be tried again', async () => {
    let calls = 0
    const there = server()
    const queue = device().tab(scans => {
      calls += 1
      return calls === 1 ? Promise.reject(new Error('unforeseen')) : there.send(scans)
    })
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.send()
    expect(queue.snapshot()).toMatchObject({ problem: 'failed', sending: false })
    await queue.send()
    expect(states(queue)).toEqual({ a: 'marked' })
  })
})

describe('while the disk is read', () => {
  it('a scan is not forgotten, and a card that changed does not change back', async () => {
    const here = device()
    const queue = here.tab(server().send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11, outcome: 'missing', state: 'noted' }))
    const release = here.slowDisk()
    const reading = queue.load()
    await settled()
    await queue.add(sampleScan({ scanId: 'b', tyreId: 12 }))
    await queue.replace(sampleScan({ scanId: 'a', tyreId: 11 }))
    release()
    await reading
    expect(states(queue)).toEqual({ a: 'waiting', b: 'waiting' })
  })

  it('cards that were cleared do not come back', async () => {
    const here = device()
    const queue = here.tab(server().send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11, outcome: 'missing', state: 'noted' }))
    const release = here.slowDisk()
    const reading = queue.load()
    await settled()
    await queue.clear()
    release()
    await reading
    expect(queue.snapshot().history).toEqual([])
  })
})

describe('another account', () => {
  it('on the same device has a queue of its own', async () => {
    const here = device()
    const there = server()
    there.state.online = false
    await here.tab(there.send).add(sampleScan({ scanId: 'a', tyreId: 11 }))
    there.state.online = true
    const other = here.tab(there.send, { owner: '1/other' })
    await other.send()
    expect(other.snapshot().history).toEqual([])
    expect(there.applied).toEqual([])
    expect(here.disk.get('a')?.state).toBe('waiting')
  })
})

describe('two tabs', () => {
  it('that send at the same moment send each scan once', async () => {
    const here = device()
    const there = server()
    const [left, right] = [here.tab(there.send), here.tab(there.send)]
    await Promise.all([
      left.add(sampleScan({ scanId: 'a', tyreId: 11 })),
      right.add(sampleScan({ scanId: 'b', tyreId: 12 })),
      left.add(sampleScan({ scanId: 'c', tyreId: 13 })),
    ])
    await Promise.all([left.send(), right.send(), left.send(), right.send()])
    await settled()
    expect(there.applied.toSorted()).toEqual(['a', 'b', 'c'])
    expect(states(left)).toEqual({ a: 'marked', b: 'marked', c: 'marked' })
    expect(states(right)).toEqual(states(left))
  })

  it('never forget a scan that comes while the other one tells of its own', async () => {
    const here = device()
    const there = server()
    const [left, right] = [here.tab(there.send), here.tab(there.send)]
    for (let round = 0; round < 200; round++) {
      void left.add(sampleScan({ scanId: `l${round}`, tyreId: 1000 + round }))
      void right.add(sampleScan({ scanId: `r${round}`, tyreId: 2000 + round }))
      if (round % 7 === 0) void left.send()
      if (round % 11 === 0) void right.load()
      if (round % 3 === 0) await settled()
      expect(left.snapshot().history.some(({ scanId }) => scanId === `l${round}`)).toBe(true)
      expect(right.snapshot().history.some(({ scanId }) => scanId === `r${round}`)).toBe(true)
    }
    await Promise.all([left.send(), right.send()])
    await settled()
    expect(there.applied).toHaveLength(400)
    expect(new Set(there.applied).size).toBe(400)
    expect(left.snapshot().waiting).toEqual([])
    expect(right.snapshot().waiting).toEqual([])
  })
})

describe('many scans', () => {
  it('go in batches of at most 500, each of one type', async () => {
    const there = server()
    const queue = device().tab(there.send)
    const adding: Promise<void>[] = []
    for (let tyre = 1; tyre <= 1100; tyre++) {
      const type = tyre % 11 === 0 ? 'to_waste' : 'to_stock'
      adding.push(queue.add(sampleScan({ scanId: `s${tyre}`, tyreId: tyre, type })))
    }
    await Promise.all(adding)
    await queue.send()
    expect(there.calls.map(({ type, scanIds }) => [type, scanIds.length])).toEqual([
      ['to_stock', batchSize.scan],
      ['to_stock', batchSize.scan],
      ['to_waste', 100],
    ])
    expect(queue.snapshot().waiting).toEqual([])
  })

  it('that came during a sending go right after it', async () => {
    const there = server()
    let late: Promise<void> | undefined
    const queue: ScanQueue = device().tab(scans => {
      late ??= queue.add(sampleScan({ scanId: 'late', tyreId: 99 }))
      return there.send(scans)
    })
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.send()
    expect(there.applied).toEqual(['a', 'late'])
  })

  it('are not held up by one that the server can not read', async () => {
    const there = server()
    const queue = device().tab(async scans =>
      scans.some(({ tyreId }) => tyreId === 13) ? { kind: 'invalid', message: 'No such number.' } : there.send(scans),
    )
    for (const tyre of [11, 12, 13, 14, 15]) void queue.add(sampleScan({ scanId: `s${tyre}`, tyreId: tyre }))
    await queue.send()
    expect(states(queue)).toEqual({ s11: 'marked', s12: 'marked', s13: 'refused', s14: 'marked', s15: 'marked' })
    expect(queue.snapshot().history.find(({ scanId }) => scanId === 's13')?.reason).toEqual({
      kind: 'refused',
      message: 'No such number.',
    })
  })

  it('leave the newest 200 in the history, and every one that waits or was refused', async () => {
    const here = device()
    const there = server({ gone: [1, 2] })
    const queue = here.tab(there.send)
    await Promise.all(
      Array.from({ length: 300 }, (_, i) => queue.add(sampleScan({ scanId: `s${i + 1}`, tyreId: i + 1 }))),
    )
    await queue.send()
    expect(queue.snapshot().history).toHaveLength(202)
    expect(here.disk.size).toBe(202)
    expect(states(queue)).toMatchObject({ s1: 'refused', s2: 'refused', s300: 'marked' })
    expect(states(queue)['s3']).toBeUndefined()
  })
})

describe('a slow disk', () => {
  it('is written to once more at most, however many scans came meanwhile', async () => {
    const written: string[][] = []
    const { promise: slow, resolve: release } = Promise.withResolvers<void>()
    const queue = scanQueue({
      owner: '1/admin',
      store: {
        all: async () => [],
        put: async records => {
          written.push(records.map(({ scanId }) => scanId))
          await slow
        },
        remove: async () => {},
      },
      send: async () => ({ kind: 'kept', problem: 'offline' }),
      alone: (_, job) => job(),
      tell: () => {},
    })
    const kept = [queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))]
    await settled()
    for (const scanId of ['b', 'c', 'd']) kept.push(queue.add(sampleScan({ scanId, tyreId: 12 })))
    await settled()
    expect(queue.snapshot().waiting).toHaveLength(4)
    release()
    await Promise.all(kept)
    expect(written).toEqual([['a'], ['b', 'c', 'd']])
  })
})

describe('a device that keeps nothing', () => {
  it('says so, and its scans are sent all the same', async () => {
    const here = device()
    const there = server()
    here.breakDisk()
    const queue = here.tab(there.send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    expect(queue.snapshot()).toMatchObject({ notPersisted: true, waiting: [{ scanId: 'a' }] })
    await queue.send()
    expect(there.applied).toEqual(['a'])
    expect(queue.snapshot()).toMatchObject({ notPersisted: false, waiting: [] })
  })
})

describe('the history', () => {
  it('can be cleared, without the scans that wait', async () => {
    const here = device()
    const queue = here.tab(server().send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await queue.add(sampleScan({ scanId: 'b', tyreId: 12, state: 'noted', outcome: 'missing' }))
    await queue.clear()
    expect(states(queue)).toEqual({ a: 'waiting' })
    expect([...here.disk.keys()]).toEqual(['a'])
  })

  it('has the newest first', async () => {
    const queue = device().tab(server().send)
    await queue.add(sampleScan({ scanId: 'a', tyreId: 11, at: 1000 }))
    await queue.add(sampleScan({ scanId: 'c', tyreId: 13, at: 2000 }))
    await queue.add(sampleScan({ scanId: 'b', tyreId: 12, at: 2000 }))
    expect(queue.snapshot().history.map(({ scanId }) => scanId)).toEqual(['b', 'c', 'a'])
    expect(queue.snapshot().waiting.map(({ scanId }) => scanId)).toEqual(['a', 'c', 'b'])
  })
})

describe('a scanned place', () => {
  const place = (scanId: string, at: number) =>
    sampleScan({
      scanId,
      kind: 'place',
      tyreId: 0,
      at,
      outcome: 'location',
      tyre: null,
      operation: null,
      place: { location: 5, rack: null, tyres: [1, 2], plate: null },
    })
  const scans = [1, 2].map(tyreId => sampleScan({ scanId: `t${tyreId}`, tyreId, at: tyreId }))
  const later = sampleScan({ scanId: 't3', tyreId: 3, at: 9 })
  const markedHere = (batch: readonly ScanRecord[]) =>
    markedAs(
      batch,
      batch.map(({ tyreId }) => sampleTyre({ db_id: tyreId ?? 0, scanned: true })),
    )

  it('is sent by itself, after the tyres that it is for and before those that come later', async () => {
    const sent: string[][] = []
    const queue = device().tab(async batch => {
      sent.push(batch.map(({ scanId }) => scanId))
      const [first] = batch
      if (first?.kind !== 'place') return markedHere(batch)
      return { kind: 'answered', records: [{ ...first, state: 'marked', place: { ...first.place, rack: 'A-01-1' } }] }
    })
    for (const scan of [...scans, place('p1', 5), place('p2', 6), later]) await queue.add(scan)
    await queue.send()
    expect(sent).toEqual([['t1', 't2'], ['p1'], ['p2'], ['t3']])
    expect(queue.snapshot().waiting).toEqual([])
    expect(queue.snapshot().history.find(({ scanId }) => scanId === 'p1')).toMatchObject({
      state: 'marked',
      place: { rack: 'A-01-1' },
    })
  })

  it('waits without a network, survives a reload, and is refused alone when it is full', async () => {
    const here = device()
    const offline = here.tab(async () => ({ kind: 'kept', problem: 'offline' }))
    for (const scan of [...scans, place('p1', 5), later]) await offline.add(scan)
    await offline.send()
    expect(offline.snapshot().waiting).toHaveLength(4)

    const reloaded = here.tab(async batch =>
      batch[0]?.kind === 'place'
        ? { kind: 'invalid', message: 'There is no room for these tyres here. Choose another place.' }
        : markedHere(batch),
    )
    await reloaded.send()
    expect(states(reloaded)).toEqual({ t1: 'marked', t2: 'marked', p1: 'refused', t3: 'marked' })
    expect(reloaded.snapshot().history.find(({ scanId }) => scanId === 'p1')?.reason).toEqual({
      kind: 'refused',
      message: 'There is no room for these tyres here. Choose another place.',
    })
  })
})

describe('after an upgrade', () => {
  const facts = {
    owner: '1/admin',
    at: 5,
    type: 'to_stock',
    tyreId: null,
    ticsId: 1,
    tyre: null,
    operation: null,
    reason: null,
  }
  /** Records of the version before, which had no kinds. */
  const before = {
    scan: { ...facts, scanId: 'scan', at: 1, tyreId: 11, outcome: 'found', state: 'waiting' },
    place: {
      ...facts,
      scanId: 'place',
      at: 2,
      outcome: 'location',
      state: 'waiting',
      place: { location: 5, rack: null, tyres: [11], plate: '1ABC234' },
    },
    step: {
      ...facts,
      scanId: 'step',
      at: 3,
      outcome: 'stepped',
      state: 'waiting',
      step: { step: 'miss', tyres: [12] },
    },
    count: {
      ...facts,
      scanId: 'count',
      at: 4,
      outcome: 'counted',
      state: 'waiting',
      counted: { count: 7, location: 5, rack: 'A-01', wheels: [{ tyre: 11, site: 1 }] },
    },
    open: {
      ...facts,
      scanId: 'open',
      at: 5,
      outcome: 'counted',
      state: 'open',
      counted: { count: 7, location: 6, rack: 'A-02', wheels: [] },
    },
    noted: {
      ...facts,
      scanId: 'noted',
      at: 6,
      outcome: 'misplaced',
      state: 'noted',
      reason: { kind: 'place', why: 'none' },
    },
  }

  it('each record that the version before kept is sent as what it is, in its order, and what is not sent is kept', async () => {
    const here = device()
    for (const record of Object.values(before)) here.disk.set(record.scanId, record as never)
    const sent: string[] = []
    const queue = here.tab(async batch => {
      sent.push(...batch.map(({ scanId, kind }) => `${scanId} as ${kind}`))
      return { kind: 'answered', records: batch.map(record => ({ ...record, state: 'marked' })) }
    })
    await queue.send()
    expect(sent).toEqual(['scan as scan', 'place as place', 'step as step', 'count as count'])
    expect(states(queue)).toEqual({
      scan: 'marked',
      place: 'marked',
      step: 'marked',
      count: 'marked',
      open: 'open',
      noted: 'noted',
    })
    expect(queue.snapshot().history.map(({ kind, scanId }) => [scanId, kind])).toContainEqual(['open', 'count'])
    const { place, step, counted } = Object.assign({}, ...here.disk.values()) as Record<string, unknown>
    expect({ place, step }).toEqual({ place: before.place.place, step: before.step.step })
    expect(counted).toEqual(before.open.counted)
  })

  it('what is kept can be read by a tab of the version before: its facts are where they were', async () => {
    const here = device()
    await here
      .tab(server().send)
      .add(sampleScan({ kind: 'place', scanId: 'p', tyreId: 0, outcome: 'location', place: before.place.place }))
    expect(here.disk.get('p')).toMatchObject({ outcome: 'location', place: before.place.place })
  })
})

describe('who waits for the server', () => {
  it('hears of each answer once, of this tab and of others, and of none that an earlier visit got', async () => {
    const here = device()
    const there = server({ gone: [12] })
    await here.tab(there.send).add(sampleScan({ scanId: 'early', tyreId: 10, state: 'marked' }))
    const [left, right] = [here.tab(there.send), here.tab(there.send)]
    await Promise.all([left.load(), right.load()])
    const heard: Record<string, string[]> = { left: [], right: [] }
    for (const [name, queue] of Object.entries({ left, right }))
      queue.onAnswered(records => {
        expect(records.every(isAnswered)).toBe(true)
        heard[name]?.push(...records.map(({ scanId, state }) => `${scanId} ${state}`))
      })
    await left.add(sampleScan({ scanId: 'a', tyreId: 11 }))
    await left.add(sampleScan({ scanId: 'b', tyreId: 12 }))
    await left.send()
    await settled()
    expect(heard.left?.toSorted()).toEqual(['a marked', 'b refused'])
    expect(heard.right?.toSorted()).toEqual(heard.left?.toSorted())
  })
})
