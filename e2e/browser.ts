/** Chromium for the journeys, and a visitor whose page errors are recorded: console errors and missing texts. */
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
  type Request,
} from 'playwright-core'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { prerenderedId } from '#contract/prerender.ts'
import { demoPassword, type Language, languages } from '#domain/people/account.ts'
import { users } from '#contract/session.ts'
import type { Layout } from '#domain/warehouse/barcode.ts'
import { noteInteractions } from './interactions.ts'
import { openPortal, type Portal } from './portal.ts'
import { typeCode } from './scanner.ts'

/** Screenshots and logs of failed journeys. */
const outputDirectory = fileURLToPath(new URL('out', import.meta.url))
let failures = 0

/** The timeout of an action on a page. */
export const timeoutMs = 60_000
/** The network is idle after this time without a request. */
const idleMs = 100

export const screens = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/** The user agent of a phone: `screens` keep that of the desk. */
export const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

/** Chromium as `npm test` found it, and its arguments. */
export const chromiumProgram = process.env.CHROMIUM ?? '/usr/bin/chromium'
export const chromiumFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function openBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumProgram, args: [...chromiumFlags, ...flags] })
}

export type Visitor = {
  readonly page: Page
  /** The errors of the page so far: console errors, uncaught errors, missing texts. */
  readonly pageErrors: string[]
  /** Fails on an error of the page. `except` matches those that a journey provokes. */
  expectNoPageErrors(except?: RegExp): void
  /** Signs in with the demo's password and selects this language, English by default. */
  signIn(username: string, lang?: Language): Promise<void>
  /** Makes a call with the visitor's session, outside of the page, and returns the answer in wire form. */
  call(path: string, body: unknown, method?: 'GET' | 'POST'): Promise<unknown>
  /** Waits until no request was in flight for 100 ms; `/live` does not count. */
  networkIdle(): Promise<void>
  /** Types a barcode as a scanner does: fast keystrokes wherever the focus is, closed by Enter. `layouts`: of scanner and machine. */
  scan(text: string, layouts?: { scanner?: Layout; machine?: Layout }): Promise<void>
  close(): Promise<void>
}

/** Opens the portal in a page with its own cookies and storage; `baseURL` for a site at another address of the portal. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const visitor = await openPage(browser, url, options)
  await visitor.page.goto('/')
  return visitor
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    ...screens.desk,
    locale: 'en-GB',
    timezoneId: 'Europe/Brussels',
    // a worker would answer before a journey sees the request; those about it (offline.test.ts) allow it
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  // a PDF opens in front; a background page renders once a second, which delays clicks
  page.on('popup', () => void page.bringToFront().catch(() => {}))
  // register the file chooser early: registered just before a click, the browser may open its own dialog
  page.on('filechooser', () => {})
  const pageErrors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy'))
      pageErrors.push(message.text())
  })
  page.on('pageerror', error => pageErrors.push(`uncaught: ${error.message}`))
  page.on('request', request => {
    if (request.url().includes('/locales/add/'))
      pageErrors.push(`missing text: ${request.url()} ${request.postData() ?? ''}`)
  })
  // an attempt that is caught, such as `new Function`, shows on no console
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      // oxlint-disable-next-line no-console -- read by the line above
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    ),
  )
  const handInInteractions = await noteInteractions(page)
  const inFlight = new Set<Request>()
  let lastFinished = Date.now()
  const onFinished = (request: Request) => {
    if (inFlight.delete(request)) lastFinished = Date.now()
  }
  page.on('request', request => request.resourceType() !== 'eventsource' && inFlight.add(request))
  page.on('requestfinished', onFinished)
  page.on('requestfailed', onFinished)
  let keyboard: CDPSession | undefined
  return {
    page,
    pageErrors,
    expectNoPageErrors(except) {
      expect(pageErrors.filter(error => !except?.test(error))).toEqual([])
    },
    async signIn(username, lang = 'eng') {
      // each field once
      await page.locator(`#${prerenderedId}`).waitFor({ state: 'detached' })
      await page.locator('input[autocomplete="username"]').fill(username)
      await page.locator('input[type="password"]').fill(demoPassword)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation').first().waitFor()
      if ((await page.locator('html').getAttribute('lang')) === languages[lang]) return
      await changeLanguage(page, lang)
      await page.reload()
      await page.getByRole('navigation').first().waitFor()
    },
    async call(path, body, method = 'POST') {
      const reply = method === 'GET' ? await page.request.get(path) : await page.request.post(path, { data: body })
      if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`)
      return reply.json()
    },
    async networkIdle() {
      const until = Date.now() + timeoutMs
      lastFinished = Date.now()
      while (inFlight.size > 0 || Date.now() - lastFinished < idleMs) {
        if (Date.now() > until)
          throw new Error(`still fetching: ${[...inFlight].map(request => request.url()).join(', ')}`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    async scan(text, layouts) {
      keyboard ??= await context.newCDPSession(page)
      await typeCode(keyboard, `${text}\n`, layouts)
    },
    async close() {
      handInInteractions()
      await context.close()
    },
  }
}

/** The next PDF that the page gets from this path. Read inside the page: CDP does not keep the body of a streamed answer. */
export async function nextPdf(page: Page, path: string): Promise<Buffer> {
  const answer = await page.evaluate(
    wanted =>
      new Promise<string>((resolve, reject) => {
        const originalFetch = window.fetch
        window.fetch = async (...args) => {
          const reply = await originalFetch(...args)
          if (new URL(reply.url).pathname === wanted) {
            window.fetch = originalFetch
            reply.clone().json().then(resolve, reject)
          }
          return reply
        }
      }),
    path,
  )
  return Buffer.from(answer, 'base64')
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('used before beforeAll has run')
  return value
}

