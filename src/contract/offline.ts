/** The agreement of server, build and browser about the screens that open without a network (docs/decisions/0072). */

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

/** The build's data about them: `offline.json`, from which the service worker is made. */
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

/** Messages from a page to the worker: its language; that the new version may take over; and the question which version that is. */
export type WorkerMessage = { kind: 'texts'; language: string } | { kind: 'take' } | { kind: 'build' }
