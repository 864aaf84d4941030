/** The settings: their list, its search, and pages on which nothing is lost in a sea of fields. */
import { expect, test } from 'vitest'
import { hotelconfig } from '#contract/config.ts'
import { settingsPages } from '../src/web/searchParams.ts'
import type { Page } from 'playwright-core'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

/** The most fields, buttons and links that a section may hold. */
const maxControls = 40

/** How many things there are to press or to type into, by section. */
const controls = (page: Page): Promise<(readonly [string, number])[]> =>
  page.locator('main section[id]').evaluateAll(sections =>
    sections.map(section => {
      const all = [...section.querySelectorAll('a, button, input, select, textarea')]
      return [section.id, all.filter(control => control.checkVisibility()).length] as const
    }),
  )

test('no section of the settings has more than 40 controls, and no page is long', async () => {
  const { page, expectNoPageErrors } = await journeys.signedIn('admin', { viewport: { width: 1440, height: 900 } })
  const counted: (readonly [string, number])[] = []
  for (const name of settingsPages) {
    await page.goto(`/admin/config?page=${name}`)
    await page.locator('main section').first().waitFor()
    await expect.poll(() => page.getByRole('status', { name: 'Loading…' }).count()).toBe(0)
    counted.push(...(await controls(page)))
    expect(await page.evaluate(() => document.documentElement.scrollHeight), name).toBeLessThan(4000)
  }
  expect(counted.length).toBe(19)
  expect(counted.filter(([, count]) => count > maxControls)).toEqual([])
  expectNoPageErrors()
})

test('a setting is found by its name, and has the focus', async () => {
  const { page, expectNoPageErrors } = await journeys.signedIn('admin')
  await page.goto('/admin/config')
  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('time zo')
  await page.getByRole('link', { name: /^Time zone/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Company and look' }).waitFor()
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect.poll(() => zone.evaluate(field => field === document.activeElement)).toBe(true)
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await search.fill('replace summer')
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(2)
  await search.fill('nowhere at all')
  await page.getByText('Nothing found').waitFor()
  expectNoPageErrors()
})

test('what is typed stays while other pages are opened, and a wrong field of another page is named', async () => {
  const { page, call, expectNoPageErrors } = await journeys.signedIn('admin')
  await page.goto('/admin/config?page=company')
  const name = page.getByRole('region', { name: 'Website' }).getByRole('textbox', { name: 'Name' })
  const before = await name.inputValue()
  await name.fill('')
  const back = page.getByRole('main').getByRole('link', { name: 'Settings' })
  await back.click()
  await page.getByRole('link', { name: /^Company and look not saved yet/ }).waitFor()
  await page.getByRole('link', { name: /^Vehicles and labels/ }).click()
  const odometer = page.getByRole('switch', { name: 'Ask for the odometer reading' })
  const wasOn = await odometer.isChecked()
  await odometer.click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('1 field has to be corrected.').waitFor()
  await page.getByRole('status').getByRole('link', { name: 'Company and look' }).click()
  await name.fill('Another name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Shop config updated successfully.').waitFor()
  const saved = hotelconfig.adminconfig.output.parse(await call(hotelconfig.adminconfig.path, {}))
  expect([saved.name, saved.allowTachometer]).toEqual(['Another name', !wasOn])
  await name.fill(before)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Everything is saved.').waitFor()
  expectNoPageErrors()
})

test('a closed day is added with four clicks', async () => {
  const { page, expectNoPageErrors } = await journeys.signedIn('admin')
  await page.goto('/')
  await page.getByRole('navigation').first().getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: /^Transport and closed days/ }).click()
  await page.getByRole('button', { name: 'Add day' }).click()
  const form = page.getByRole('dialog', { name: 'New closed day' })
  await form.getByRole('textbox', { name: 'Date' }).fill('24/12/2031')
  await form.getByRole('textbox', { name: 'Name' }).fill('Stocktaking')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('cell', { name: 'Stocktaking', exact: true }).waitFor()
  expectNoPageErrors()
})
