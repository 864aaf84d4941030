/**
 * `npm run screenshots [-- FOLDER LANGUAGE …]`: every screen and dialog of the demo, desktop and phone, light and dark, in
 * four languages or in those that are named (`nl fr en de`), as PNG files.
 */
import { mkdirSync } from 'node:fs'
import { languageCodes, languages } from '#domain/account.ts'
import { openBrowser, screens, visit } from './browser.ts'
import { openPortal } from './portal.ts'
import { arrive, atRest, prepare, tours } from './tour.ts'

const [folder = 'tmp/screenshots', ...only] = process.argv.slice(2)
const spoken = languageCodes.filter(lang => only.length === 0 || only.includes(languages[lang]))
const portal = await openPortal()
const browser = await openBrowser()
const schemes = ['light', 'dark'] as const
let taken = 0
const troubles: string[] = []

/** A tour in one language on one screen, each stop in both schemes. */
async function take(tour: (typeof tours)[number], lang: keyof typeof languages, screen: keyof typeof screens) {
  const into = (scheme: string) => `${folder}/${screen}-${scheme}-${languages[lang]}`
  for (const scheme of schemes) mkdirSync(into(scheme), { recursive: true })
  const visitor = await visit(browser, portal.url, { ...screens[screen], reducedMotion: 'reduce' })
  const { page } = visitor
  const picture = async (name: string) => {
    // A dialog lies over what is in sight; a screen is taken whole on a phone.
    const fullPage = screen === 'phone' && (await page.getByRole('dialog').count()) === 0
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme })
      await atRest(page)
      await page.screenshot({ path: `${into(scheme)}/${name}.png`, fullPage })
      taken++
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.locator('input[type="password"]').waitFor()
  if (tour === tours[0]) await picture('login')
  await visitor.signIn(tour.user, lang)
  for (const stop of await tour.stops(visitor)) {
    await arrive(visitor, stop, lang).catch((error: Error) => visitor.troubles.push(`${stop.name}: ${error.message}`))
    await picture(`${tour.name}-${stop.name}`)
  }
  troubles.push(...visitor.troubles.map(trouble => `${tour.name}, ${screen}, ${lang}: ${trouble}`))
  await visitor.close()
}

try {
  for (const tour of tours) {
    await prepare(portal, tour)
    for (const lang of spoken) {
      await Promise.all([take(tour, lang, 'desk'), take(tour, lang, 'phone')])
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
