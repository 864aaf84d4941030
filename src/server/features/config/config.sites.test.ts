/** Creating, listing and retiring sites (docs/product/sites.md "Sites", "Superuser"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { hotelconfig } from '#contract/config.ts'
import { users } from '#contract/session.ts'
import { site } from '#contract/sites.ts'
import { lastAudit, makeLogo, readWhole, saveChange, sendForm } from '../../testing/config.ts'
import { password, world, type Principal, type World } from '../../testing/world.ts'

let at: World
let logo: Buffer
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  await at.setSite(at.sites.home, { account: 'ERP1', default_site_code: 'home' })
  logo = await makeLogo()
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query('truncate operation_service, operation_tyre, operation, service, transport_method, audit cascade')
})

describe('sites', () => {
  type Parts = [string, string | Uint8Array, string?][]
  const siteForm = (urls: string[]): Parts => [
    ['name', 'Banden Élan & Zoon'],
    ['webstreamAccount', 'ERP9'],
    ['adminEmail', 'desk@elan.test'],
    ...urls.map((url): [string, string] => ['urls', url]),
    ['landinglogo', logo],
    ['navlogo', logo],
    ['favicon', logo],
  ]
  const create = (parts: Parts, who = at.who.superuser) => sendForm(at, '/hotelconfig/new', who, parts)
  const count = async (): Promise<unknown> => (await at.query(`select count(*)::int as sites from site`))[0]

  test('a superuser creates a site with address, images, label reports, vehicle configurations and a first administrator', async () => {
    const reply = await create(siteForm(['elan.test', 'https://www.elan.test/']))
    expect(reply.answer).toEqual({ _id: expect.any(Number), message: 'The site Banden Élan & Zoon has been created.' })
    const { _id } = reply.answer as { _id: number }
    expect(await readWhole(at, at.who.superuser, _id)).toMatchObject({
      name: 'Banden Élan & Zoon',
      webstreamAccount: 'ERP9',
      default_site_code: 'banden-elan-zoon',
      adminEmail: 'desk@elan.test',
      mode: 'both',
      urls: ['elan.test', 'www.elan.test'],
    })
    expect(await lastAudit(at)).toMatchObject({
      site_id: _id,
      account_id: at.who.superuser.account,
      action: 'site.create',
    })

    const first = await at.ask(hotelconfig.newadmin, at.who.superuser, {
      id: _id,
      username: 'Chef',
      fullname: 'De chef',
    })
    expect(first.answer).toMatchObject({ username: 'Chef', fullname: 'De chef', disabled: false })
    const { password: shown } = first.answer
    expect(shown).toMatch(/^\S{10,}$/)
    expect(await lastAudit(at)).toMatchObject({
      site_id: _id,
      action: 'account.create',
      subject: `account ${first.answer._id}`,
    })
    expect(JSON.stringify(await lastAudit(at))).not.toContain(shown ?? '')
    const listed = await at.ask(hotelconfig.admins, at.who.superuser, { id: _id })
    expect(listed.text).not.toMatch(/password|argon2/)
    expect(listed.answer).toMatchObject([{ username: 'Chef', disabled: false }])

    await at.settlePassword(first.answer._id)
    const signedIn = await at.app.inject({
      method: 'POST',
      url: '/users/authenticate',
      headers: { host: 'elan.test' },
      payload: { username: 'chef', password: shown },
    })
    expect(signedIn.statusCode).toBe(200)
    const chef: Principal = {
      ...at.who.admin,
      host: 'elan.test',
      site: _id,
      cookie: String(signedIn.headers['set-cookie']).split(';')[0] ?? '',
    }
    const config = await at.ask(site.gsc, chef, {})
    expect(config.answer).toMatchObject({ site_number: _id, faviconPath: expect.stringContaining('/images/') })
    const extra = await at.ask(site.tsconfigdata, chef, {})
    expect(extra.answer.labelReports).toHaveLength(3)
    const { vehicleConfigs } = (await at.ask(site.getvehicleconfigs, chef, {})).answer
    expect(vehicleConfigs.map(({ description }) => description)).toEqual(configurationTemplates.map(({ name }) => name))
    expect(vehicleConfigs.map(({ axles }) => axles)).toEqual(configurationTemplates.map(({ axles }) => axles))
  })

  test('a site of a country begins with its time zone, holidays, services, transport methods and two racks', async () => {
    const parts: Parts = [
      ...siteForm(['fr.test']),
      ['default_site_code', 'FR'],
      ['country', 'FR'],
      ['generated', 'yes'],
    ]
    const { _id } = (await create(parts)).answer as { _id: number }
    const config = await readWhole(at, at.who.superuser, _id)
    // tyres can be added before there is a catalogue
    expect(config).toMatchObject({ lang: 'fre', time_zone: 'Europe/Paris', allowUnknownArticle: true })
    expect(config.transportMethods).toMatchObject([
      {
        name: 'Notre camionnette',
        default: true,
        description_nl: 'Onze bestelwagen',
        operationDays: [1, 2, 3, 4, 5],
      },
      { name: 'Enlevé par le client', default: false, description_de: 'Abholung durch den Kunden' },
    ])
    expect(new Set(config.services.map(service => service.operation_type))).toEqual(
      new Set(['to_stock', 'to_customer', 'to_waste']),
    )
    expect(config.closedDays).toContainEqual({ day: '2027-07-14', holiday: 'nationalDay', name: '' })
    const [racks] = await at.query(
      `select count(*) filter (where kind = 'rack')::int as racks, count(*) filter (where kind = 'place')::int as places,
         sum(capacity)::int as room, min(path) filter (where kind = 'place') as first, bool_and(site_name = 'Entrepôt') as named
       from location where site_id = $1`,
      [_id],
    )
    expect(racks).toEqual({ racks: 2, places: 24, room: 96, first: 'A-1-1', named: true })
    // it can be saved again as it is
    expect((await saveChange(at, {}, at.who.superuser, _id)).status).toBe(200)

    const fleet: Parts = [
      ...siteForm(['fleet.test']),
      ['default_site_code', 'NL'],
      ['country', 'NL'],
      ['mode', 'fleetonly'],
    ]
    const other = (await create(fleet)).answer as { _id: number }
    expect(await readWhole(at, at.who.superuser, other._id)).toMatchObject({
      time_zone: 'Europe/Amsterdam',
      transportMethods: [],
      services: [],
    })
  })

  test('the first steps are ticked by what the site has, until they are dismissed', async () => {
    const steps = async () => {
      const { answer } = await at.ask(hotelconfig.firststeps, at.who.admin, {})
      return [answer.dismissed, answer.steps.filter(({ done }) => done).map(({ step }) => step)] as const
    }
    await at.query(`delete from image where site_id = $1`, [at.sites.home])
    expect(await steps()).toEqual([false, ['articles', 'customers', 'invitation']])
    const vehicle = await at.addVehicle({ plate: '1STP001' })
    await at.addLocations({ places: 1, capacity: 4, zone: 'S' })
    await at.addTyre({ vehicle, status: 'in_stock' })
    await at.setSite(at.sites.home, { generated_mark: true })
    expect(await steps()).toEqual([false, ['articles', 'racks', 'customers', 'vehicles', 'storage', 'invitation']])
    await sendForm(at, '/hotelconfig/editconfigimage', at.who.admin, [['navlogo', logo]])
    expect((await steps())[1]).toContain('logo')
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    expect((await steps())[1]).not.toContain('racks')
    await at.setSite(at.sites.home, { mode: 'both' })
    await at.ask(hotelconfig.dismissfirststeps, at.who.admin, {})
    expect((await steps())[0]).toBe(true)
    expect((await at.ask(hotelconfig.firststeps, at.who.otherAdmin, {})).answer.dismissed).toBe(false)
  })

  test('codes are unique, and the addresses may be one field of JSON', async () => {
    const parts = siteForm([]).concat([['urls', '["one.elan.test","two.elan.test"]']])
    const { _id } = (await create(parts)).answer as { _id: number }
    expect(await readWhole(at, at.who.superuser, _id)).toMatchObject({
      default_site_code: 'banden-elan-zoon-2',
      urls: ['one.elan.test', 'two.elan.test'],
    })
    const own = (await create([...siteForm(['own.test']), ['default_site_code', 'HOME'], ['mode', 'hotelonly']]))
      .answer as {
      _id: number
    }
    expect(await readWhole(at, at.who.superuser, own._id)).toMatchObject({
      default_site_code: 'HOME',
      mode: 'hotelonly',
    })
    const codes = await at.query<{ code: string }>(`select code from site where id = any($1) order by id`, [
      [_id, own._id],
    ])
    expect(codes.map(({ code }) => code)).toEqual(['banden-elan-zoon-2', 'home-2'])
  })

  test('of sites created at once with the same address one is created, with different ones all', async () => {
    // three at a time, the limit for images of one account
    const replies = await Promise.all(Array.from({ length: 3 }, () => create(siteForm(['race.test']))))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const other = await Promise.all(Array.from({ length: 3 }, (_, nth) => create(siteForm([`race-${nth}.test`]))))
    for (const reply of other) expect(reply.status, reply.text).toBe(200)
    const codes = await at.query<{ code: string }>(`select code from site`)
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length)
  })

  test.each([
    ['name', '400 request.invalid'],
    ['webstreamAccount', '400 request.invalid'],
    ['adminEmail', '400 request.invalid'],
    ['urls', '400 request.invalid'],
    ['landinglogo', '400 image.missing'],
    ['navlogo', '400 image.missing'],
    ['favicon', '400 image.missing'],
  ])('without %s nothing is created', async (name, refusal) => {
    const before = await count()
    const reply = await create(siteForm(['lacking.test']).filter(part => part[0] !== name))
    expect(`${reply.status} ${reply.refusal.code}`).toBe(refusal)
    expect(await count()).toEqual(before)
  })

  test('with the address of another site, or an unreadable image, nothing is created', async () => {
    const before = await count()
    const taken = await create(siteForm(['fresh.test', 'home.test']))
    expect([taken.status, taken.refusal.code, taken.refusal.params]).toEqual([
      409,
      'config.url_taken',
      { urls: ['home.test'] },
    ])
    const wrong = await create([...siteForm(['fresh.test']).slice(0, -1), ['favicon', Buffer.from('GIF89a')]])
    expect(wrong.refusal.code).toBe('image.unreadable')
    expect(await count()).toEqual(before)
    expect(await at.query(`select from site_address where host = 'fresh.test'`)).toEqual([])
  })

  test('an administrator’s account needs a free name and a long enough password', async () => {
    const ask = (username: string, word?: string) =>
      at.ask(hotelconfig.newadmin, at.who.superuser, {
        id: at.sites.home,
        username,
        ...(word ? { password: word } : {}),
      })
    expect((await ask('ADMIN')).refusal).toMatchObject({ code: 'account.name_taken' })
    // the superuser could otherwise not sign in at this address
    expect((await ask('Superuser')).refusal).toMatchObject({ code: 'account.name_taken' })
    expect((await ask('second', 'short')).refusal).toMatchObject({
      code: 'account.password_weak',
      params: { length: 10 },
    })
    const second = await ask('second', 'a word of my own')
    expect(second.answer).toMatchObject({ username: 'second', password: null })
    await at.settlePassword(second.answer._id)
    const signedIn = await at.ask(users.authenticate, at.who.anonymous, {
      username: 'second',
      password: 'a word of my own',
    })
    expect(signedIn.answer).toMatchObject({ type: 'admin' })
    expect((await at.ask(hotelconfig.newadmin, at.who.superuser, { id: 999_999, username: 'x' })).refusal.code).toBe(
      'record.missing',
    )
    for (const who of [at.who.admin, at.who.a, at.who.anonymous])
      expect((await at.ask(hotelconfig.newadmin, who, { id: at.sites.home, username: 'x' })).status).toBeGreaterThan(
        400,
      )
  })

  test('the list has every site, with its numbers of customers and tyres', async () => {
    const vehicle = await at.addVehicle({ customer: at.customers.other })
    await at.addSet({ vehicle })
    const { answer } = await at.ask(hotelconfig.getall, at.who.superuser, {})
    expect(answer.find(({ _id }) => _id === at.sites.other)).toMatchObject({
      name: 'Tyre hotel other',
      urls: ['other.test'],
      adminEmail: 'admin@other.test',
      mode: 'both',
      customer_count: 1,
      tyre_count: 4,
    })
    expect(answer.find(({ _id }) => _id === at.sites.home)).toMatchObject({ customer_count: 2 })
    const names = answer.map(({ name }) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
  })

  test('nobody can sign in at a retired site; its addresses are free and its data stays', async () => {
    const { _id } = (await create(siteForm(['gone.test']))).answer as { _id: number }
    const newAdmin = await at.ask(hotelconfig.newadmin, at.who.superuser, { id: _id, username: 'last', password })
    await at.settlePassword(newAdmin.answer._id)
    const signIn = (host: string) =>
      at.app.inject({
        method: 'POST',
        url: '/users/authenticate',
        headers: { host },
        payload: { username: 'last', password },
      })
    const cookie = String((await signIn('gone.test')).headers['set-cookie']).split(';')[0] ?? ''
    const last: Principal = { ...at.who.admin, host: 'gone.test', site: _id, cookie }
    expect((await at.ask(hotelconfig.adminconfig, last, {})).status).toBe(200)

    for (const who of [at.who.admin, at.who.a])
      expect((await at.ask(hotelconfig.delete, who, { _id })).status).toBe(403)
    expect((await at.ask(hotelconfig.delete, at.who.superuser, { _id })).answer).toEqual({ _id })
    expect(await lastAudit(at)).toMatchObject({
      site_id: _id,
      account_id: at.who.superuser.account,
      action: 'site.retire',
    })

    expect((await at.ask(hotelconfig.adminconfig, last, {})).status).toBe(401)
    expect(await at.query(`select from session where site_id = $1`, [_id])).toEqual([])
    expect(JSON.parse((await signIn('gone.test')).payload).code).toBe('login.wrong')
    expect((await at.ask(site.gsc, last, {})).refusal.code).toBe('site.unknown')
    const rows = await at.query(
      `select name, (select count(*)::int from image where site_id = $1) as images,
         (select count(*)::int from account where site_id = $1) as accounts from site where id = $1`,
      [_id],
    )
    expect(rows).toEqual([{ name: 'Banden Élan & Zoon', images: 3, accounts: 1 }])

    for (const reply of [
      await at.ask(hotelconfig.delete, at.who.superuser, { _id }),
      await at.ask(hotelconfig.adminconfig, at.who.superuser, { id: _id }),
      await at.ask(hotelconfig.admins, at.who.superuser, { id: _id }),
      await at.ask(hotelconfig.newadmin, at.who.superuser, { id: _id, username: 'more' }),
    ])
      expect(reply.refusal.code).toBe('record.missing')
    expect((await at.ask(hotelconfig.getall, at.who.superuser, {})).answer.some(row => row._id === _id)).toBe(false)

    const next = (await create(siteForm(['gone.test']))).answer as { _id: number }
    expect(next._id).toBeGreaterThan(_id)
    // sessions of the old site are not valid at the new one
    expect((await at.ask(users.loginstate, last, {})).answer).toEqual({ isAuthenticated: false })
  })
})
