/** Reads that may be some seconds old, on a real streaming replica (docs/decisions/0022). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { audit } from '#contract/logs.ts'
import { billing } from '#contract/billing.ts'
import { board } from '#contract/board.ts'
import type { Call } from '#contract/call.ts'
import { customers } from '#contract/customers.ts'
import { figures } from '#contract/figures.ts'
import { calls } from '#contract/index.ts'
import { invoicing } from '#contract/invoicing.ts'
import { operations } from '#contract/operations.ts'
import { security } from '#contract/logs.ts'
import { stock } from '#contract/stock.ts'
import { readConfig } from '../config.ts'
import { testDatabase } from '../testing/database.ts'
import { openPair, type Pair } from '../testing/replica.ts'
import { pollOptions } from '../testing/waiting.ts'
import { world, type World } from '../testing/world.ts'
import { openDatabase, type Database } from './database.ts'
import { openReplica, type Replica } from './replica.ts'
import { statement } from './statement.ts'
import { int, text } from './types.ts'

const limit = 1500
const logged: string[] = []
let pair: Pair
let at: World
let replica: Replica
/** How many transactions the replica answered. */
let answered = 0
/** The clock of the replica's bookkeeping, in ms. Only the test lets it run: a busy machine takes nothing for too old. */
let time = 1
const clock = (): number => time++
/** Since when this node receives the changes of other nodes. */
let connectedSince: number | null = 0

const counted = (database: Database): Database => ({
  ...database,
  async transaction(scope, work) {
    const result = await database.transaction(scope, work)
    answered++
    return result
  },
})
const follow = (primary: Database, url: string): Replica =>
  openReplica({
    primary,
    replica: openDatabase(url),
    connectedSince: () => connectedSince,
    log: sentence => void logged.push(sentence),
    every: 50,
    limit,
    clock,
  })

beforeAll(async () => {
  pair = await openPair()
  at = await world({
    on: { ...pair.primary, drop: async () => {} },
    served(primary) {
      const own = follow(primary, pair.replicaUrl)
      // its own polls are not counted
      replica = {
        ...own,
        databaseFor(read) {
          const database = own.databaseFor(read)
          return database && counted(database)
        },
      }
      return { replica }
    },
  })
  await at.addSet({ vehicle: await at.addVehicle({ plate: '1RPL001' }) })
})
afterAll(async () => {
  await replica?.close()
  await at?.close()
  await pair?.close()
})

const anyRead = { site: 1, account: null, path: '/nothing' }
const ready = () => vi.waitFor(() => expect(replica.databaseFor(anyRead)).not.toBeNull(), pollOptions)
const unused = () => vi.waitFor(() => expect(replica.databaseFor(anyRead)).toBeNull(), pollOptions)

const year = { startDate: '2026-01-01', endDate: '2026-01-31' }
const reads: readonly (readonly [Call, unknown])[] = [
  [operations.adminopsbydate_light, year],
  [operations.adminopsbydate, year],
  [operations.completedbydate, year],
  [invoicing.customers, { days: 1 }],
  [billing.owing, { days: 1 }],
  [board.read, {}],
  [board.unmoved, {}],
  [figures.revenue, {}],
  [figures.occupancy, {}],
  [figures.customers, {}],
  [figures.deliveries, {}],
  [figures.unpaid, {}],
  [stock.statement, { date: '2026-01-31' }],
  [audit.list, {}],
  [audit.people, {}],
  [security.list, {}],
  [security.people, {}],
]
const ask = ([call, input]: readonly [Call, unknown]) => at.send(call.path, at.who.admin, input)
const light = reads[0] as readonly [Call, unknown]

test('a call that a replica may answer changes nothing, and every one of them is tried here', () => {
  const replicaSafe = calls.filter(({ call }) => call.replicaSafe).map(({ call }) => call)
  expect(new Set(replicaSafe)).toEqual(new Set(reads.map(([call]) => call)))
  for (const call of replicaSafe) expect([call.invalidates, call.idempotent, call.files]).toEqual([[], false, []])
})

test('every one of them is answered by the replica, as the primary would', async () => {
  await ready()
  for (const read of reads) {
    const before = answered
    const reply = await ask(read)
    expect([read[0].path, reply.status, answered - before]).toEqual([read[0].path, 200, 1])
    connectedSince = null
    const primary = await ask(read)
    connectedSince = 0
    expect(answered - before).toBe(1)
    expect(reply.answer).toEqual(primary.answer)
  }
})

test('other calls ask the primary', async () => {
  await ready()
  const before = answered
  expect((await at.send('/fleet/fetch', at.who.a, {})).status).toBe(200)
  expect(answered).toBe(before)
})

test('what the asking account has just changed is in the answer, however far behind the replica is', async () => {
  await ready()
  await pair.atReplica('select pg_wal_replay_pause()')
  try {
    const saved = await at.ask(customers.save, at.who.admin, { name: 'Quite new' })
    expect(saved.status).toBe(200)
    expect((await at.ask(audit.list, at.who.admin, {})).text).toContain('Quite new')
    // another account may get rows that are a moment old
    expect(
      replica.databaseFor({ site: at.sites.home, account: at.who.otherAdmin.account, path: audit.list.path }),
    ).not.toBeNull()
  } finally {
    await pair.atReplica('select pg_wal_replay_resume()')
  }
  await vi.waitFor(
    () =>
      expect(
        replica.databaseFor({ site: at.sites.home, account: at.who.admin.account, path: audit.list.path }),
      ).not.toBeNull(),
    pollOptions,
  )
  const before = answered
  expect((await at.ask(audit.list, at.who.admin, {})).text).toContain('Quite new')
  expect(answered).toBe(before + 1)
})

