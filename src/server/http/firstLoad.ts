/**
 * What the first screen of a page needs, named in the page itself: fonts, scripts, styles and texts, as the build lists them for each address
 * (vite.config.ts), and for somebody signed in the two answers that every screen begins with. The browser fetches all of it at
 * once, instead of each part when the one before it has run.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Call } from '#contract/call.ts'
import { cameraRoot, isCameraPath } from '#domain/camera.ts'
import { escapeHtml } from '#domain/html.ts'
import { firstLoadName } from '#contract/firstLoad.ts'
import { users } from '#contract/session.ts'
import { site } from '#contract/site.ts'
import { cookieName } from '../features/session/sessions.ts'

type Files = {
  readonly fonts?: readonly string[]
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** Namespaces of the dictionary. */
  readonly texts: readonly string[]
}
type Build = {
  readonly login: Files
  readonly portal: Files
  /** What a screen has more where it is in the document with the camera. */
  readonly camera: Files
  readonly screens: Readonly<Record<string, Files>>
}

const meta = (first: unknown): string => `<meta name="${firstLoadName}" content="${escapeHtml(JSON.stringify(first))}">`

/** The head of the page that devices keep: nothing in it is of whoever asks. */
export const shellLoad = meta({ texts: ['nav'], shell: true })

/** The headers of a page's request that say who asks, and from where. */
const ofCaller = [
  'host',
  'cookie',
  'user-agent',
  'accept-language',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

/** Returns the tags for the head of a page. `folder` holds the built web application. */
export function openFirstLoads(app: FastifyInstance, folder: string): (request: FastifyRequest) => Promise<string> {
  const build = JSON.parse(readFileSync(`${folder}/firstLoad.json`, 'utf8')) as Build

  /** The answer that the page's own call would get; undefined when it is refused. */
  const answerTo = async (call: Call, request: FastifyRequest): Promise<unknown> => {
    const headers = Object.fromEntries(
      ofCaller.flatMap(name => {
        const value = request.headers[name]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
    const { statusCode, payload } = await app.inject({
      method: call.method,
      url: call.path,
      headers: { ...headers, accept: 'application/json' },
      remoteAddress: request.socket.remoteAddress ?? request.ip,
      ...(call.method === 'POST' && { payload: {} }),
    })
    return statusCode === 200 ? (JSON.parse(payload) as unknown) : undefined
  }

  const partsOf = (path: string) =>
    isCameraPath(path) ? [build.screens[path.slice(cameraRoot.length)], build.camera] : [build.screens[path]]

  return async request => {
    const signedIn = await signedInAnswers(request)
    const [path = ''] = request.url.split('?', 1)
    const parts = signedIn ? [build.portal, ...partsOf(path)] : [build.login]
    const of = (kind: keyof Files) => [...new Set(parts.flatMap(part => part?.[kind] ?? []))]
    const first = { texts: of('texts'), ...(signedIn && { answers: signedIn.answers }) }
    const texts = signedIn ? ['common', ...first.texts].map(name => `/locales/${signedIn.language}/${name}.json`) : []
    return [
      ...of('fonts').map(file => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
      ...of('scripts').map(file => `<link rel="modulepreload" crossorigin href="/${file}">`),
      ...of('styles').map(file => `<link rel="preload" as="style" crossorigin href="/${file}">`),
      ...texts.map(path => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`),
      meta(first),
    ].join('')
  }

  async function signedInAnswers(request: FastifyRequest) {
    if (!request.cookies[cookieName(request.protocol)]) return undefined
    const [session, config] = await Promise.all([answerTo(users.loginstate, request), answerTo(site.gsc, request)])
    const state = users.loginstate.output.safeParse(session)
    if (!state.data?.isAuthenticated || config === undefined) return undefined
    return { answers: { session, site: config }, language: state.data.lang_iso }
  }
}
