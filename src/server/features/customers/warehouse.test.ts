import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { gate } from '#contract/gate.ts'
import { locations } from '#contract/locations.ts'
import { tokens } from '#contract/tokens.ts'
import { users } from '#contract/session.ts'
import { tokenOf } from '../../testing/tokens.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

let accountCount = 0
const save = (wish: Parameters<typeof at.send>[2], who: Principal = at.who.admin) =>
  at.send('/customers/saveaccount', who, wish)

/** An administrator with a session, restricted to the warehouse unless `wish` says otherwise. */
async function administrator(wish: object = { warehouse: true }): Promise<Principal> {
  const name = `hall-${++accountCount}`
  const { answer } = await save({ username: name, type: 'admin', password, ...wish })
  const account = (answer as { _id: number })._id
  await at.settlePassword(account)
  const who = { ...at.who.admin, name, account, cookie: null }
  const reply = await at.ask(users.authenticate, who, { username: name, password })
  return { ...who, cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' }
}
const profileOf = async (who: Principal) => (await at.ask(users.loginstate, who, {})).answer
const listed = async ({ account }: Principal) =>
  (await at.ask(customers.accounts, at.who.admin, {})).answer.find(({ _id }) => _id === account)
const lastEvent = async () =>
  (await at.query('select kind, facts from security_event order by id desc limit 1'))[0] as Record<string, unknown>

describe('an account of the warehouse', () => {
  test('is an administrator that says so, in its profile and in the list', async () => {
    const who = await administrator()
    expect(await profileOf(who)).toMatchObject({ type: 'admin', warehouse: true })
    expect(await listed(who)).toMatchObject({ type: 'admin', warehouse: true })
    expect(await profileOf(at.who.admin)).not.toHaveProperty('warehouse')
  })

  test('works in the warehouse, and nowhere else', async () => {
    const who = await administrator()
    expect((await at.ask(locations.all, who, {})).status).toBe(200)
    const refused = await at.ask(customers.list, who, {})
    expect([refused.status, refused.refusal.code]).toEqual([403, 'session.forbidden'])
  })

  test('is none any more once the restriction is lifted, which ends its sessions and is an event', async () => {
    const who = await administrator()
    expect((await save({ _id: who.account, warehouse: false })).status).toBe(200)
    expect((await profileOf(who)).isAuthenticated).toBe(false)
    expect(await lastEvent()).toMatchObject({ kind: 'rolesChanged', facts: { type: 'admin', was: 'admin' } })
    expect((await lastEvent())['facts']).not.toHaveProperty('warehouse')
    expect(await listed(who)).toMatchObject({ warehouse: false })
  })

  test('takes its access tokens along when an administrator becomes one', async () => {
    const who = await administrator({})
    const program = await tokenOf(at, who)
    expect((await at.ask(customers.list, program, {})).status).toBe(200)
    expect((await save({ _id: who.account, warehouse: true })).status).toBe(200)
    expect(await lastEvent()).toMatchObject({ kind: 'rolesChanged', facts: { type: 'admin', warehouse: true } })
    // voided with the role, as for any other one
    expect((await at.ask(customers.list, program, {})).status).not.toBe(200)
    expect((await at.ask(tokens.own, await administrator(), {})).refusal.code).toBe('session.forbidden')
  })

  test('is no administrator who could undo anything: the last one can be neither restricted nor disabled', async () => {
    await administrator()
    const own = await save({ _id: at.who.otherAdmin.account, warehouse: true }, at.who.otherAdmin)
    expect(own.refusal.code).toBe('account.last_admin')
    await at.query(
      `insert into account (site_id, username, type, warehouse_only, language, password) values ($1, 'only-hall', 'admin', true, 'eng', '')`,
      [at.sites.other],
    )
    const still = await at.ask(customers.setdisabled, at.who.otherAdmin, {
      _id: at.who.otherAdmin.account,
      disabled: true,
    })
    expect(still.refusal.code).toBe('account.last_admin')
  })

  test('is never a customer’s', async () => {
    const reply = await save({ username: 'nobody-of-the-hall', type: 'user', seq_id: at.customers.a, warehouse: true })
    expect([reply.status, reply.refusal.params]).toEqual([400, { fields: ['warehouse'] }])
    const user = await save({ _id: at.who.a.account, warehouse: true })
    expect(user.status).toBe(200)
    expect((user.answer as { warehouse: boolean }).warehouse).toBe(false)
  })

  test('lets nothing through the gate that it stops: that takes an administrator', async () => {
    const who = await administrator()
    const load = { transport: 1, day: '2026-11-18', reason: 'they need it' }
    for (const reply of [await at.ask(gate.load, who, { ...load, db_id: 1 }), await at.ask(gate.leave, who, load)])
      expect([reply.status, reply.refusal.code]).toEqual([403, 'session.forbidden'])
    const without = await at.ask(gate.leave, who, { transport: 1, day: '2026-11-18' })
    expect(without.refusal.code).toBe('record.missing')
  })

  test('prints delivery notes, and no other document', async () => {
    const who = await administrator()
    const [document] = await at.query<{ id: number }>(
      `insert into document (site_id, customer_id, type, reason, year, number, document_date)
       values ($1, $2, 'worknote', 'operation', 2026, 1, '2026-11-18') returning id`,
      [at.sites.home, at.customers.a],
    )
    const input = { db_id: document?.id ?? 0 }
    expect((await at.ask(fleet.historydocument, at.who.admin, input)).status).toBe(200)
    expect((await at.ask(fleet.historydocument, who, input)).refusal.code).toBe('session.forbidden')
  })
})
