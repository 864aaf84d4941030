/** Menus on low displays: every entry can be reached. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { whole } from '../src/server/testing/whole.ts'
import { screens as devices, shareJourneys } from './browser.ts'
import { accountIn, addAccounts } from './layoutChecks.ts'

const journeys = shareJourneys({ prepare: addAccounts })
const roles = ['customer', 'admin', 'warehouse', 'superuser']
const heights = [320, 568, 844]

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

async function unreachable(user: string, lang: Language): Promise<string[]> {
  const faults: string[] = []
  const { page, close } = await journeys.signedIn(accountIn(user, lang), { ...devices.phone, lang })
  await page.goto('/')
  for (const height of heights) {
    await page.setViewportSize({ width: 360, height })
    // rare entries, where the bar has no room for them; and the account's
    for (const button of await page.locator('nav button[aria-haspopup="menu"]').all()) {
      await button.click()
      await page.getByRole('menuitem').first().waitFor()
      faults.push(...(await outOfReach(page)).map(entry => `${user}, ${lang}, ${height} px: ${entry}`))
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
  }
  await close()
  return faults
}

test.each(whole ? roles : ['admin'])(
  'every entry of the menus of the %s is reached on a phone, in each language and at each height',
  async user => {
    const faults: string[] = []
    for (const lang of whole ? languageCodes : (['ger'] as const)) faults.push(...(await unreachable(user, lang)))
    expect(faults).toEqual([])
  },
)
