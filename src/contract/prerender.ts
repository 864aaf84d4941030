/**
 * The agreement of server, build and browser about pages that come with their screen (docs/decisions/0076): the process that renders
 * screens, and the script that hands such a page over to the portal.
 */
import type { LanguageIso } from '#domain/people/account.ts'

/** The element with the rendered screen, beside the portal's own `root`. */
export const prerenderedId = 'prerendered'
/** The attribute of `<html>` that says for which width the screen was rendered: `phone` or `desk`. */
export const prerenderedFor = 'data-prerendered'
/** The attribute of `<html>` of a page in the language of its browser: one that was chosen on the device wins. */
export const guessedLanguage = 'data-guessed-language'
/** The template with what starts the portal, where nothing of that is to be fetched before the screen is painted. */
export const afterScreen = 'after-screen'

/** The event of a page by which the portal says that it listens for scans. */
export const scanListenerReady = 'wheelhouse:scans-heard'

/** A screen to render: for the account that is signed in, else that of the sign-in. */
export type PrerenderJob = {
  readonly job: number
  /** The address, with what it asks for. */
  readonly url: string
  readonly language: LanguageIso
  /** The namespaces of its texts, as far as they are known. */
  readonly texts: readonly string[]
  /** The device is a phone, else it stands on a desk. */
  readonly phone: boolean
  /** The browser takes the address for secure. */
  readonly secure: boolean
  /** For the styles of the page. */
  readonly nonce: string
}

/** A message to the process: a job to render, or the answer to a request of the running job. */
export type ToRenderer = PrerenderJob | { readonly request: number; readonly status: number; readonly text: string }

/** A screen's request to the server. */
export type RendererRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string | undefined
}

/** A message from the process: that it is ready; a request of the running job; or its end. `null`: this screen can't be rendered here. */
export type FromRenderer =
  | { readonly ready: true }
  | ({ readonly job: number; readonly request: number } & RendererRequest)
  | { readonly job: number; readonly html: string | null; readonly problem?: string }
