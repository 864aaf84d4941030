import { describe, expect, it } from 'vitest'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { Mode } from '#domain/site.ts'
import { filtered, rowOf, type SortKey, sortedBy } from './vehicleRows.ts'

const row = (license_plate: string, more: Partial<Vehicle> = {}, mode: Mode = 'both') =>
  rowOf(
    {
      flt_id: 1,
      license_plate,
      number: '',
      brand: '',
      description: '',
      type: 'car',
      driver_name: '',
      tyres: [],
      ...more,
    } as unknown as Vehicle,
    mode,
  )
const tyres = (...states: Tyre['tyre_status'][]) => states.map(tyre_status => ({ tyre_status })) as Tyre[]

const volvo = row('1ABC234', {
  number: 'W-12',
  brand: 'Volvo',
  description: 'V60 Céleste',
  driver_name: 'Jürgen Peeters',
})
const scania = row('T99X', {
  number: 'W-2',
  brand: 'Scania',
  type: 'truck',
  tyres: tyres('in_stock', 'waste', 'in_stock'),
})
const plates = (rows: readonly { vehicle: Vehicle }[]) => rows.map(({ vehicle }) => vehicle.license_plate)
const platesFor = (filter: string) => plates(filtered([volvo, scania], filter))

describe('the filter of vehicles', () => {
  it.each(['1-abc-234', '1abc234', 'C-234', 'w-12', 'VOLVO', 'celeste', 'v60', 'jurgen', 'peeters v60', '1/abc/234'])(
    'finds by "%s"',
    filter => expect(platesFor(filter)).toEqual(['1ABC234']),
  )
  it('finds all without a word', () => expect(platesFor('  ')).toEqual(['1ABC234', 'T99X']))
  it('finds nothing when one of the words is nowhere', () => expect(platesFor('volvo scania')).toEqual([]))
  it('does not take a dash for every plate', () => expect(platesFor('-–-')).toEqual([]))
  it('does not find by a number that the site does not show', () =>
    expect(plates(filtered([row('1ABC234', { number: 'W-12' }, 'hotelonly')], 'w-12'))).toEqual([]))
  it('does not look across the border of two fields', () => expect(platesFor('volvov60')).toEqual([]))
})

const by = (key: SortKey, desc: boolean, ...rows: ReturnType<typeof row>[]) =>
  plates(sortedBy(rows, { by: key, desc, language: 'en' }))

describe('sorting vehicles', () => {
  it('puts number 2 before number 12', () => expect(by('number', false, volvo, scania)).toEqual(['T99X', '1ABC234']))
  it('puts those without a driver last, whichever way', () => {
    expect(by('driver', false, scania, volvo)).toEqual(['1ABC234', 'T99X'])
    expect(by('driver', true, scania, volvo)).toEqual(['1ABC234', 'T99X'])
  })
  it('goes by the number of tyres', () => expect(by('tyres', true, volvo, scania)).toEqual(['T99X', '1ABC234']))
  it('leaves equal ones in the order of their plates', () =>
    expect(by('brand', true, row('B'), row('A'))).toEqual(['A', 'B']))
})

it('tyres are counted by status, without those it has none of', () =>
  expect(scania.counts).toEqual([
    { status: 'in_stock', count: 2 },
    { status: 'waste', count: 1 },
  ]))
