/** The short form of every drill: what must hold, tried a few times. `npm run drill` tries it as often as is promised. */
import { expect, test } from 'vitest'
import { carryOut, drills, holds } from './main.ts'

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

test.each(drills.map(drill => [`${drill.line}: ${drill.says}`, drill] as const))('%s', async (_, drill) => {
  const said: string[] = []
  const figure = await carryOut(drill, { short: true, log: sentence => void said.push(sentence) })
  expect(holds(figure), [JSON.stringify(figure), ...said].join('\n')).toBe(true)
})
