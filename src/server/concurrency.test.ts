import { expect, test } from 'vitest'
import { oneAtATime } from './concurrency.ts'

/** Work that ends on command. */
function pendingWork() {
  let end = (): void => {}
  const done = new Promise<void>(resolve => (end = resolve))
  return { done, end }
}

test('work is done one at a time, in the order of the requests', async () => {
  const order: string[] = []
  const [first, second] = [pendingWork(), pendingWork()]
  const all = [
    oneAtATime(1, async () => {
      order.push('first begins')
      await first.done
      order.push('first ends')
    }),
    oneAtATime(2, async () => {
      order.push('second begins')
      await second.done
    }),
    oneAtATime(1, async () => void order.push('third begins')),
  ]
  await Promise.resolve()
  expect(order).toEqual(['first begins'])
  first.end()
  await all[0]
  second.end()
  await Promise.all(all)
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'third begins'])
})

test('work that fails lets the next one run', async () => {
  await expect(oneAtATime(1, () => Promise.reject(new Error('no paper')))).rejects.toThrow('no paper')
  expect(await oneAtATime(1, async () => 'next')).toBe('next')
})

test('one account has three at most, and may start more when they are done', async () => {
  const work = pendingWork()
  const three = [1, 2, 3].map(() => oneAtATime(7, () => work.done))
  await expect(oneAtATime(7, async () => 'fourth')).rejects.toThrow('request.too_many')
  const other = oneAtATime(8, async () => 'another account')
  work.end()
  await Promise.all(three)
  expect(await other).toBe('another account')
  expect(await oneAtATime(7, async () => 'again')).toBe('again')
})

test('a full queue refuses every account', async () => {
  const work = pendingWork()
  const all = Array.from({ length: 21 }, (_, nth) => oneAtATime(100 + nth, () => work.done))
  await expect(oneAtATime(999, async () => 'late')).rejects.toThrow('request.too_many')
  work.end()
  await Promise.all(all)
})
