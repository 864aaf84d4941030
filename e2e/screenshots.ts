/**
 * `npm run screenshots [-- FOLDER WORD …]`: every screen and dialog of the demo, desktop and phone, light and dark, in four
 * languages, as PNG files. Arguments select: `de fr phone dark admin` is the administrator's tour, on a phone, dark, in
 * two languages. Numbers are widths in the place of the two screens, and `longest` gives everything the longest real names:
 * `360 1024 1920 longest`.
 */
import { mkdirSync } from 'node:fs'
import type { BrowserContextOptions } from 'playwright-core'
import { languageCodes, languages } from '#domain/people/account.ts'
import { openBrowser, screens, visit } from './browser.ts'
import { giveLongestNames } from './layoutChecks.ts'
import { openPortal } from './portal.ts'
import { visitStop, prepare, setColorScheme } from './tour.ts'
import { tours } from './tours.ts'

const [folder = 'tmp/screenshots', ...words] = process.argv.slice(2)
/** The ones that an argument selects, or all. */
function chosen<T>(all: readonly T[], name: (one: T) => string): readonly T[] {
  const named = all.filter(stop => words.includes(name(stop)))
  return named.length > 0 ? named : all
}
const spoken = chosen(languageCodes, lang => languages[lang])
const widths = words.filter(word => /^\d+$/.test(word)).map(Number)
/** By name: how the browser is opened. */
const shown: readonly (readonly [string, BrowserContextOptions])[] =
  widths.length > 0
    ? widths.map(width => [`${width}`, { viewport: { width, height: 900 } }] as const)
    : chosen(Object.entries(screens), ([name]) => name)
const schemes = chosen(['light', 'dark'] as const, name => name)
const walked = chosen(tours, ({ name }) => name)
const portal = await openPortal()
if (words.includes('longest')) await giveLongestNames(portal)
const browser = await openBrowser()
let taken = 0
const troubles: string[] = []

/** A tour in one language on one screen, each stop in both schemes. */
async function take(
  tour: (typeof tours)[number],
  lang: keyof typeof languages,
  [screen, options]: (typeof shown)[number],
) {
  const into = (scheme: string) => `${folder}/${screen}-${scheme}-${languages[lang]}`
  for (const scheme of schemes) mkdirSync(into(scheme), { recursive: true })
  const visitor = await visit(browser, portal.url, { ...options, reducedMotion: 'reduce' })
  const { page } = visitor
  const picture = async (name: string) => {
    // A dialog is taken with the visible part of the page; a screen in full.
    const fullPage = (await page.getByRole('dialog').count()) === 0
    for (const scheme of schemes) {
      await setColorScheme(page, scheme)
      await page.screenshot({ path: `${into(scheme)}/${name}.png`, fullPage })
      taken++
    }
    await setColorScheme(page, 'light')
  }
  await page.locator('input[type="password"]').waitFor()
  if (tour === tours[0]) await picture('login')
  await visitor.signIn(tour.user, lang)
  for (const stop of await tour.stops(visitor)) {
    await visitStop(visitor, stop, lang).catch((error: Error) =>
      visitor.pageErrors.push(`${stop.name}: ${error.message}`),
    )
    await picture(`${tour.name}-${stop.name}`)
  }
  troubles.push(...visitor.pageErrors.map(trouble => `${tour.name}, ${screen}, ${lang}: ${trouble}`))
  await visitor.close()
}

try {
  for (const tour of walked) {
    await prepare(portal, tour)
    for (const lang of spoken) {
      await Promise.all(shown.map(screen => take(tour, lang, screen)))
      console.log(`${tour.name} in ${lang}: done`)
    }
  }
  for (const trouble of troubles) console.log(trouble)
  console.log(`${taken} screenshots in ${folder}, ${troubles.length} troubles`)
} finally {
  await browser.close()
  await portal.close()
}
process.exitCode = troubles.length > 0 ? 1 : 0
