/** Reading and saving a site's configuration (docs/product/sites.md "Site configuration"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hotelconfig, type AdminConfig } from '#contract/config.ts'
import { site } from '#contract/sites.ts'
import { serve, type ServeOptions } from '../../http/serve.ts'
import { openSecrets } from '../../secrets.ts'
import { lastAudit, readWhole, saveChange, van, washing } from '../../testing/config.ts'
import { addService, addTransport } from '../../testing/operations.ts'
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

describe('reading and saving', () => {
  test('an administrator reads the own site, a superuser any site', async () => {
    expect(await readWhole(at)).toMatchObject({
      _id: at.sites.home,
      name: 'Tyre hotel home',
      urls: ['home.test'],
      invoicing_price_excl: 0,
    })
    expect((await readWhole(at, at.who.admin, at.sites.home))._id).toBe(at.sites.home)
    expect((await readWhole(at, at.who.superuser, at.sites.other)).urls).toEqual(['other.test'])
    const missing = { status: 404, refusal: { code: 'record.missing' } }
    expect(await at.ask(hotelconfig.adminconfig, at.who.admin, { id: at.sites.other })).toMatchObject(missing)
    expect(await at.ask(hotelconfig.adminconfig, at.who.superuser, { id: 999_999 })).toMatchObject(missing)
    expect((await at.ask(hotelconfig.adminconfig, at.who.superuser, {})).refusal).toMatchObject({
      code: 'request.invalid',
      params: { fields: ['id'] },
    })
    const foreign = { ...(await readWhole(at)), _id: at.sites.other }
    expect(await at.send('/hotelconfig/edit', at.who.admin, foreign)).toMatchObject(missing)
  })

  test('a second step is asked of administrators only where somebody could add one', async () => {
    const wish = { ...(await readWhole(at)), adminsNeedFactor: true }
    const save = async (headers: Record<string, string>, served: Partial<ServeOptions> = {}) => {
      const app = await serve({ database: at.database, clock: () => at.clock.now, limits: null, ...served })
      const { version: _, ...form } = wish
      const reply = await app.inject({
        method: 'POST',
        url: '/hotelconfig/edit',
        headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '', ...headers },
        payload: form,
      })
      await app.close()
      await at.query('update site set admins_need_factor = false where id = $1', [at.sites.home])
      return reply.statusCode === 200 ? 'saved' : (reply.json() as { code: string }).code
    }
    expect(await save({})).toBe('config.factor_impossible')
    expect(await save({}, { secrets: openSecrets('a key of the tests') })).toBe('saved')
    const cookie = (at.who.admin.cookie ?? '').replace('wheelhouse', '__Host-wheelhouse')
    expect(await save({ 'x-forwarded-proto': 'https', cookie }, { trustProxy: true })).toBe('saved')
  })

  test('every changed field is read back, sent bare or under its name, and visible at once', async () => {
    const change = {
      name: 'Bandenhotel Noord',
      adminEmail: 'noord@example.org',
      lang: 'ger',
      time_zone: 'America/New_York',
      allowUnknownArticle: true,
      unknownWinterArticleId: at.articles.home,
      unknownSummerArticleId: at.articles.home,
      unknownAllSeasonArticleId: at.articles.home,
      unknownSnowArticleId: at.articles.home,
      allowDetailedStockReport: false,
      allowProfileDepth: false,
      allowTachometer: false,
      showTyresOnVehicle: false,
      showTyresAtCustomer: false,
      showWasteTyres: false,
      invoicing_quantity: 'per_tyre',
      invoicing_mode: 'per_day',
      invoicing_period: 30,
      invoicing_article_id: at.articles.home,
      invoicing_document_type: 'worknote',
      invoicing_price_excl: 12.35,
      autoProcessIntakeOnFullScan: true,
      doDocInsert: true,
      docInsertType: 'deliverynote',
      docInsertAsks: false,
      docInsertExceptions: ['to_waste'],
    }
    const before = await readWhole(at)
    const saved = await saveChange(at, {
      ...change,
      transportMethods: [{ ...van, default: true }],
      services: [washing],
    })
    expect([saved.status, saved.text.slice(0, 300)]).toEqual([200, saved.text.slice(0, 300)])
    const after = await readWhole(at)
    expect(after).toMatchObject({
      ...change,
      transportMethods: [{ ...van, default: true }],
      services: [washing],
      version: before.version + 1,
    })
    expect((saved.answer as { config: AdminConfig }).config).toEqual(after)
    // other requests see it at once
    expect((await at.ask(site.gsc, at.who.anonymous, {})).answer).toMatchObject({ name: change.name, lang: 'ger' })
    expect((await at.ask(site.gsc, at.who.a, {})).answer).toMatchObject({
      showWasteTyres: false,
      allowTachometer: false,
    })
    expect((await at.ask(site.gsc, at.who.a, {})).text).not.toContain('price_excl')

    const back = { ...before, version: after.version, transportMethods: [], services: [] }
    const under = await at.send('/hotelconfig/edit', at.who.admin, { config: back })
    expect(under.status).toBe(200)
    expect(await readWhole(at)).toEqual({ ...before, version: before.version + 2 })
  })

  test('a client that sends no prices leaves them as they are', async () => {
    await saveChange(at, { invoicing_price_excl: 12.5, services: [washing] })
    const { invoicing_price_excl: _, ...config } = await readWhole(at)
    const services = config.services.map(({ price_excl: __, ...service }) => ({ ...service, name: 'Cleaning' }))
    expect((await at.send('/hotelconfig/edit', at.who.admin, { ...config, services })).status).toBe(200)
    const kept = await readWhole(at)
    expect([kept.invoicing_price_excl, kept.services[0]?.price_excl, kept.services[0]?.name]).toEqual([
      12.5,
      2.55,
      'Cleaning',
    ])
    await saveChange(at, { invoicing_price_excl: 0 })
  })

  test('changes are audited with old and new values, and an edit without changes is not', async () => {
    const before = await readWhole(at)
    await saveChange(at, { name: 'Bandenhotel Zuid', invoicing_period: 90, services: [washing] })
    expect(await lastAudit(at)).toEqual({
      site_id: at.sites.home,
      account_id: at.who.admin.account,
      action: 'config.edit',
      subject: 'home',
      facts: {
        name: [before.name, 'Bandenhotel Zuid'],
        invoicing_period: [180, 90],
        services: { added: [{ ...washing, _id: expect.any(Number) }], changed: [], removed: [] },
      },
    })
    const kept = await readWhole(at)
    const [row] = kept.services
    if (!row) throw new Error('no service')
    await saveChange(at, { services: [{ ...row, price_excl: 3 }] })
    expect((await lastAudit(at))['facts']).toEqual({
      services: { added: [], changed: [{ _id: row._id, name: 'Washing', price_excl: [2.55, 3] }], removed: [] },
    })
    await saveChange(at, { services: [] })
    expect((await lastAudit(at))['facts']).toEqual({
      services: { added: [], changed: [], removed: [{ _id: row._id, name: 'Washing' }] },
    })
    await at.query(`truncate audit`)
    const { version } = await readWhole(at)
    expect((await saveChange(at, {})).status).toBe(200)
    expect((await readWhole(at)).version).toBe(version)
    expect(await lastAudit(at)).toEqual({})
    await saveChange(at, { name: before.name, invoicing_period: 180 })
  })

  test('of two edits of the same version the second is refused', async () => {
    const [mine, theirs] = [await readWhole(at), await readWhole(at)]
    expect((await at.send('/hotelconfig/edit', at.who.admin, { ...mine, name: 'Mine' })).status).toBe(200)
    const refused = await at.send('/hotelconfig/edit', at.who.admin, { ...theirs, name: 'Theirs' })
    expect([refused.status, refused.refusal.code]).toEqual([409, 'config.changed'])
    expect((await readWhole(at)).name).toBe('Mine')

    const same = await readWhole(at)
    // ten at once: all of them wait for the lock on the site before the first gets it
    await at.query(`begin`)
    await at.query(`select from site where id = $1 for no key update`, [at.sites.home])
    const ten = Array.from({ length: 10 }, (_, nth) =>
      at.send('/hotelconfig/edit', nth % 2 ? at.who.admin : at.who.superuser, { ...same, name: `Editor ${nth}` }),
    )
    await vi.waitFor(
      async () => {
        // otherwise the transaction keeps its first snapshot of the activity
        await at.query(`select pg_stat_clear_snapshot()`)
        const waiting = await at.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        if (waiting.length < ten.length) throw new Error('not all of them wait')
      },
      { timeout: 60_000 },
    )
    await at.query(`commit`)
    const replies = await Promise.all(ten)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
    expect((await readWhole(at)).version).toBe(same.version + 1)
    // a client that sends no version overwrites
    const { version: _, ...unversioned } = same
    expect((await at.send('/hotelconfig/edit', at.who.admin, { ...unversioned, name: 'Tyre hotel home' })).status).toBe(
      200,
    )
  })

  test('rows of another site cannot be changed', async () => {
    const service = await addService(at, { site: at.sites.other })
    const transport = await addTransport(at, { site: at.sites.other })
    const before = await readWhole(at, at.who.otherAdmin)
    for (const change of [
      { services: [{ ...washing, _id: service }] },
      { transportMethods: [{ ...van, _id: transport }] },
      { services: [{ ...washing, _id: 999_999 }], name: 'Not kept' },
    ])
      expect((await saveChange(at, change)).refusal.code).toBe('record.missing')
    expect((await readWhole(at)).name).not.toBe('Not kept')
    await saveChange(at, { name: 'Only here', services: [washing], transportMethods: [{ ...van, default: true }] })
    expect(await readWhole(at, at.who.otherAdmin)).toEqual(before)
    await saveChange(at, { name: 'Tyre hotel home' })
  })
})

type Change = Record<string, unknown>

describe('the rules of a configuration', () => {
  const unknowns = (winter: unknown, summer: unknown, allSeason: unknown, snow: unknown = null): Change => ({
    allowUnknownArticle: true,
    unknownWinterArticleId: winter,
    unknownSummerArticleId: summer,
    unknownAllSeasonArticleId: allSeason,
    unknownSnowArticleId: snow,
  })
  const service = (change: Change): Change => ({ services: [{ ...washing, ...change }] })
  const transport = (change: Change): Change => ({ transportMethods: [{ ...van, ...change }] })
  test.each<[Change, string]>([
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ adminEmail: '' }, 'adminEmail'],
    [{ adminEmail: 'desk' }, 'adminEmail'],
    [{ lang: 'nl' }, 'lang'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: 'posixrules' }, 'time_zone'],
    [{ mode: 'hotel' }, 'mode'],
    [{ invoicing_period: 0 }, 'invoicing_period'],
    [{ invoicing_period: 1.5 }, 'invoicing_period'],
    [{ invoicing_quantity: 'per_rim' }, 'invoicing_quantity'],
    [{ invoicing_mode: 'per_week' }, 'invoicing_mode'],
    [{ invoicing_document_type: 'invoice' }, 'invoicing_document_type'],
    [{ invoicing_price_excl: -1 }, 'invoicing_price_excl'],
    [{ invoicing_price_excl: 0.001 }, 'invoicing_price_excl'],
    [{ docInsertExceptions: ['to_spare'] }, 'docInsertExceptions.0'],
    [unknowns(null, 1, 1), 'unknownWinterArticleId'],
    [unknowns(1, null, 1), 'unknownSummerArticleId'],
    [unknowns(1, 1, null), 'unknownAllSeasonArticleId'],
    [unknowns(0, 1, 1), 'unknownWinterArticleId'],
    [unknowns(1, 1.5, 1), 'unknownSummerArticleId'],
    [unknowns(1, 1, 1, -1), 'unknownSnowArticleId'],
    [transport({ name: '' }), 'transportMethods.0.name'],
    [transport({ code: '' }), 'transportMethods.0.code'],
    [transport({ description_nl: '' }), 'transportMethods.0.description_nl'],
    [transport({ description_fr: ' ' }), 'transportMethods.0.description_fr'],
    [transport({ description_en: '' }), 'transportMethods.0.description_en'],
    [transport({ description_de: undefined }), 'transportMethods.0.description_de'],
    [transport({ advanceDays: null }), 'transportMethods.0.advanceDays'],
    [transport({ advanceDays: 1.5 }), 'transportMethods.0.advanceDays'],
    [transport({ operationsPerDay: -1 }), 'transportMethods.0.operationsPerDay'],
    [transport({ tyresPerDay: undefined }), 'transportMethods.0.tyresPerDay'],
    [transport({ cutoffHour: '24:00' }), 'transportMethods.0.cutoffHour'],
    [transport({ cutoffHour: '9:00' }), 'transportMethods.0.cutoffHour'],
    [transport({ operationDays: [7] }), 'transportMethods.0.operationDays.0'],
    [
      { transportMethods: [van, { ...van, code: 'B', default: true }, { ...van, code: 'C', default: true }] },
      'transportMethods.2.default',
    ],
    [service({ name: '' }), 'services.0.name'],
    [service({ operation_type: 'to_spare' }), 'services.0.operation_type'],
    [service({ description_nl: '' }), 'services.0.description_nl'],
    [service({ description_fr: '' }), 'services.0.description_fr'],
    [service({ description_en: '' }), 'services.0.description_en'],
    [service({ description_de: '' }), 'services.0.description_de'],
    [service({ article_number: null }), 'services.0.article_number'],
    [service({ article_number: '' }), 'services.0.article_number'],
    [service({ article_number: 'A12' }), 'services.0.article_number'],
    [service({ article_number: null, article_insertion_method: 'global' }), 'services.0.article_number'],
    [service({ article_insertion_method: 'per_set' }), 'services.0.article_insertion_method'],
    [service({ icon: 'no-such-sign' }), 'services.0.icon'],
  ])('%j is refused at %s', async (change, field) => {
    const before = await readWhole(at)
    const reply = await saveChange(at, change)
    expect([reply.status, reply.refusal.code, reply.refusal.params]).toEqual([
      400,
      'request.invalid',
      { fields: [field] },
    ])
    expect(await readWhole(at)).toEqual(before)
  })

  test.each<Change>([
    // snow is optional, and none is required while unknown articles are not allowed
    { ...unknowns(null, null, null), allowUnknownArticle: false },
    service({ article_number: null, article_insertion_method: 'text_line' }),
    service({ icon: null }),
    transport({ cutoffHour: null, operationsPerDay: 0, tyresPerDay: 0, advanceDays: 0 }),
    transport({ operationDays: [6, 0] }),
  ])('%j is accepted', async change => {
    expect((await saveChange(at, change)).status).toBe(200)
  })

  test('snow is optional where unknown articles are allowed', async () => {
    const { home } = at.articles
    expect((await saveChange(at, unknowns(home, home, home))).status).toBe(200)
    expect((await saveChange(at, { ...unknowns(null, null, null), allowUnknownArticle: false })).status).toBe(200)
  })

  test('articles must be in the catalogue of this site', async () => {
    const { home, other } = at.articles
    const reply = await saveChange(at, { ...unknowns(home, other, 999_999, home), invoicing_article_id: 888_888 })
    expect([reply.status, reply.refusal.code, reply.refusal.params]).toEqual([
      409,
      'config.article_missing',
      { articles: [other, 999_999, 888_888] },
    ])
    expect(reply.refusal.message).toBe(`There is no article ${other}, 999999, 888888 in the catalogue of this site.`)
  })
})
