/** Work that takes a core for a while is done in turn, so that scans are answered beside it (QUALITY 24). */
import { Failure } from '#domain/failure.ts'

/** Waiting in all and for one account. */
const waitingAtMost = 20
const perAccount = 3

/**
 * Does the work when it is its turn. More than three for one account, or a queue of twenty, is the failure
 * `request.too_many`: it can be asked again in a moment.
 */
export type Turns = <T>(account: number, work: () => Promise<T>) => Promise<T>

/** A queue of which so many are worked on at once. */
export function openTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  const asked = new Map<number, number>()
  let working = 0
  return async (account, work) => {
    const own = asked.get(account) ?? 0
    if (own >= perAccount || waiting.length >= waitingAtMost) throw new Failure('request.too_many', { seconds: 5 })
    asked.set(account, own + 1)
    try {
      // whoever ends hands its place over, so that nobody who comes between takes it
      if (working >= atOnce) await new Promise<void>(go => waiting.push(go))
      else working++
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else working--
      }
    } finally {
      const left = (asked.get(account) ?? 1) - 1
      if (left > 0) asked.set(account, left)
      else asked.delete(account)
    }
  }
}

/** What this process does one after the other, whoever asks. */
export const inTurn = openTurns(1)
