import { expect, test } from 'vitest'
import type { Vehicle } from '#contract/wire.ts'
import { recommendedLimits } from '#domain/tread.ts'
import { anyVehicle, groupsOf, isWanted } from './vehicleFilter.ts'

const vehicle = (cost_centre: string, tyres: Partial<Vehicle['tyres'][number]>[] = []) =>
  ({ cost_centre, type: 'car', tyres }) as unknown as Vehicle
const of = {
  judged: () => ({ country: null, kind: 'car', date: '2026-11-20', site: recommendedLimits }) as const,
  axles: () => null,
  reaching: new Set([7]),
}

test('groups are those of the fleet, each once, in the order of their names and numbers', () => {
  expect(
    groupsOf(
      ['Team 10', '', 'Team 9', 'team 1', 'Team 10'].map(name => vehicle(name)),
      'en',
    ),
  ).toEqual(['team 1', 'Team 9', 'Team 10'])
})

test('a vehicle is looked for by its group, and by a tyre that reaches its limit this season', () => {
  const tyre = (db_id: number) => ({ db_id, season: 'winter', tyre_status: 'at_customer', profile_depth: 5 }) as const
  const [north, south] = [vehicle('North', [tyre(7)]), vehicle('South', [tyre(8)])]
  const found = (wish: Partial<typeof anyVehicle>) =>
    [north, south].filter(one => isWanted(one, { ...anyVehicle, ...wish }, of))
  expect(found({ group: 'North' })).toEqual([north])
  expect(found({ verdict: 'reaching' })).toEqual([north])
  expect(found({ verdict: 'good' })).toEqual([north, south])
  expect(found({ verdict: 'reaching', group: 'South' })).toEqual([])
})
