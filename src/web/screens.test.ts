import { describe, expect, test } from 'vitest'
import type { Role } from '#domain/people/account.ts'
import { modes, type Mode } from '#domain/site.ts'
import { startOf } from '#domain/start.ts'
import { router } from './routes.tsx'
import {
  doorsFor,
  findEntriesFor,
  isHere,
  isOpenTo,
  type Path,
  type ScreenEntry,
  screens,
  type Visitor,
} from './screens.ts'
import { isOfCustomer } from './customers/switch.ts'

/**
 * Every route for every role in every mode, as docs/product/screens.md "Screens and addresses" has them, written by hand. `all`: in every mode; `warehouse`:
 * an administrator restricted to it. `hotel`: in hotelonly and both; `fleet`: in fleetonly and both; `-`: never.
 */
const table = `
                             user   admin  warehouse  superuser
  /                          all    all    -          -
  /admin                     -      all    -          -
  /admin/operations          -      hotel  -          -
  /operations                hotel  hotel  -          -
  /receipt                   hotel  hotel  -          -
  /wizard/step1              hotel  hotel  -          -
  /wizard/step2              hotel  hotel  -          -
  /wizard/step3              hotel  hotel  -          -
  /wizard/step4              hotel  hotel  -          -
  /admin/intake              -      hotel  hotel      -
  /admin/jobs                -      -      hotel      -
  /admin/waves               -      hotel  hotel      -
  /admin/waves/pick          -      hotel  hotel      -
  /admin/waves/load          -      hotel  hotel      -
  /admin/locations           -      hotel  hotel      -
  /admin/find                -      hotel  hotel      -
  /admin/counts              -      hotel  hotel      -
  /admin/counts/walk         -      hotel  hotel      -
  /admin/counts/report       -      hotel  hotel      -
  /admin/clearup             -      hotel  hotel      -
  /admin/customers           -      all    -          -
  /admin/fleetmanagement     -      fleet  -          -
  /fleet                     all    all    -          -
  /fleet/vehicle             all    all    -          -
  /tyres                     all    all    -          -
  /stock                     hotel  -      -          -
  /season                    hotel  hotel  -          -
  /left                      all    all    -          -
  /buying                    all    all    -          -
  /admin/invoicing           -      hotel  -          -
  /admin/board               -      hotel  -          -
  /admin/figures             -      hotel  -          -
  /admin/stock               -      hotel  -          -
  /admin/config              -      all    -          -
  /admin/articles            -      all    -          -
  /admin/import              -      all    -          -
  /admin/audit               -      all    -          all
  /admin/security            -      all    -          all
  /notices                   all    hotel  -          -
  /account                   all    all    all        all
  /superuser                 -      -      -          all
  /superuser/config          -      -      -          all
  /superuser/translations    -      -      -          all
  /superuser/mails           -      -      -          all
`

/** The entries of the navigation as docs/product/screens.md "Doors" has them, each with the addresses of its links, in a site with both halves. */
const navigations = {
  user: {
    home: '/',
    operations: '/operations',
    vehicles: '/fleet',
    tyres: '/tyres',
    season: '/season /buying',
  },
  warehouse: { scan: '/admin/intake', jobs: '/admin/jobs', places: '/admin/locations', find: '/admin/find' },
  admin: {
    today: '/',
    orders: '/admin/operations /admin/operations /operations',
    warehouse: '/admin/intake /admin/waves /admin/locations /admin/counts /admin/clearup',
    customers: '/admin/customers',
    vehiclesAndTyres: '/fleet /tyres /season /buying',
    billing: '/admin/invoicing /admin/invoicing /admin/invoicing',
    insights: '/admin/board /admin/figures /admin/stock',
    settings: `${'/admin/config '.repeat(7)}/admin/articles /admin/import /admin/audit /admin/security`,
  },
  superuser: {
    sites: '/superuser',
    texts: '/superuser/translations',
    messages: '/superuser/mails',
    log: '/admin/audit /admin/security',
  },
}
const roles = ['user', 'admin', 'warehouse', 'superuser'] as const
const who = (role: (typeof roles)[number]): { type: Role; warehouse?: true } =>
  role === 'warehouse' ? { type: 'admin', warehouse: true } : { type: role }
