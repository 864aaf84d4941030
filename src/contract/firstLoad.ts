/** What the server puts into a page for its first screen: the `meta` of this name, as JSON. */
import { z } from 'zod'
import { users } from './session.ts'
import { site } from './site.ts'

export const firstLoadName = 'first-load'

export const firstLoad = z.object({
  /** The namespaces of the texts that the screen shows, besides `common`. */
  texts: z.array(z.string()).max(50),
  /** The page is kept on a device for when there is no network (docs/decisions/0072), and holds nobody's answers. */
  shell: z.literal(true).optional(),
  /** Only for somebody who is signed in. */
  answers: z.object({ session: users.loginstate.output, site: site.gsc.output }).optional(),
})
