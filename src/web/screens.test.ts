import { describe, expect, test } from 'vitest'
import type { Role } from '#domain/people/account.ts'
import { modes, type Mode } from '#domain/site.ts'
import { startOf } from '#domain/start.ts'
import { router } from './routes.tsx'
import { entriesFor, isHere, isOpenTo, type Path, screens } from './screens.ts'
import { isOfCustomer } from './customers/switch.ts'

/**
 * Every route for every role in every mode, as docs/product/screens.md "Screens and addresses" has them, written by hand. `all`: in every mode; `warehouse`:
 * an administrator restricted to it. `hotel`: in hotelonly and both; `fleet`: in fleetonly and both; `-`: never. In capitals where the navigation
 * leads there, in this order.
 */
const table = `
                             user   admin  warehouse  superuser
  /                          ALL    ALL    -          -
  /wizard/step1              HOTEL  HOTEL  -          -
  /wizard/step2              hotel  hotel  -          -
  /wizard/step3              hotel  hotel  -          -
  /wizard/step4              hotel  hotel  -          -
  /operations                HOTEL  HOTEL  -          -
  /fleet                     ALL    ALL    -          -
  /fleet/vehicle             all    all    -          -
  /tyres                     ALL    ALL    -          -
  /season                    hotel  hotel  -          -
  /buying                    all    all    -          -
  /stock                     hotel  -      -          -
  /receipt                   hotel  hotel  -          -
  /notices                   ALL    HOTEL  -          -
  /admin                     -      all    -          -
  /admin/fleetmanagement     -      FLEET  -          -
  /admin/operations          -      HOTEL  -          -
  /admin/intake              -      HOTEL  HOTEL      -
  /admin/jobs                -      -      HOTEL      -
  /admin/locations           -      HOTEL  HOTEL      -
  /admin/find                -      hotel  HOTEL      -
  /admin/waves               -      HOTEL  hotel      -
  /admin/waves/pick          -      hotel  hotel      -
  /admin/waves/load          -      hotel  hotel      -
  /admin/board               -      HOTEL  -          -
  /admin/counts              -      HOTEL  hotel      -
  /admin/counts/walk         -      hotel  hotel      -
  /admin/counts/report       -      hotel  hotel      -
  /admin/clearup             -      HOTEL  hotel      -
  /admin/invoicing           -      HOTEL  -          -
  /admin/figures             -      HOTEL  -          -
  /admin/stock               -      HOTEL  -          -
  /admin/customers           -      ALL    -          -
  /admin/articles            -      ALL    -          -
  /admin/import              -      ALL    -          -
  /admin/config              -      ALL    -          -
  /account                   all    all    all        all
  /superuser                 -      -      -          ALL
  /superuser/config          -      -      -          all
  /superuser/translations    -      -      -          ALL
  /superuser/mails           -      -      -          ALL
  /admin/audit               -      ALL    -          ALL
  /admin/security            -      ALL    -          ALL
`
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

describe.each(modes)('in mode %s', mode => {
  // a superuser belongs to no site: the mode of the one at this address does not count
  test.each(roles)('%s opens these screens, and the navigation leads to these', role => {
    for (const visitor of role === 'superuser'
      ? [
          { ...who(role), mode: null },
          { ...who(role), mode },
        ]
      : [{ ...who(role), mode }]) {
      expect(rows.filter(({ path }) => isOpenTo(path, visitor)).map(({ path }) => path)).toEqual(
        rows.filter(({ when }) => isSaid(when[role], mode)).map(({ path }) => path),
      )
      expect(entriesFor(visitor).map(({ path }) => path)).toEqual(
        rows
          .filter(
            ({ when }) => isSaid(when[role], mode) && when[role] === when[role].toUpperCase() && when[role] !== '-',
          )
          .map(({ path }) => path),
      )
    }
  })
})

test('nobody but a superuser opens anything without a site', () => {
  const open = (type: Role) => rows.filter(({ path }) => isOpenTo(path, { type, mode: null })).map(({ path }) => path)
  expect(open('user')).toEqual(['/', '/fleet', '/fleet/vehicle', '/tyres', '/buying', '/notices', '/account'])
  expect(open('superuser')).toEqual([
    '/account',
    '/superuser',
    '/superuser/config',
    '/superuser/translations',
    '/superuser/mails',
    '/admin/audit',
    '/admin/security',
  ])
})

test('a job of the warehouse lights Jobs', () => {
  const [scan, jobs] = entriesFor({ type: 'admin', warehouse: true, mode: 'both' })
  for (const path of ['/admin/jobs', '/admin/waves/pick', '/admin/counts', '/admin/clearup'])
    expect(isHere(jobs!, path)).toBe(true)
  expect(isHere(jobs!, '/admin/intake')).toBe(false)
  expect(isHere(scan!, '/admin/intake')).toBe(true)
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

test('every step of the wizard lights the entry that opened it', () => {
  const wizard = entriesFor({ type: 'user', mode: 'both' }).find(({ path }) => path === '/wizard/step1')!
  expect(isHere(wizard, '/wizard/step3')).toBe(true)
  expect(isHere(wizard, '/operations')).toBe(false)
})

test('a screen that a button opens is lit where its button belongs', () => {
  const entries = entriesFor({ type: 'user', mode: 'both' })
  const lit = (pathname: string) => entries.filter(entry => isHere(entry, pathname)).map(({ path }) => path)
  expect(lit('/season')).toEqual(['/fleet'])
  expect(lit('/buying')).toEqual(['/fleet'])
  expect(lit('/stock')).toEqual(['/tyres'])
  expect(lit('/receipt')).toEqual(['/operations'])
})

test('the list of sites is lit while one of them is configured', () => {
  const [sites] = entriesFor({ type: 'superuser', mode: null })
  expect(isHere(sites!, '/superuser')).toBe(true)
  expect(isHere(sites!, '/superuser/config')).toBe(true)
  expect(isHere(sites!, '/superuser/translations')).toBe(false)
})

test('home is lit at home only, which administrators have under two addresses', () => {
  const home = entriesFor({ type: 'admin', mode: 'both' })[0]!
  expect(isHere(home, '/')).toBe(true)
  expect(isHere(home, '/admin')).toBe(true)
  expect(isHere(home, '/admin/operations')).toBe(false)
})

test("the screens that show the rows of the customer acted for are a customer's own, and fleet management", () => {
  const all = Object.keys(screens) as Path[]
  expect(all.filter(path => isOfCustomer(router, path))).toEqual([
    ...all.filter(
      path =>
        isOpenTo(path, { type: 'user', mode: 'both' }) &&
        !['/', '/account', '/notices', '/receipt', '/stock'].includes(path),
    ),
    '/admin/fleetmanagement',
  ])
})
