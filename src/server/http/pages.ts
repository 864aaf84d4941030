/** The web application: its built files, and the one page for every address of a screen. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isCameraPath } from '#domain/warehouse/camera.ts'
import { Failure } from '#domain/failure.ts'
import { escapeHtml } from '#domain/texts/html.ts'
import type { Database } from '../db/database.ts'
import { findSite } from '../features/sites/sites.ts'
import { manifestPath, type OfflineBuild, shellPath, workerPath } from '#contract/offline.ts'
import { afterScreen, guessedLanguage, prerenderedFor, prerenderedId } from '#contract/prerender.ts'
import { type FirstLoad, openFirstLoads, type Screen, shellLoad } from './firstLoad.ts'
import { cameraHeaders } from './headers.ts'
import { manifestOf } from './manifest.ts'
import { openPrerender } from './prerender.ts'
import { sendPieces, sendText } from './reply.ts'
import { subPathNotice } from './subPath.ts'

const folder = fileURLToPath(new URL('../../../dist/web', import.meta.url))
const noncePlaceholder = /__CSP_NONCE__/g
const scriptNoncePlaceholder = '__SCRIPT_NONCE__'
const product = 'Wheelhouse'
/** A home of 434 kB is a fifth shorter than at level 1, and takes 2.4 ms in place of 1.5, beside the thread that answers. */
const pageLevel = 5
const title = `<title>${product}</title>`

/** The nonce for styles in this answer's policy. */
function nonceOf(reply: FastifyReply): string {
  const policy = String(reply.getHeader('content-security-policy')).split(';')
  return /'nonce-([^']+)'/.exec(policy.find(rule => rule.startsWith('style-src')) ?? '')?.[1] ?? ''
}

const mainScript = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/
const preload = /<link rel="modulepreload"[^>]*>/g
const stylesheet = /<link rel="stylesheet"[^>]* href="([^"]+)"[^>]*>/g

/**
 * The page around a screen. Its first script starts the portal once the screen is painted (src/web/prerender/handOver.ts), so nothing that only the portal
 * needs stands before the screen.
 */
function aroundScreen(start: string) {
  const [script = '', main = ''] = mainScript.exec(start) ?? []
  const handOver = readdirSync(`${folder}/assets`).find(name => /^handOver-.*\.js$/.test(name))
  const head = start.replaceAll(preload, '')
  const linked = head.replace(script, `<script src="/assets/${handOver}" data-main="${main}"></script>`)
  const code = readFileSync(`${folder}/assets/${handOver}`, 'utf8')
  const inlined = head
    .replace(script, () => `<script nonce="${scriptNoncePlaceholder}" data-main="${main}">${code}</script>`)
    .replaceAll(
      stylesheet,
      (_, file: string) => `<style nonce="__CSP_NONCE__">${readFileSync(`${folder}${file}`, 'utf8')}</style>`,
    )
  return {
    /** Up to the screen. A stranger's browser has nothing of ours yet: what the sign-in is painted with is in the page itself, and all else comes later. */
    before: ({ language, isGuessed, width }: Screen) => {
      const guess = isGuessed ? ` ${guessedLanguage}=""` : ''
      const page = isGuessed ? inlined : linked
      return page.replace('<html lang="en"', `<html lang="${language}" ${prerenderedFor}="${width}"${guess}`)
    },
    screen: (html: string) => `<div id="${prerenderedId}">${html}</div>`,
    /** The scripts that start the portal, in the order of imports, its first file last. They wait until the screen has its styles and fonts. */
    after: (portal: string, nonced: (html: string) => string) =>
      `<template id="${afterScreen}">${nonced(start.match(preload)?.join('') ?? '')}${portal}<link rel="modulepreload" crossorigin href="${main}"></template>`,
  }
}

const withNonce = (html: string, reply: FastifyReply): string =>
  html.replaceAll(noncePlaceholder, nonceOf(reply)).replaceAll(scriptNoncePlaceholder, reply.cspNonce.script)
const answered = (reply: FastifyReply): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
type Head = { readonly name: string; readonly tags: string; readonly begin: string; readonly notice?: string }
const headOf = (reply: FastifyReply, { name, tags, begin, notice = '' }: Head): string =>
  withNonce(begin, reply)
    .replace('<body>', () => `<body>${notice}`)
    .replace(title, () => `<title>${escapeHtml(name)}</title>`)
    // after the page's own script, which comes first
    .replace('</head>', () => `${tags}</head>`)

