/** What a screen waits for only so long: a slow answer is not lost, but work goes on without it. */

/** How long, in ms. */
const patienceMs = 1500

/** What a promise answers in time; `undefined`: not yet. Rejects as it does. */
export function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), patienceMs))])
}