const rows = [...table.matchAll(/^ +(\/\S*) +(\S+) +(\S+) +(\S+) +(\S+)$/gm)].map(([, path, ...when]) => ({
  path: path as Path,
  when: Object.fromEntries(roles.map((role, nth) => [role, when[nth]])) as Record<(typeof roles)[number], string>,
}))

function isSaid(when: string, mode: Mode): boolean {
  const parts: Record<string, readonly Mode[]> = {
    all: ['hotelonly', 'fleetonly', 'both'],
    hotel: ['hotelonly', 'both'],
    fleet: ['fleetonly', 'both'],
    '-': [],
  }
  const modes = parts[when.toLowerCase()]
  if (!modes) throw new Error(`${when} says nothing`)
  return modes.includes(mode)
}

test('the table has a row for every screen, and no other', () => {
  expect(rows.map(({ path }) => path).toSorted()).toEqual(Object.keys(screens).toSorted())
})

/** A visitor of each role; a superuser belongs to no site: the mode of the one at this address does not count. */
const visitorsOf = (role: (typeof roles)[number], mode: Mode): Visitor[] =>
  role === 'superuser'
    ? [
        { ...who(role), mode: null },
        { ...who(role), mode },
      ]
    : [{ ...who(role), mode }]

const linksOf = (visitor: Visitor) =>
  Object.fromEntries(doorsFor(visitor).map(({ name, views }) => [name, views.map(({ path }) => path).join(' ')]))

describe.each(modes)('in mode %s', mode => {
  test.each(roles)('%s opens these screens', role => {
    for (const visitor of visitorsOf(role, mode))
      expect(rows.filter(({ path }) => isOpenTo(path, visitor)).map(({ path }) => path)).toEqual(
        rows.filter(({ when }) => isSaid(when[role], mode)).map(({ path }) => path),
      )
  })

  test.each(roles)('the navigation of the %s has its entries, and links to nothing that it may not open', role => {
    for (const visitor of visitorsOf(role, mode)) {
      const open = Object.entries(navigations[role]).flatMap(([name, links]) => {
        const left = links
          .split(' ')
          .filter(path => isOpenTo(path as Path, visitor))
          // two pages of the settings are of the tyre hotel
          .slice(name === 'settings' && mode === 'fleetonly' ? 2 : 0)
        return left.length > 0 ? [[name, left.join(' ')]] : []
      })
      expect(linksOf(visitor)).toEqual(Object.fromEntries(open))
      expect(doorsFor(visitor).map(({ name }) => name)).toEqual(open.map(([name]) => name))
    }
  })

  test.each(roles)('the %s reaches every screen from the navigation or Find in two steps at most', role => {
    for (const visitor of visitorsOf(role, mode)) {
      const near = new Set<string>(findEntriesFor(visitor).map(({ path }) => path))
      const far = rows
        .filter(({ path }) => isOpenTo(path, visitor))
        .filter(({ path }) => {
          const { door, within = '', warehouse }: ScreenEntry = screens[path]
          // what is done in the warehouse is listed by the screen of its door
          const isJob = role === 'warehouse' && warehouse && door?.warehouse === 'jobs'
          return !near.has(path) && !near.has(within) && !isJob && !nearJob(role, within)
        })
        .map(({ path }) => path)
      // for administrators of the desk Find itself is what this screen is for the others
      expect(far).toEqual(role === 'admin' && mode !== 'fleetonly' ? ['/admin/find'] : [])
    }
  })
})

/** The screens that the list of jobs links to. */
const nearJob = (role: string, within: string): boolean =>
  role === 'warehouse' && ['/admin/waves', '/admin/counts'].includes(within)

test('nobody has more entries than these', () => {
  const counts = roles.map(role => [role, doorsFor(visitorsOf(role, 'both')[0]!).length])
  expect(Object.fromEntries(counts)).toEqual({ user: 5, warehouse: 4, admin: 8, superuser: 4 })
  const fleetonly = doorsFor({ type: 'admin', mode: 'fleetonly' }).map(({ name }) => name)
  expect(fleetonly).toEqual(['today', 'customers', 'vehiclesAndTyres', 'settings'])
})