type Sites = {
  readonly database: Database
  readonly defaultSite?: string | undefined
  /** How long a page waits for its screen (docs/decisions/0076), in ms; `null`: pages come without their screen. */
  readonly prerenderWait?: number | null
}

/**
 * Serves `dist/web`: assets, whose names change with their content and which browsers cache for ever, and the page for every other
 * address. The page has the site's name, what its first screen needs and a new nonce each time, and is never cached.
 */
export async function mountPages(
  app: FastifyInstance,
  { database, defaultSite, prerenderWait = null }: Sites,
): Promise<void> {
  if (!existsSync(`${folder}/index.html`))
    throw new Error('The web application is not built: run npm start, or npx vite build.')
  const [start = '', end = ''] = readFileSync(`${folder}/index.html`, 'utf8').split(/(?<=<div id="root"><\/div>)/)
  const around = aroundScreen(start)
  const prerender =
    prerenderWait === null
      ? null
      : openPrerender(`${folder}/prerender/renderer.js`, {
          log: problem => app.log.warn({ problem }, 'screen not rendered'),
          wait: prerenderWait,
        })
  app.addHook('onClose', async () => prerender?.close())
  const firstLoadOf = openFirstLoads(app, { folder, prerender })
  /** The site's name: the tab has it before anything is loaded. Without a database the page has the product's. */
  const nameFor = async (host: string): Promise<string> =>
    findSite(database, host, defaultSite).then(
      site => site?.name ?? product,
      () => product,
    )
  /** Sends the page with this in it, as an answer of this moment: with its own nonce, and never cached. */
  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: Omit<Head, 'begin'>) =>
    sendText(request, answered(reply), headOf(reply, { ...page, begin: start }) + end)

  /** The same with its screen. The head is sent before that is made: meanwhile the browser fetches styles and fonts. */
  async function* piecesOf(
    reply: FastifyReply,
    { name, looks, portal, screen, notice }: FirstLoad & { name: string; screen: Screen; notice: string },
  ) {
    yield headOf(reply, { name, tags: looks, begin: around.before(screen), notice })
    const rendered = await screen.made
    // what people have written gets no nonce
    const after = around.after(portal(rendered?.answers), html => withNonce(html, reply))
    yield (rendered ? around.screen(rendered.html) : '') + after + end
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
    const [name, first] = await Promise.all([nameFor(request.hostname), firstLoadOf(request, nonceOf(reply))])
    if (isCameraPath(path)) reply.headers(cameraHeaders(String(reply.getHeader('content-security-policy'))))
    const { looks, portal, screen } = first
    const notice = subPathNotice(request, reply.cspNonce.script, first.isKnown)
    if (!screen) return sendPage(request, reply, { name, tags: looks + portal(), notice })
    return sendPieces(request, answered(reply), piecesOf(reply, { ...first, name, screen, notice }), pageLevel)
  })

  mountOffline(app, { nameFor, sendPage })
}

type Offline = {
  nameFor: (host: string) => Promise<string>
  sendPage: (request: FastifyRequest, reply: FastifyReply, page: Omit<Head, 'begin'>) => Promise<FastifyReply>
}

/**
 * Serves the files that open the screens of the warehouse without a network (docs/decisions/0072): the service worker, the page for it, the
 * same for everybody, and the name of an installed portal. The device fetches each of them anew; none depends on the account.
 */
function mountOffline(app: FastifyInstance, { nameFor, sendPage }: Offline): void {
  const worker = readFileSync(`${folder}/sw.js`, 'utf8')
  const { icons } = JSON.parse(readFileSync(`${folder}/offline.json`, 'utf8')) as OfflineBuild
  app.get(workerPath, async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker),
  )
  app.get(shellPath, { helmet: { enableCSPNonces: true } }, async (request, reply) =>
    sendPage(request, reply, { name: await nameFor(request.hostname), tags: shellLoad }),
  )
  app.get(manifestPath, async (request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(await nameFor(request.hostname), icons))),
  )
}
