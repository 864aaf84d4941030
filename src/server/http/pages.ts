/** The web application: its built files, and the one page for every address of a screen. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isCameraPath } from '#domain/camera.ts'
import { Failure } from '#domain/failure.ts'
import { escapeHtml } from '#domain/html.ts'
import type { Database } from '../db/database.ts'
import { findSite } from '../features/sites/sites.ts'
import { manifestPath, type OfflineBuild, shellPath, workerPath } from '#contract/offline.ts'
import { openFirstLoads, shellLoad } from './firstLoad.ts'
import { cameraHeaders } from './headers.ts'
import { manifestOf } from './manifest.ts'

const folder = fileURLToPath(new URL('../../../dist/web', import.meta.url))
const noncePlaceholder = /__CSP_NONCE__/g
const product = 'Wheelhouse'
const title = `<title>${product}</title>`

type Sites = { readonly database: Database; readonly defaultSite?: string | undefined }

/**
 * Serves `dist/web`: assets, whose names change with their content and which browsers cache for ever, and the page for every other
 * address. The page has the site's name, what its first screen needs and a new nonce each time, and is never cached.
 */
export async function mountPages(app: FastifyInstance, { database, defaultSite }: Sites): Promise<void> {
  if (!existsSync(`${folder}/index.html`))
    throw new Error('The web application is not built: run npm start, or npx vite build.')
  const page = readFileSync(`${folder}/index.html`, 'utf8')
  const firstLoadOf = openFirstLoads(app, folder)
  /** The site's name: the tab has it before anything is loaded. Without a database the page has the product's. */
  const nameFor = async (host: string): Promise<string> =>
    findSite(database, host, defaultSite).then(
      site => site?.name ?? product,
      () => product,
    )
  /** Sends the page with this in its head, as an answer of this moment: with its own nonce, and never cached. */
  const sendPage = (reply: FastifyReply, { name, head }: { name: string; head: string }) => {
    const policy = String(reply.getHeader('content-security-policy')).split(';')
    // the nonce for styles in this answer's policy; scripts are our own files and need none
    const nonce = /'nonce-([^']+)'/.exec(policy.find(rule => rule.startsWith('style-src')) ?? '')?.[1] ?? ''
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        page
          .replaceAll(noncePlaceholder, nonce)
          .replace(title, () => `<title>${escapeHtml(name)}</title>`)
          // after the page's own script, which comes first
          .replace('</head>', () => `${head}</head>`),
      )
  }

  await app.register(files, {
    root: `${folder}/assets`,
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    index: false,
    // a route for each file: any other name, however malformed, is the usual 404
    wildcard: false,
  })
  app.get('/assets/*', async () => {
    throw new Failure('request.route_missing')
  })

  // only the page has styles that need a nonce
  app.get('/*', { helmet: { enableCSPNonces: true } }, async (request, reply) => {
    // a program that asks for anything but the start gets 404, not the page
    const wantsPage = request.url === '/' || (request.headers.accept ?? '').includes('text/html')
    if (!wantsPage) throw new Failure('request.route_missing')
    const [path = ''] = request.url.split('?', 1)
    const [name, head] = await Promise.all([nameFor(request.hostname), firstLoadOf(request)])
    if (isCameraPath(path)) reply.headers(cameraHeaders(String(reply.getHeader('content-security-policy'))))
    return sendPage(reply, { name, head })
  })

  mountOffline(app, { nameFor, sendPage })
}

type Offline = {
  nameFor: (host: string) => Promise<string>
  sendPage: (reply: FastifyReply, page: { name: string; head: string }) => FastifyReply
}

/**
 * What a device keeps to open the screens of the warehouse without a network (docs/decisions/0072): the service worker, the page for it, the
 * same for everybody, and what an installed portal is called. The device asks anew for each of them; none depends on who asks.
 */
function mountOffline(app: FastifyInstance, { nameFor, sendPage }: Offline): void {
  const worker = readFileSync(`${folder}/sw.js`, 'utf8')
  const { icons } = JSON.parse(readFileSync(`${folder}/offline.json`, 'utf8')) as OfflineBuild
  app.get(workerPath, async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker),
  )
  app.get(shellPath, { helmet: { enableCSPNonces: true } }, async (request, reply) =>
    sendPage(reply, { name: await nameFor(request.hostname), head: shellLoad }),
  )
  app.get(manifestPath, async (request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(await nameFor(request.hostname), icons))),
  )
}
