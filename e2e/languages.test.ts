/** Every screen in four languages, light and dark, on a desk and on a phone: no error, no missing text, no barrier (axe). */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages, languageCodes, type Language } from '#domain/account.ts'
import { openBrowser, screens, visit, type Visitor } from './browser.ts'
import { openPortal, type Portal } from './portal.ts'
import { settled, tourOf } from './tour.ts'

let portal: Portal
let browser: Browser
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([openPortal(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

async function barriers({ page }: Visitor): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')}`))
}

/** How far things jumped while the page loaded (QUALITY 32: at most 0.1). */
const shift = ({ page }: Visitor): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 50)
      }),
  )

/** Screens that are the same for an administrator; home, fleet and vehicle are not. */
const seenByCustomers = new Set([
  'tyres',
  'operations-pending',
  'operations-submitted',
  'operations-completed',
  'wizard-plate',
  'wizard-tyres',
  'not-found',
])

async function look(
  visitor: Visitor,
  role: 'customer' | 'admin' | 'superuser',
  lang: Language,
  deep: boolean,
): Promise<void> {
  const stops = await tourOf(visitor, role)
  // an administrator sees these as a customer does; they have been looked at
  const own = role === 'admin' ? stops.filter(({ name }) => !seenByCustomers.has(name)) : stops
  for (const { path } of own) {
    await visitor.page.goto(portal.url + path)
    await settled(visitor)
    const told = `${path} in ${lang}`
    expect(await visitor.page.locator('html').getAttribute('lang'), told).toBe(languages[lang])
    expect(await shift(visitor), `${told} jumps`).toBeLessThan(0.1)
    const wider = await visitor.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider, `${told} is wider than the screen`).toBeLessThanOrEqual(0)
    if (deep) expect(await barriers(visitor), told).toEqual([])
  }
}

test.each(languageCodes)(
  'every screen speaks %s without an error or a missing text',
  async lang => {
    for (const user of ['customer', 'admin', 'superuser'] as const) {
      const visitor = await visit(browser, portal.url)
      await visitor.signIn(user, lang)
      await look(visitor, user, lang, false)
      visitor.expectNoTroubles()
      await visitor.close()
    }
  },
  240_000,
)

test.each([
  ['desk', 'light'],
  ['phone', 'dark'],
] as const)(
  'nobody meets a barrier on a %s in %s',
  async (screen, colorScheme) => {
    const before = await visit(browser, portal.url, { ...screens[screen], colorScheme })
    await before.page.locator('input[type="password"]').waitFor()
    expect(await barriers(before), 'login').toEqual([])
    await before.close()
    for (const user of ['customer', 'admin'] as const) {
      const visitor = await visit(browser, portal.url, { ...screens[screen], colorScheme })
      await visitor.signIn(user)
      await look(visitor, user, 'eng', true)
      visitor.expectNoTroubles()
      await visitor.close()
    }
  },
  240_000,
)
