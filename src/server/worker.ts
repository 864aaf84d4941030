/** Work that waits in a table, such as documents to book and messages to send: a loop in every node does one entry after the other. */
import { setTimeout as sleep } from 'node:timers/promises'

export type Worker = {
  /** Ends running work and resolves when there is none. */
  stop(): Promise<void>
}

type Work = {
  /** Does the entry that has been due longest. Whether there was one, done or not. */
  next: (signal: AbortSignal) => Promise<boolean>
  /** Called once when the table can't be read, until it can again. */
  onError: (problem: string) => void
  /** The pause of a node that found nothing to do, in ms. */
  idleMs?: number
}

/** Does due work from now on. */
export function startWorker({ next, onError, idleMs = 2000 }: Work): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  let failing = false
  const working = (async () => {
    while (!signal.aborted) {
      const more = await next(signal).then(
        done => {
          failing = false
          return done
        },
        (error: Error) => {
          // the database is away: reported once, not after every pause
          if (!failing) onError(error.message)
          failing = true
          return false
        },
      )
      if (!more) await sleep(idleMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

/** Seconds until the next try, after so many: 5, 10, 20 … an hour at most. */
export const retryDelay = (tries: number): number => Math.min(3600, 5 * 2 ** Math.min(tries - 1, 20))

/** Settles as `work` does, or rejects as soon as the signal aborts, even if `work` ignores it. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}

/** A signal after so many ms, or when the other one says so. */
export const timeoutSignal = (ms: number, signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])
