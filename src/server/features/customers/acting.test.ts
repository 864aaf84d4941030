/** The actions of an administrator for a customer, and their audit (docs/product/accounts.md "Acting for a customer", "Audit"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '#domain/failure.ts'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { tyres } from '#contract/tyres.ts'
import { world, type World } from '../../testing/world.ts'
import { customerOf } from './customers.ts'

let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => w.close())
beforeEach(() => w.query('truncate audit'))

type Actor = 'a' | 'admin'
const audits = () =>
  w.query<{ action: string; subject: string; account_id: number; customer_id: number; site_id: number; facts: object }>(
    'select action, subject, account_id, customer_id, site_id, facts from audit order by id',
  )
/** A row of the audit as it has to be: the administrator's doing, for customer A. */
const byAdmin = (action: string, subject: string, facts: object) => ({
  action,
  subject,
  account_id: w.who.admin.account,
  customer_id: w.customers.a,
  site_id: w.sites.home,
  facts,
})
const data = (plate: string) => ({
  license_plate: plate,
  brand: 'Volvo',
  description: 'V60',
  type: 'car',
  configuration: 'Car',
})
let nth = 0
const plate = () => `1ACT${String(++nth).padStart(3, '0')}`

/** Everything that may be done to a customer's rows, as a story that leaves nothing behind. */
async function story(who: Actor) {
  const by = w.who[who]
  const done = async <A>(reply: Promise<{ status: number; text: string; answer: A }>): Promise<A> => {
    const { status, text, answer } = await reply
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    return answer
  }
  const licensePlate = plate()
  const vehicle = await done(
    w.ask(fleet.new, by, { vehicleData: data(licensePlate), ...(who === 'admin' && { seq_id: w.customers.a }) }),
  )
  const { flt_id } = vehicle
  await done(
    w.ask(fleet.update, by, { vehicle: { flt_id, brand: 'Saab', description: 'V60', driver: { name: 'Ann' } } }),
  )
  const added = await done(
    w.ask(tyres.add, by, {
      flt_id,
      tyre_set: 'Winter',
      tyres: ['1A', '1B', '2A'].map(position => ({ position, art_id: w.articles.home })),
    }),
  )
  const ids = added.map(tyre => tyre.db_id)
  await done(w.ask(tyres.changeset, by, { tyres: ids, tyre_set: 'Summer' }))
  await done(
    w.ask(tyres.measure, by, { readings: [{ db_id: ids[0]!, profile_depth: 6.2, profile_date: '2026-11-01' }] }),
  )
  const operation = await done(
    w.ask(operations.new, by, { operation: { flt_id, tyres: ids, operationType: 'to_stock' } }),
  )
  await done(w.ask(operations.update, by, { operation: { _id: operation._id, remarks: 'Left side', withBolts: true } }))
  await done(w.ask(operations.delete, by, { operation: { _id: operation._id } }))
  await done(w.ask(tyres.remove, by, { tyres: ids }))
  await done(w.ask(fleet.inactivate, by, { flt_id }))
  return { flt_id, plate: licensePlate, ids, operation: operation._id }
}

