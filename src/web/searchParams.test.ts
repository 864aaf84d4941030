import { describe, expect, it } from 'vitest'
import { customersSearch, fleetSearch, invoicingSearch, tyresSearch } from './searchParams.ts'
import { router } from './routes.tsx'

describe('an address', () => {
  it('keeps a text that the router reads as a number', () => {
    expect(fleetSearch({ filter: 123 })).toEqual({ filter: '123' })
  })
  it('has no key for what is absent or unknown', () => {
    expect(Object.keys(tyresSearch({ more: 1 }))).toEqual([])
  })
  it.each([
    ['/tyres', { tab: 'elsewhere', page: 0, waste: 'true', by: 'colour' }],
    ['/wizard/step2', { tyres: 218 }],
    ['/admin/audit', { from: '2026-02-30', account: 1.5 }],
  ])('gives the screen %s nothing that is malformed', (pathname, search) => {
    const location = { pathname, search, searchStr: '', hash: '', href: pathname, state: {} }
    const shown = router.matchRoutes(location as unknown as typeof router.state.location).at(-1)!.search
    expect(Object.keys(shown)).toEqual(Object.keys(search))
    expect(Object.values(shown).filter(value => value !== undefined)).toEqual([])
  })
  it('keeps what is well-formed beside something malformed', () => {
    expect(tyresSearch({ tab: 'tyres', page: 'x', desc: true })).toEqual({ tab: 'tyres', desc: true })
  })
  it('takes ids as numbers, and leaves out those that are none', () => {
    expect(customersSearch({ id: '12', before: [3, '4', 'x', -1] })).toEqual({ id: 12, before: [3, 4] })
  })
  it('knows no day at all from no answer', () => {
    expect(invoicingSearch({ days: 0 })).toEqual({ days: 0 })
    expect(invoicingSearch({ days: 36_501 })).toEqual({})
  })
})
