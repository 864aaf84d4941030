import { expect, test } from 'vitest'
import { inTurn } from './concurrency.ts'

/** Work that ends when it is told to. */
function held() {
  let end = (): void => {}
  const done = new Promise<void>(resolve => (end = resolve))
  return { done, end }
}

test('work is done one at a time, in the order in which it was asked for', async () => {
  const order: string[] = []
  const [first, second] = [held(), held()]
  const all = [
    inTurn(1, async () => {
      order.push('first begins')
      await first.done
      order.push('first ends')
    }),
    inTurn(2, async () => {
      order.push('second begins')
      await second.done
    }),
    inTurn(1, async () => void order.push('third begins')),
  ]
  await Promise.resolve()
  expect(order).toEqual(['first begins'])
  first.end()
  await all[0]
  second.end()
  await Promise.all(all)
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'third begins'])
})

test('work that fails gives its turn on', async () => {
  await expect(inTurn(1, () => Promise.reject(new Error('no paper')))).rejects.toThrow('no paper')
  expect(await inTurn(1, async () => 'next')).toBe('next')
})

test('one account waits with three at most, and is free again when they are done', async () => {
  const work = held()
  const three = [1, 2, 3].map(() => inTurn(7, () => work.done))
  await expect(inTurn(7, async () => 'fourth')).rejects.toThrow('request.too_many')
  const other = inTurn(8, async () => 'another account')
  work.end()
  await Promise.all(three)
  expect(await other).toBe('another account')
  expect(await inTurn(7, async () => 'again')).toBe('again')
})

test('a queue that is full refuses, whoever asks', async () => {
  const work = held()
  const all = Array.from({ length: 21 }, (_, nth) => inTurn(100 + nth, () => work.done))
  await expect(inTurn(999, async () => 'late')).rejects.toThrow('request.too_many')
  work.end()
  await Promise.all(all)
})
