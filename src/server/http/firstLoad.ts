/**
 * What the first screen of a page needs, named in the page itself: fonts, scripts, styles and texts, as the build lists them for each address
 * (vite.config.ts), and for somebody signed in the two answers that every screen begins with. The browser fetches all of it at
 * once, instead of each part when the one before it has run.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cameraRoot, isCameraPath } from '#domain/camera.ts'
import { firstLoadName } from '#contract/firstLoad.ts'
import { users } from '#contract/session.ts'
import { site } from '#contract/site.ts'
import { cookieName } from '../features/session/sessions.ts'
import type { RendererRequest } from '#contract/prerender.ts'
import type { AnswerRequest, Prerender } from './prerender.ts'

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

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', "'": '&#39;' }

/** In single quotes, of which JSON has few. */
const meta = (first: unknown): string =>
  `<meta name="${firstLoadName}" content='${JSON.stringify(first).replaceAll(/[&<']/g, sign => entities[sign] ?? sign)}'>`

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

/** A rendered screen, in which language and for which width. */
export type Screen = { readonly html: string; readonly language: string; readonly width: 'phone' | 'desk' }

/** What a page holds for its first screen: tags, and the screen itself where it could be rendered. */
export type FirstLoad = {
  /** Fonts and styles: without them no screen is painted. */
  readonly looks: string
  /** What starts the portal. It follows a screen, and else belongs into the head. */
  readonly portal: string
  readonly screen: Screen | null
}

/** Whether a browser says that it is a phone's. */
const isPhone = ({ headers }: FastifyRequest): boolean =>
  headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')

/** Whether a browser takes the page's address for secure: https, or its own machine. */
const isSecure = ({ protocol, hostname }: FastifyRequest): boolean =>
  protocol === 'https' || /^(?:.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)

/** Returns what is put into a page. `folder` holds the built web application; without `prerender` screens are left to the browser. */
export function openFirstLoads(
  app: FastifyInstance,
  { folder, prerender }: { folder: string; prerender: Prerender | null },
): (request: FastifyRequest, nonce: string) => Promise<FirstLoad> {
  const build = JSON.parse(readFileSync(`${folder}/firstLoad.json`, 'utf8')) as Build

  /** The answer that the page's own request would get. */
  const answerTo = async (
    request: FastifyRequest,
    { method, path, body }: RendererRequest,
  ): Promise<{ status: number; text: string }> => {
    const headers = Object.fromEntries(
      ofCaller.flatMap(name => {
        const value = request.headers[name]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
    const { statusCode, payload } = await app.inject({
      method,
      url: path,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      remoteAddress: request.socket.remoteAddress ?? request.ip,
      ...(body !== undefined && { payload: body }),
    })
    return { status: statusCode, text: payload }
  }

  const partsOf = (path: string) =>
    isCameraPath(path) ? [build.screens[path.slice(cameraRoot.length)], build.camera] : [build.screens[path]]

  return async (request, nonce) => {
    const signedIn = await signedInAnswers(request)
    const [path = ''] = request.url.split('?', 1)
    const parts = signedIn ? [build.portal, ...partsOf(path)] : [build.login]
    const screen = signedIn && path in build.screens ? await rendered(request, signedIn, nonce) : null
    const of = (kind: keyof Files) => [...new Set(parts.flatMap(part => part?.[kind] ?? []))]
    const first = {
      texts: of('texts'),
      ...(signedIn && { answers: signedIn.answers }),
      ...(screen && { screen: screen.answers }),
    }
    const texts = signedIn ? ['common', ...first.texts].map(name => `/locales/${signedIn.language}/${name}.json`) : []
    const style = screen ? 'rel="stylesheet"' : 'rel="preload" as="style"'
    return {
      looks: [
        ...of('styles').map(file => `<link ${style} crossorigin href="/${file}">`),
        ...of('fonts').map(file => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
      ].join(''),
      portal: [
        ...of('scripts').map(file => `<link rel="modulepreload" crossorigin href="/${file}">`),
        ...texts.map(path => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`),
        meta(first),
      ].join(''),
      screen:
        signedIn && screen
          ? { html: screen.html, language: signedIn.language, width: isPhone(request) ? 'phone' : 'desk' }
          : null,
    }
  }

  /** The screen at the page's address. What the page holds already is not asked again. */
  function rendered(
    request: FastifyRequest,
    { whose, known }: { whose: string; known: ReadonlyMap<string, string> },
    nonce: string,
  ) {
    const answer: AnswerRequest = async asked => {
      const text = known.get(asked.path)
      return text === undefined ? answerTo(request, asked) : { status: 200, text }
    }
    const screen = { url: request.url, phone: isPhone(request), secure: isSecure(request), nonce }
    return prerender?.render(screen, whose, answer) ?? null
  }

  async function signedInAnswers(request: FastifyRequest) {
    if (!request.cookies[cookieName(request.protocol)]) return undefined
    const [session, config] = await Promise.all(
      [users.loginstate, site.gsc].map(({ method, path }) =>
        answerTo(request, { method, path, ...(method === 'POST' && { body: '{}' }) }),
      ),
    )
    if (session?.status !== 200 || config?.status !== 200) return undefined
    const answers = { session: JSON.parse(session.text) as unknown, site: JSON.parse(config.text) as unknown }
    const state = users.loginstate.output.safeParse(answers.session)
    if (!state.data?.isAuthenticated) return undefined
    const known = new Map([
      [users.loginstate.path, session.text],
      [site.gsc.path, config.text],
    ])
    return { answers, known, whose: `${request.hostname} ${state.data.username}`, language: state.data.lang_iso }
  }
}
