/** A real Chromium, and a person at its page whose troubles are written down: console errors and missing texts. */
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
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type Language, languages } from '#domain/account.ts'
import type { Layout } from '#domain/barcode.ts'
import { openPortal, type Portal } from './portal.ts'
import { typeCode } from './scanner.ts'

/** What a failed journey looked like, and what the page and the server said. */
const pictures = fileURLToPath(new URL('out', import.meta.url))
let failures = 0

/** A page is given up after so many milliseconds. */
export const patience = 20_000
/** Nothing is fetched any more when nothing was for so many milliseconds. */
const stillness = 100

export const screens = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/** Chromium as `npm test` found it, and what it is started with. */
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

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumProgram, args: chromiumFlags })
}

export type Visitor = {
  readonly page: Page
  /** What went wrong in the page so far: console errors, uncaught errors, texts that do not exist. */
  readonly troubles: string[]
  /** Fails when anything went wrong in the page. `but` names what a journey provoked on purpose. */
  expectNoTroubles(but?: RegExp): void
  /** Signs in with the demo's password and goes on in this language, English unless said otherwise. */
  signIn(username: string, lang?: Language): Promise<void>
  /** Makes a call in the visitor's name beside the screen, and answers what came back, in wire form. */
  call(path: string, body: unknown, method?: 'GET' | 'POST'): Promise<unknown>
  /** Waits until nothing was fetched for a moment. What the server tells by itself (`/live`) is no fetch. */
  quiet(): Promise<void>
  /** Types a barcode as a scanner does: fast keystrokes wherever the focus is, closed by Enter. `layouts`: of scanner and machine. */
  scan(text: string, layouts?: { scanner?: Layout; machine?: Layout }): Promise<void>
  close(): Promise<void>
}

/** Opens a page of its own (cookies, storage) for one person; `baseURL` for a site at another address of the portal. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    ...screens.desk,
    locale: 'en-GB',
    timezoneId: 'Europe/Brussels',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  // a print opens beside the page: what is not in front is drawn once a second, and a click waits for two pictures
  page.on('popup', () => void page.bringToFront().catch(() => {}))
  // the browser is told from the start that files are chosen here: told just before, it may open a window of its own
  page.on('filechooser', () => {})
  const troubles: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy')) troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(`uncaught: ${error.message}`))
  page.on('request', request => {
    if (request.url().includes('/locales/add/'))
      troubles.push(`missing text: ${request.url()} ${request.postData() ?? ''}`)
  })
  const fetching = new Set<Request>()
  let lately = Date.now()
  const over = (request: Request) => {
    if (fetching.delete(request)) lately = Date.now()
  }
  page.on('request', request => request.resourceType() !== 'eventsource' && fetching.add(request))
  page.on('requestfinished', over)
  page.on('requestfailed', over)
  let keyboard: CDPSession | undefined
  await page.goto('/')
  return {
    page,
    troubles,
    expectNoTroubles(but) {
      expect(troubles.filter(trouble => !but?.test(trouble))).toEqual([])
    },
    async signIn(username, lang = 'eng') {
      await page.locator('input[autocomplete="username"]').fill(username)
      await page.locator('input[type="password"]').fill('wheelhouse')
      await page.keyboard.press('Enter')
      await page.getByRole('navigation').first().waitFor()
      if ((await page.locator('html').getAttribute('lang')) === languages[lang]) return
      await page.request.post('/users/language', { data: { lang } })
      await page.reload()
      await page.getByRole('navigation').first().waitFor()
    },
    async call(path, body, method = 'POST') {
      const reply = method === 'GET' ? await page.request.get(path) : await page.request.post(path, { data: body })
      if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`)
      return reply.json()
    },
    async quiet() {
      const until = Date.now() + patience
      lately = Date.now()
      while (fetching.size > 0 || Date.now() - lately < stillness) {
        if (Date.now() > until) throw new Error(`still fetching: ${[...fetching].map(one => one.url()).join(', ')}`)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    async scan(text, layouts) {
      keyboard ??= await context.newCDPSession(page)
      await typeCode(keyboard, `${text}\n`, layouts)
    },
    close: () => context.close(),
  }
}

/** The next PDF that the page is answered from this path. The page hears it itself: a browser keeps no body of a stream for others. */
export async function nextPdf(page: Page, path: string): Promise<Buffer> {
  const answer = await page.evaluate(
    wanted =>
      new Promise<string>((resolve, reject) => {
        const usual = window.fetch
        window.fetch = async (...asked) => {
          const reply = await usual(...asked)
          if (new URL(reply.url).pathname === wanted) {
            window.fetch = usual
            reply.clone().json().then(resolve, reject)
          }
          return reply
        }
      }),
    path,
  )
  return Buffer.from(answer, 'base64')
}

function opened<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('the portal opens before the first test of a file, not earlier')
  return one
}

export type Journeys = {
  readonly portal: Portal
  readonly browser: Browser
  /** Opens a page for one person, until the test ends. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
}

/** The portal and the browser that the journeys of a file share: there from the first test to the last. */
export function shareJourneys(): Journeys {
  let portal: Portal | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    ;[portal, browser] = await Promise.all([openPortal(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.close()
  })
  return {
    get portal() {
      return opened(portal)
    },
    get browser() {
      return opened(browser)
    },
    async visit(options) {
      const visitor = await visit(opened(browser), opened(portal).url, options)
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') {
          mkdirSync(pictures, { recursive: true })
          const failure = `${pictures}/${task.name.replaceAll(/\W+/g, '-').slice(0, 60)}-${++failures}`
          // a journey may have closed its page itself
          if (!visitor.page.isClosed()) await visitor.page.screenshot({ path: `${failure}.png` })
          writeFileSync(`${failure}.log`, [...visitor.troubles, ...opened(portal).said].join('\n'))
        }
        await visitor.close()
      })
      return visitor
    },
  }
}
