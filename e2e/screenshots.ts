/** `npm run screenshots`: every screen of the demo, desktop and phone, light and dark, in four languages, as PNG files. */
import { mkdirSync } from 'node:fs'
import { languages, languageCodes } from '#domain/account.ts'
import { openBrowser, screens, visit } from './browser.ts'
import { openPortal } from './portal.ts'
import { settled, tourOf } from './tour.ts'

const folder = process.argv[2] ?? 'tmp/screenshots'
const portal = await openPortal()
const browser = await openBrowser()
let taken = 0
let troubles = 0
try {
  for (const screen of ['desk', 'phone'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const lang of languageCodes) {
        const into = `${folder}/${screen}-${colorScheme}-${languages[lang]}`
        mkdirSync(into, { recursive: true })
        for (const role of ['customer', 'admin', 'superuser'] as const) {
          const visitor = await visit(browser, portal.url, { ...screens[screen], colorScheme })
          await visitor.page.locator('input[type="password"]').waitFor()
          if (role === 'customer') await visitor.page.screenshot({ path: `${into}/login.png` })
          await visitor.signIn(role, lang)
          for (const { name, path } of await tourOf(visitor, role)) {
            await visitor.page.goto(portal.url + path)
            await settled(visitor)
            await visitor.page.screenshot({ path: `${into}/${role}-${name}.png`, fullPage: screen === 'phone' })
            taken++
          }
          for (const trouble of visitor.troubles) console.log(`${into} ${role}: ${trouble}`)
          troubles += visitor.troubles.length
          await visitor.close()
        }
        console.log(`${into}: done`)
      }
    }
  }
  console.log(`${taken} screenshots in ${folder}, ${troubles} troubles`)
} finally {
  await browser.close()
  await portal.close()
}
process.exitCode = troubles > 0 ? 1 : 0