test('a screen is opened from one that exists, of a door', () => {
  for (const { within } of Object.values<ScreenEntry>(screens))
    if (within !== undefined) expect(Object.keys(screens)).toContain(within)
})

test('nobody but a superuser opens anything without a site', () => {
  const open = (type: Role) => rows.filter(({ path }) => isOpenTo(path, { type, mode: null })).map(({ path }) => path)
  expect(open('user')).toEqual(['/', '/fleet', '/fleet/vehicle', '/tyres', '/left', '/buying', '/notices', '/account'])
  expect(open('superuser')).toEqual([
    '/admin/audit',
    '/admin/security',
    '/account',
    '/superuser',
    '/superuser/config',
    '/superuser/translations',
    '/superuser/mails',
  ])
})

/** The doors that are lit on a screen. */
const litFor = (visitor: Visitor) => (address: string) =>
  doorsFor(visitor)
    .filter(door => isHere(door, address, visitor))
    .map(({ name }) => name)

test('a job of the warehouse lights Jobs', () => {
  const lit = litFor({ type: 'admin', warehouse: true, mode: 'both' })
  for (const path of ['/admin/jobs', '/admin/waves/pick', '/admin/counts', '/admin/clearup'])
    expect(lit(path)).toEqual(['jobs'])
  expect(lit('/admin/intake')).toEqual(['scan'])
})

test('everybody begins where there is something to do', () => {
  expect(startOf({ type: 'user', mode: 'both' })).toBe('/')
  expect(startOf({ type: 'admin', mode: 'both' })).toBe('/')
  expect(startOf({ type: 'superuser', mode: null })).toBe('/superuser')
  expect(startOf({ type: 'admin', warehouse: true, mode: 'both' })).toBe('/admin/intake')
  expect(startOf({ type: 'admin', warehouse: true, mode: 'fleetonly' })).toBe('/account')
})

test.each(modes)('whom / sends on to another screen may open it: %s', mode => {
  const visitors = [
    { type: 'superuser', mode: null },
    { type: 'admin', warehouse: true, mode },
  ] as const
  for (const visitor of visitors) expect(isOpenTo(startOf(visitor), visitor)).toBe(true)
})

test('a screen that a button opens is lit where its button belongs', () => {
  const lit = litFor({ type: 'user', mode: 'both' })
  expect(lit('/wizard/step3')).toEqual(['operations'])
  expect(lit('/receipt')).toEqual(['operations'])
  expect(lit('/fleet/vehicle')).toEqual(['vehicles'])
  expect(lit('/buying')).toEqual(['season'])
  expect(lit('/stock')).toEqual(['tyres'])
  expect(lit('/account')).toEqual([])
  expect(lit('/no/such/page')).toEqual([])
  expect(litFor({ type: 'admin', mode: 'both' })('/admin/fleetmanagement')).toEqual(['customers'])
})

test('the list of sites is lit while one of them is configured', () => {
  const lit = litFor({ type: 'superuser', mode: null })
  expect(lit('/superuser')).toEqual(['sites'])
  expect(lit('/superuser/config')).toEqual(['sites'])
  expect(lit('/superuser/translations')).toEqual(['texts'])
})

test('today is lit at home only, which administrators have under two addresses', () => {
  const lit = litFor({ type: 'admin', mode: 'both' })
  expect(lit('/')).toEqual(['today'])
  expect(lit('/admin')).toEqual(['today'])
  expect(lit('/admin/operations')).toEqual(['orders'])
})

test("the screens that show the rows of the customer acted for are a customer's own, and fleet management", () => {
  const all = Object.keys(screens) as Path[]
  const own = (path: Path) =>
    isOpenTo(path, { type: 'user', mode: 'both' }) &&
    !['/', '/account', '/notices', '/receipt', '/stock'].includes(path)
  expect(all.filter(path => isOfCustomer(router, path))).toEqual(
    all.filter(path => own(path) || path === '/admin/fleetmanagement'),
  )
})
