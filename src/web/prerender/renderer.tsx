/**
 * Renders screens to HTML, in a process of its own without secrets or a database (src/server/http/prerender.ts): the server answers a screen's calls
 * as it would answer the browser of the signed-in account. One page at a time, and nothing is kept of it.
 */
// first: imports run in this order. Schemas are compiled here, unlike in a page (noEval.ts).
import { setDevice } from './environment.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import type { LanguageIso } from '#domain/people/account.ts'
import { prerenderedId, type FromRenderer, type PrerenderJob, type ToRenderer } from '#contract/prerender.ts'
import { i18n, textsReady } from '../i18n.ts'
import Login from '../login/login.tsx'
import Portal from '../portal.tsx'
import { router } from '../routes.tsx'
import { queryClient } from '../shared/api.ts'
import { isOfCustomer } from '../customers/switch.ts'
import {
  isFullConfig,
  ofCustomer,
  openFleet,
  sessionQuery,
  SiteContext,
  siteQuery,
  WhoContext,
} from '../shared/session.ts'
import { resolver, theme } from '../theme.ts'

// a page does not wait for a second try
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })

/** The most renderings of a screen: each may start fetches for which the answers of the one before were needed. */
const maxPasses = 4

let running: PrerenderJob | undefined
let requests = 0
const waiting = new Map<number, (response: Response) => void>()

const tell = (message: FromRenderer): void => void process.send?.(message)

globalThis.fetch = async (input, { method = 'GET', body } = {}) => {
  // while the code is loaded: a page's texts are fetched for it
  if (!running || typeof input !== 'string') return new Response('{}')
  const request = ++requests
  const answered = new Promise<Response>(resolve => waiting.set(request, resolve))
  tell({
    job: running.job,
    request,
    method: method === 'POST' ? 'POST' : 'GET',
    path: input,
    ...(typeof body === 'string' && { body }),
  })
  return answered
}

process.on('message', (message: ToRenderer) => {
  if ('request' in message) {
    const { request, status, text } = message
    waiting.get(request)?.(new Response(text, { status }))
    waiting.delete(request)
    return
  }
  running = message
  render(message).then(
    html => tell({ job: message.job, html }),
    (error: unknown) =>
      tell({ job: message.job, html: null, problem: error instanceof Error ? String(error.stack) : String(error) }),
  )
})

tell({ ready: true })

async function render({ url, language, texts, phone, secure, nonce }: PrerenderJob): Promise<string | null> {
  queryClient.clear()
  const [session, site] = await Promise.all([
    queryClient.fetchQuery(sessionQuery),
    queryClient.fetchQuery(siteQuery),
    readTexts(language, texts),
  ])
  // only the tab knows for which customer it acts
  if (session.isAuthenticated && session.type === 'admin' && isOfCustomer(router, new URL(url, 'http://page').pathname))
    return null
  setDevice({ phone, secure, timeZone: isFullConfig(site) ? site.time_zone : 'UTC' })
  const page = (screen: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolver}
        // the page's first script sets the scheme of the device (handOver.ts)
        defaultColorScheme="light"
        getRootElement={() => undefined}
        getStyleNonce={() => nonce}
      >
        <SiteContext value={site}>{screen}</SiteContext>
      </MantineProvider>
    </QueryClientProvider>
  )
  if (!session.isAuthenticated) return withStyles(await htmlOf(page(<SignInScreen />)), nonce)
  if (session.type === 'user') await openFleet(ofCustomer(null)).catch(() => {})
  for (let pass = 1; ; pass++) {
    router.update({
      ...router.options,
      history: createMemoryHistory({ initialEntries: [url] }),
      context: { who: session, site: isFullConfig(site) ? site : null },
    })
    await router.load()
    const html = await htmlOf(
      page(
        <WhoContext value={session}>
          <Portal />
        </WhoContext>,
      ),
    )
    const pending = queryClient
      .getQueryCache()
      .findAll({ predicate: ({ state, options }) => state.status === 'pending' && isEnabled(options) })
    if (pending.length === 0 || pass === maxPasses) return withStyles(html, nonce)
    // one that is refused shows its error where the portal shows it, too
    await Promise.all(pending.map(query => query.fetch().catch(() => {})))
  }
}

/** The sign-in as a stranger finds it. */
const SignInScreen = () => (
  <Login token={null} onTokenDone={nothing} ending={null} onEnded={nothing} answer={null} onAnswerDone={nothing} />
)
const nothing = () => {}

/** Loads these texts, and drops all others: the previous page was in another language, or of another site. */
async function readTexts(language: LanguageIso, texts: readonly string[]): Promise<void> {
  await textsReady
  for (const loaded of Object.keys(i18n.store.data)) delete i18n.store.data[loaded]
  i18n.services.backendConnector.state = {}
  i18n.options.ns = ['common']
  await i18n.changeLanguage(language)
  await i18n.loadNamespaces([...texts])
}

/** Whether a screen waits for an answer, or would only with something that it does not have yet. */
const isEnabled = (options: object): boolean =>
  !('enabled' in options) || options.enabled === true || options.enabled === undefined

/** @throws what a component has thrown */
async function htmlOf(portal: ReactNode): Promise<string> {
  let problem: unknown
  const { prelude } = await prerender(portal, {
    // all in its place: nothing that a script would have to move
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: error => void (problem ??= error),
  })
  const html = await new Response(prelude).text()
  if (problem !== undefined) throw problem
  return html.replaceAll(/<script>.*?<\/script>/gs, '')
}

/** The characters behind the escapes in an attribute's value. */
const signs: Readonly<Record<string, string>> = { '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/**
 * Moves styles of elements into a style sheet: the Content-Security-Policy allows those in a page that have its nonce, and none in attributes. What
 * people have written holds no such attribute, since in it each `"` is `&quot;`.
 */
function withStyles(html: string, nonce: string): string {
  const styles = new Map<string, number>()
  const marked = html.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const nth = styles.get(style) ?? styles.size
    styles.set(style, nth)
    return ` data-style="${nth}"`
  })
  const rules = [...styles].map(([style, nth]) => {
    const text = style
      .replaceAll(/&(?:quot|#x27|lt|gt|amp);/g, entity => signs[entity] ?? entity)
      .replaceAll('<', '\\3c ')
    return `#${prerenderedId} [data-style="${nth}"]{${text}}`
  })
  return `<style nonce="${nonce}">${rules.join('')}</style>${marked}`
}
