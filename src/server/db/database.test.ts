import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { tyres } from '#contract/tyres.ts'
import { Failure } from '#domain/failure.ts'
import { openDatabase } from './database.ts'
import { statement } from './statement.ts'
import { elements, int, text } from './types.ts'
import { world, type World } from '../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

const nap = statement({ name: 'test.nap', sql: 'select pg_sleep(0.2)' })
const failsLate = statement({
  name: 'test.failsLate',
  sql: 'select 1 / (extract(epoch from clock_timestamp()) * 0)::int from pg_sleep(0.2)',
})
const longNap = statement({ name: 'test.longNap', sql: 'select pg_sleep(60)' })
const visible = statement({ name: 'test.visible', row: { id: int }, sql: 'select id from customer order by id' })
const context = statement({
  name: 'test.context',
  row: { site: text, customer: text },
  sql: `select current_setting('app.site', true) as site, current_setting('app.customer', true) as customer`,
})

const names = statement({ name: 'test.names', row: { name: text }, sql: 'select name from site order by id' })
const renamed = statement({
  name: 'test.renamed',
  parameters: { name: text, id: int },
  sql: 'update site set name = :name where id = :id',
})

const upTo = statement({
  name: 'test.upTo',
  parameters: { last: int, site: int },
  row: elements,
  sql: `select to_json(counted)::text as element from (select from site where id = :site) one
    left join lateral (select nth, 'ü' as text from generate_series(1, :last::int) nth order by nth) counted on true`,
})

test('a list is made of the elements that PostgreSQL returns', async () => {
  const list = (last: number, site = at.sites.home): Promise<unknown> =>
    at.database.transaction({ system: true }, async tx => JSON.parse((await tx.list(upTo, { last, site })).text))
  expect(await list(2)).toEqual([
    { nth: 1, text: 'ü' },
    { nth: 2, text: 'ü' },
  ])
  expect(await list(0)).toEqual([])
  await expect(list(2, 999_999)).rejects.toThrow('record.missing')
})

test('a statement that takes long is reported by its name, alone and in a transaction, also when it fails', async () => {
  const reports: [string, boolean][] = []
  const slow = { ms: 150, report: (name: string, ms: number) => void reports.push([name, ms >= 150]) }
  const database = openDatabase(at.appUrl, { size: 1, slow })
  await database.transaction({}, tx => tx.single.run(nap, {}))
  await database.transaction({}, async tx => {
    await tx.run(nap, {})
    await tx.run(nap, {})
  })
  const failing = database.transaction({}, tx => tx.run(failsLate, {}))
  await expect(failing).rejects.toThrow('division by zero')
  expect(reports).toEqual([...Array.from({ length: 3 }, () => ['test.nap', true]), ['test.failsLate', true]])
  await database.transaction({}, tx => tx.run(visible, {}))
  expect(reports).toHaveLength(4)
  await database.close()
})

test('connections that die in use are told as unavailable, and the process lives', async () => {
  const settled = new AbortController()
  const naps = Array.from({ length: 12 }, () =>
    at.database.transaction({ site: at.sites.home }, tx => tx.rows(longNap, {})),
  )
  const outcomes = Promise.allSettled(naps).finally(() => settled.abort())
  while (!settled.signal.aborted) {
    await at.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
    )
    await pause(5)
  }
  expect((await outcomes).every(outcome => outcome.status === 'rejected')).toBe(true)
  expect((await at.ask(fleet.fetch, at.who.a, {})).status).toBe(200)
})

test('a context ends with its transaction, also after a failure', async () => {
  await at.database.transaction({ site: at.sites.home, customer: at.customers.a }, tx => tx.rows(visible, {}))
  await expect(
    at.database.transaction({ site: at.sites.other, system: true }, async tx => {
      await tx.rows(visible, {})
      throw new Failure('record.missing')
    }),
  ).rejects.toThrow('record.missing')
  // every connection of the pool, none of which may remember for whom it worked
  const views = await Promise.all(
    Array.from({ length: 16 }, () =>
      at.database.transaction({}, async tx =>
        [await tx.rows(nap, {}), await tx.rows(visible, {}), await tx.rows(context, {})].slice(1),
      ),
    ),
  )
  for (const [rows, settings] of views) {
    expect(rows).toEqual([])
    expect(settings).toEqual([{ site: '', customer: '' }])
  }
})

