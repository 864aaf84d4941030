/** After any sequence of actions on three devices, each wheel is in exactly one state and place (docs/promises.md "Wheels"). */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { empty, openHall, play, sequence, storage, type Hall } from '../../testing/wheelSequences.ts'
import { world, type World } from '../../testing/world.ts'
import { whole } from '../../testing/whole.ts'

const sequences = whole ? 150 : 12

let w: World
let hall: Hall
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-10T10:00:00Z') })
  hall = await openHall(w)
})
afterAll(() => w.close())

const played = (numRuns: number) =>
  fc.check(
    fc.asyncProperty(sequence, async steps => {
      const faults = await play(w, hall, steps)
      await empty(w)
      expect(faults).toEqual([])
    }),
    { numRuns, endOnFailure: true },
  )

test(`after ${sequences} sequences of scans each wheel is in one state and place, which is the sum of its events`, async () => {
  const { counterexample, errorInstance } = await played(sequences)
  expect({ counterexample, error: errorInstance }).toEqual({ counterexample: null, error: null })
})

test.each([
  ['wheels that do not follow their tyres', 'tyre', 'wheel_follows'],
  ['steps that are not recorded', 'wheel', 'wheel_step_is_recorded'],
])('the control: %s are noticed', async (_, table, trigger) => {
  await w.query(`alter table ${table} disable trigger ${trigger}`)
  try {
    expect(await play(w, hall, storage)).not.toEqual([])
    await empty(w)
  } finally {
    await w.query(`alter table ${table} enable trigger ${trigger}`)
  }
})
