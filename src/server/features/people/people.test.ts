import { afterAll, beforeAll, expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { people } from '#contract/people.ts'
import { users } from '#contract/session.ts'
import { password, world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

/** In how many rows of the whole database a text stands, by table. */
async function traces(text: string): Promise<Record<string, number>> {
  const tables = await at.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const rowCounts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await at.query<{ rows: number }>(
      `select count(*)::int as rows from ${name} t where strpos(lower(t::text), lower($1)) > 0`,
      [text],
    )
    if (row && row.rows > 0) rowCounts[name] = row.rows
  }
  return rowCounts
}

const lastAudit = async () =>
  (await at.query(`select action, subject, facts, customer_id, account_id from audit order by id desc limit 1`))[0]

test('a driver is exported and then erased everywhere; vehicle and documents stay', async () => {
  const driver = {
    name: 'Zoë Testrijder',
    email: 'zoe@testrijder.example',
    mobile_no: '0499 11 22 33',
    telephone_no: '09 111 22 33',
  }
  const upload = await at.app.inject({
    method: 'POST',
    url: '/fleet/new',
    headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '', 'idempotency-key': crypto.randomUUID() },
    payload: {
      vehicleData: {
        license_plate: '1DRV111',
        brand: 'Volvo',
        description: 'V60',
        type: 'car',
        configuration: 'Car',
        driver,
      },
      seq_id: at.customers.a,
    },
  })
  expect(upload.statusCode).toBe(200)
  const [flt_id = 0] = (upload.json() as { flt_id: number[] }).flt_id
  expect((await at.ask(people.driver, at.who.admin, { flt_id })).answer).toEqual({
    vehicle: { flt_id, license_plate: '1DRV111', brand: 'Volvo', description: 'V60' },
    ...driver,
  })
  expect(await lastAudit()).toEqual({
    action: 'driver.export',
    subject: `vehicle ${flt_id}`,
    facts: {},
    customer_id: at.customers.a,
    account_id: at.who.admin.account,
  })
  // the control: the search finds him where he is
  expect(await traces('Testrijder')).toEqual({ request_key: 1, vehicle: 1 })

  expect((await at.ask(people.erasedriver, at.who.admin, { flt_id })).answer).toEqual({ flt_id })
  for (const text of ['Testrijder', '0499 11 22 33', '09 111 22 33']) expect(await traces(text)).toEqual({})
  const { answer } = await at.ask(fleet.vehicle, at.who.admin, { flt_id })
  expect(answer).toMatchObject({ license_plate: '1DRV111', driver: { name: '', email: '' } })
  expect(await lastAudit()).toMatchObject({ action: 'driver.erase', subject: `vehicle ${flt_id}`, facts: {} })
})

test('an account is exported with what was done with it, and then erased; what was done stays', async () => {
  const { answer: account } = await at.ask(customers.saveaccount, at.who.admin, {
    username: 'Wilhelmina',
    fullname: 'Wilhelmina Testpersoon',
    type: 'user',
    seq_id: at.customers.a,
    password,
  })
  await at.settlePassword(account._id)
  await at.ask(users.authenticate, at.who.anonymous, { username: 'wilhelmina', password: 'not the one' })
  const login = await at.ask(users.authenticate, at.who.anonymous, { username: 'wilhelmina', password })
  const jo = { ...at.who.a, account: account._id, cookie: String(login.headers['set-cookie']).split(';')[0] ?? '' }
  const vehicle = await at.addVehicle({ plate: '1ACC111' })
  await at.query(
    `insert into operation (site_id, customer_id, vehicle_id, account_id, type, tyre_count) values ($1, $2, $3, $4, 'to_stock', 4)`,
    [at.sites.home, at.customers.a, vehicle, account._id],
  )
  await at.ask(users.authenticate, at.who.anonymous, { username: 'wilhelmina', password: 'not the one' })
  const { answer: details } = await at.ask(people.account, at.who.admin, { _id: account._id })
  expect(details).toMatchObject({
    username: 'Wilhelmina',
    fullname: 'Wilhelmina Testpersoon',
    customer: 'Garage Alfa NV',
    operations: [{ type: 'to_stock', status: 'pending' }],
  })
  expect(details.sessions).toHaveLength(1)
  expect(details.failures).toHaveLength(1)
  expect(JSON.stringify(details)).not.toContain('argon2')
  expect(Object.keys(await traces('Wilhelmina'))).toContain('account')

  expect((await at.ask(people.eraseaccount, at.who.admin, { _id: account._id })).answer).toEqual({ _id: account._id })
  expect(await traces('Wilhelmina')).toEqual({})
  expect(await lastAudit()).toMatchObject({ action: 'account.erase', subject: `account ${account._id}`, facts: {} })
  expect((await at.ask(users.loginstate, jo, {})).answer).toEqual({ isAuthenticated: false })
  expect(
    (await at.ask(users.authenticate, at.who.anonymous, { username: `erased-${account._id}`, password: '' })).status,
  ).not.toBe(200)
  expect(await at.query(`select type from operation where account_id = $1`, [account._id])).toEqual([
    { type: 'to_stock' },
  ])

  // customer administration no longer lists it
  const { answer: accounts } = await at.ask(customers.accounts, at.who.admin, { seq_id: at.customers.a })
  expect(accounts.map(({ _id }) => _id)).not.toContain(account._id)
  for (const reply of [
    await at.ask(customers.setdisabled, at.who.admin, { _id: account._id, disabled: false }),
    await at.ask(customers.resetpassword, at.who.admin, { _id: account._id }),
    await at.ask(people.account, at.who.admin, { _id: account._id }),
    await at.ask(people.eraseaccount, at.who.admin, { _id: account._id }),
  ])
    expect([reply.status, reply.refusal.code]).toEqual([404, 'record.missing'])
})

test('nobody erases the own account, or the last administrator', async () => {
  const { refusal } = await at.ask(people.eraseaccount, at.who.admin, { _id: at.who.admin.account })
  expect(refusal.code).toBe('account.last_admin')
  await at.ask(customers.saveaccount, at.who.admin, { username: 'second', type: 'admin' })
  const again = await at.ask(people.eraseaccount, at.who.admin, { _id: at.who.admin.account })
  expect(again.refusal.code).toBe('account.own')
})
