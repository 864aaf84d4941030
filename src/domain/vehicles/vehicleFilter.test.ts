import { expect, test } from 'vitest'
import { recommendedLimits } from '../tyres/tread.ts'
import { anyVehicle, groupsOf, isWanted } from './vehicleFilter.ts'

type Held = Parameters<typeof isWanted>[0]['tyres'][number]
const vehicle = (cost_centre: string, tyres: readonly Held[] = []) => ({ cost_centre, type: 'car', tyres })
const facts = {
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
  const rest = {
    position: '1A',
    tyre_set: null,
    season: 'winter',
    tyre_status: 'at_customer',
    profile_depth: 5,
  } as const
  const tyre = (db_id: number): Held => ({ db_id, ...rest })
  const [north, south] = [vehicle('North', [tyre(7)]), vehicle('South', [tyre(8)])]
  const wanted = (wish: Partial<typeof anyVehicle>) =>
    [north, south].filter(candidate => isWanted(candidate, { ...anyVehicle, ...wish }, facts))
  expect(wanted({ group: 'North' })).toEqual([north])
  expect(wanted({ verdict: 'reaching' })).toEqual([north])
  expect(wanted({ verdict: 'good' })).toEqual([north, south])
  expect(wanted({ verdict: 'reaching', group: 'South' })).toEqual([])
})
