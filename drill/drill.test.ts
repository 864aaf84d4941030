/**
 * What must hold, tried a few times: each drill in its short form, or by tests of its own. `npm run drill` tries all as often as
 * is promised.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carryOut, drills, holds, triedBy } from './main.ts'

const own = drills.filter(({ line }) => triedBy[line] === undefined)

test('a figure for which nothing was tried does not hold, nor one that broke off', async () => {
  expect(holds({ tried: 0, failed: 0, notes: [] })).toBe(false)
  expect(holds({ tried: 2, failed: 1, notes: [] })).toBe(false)
  expect(holds({ tried: 2, failed: 0, notes: [] })).toBe(true)
  const broken = await carryOut(
    { line: 0, says: 'breaks', run: () => Promise.reject(new Error('broken')) },
    { short: true, log: () => {} },
  )
  expect(holds(broken)).toBe(false)
})

test('every drill that is not run here has tests elsewhere', () => {
  const lines = new Set(drills.map(({ line }) => line))
  for (const [line, file] of Object.entries(triedBy)) {
    expect(lines).toContain(Number(line))
    expect(existsSync(join(import.meta.dirname, '..', file)), file).toBe(true)
  }
})

test.each(own.map(drill => [`${drill.line}: ${drill.says}`, drill] as const))('%s', async (_, drill) => {
  const said: string[] = []
  const figure = await carryOut(drill, { short: true, log: sentence => void said.push(sentence) })
  expect(holds(figure), [JSON.stringify(figure), ...said].join('\n')).toBe(true)
})