test('what a handler refuses is rolled back, and what it keeps is kept', async () => {
  const rename = statement({
    name: 'test.rename',
    parameters: { customer: int, name: text },
    sql: 'update customer set name = :name where id = :customer',
  })
  const nameOf = async (): Promise<unknown> =>
    (await at.query(`select name from customer where id = $1`, [at.customers.a]))[0]
  const before = await nameOf()
  const scope = { site: at.sites.home }
  await expect(
    at.database.transaction(scope, async tx => {
      await tx.count(rename, { customer: at.customers.a, name: 'Gone' })
      throw new Failure('record.missing')
    }),
  ).rejects.toThrow('record.missing')
  expect(await nameOf()).toEqual(before)
  expect(await at.database.transaction(scope, tx => tx.count(rename, { customer: at.customers.a, name: 'Kept' }))).toBe(
    1,
  )
  expect(
    await at.database.transaction(scope, tx => tx.count(rename, { customer: at.customers.other, name: 'Never' })),
  ).toBe(0)
  expect(await nameOf()).toEqual({ name: 'Kept' })
})

/** Two requests at once, round after round; how often both got through. */
async function bothThrough(
  rounds: number,
  pair: () => Promise<[() => Promise<{ status: number }>, () => Promise<{ status: number }>]>,
): Promise<number> {
  let both = 0
  for (let round = 0; round < rounds; round++) {
    const [first, other] = await pair()
    const replies = await Promise.all(round % 2 ? [first(), other()] : [other(), first()])
    expect(replies.every(reply => reply.status < 500)).toBe(true)
    if (replies.every(reply => reply.status === 200)) both++
  }
  return both
}

test('after a commit of its own, work holds no connection, is not undone, and keeps its scope', async () => {
  const database = openDatabase(at.appUrl, { size: 1 })
  const seen: string[] = []
  const failed = database.transaction({}, async tx => {
    await tx.asSystem()
    await tx.run(renamed, { name: 'Kept', id: at.sites.other })
    await tx.commit()
    // there is one connection only: this waits for ever where it is still taken
    seen.push(...(await database.transaction({ system: true }, other => other.rows(names, {}))).map(({ name }) => name))
    await tx.run(renamed, { name: 'Undone', id: at.sites.other })
    throw new Error('later')
  })
  await expect(failed).rejects.toThrow('later')
  expect(seen).toContain('Kept')
  expect((await database.transaction({ system: true }, tx => tx.rows(names, {}))).map(({ name }) => name)).toEqual(seen)
  await database.close()
})

test('a vehicle is not removed while an operation for it is being made', async () => {
  const both = await bothThrough(40, async () => {
    const flt_id = await at.addVehicle({})
    const set = await at.addSet({ vehicle: flt_id })
    return [
      () => at.ask(operations.new, at.who.a, { operation: { flt_id, tyres: set, operationType: 'to_stock' } }),
      () => at.ask(fleet.inactivate, at.who.a, { flt_id }),
    ]
  })
  expect(both).toBe(0)
})

test('a tyre is not taken off the books while an operation takes it', async () => {
  const both = await bothThrough(40, async () => {
    const flt_id = await at.addVehicle({})
    const set = await at.addSet({ vehicle: flt_id })
    return [
      () => at.ask(operations.new, at.who.a, { operation: { flt_id, tyres: set, operationType: 'to_stock' } }),
      () => at.ask(tyres.remove, at.who.a, { tyres: set }),
    ]
  })
  expect(both).toBe(0)
})

test('two who each add the tyre that needs no set name: one of them does', async () => {
  const both = await bothThrough(20, async () => {
    const flt_id = await at.addVehicle({})
    for (const position of ['1A', '1B', '2A']) await at.addTyre({ vehicle: flt_id, position, set: null })
    const add = (position: string) => () =>
      at.ask(tyres.add, at.who.a, { flt_id, tyres: [{ position, art_id: at.articles.home }] })
    return [add('1A'), add('2B')]
  })
  expect(both).toBe(0)
})

test(
  'of twenty prints that one account asks for at once a few are made and the others refused',
  { tags: 'whole' },
  async () => {
    const vehicle = await at.addVehicle({})
    const set = await at.addSet({ vehicle })
    const requests = Array.from({ length: 20 }, () =>
      at.ask(fleet.getTyreLabels, at.who.a, { tyres: set, report_id: 1 }),
    )
    expect((await at.ask(fleet.vehicle, at.who.b, { flt_id: vehicle })).refusal.code).toBe('record.missing')
    const statuses = (await Promise.all(requests)).map(reply => reply.status)
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(3)
    expect(statuses.every(status => status === 200 || status === 429)).toBe(true)
  },
)

test('a statement whose columns a newer node has changed is asked again, on every connection that keeps it', async () => {
  const all = statement({ name: 'test.all', sql: 'select * from label_report order by number' })
  const ask = () => at.database.transaction({ site: at.sites.home }, tx => tx.rows(all, {}))
  // on all connections, side by side
  await Promise.all(Array.from({ length: 16 }, ask))
  await at.query('alter table label_report add column later text')
  const results = await Promise.all(Array.from({ length: 40 }, ask))
  expect(results.every(rows => rows.length === 3 && rows.every(row => 'later' in row))).toBe(true)
  await at.query('alter table label_report drop column later')
})
