/** The short form of each drill that no other test stands for. `npm run drill` runs all in full. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drills, passes, runDrill, testedBy } from './main.ts'

const own = drills.filter(({ promise }) => testedBy[promise] === undefined)

test('a drill fails when it tried nothing or threw', async () => {
  expect(passes({ tried: 0, failed: 0, notes: [] })).toBe(false)
  expect(passes({ tried: 2, failed: 1, notes: [] })).toBe(false)
  expect(passes({ tried: 2, failed: 0, notes: [] })).toBe(true)
  const broken = await runDrill(
    { promise: 0, summary: 'throws', run: () => Promise.reject(new Error('broken')) },
    { short: true, log: () => {} },
  )
  expect(passes(broken)).toBe(false)
})

test('every drill that is not run here has a test file', () => {
  const numbers = new Set(drills.map(({ promise }) => promise))
  for (const [number, file] of Object.entries(testedBy)) {
    expect(numbers).toContain(Number(number))
    expect(existsSync(join(import.meta.dirname, '..', file)), file).toBe(true)
  }
})

/** Those whose short form takes seconds; `npm run test:whole` runs the others. */
const quick = [29]

for (const drill of own)
  test(`${drill.promise}: ${drill.summary}`, { tags: quick.includes(drill.promise) ? [] : ['whole'] }, async () => {
    const logged: string[] = []
    const result = await runDrill(drill, { short: true, log: text => void logged.push(text) })
    expect(passes(result), [JSON.stringify(result), ...logged].join('\n')).toBe(true)
  })