describe('the audit', () => {
  test('records of every change that an administrator makes for a customer who did it for whom', async () => {
    const { flt_id, plate: licensePlate, ids, operation } = await story('admin')
    const vehicle = `vehicle ${flt_id}`
    const order = `operation ${operation}`
    expect(await audits()).toEqual([
      byAdmin('vehicle.new', vehicle, { plate: licensePlate }),
      byAdmin('vehicle.update', vehicle, { plate: licensePlate, fields: ['brand', 'driver_name'] }),
      byAdmin('tyre.add', vehicle, { tyres: ids, set: 'Winter' }),
      byAdmin('tyre.set', vehicle, { tyres: ids, set: 'Summer' }),
      byAdmin('tyre.measure', vehicle, { tyres: ids.slice(0, 1) }),
      byAdmin('operation.new', order, { type: 'to_stock', vehicle: flt_id, tyres: 3 }),
      byAdmin('operation.edit', order, { fields: ['remarks', 'withBolts'] }),
      byAdmin('operation.delete', order, {
        type: 'to_stock',
        vehicle: flt_id,
        tyres: 3,
        created_by: w.who.admin.account,
        created_at: '2026-11-18T10:00:00+00:00',
      }),
      byAdmin('tyre.remove', vehicle, { tyres: ids }),
      byAdmin('vehicle.inactivate', vehicle, { plate: licensePlate }),
    ])
  })

  test("leaves a customer's own changes to the operation and the events of its tyres", async () => {
    await story('a')
    expect((await audits()).map(row => row.action)).toEqual(['operation.delete'])
  })

  test('has a row for each vehicle and customer whose tyres were changed at once', async () => {
    const [mine, theirs] = [
      await w.addVehicle({ customer: w.customers.a }),
      await w.addVehicle({ customer: w.customers.b }),
    ]
    const ownTyre = await w.addTyre({ vehicle: mine })
    const others = [await w.addTyre({ vehicle: theirs }), await w.addTyre({ vehicle: theirs, position: '1B' })]
    expect((await w.ask(tyres.remove, w.who.admin, { tyres: [ownTyre, ...others] })).status).toBe(200)
    const rows = (await audits()).map(({ action, subject, customer_id, facts }) => [
      action,
      subject,
      customer_id,
      facts,
    ])
    expect(rows.toSorted((a, b) => Number(a[2]) - Number(b[2]))).toEqual([
      ['tyre.remove', `vehicle ${mine}`, w.customers.a, { tyres: [ownTyre] }],
      ['tyre.remove', `vehicle ${theirs}`, w.customers.b, { tyres: others }],
    ])
  })

  test('has no entry for what changed nothing, or was refused', async () => {
    const vehicle = await w.addVehicle({ customer: w.customers.a })
    const stored = await w.addTyre({ vehicle, status: 'in_stock', set: 'Winter' })
    const { admin } = w.who
    const replies = [
      await w.ask(fleet.update, admin, { vehicle: { flt_id: vehicle, brand: 'Volvo' } }),
      await w.ask(tyres.changeset, admin, { tyres: [stored], tyre_set: 'Winter' }),
      await w.ask(fleet.inactivate, admin, { flt_id: vehicle }),
      await w.ask(tyres.remove, admin, { tyres: [stored] }),
      await w.ask(operations.new, admin, {
        operation: { flt_id: vehicle, tyres: [stored], operationType: 'to_stock' },
      }),
      await w.ask(fleet.new, admin, { vehicleData: data(plate()), seq_id: w.customers.other }),
    ]
    expect(replies.map(reply => (reply.status === 200 ? 200 : reply.refusal.code))).toEqual([
      200,
      200,
      'vehicle.in_use',
      'tyre.status_refused',
      'operation.tyres_refused',
      'record.missing',
    ])
    expect(await audits()).toEqual([])
  })

  test('keeps no personal data of a driver: only which fields were changed', async () => {
    const vehicle = await w.addVehicle({ customer: w.customers.a })
    await w.ask(fleet.update, w.who.admin, {
      vehicle: {
        flt_id: vehicle,
        driver: { name: 'Ann Peeters', email: 'ann@example.test', mobile_no: '0470 12 34 56' },
      },
    })
    const [row] = await audits()
    expect(row?.facts).toMatchObject({ fields: ['driver_email', 'driver_mobile', 'driver_name'] })
    expect(JSON.stringify(row)).not.toMatch(/Ann|0470/)
  })
})

describe('an administrator who names a customer', () => {
  test("gets that customer's handled operations and nobody else's", async () => {
    const handled = async (customer: number) => {
      const vehicle = await w.addVehicle({ customer })
      const ids = await w.addSet({ vehicle })
      const { answer } = await w.ask(operations.new, w.who.admin, {
        operation: { flt_id: vehicle, tyres: ids, operationType: 'to_stock' },
      })
      await w.ask(operations.update, w.who.admin, { operation: { _id: answer._id, status: 'submitted' } })
      await w.ask(operations.cancel, w.who.admin, { operation: { _id: answer._id } })
      return answer._id
    }
    const [mine, theirs] = [await handled(w.customers.a), await handled(w.customers.b)]
    const period = { startDate: '2026-11-18', endDate: '2026-11-18' }
    const ids = async (seq_id?: number) =>
      (await w.ask(operations.completedbydate, w.who.admin, { ...period, ...(seq_id && { seq_id }) })).answer
        .map(operation => operation._id)
        .filter(id => id === mine || id === theirs)
    expect(await ids(w.customers.a)).toEqual([mine])
    expect(await ids(w.customers.b)).toEqual([theirs])
    expect((await ids()).toSorted()).toEqual([mine, theirs].toSorted())
    const foreign = await w.ask(operations.completedbydate, w.who.admin, { ...period, seq_id: w.customers.other })
    expect(foreign.refusal.code).toBe('record.missing')
  })
})

describe('the customer of a call', () => {
  test('is the own one of a customer’s account: another that it names is missing, before any statement is asked', () => {
    const { a, b } = w.customers
    const who = { ...nobody, type: 'user', customer: a } as const
    expect(customerOf(who, undefined)).toBe(a)
    expect(customerOf(who, a)).toBe(a)
    expect(() => customerOf(who, b)).toThrow(new Failure('record.missing'))
  })

  test('is the one that an administrator names, or none', () => {
    const who = { ...nobody, type: 'admin', customer: null } as const
    expect(customerOf(who, w.customers.b)).toBe(w.customers.b)
    expect(customerOf(who, undefined)).toBeNull()
  })
})

const nobody = { account: 1, warehouse: false, site: 1, username: '', fullname: '', lang: 'eng' } as const
