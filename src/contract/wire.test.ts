import { expect, it } from 'vitest'
import { axle, isoDate } from './wire.ts'

const wheels = (left: number, right: number) =>
  axle.safeParse({
    type: ['axle'],
    lift_axle: [''],
    drive_axle: ['T'],
    steering_axle: [''],
    wheels_left: [left],
    wheels_right: [right],
  }).success

it.each([
  [0, 0, true],
  [2, 2, true],
  [7, 0, true],
  [4, 3, true],
  [4, 4, false],
  [7, 1, false],
  [8, 0, false],
])('an axle with %i wheels on the left and %i on the right has letters for all: %s', (left, right, fits) =>
  expect(wheels(left, right)).toBe(fits),
)

it.each([
  ['2026-11-20', true],
  ['1000-01-01', true],
  ['9999-12-31', true],
  ['0999-12-31', false],
  ['0001-01-01', false],
  ['0000-01-01', false],
  ['2026-02-30', false],
])('the day %s is one: %s', (date, good) => expect(isoDate.safeParse(date).success).toBe(good))
