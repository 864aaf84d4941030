/** What somebody typed stays as it is, with a complaint where it can't be taken; and what is not found says where it was looked for. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test('numbers and days that can’t be taken stay in their fields with why, and nothing is saved with them', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer')
  const { page } = customer
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(({ tyres }) => tyres.some(tyre => tyre.tyre_status !== 'waste'))
  await page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
  await page.getByRole('button', { name: 'Enter profile depths' }).click()
  const dialog = page.getByRole('dialog', { name: 'Profile depths' })
  const depth = dialog.getByLabel('Profile depth of').first()
  await depth.pressSequentially('-5')
  await depth.press('Enter')
  await dialog.getByText('-5 → 0.0. Did you mean 5.0?').waitFor()
  expect(await depth.inputValue()).toBe('0 mm')
  await dialog.getByRole('button', { name: '5.0 mm' }).click()
  const day = dialog.getByLabel('Measured on')
  const saves: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/fleet/measuretyres')) saves.push(request.url())
  })
  for (const [typed, complaint] of [
    ['31/02/2026', 'Enter a date as DD/MM/YYYY.'],
    ['01/01/2999', /^Enter a date up to /],
  ] as const) {
    await day.fill(typed)
    await depth.focus()
    await dialog.getByText(complaint).waitFor()
    expect(await day.inputValue()).toBe(typed)
    await depth.press('Control+Enter')
  }
  await day.fill('01/11/2026')
  await depth.press('Control+Enter')
  await expect.poll(() => saves.length).toBe(1)

  const admin = await journeys.visit()
  await admin.signIn('admin')
  await admin.page.goto('/admin/locations')
  await admin.page.getByRole('button', { name: 'New location' }).first().click()
  const capacity = admin.page.getByRole('dialog').getByLabel('Room for tyres')
  for (const [typed, kept] of [
    ['99999', '99,999'],
    ['-5', '-5'],
  ] as const) {
    await capacity.fill(typed)
    await capacity.press('Tab')
    expect(await capacity.inputValue()).toBe(kept)
    await admin.page.getByText('Enter a number from 0 to 10,000.').waitFor()
  }
  await admin.page.goto('/admin/config')
  await admin.page.getByRole('button', { name: 'Add configuration' }).click()
  const width = admin.page.getByRole('dialog').getByLabel('Width of the picture')
  await width.fill('99999')
  await width.press('Tab')
  expect(await width.inputValue()).toBe('99,999')
  await admin.page.getByText(/^Enter a number from /).waitFor()
})

test('while acting for a customer a plate of another is not simply new, and a vehicle that is gone offers a search', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  await page.goto('/wizard/step2?flt_id=2000000000')
  await page.getByRole('searchbox').last().waitFor()
  await page.goto('/admin/fleetmanagement')
  await page.locator('[data-customer]').first().click()
  await page.getByText(/^You now act for /).waitFor()
  await page.goto('/admin/fleetmanagement?vehicle=2000000000')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  await page.getByText('This vehicle does not exist').first().or(page.getByRole('searchbox')).first().waitFor()
  await page.goto('/wizard/step1?plate=XYZ999')
  await page.getByText(/^Only what belongs to .* is shown\.$/).waitFor()
  await page.getByRole('button', { name: 'Show all customers' }).waitFor()
})
