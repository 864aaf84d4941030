/** The data that the server puts into a page for its first screen: the `meta` of this name, as JSON. */
import { z } from 'zod'
import { users } from './session.ts'
import { site } from './sites.ts'

export const firstLoadName = 'first-load'

/** An answer that came with the page, by the request that asks for it. */
const pageAnswer = z.object({ path: z.string(), body: z.string(), text: z.string() })
export type PageAnswer = z.output<typeof pageAnswer>

export const firstLoad = z.object({
  /** The namespaces of the texts that the screen shows, besides `common`. */
  texts: z.array(z.string()).max(50),
  /** The page is kept on a device for when there is no network (docs/decisions/0072), and holds nobody's answers. */
  shell: z.literal(true).optional(),
  /** The session and the site. For strangers only where the page comes with its screen. */
  answers: z.object({ session: users.loginstate.output, site: site.gsc.output }).optional(),
  /** The answers to the screen's first requests, where they came with the page. */
  screen: z.array(pageAnswer).optional(),
})
