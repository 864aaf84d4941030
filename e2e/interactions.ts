/**
 * How long the page takes to show what a click, a tap or a key did: interaction to next paint, over all journeys of a run. `npm test` prints it
 * (bin/lib/interactions.mjs). No test fails for it: the journeys share the machine with each other.
 */
import { appendFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** Browsers report no interaction that was shorter than this, in ms. */
const shortest = 16

type Interaction = { readonly id: string; readonly ms: number; readonly what: string }

/**
 * Notes the interactions with a page, in all its documents, except keys on screens of the warehouse: those are a scanner's, with times of
 * their own (scanner.ts). Returns how to hand them in, once the page is done with.
 */
export async function noteInteractions(page: Page): Promise<() => void> {
  const file = process.env.WHEELHOUSE_INTERACTIONS
  if (!file) return () => {}
  const longest = new Map<string, Interaction>()
  await page.exposeBinding('noteInteraction', (_, interaction: Interaction) => {
    // a click is several events, and is over with the last of them
    if (interaction.ms > (longest.get(interaction.id)?.ms ?? 0)) longest.set(interaction.id, interaction)
  })
  await page.addInitScript(least => {
    const { noteInteraction } = window as unknown as { noteInteraction(one: Interaction): void }
    const watching = new PerformanceObserver(list => {
      for (const { interactionId, duration, name } of list.getEntries() as PerformanceEventTiming[])
        if (interactionId && !(name.startsWith('key') && location.pathname.startsWith('/admin')))
          noteInteraction({
            id: `${performance.timeOrigin} ${interactionId}`,
            ms: duration,
            what: `${name} at ${location.pathname}`,
          })
    })
    watching.observe({ type: 'event', durationThreshold: least, buffered: true } as PerformanceObserverInit)
  }, shortest)
  return () => appendFileSync(file, [...longest.values()].map(({ ms, what }) => `${ms} ${what}\n`).join(''))
}
