import { isPrerendering } from './prerendering.ts'

/** How long code may run before it yields, in ms: clicks and keys wait that long. */
const stretchMs = 10
let since = 0

const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }

/** Yields between two pieces of work, so that the page can paint and handle input, when the last yield was a while ago. */
export async function breakForPage(): Promise<void> {
  if (isPrerendering || performance.now() - since < stretchMs) return
  await (scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve)))
  since = performance.now()
}
