import { expect, test } from 'vitest'
import { inOrder, type Planned } from './rows.ts'

const planned = (name: string, day: string | null, state: Planned['state'] = 'planned') =>
  ({ row: { vehicle: { license_plate: name } }, day, state }) as Planned

test('a plan lists what was refused first, then by day, and what has none last', () => {
  const plan = [
    planned('none', null),
    planned('later', '2026-12-02'),
    planned('sooner', '2026-12-01', 'done'),
    planned('refused', '2026-12-03', 'refused'),
  ]
  expect(inOrder(plan).map(({ row }) => row.vehicle.license_plate)).toEqual(['refused', 'sooner', 'later', 'none'])
})
