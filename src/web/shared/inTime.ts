/** Waits with a limit: a slow answer is not lost, but work goes on without it. */

/** How long, in ms. */
const patienceMs = 1500

/** Resolves to the promise's value if it comes in time, else to `undefined`. Rejects as the promise does. */
export function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), patienceMs))])
}
