/** The vehicle configurations of a site (docs/product/vehicles.md "Vehicle configurations"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxLocalAxles } from '#domain/vehicles/axle.ts'
import type { RawInput } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { site } from '#contract/sites.ts'
import { vehicleConfigs, type AdminVehicleConfig } from '#contract/vehicleConfigs.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query(`truncate tyre, vehicle, audit cascade`)
  await at.query(`delete from vehicle_config where id <> all ($1)`, [Object.values(at.configs)])
  await at.query(`update vehicle_config set description = 'Car', axle_height = 100, axle_width = 140, source = 'local'`)
})

const wheels = (left: number, right: number, flags: Record<string, unknown> = {}) => ({
  type: 'axle' as const,
  wheels_left: left,
  wheels_right: right,
  ...flags,
})
const separator = { type: 'separator' as const }
const truck = [wheels(1, 1, { steering_axle: true }), wheels(2, 2, { drive_axle: true })]

const save = (input: RawInput<typeof vehicleConfigs.save>) => at.ask(vehicleConfigs.save, at.who.admin, input)
const all = async () => (await at.ask(vehicleConfigs.all, at.who.admin, {})).answer
const find = async (id: number): Promise<AdminVehicleConfig | undefined> => (await all()).find(({ _id }) => _id === id)
const audits = () =>
  at.query<{ action: string; subject: string; facts: Record<string, unknown>; account_id: number; site_id: number }>(
    'select action, subject, facts, account_id, site_id from audit order by id',
  )
const descriptions = async () =>
  (await at.ask(site.getvehicleconfigs, at.who.a, {})).answer.vehicleConfigs.map(({ description }) => description)

describe('a new configuration', () => {
  test('is local, is listed at the site, and a new vehicle can have it', async () => {
    const { status, answer } = await save({ description: ' Truck 4x2 ', axles: truck })
    expect(status).toBe(200)
    expect(answer).toEqual({
      _id: expect.any(Number),
      vehicle_count: 0,
      removed_count: 0,
      config: {
        description: 'Truck 4x2',
        source: 'local',
        axle_height: 100,
        axle_width: 140,
        axles: [
          { type: 'axle', lift: false, drive: false, steering: true, left: 1, right: 1 },
          { type: 'axle', lift: false, drive: true, steering: false, left: 2, right: 2 },
        ],
      },
    })
    expect(await descriptions()).toContain('Truck 4x2')
    const vehicle = await at.ask(fleet.new, at.who.a, {
      vehicleData: {
        license_plate: '1TRK001',
        brand: 'DAF',
        description: 'XF',
        type: 'truck',
        configuration: 'Truck 4x2',
      },
    })
    expect(vehicle.answer.configuration).toBe('Truck 4x2')
    expect(await find(answer._id)).toMatchObject({ vehicle_count: 1, removed_count: 0 })
  })

  test('is also accepted in wire form', async () => {
    const { answer } = await at.send('/hotelconfig/savevehicleconfig', at.who.admin, {
      description: ['Moped'],
      axle_height: [60],
      axles: [
        {
          type: ['axle'],
          lift_axle: [''],
          drive_axle: ['T'],
          steering_axle: [''],
          wheels_left: [1],
          wheels_right: [0],
        },
      ],
    })
    expect(answer).toMatchObject({
      config: {
        description: ['Moped'],
        configuration: [{ axle_height: [60], axles: [{ axle: [{ drive_axle: ['T'], wheels_left: [1] }] }] }],
      },
    })
  })

  test('needs a description that no other one of the site has, whatever the case', async () => {
    const { refusal } = await save({ description: 'CAR', axles: truck })
    expect(refusal.code).toBe('configuration.name_taken')
    expect((await at.ask(vehicleConfigs.save, at.who.otherAdmin, { description: 'Truck', axles: truck })).status).toBe(
      200,
    )
    expect((await save({ description: 'Truck', axles: truck })).status).toBe(200)
  })

  test.each([
    ['no axle', [], 'axles'],
    ['an axle without wheels', [wheels(0, 0)], 'axles.0'],
    ['eight wheels on an axle', [wheels(1, 1), wheels(4, 4)], 'axles.1'],
    ['a separator at its end', [wheels(1, 1), separator], 'axles.1'],
    ['wheels on a separator', [wheels(1, 1), { ...separator, wheels_left: 1 }, wheels(1, 1)], 'axles.1'],
  ])('is refused with %s', async (_, axles, field) => {
    const { status, refusal } = await save({ description: 'Odd', axles })
    expect([status, refusal.code, refusal.params]).toEqual([400, 'request.invalid', { fields: [field] }])
  })

  test('is refused with too many axles', async () => {
    const { status, refusal } = await save({
      description: 'Odd',
      axles: Array.from({ length: maxLocalAxles + 1 }, () => wheels(1, 1)),
    })
    expect([status, refusal.params]).toEqual([422, { fields: ['axles'], most: maxLocalAxles }])
  })

  test('needs a description and axles', async () => {
    expect((await save({ axles: truck })).refusal.params).toEqual({ fields: ['description'] })
    expect((await save({ description: 'Truck' })).refusal.params).toEqual({ fields: ['axles'] })
    expect((await save({ description: 'x'.repeat(101), axles: truck })).status).toBe(400)
  })

  test('is audited with the account that made it', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    expect(await audits()).toMatchObject([
      {
        action: 'vehicleConfig.add',
        subject: `vehicle configuration ${answer._id}`,
        facts: { description: 'Truck' },
        account_id: at.who.admin.account,
        site_id: at.sites.home,
      },
    ])
  })
})

describe('a configuration that vehicles have', () => {
  const car = [wheels(1, 1, { drive_axle: true, steering_axle: true }), wheels(1, 1)]

  test('keeps its wheels', async () => {
    await at.addVehicle({})
    for (const axles of [
      [...car, wheels(1, 1)],
      [car[0]!],
      [car[0]!, wheels(2, 2)],
      // the same positions, but 2B would be on the other side
      [car[0]!, wheels(2, 0)],
    ]) {
      const { status, refusal } = await save({ _id: at.configs.home, axles })
      expect([status, refusal.code, refusal.params]).toEqual([409, 'configuration.wheels_fixed', { vehicles: 1 }])
    }
    expect((await find(at.configs.home))?.config.axles.map(({ left, right }) => [left, right])).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(await audits()).toEqual([])
  })

  test('keeps them for the history of a removed vehicle', async () => {
    const vehicle = await at.addVehicle({})
    await at.query('update vehicle set removed_at = now() where id = $1', [vehicle])
    expect(await find(at.configs.home)).toMatchObject({ vehicle_count: 0, removed_count: 1 })
    expect((await save({ _id: at.configs.home, axles: truck })).refusal.code).toBe('configuration.wheels_fixed')
    expect((await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home })).refusal.code).toBe(
      'configuration.in_use',
    )
  })

  test('keeps them by a trigger of the database', async () => {
    await at.addVehicle({})
    const change = (right: number) =>
      at.query(`update vehicle_config set axles = jsonb_set(axles, '{1,right}', $2) where id = $1`, [
        at.configs.home,
        JSON.stringify(right),
      ])
    await expect(change(2)).rejects.toMatchObject({ code: 'WH003' })
    await expect(change(1)).resolves.toEqual([])
  })

  test('can get another drawing and description, which its vehicles show', async () => {
    const vehicle = await at.addVehicle({})
    const drawn = [car[0]!, separator, wheels(1, 1, { lift_axle: true })]
    const { status } = await save({ _id: at.configs.home, description: 'Passenger car', axle_width: 160, axles: drawn })
    expect(status).toBe(200)
    expect(await find(at.configs.home)).toMatchObject({
      vehicle_count: 1,
      config: {
        description: 'Passenger car',
        axle_height: 100,
        axle_width: 160,
        axles: [{}, { type: 'separator' }, { lift: true }],
      },
    })
    expect((await at.ask(fleet.vehicle, at.who.a, { flt_id: vehicle })).answer.configuration).toBe('Passenger car')
    expect((await audits())[0]).toMatchObject({
      action: 'vehicleConfig.edit',
      facts: { description: ['Car', 'Passenger car'], axle_width: [140, 160] },
    })
    // restored for the other tests
    expect((await save({ _id: at.configs.home, axles: car })).status).toBe(200)
  })

  test('cannot be removed', async () => {
    await at.addVehicle({})
    const { status, refusal } = await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home })
    expect([status, refusal.code, refusal.params]).toEqual([409, 'configuration.in_use', { vehicles: 1 }])
  })

  test('is not changed while a vehicle that gets it is being written', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    // a new vehicle is written, not yet committed
    await at.admin.query('begin')
    await at.addVehicle({ type: 'truck', config: answer._id })
    let answered = false
    const change = save({ _id: answer._id, axles: car }).then(reply => {
      answered = true
      return reply
    })
    const removal = at.ask(vehicleConfigs.remove, at.who.admin, { _id: answer._id })
    await expect
      .poll(async () => {
        const [row] = await at.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return row?.waiting
      })
      .toBe(2)
    expect(answered).toBe(false)
    await at.admin.query('commit')
    expect((await change).refusal.code).toBe('configuration.wheels_fixed')
    expect((await removal).refusal.code).toBe('configuration.in_use')
  })
})

describe('a configuration that no vehicle has', () => {
  test('can get other wheels, and be removed', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    const changed = await save({ _id: answer._id, axles: [...truck, wheels(3, 4)] })
    expect(changed.answer.config.axles).toHaveLength(3)
    expect(changed.answer.config.description).toBe('Truck')
    expect((await at.ask(vehicleConfigs.remove, at.who.admin, { _id: answer._id })).answer).toEqual({ _id: answer._id })
    expect(await descriptions()).toEqual(['Car'])
    expect((await audits()).map(({ action }) => action)).toEqual([
      'vehicleConfig.add',
      'vehicleConfig.edit',
      'vehicleConfig.remove',
    ])
    expect((await at.ask(vehicleConfigs.remove, at.who.admin, { _id: answer._id })).refusal.code).toBe('record.missing')
  })

  test('and is removed while somebody chooses it is missing, not an error of the server', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    await at.admin.query('begin')
    await at.admin.query('delete from vehicle_config where id = $1', [answer._id])
    const chosen = at.send('/fleet/new', at.who.a, {
      vehicleData: { license_plate: '1LATE1', brand: 'DAF', description: 'XF', type: 'truck', configuration: 'Truck' },
    })
    await expect
      .poll(async () => {
        const [row] = await at.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return row?.waiting
      })
      .toBe(1)
    await at.admin.query('commit')
    expect((await chosen).refusal.code).toBe('record.missing')
  })

  test('and is saved unchanged is not audited', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    expect((await save({ _id: answer._id, description: 'Truck', axles: truck })).status).toBe(200)
    expect((await audits()).map(({ action }) => action)).toEqual(['vehicleConfig.add'])
  })

  test('and comes from another system cannot be changed here', async () => {
    await at.query(`update vehicle_config set source = 'other' where id = $1`, [at.configs.home])
    for (const reply of [
      await save({ _id: at.configs.home, description: 'Mine' }),
      await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home }),
    ])
      expect([reply.status, reply.refusal.code]).toEqual([409, 'configuration.foreign'])
  })
})
