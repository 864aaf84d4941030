/** Named views of lists (docs/product/screens.md "Named views"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { maxViews } from '#domain/texts/listView.ts'
import { type Principal, world, type World } from '../../testing/world.ts'

const calls = contract.views
let w: World
let colleague: Principal
beforeAll(async () => {
  w = await world()
  colleague = await colleagueOf(w.who.a)
})
afterAll(() => w.close())
beforeEach(() => w.query('delete from list_view'))

/** Another account of the same customer, signed in. */
async function colleagueOf(who: Principal): Promise<Principal> {
  const token = 'another one of this customer'
  const [row] = await w.query<{ id: number }>(
    `with made as (
       insert into account (site_id, customer_id, username, fullname, type, language, password)
       values ($1, $2, 'colleague', 'A. Colleague', 'user', 'eng', '') returning id),
     begun as (
       insert into session (token_hash, account_id, site_id, created_at, seen_at)
       select sha256($3::bytea), id, $1, $4, $4 from made)
     select id from made`,
    [who.site, who.customer, Buffer.from(token), w.clock.now],
  )
  return { ...who, name: 'colleague', account: row?.id ?? 0, cookie: `wheelhouse=${token}` }
}

const worn = {
  list: 'vehicles',
  name: 'Worn in winter',
  filter: { season: 'winter', depth: 4 },
  shared: false,
} as const
const save = (who: Principal, wish: object = {}) => w.ask(calls.save, who, { ...worn, ...wish })
const listed = async (who: Principal) => (await w.ask(calls.list, who, {})).answer

test('a view is kept by its account, and answers what it was given', async () => {
  const { answer } = await save(w.who.a)
  expect(await listed(w.who.a)).toEqual([{ _id: answer._id, ...worn, own: true, by: expect.any(String), weekly: null }])
})

test('a colleague sees a view once it is shared, and can neither change nor remove it', async () => {
  const { _id } = (await save(w.who.a)).answer
  expect(await listed(colleague)).toEqual([])
  await save(w.who.a, { _id, shared: true })
  expect(await listed(colleague)).toMatchObject([{ _id, own: false, name: worn.name }])
  expect((await save(colleague, { _id })).refusal.code).toBe('record.missing')
  expect((await w.ask(calls.remove, colleague, { _id })).refusal.code).toBe('record.missing')
})

test('neither another customer nor an administrator sees it', async () => {
  await save(w.who.a, { shared: true })
  expect(await listed(w.who.b)).toEqual([])
  expect(await listed(w.who.admin)).toEqual([])
})

test('a name is taken once in a list of an account, in whatever capitals', async () => {
  const { _id } = (await save(w.who.a)).answer
  expect((await save(w.who.a, { name: 'WORN in winter' })).refusal).toMatchObject({
    code: 'view.name_taken',
    params: { name: 'WORN in winter' },
  })
  expect((await save(w.who.a, { list: 'tyres', filter: {} })).status).toBe(200)
  expect((await save(colleague)).status).toBe(200)
  expect((await save(w.who.a, { _id, name: 'worn in Winter' })).status).toBe(200)
})

describe('a filter is one that the list has', () => {
  test.each([
    ['a season that is none', { season: 'monsoon' }, 'filter.season'],
    ['a depth beyond what is measured', { depth: 11 }, 'filter.depth'],
  ])('%s is refused', async (_, filter, field) => {
    const { refusal, status } = await save(w.who.a, { filter })
    expect([status, refusal.params]).toEqual([400, { fields: [field] }])
  })

  test('what the list can not be filtered by is left out, and so is the page', async () => {
    await save(w.who.a, { filter: { season: 'winter', status: 'in_stock', page: 3 } })
    expect(await listed(w.who.a)).toMatchObject([{ filter: { season: 'winter' } }])
  })

  test('lists of administrators are none of a customer', async () => {
    const kept = [
      { list: 'audit', filter: { group: 'vehicle' } },
      { list: 'customers', filter: { filter: 'janssens' } },
      { list: 'articles', filter: { retired: true } },
    ]
    for (const wanted of kept) {
      expect((await save(w.who.a, wanted)).refusal.code).toBe('session.forbidden')
      expect((await save(w.who.admin, wanted)).status).toBe(200)
    }
    expect(await listed(w.who.admin)).toMatchObject(kept)
  })
})

test(`an account keeps ${maxViews}, and may change one of them`, async () => {
  const [first] = await w.query<{ id: number }>(
    `insert into list_view (site_id, customer_id, account_id, list, name)
     select a.site_id, a.customer_id, a.id, 'vehicles', 'View ' || nth from account a, generate_series(1, $2::int) nth
     where a.id = $1 returning id`,
    [w.who.a.account, maxViews],
  )
  expect((await save(w.who.a)).refusal.code).toBe('view.too_many')
  expect((await save(w.who.a, { _id: first?.id })).status).toBe(200)
})

test('an account that becomes another customer’s leaves its views behind', async () => {
  await save(w.who.a, { shared: true })
  await w.query('update account set customer_id = $2 where id = $1', [w.who.a.account, w.customers.b])
  const left = await w.query('select id from list_view')
  await w.query('update account set customer_id = $2 where id = $1', [w.who.a.account, w.customers.a])
  expect(left).toEqual([])
})
