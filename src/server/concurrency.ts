/** Limits how much work that occupies a core runs at once, so that scans are answered in between. */
import { Failure } from '#domain/failure.ts'

/** How many may wait, in all and of one account. */
const queueLimit = 20
const accountLimit = 3

/**
 * Runs the work as soon as there is room. More than three for one account, or a queue of twenty, is the failure
 * `request.too_many`: it can be tried again in a moment.
 */
export type Limiter = <T>(account: number, work: () => Promise<T>) => Promise<T>

/** Lets this many run at once and queues the others, in the order in which they came. */
export function limitConcurrency(concurrency: number): Limiter {
  const queue: (() => void)[] = []
  const perAccount = new Map<number, number>()
  let running = 0
  return async (account, work) => {
    const own = perAccount.get(account) ?? 0
    if (own >= accountLimit || queue.length >= queueLimit) throw new Failure('request.too_many', { seconds: 5 })
    perAccount.set(account, own + 1)
    try {
      // whoever ends hands its slot to the next in the queue, so that a newcomer can't take it
      if (running >= concurrency) await new Promise<void>(resolve => queue.push(resolve))
      else running++
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else running--
      }
    } finally {
      const left = (perAccount.get(account) ?? 1) - 1
      if (left > 0) perAccount.set(account, left)
      else perAccount.delete(account)
    }
  }
}

/** Runs one work at a time in this process, whoever asks. */
export const oneAtATime = limitConcurrency(1)
