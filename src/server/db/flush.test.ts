import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '#domain/failure.ts'
import { statement } from './statement.ts'
import { int, text } from './types.ts'
import { beginWith, prepareFlushes, singleWith, type ContextValues } from './flush.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let client: pg.Client
let home: ContextValues
const device = randomUUID()
beforeAll(async () => {
  at = await world()
  client = new pg.Client({ connectionString: at.appUrl, pipeline: true } as pg.ClientConfig)
  await client.connect()
  await prepareFlushes(client)
  home = [String(at.sites.home), String(at.customers.a), '', '7', device, '3']
})
afterAll(async () => {
  await client.end()
  await at.close()
})

/** For whom the connection would work if nobody told it. */
async function remembered(): Promise<string[]> {
  const { rows } = await client.query<{ words: string[] }>(
    `select array[current_setting('app.site', true), current_setting('app.customer', true), current_setting('app.scope', true),
      current_setting('app.account', true), current_setting('app.device', true), current_setting('app.token', true)] as words`,
  )
  return rows[0]?.words.filter(Boolean) ?? []
}

const visible = statement({ name: 'flush.visible', row: { id: int }, sql: 'select id from customer order by id' })
const slow = statement({ name: 'flush.slow', sql: 'select pg_sleep(5)' })
const wrong = statement({
  name: 'flush.wrong',
  parameters: { divisor: int },
  row: { nothing: int },
  sql: 'select 1 / :divisor::int as nothing',
})
const unreadable = statement({ name: 'flush.unreadable', sql: 'selekt 1' })
const renamed = { customer: int, name: text }
const rename = statement({
  name: 'flush.rename',
  parameters: renamed,
  row: { id: int },
  sql: 'update customer set name = :name where id = :customer returning id',
})
const renameAndFail = statement({
  name: 'flush.renameAndFail',
  parameters: renamed,
  sql: 'with renamed as (update customer set name = :name where id = :customer returning id) select id / 0 from renamed',
})
const nameOf = async (): Promise<unknown> =>
  (await at.query<{ name: string }>('select name from customer where id = $1', [at.customers.a]))[0]?.name

describe('a context never outlives its transaction', () => {
  test('when the statement is answered', async () => {
    const { rows } = await singleWith(client, home, visible, [])
    expect(rows).toEqual([{ id: at.customers.a }])
    expect(await remembered()).toEqual([])
    expect((await client.query(visible.text)).rows).toEqual([])
  })

  test('when it fails, cannot be read, is cancelled, or its values do not fit', async () => {
    await expect(singleWith(client, home, wrong, [0])).rejects.toThrow('division by zero')
    expect(await remembered()).toEqual([])
    await expect(singleWith(client, home, unreadable, [])).rejects.toThrow('syntax error')
    expect(await remembered()).toEqual([])
    await expect(singleWith(client, home, wrong, ['many'])).rejects.toThrow('invalid input syntax')
    expect(await remembered()).toEqual([])
    await client.query(`set statement_timeout = '50ms'`)
    await expect(singleWith(client, home, slow, [])).rejects.toThrow('statement timeout')
    await client.query('reset statement_timeout')
    expect(await remembered()).toEqual([])
    expect((await singleWith(client, home, visible, [])).rows).toEqual([{ id: at.customers.a }])
  })

  test('when many are sent before the first is answered', async () => {
    const sites = [at.sites.home, at.sites.other]
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, nth) =>
        nth % 3 === 2
          ? singleWith(client, home, wrong, [0]).then(String, () => 'failed')
          : singleWith(client, [String(sites[nth % 3]), '', '', '', '', ''], visible, []).then(({ rows }) =>
              rows.map(row => (row as { id: number }).id),
            ),
      ),
    )
    const { a, b, other } = at.customers
    for (const [nth, answer] of all.entries())
      expect(answer).toEqual(nth % 3 === 2 ? 'failed' : nth % 3 === 0 ? [a, b] : [other])
    expect(await remembered()).toEqual([])
  })

  test('when a transaction was begun with it, and committed or rolled back', async () => {
    for (const end of ['commit', 'rollback']) {
      expect((await beginWith(client, home, visible, [])).rows).toEqual([{ id: at.customers.a }])
      expect(await remembered()).toEqual([home[0], home[1], home[3], home[4], home[5]])
      await client.query(end)
      expect(await remembered()).toEqual([])
    }
  })

  test('and the check sees one that does', async () => {
    const forGood = statement({
      name: 'flush.forGood',
      parameters: { site: text },
      sql: `select set_config('app.site', :site, false)`,
    })
    await singleWith(client, home, forGood, [home[0]])
    expect(await remembered()).toEqual([home[0]])
    await client.query('reset app.site')
  })
})

describe('a single statement', () => {
  test('is kept when it is answered and undone when it fails', async () => {
    await singleWith(client, home, rename, ['Kept', at.customers.a])
    expect(await nameOf()).toBe('Kept')
    await expect(singleWith(client, home, renameAndFail, ['Gone', at.customers.a])).rejects.toThrow('division by zero')
    expect(await nameOf()).toBe('Kept')
  })

  test('is kept whatever is thrown after it; as one of several it is undone with them', async () => {
    const scope = { site: at.sites.home }
    const refused = (first: boolean, name: string) =>
      at.database.transaction(scope, async tx => {
        if (first) await tx.rows(visible, {})
        await tx.single.rows(rename, { customer: at.customers.a, name })
        throw new Failure('record.missing')
      })
    await expect(refused(true, 'Undone')).rejects.toThrow('record.missing')
    expect(await nameOf()).toBe('Kept')
    await expect(refused(false, 'By itself')).rejects.toThrow('record.missing')
    expect(await nameOf()).toBe('By itself')
  })

  test('that was kept is not done again because what follows it met a deadlock', async () => {
    let tries = 0
    const deadlocked = statement({
      name: 'flush.deadlock',
      sql: `do $$ begin raise exception 'met' using errcode = '40P01'; end $$`,
    })
    const work = (keep: boolean) =>
      at.database.transaction({ site: at.sites.home }, async tx => {
        tries++
        if (keep) await tx.single.rows(rename, { customer: at.customers.a, name: 'Once' })
        await tx.run(deadlocked, {})
      })
    await expect(work(false)).rejects.toThrow('met')
    expect(tries).toBe(3)
    await expect(work(true)).rejects.toThrow('met')
    expect(tries).toBe(4)
  })
})
