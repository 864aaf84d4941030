/** What a site's vehicles can look like and what its labels are printed on: made, used by a customer at once, removed. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/hotelconfig.ts'
import { labelReports } from '#contract/labelReports.ts'
import { vehicleConfigs } from '#contract/vehicleConfigs.ts'
import { positionsOf } from '#domain/axle.ts'
import { openPdf } from '../src/server/testing/labelReader.ts'
import { nextPdf, shareJourneys } from './browser.ts'
import { answer, choose } from './fleet.ts'

const journeys = shareJourneys()

test('a vehicle configuration is built, chosen by a customer, and its wheels stay from then on', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const customer = await journeys.visit()
  await customer.signIn('customer')
  await customer.page.goto('/fleet')
  const { page } = admin
  const kept = async (name: string) =>
    vehicleConfigs.all.output
      .parse(await admin.call(vehicleConfigs.all.path, {}))
      .find(({ config }) => config.description === name)

  await page.goto('/admin/config')
  await page.getByRole('button', { name: 'Add configuration' }).click()
  const form = page.getByRole('dialog', { name: 'New vehicle configuration' })
  const add = form.getByRole('button', { name: 'Add', exact: true })
  const name = form.getByRole('textbox', { name: 'Description' })

  // A name that there is already is refused, and nothing typed is lost.
  await name.fill('Truck 4x2')
  await choose(page, 'Start from', 'Truck 4x2')
  await add.click()
  const taken = form.getByText('There is already a vehicle configuration with this description.')
  await taken.waitFor()
  await name.fill('Truck 6x2 for forestry')
  // A third axle from the front: a lift axle with single wheels.
  await form.getByRole('button', { name: 'Add axle' }).click()
  const third = form.getByRole('group', { name: 'Axle 3', exact: true })
  for (const side of ['left', 'right'])
    await third.getByRole('button', { name: `One less: Wheels on the ${side}` }).click()
  await third.getByRole('button', { name: 'Lift axle' }).click()
  expect(await third.getByRole('button', { name: 'Lift axle' }).getAttribute('aria-pressed')).toBe('true')
  await form.getByRole('button', { name: 'Move Axle 3 towards the front' }).click()
  await add.click()
  await page.getByText('Vehicle configuration saved.').waitFor()
  const made = await kept('Truck 6x2 for forestry')
  expect(positionsOf(made?.config.axles ?? [])).toEqual(['1A', '1B', '2A', '2B', '3A', '3B', '3C', '3D'])
  expect(made?.config.axles.map(({ lift }) => lift)).toEqual([false, true, false])

  // The customer, whose page was open all the time, has a vehicle with it.
  await customer.page.getByRole('button', { name: 'New vehicle' }).click()
  const vehicle = customer.page.getByRole('dialog', { name: 'New vehicle' })
  await vehicle.getByRole('textbox', { name: 'License plate' }).fill('2FOR001')
  await vehicle.getByLabel('Brand').fill('Scania')
  await vehicle.getByLabel('Description').fill('G 500 XT')
  await choose(customer.page, 'Type', 'Truck')
  await choose(customer.page, 'Configuration', 'Truck 6x2 for forestry')
  await vehicle.getByRole('button', { name: 'Add vehicle' }).click()
  await customer.page.getByRole('button', { name: '2A, empty' }).waitFor()

  // Now it can be called otherwise, but its wheels stay and it cannot be removed.
  await page.reload()
  await page.getByLabel('Filter configurations').fill('forestry')
  const row = page.locator('#vehicleConfigs tbody tr').filter({ hasText: 'Truck 6x2 for forestry' })
  await row.getByText('1', { exact: true }).waitFor()
  expect(await row.getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe('true')
  await row.getByRole('button', { name: 'Edit' }).click()
  const change = page.getByRole('dialog', { name: 'Configuration Truck 6x2 for forestry' })
  await change.getByText('1 vehicle has or had this configuration.').waitFor()
  expect(await change.getByRole('button', { name: 'Add axle' }).isDisabled()).toBe(true)
  await change.getByRole('textbox', { name: 'Description' }).fill('Forestry truck')
  // Something typed is not thrown away unasked.
  await page.keyboard.press('Escape')
  await answer(page, 'Leave without saving?', 'Stay')
  await change.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Vehicle configuration saved.').waitFor()
  expect((await kept('Forestry truck'))?.vehicles).toBe(1)

  // A duplicate that no vehicle has goes after a question.
  await page.getByLabel('Filter configurations').fill('forestry truck')
  await page.getByRole('button', { name: 'Duplicate Forestry truck' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Description' }).fill('Forestry truck, spare')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Forestry truck, spare' }).click()
  await answer(page, 'Remove vehicle configuration?', 'Remove')
  await page.getByText('Vehicle configuration removed.').waitFor()
  expect(await kept('Forestry truck, spare')).toBeUndefined()
  admin.expectNoTroubles(/409/)
  customer.expectNoTroubles()
})

test('a label report is made, a customer prints with it, and it is removed', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  const names = async () =>
    labelReports.all.output.parse(await admin.call(labelReports.all.path, {})).map(({ rpt_name }) => rpt_name)

  await page.goto('/admin/config')
  await page.getByRole('button', { name: 'Add label report' }).click()
  const form = page.getByRole('dialog', { name: 'New label report' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Required.').waitFor()
  await form.getByRole('textbox', { name: 'Name' }).fill('Sheets at the gate')
  await form
    .getByRole('radio', { name: /A4 sheet/ })
    .first()
    .check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Label report saved.').waitFor()
  expect(await names()).toContain('Sheets at the gate')

  const customer = await journeys.visit()
  await customer.signIn('customer')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(({ configuration, tyres }) => configuration !== null && tyres.length > 0)
  await customer.page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
  await customer.page.getByRole('button', { name: 'Print labels' }).click()
  await choose(customer.page, 'Kind of label', 'Sheets at the gate')
  const print = nextPdf(customer.page, fleet.getTyreLabels.path)
  await customer.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Print/ })
    .click()
  const pdf = await openPdf(await print)
  // all on one sheet of A4, in points
  expect((await pdf.getPage(1)).view.slice(2).map(Math.round)).toEqual([595, 842])
  customer.expectNoTroubles()

  await page.getByRole('button', { name: 'Edit Sheets at the gate' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Sheets at the dock')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Sheets at the dock' }).click()
  await answer(page, 'Remove label report?', 'Remove')
  await page.getByText('Label report removed.').waitFor()
  expect(await names()).not.toContain('Sheets at the dock')
  admin.expectNoTroubles()
})

test('a click while a dialog closes reaches what lies beneath it', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  await page.goto('/admin/config')
  await page.getByRole('button', { name: /^Edit A4/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Label report/ })
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  const beneath = await page.getByRole('button', { name: /^Remove A4/ }).boundingBox()
  if (!beneath) throw new Error('the row is not on the page')

  // The clock of the page stands still, so the dialog is still there when the click comes.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.mouse.click(beneath.x + beneath.width / 2, beneath.y + beneath.height / 2)
  expect(await page.locator('[role="dialog"]').count(), 'dialogs still drawn').toBe(1)
  await page.clock.resume()
  await answer(page, 'Remove label report?', 'Cancel')
  admin.expectNoTroubles()
})

test('a toast that slides in does not cover what has the focus', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  await page.goto('/admin/config')
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Another name')
  const button = page.getByRole('button', { name: /^Remove A4/ })
  await button.focus()
  // to where toasts usually are
  await button.evaluate(element => scrollBy(0, element.getBoundingClientRect().bottom + 30 - innerHeight))
  await page.route(`**${hotelconfig.edit.path}`, () => {})
  await page.keyboard.press('Control+s')
  const toast = page.getByRole('status').filter({ hasText: 'Updating configuration' })
  await toast.waitFor()
  await page.waitForFunction(() =>
    document.getAnimations().every(one => one.effect?.getComputedTiming().iterations !== 1),
  )
  const covered = await button.evaluate(element => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return !element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })
  expect(covered).toBe(false)
})
