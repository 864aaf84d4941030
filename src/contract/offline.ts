/** What server, build and browser agree on for the screens that open without a network (docs/decisions/0072). */

/** The screens that open without a network. Pages at other addresses come from the server or not at all. */
export const offlinePaths = [
  '/admin/intake',
  '/admin/jobs',
  '/admin/locations',
  '/admin/find',
  '/admin/counts',
  '/admin/counts/walk',
] as const

export const opensOffline = (pathname: string): boolean => (offlinePaths as readonly string[]).includes(pathname)

/** The page for these screens that holds nobody's answers. */
export const shellPath = '/shell'
export const workerPath = '/sw.js'
export const manifestPath = '/manifest.webmanifest'

/** What the build knows of them: `offline.json`, and what the service worker is made with. */
export type OfflineBuild = {
  /** The script that a page of this build begins with; another build has another. */
  readonly build: string
  /** The addresses of their scripts, styles, fonts and pictures. */
  readonly files: readonly string[]
  /** The namespaces of their texts. */
  readonly texts: readonly string[]
  /** `whole`: for devices that cut icons to a shape of their own. */
  readonly icons: readonly { readonly src: string; readonly size: number; readonly whole: boolean }[]
}

/** What a page says to the worker: which language it speaks; that the version may be taken; and the question which one that is. */
export type WorkerMessage = { kind: 'texts'; language: string } | { kind: 'take' } | { kind: 'build' }
