/**
 * Names in the page everything that its first screen needs: fonts, scripts, styles and texts, as the build lists them for each address
 * (vite.config.ts), and the two answers that every screen begins with. The browser fetches all of it at once, instead of each part when the one
 * before it has run.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type LanguageIso, languages } from '#domain/people/account.ts'
import { cameraRoot, isCameraPath } from '#domain/warehouse/camera.ts'
import { linkPath } from '#domain/people/mail.ts'
import { unsubscribePath } from '#domain/people/notice.ts'
import { signOnPath } from '#domain/people/signOn.ts'
import { startOf } from '#domain/start.ts'
import { firstLoadName, type PageAnswer } from '#contract/firstLoad.ts'
import { users } from '#contract/session.ts'
import { site } from '#contract/sites.ts'
import { cookieName } from '../features/session/sessions.ts'
import type { RendererRequest } from '#contract/prerender.ts'
import type { Requester } from '../fairQueue.ts'
import { acceptedLanguage } from './admit.ts'
import { clientAddress } from './clientAddress.ts'
import type { AnswerRequest, Prerender, Prerendered } from './prerender.ts'

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
  /** The further files of a screen in the document with the camera. */
  readonly camera: Files
  readonly screens: Readonly<Record<string, Files>>
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', "'": '&#39;' }

/** In single quotes, of which JSON has few. */
const meta = (first: unknown): string =>
  `<meta name="${firstLoadName}" content='${JSON.stringify(first).replaceAll(/[&<']/g, sign => entities[sign] ?? sign)}'>`

/** The head of the page that devices keep: nothing in it depends on the account. */
export const shellLoad = meta({ texts: ['nav'], shell: true })

const preloadedStyle = 'rel="preload" as="style"'

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

/** The screen that a page comes with, while it is being made. */
export type Screen = {
  readonly language: LanguageIso
  /** Before anybody has signed in the language is what the browser says. */
  readonly isGuessed: boolean
  readonly width: 'phone' | 'desk'
  /** `null`: it is left to the browser after all. */
  readonly made: Promise<Prerendered | null>
}

/** The parts of a page for its first screen: tags, and the screen itself where it may be rendered. */
export type FirstLoad = {
  /** Fonts and styles: without them no screen is painted. */
  readonly looks: string
  /** The tags that start the portal, with the answers its screen was rendered from. They follow a screen, or go into the head without one. */
  readonly portal: (answers?: readonly PageAnswer[]) => string
  readonly screen: Screen | null
  /** Whether the portal has anything at the page's address. */
  readonly isKnown: boolean
}

/** Whether a browser says that it is a phone's. */
const isPhone = ({ headers }: FastifyRequest): boolean =>
  headers['sec-ch-ua-mobile'] === '?1' || /\bMobi/.test(headers['user-agent'] ?? '')

/** Whether a browser takes the page's address for secure: https, or its own machine. */
const isSecure = ({ protocol, hostname }: FastifyRequest): boolean =>
  protocol === 'https' || /^(?:.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)

/** The first answers of a page, and whom they are for. */
type Opening = {
  readonly answers: { readonly session: unknown; readonly site: unknown }
  /** The same as texts, by the path of their call. */
  readonly known: ReadonlyMap<string, string>
  /** The account, which takes turns with others; `null`: nobody is signed in. */
  readonly who: Requester | null
  readonly language: LanguageIso
  /** Where somebody begins whom `/` sends on. */
  readonly start: string
}

/** Addresses that links in messages, or a provider of sign-on, lead to: they don't show the plain sign-in. */
const ofLinks: ReadonlySet<string> = new Set([linkPath, unsubscribePath, signOnPath])

