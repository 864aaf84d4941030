import { describe, expect, it } from 'vitest'
import { auditSearch, customersSearch, fleetSearch, invoicingSearch, tyresSearch } from './addresses.ts'

describe('an address', () => {
  it('keeps a text that the router reads as a number', () => {
    expect(fleetSearch({ filter: 123 })).toEqual({ filter: '123' })
  })
  it('has no key for what is absent, malformed or unknown', () => {
    expect(Object.keys(tyresSearch({ tab: 'elsewhere', page: 0, waste: 'true', by: 'colour', more: 1 }))).toEqual([])
    expect(Object.keys(auditSearch({ from: '2026-02-30', account: 1.5, group: undefined }))).toEqual([])
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
