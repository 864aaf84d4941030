import { isPrerendering } from './prerendering.ts'

/** How long code works at a stretch, in ms: what is clicked or typed meanwhile waits as long. */
const stretchMs = 10
let since = 0

const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }

/** Between two pieces of work: lets the page paint and handle what was clicked and typed, where the last break is a while ago. */
export async function breakForPage(): Promise<void> {
  if (isPrerendering || performance.now() - since < stretchMs) return
  await (scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve)))
  since = performance.now()
}
