/** The answers that the server embeds in this page for its first screen; none in development. */
import { firstLoad, firstLoadName } from '#contract/firstLoad.ts'

// a test has no document
const text = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name="${firstLoadName}"]`)?.content ?? 'null'
const { data } = firstLoad.safeParse(JSON.parse(text))

/** The namespaces of the texts that the first screen shows, besides `common`. */
export const firstTexts = data?.texts ?? []

/** Whether this page was kept on the device, and is shown since none came from the server (docs/decisions/0072). */
export const isShell = data?.shell === true

/** The session, if any, and the site. */
export const firstAnswers = data?.answers

/** How long an embedded answer counts as fresh, in ms since the page was opened. */
const preloadedForMs = 15_000
const given = new Map((data?.screen ?? []).map(({ path, body, text }) => [`${path} ${body}`, text]))

/** The answer to a request that came with the page, once; undefined when there is none. */
export function takePreloaded(path: string, body: string): string | undefined {
  const text = given.get(`${path} ${body}`)
  given.delete(`${path} ${body}`)
  return performance.now() < preloadedForMs ? text : undefined
}
