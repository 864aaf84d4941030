/**
 * The service worker of the screens that open without a network (docs/decisions/0072). It answers three things and nothing else: the
 * files of these screens from its cache; their texts from the server, else from its cache; and a page at one of their addresses from
 * the server, else from the shell, which holds nobody's answers. No call passes through it: calls are POST, or at addresses that it
 * leaves alone.
 */
import { addPlugins, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { type OfflineBuild, opensOffline, shellPath, type WorkerMessage } from '#contract/offline.ts'
import { isOfBuild, isText, renewNonces, textPath } from './shell.ts'

declare const __OFFLINE__: OfflineBuild
const { build, files, texts } = __OFFLINE__

/** The part of a service worker's scope that is used here; the compiler knows pages only. */
type WorkerScope = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly unknown[]> }
  skipWaiting(): Promise<void>
  addEventListener(kind: 'activate', listener: (event: Extendable) => void): void
  addEventListener(kind: 'install', listener: (event: Installation) => void): void
  addEventListener(
    kind: 'message',
    listener: (event: Extendable & { data: WorkerMessage; ports: readonly MessagePort[] }) => void,
  ): void
}
type Extendable = { waitUntil(work: Promise<unknown>): void }
/** Static routing rules that bypass the worker, where the browser supports them. */
type Installation = Extendable & { addRoutes?: (routes: readonly Route[]) => Promise<void> }
type Route = { condition: { requestMethod: string } | { urlPattern: string }; source: 'network' }
const worker = self as unknown as WorkerScope

/** A page that does not come within this time comes from the shell, in ms: at the edge of a network it might never come. */
const pageTimeoutMs = 5000
const textTimeoutS = 5
const textCache = 'wheelhouse.texts'

// all or nothing: with one that may not be kept, the version before stays
addPlugins([
  {
    cacheWillUpdate: async ({ request, response }) =>
      (await isOfBuild(new URL(request.url).pathname, response, build)) ? response : null,
  },
])
precacheAndRoute(
  [...files.map(url => ({ url, revision: null })), { url: shellPath, revision: build }],
  // an address is what it says
  { directoryIndex: '', cleanURLs: false, ignoreURLParametersMatching: [] },
)

// Calls don't wait until the worker is started. Nor do they keep it at work: the worker of a new version begins once this one has nothing to do.
worker.addEventListener('install', event => {
  const past: readonly Route['condition'][] = [
    { requestMethod: 'POST' },
    ...['/gsc', '/live', '/images/*', '/health/*'].map(urlPattern => ({ urlPattern })),
  ]
  const added = event.addRoutes?.(past.map(condition => ({ condition, source: 'network' })))
  if (added) event.waitUntil(added.catch(() => {}))
})

worker.addEventListener('activate', event =>
  event.waitUntil(worker.registration.navigationPreload.enable().catch(() => {})),
)

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isText(url.pathname, texts),
  new NetworkFirst({ cacheName: textCache, networkTimeoutSeconds: textTimeoutS }),
)

type Navigation = { request: Request; url: URL; event: unknown }

/** The page from the server, which the browser requested while the worker was starting. */
async function fromServer({ request, event }: Navigation): Promise<Response> {
  const preloaded = await (event as { preloadResponse?: Promise<Response | undefined> }).preloadResponse
  return preloaded ?? fetch(request)
}

registerRoute(
  ({ request }) => request.mode === 'navigate',
  async navigation => {
    const page = fromServer(navigation)
    if (!opensOffline(navigation.url.pathname)) return page
    const late = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), pageTimeoutMs))
    const answered = await Promise.race([page.catch(() => undefined), late])
    // a proxy answers while no portal does
    const isThere = answered && !(answered.status >= 502 && answered.status <= 504)
    if (isThere) return answered
    const shell = await matchPrecache(shellPath)
    return shell ? renewNonces(shell) : page
  },
)

/** The texts of these screens in one language; those of another go. */
async function keepTexts(language: string): Promise<void> {
  const cache = await caches.open(textCache)
  const wanted = texts.map(name => textPath(language, name))
  await Promise.allSettled(wanted.map(path => cache.add(path)))
  const kept = await cache.keys()
  await Promise.all(kept.filter(({ url }) => !wanted.includes(new URL(url).pathname)).map(text => cache.delete(text)))
}

/** Takes over from the version before, whose files go by that: only for the one page that is open. */
async function takeOver(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length <= 1) await worker.skipWaiting()
}

worker.addEventListener('message', event => {
  const { data: message, ports } = event
  if (message.kind === 'texts') event.waitUntil(keepTexts(message.language))
  if (message.kind === 'take') event.waitUntil(takeOver())
  if (message.kind === 'build') ports[0]?.postMessage(build)
})
