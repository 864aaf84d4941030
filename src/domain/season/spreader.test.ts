import { expect, test } from 'vitest'
import { addDays } from '../texts/date.ts'
import { deliveryDayRefusal, isDayFull } from '../operations/delivery.ts'
import { daysWithRoom, type Room, spread, type Taken, type VehicleLoad } from './spreader.ts'

/** The same numbers at every run. */
let state = 45
function chance(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}
const pick = <T>(options: readonly T[]): T => options[chance(options.length)] as T

const today = '2026-10-01'
function situation(days: number) {
  const rules = {
    operationDays: [0, 1, 2, 3, 4, 5, 6].filter(() => chance(4) > 0),
    advanceDays: chance(4),
    cutoffHour: pick([null, '09:00', '15:00']),
    operationsPerDay: pick([0, 1, 2, 5]),
    tyresPerDay: pick([0, 2, 4, 8, 20]),
  }
  const all = Array.from({ length: days }, (_, nth) => addDays(today, nth))
  const closedDays = all.filter(() => chance(6) === 0)
  const taken: Taken[] = all.flatMap(day =>
    chance(3) === 0 ? [{ day, operations: 1 + chance(3), tyres: 2 + chance(10) }] : [],
  )
  // noon in Brussels
  const at = { now: new Date('2026-10-01T10:00:00Z'), timeZone: 'Europe/Brussels', closedDays }
  const period = { from: addDays(today, chance(3)), until: addDays(today, days - 1) }
  return { rules, taken, at, period }
}
const fleet = (most: number): VehicleLoad[] =>
  Array.from({ length: chance(most + 1) }, (_, id) => ({ id, tyres: pick([1, 2, 4, 4, 4, 6, 8, 12]) }))

const sum = (loads: readonly VehicleLoad[]) => loads.reduce((all, { tyres }) => all + tyres, 0)

test('over 2,000 fleets and calendars no day gets more than it takes, and none that the rule of delivery days refuses', () => {
  let placed = 0
  for (let round = 0; round < 2000; round += 1) {
    const { rules, taken, at, period } = situation(10 + chance(20))
    const loads = fleet(40)
    const plan = spread(loads, daysWithRoom(rules, taken, at, period), rules.tyresPerDay)
    for (const [day, some] of Map.groupBy(
      loads.filter(({ id }) => plan.has(id)),
      ({ id }) => plan.get(id) ?? '',
    )) {
      const before = taken.find(load => load.day === day) ?? { operations: 0, tyres: 0 }
      const booked = isDayFull(before, rules) ? [day] : []
      expect(deliveryDayRefusal(day, rules, booked, at)).toBeNull()
      expect(day >= period.from && day <= period.until).toBe(true)
      if (rules.operationsPerDay > 0)
        expect(before.operations + some.length).toBeLessThanOrEqual(rules.operationsPerDay)
      const alone = before.operations === 0 && some.length === 1
      if (rules.tyresPerDay > 0 && !alone) expect(before.tyres + sum(some)).toBeLessThanOrEqual(rules.tyresPerDay)
      placed += some.length
    }
  }
  expect(placed).toBeGreaterThan(10_000)
})

/** The most loads that fit, found by trying every way. */
function exact(loads: readonly VehicleLoad[], rooms: readonly Room[]): number {
  const [load, ...rest] = loads
  if (!load) return 0
  let best = exact(rest, rooms)
  for (const [nth, room] of rooms.entries()) {
    if (room.operations < 1 || room.tyres < load.tyres) continue
    const after = rooms.with(nth, { ...room, operations: room.operations - 1, tyres: room.tyres - load.tyres })
    best = Math.max(best, 1 + exact(rest, after))
  }
  return best
}

test('as many vehicles are placed as any plan places', () => {
  for (let round = 0; round < 400; round += 1) {
    const rooms: Room[] = Array.from({ length: 1 + chance(3) }, (_, nth) => ({
      day: addDays(today, nth),
      operations: pick([1, 2, 3, Infinity]),
      tyres: pick([2, 5, 7, 9, 12, 16, Infinity]),
      empty: true,
    }))
    const loads = fleet(6)
    expect({ round, placed: spread(loads, rooms, 0).size }).toEqual({ round, placed: exact(loads, rooms) })
  }
})

test('days get about as many vehicles', () => {
  const rooms = [0, 1, 2].map(nth => ({ day: addDays(today, nth), operations: Infinity, tyres: Infinity, empty: true }))
  const plan = spread(
    Array.from({ length: 9 }, (_, id) => ({ id, tyres: 4 })),
    rooms,
    0,
  )
  expect([...Map.groupBy(plan.values(), day => day).values()].map(days => days.length)).toEqual([3, 3, 3])
})

test('a vehicle with more tyres than a day takes has an empty day alone', () => {
  const rooms = daysWithRoom(
    { operationDays: [0, 1, 2, 3, 4, 5, 6], advanceDays: 0, cutoffHour: null, operationsPerDay: 0, tyresPerDay: 4 },
    [{ day: '2026-10-02', operations: 1, tyres: 2 }],
    { now: new Date('2026-10-01T10:00:00Z'), timeZone: 'Europe/Brussels', closedDays: [] },
    { from: '2026-10-02', until: '2026-10-04' },
  )
  const plan = spread(
    [
      { id: 1, tyres: 12 },
      { id: 2, tyres: 4 },
      { id: 3, tyres: 12 },
      { id: 4, tyres: 12 },
    ],
    rooms,
    4,
  )
  expect(plan.size).toBe(2)
  expect(plan.get(2)).not.toBe(plan.get(1))
  expect(plan.get(1)).not.toBe('2026-10-02')
})
