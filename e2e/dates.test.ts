/** Days: where their calendar opens, and what a list says that can't be of so many. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test('a period that is too long is said at its last day, without another try', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  for (const [path, first, button] of [
    ['/admin/operations?tab=completed', 'Start date', 'Fetch'],
    ['/operations?tab=completed', 'Start date', 'Get operations'],
  ] as const) {
    await page.goto(path)
    const field = page.getByRole('textbox', { name: first })
    await field.fill('01/01/2020')
    await field.press('Tab')
    await page.getByText('A period can have 366 days at most.').waitFor()
    expect(await page.getByRole('button', { name: button }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  }
  admin.expectNoPageErrors()
})

/** Which part of a field its calendar lies over: label, description, complaint or the input itself. */
const covered = (field: Locator): Promise<string[]> =>
  field.evaluate(input => {
    const root = input.closest('.mantine-InputWrapper-root')
    const calendar = root?.querySelector('[data-dates-dropdown]')?.getBoundingClientRect()
    if (!calendar) return ['there is no calendar']
    return [...(root?.children ?? [])].flatMap(part => {
      const { top, bottom, left, right } = part.getBoundingClientRect()
      const meets = top < calendar.bottom && bottom > calendar.top && left < calendar.right && right > calendar.left
      return !part.matches('[data-dates-dropdown]') && meets ? [part.className] : []
    })
  })

const dayFields = async (page: Page) => page.locator('main [data-dates-input]').all()

test(
  'a calendar covers nothing of its field on a desk, and on a phone it has a sheet of its own',
  { tags: 'whole' },
  async () => {
    const paths = ['/admin', '/admin/operations?tab=completed']
    for (const screen of [screens.desk, { ...screens.phone, viewport: { width: 360, height: 640 } }]) {
      const admin = await journeys.signedIn('admin', screen)
      const { page } = admin
      let seen = 0
      for (const path of paths) {
        await page.goto(path)
        await page.locator('main [data-dates-input]').first().waitFor()
        await admin.networkIdle()
        for (const field of await dayFields(page)) {
          if (!(await field.isVisible())) continue
          seen++
          await field.click()
          if (screen === screens.desk) await expect.poll(() => covered(field), { message: path }).toEqual([])
          else await page.getByRole('dialog').getByRole('button', { name: 'Next month' }).waitFor()
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Next month' }).waitFor({ state: 'hidden' })
        }
      }
      expect(seen).toBe(4)
      admin.expectNoPageErrors()
    }
  },
)
