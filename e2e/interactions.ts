/**
 * How long the page takes to show what a click, a tap or a key did: interaction to next paint, over all journeys of a run. `npm test` prints it
 * (bin/lib/interactions.mjs). No test fails for it: the journeys share the machine with each other.
 */
import { appendFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** What is shorter than this, in ms, browsers do not report one by one. */
const shortest = 16

type Interaction = { readonly id: string; readonly ms: number; readonly what: string }

/** Notes the interactions with a page, in all its documents. Returns how to hand them in, once the page is done with. */
export async function noteInteractions(page: Page): Promise<() => void> {
  const file = process.env.WHEELHOUSE_INTERACTIONS
  if (!file) return () => {}
  const longest = new Map<string, Interaction>()
  const counts = new Map<number, number>()
  await page.exposeBinding('noteInteraction', (_, document: number, count: number, one: Interaction) => {
    counts.set(document, Math.max(count, counts.get(document) ?? 0))
    // a click is several events, and is over with the last of them
    if (one.ms > (longest.get(one.id)?.ms ?? 0)) longest.set(one.id, one)
  })
  await page.addInitScript(least => {
    const { noteInteraction } = window as unknown as { noteInteraction(...of: unknown[]): void }
    const watching = new PerformanceObserver(list => {
      for (const { interactionId, duration, name } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId)
          noteInteraction(
            performance.timeOrigin,
            (performance as unknown as { interactionCount: number }).interactionCount,
            {
              id: `${performance.timeOrigin} ${interactionId}`,
              ms: duration,
              what: `${name} at ${location.pathname}`,
            },
          )
    })
    watching.observe({ type: 'event', durationThreshold: least, buffered: true } as PerformanceObserverInit)
  }, shortest)
  return () => {
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0)
    const slow = [...longest.values()].map(({ ms, what }) => ({ ms, what }))
    if (count > 0) appendFileSync(file, `${JSON.stringify({ count, slow })}\n`)
  }
}
