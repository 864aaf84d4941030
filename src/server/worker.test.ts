import { expect, test } from 'vitest'
import { startWorker } from './worker.ts'

test('work that fails is reported once, until it succeeds again', async () => {
  const problems: string[] = []
  const outcomes = ['away', 'still away', null, 'away again', 'still away']
  const { promise: allDone, resolve } = Promise.withResolvers<void>()
  const worker = startWorker({
    next() {
      const problem = outcomes.shift()
      if (problem === undefined) resolve()
      return problem ? Promise.reject(new Error(problem)) : Promise.resolve(false)
    },
    onError: problem => problems.push(problem),
    idleMs: 1,
  })
  await allDone
  await worker.stop()
  expect(problems).toEqual(['away', 'away again'])
})