test('what another node says has changed is answered by the primary until the replica has it', async () => {
  await ready()
  const read = { site: at.sites.home, account: null, path: light[0].path }
  await pair.atReplica('select pg_wal_replay_pause()')
  try {
    // a change of another node: committed, then published
    await at.query(`update site set name = name || '' where id = $1`, [at.sites.home])
    replica.recordChange({ site: at.sites.home, paths: [light[0].path] })
    expect(replica.databaseFor(read)).toBeNull()
    expect(replica.databaseFor({ ...read, site: at.sites.other })).not.toBeNull()
    expect(replica.databaseFor({ ...read, path: audit.list.path })).not.toBeNull()
  } finally {
    await pair.atReplica('select pg_wal_replay_resume()')
  }
  await vi.waitFor(() => expect(replica.databaseFor(read)).not.toBeNull(), pollOptions)
})

test('a node that does not receive the changes of others asks the primary, and afterwards until the replica has all it missed', async () => {
  await ready()
  connectedSince = null
  expect(replica.databaseFor(anyRead)).toBeNull()
  connectedSince = clock()
  expect(replica.databaseFor(anyRead)).toBeNull()
  await ready()
  connectedSince = 0
})

test('a replica that is too far behind is not asked, which is logged once, and asked again when it has come closer', async () => {
  await ready()
  logged.length = 0
  await pair.atReplica('select pg_wal_replay_pause()')
  try {
    await at.query(`update site set name = name || '' where id = $1`, [at.sites.home])
    time += limit
    await unused()
    await vi.waitFor(() => expect(logged).toHaveLength(1), pollOptions)
    expect(replica.lagSeconds()).toBeGreaterThan(limit / 1000)
    const before = answered
    expect((await ask(light)).status).toBe(200)
    expect(answered).toBe(before)
  } finally {
    await pair.atReplica('select pg_wal_replay_resume()')
  }
  await ready()
  await vi.waitFor(() => expect(logged).toHaveLength(2), pollOptions)
  expect(logged[0]).toMatch(/no longer used: it is more than 2 s behind/)
  expect(logged[1]).toMatch(/in use/)
})

test('a replica that goes away under a read costs nobody an answer', async () => {
  await ready()
  logged.length = 0
  await pair.stopReplica()
  for (let nth = 0; nth < 5; nth++) expect((await ask(light)).status).toBe(200)
  // a poll in its last moment may still have found it well
  await vi.waitFor(
    () => expect([replica.databaseFor(anyRead), replica.lagSeconds()]).toEqual([null, Number.POSITIVE_INFINITY]),
    pollOptions,
  )
  await vi.waitFor(() => expect(logged).toHaveLength(1), pollOptions)
  await pair.startReplica()
  await ready()
  const before = answered
  expect((await ask(light)).status).toBe(200)
  expect(answered).toBe(before + 1)
})

test('a server that is no replica of this database is never asked', async () => {
  const other = await testDatabase()
  for (const [url, why] of [
    [pair.primary.appUrl, 'it follows no primary'],
    [other.appUrl, 'it is a copy of another database'],
  ] as const) {
    logged.length = 0
    const wrong = follow(at.database, url)
    await vi.waitFor(() => expect(logged).toHaveLength(1), pollOptions)
    expect(logged[0]).toContain(why)
    expect(wrong.databaseFor(anyRead)).toBeNull()
    await wrong.close()
  }
  await other.drop()
})

test('a commit that only the primary has is not acknowledged with synchronous replication', async () => {
  const wait = statement({
    name: 'test.wait',
    row: { set_config: text },
    sql: `select set_config('synchronous_commit', 'on', true)`,
  })
  const change = statement({
    name: 'test.change',
    parameters: { site: int },
    sql: `update site set name = name || '!' where id = :site`,
  })
  const write = () =>
    at.database.transaction({ site: at.sites.home, system: true }, async tx => {
      await tx.run(wait, {})
      return tx.count(change, { site: at.sites.home })
    })
  await at.query(`alter system set synchronous_standby_names to 'nobody'`)
  await at.query('select pg_reload_conf()')
  try {
    await vi.waitFor(
      async () =>
        expect(await at.query('show synchronous_standby_names')).toEqual([{ synchronous_standby_names: 'nobody' }]),
      pollOptions,
    )
    // the process that makes commits wait reads the setting a moment after the others
    const until = performance.now() + pollOptions.timeout
    const attempt = async (): Promise<string> => {
      try {
        await write()
      } catch (error) {
        return (error as Error).message
      }
      return performance.now() < until ? attempt() : 'acknowledged'
    }
    const written = attempt()
    const giveUp = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await vi.waitFor(async () => expect((await at.query(giveUp)).length).toBeGreaterThan(0), pollOptions)
    expect(await written).toMatch(/synchronous replication/)
  } finally {
    await at.query('alter system reset synchronous_standby_names')
    await at.query('select pg_reload_conf()')
  }
  await vi.waitFor(async () => expect(await write()).toBe(1), pollOptions)
})

test('a replica of the embedded database is refused by name', () => {
  const replica = 'postgres://127.0.0.1/wheelhouse'
  expect(() => readConfig({ DATABASE_READ_URL: replica })).toThrow('DATABASE_READ_URL')
  expect(readConfig({ DATABASE_READ_URL: replica, DATABASE_URL: replica })).toMatchObject({
    DATABASE_READ_URL: replica,
  })
})
