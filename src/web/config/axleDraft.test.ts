import { expect, test } from 'vitest'
import { maxLocalAxles, configurationTemplates, positionsOf, sameWheels } from '#domain/vehicles/axle.ts'
import { axlesOf, problemOf, movable, moved, numberOf, rowsOf, wheelsOn, withAxle, withSeparator } from './axleDraft.ts'

const bus = rowsOf(configurationTemplates.find(({ name }) => name === 'Articulated bus, 3 axles')!.axles)

test('axles are numbered from the front, past separators', () => {
  expect(bus.map(row => row.type)).toEqual(['axle', 'axle', 'separator', 'axle'])
  expect(numberOf(bus, bus[3]!)).toBe(3)
})

test('a new axle has the wheels of the last one and a key of its own', () => {
  const rows = withAxle(bus)
  expect(rows.at(-1)).toMatchObject({ type: 'axle', drive: false, left: 2, right: 2 })
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  expect(withAxle([])).toMatchObject([{ left: 1, right: 1 }])
})

test('a new separator waits for its axle, or stands before the last one where none can follow', () => {
  const waiting = withSeparator(bus, { axleFollows: true })
  expect(problemOf(waiting)).toEqual({ why: 'separator.place', key: waiting.at(-1)!.key })
  expect(problemOf(withAxle(waiting))).toBeNull()
  const car = rowsOf(configurationTemplates[0].axles)
  const coupled = withSeparator(car, { axleFollows: false })
  expect(coupled.map(({ type }) => type)).toEqual(['axle', 'separator', 'axle'])
  expect(sameWheels(axlesOf(coupled), axlesOf(car))).toBe(true)
})

test('a row moves one place and not over an end', () => {
  const [first, second] = bus
  expect(moved(bus, second!, -1).map(({ key }) => key)).toEqual([1, 0, 2, 3])
  expect(moved(bus, first!, -1)).toEqual(bus)
  expect(movable(bus, first!, -1, false)).toBe(false)
})

test('what vehicles have is moved only where no wheel moves', () => {
  for (const row of bus)
    for (const by of [-1, 1] as const)
      if (movable(bus, row, by, true)) expect(positionsOf(moved(bus, row, by))).toEqual(positionsOf(bus))
  expect(movable(bus, bus[0]!, 1, true)).toBe(false)
  expect(movable(bus, bus[2]!, 1, true)).toBe(true)
})

test('an axle keeps one wheel and gets no eighth', () => {
  const [row] = rowsOf([{ type: 'axle', lift: false, drive: false, steering: false, left: 3, right: 0 }])
  expect(wheelsOn(row!, 'left')).toEqual({ least: 1, most: 7 })
  expect(wheelsOn(row!, 'right')).toEqual({ least: 0, most: 4 })
})

test('without axles, or with too many, it is none', () => {
  expect(problemOf([])).toEqual({ why: 'axles.none', key: null })
  let rows = bus
  while (rows.length <= maxLocalAxles) rows = withAxle(rows)
  expect(problemOf(rows)).toEqual({ why: 'axles.too_many', key: null })
})
