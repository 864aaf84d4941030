/** The vehicle configurations and label reports of a site, kept by its administrator, through the whole stack (SPEC §3, §4). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxLocalAxles } from '#domain/axle.ts'
import { fleet } from '#contract/fleet.ts'
import { labelReports } from '#contract/labelReports.ts'
import { site } from '#contract/site.ts'
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

const save = (asked: Parameters<typeof at.ask<typeof vehicleConfigs.save>>[2]) =>
  at.ask(vehicleConfigs.save, at.who.admin, asked)
const all = async () => (await at.ask(vehicleConfigs.all, at.who.admin, {})).answer
const find = async (id: number): Promise<AdminVehicleConfig | undefined> => (await all()).find(({ _id }) => _id === id)
const audits = () =>
  at.query<{ action: string; subject: string; facts: Record<string, unknown>; account_id: number; site_id: number }>(
    'select action, subject, facts, account_id, site_id from audit order by id',
  )
const descriptions = async () =>
  (await at.ask(site.getvehicleconfigs, at.who.a, {})).answer.vehicleConfigs.map(({ description }) => description)

describe('a configuration that is made', () => {
  test('is local, stands among those of the site, and a new vehicle can have it', async () => {
    const { status, answer } = await save({ description: ' Truck 4x2 ', axles: truck })
    expect(status).toBe(200)
    expect(answer).toEqual({
      _id: expect.any(Number),
      vehicles: 0,
      removed: 0,
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
    expect(await find(answer._id)).toMatchObject({ vehicles: 1, removed: 0 })
  })

  test('is taken in the form in which configurations travel, too', async () => {
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

  test('has a description that no other one of the site has, in whatever capitals', async () => {
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

  test('is refused with more axles than can be made', async () => {
    const { status, refusal } = await save({
      description: 'Odd',
      axles: Array.from({ length: maxLocalAxles + 1 }, () => wheels(1, 1)),
    })
    expect([status, refusal.params]).toEqual([422, { fields: ['axles'], most: maxLocalAxles }])
  })

  test('has a description and axles', async () => {
    expect((await save({ axles: truck })).refusal.params).toEqual({ fields: ['description'] })
    expect((await save({ description: 'Truck' })).refusal.params).toEqual({ fields: ['axles'] })
    expect((await save({ description: 'x'.repeat(101), axles: truck })).status).toBe(400)
  })

  test('is audited with who made it', async () => {
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

  test('keeps them for the history of a vehicle that was removed', async () => {
    const vehicle = await at.addVehicle({})
    await at.query('update vehicle set removed_at = now() where id = $1', [vehicle])
    expect(await find(at.configs.home)).toMatchObject({ vehicles: 0, removed: 1 })
    expect((await save({ _id: at.configs.home, axles: truck })).refusal.code).toBe('configuration.wheels_fixed')
    expect((await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home })).refusal.code).toBe(
      'configuration.in_use',
    )
  })

  test('keeps them in the database, whatever the code does', async () => {
    await at.addVehicle({})
    const change = (right: number) =>
      at.query(`update vehicle_config set axles = jsonb_set(axles, '{1,right}', $2) where id = $1`, [
        at.configs.home,
        JSON.stringify(right),
      ])
    await expect(change(2)).rejects.toMatchObject({ code: 'WH003' })
    await expect(change(1)).resolves.toEqual([])
  })

  test('may be drawn and called otherwise; its vehicles go along', async () => {
    const vehicle = await at.addVehicle({})
    const drawn = [car[0]!, separator, wheels(1, 1, { lift_axle: true })]
    const { status } = await save({ _id: at.configs.home, description: 'Passenger car', axle_width: 160, axles: drawn })
    expect(status).toBe(200)
    expect(await find(at.configs.home)).toMatchObject({
      vehicles: 1,
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
    // back as it was, for the other tests
    expect((await save({ _id: at.configs.home, axles: car })).status).toBe(200)
  })

  test('is not removed', async () => {
    await at.addVehicle({})
    const { status, refusal } = await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home })
    expect([status, refusal.code, refusal.params]).toEqual([409, 'configuration.in_use', { vehicles: 1 }])
  })

  test('is changed before somebody gets it, or not at all', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    // somebody's new vehicle is written, not yet committed
    await at.admin.query('begin')
    await at.addVehicle({ type: 'truck', config: answer._id })
    let refused = false
    const change = save({ _id: answer._id, axles: car }).then(reply => {
      refused = true
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
    expect(refused).toBe(false)
    await at.admin.query('commit')
    expect((await change).refusal.code).toBe('configuration.wheels_fixed')
    expect((await removal).refusal.code).toBe('configuration.in_use')
  })
})

describe('a configuration that no vehicle has', () => {
  test('may get other wheels, and be removed', async () => {
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

  test('that goes while somebody chooses it is missing to them, not an error of the server', async () => {
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

  test('that is saved as it is leaves no trace', async () => {
    const { answer } = await save({ description: 'Truck', axles: truck })
    expect((await save({ _id: answer._id, description: 'Truck', axles: truck })).status).toBe(200)
    expect((await audits()).map(({ action }) => action)).toEqual(['vehicleConfig.add'])
  })

  test('of another system is changed there', async () => {
    await at.query(`update vehicle_config set source = 'other' where id = $1`, [at.configs.home])
    for (const reply of [
      await save({ _id: at.configs.home, description: 'Mine' }),
      await at.ask(vehicleConfigs.remove, at.who.admin, { _id: at.configs.home }),
    ])
      expect([reply.status, reply.refusal.code]).toEqual([409, 'configuration.foreign'])
  })
})

describe('label reports', () => {
  const reports = async (who = at.who.admin) => (await at.ask(labelReports.all, who, {})).answer
  const saveReport = (asked: Parameters<typeof at.ask<typeof labelReports.save>>[2]) =>
    at.ask(labelReports.save, at.who.admin, asked)
  beforeEach(async () => {
    await at.query(`delete from label_report where number > 3`)
    await at.query(`update site set last_label_report = 0`)
    await at.query(`update label_report set name = 'Report ' || number`)
  })

  test('are added with the next number, renamed and removed, and every signed-in person is offered those there are', async () => {
    const added = await saveReport({ rpt_name: ' Tread wall ', rpt_layout: 'roll_57x32' })
    expect(added.answer).toEqual({ rpt_number: 4, rpt_name: 'Tread wall', rpt_layout: 'roll_57x32' })
    expect((await saveReport({ rpt_number: 4, rpt_name: 'Wall', rpt_layout: 'sheet_a4_2x7' })).answer).toEqual({
      rpt_number: 4,
      rpt_name: 'Wall',
      rpt_layout: 'sheet_a4_2x7',
    })
    const offered = (await at.ask(site.tsconfigdata, at.who.a, {})).answer.labelReports
    expect(offered.at(-1)).toEqual({ rpt_number: 4, rpt_name: 'Wall' })
    expect((await at.ask(labelReports.remove, at.who.admin, { rpt_number: 4 })).answer).toEqual({ rpt_number: 4 })
    expect((await reports()).map(({ rpt_number }) => rpt_number)).toEqual([1, 2, 3])
    expect((await audits()).map(({ action, facts }) => [action, facts])).toEqual([
      ['labelReport.add', { name: 'Tread wall', layout: 'roll_57x32' }],
      ['labelReport.edit', { name: ['Tread wall', 'Wall'], layout: ['roll_57x32', 'sheet_a4_2x7'] }],
      ['labelReport.remove', { name: 'Wall', layout: 'sheet_a4_2x7' }],
    ])
  })

  test('get no number again that a removed one had: a browser remembers by it what was printed with', async () => {
    const made = async (rpt_name: string) =>
      (await saveReport({ rpt_name, rpt_layout: 'roll_57x32' })).answer.rpt_number
    const remove = async (rpt_number: number) =>
      expect((await at.ask(labelReports.remove, at.who.admin, { rpt_number })).status).toBe(200)
    await remove(3)
    const first = await made('First')
    expect(first).toBe(4)
    await remove(first)
    expect(await made('Second')).toBe(5)
    await at.query(
      `insert into label_report (site_id, number, name, layout) values ($1, 3, 'Report 3', 'roll_57x32')`,
      [at.sites.home],
    )
  })

  test('have a name that no other one has', async () => {
    expect((await saveReport({ rpt_name: 'report 1', rpt_layout: 'roll_57x32' })).refusal.code).toBe('label.name_taken')
    expect((await saveReport({ rpt_number: 2, rpt_name: 'Report 1', rpt_layout: 'roll_57x32' })).refusal.code).toBe(
      'label.name_taken',
    )
    expect((await saveReport({ rpt_number: 1, rpt_name: 'REPORT 1', rpt_layout: 'roll_62x100' })).status).toBe(200)
  })

  test('keep their last one, also when two are removed at once', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(rpt_number => at.ask(labelReports.remove, at.who.otherAdmin, { rpt_number })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
    expect(replies.find(({ status }) => status === 409)?.refusal.code).toBe('label.last')
    expect(await reports(at.who.otherAdmin)).toHaveLength(1)
    expect(await reports()).toHaveLength(3)
  })

  test('are refused without a tyre hotel', async () => {
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    expect((await at.ask(labelReports.all, at.who.admin, {})).refusal.code).toBe('site.mode')
    expect((await at.ask(vehicleConfigs.all, at.who.admin, {})).status).toBe(200)
    await at.setSite(at.sites.home, { mode: 'both' })
  })
})
