import { expect, test } from 'vitest'
import { sendEach } from './sendEach.ts'

/** Calls that are answered when the test says so. */
function server() {
  const open = new Map<number, { take: () => void; refuse: (why: string) => void }>()
  let most = 0
  return {
    open,
    most: () => most,
    send: (item: number) =>
      new Promise<void>((resolve, reject) => {
        open.set(item, {
          take: () => void (open.delete(item), resolve()),
          refuse: why => void (open.delete(item), reject(new Error(why))),
        })
        most = Math.max(most, open.size)
      }),
  }
}
const log = () => {
  const lines: string[] = []
  return {
    lines,
    listener: {
      began: (item: number) => void lines.push(`${item} began`),
      done: (item: number) => void lines.push(`${item} done`),
      refused: (item: number, error: unknown) => void lines.push(`${item} ${(error as Error).message}`),
    },
  }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

test('no more are under way than asked for, and each has its own outcome', async () => {
  const { send, open, most } = server()
  const { lines, listener } = log()
  const all = sendEach([1, 2, 3, 4], send, listener, { atOnce: 2 })
  await turn()
  expect([...open.keys()]).toEqual([1, 2])
  open.get(2)?.refuse('the day is full')
  await turn()
  open.get(3)?.take()
  await turn()
  open.get(1)?.take()
  open.get(4)?.take()
  await all
  expect(lines.filter(line => !line.endsWith('began'))).toEqual(['2 the day is full', '3 done', '1 done', '4 done'])
  expect(most()).toBe(2)
})

test('after a stop nothing is begun, and what was under way ends', async () => {
  const { send, open } = server()
  const { lines, listener } = log()
  let stopped = false
  const all = sendEach([1, 2, 3], send, listener, { atOnce: 1, isStopped: () => stopped })
  await turn()
  stopped = true
  open.get(1)?.take()
  await all
  expect(lines).toEqual(['1 began', '1 done'])
})

test('nothing to send is done at once', async () => {
  await sendEach([], () => Promise.reject(new Error('asked')), log().listener, { atOnce: 4 })
})
