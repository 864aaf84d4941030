import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotelconfig } from '#contract/config.ts'
import { site } from '#contract/sites.ts'
import { users } from '#contract/session.ts'
import { findSite, invalidateSites } from './sites.ts'
import { password, world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

test('anybody gets the branding, accounts of the site the whole configuration', async () => {
  const outside = await at.app.inject({ url: '/gsc', headers: { host: 'home.test' } })
  expect(JSON.parse(outside.payload)).toEqual({
    name: 'Tyre hotel home',
    lang: 'eng',
    navlogoPath: null,
    landinglogoPath: null,
    faviconPath: null,
    signOn: null,
  })
  const elsewhere = await at.app.inject({ url: '/gsc', headers: { host: 'other.test', cookie: at.who.a.cookie ?? '' } })
  expect(Object.keys(JSON.parse(elsewhere.payload))).not.toContain('adminEmail')
  const inside = await at.ask(site.gsc, at.who.a, {})
  expect(inside.answer).toMatchObject({
    adminEmail: 'admin@home.test',
    mode: 'both',
    site_number: at.sites.home,
    services: [],
    transportMethods: [],
  })
})

test('a superuser gets the branding only', async () => {
  const reply = await at.app.inject({
    url: '/gsc',
    headers: { host: 'home.test', cookie: at.who.superuser.cookie ?? '' },
  })
  expect(Object.keys(JSON.parse(reply.payload))).not.toContain('adminEmail')
})

test('vehicle types, label reports and configurations have one-item lists', async () => {
  const extra = await at.send('/hotelconfig/tsconfigdata', at.who.a, {})
  expect(extra.answer).toMatchObject({
    labelReports: [{ rpt_number: [1], rpt_name: ['Roll 62 × 100'] }, { rpt_number: [2] }, { rpt_number: [3] }],
  })
  expect((extra.answer as { vehicleTypes: unknown[] }).vehicleTypes).toContainEqual({ vet_description: ['truck'] })
  const configs = await at.send('/fleet/getvehicleconfigs', at.who.a, {})
  expect(configs.answer).toMatchObject({
    vehicleConfigs: [
      {
        description: ['Car'],
        source: ['local'],
        configuration: [
          {
            axles: [
              {
                axle: [{ type: ['axle'], drive_axle: ['T'], lift_axle: [''], wheels_left: [1], wheels_right: [1] }, {}],
              },
            ],
          },
        ],
      },
    ],
  })
})

test('an address finds its site, else the default site, else the one that claims every address', async () => {
  const siteOf = async (host: string, code?: string) => {
    invalidateSites(at.database)
    return (await findSite(at.database, host, code))?.code ?? null
  }
  expect(await siteOf('HOME.test')).toBe('home')
  expect(await siteOf('nobody.test')).toBeNull()
  expect(await siteOf('nobody.test', 'other')).toBe('other')
  expect(await siteOf('home.test', 'other')).toBe('home')
  await at.query(`insert into site_address (host, site_id) values ('*', $1)`, [at.sites.home])
  expect(await siteOf('nobody.test')).toBe('home')
  expect(await siteOf('other.test')).toBe('other')
  await at.query(`delete from site_address where host = '*'`)
  invalidateSites(at.database)
  const reply = await at.app.inject({ url: '/gsc', headers: { host: 'nobody.test' } })
  expect(JSON.parse(reply.payload)).toMatchObject({ code: 'site.unknown' })
})

test('a portal without a site has a login page of its own, where a superuser makes the first one', async () => {
  await at.query('update site set retired_at = now()')
  invalidateSites(at.database)
  try {
    const { payload } = await at.app.inject({ url: '/gsc', headers: { host: 'nobody.test' } })
    expect(JSON.parse(payload)).toMatchObject({ name: 'Wheelhouse', landinglogoPath: null })
    expect((await at.ask(hotelconfig.getall, at.who.superuser, {})).status).toBe(200)
  } finally {
    await at.query('update site set retired_at = null')
    invalidateSites(at.database)
  }
})

test('a retired site is not found by its address, and its accounts cannot sign in', async () => {
  // with a third site: the only one left would serve every address
  await at.query(`insert into site (code, name, admin_email) values ('third', 'Third', 'third@third.test')`)
  await at.setSite(at.sites.other, { retired_at: new Date() })
  try {
    expect((await at.ask(users.loginstate, at.who.otherUser, {})).answer).toEqual({ isAuthenticated: false })
    expect((await at.ask(site.gsc, at.who.otherUser, {})).refusal.code).toBe('site.unknown')
    expect((await at.ask(users.authenticate, at.who.otherUser, { username: 'admin', password })).refusal.code).toBe(
      'login.wrong',
    )
  } finally {
    await at.setSite(at.sites.other, { retired_at: null })
  }
})

test('an image is served at a path that changes with its content', async () => {
  const digest = 'a'.repeat(64)
  await at.query(
    `insert into image (site_id, kind, media_type, digest, content) values ($1, 'navlogo', 'image/png', $2, 'bytes')`,
    [at.sites.home, digest],
  )
  const branding = await at.ask(site.gsc, at.who.anonymous, {})
  expect(branding.answer.navlogoPath).toBe(`/images/${digest}.png`)
  const image = await at.app.inject({ url: `/images/${digest}.png`, headers: { host: 'home.test' } })
  expect([image.statusCode, image.headers['content-type'], image.headers['cache-control'], image.payload]).toEqual([
    200,
    'image/png',
    'public, max-age=31536000, immutable',
    'bytes',
  ])
  for (const path of ['/images/../../etc/passwd', '/images/nothing.png', `/images/${'b'.repeat(64)}.png`]) {
    expect((await at.app.inject({ url: path, headers: { host: 'home.test' } })).statusCode, path).toBe(404)
  }
})
