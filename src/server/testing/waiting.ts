/** How tests wait for what another process or connection does. None of it depends on how busy the machine is. */
import { setTimeout as pause } from 'node:timers/promises'

/** For `vi.waitFor` and `vi.waitUntil`, in ms: how long something may take that has to happen, but not in a given time. */
export const pollOptions = { timeout: 60_000, interval: 20 } as const

/**
 * Waits for what has to hold `ms` milliseconds from now at the latest. What counts is when a check began: one that begins later
 * has to find it so, however long its answer takes.
 */
export async function waitUntil(ms: number, condition: () => Promise<boolean>): Promise<void> {
  const since = performance.now()
  for (;;) {
    const elapsed = performance.now() - since
    if (await condition()) return
    if (elapsed > ms) throw new Error(`condition not met after ${Math.round(elapsed)} ms later`)
    await pause(pollOptions.interval)
  }
}
