import { expect, test } from 'vitest'
import type { Role } from '#domain/account.ts'
import { modes } from '#domain/site.ts'
import { entriesFor, isHere, isOfCustomer, isOpenTo, type Path, places } from './places.ts'

const paths = (type: Role, mode: (typeof modes)[number] | null) => entriesFor({ type, mode }).map(({ path }) => path)

test.each([
  ['user', 'both', ['/', '/wizard/step1', '/operations', '/fleet', '/tyres']],
  ['user', 'hotelonly', ['/', '/wizard/step1', '/operations', '/fleet', '/tyres']],
  ['user', 'fleetonly', ['/', '/fleet', '/tyres']],
  [
    'admin',
    'both',
    [
      '/',
      '/wizard/step1',
      '/operations',
      '/fleet',
      '/tyres',
      '/admin/fleetmanagement',
      '/admin/operations',
      '/admin/intake',
      '/admin/invoicing',
      '/admin/customers',
      '/admin/config',
    ],
  ],
  ['admin', 'fleetonly', ['/', '/fleet', '/tyres', '/admin/fleetmanagement', '/admin/customers', '/admin/config']],
  ['superuser', null, ['/superuser', '/superuser/translations']],
] as const)('the navigation of %s in %s', (type, mode, expected) => {
  expect(paths(type, mode)).toEqual(expected)
})

test.each(modes)('in %s a customer never opens the admin area, a superuser nothing but their own', mode => {
  const openTo = (type: Role, its: typeof mode | null) =>
    (Object.keys(places) as Path[]).filter(path => isOpenTo(path, { type, mode: its }))
  expect(openTo('user', mode).filter(path => path.startsWith('/admin') || path.startsWith('/superuser'))).toEqual([])
  expect(openTo('admin', mode).filter(path => path.startsWith('/superuser'))).toEqual([])
  expect(openTo('superuser', null).filter(path => !path.startsWith('/superuser'))).toEqual([])
  expect(openTo('superuser', null)).toContain('/superuser')
})

test('every step of the wizard lights the entry that opened it', () => {
  const wizard = entriesFor({ type: 'user', mode: 'both' }).find(({ path }) => path === '/wizard/step1')!
  expect(isHere(wizard, '/wizard/step3')).toBe(true)
  expect(isHere(wizard, '/operations')).toBe(false)
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
  expect(isHere(home, '/operations')).toBe(false)
  expect(isHere(home, '/admin/operations')).toBe(false)
})

test("the screens that show the rows of the customer acted for are a customer's own, and fleet management", () => {
  const all = Object.keys(places) as Path[]
  expect(all.filter(isOfCustomer)).toEqual([
    ...all.filter(path => isOpenTo(path, { type: 'user', mode: 'both' }) && path !== '/'),
    '/admin/fleetmanagement',
  ])
})
