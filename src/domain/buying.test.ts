import { expect, test } from 'vitest'
import type { Axle } from './axle.ts'
import { type Buyer, buyingList } from './buying.ts'
import { recommendedLimits, type TreadCase } from './tread.ts'
import type { Season, TyreStatus } from './tyre.ts'
import type { VehicleKind } from './vehicle.ts'

const axle: Axle = { type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 }
const judged = (kind: VehicleKind): TreadCase => ({ country: 'BE', kind, date: '2026-11-10', site: recommendedLimits })
const seen = { withDepth: true }

let made = 0
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
    db_id: (made += 1),
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
  const line = { size: '205/55R16', season: 'winter', needed: { load: 94, speed: 'W' }, vehicles: ['one'] }
  expect(buyingList([buyer('one', [...first, ...worn])], 'winter', seen)).toEqual([
    { ...line, axle: 1, least: 1, most: 1 },
    { ...line, axle: 2, least: 1, most: 2 },
  ])
})

test('a vehicle without tyres for the season gets one for each wheel, in the sizes that it wears', () => {
  const found = buyingList(
    [buyer('one', set('summer', 'on_vehicle')), buyer('two', set('summer', 'at_customer'))],
    'winter',
    seen,
  )
  expect(
    found.map(({ size, season, axle: of, least, most, vehicles }) => [size, season, of, least, most, vehicles]),
  ).toEqual([
    ['205/55R16', 'winter', 1, 4, 4, ['one', 'two']],
    ['205/55R16', 'winter', 2, 4, 4, ['one', 'two']],
  ])
})

test('a vehicle of which nothing is known gets tyres of unknown size', () => {
  const [line] = buyingList([buyer('new', [])], 'summer', seen)
  expect(line).toMatchObject({ size: null, least: 2, needed: { load: null, speed: null } })
})

test('good tyres, all-season tyres on the vehicle, and winter tyres of a motorcycle are not bought', () => {
  const good = buyer('one', [...set('summer', 'on_vehicle'), ...set('winter', 'in_stock')])
  const both = buyer('two', set('all_season', 'on_vehicle'))
  const moto = buyer('three', set('summer', 'on_vehicle'), 'motorcycle')
  expect(buyingList([good, both, moto], 'winter', seen)).toEqual([])
})

test('worn all-season tyres are replaced by all-season tyres', () => {
  const worn = buyer('one', set('all_season', 'on_vehicle', { depths: [2, 2, 2, 2] }))
  expect(buyingList([worn], 'winter', seen)).toMatchObject([
    { season: 'all_season', axle: 1, least: 2 },
    { season: 'all_season', axle: 2, least: 2 },
  ])
})

test('hidden depth hides what is to be replaced, not what is missing', () => {
  const worn = buyer('one', set('winter', 'in_stock', { depths: [1, 1, 1, 1] }))
  const none = buyer('two', set('summer', 'on_vehicle'))
  expect(buyingList([worn, none], 'winter', { withDepth: false })).toMatchObject([
    { vehicles: ['two'] },
    { vehicles: ['two'] },
  ])
})