/** Opens the first loads of pages. `folder` holds the built web application; without `prerender` screens are left to the browser. */
export function openFirstLoads(
  app: FastifyInstance,
  { folder, prerender }: { folder: string; prerender: Prerender | null },
): (request: FastifyRequest, nonce: string) => Promise<FirstLoad> {
  const signIns = openSignIns()
  const build = JSON.parse(readFileSync(`${folder}/firstLoad.json`, 'utf8')) as Build
  const signInSheet = build.login.styles.map(file => readFileSync(`${folder}/${file}`, 'utf8')).join('')

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
    const opening = await openingAnswers(request)
    const [address = ''] = request.url.split('?', 1)
    // the browser goes on to that screen by itself
    const path = address === '/' && opening ? opening.start : address
    const parts = opening?.who ? [build.portal, ...partsOf(path)] : [build.login]
    const filesOf = (kind: keyof Files) => [...new Set(parts.flatMap(part => part?.[kind] ?? []))]
    const texts = filesOf('texts')
    const screen = opening ? screenOf(request, path, { opening, texts, nonce }) : null
    const textFiles = opening ? ['common', ...texts].map(name => `/locales/${opening.language}/${name}.json`) : []
    const linked = (how: string) => filesOf('styles').map(file => `<link ${how} crossorigin href="/${file}">`)
    // in the page itself for a stranger, whose browser has nothing of ours yet
    const isSignIn = screen !== null && opening?.who === null
    return {
      isKnown: address === '/' || address in build.screens || ofLinks.has(address) || isCameraPath(address),
      looks: [
        ...(isSignIn
          ? [`<style nonce="${nonce}">${signInSheet}</style>`]
          : linked(screen ? 'rel="stylesheet"' : preloadedStyle)),
        ...filesOf('fonts').map(file => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
      ].join(''),
      portal: answers =>
        [
          // the portal's own code asks for them as files
          ...(isSignIn ? linked(preloadedStyle) : []),
          ...filesOf('scripts').map(file => `<link rel="modulepreload" crossorigin href="/${file}">`),
          ...textFiles.map(file => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${file}">`),
          meta({ texts, ...(opening && { answers: opening.answers }), ...(answers && { screen: answers }) }),
        ].join(''),
      screen:
        opening && screen
          ? {
              language: opening.language,
              isGuessed: isSignIn,
              width: isPhone(request) ? 'phone' : 'desk',
              made: screen,
            }
          : null,
    }
  }

  /** The screen at the page's address; without a session the sign-in, except at an address that links lead to. `null`: none is rendered. */
  function screenOf(
    request: FastifyRequest,
    path: string,
    { opening, texts, nonce }: { opening: Opening; texts: readonly string[]; nonce: string },
  ): Promise<Prerendered | null> | null {
    if (!prerender) return null
    const { who, known: sent, language } = opening
    const answer: AnswerRequest = async answerRequest => {
      const text = sent.get(answerRequest.path)
      return text === undefined ? answerTo(request, answerRequest) : { status: 200, text }
    }
    const device = { phone: isPhone(request), secure: isSecure(request) }
    if (who === null) {
      if (ofLinks.has(path)) return null
      const stranger = { site: 'anonymous', account: clientAddress(request.ip), anonymous: true }
      return signIns.get(JSON.stringify([...sent.values(), language, device]), nonce, placeholder =>
        prerender.render({ url: '/', language, texts, ...device, nonce: placeholder }, stranger, answer),
      )
    }
    if (!(path in build.screens)) return null
    const rendered = prerender.render(
      { url: request.url.replace(/^\/(?=\?|$)/, path), language, texts, ...device, nonce },
      who,
      answer,
    )
    // what the page holds already
    const others = ({ html, answers }: Prerendered) => ({
      html,
      answers: answers.filter(({ path: answerPath }) => !sent.has(answerPath)),
    })
    return rendered && rendered.then(screen => screen && others(screen))
  }

  /** The answers that every screen begins with; undefined when there are none, and where nobody is signed in and pages come without a screen. */
  async function openingAnswers(request: FastifyRequest): Promise<Opening | undefined> {
    if (!prerender && !request.cookies[cookieName(request.protocol)]) return undefined
    const [session, config] = await Promise.all(
      [users.loginstate, site.gsc].map(({ method, path }) =>
        answerTo(request, { method, path, ...(method === 'POST' && { body: '{}' }) }),
      ),
    )
    if (session?.status !== 200 || config?.status !== 200) return undefined
    const answers = { session: JSON.parse(session.text) as unknown, site: JSON.parse(config.text) as unknown }
    const sent = new Map([
      [users.loginstate.path, session.text],
      [site.gsc.path, config.text],
    ])
    const { data: state } = users.loginstate.output.safeParse(answers.session)
    const { data: branding } = site.gsc.output.safeParse(answers.site)
    if (state?.isAuthenticated) {
      const start = startOf({ ...state, mode: branding && 'mode' in branding ? branding.mode : null })
      return {
        answers,
        known: sent,
        who: { site: request.hostname, account: state.username },
        language: state.lang_iso,
        start,
      }
    }
    if (!prerender || !state || !branding) return undefined
    return {
      answers,
      known: sent,
      who: null,
      language: languages[acceptedLanguage(request, branding.lang)],
      start: '/',
    }
  }
}

/** How long the sign-in's screen is cached, in ms: short enough to show changed texts soon, long enough that strangers can't keep the process busy. */
const signInMs = 60_000
const maxSignIns = 200

/** The screens of the sign-in, by what they are made of. */
function openSignIns() {
  /** In place of the nonce, which each page has its own of. */
  const placeholder = randomUUID()
  const kept = new Map<string, { until: number; screen: Promise<Prerendered | null> }>()
  return {
    get(
      key: string,
      nonce: string,
      render: (nonce: string) => Promise<Prerendered | null> | null,
    ): Promise<Prerendered | null> | null {
      const now = Date.now()
      const entry = kept.get(key)
      const screen = entry && entry.until > now ? entry.screen : render(placeholder)
      if (!screen) return null
      if (screen !== entry?.screen) {
        kept.delete(key)
        kept.set(key, { until: now + signInMs, screen })
        const [oldest] = kept.keys()
        if (kept.size > maxSignIns && oldest !== undefined) kept.delete(oldest)
      }
      return screen.then(rendered => {
        if (!rendered) kept.delete(key)
        return rendered && { html: rendered.html.replaceAll(placeholder, nonce), answers: [] }
      })
    },
  }
}
