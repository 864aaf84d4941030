/** Menus on low displays: every entry can be reached. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { whole } from '../src/server/testing/whole.ts'
import { screens as devices, shareJourneys } from './browser.ts'
import { accountIn, addAccounts } from './layoutChecks.ts'

const journeys = shareJourneys({ prepare: addAccounts })

/** By role: screens of a phone with menus of their own, beside those of the navigation. */
const screensOf = {
  customer: ['/', '/tyres', '/operations', '/fleet'],
  admin: ['/', '/admin/operations', '/admin/customers', '/admin/invoicing', '/tyres'],
  warehouse: ['/', '/admin/locations'],
  superuser: ['/superuser'],
} as const
type Role = keyof typeof screensOf

/** A handheld, two phones with the bars of their browser, one without, and one that lies on its side. */
const displays = [
  { width: 360, height: 640 },
  { width: 390, height: 664 },
  { width: 640, height: 320 },
  ...(whole
    ? [
        { width: 360, height: 568 },
        { width: 390, height: 844 },
      ]
    : []),
]

/** The entries of the open menu that a finger does not reach once they are scrolled to. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="menu"] [role^="menuitem"]')].flatMap(entry => {
      entry.scrollIntoView({ block: 'nearest' })
      const { left, right, top, bottom } = entry.getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return hit && entry.contains(hit) && top >= 0 && bottom <= innerHeight ? [] : [entry.textContent]
    }),
  )

/** The menus of the navigation, and the first and the last of the screen: the last one has little room below. */
async function menuButtons(page: Page) {
  const opens = 'button[aria-haspopup="menu"]:visible'
  const onScreen = page.locator(`main ${opens}`)
  const some = (await onScreen.count()) > 0 ? [onScreen.first(), onScreen.last()] : []
  // looked for when they are pressed: a list may still take the form of the new width
  return [...(await page.locator(`nav ${opens}`).all()), ...some]
}

async function unreachable(role: Role, lang: Language): Promise<{ faults: string[]; opened: number }> {
  const faults: string[] = []
  let opened = 0
  const visitor = await journeys.signedIn(accountIn(role, lang), { ...devices.phone, lang })
  const { page } = visitor
  for (const path of whole ? screensOf[role] : screensOf[role].slice(0, 2)) {
    await page.setViewportSize(devices.phone.viewport)
    await page.goto(path)
    await page.locator('nav button[aria-haspopup="menu"]').first().waitFor()
    await visitor.networkIdle()
    for (const display of displays) {
      await page.setViewportSize(display)
      for (const button of await menuButtons(page)) {
        await button.click()
        await page.getByRole('menuitem').first().waitFor()
        const where = `${role}, ${lang}, ${path}, ${display.width} × ${display.height}`
        faults.push(...(await outOfReach(page)).map(entry => `${where}: ${entry}`))
        opened++
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
    }
  }
  await visitor.close()
  return { faults, opened }
}

test.each(whole ? (Object.keys(screensOf) as Role[]) : (['admin', 'warehouse'] as const))(
  'every entry of the menus of the %s is reached on a phone, in each language and at each height',
  async role => {
    for (const lang of whole ? languageCodes : (['ger'] as const)) {
      const { faults, opened } = await unreachable(role, lang)
      expect(faults).toEqual([])
      expect(opened).toBeGreaterThanOrEqual(displays.length)
    }
  },
)