export type Journeys = {
  readonly portal: Portal
  readonly browser: Browser
  /** Opens the portal in a page that is closed when the test ends. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
  /**
   * The same for somebody who signed in before, with the demo's password, and has this language, English by default. The page is empty: what
   * most journeys are about begins on a screen that they open by its address.
   */
  signedIn(username: string, options?: BrowserContextOptions & { lang?: Language }): Promise<Visitor>
}

/**
 * The portal, with these settings, and the browser that all journeys of a file share. `prepare` makes what they need besides the
 * demo. A journey that is tried once more begins on a new demo, unless it `follows` what the ones before it in its file have done.
 * With `empty` there is no demo: the database has neither site nor account.
 */
export function shareJourneys({
  settings = {},
  prepare,
  follows = false,
  empty = false,
}: {
  settings?: Record<string, string>
  prepare?: (portal: Portal) => Promise<unknown>
  follows?: boolean
  empty?: boolean
} = {}): Journeys {
  let portal: Portal | undefined
  let browser: Browser | undefined
  const open = async () => {
    portal = await openPortal(empty ? { NODE_ENV: 'production', ...settings } : settings, { copied: !empty })
    await prepare?.(portal)
  }
  beforeAll(async () => {
    ;[browser] = await Promise.all([openBrowser(), open()])
  })
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return
    if (follows) return required(portal).start()
    await portal?.close()
    await open()
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.close()
  })
  /** An empty page that is closed when the test ends. */
  const openVisitor = async (options: BrowserContextOptions = {}) => {
    const visitor = await openPage(required(browser), required(portal).url, options)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') {
        mkdirSync(outputDirectory, { recursive: true })
        const failure = `${outputDirectory}/${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}-${++failures}`
        // a journey may have closed its page
        if (!visitor.page.isClosed()) await visitor.page.screenshot({ path: `${failure}.png` })
        writeFileSync(`${failure}.log`, [...visitor.pageErrors, ...required(portal).output].join('\n'))
      }
      await visitor.close()
    })
    return visitor
  }
  return {
    get portal() {
      return required(portal)
    },
    get browser() {
      return required(browser)
    },
    async visit(options) {
      const visitor = await openVisitor(options)
      await visitor.page.goto('/')
      return visitor
    },
    async signedIn(username, { lang = 'eng', ...options } = {}) {
      const visitor = await openVisitor(options)
      await visitor.call(users.authenticate.path, { username, password: demoPassword })
      await visitor.call(users.language.path, { lang })
      return visitor
    },
  }
}

/** Changes the language of the account. In the page: only the browser may know where its host is. */
export async function changeLanguage(page: Page, lang: Language): Promise<void> {
  await page.evaluate(
    body => fetch('/users/language', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    JSON.stringify({ lang }),
  )
}
