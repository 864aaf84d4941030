import { expect, it } from 'vitest'
import { axle } from './wire.ts'

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
