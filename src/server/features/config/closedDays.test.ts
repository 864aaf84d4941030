/** The days on which a site is closed: saved with its configuration, and respected by recalls (docs/product/operations.md "Closed days"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hotelconfig } from '#contract/config.ts'
import { operations } from '#contract/operations.ts'
import { site } from '#contract/sites.ts'
import { lastAudit, readWhole, saveChange } from '../../testing/config.ts'
import { addOperation, addTransport, clear } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

const christmas = { day: '2026-12-25', holiday: 'christmas', name: '' } as const
const stocktaking = { day: '2026-12-30', holiday: null, name: 'Stocktaking' } as const

let at: World
beforeAll(async () => {
  // a Wednesday, 11:00 in Brussels
  at = await world({ now: new Date('2026-12-23T10:00:00Z') })
  await at.setSite(at.sites.home, { account: 'ERP1', default_site_code: 'home' })
})
afterAll(() => at.close())
beforeEach(() => clear(at))

const close = async (closedDays: readonly object[]) => {
  const reply = await saveChange(at, { closedDays })
  expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, reply.text.slice(0, 200)])
}
const recall = (transport: number, deliveryDate: string | null, status: 'pending' | 'submitted' = 'pending') =>
  addOperation(at, { type: 'to_customer', transport, deliveryDate, status })
const submit = (id: number, more: object = {}) =>
  at.ask(operations.update, at.who.a, { operation: { _id: id, status: 'submitted', ...more } })

describe('saving', () => {
  test('they are read back by date, by administrators and customers, at their own site only', async () => {
    await close([stocktaking, christmas])
    expect((await readWhole(at)).closedDays).toEqual([christmas, stocktaking])
    expect((await at.ask(site.gsc, at.who.a, {})).answer).toMatchObject({ closedDays: [christmas, stocktaking] })
    expect((await at.ask(site.gsc, at.who.anonymous, {})).text).not.toContain('closedDays')
    expect((await readWhole(at, at.who.otherAdmin)).closedDays).toEqual([])
    await close([{ ...stocktaking, name: 'Counting' }])
    expect((await readWhole(at)).closedDays).toEqual([{ ...stocktaking, name: 'Counting' }])
  })

  test('a superuser saves those of any site', async () => {
    const whole = { webstreamAccount: 'E', default_site_code: 'h', closedDays: [christmas] }
    expect((await saveChange(at, whole, at.who.superuser, at.sites.home)).status).toBe(200)
    expect((await readWhole(at)).closedDays).toEqual([christmas])
  })

  test('an older client, which leaves them out, leaves them as they are', async () => {
    await close([christmas])
    const { closedDays: _, ...older } = await readWhole(at)
    expect((await at.send('/hotelconfig/edit', at.who.admin, { ...older, name: 'Older' })).status).toBe(200)
    expect((await readWhole(at)).closedDays).toEqual([christmas])
  })

  test('what is added, renamed and removed is audited by its date', async () => {
    await close([christmas, stocktaking])
    await close([
      { ...stocktaking, name: 'Counting' },
      { ...christmas, day: '2027-12-25' },
    ])
    expect((await lastAudit(at))['facts']).toEqual({
      closedDays: {
        added: [{ name: '2027-12-25' }],
        changed: [{ name: '2026-12-30', description: ['Stocktaking', 'Counting'] }],
        removed: [{ name: '2026-12-25' }],
      },
    })
    const { version } = await readWhole(at)
    await saveChange(at, {})
    expect((await readWhole(at)).version).toBe(version)
  })

  test.each([
    ['a day twice', [christmas, { ...christmas, holiday: null }], 'closedDays.1.day'],
    ['a day of no calendar', [{ ...christmas, day: '2027-02-29' }], 'closedDays.0.day'],
    ['an unknown holiday', [{ ...christmas, holiday: 'carnival' }], 'closedDays.0.holiday'],
    ['a name that is too long', [{ ...stocktaking, name: 'x'.repeat(61) }], 'closedDays.0.name'],
  ])('%s is refused', async (_, closedDays, field) => {
    const { refusal } = await saveChange(at, { closedDays })
    expect([refusal.code, refusal.params]).toEqual(['request.invalid', { fields: [field] }])
  })
})

describe('a recall', () => {
  test('is neither planned on a closed day nor submitted for it, and keeps a day that was closed later', async () => {
    const van = await addTransport(at, { advanceDays: 1 })
    const early = await recall(van, '2026-12-25')
    await close([christmas])
    const edited = await at.ask(operations.update, at.who.a, {
      operation: { _id: (await recall(van, null)).id, deliveryDate: '2026-12-25' },
    })
    expect(edited.refusal.code).toBe('delivery.closed')
    expect((await submit(early.id)).refusal.code).toBe('delivery.closed')
    const remarked = await at.ask(operations.update, at.who.a, { operation: { _id: early.id, remarks: 'Ring twice' } })
    expect(remarked.answer).toMatchObject({ remarks: 'Ring twice', deliveryDate: '2026-12-25' })
    expect((await submit(early.id, { deliveryDate: '2026-12-24' })).status).toBe(200)
  })

  test('of another site is not bound by it', async () => {
    await close([christmas])
    const { id } = await addOperation(at, {
      type: 'to_customer',
      customer: at.customers.other,
      transport: await addTransport(at, { site: at.sites.other }),
      deliveryDate: '2026-12-25',
    })
    const reply = await at.ask(operations.update, at.who.otherAdmin, { operation: { _id: id, status: 'submitted' } })
    expect(reply.status).toBe(200)
  })

  test('that comes on a closed day counts from the next open one where its transport has a cut-off', async () => {
    await close([{ ...stocktaking, day: '2026-12-23' }])
    const [van, post] = [
      await addTransport(at, { advanceDays: 1, cutoff: '16:00' }),
      await addTransport(at, { advanceDays: 1 }),
    ]
    expect((await submit((await recall(van, '2026-12-24')).id)).refusal.code).toBe('delivery.too_early')
    expect((await submit((await recall(van, '2026-12-25')).id)).status).toBe(200)
    expect((await submit((await recall(post, '2026-12-24')).id)).status).toBe(200)
  })

  test('that was submitted before its day was closed keeps the day, and is confirmed as any other', async () => {
    const van = await addTransport(at)
    const { id } = await recall(van, '2026-12-25')
    expect((await submit(id)).status).toBe(200)
    await close([christmas])
    const [listed] = (await at.ask(operations.fetch, at.who.a, {})).answer
    expect(listed).toMatchObject({ _id: id, deliveryDate: '2026-12-25', status: 'submitted' })
    const confirmed = await at.ask(operations.confirm, at.who.admin, { operation: { _id: id }, here: 'all' })
    expect(confirmed.status).toBe(200)
  })
})

describe('before a day is closed', () => {
  test('its open recalls are counted', async () => {
    const van = await addTransport(at)
    await recall(van, '2026-12-25')
    await recall(van, '2026-12-25', 'submitted')
    await recall(van, '2026-12-28')
    await recall(van, '2026-12-29')
    await addOperation(at, { type: 'to_customer', transport: van, deliveryDate: '2026-12-25', status: 'cancelled' })
    const days = ['2026-12-25', '2026-12-28', '2027-01-01']
    const counted = [
      { day: '2026-12-25', recall_count: 2 },
      { day: '2026-12-28', recall_count: 1 },
    ]
    expect((await at.ask(hotelconfig.plannedrecalls, at.who.admin, { days })).answer).toEqual(counted)
    const bySuperuser = await at.ask(hotelconfig.plannedrecalls, at.who.superuser, { id: at.sites.home, days })
    expect(bySuperuser.answer).toEqual(counted)
    expect((await at.ask(hotelconfig.plannedrecalls, at.who.otherAdmin, { days })).answer).toEqual([])
  })
})
