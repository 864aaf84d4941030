import { expect, test } from 'vitest'
import type { Axle } from '../vehicles/axle.ts'
import { type Buyer, type BuyingFor, buyingPlan } from './buying.ts'
import { recommendedLimits, type TreadCase } from '../tyres/tread.ts'
import type { Season, TyreStatus } from '../tyres/tyre.ts'
import type { VehicleKind } from '../vehicles/vehicle.ts'

const axle: Axle = { type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 }
const judged = (kind: VehicleKind): TreadCase => ({ country: 'BE', kind, date: '2026-11-10', site: recommendedLimits })
const list = { season: 'winter', today: '2026-11-10', withDepth: true, nearing: new Map() } as const

const buyingList = (fleet: readonly Buyer<string>[], at: BuyingFor) => buyingPlan(fleet, [], at).lines

let lastId = 0
const set = (
  season: Season,
  status: TyreStatus,
  {
    service = '91V',
    depths = [7, 7, 7, 7],
    size = '205/55R16',
  }: { service?: string; depths?: (number | null)[]; size?: string } = {},
) =>
  ['1A', '1B', '2A', '2B'].map((position, nth) => ({
    db_id: (lastId += 1),
    position,
    description: `Michelin ${size} ${service}`,
    season,
    tyre_status: status,
    tyre_set: season,
    profile_depth: depths[nth] ?? null,
    operation: null,
  }))
const buyer = (vehicle: string, tyres: Buyer<string>['tyres'], kind: VehicleKind = 'car'): Buyer<string> => ({
  vehicle,
  tyres,
  axles: [axle, axle],
  judged: judged(kind),
})

test('tyres to be replaced are bought by axle, those that nobody measured perhaps, with the load and speed of the first set', () => {
  const first = set('summer', 'on_vehicle', { service: '94W' })
  const worn = set('winter', 'in_stock', { depths: [3, 8, null, 1] })
  const line = {
    size: '205/55R16',
    season: 'winter',
    needed: { load: 94, speed: 'W' },
    by: '2026-11-10',
    until: null,
    vehicles: ['one'],
  }
  expect(buyingList([buyer('one', [...first, ...worn])], list)).toEqual([
    { ...line, axle: 1, least: 1, most: 1 },
    { ...line, axle: 2, least: 1, most: 2 },
  ])
})

test('a vehicle without tyres for the season gets one for each wheel, in the sizes that it wears', () => {
  const lines = buyingList(
    [buyer('one', set('summer', 'on_vehicle')), buyer('two', set('summer', 'at_customer'))],
    list,
  )
  expect(
    lines.map(({ size, season, axle, least, most, vehicles }) => [size, season, axle, least, most, vehicles]),
  ).toEqual([
    ['205/55R16', 'winter', 1, 4, 4, ['one', 'two']],
    ['205/55R16', 'winter', 2, 4, 4, ['one', 'two']],
  ])
})

test.each(['winter', 'snow', 'all_season'] as const)(
  'a first set of %s tyres proves no speed for summer, and its load',
  season => {
    const at = { ...list, season: 'summer', today: '2027-01-10' } as const
    const needed = (tyres: Buyer<string>['tyres']) =>
      buyingList([buyer('one', tyres)], at).map(line => [line.season, line.needed])
    const slow = { service: '91T' }
    const [missing] = needed(set(season, 'on_vehicle', { ...slow, depths: [1, 1, 1, 1] }))
    if (season !== 'all_season') expect(missing).toEqual(['summer', { load: 91, speed: null }])
    // an all-season tyre is replaced by one of its kind
    else expect(missing).toEqual(['all_season', { load: 91, speed: 'T' }])
    const both = [
      ...set(season, 'at_customer', slow),
      ...set('summer', 'in_stock', { depths: [1, 1, 1, 1], service: '94H' }),
    ]
    expect(needed(both)[0]).toEqual(['summer', { load: 91, speed: 'H' }])
  },
)

test('a vehicle of which nothing is known gets tyres of unknown size', () => {
  const [line] = buyingList([buyer('new', [])], { ...list, season: 'summer' })
  expect(line).toMatchObject({ size: null, least: 2, needed: { load: null, speed: null } })
})

test('good tyres, all-season tyres on the vehicle, and winter tyres of a motorcycle are not bought', () => {
  const good = buyer('one', [...set('summer', 'on_vehicle'), ...set('winter', 'in_stock')])
  const both = buyer('two', set('all_season', 'on_vehicle'))
  const moto = buyer('three', set('summer', 'on_vehicle'), 'motorcycle')
  expect(buyingList([good, both, moto], list)).toEqual([])
})

test('worn all-season tyres are replaced by all-season tyres', () => {
  const worn = buyer('one', set('all_season', 'on_vehicle', { depths: [2, 2, 2, 2] }))
  expect(buyingList([worn], list)).toMatchObject([
    { season: 'all_season', axle: 1, least: 2 },
    { season: 'all_season', axle: 2, least: 2 },
  ])
})

