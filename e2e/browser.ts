/** A real Chromium, and a person at its page whose troubles are written down: console errors and missing texts. */
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core'
import { typeScan } from '#domain/barcode.ts'
import { expect } from 'vitest'

export const screens = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/** Chromium from `CHROMIUM`, as `npm test` found it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export type Visitor = {
  readonly page: Page
  /** What went wrong in the page so far: console errors, uncaught errors, texts that do not exist. */
  readonly troubles: string[]
  /** Fails when anything went wrong in the page. `but` names what a journey provoked on purpose. */
  expectNoTroubles(but?: RegExp): void
  signIn(username: string): Promise<void>
  /** Types a barcode as a scanner does: fast keystrokes wherever the focus is, closed by Enter. */
  scan(text: string, layouts?: { scanner: 'us'; machine: 'us' }): Promise<void>
  close(): Promise<void>
}

/** Opens a page of its own (cookies, storage) for one person. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    ...screens.desk,
    locale: 'en-GB',
    timezoneId: 'Europe/Brussels',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const troubles: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy')) troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(`uncaught: ${error.message}`))
  page.on('request', request => {
    if (request.url().includes('/locales/add/'))
      troubles.push(`missing text: ${request.url()} ${request.postData() ?? ''}`)
  })
  await page.goto(url)
  return {
    page,
    troubles,
    expectNoTroubles(but) {
      expect(troubles.filter(trouble => !but?.test(trouble))).toEqual([])
    },
    async signIn(username) {
      await field(page, 'Username').fill(username)
      await field(page, 'Password').fill('wheelhouse')
      await page.keyboard.press('Enter')
      await page.getByRole('navigation').first().waitFor()
    },
    async scan(text) {
      for (const stroke of typeScan(text, { scanner: 'us', machine: 'us' })) {
        await page.evaluate(({ key, code, shift }) => {
          const target = document.activeElement ?? document.body
          const init = { key, code, shiftKey: shift, bubbles: true, cancelable: true }
          target.dispatchEvent(new KeyboardEvent('keydown', init))
          target.dispatchEvent(new KeyboardEvent('keyup', init))
        }, stroke)
      }
      await page.keyboard.press('Enter')
    },
    close: () => context.close(),
  }
}

/** An input by the words of its label, whatever marks (required) follow them. */
export const field = (page: Page, label: string): Locator =>
  page.getByLabel(new RegExp(`^${label}`)).and(page.locator('input, textarea, select'))
