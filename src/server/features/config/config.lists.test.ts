/** The superuser's fields of a configuration, and its transport methods and services (docs/product/sites.md "Site configuration"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AdminConfig } from '#contract/config.ts'
import { operations } from '#contract/operations.ts'
import { site } from '#contract/sites.ts'
import { transports } from '#contract/transports.ts'
import { lastAudit, readWhole, saveChange, van, washing } from '../../testing/config.ts'
import { addOperation } from '../../testing/operations.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  await at.setSite(at.sites.home, { account: 'ERP1', default_site_code: 'home' })
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query('truncate operation_service, operation_tyre, operation, service, transport_method, audit cascade')
})

describe('the superuser’s fields', () => {
  test.each<[string, unknown]>([
    ['webstreamAccount', 'OTHER'],
    ['default_site_code', 'other'],
    ['urls', ['home.test', 'more.test']],
    ['mode', 'fleetonly'],
  ])('an administrator cannot change %s, but may send it back unchanged or leave it out', async (field, value) => {
    const before = await readWhole(at)
    const refused = await saveChange(at, { [field]: value, name: 'Not kept' })
    expect([refused.status, refused.refusal.code]).toEqual([403, 'session.forbidden'])
    expect(await readWhole(at)).toEqual(before)
    expect((await saveChange(at, { [field]: undefined })).status).toBe(200)
    expect(await readWhole(at)).toEqual(before)
    // a superuser may change each of them, and has to fill it in
    const missing = await saveChange(at, { [field]: undefined }, at.who.superuser, at.sites.home)
    expect([missing.refusal.code, missing.refusal.params]).toEqual(['request.invalid', { fields: [field] }])
    expect((await saveChange(at, { [field]: value }, at.who.superuser, at.sites.home)).status).toBe(200)
    expect(await readWhole(at, at.who.superuser, at.sites.home)).toMatchObject({ [field]: value })
    expect((await saveChange(at, { [field]: before[field as 'urls'] }, at.who.superuser, at.sites.home)).status).toBe(
      200,
    )
  })

  test('the administrator of a site from the command line, which has no account yet, can save it', async () => {
    expect(await readWhole(at, at.who.otherAdmin)).toMatchObject({ webstreamAccount: '', default_site_code: '' })
    expect((await saveChange(at, { invoicing_period: 60 }, at.who.otherAdmin)).status).toBe(200)
  })

  test.each([
    ['webstreamAccount', ''],
    ['default_site_code', ' '],
    ['urls', []],
    ['urls', ['']],
    ['urls', ['no host']],
  ])('%s cannot be %j', async (field, value) => {
    const reply = await saveChange(
      at,
      { webstreamAccount: 'E', default_site_code: 'h', [field]: value },
      at.who.superuser,
      at.sites.home,
    )
    expect([reply.status, reply.refusal.code]).toEqual([400, 'request.invalid'])
  })

  test('an address belongs to one site, works at once, and is free again when the site gives it up', async () => {
    const edit = (urls: string[], id: number) =>
      saveChange(at, { webstreamAccount: 'E', default_site_code: 'x', urls }, at.who.superuser, id)
    const nameAt = async (host: string): Promise<unknown> =>
      JSON.parse((await at.app.inject({ url: '/gsc', headers: { host } })).payload).name
    const kept = await edit(['home.test', 'https://New.Test:8443/portal', 'new.test'], at.sites.home)
    expect((kept.answer as { config: AdminConfig }).config.urls).toEqual(['home.test', 'new.test'])
    expect(await nameAt('new.test')).toBe((await readWhole(at)).name)
    const taken = await edit(['other.test', 'new.test', 'home.test', 'free.test'], at.sites.other)
    expect([taken.status, taken.refusal.code, taken.refusal.params]).toEqual([
      409,
      'config.url_taken',
      { urls: ['new.test', 'home.test'] },
    ])
    expect(taken.refusal.message).toBe('The address new.test, home.test belongs to another site.')
    expect((await readWhole(at, at.who.superuser, at.sites.other)).urls).toEqual(['other.test'])
    await edit(['home.test'], at.sites.home)
    expect((await edit(['other.test', 'new.test'], at.sites.other)).status).toBe(200)
    expect(await nameAt('new.test')).toBe('Tyre hotel other')
    await edit(['other.test'], at.sites.other)
  })
})

describe('transport methods and services', () => {
  const two = (mode: 'transportMethods' | 'services', config: AdminConfig): { _id: number; name: string }[] =>
    config[mode]

  test('rows with an id are changed, rows without one added, and rows that are left out removed', async () => {
    await saveChange(at, { services: [washing, { ...washing, name: 'Balancing' }] })
    const [first, second] = two('services', await readWhole(at))
    await saveChange(at, {
      services: [
        { ...washing, _id: second?._id, name: 'Balancing 2' },
        { ...washing, name: 'Third' },
      ],
    })
    const after = two('services', await readWhole(at))
    expect(after.map(({ name }) => name)).toEqual(['Balancing 2', 'Third'])
    expect(after[0]?._id).toBe(second?._id)
    expect(await at.query(`select name, removed_at is null as here from service order by id`)).toEqual([
      { name: 'Washing', here: false },
      { name: 'Balancing 2', here: true },
      { name: 'Third', here: true },
    ])
    // a removed row can't be edited
    expect((await saveChange(at, { services: [{ ...washing, _id: first?._id }] })).refusal.code).toBe('record.missing')
    const twice = await saveChange(at, {
      services: [
        { ...washing, _id: second?._id },
        { ...washing, _id: second?._id },
      ],
    })
    expect(twice.refusal).toMatchObject({ code: 'request.invalid', params: { fields: ['services.1._id'] } })
  })

  test('the default moves from one transport method to another, to a new one, and away', async () => {
    const defaults = async (): Promise<unknown> =>
      (await readWhole(at)).transportMethods.map(method => [method.code, method.default])
    await saveChange(at, {
      transportMethods: [
        { ...van, code: 'A', default: true },
        { ...van, code: 'B' },
      ],
    })
    const [a, b] = (await readWhole(at)).transportMethods
    await saveChange(at, {
      transportMethods: [
        { ...a, default: false },
        { ...b, default: true },
      ],
    })
    expect(await defaults()).toEqual([
      ['B', true],
      ['A', false],
    ])
    await saveChange(at, {
      transportMethods: [a && { ...a, default: false }, { ...b, default: false }, { ...van, code: 'C', default: true }],
    })
    expect(await defaults()).toEqual([
      ['C', true],
      ['A', false],
      ['B', false],
    ])
    // one save removes the default one and adds another
    await saveChange(at, {
      transportMethods: [
        { ...a, default: false },
        { ...van, code: 'D', default: true },
      ],
    })
    expect(await defaults()).toEqual([
      ['D', true],
      ['A', false],
    ])
    await saveChange(at, { transportMethods: [{ ...a, default: false }] })
    expect(await defaults()).toEqual([['A', false]])
  })

  test('a recall whose transport method was removed is refused when it is submitted, until it has another', async () => {
    await saveChange(at, { transportMethods: [{ ...van, code: 'GONE' }, van] })
    const [gone, stays] = (await readWhole(at)).transportMethods
    await saveChange(at, { transportMethods: [stays] })
    // as an earlier version left it
    const recall = await addOperation(at, {
      type: 'to_customer',
      transport: gone?._id ?? 0,
      deliveryDate: '2026-11-24',
    })
    const submit = (more: object = {}) =>
      at.ask(operations.update, at.who.a, { operation: { _id: recall.id, status: 'submitted', ...more } })
    expect((await submit()).refusal).toMatchObject({
      code: 'delivery.transport_missing',
      message: 'Choose a transport method.',
    })
    expect((await submit({ transport: stays?._id })).answer).toMatchObject({
      status: 'submitted',
      transport: stays?._id,
    })
  })

  test('of two transport methods with one code the second is refused at its field, and so is one without a weekday', async () => {
    const twice = await saveChange(at, { transportMethods: [van, { ...van, name: 'Other', code: ' van ' }] })
    expect([twice.status, twice.refusal.code, twice.refusal.params]).toEqual([
      400,
      'request.invalid',
      { fields: ['transportMethods.1.code'] },
    ])
    const never = await saveChange(at, { transportMethods: [{ ...van, operationDays: [] }] })
    expect([never.status, never.refusal.params]).toEqual([400, { fields: ['transportMethods.0.operationDays'] }])
    expect((await readWhole(at)).transportMethods).toEqual([])
  })

  describe('a transport method that open recalls are to go with', () => {
    const tuesday = '2026-11-24'
    const wednesday = '2026-11-25'
    const nextTuesday = '2026-12-01'
    /** A van, and a truck that takes one recall a Tuesday; submitted, pending and delivered recalls with the van. */
    const make = async () => {
      await saveChange(at, {
        transportMethods: [
          { ...van, default: true },
          { ...van, name: 'Truck', code: 'TRUCK', operationDays: [2], operationsPerDay: 1 },
        ],
      })
      const [gone, next] = (await readWhole(at)).transportMethods.map(({ _id }) => _id)
      if (!gone || !next) throw new Error('nothing was saved')
      const recall = (status: 'pending' | 'submitted' | 'confirmed', deliveryDate: string | null) =>
        addOperation(at, { type: 'to_customer', status, transport: gone, deliveryDate })
      const operations = [
        await recall('submitted', tuesday),
        await recall('submitted', wednesday),
        await recall('pending', wednesday),
        await recall('pending', tuesday),
        await recall('pending', nextTuesday),
        await recall('confirmed', tuesday),
      ]
      await addOperation(at, { type: 'to_customer', status: 'submitted', transport: next, deliveryDate: tuesday })
      return { gone, next, recalls: operations.map(({ id }) => id) }
    }
    const kept = () =>
      at.query('select id, transport_id as transport, delivery_date::text as day from operation order by id')

    test('is not left out of a save, and the refusal counts them', async () => {
      const { gone, next } = await make()
      const stays = (await readWhole(at)).transportMethods.filter(({ _id }) => _id === next)
      const refused = await saveChange(at, { transportMethods: stays, name: 'Not kept' })
      expect([refused.status, refused.refusal.code, refused.refusal.params]).toEqual([
        409,
        'config.transport_in_use',
        { name: 'Own van', recalls: 5 },
      ])
      expect((await at.ask(transports.usage, at.who.admin, { transport: gone })).answer).toEqual({ recall_count: 5 })
      expect((await at.ask(transports.usage, at.who.admin, { transport: next })).answer).toEqual({ recall_count: 1 })
      const alone = await at.ask(transports.remove, at.who.admin, { transport: gone })
      expect(alone.refusal.code).toBe('config.transport_in_use')
      const itself = await at.ask(transports.remove, at.who.admin, { transport: gone, by: gone })
      expect(itself.refusal.params).toEqual({ fields: ['by'] })
    })

    test('is removed with the one that takes over: agreed days stay, pending ones that do not suit are given up', async () => {
      const { gone, next, recalls } = await make()
      const removed = await at.ask(transports.remove, at.who.admin, { transport: gone, by: next })
      expect([removed.status, removed.answer.moved_count]).toEqual([200, 5])
      expect(removed.answer.config.transportMethods).toMatchObject([{ _id: next, default: true }])
      expect(await kept()).toEqual([
        { id: recalls[0], transport: next, day: tuesday },
        { id: recalls[1], transport: next, day: wednesday },
        { id: recalls[2], transport: next, day: null },
        { id: recalls[3], transport: next, day: null },
        { id: recalls[4], transport: next, day: nextTuesday },
        { id: recalls[5], transport: gone, day: tuesday },
        { id: expect.any(Number), transport: next, day: tuesday },
      ])
      // the days are booked with the one, and no longer with the other
      expect(
        await at.query(
          'select transport_id as t, day::text, operations as n from transport_day where operations > 0 order by day',
        ),
      ).toEqual([
        { t: next, day: tuesday, n: 2 },
        { t: next, day: wednesday, n: 1 },
      ])
      expect(await at.query(`select subject, facts from audit where action = 'operation.edit' order by id`)).toEqual(
        recalls.slice(0, 5).map(id => ({ subject: `operation ${id}`, facts: { fields: ['transport'] } })),
      )
      expect(await lastAudit(at)).toMatchObject({
        action: 'config.edit',
        facts: { transport: ['Own van', 'Truck'], moved: 5, transportMethods: { removed: [{ name: 'Own van' }] } },
      })
    })

    test('keeps its name on the operations that it delivered', async () => {
      const { gone, next } = await make()
      await at.ask(transports.remove, at.who.admin, { transport: gone, by: next })
      expect((await at.ask(site.gsc, at.who.a, {})).answer).toMatchObject({
        transportMethods: [{ _id: next }],
        removedTransports: [{ _id: gone, name: 'Own van', description_en: 'en' }],
      })
    })

    test('is not removed over somebody else’s newer configuration', async () => {
      const { gone, next } = await make()
      const { version } = await readWhole(at)
      await saveChange(at, { name: 'Newer' })
      const late = await at.ask(transports.remove, at.who.admin, { transport: gone, by: next, version })
      expect(late.refusal.code).toBe('config.changed')
    })
  })

  test('a new recall goes with the default transport method, else with the only one, else with none', async () => {
    const recall = async () => {
      const vehicle = await at.addVehicle({})
      const tyres = await at.addSet({ vehicle, status: 'in_stock' })
      const reply = await at.ask(operations.new, at.who.a, {
        operation: { flt_id: vehicle, tyres, operationType: 'to_customer' },
      })
      return reply.answer.transport
    }
    expect(await recall()).toBeNull()
    await saveChange(at, { transportMethods: [van] })
    const [only] = (await readWhole(at)).transportMethods
    expect(await recall()).toBe(only?._id)
    await saveChange(at, { transportMethods: [only, { ...van, code: 'B' }] })
    expect(await recall()).toBeNull()
    await saveChange(at, { transportMethods: [only, { ...van, code: 'C', default: true }] })
    expect(await recall()).toBe((await readWhole(at)).transportMethods.find(method => method.default)?._id)
  })

  test('a removed service stays on the operations that have it, and no other gets it', async () => {
    await saveChange(at, { services: [{ ...washing, preselected: true, blocked: true }] })
    const [service] = (await readWhole(at)).services
    const vehicle = await at.addVehicle({})
    const create = async (set: string) =>
      at.ask(operations.new, at.who.a, {
        operation: { flt_id: vehicle, tyres: await at.addSet({ vehicle, set }), operationType: 'to_stock' },
      })
    const open = (await create('one')).answer
    expect(open.services).toEqual([service?._id])
    await saveChange(at, { services: [] })
    expect((await create('two')).answer.services).toEqual([])
    const edited = await at.ask(operations.update, at.who.a, { operation: { _id: open._id, remarks: 'soon' } })
    expect(edited.answer).toMatchObject({ remarks: 'soon', services: [service?._id] })
    const sent = await at.ask(operations.update, at.who.a, { operation: { ...open, status: 'submitted' } as never })
    expect(sent.answer).toMatchObject({ status: 'submitted', services: [service?._id] })
    // the document has the service, with its name at that time
    await at.setSite(at.sites.home, { do_doc_insert: true, language: 'eng' })
    await at.ask(operations.confirm, at.who.admin, { operation: { _id: open._id }, here: 'all' })
    await at.setSite(at.sites.home, { do_doc_insert: false })
    const lines = await at.query(
      `select l.description, l.quantity::int, l.price_excl::float from document_line l
         join document d on d.id = l.document_id where d.operation_id = $1`,
      [open._id],
    )
    expect(lines).toEqual([{ description: 'en', quantity: 4, price_excl: 2.55 }])
    // the configuration no longer has its name: screens show 'Unknown'
    expect((await at.ask(site.gsc, at.who.a, {})).answer).toMatchObject({ services: [] })
  })
})

