/** The ways in: the navigation of each role at a desk, on a tablet and on a phone. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { whole } from '../src/server/testing/whole.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { accountIn, addAccounts } from './layoutChecks.ts'
import { named } from './texts.ts'

const journeys = shareJourneys({ prepare: addAccounts })
const roles = ['customer', 'admin', 'warehouse', 'superuser'] as const
const cases = roles.flatMap(role => (whole ? languageCodes : (['ger'] as const)).map(lang => [role, lang] as const))

const signedIn = (user: string, lang: Language, width: number, height: number): Promise<Visitor> =>
  journeys.signedIn(accountIn(user, lang), { viewport: { width, height }, lang })

/** The lists of the navigation that are higher or wider than their room. */
const scrolled = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('nav, nav *')]
      .filter(box => box.checkVisibility() && /auto|scroll/.test(getComputedStyle(box).overflow))
      .filter(
        ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
          scrollHeight > clientHeight || scrollWidth > clientWidth,
      )
      .map(box => box.outerHTML.slice(0, 120)),
  )

test('no navigation scrolls at 1440 × 900, for any role in any language', async () => {
  const faults: string[] = []
  for (const [role, lang] of cases) {
    const { page, close } = await signedIn(role, lang, 1440, 900)
    await page.goto('/')
    await page.getByRole('navigation').first().getByRole('link').nth(1).waitFor()
    faults.push(...(await scrolled(page)).map(fault => `${role}, ${lang}: ${fault}`))
    await close()
  }
  expect(faults).toEqual([])
})

/** The links of a navigation that a finger does not reach, scrolled to where they are in a list that scrolls. */
const outOfReach = (page: Page, links: string): Promise<string[]> =>
  page.evaluate(
    selector =>
      [...document.querySelectorAll(selector)]
        .filter(link => link.checkVisibility())
        .flatMap(link => {
          link.scrollIntoView({ block: 'nearest' })
          const { left, right, top, bottom } = link.getBoundingClientRect()
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
          const isHigh = bottom - top >= 44
          return hit && link.contains(hit) && isHigh && top >= 0 && bottom <= innerHeight ? [] : [link.textContent]
        }),
    links,
  )

/** How many links each role has on a phone, in the bar and in 'More'. */
const onPhone = { customer: [5, 0], admin: [4, 21], warehouse: [4, 0], superuser: [4, 0] } as const

test('every entry is reached on a phone of 390 × 664, for any role in any language', async () => {
  const faults: string[] = []
  for (const [role, lang] of cases) {
    const { page, close } = await signedIn(role, lang, 390, 664)
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: named(lang, 'nav:menu'), exact: true })
    await bar.waitFor()
    const [inBar, inMore] = onPhone[role]
    expect(await bar.getByRole('link').count(), `${role}, ${lang}`).toBe(inBar)
    faults.push(...(await outOfReach(page, 'nav a')).map(entry => `${role}, ${lang}: ${entry}`))
    const more = bar.getByRole('button')
    expect(await more.count()).toBe(inMore > 0 ? 1 : 0)
    if (inMore > 0) {
      await more.click()
      const dialog = page.getByRole('dialog', { name: named(lang, 'nav:more') })
      await dialog.getByRole('link').first().waitFor()
      expect(await dialog.getByRole('link').count()).toBe(inMore)
      faults.push(...(await outOfReach(page, '[role="dialog"] a')).map(entry => `${role}, ${lang}, more: ${entry}`))
      await dialog.getByRole('link', { name: named(lang, 'nav:clearUp') }).click()
      await page.getByRole('heading', { level: 1, name: named(lang, 'locations:clearUp.title') }).waitFor()
      expect(await dialog.count()).toBe(0)
    }
    await close()
  }
  expect(faults).toEqual([])
})

test('on a tablet an entry shows its name while it has the focus, within the display', async () => {
  const { page, close } = await signedIn('admin', 'ger', 1024, 768)
  await page.goto('/')
  const side = page.getByRole('navigation').first()
  const entry = side.getByRole('link', { name: named('ger', 'nav:vehiclesAndTyres') })
  const name = entry.getByText(named('ger', 'nav:vehiclesAndTyres'))
  await entry.waitFor()
  const shown = () => name.evaluate(text => getComputedStyle(text).clipPath === 'none')
  expect((await side.boundingBox())?.width).toBeLessThan(80)
  expect(await shown()).toBe(false)
  // Tab comes from the one before it
  await side.getByRole('link', { name: named('ger', 'nav:customers') }).focus()
  await page.keyboard.press('Tab')
  expect(await shown()).toBe(true)
  const box = await name.boundingBox()
  expect(box && box.x > 64 && box.x + box.width < 1024).toBe(true)
  await close()
})

test('a door opens its first screen, and the links at the top lead to its others', async () => {
  const { page, close } = await signedIn('admin', 'eng', 1440, 900)
  await page.goto('/')
  await page.getByRole('navigation').first().getByRole('link', { name: 'Warehouse' }).click()
  await page.getByRole('heading', { level: 1, name: 'Scan' }).waitFor()
  const row = page.getByRole('navigation', { name: 'Warehouse' })
  for (const [link, heading] of [
    ['Outbound', 'Outbound'],
    ['Places', 'Places'],
    ['Stock count', 'Stock count'],
    ['To clear up', 'To clear up'],
  ] as const) {
    await row.getByRole('link', { name: link }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    expect(await row.locator('[aria-current="page"]').allTextContents()).toEqual([expect.stringContaining(link)])
  }
  // the desk's own tabs stand in the row
  await page.getByRole('navigation').first().getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('tab', { name: 'Completed' }).click()
  await page.getByRole('navigation', { name: 'Orders' }).getByRole('link', { name: 'Drafts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Operations overview' }).waitFor()
  await page.getByRole('navigation', { name: 'Orders' }).getByRole('link', { name: 'Completed' }).click()
  await page.getByRole('tab', { name: 'Completed', selected: true }).waitFor()
  await close()
})
