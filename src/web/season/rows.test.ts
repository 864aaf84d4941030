import { expect, test } from 'vitest'
import type { Vehicle } from '#contract/wire.ts'
import { byDay, changeRows, interleavedByDay, type Planned, refusedFirst, swapOf } from './rows.ts'

test('vehicles are found by the place of their tyres, too', () => {
  const parked = (plate: string, ...places: (string | null)[]) =>
    ({
      license_plate: plate,
      number: '',
      brand: 'Volvo',
      description: '',
      driver_name: '',
      type: 'car',
      tyres: places.map(stock_rack => ({ stock_rack, tyre_status: stock_rack ? 'in_stock' : 'on_vehicle' })),
    }) as unknown as Vehicle
  const fleet = [parked('1AAA001', 'Hall 2-B-07', null), parked('1AAA002', 'Hall 2-C-01'), parked('1AAA003', null)]
  const platesFor = (filter: string) =>
    changeRows(fleet, () => ({}) as never, { to: 'winter', filter, group: null, verdict: null, mode: 'both' }).map(
      ({ vehicle }) => vehicle.license_plate,
    )
  expect(platesFor('hall')).toEqual(['1AAA001', '1AAA002'])
  expect(platesFor('volvo 2-b')).toEqual(['1AAA001'])
  expect(platesFor('')).toHaveLength(3)
})

const planned = (name: string, day: string | null, state: Planned['state'] = 'planned') =>
  ({ row: { vehicle: { license_plate: name } }, day, state }) as Planned

const names = (plan: readonly Planned[]) => plan.map(({ row }) => row.vehicle.license_plate)

test('a plan begins in the order of its days, and what is refused comes first', () => {
  const plan = byDay([
    planned('none', null),
    planned('later', '2026-12-02'),
    planned('sooner', '2026-12-01'),
    planned('last', '2026-12-03'),
  ])
  expect(names(plan)).toEqual(['sooner', 'later', 'last', 'none'])
  expect(names(refusedFirst([...plan, planned('refused', '2026-12-04', 'refused')]))[0]).toBe('refused')
})

test('a vehicle that is moved to another day stays where it stands', () => {
  const plan = byDay([planned('first', '2026-12-01'), planned('second', '2026-12-02')])
  const moved = plan.map((planned, nth) => (nth === 0 ? { ...planned, day: '2026-12-24' } : planned))
  expect(names(refusedFirst(moved))).toEqual(['first', 'second'])
})

test('vehicles are sent in turns by day, those of a day in their order', () => {
  const plan = [
    planned('first', '2026-12-01'),
    planned('second', '2026-12-01'),
    planned('third', '2026-12-01'),
    planned('fourth', '2026-12-02'),
    planned('fifth', '2026-12-03'),
    planned('sixth', '2026-12-03'),
  ]
  expect(interleavedByDay(plan)).toEqual([plan[0], plan[3], plan[4], plan[1], plan[5], plan[2]])
})

test('what is decided on worn sets is sent with the vehicles that get one, and with no other', () => {
  const given = (verdict: string) =>
    ({ row: { vehicle: { flt_id: 1 }, stored: [], returns: [], verdict }, day: '2026-12-01' }) as unknown as Planned
  const wish = { transport: 1, returns: true, wornTyres: 'quote', parts: null } as const
  expect(swapOf(given('replace'), wish)).toMatchObject({ wornTyres: 'quote' })
  for (const verdict of ['fine', 'unknown']) expect(swapOf(given(verdict), wish)).not.toHaveProperty('wornTyres')
})

test('what comes back has the parts that were given to all of it, else those that the server knows', () => {
  const planned = { row: { vehicle: { flt_id: 1 }, stored: [], returns: [] }, day: '2026-12-01' } as unknown as Planned
  const parts = { withRims: 'steel', withBolts: true, withHubcaps: false } as const
  const wish = { transport: 1, wornTyres: 'keep', returns: true, parts } as const
  expect(swapOf(planned, wish)).toMatchObject(parts)
  expect(swapOf(planned, { ...wish, parts: null })).not.toHaveProperty('withRims')
  expect(swapOf(planned, { ...wish, returns: false })).not.toHaveProperty('withRims')
})