describe('single entries', () => {
  const edit = (input: object, who = at.who.admin) => at.send('/hotelconfig/editentries', who, input)
  const first = async () => {
    await saveChange(at, {
      transportMethods: [
        { ...van, code: 'A', default: true },
        { ...van, code: 'B' },
      ],
      services: [washing, { ...washing, name: 'Balancing' }],
      closedDays: [{ day: '2026-12-25', holiday: 'christmas', name: '' }],
    })
    return readWhole(at)
  }

  test('are added, changed and removed, and the others stay as they are', async () => {
    const before = await first()
    const [service, gone] = before.services
    const { status, answer } = await edit({
      version: before.version,
      services: [
        { ...washing, _id: service?._id, name: 'Washing by hand', price_excl: undefined },
        { ...washing, name: 'Third' },
      ],
      closedDays: [{ day: '2026-12-24', holiday: null, name: 'Early' }],
      removed: { services: [gone?._id], closedDays: ['2026-12-25'] },
    })
    expect(status).toBe(200)
    const after = await readWhole(at)
    expect((answer as { config: AdminConfig }).config).toEqual(after)
    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      services: [
        { ...service, name: 'Washing by hand' },
        { ...washing, _id: expect.any(Number), name: 'Third' },
      ],
      closedDays: [{ day: '2026-12-24', holiday: null, name: 'Early' }],
    })
    expect(await lastAudit(at)).toMatchObject({
      action: 'config.edit',
      facts: {
        services: {
          added: [{ name: 'Third' }],
          changed: [{ _id: service?._id, name: ['Washing', 'Washing by hand'] }],
          removed: [{ _id: gone?._id, name: 'Balancing' }],
        },
        closedDays: { added: [{ name: '2026-12-24' }], changed: [], removed: [{ name: '2026-12-25' }] },
      },
    })
  })

  test('that change nothing are neither audited nor a version', async () => {
    const before = await first()
    await at.query('truncate audit')
    expect((await edit({ services: before.services, closedDays: before.closedDays })).status).toBe(200)
    expect((await readWhole(at)).version).toBe(before.version)
    expect(await lastAudit(at)).toEqual({})
  })

  test('a transport method that becomes the default takes it from the one before', async () => {
    const [a, b] = (await first()).transportMethods
    await edit({ transportMethods: [{ ...van, _id: b?._id, code: 'B', default: true }] })
    expect((await readWhole(at)).transportMethods.map(method => [method.code, method.default])).toEqual([
      ['B', true],
      ['A', false],
    ])
    await edit({ transportMethods: [{ ...van, code: 'C', default: true }] })
    expect((await readWhole(at)).transportMethods.filter(method => method.default)).toMatchObject([{ code: 'C' }])
    await edit({ transportMethods: [{ ...van, _id: a?._id, code: 'A', name: 'Another van' }] })
    expect((await readWhole(at)).transportMethods.filter(method => method.default)).toMatchObject([{ code: 'C' }])
  })

  test('are refused over a newer version, with a code that is taken, and with an id that is none of the site', async () => {
    const before = await first()
    const code = async (input: object, who = at.who.admin) => (await edit(input, who)).refusal
    expect(await code({ version: before.version - 1, services: [washing] })).toMatchObject({ code: 'config.changed' })
    expect(await code({ transportMethods: [{ ...van, code: 'a' }] })).toMatchObject({
      code: 'request.invalid',
      params: { fields: ['transportMethods.2.code'] },
    })
    const [service] = before.services
    for (const input of [{ services: [{ ...washing, _id: service?._id }] }, { removed: { services: [service?._id] } }])
      expect(await code(input, at.who.otherAdmin)).toMatchObject({ code: 'record.missing' })
    const { _id: transport } = before.transportMethods[0] ?? {}
    expect(await code({ transportMethods: [{ ...van, _id: transport }] }, at.who.otherAdmin)).toMatchObject({
      code: 'record.missing',
    })
    expect(await readWhole(at)).toEqual(before)
  })

  test('of any site are saved by a superuser, who names it', async () => {
    await first()
    expect((await edit({ services: [washing] }, at.who.superuser)).refusal.code).toBe('request.invalid')
    expect((await edit({ id: at.sites.home, services: [{ ...washing, name: 'Rust' }] }, at.who.superuser)).status).toBe(
      200,
    )
    expect((await readWhole(at)).services.at(-1)).toMatchObject({ name: 'Rust' })
  })
})