test('hidden depth hides what is to be replaced, not what is missing', () => {
  const worn = buyer('one', set('winter', 'in_stock', { depths: [1, 1, 1, 1] }))
  const none = buyer('two', set('summer', 'on_vehicle'))
  expect(buyingList([worn, none], { ...list, withDepth: false })).toMatchObject([
    { vehicles: ['two'] },
    { vehicles: ['two'] },
  ])
})

test('tyres that wear down during the season stand apart: as many as surely do, to as many as may, from the first day to the last', () => {
  const tyres = set('winter', 'in_stock', { depths: [3, 5, 5, 4] })
  const [first, second, third] = tyres.slice(1).map(({ db_id }) => db_id)
  const nearing = new Map([
    [first ?? 0, { from: '2027-02-03', until: '2027-04-10' }],
    [second ?? 0, { from: '2027-03-01', until: '2027-12-01' }],
    // which is at its limit of 4 mm, so that no forecast is kept of it
    [third ?? 0, { from: '2027-04-16', until: '2027-12-20' }],
  ])
  const lines = buyingList([buyer('one', tyres)], { ...list, nearing })
  expect(lines.map(({ axle, by, until, least, most }) => [axle, by, until, least, most])).toEqual([
    [1, '2026-11-10', null, 1, 1],
    [1, '2027-02-03', '2027-04-10', 1, 1],
    [2, '2026-11-10', '2027-04-15', 1, 2],
  ])
})

test('a tyre whose interval begins after the season is not bought for it', () => {
  const tyres = set('winter', 'in_stock')
  const nearing = new Map(tyres.map(({ db_id }) => [db_id, { from: '2027-04-16', until: '2028-02-01' }]))
  expect(buyingList([buyer('one', tyres)], { ...list, nearing })).toEqual([])
})

test('before the season begins what it needs is due on its first day, and what is driven today is due today', () => {
  const stored = set('winter', 'in_stock', { depths: [1, 9, 9, 9] })
  const driven = set('winter', 'on_vehicle', { depths: [1, 9, 9, 9] })
  const none = set('summer', 'on_vehicle')
  const at = { ...list, today: '2026-08-01' } as const
  expect(
    buyingList([buyer('one', stored), buyer('two', driven), buyer('three', none)], at).map(
      ({ axle, by, most, vehicles }) => [axle, by, most, vehicles],
    ),
  ).toEqual([
    [1, '2026-08-01', 1, ['two']],
    [1, '2026-10-15', 3, ['one', 'three']],
    [2, '2026-10-15', 2, ['three']],
  ])
})

test('a set of a vehicle that left serves one that lacks a set, and the list says how many tyres that saves', () => {
  const spare = { set: 'left', tyres: set('winter', 'in_stock') }
  const fleet = [buyer('one', set('summer', 'on_vehicle')), buyer('two', set('summer', 'on_vehicle'))]
  const plan = buyingPlan(fleet, [spare], list)
  expect(plan.matches).toEqual([{ set: 'left', vehicle: 'one', saves: 4 }])
  expect([plan.saved, plan.lines.map(({ most }) => most)]).toEqual([4, [2, 2]])
  // one that may wear down before the season ends saves nothing
  const nearing = new Map([[spare.tyres[2]?.db_id ?? 0, { from: '2027-02-01', until: '2027-06-01' }]])
  expect(buyingPlan(fleet, [spare], { ...list, nearing }).matches).toEqual([])
  // nor does one that is weaker, smaller, in an operation or too shallow
  for (const other of [
    set('winter', 'in_stock', { service: '88T' }),
    set('winter', 'in_stock', { size: '195/65R15' }),
    set('winter', 'in_stock', { depths: [7, 7, 4, 7] }),
    set('winter', 'in_stock').map(tyre => ({ ...tyre, operation: 7 })),
  ])
    expect(buyingPlan(fleet, [{ set: 'x', tyres: other }], list).saved).toBe(0)
})

test('nothing is bought for a car that goes back before the tyre pays, unless it may not be driven without', () => {
  const until = (
    contractEnd: string,
    tyres = set('winter', 'in_stock', { depths: [3, 7, 7, 7] }),
    country: 'BE' | 'DE' = 'BE',
  ) => {
    const one = buyer('one', tyres)
    const { lines, unpaid } = buyingPlan([{ ...one, judged: { ...one.judged, country }, contractEnd }], [], list)
    return [lines.reduce((sum, { most }) => sum + most, 0), unpaid.tyres]
  }
  // the winter ends on 15 April
  expect(until('2027-04-15')).toEqual([1, 0])
  expect(until('2027-04-14')).toEqual([0, 1])
  const illegal = set('winter', 'in_stock', { depths: [1, 7, 7, 7] })
  expect(until('2026-12-31', illegal)).toEqual([1, 0])
  expect(until('2026-11-10', illegal)).toEqual([0, 1])
  const none = set('summer', 'on_vehicle')
  expect(until('2026-12-31', none)).toEqual([0, 4])
  expect(until('2026-12-31', none, 'DE')).toEqual([4, 0])
})
