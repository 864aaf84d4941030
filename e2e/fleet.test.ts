/** A fleet manager's vehicles: added, configured, measured, labelled, named, changed, removed or kept with a reason. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { addDays, formatDate, today } from '#domain/date.ts'
import { formatPlate } from '#domain/plate.ts'
import { printed, scanned } from '../src/server/testing/labelReader.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { openPortal, type Portal } from './portal.ts'

let portal: Portal
let browser: Browser
beforeAll(async () => {
  ;[portal, browser] = await Promise.all([openPortal(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

const kept = async (visitor: Visitor, flt_id: number): Promise<Vehicle> =>
  fleet.vehicle.output.parse(await visitor.call('/fleet/vehicle', { flt_id }))
const theFleet = async (visitor: Visitor): Promise<Vehicle[]> =>
  fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const row = (page: Page, position: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: position, exact: true }) })

test('a new vehicle is measured, its sets are named, its labels printed, its data changed, and it is removed', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer

  await page.getByRole('link', { name: 'Vehicles' }).first().click()
  await page.getByRole('button', { name: 'New vehicle' }).click()
  const form = page.getByRole('dialog', { name: 'New vehicle' })
  await form.getByLabel('License plate').fill('2-fwh-301')
  await form.getByLabel('Brand').fill('DAF')
  await form.getByLabel('Description').fill('CF 300')
  await choose(page, 'Type', 'Truck')
  await choose(page, 'Configuration', 'Truck 4x2 with drawbar trailer, 2 axles')
  await form.getByRole('button', { name: 'Add vehicle' }).click()
  await page.getByRole('heading', { name: 'Vehicle 2-FWH-301' }).waitFor()
  await page.getByText('No tyres registered').waitFor()
  const id = Number(new URL(page.url()).searchParams.get('id'))

  const { articles } = fleet.searcharticles.output.parse(
    await customer.call('/fleet/searcharticles', { search_value: '315/80 R22.5' }),
  )
  const art_id = articles[0]?.art_id
  for (const [tyre_set, ...positions] of [
    ['Summer', '1A', '1B', '2A', '2B', '2C', '2D'],
    ['Winter', '1A', '1B', '2A', '2B', '2C', '2D'],
  ])
    await customer.call('/fleet/addtyres', {
      flt_id: id,
      tyre_set,
      tyres: positions.map(position => ({ position, art_id })),
    })
  await page.reload()
  const summer = page.getByRole('region', { name: 'Summer', exact: true })
  await summer.getByLabel('Select all tyres of Summer').check()
  await page.getByText('6 tyres selected').waitFor()

  // measured yesterday, then again today: too deep is clamped, and what has grown is asked about
  const day = today({ now: new Date(), timeZone: 'Europe/Brussels' })
  const measure = async (date: string, depths: Record<string, string>) => {
    await page.getByRole('button', { name: 'Enter profile depths' }).click()
    const dialog = page.getByRole('dialog', { name: 'Profile depths' })
    await dialog.getByLabel('Measured on').fill(formatDate(date))
    await page.keyboard.press('Tab')
    for (const [position, depth] of Object.entries(depths)) {
      await dialog.getByLabel(`Profile depth of ${position},`).fill(depth)
      await page.keyboard.press('Tab')
    }
    await dialog.getByRole('button', { name: /^Save \d+ reading/ }).click()
    return dialog
  }
  await measure(addDays(day, -1), { '1A': '8.25', '1B': '99' })
  await page.getByText('2 readings saved').waitFor()
  const depthsOf = async () =>
    Object.fromEntries(
      (await kept(customer, id)).tyres
        .filter(tyre => tyre.tyre_set === 'Summer' && tyre.profile_depth !== null)
        .map(tyre => [tyre.position, tyre.profile_depth]),
    )
  expect(await depthsOf()).toEqual({ '1A': 8.25, '1B': 10 })

  const dialog = await measure(day, { '1A': '9.5', '1B': '1.5' })
  await page.getByRole('dialog', { name: 'More profile than before?' }).getByText('The tyre at 1A').waitFor()
  await page.getByRole('button', { name: 'Correct them' }).click()
  expect(await depthsOf()).toEqual({ '1A': 8.25, '1B': 10 })
  expect(await dialog.getByLabel('Profile depth of 1A,').inputValue()).toMatch(/^9\.5/)
  await dialog.getByRole('button', { name: 'Save 2 readings' }).click()
  await page.getByRole('button', { name: 'Keep these readings' }).click()
  await expect.poll(depthsOf).toEqual({ '1A': 9.5, '1B': 1.5 })
  await row(page, '1B').getByText('Below the legal limit').first().waitFor({ state: 'attached' })
  const course = new RegExp(`8.25 mm on ${formatDate(addDays(day, -1))}, 9.5 mm on ${formatDate(day)}`)
  await summer.getByRole('img', { name: course }).waitFor()

  // a set that has a tyre on one of the positions
  await summer.getByLabel('Select all tyres of Summer').uncheck()
  const winter = page.getByRole('region', { name: 'Winter', exact: true })
  await winter.getByLabel('Select 1B,').check()
  await winter.getByLabel('Select 1A,').check()
  await page.getByRole('button', { name: 'Change set name', exact: true }).click()
  const naming = page.getByRole('dialog', { name: 'Change set name' })
  await naming.getByLabel('Set name').fill('Summer')
  await naming.getByText('The positions 1A, 1B are already taken in this tyre set.').waitFor()
  expect(await naming.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await naming.getByLabel('Set name').fill('Winter steer')
  await naming.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Set name changed').waitFor()
  const sets = Map.groupBy((await kept(customer, id)).tyres, tyre => tyre.tyre_set ?? '')
  expect(Object.fromEntries([...sets].map(([set, tyres]) => [set, tyres.length]))).toEqual({
    Summer: 6,
    Winter: 4,
    'Winter steer': 2,
  })

  // labels of the two that are selected
  const answer = page.waitForResponse(response => response.url().endsWith(fleet.getTyreLabels.path))
  await page.getByRole('button', { name: 'Print labels' }).click()
  await page.getByRole('dialog', { name: 'Print labels' }).getByRole('button', { name: 'Print labels' }).click()
  const pages = await printed(Buffer.from((await (await answer).json()) as string, 'base64'))
  expect((await Promise.all(pages.map(scanned))).flat()).toHaveLength(2)

  // its data: nobody loses what was typed without being asked
  await page.getByRole('tab', { name: 'Vehicle data' }).click()
  await page.getByLabel('Description').fill('CF 310')
  await page.getByRole('link', { name: 'All vehicles' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Description').inputValue()).toBe('CF 310')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Vehicle updated').waitFor()
  expect(await kept(customer, id)).toMatchObject({ brand: 'DAF', description: 'CF 310', license_plate: '2FWH301' })

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Winter steer').first().waitFor()

  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog', { name: 'Remove vehicle?' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Vehicle removed').waitFor()
  await page.getByRole('heading', { name: 'Vehicles', exact: true }).waitFor()
  await page.getByLabel('Filter').fill('2-FWH-301')
  await page.getByText('No vehicles to display.').waitFor()

  // the deeper readings were refused twice, on purpose
  customer.expectNoTroubles(/409/)
  await customer.close()
})

test('a vehicle with tyres in stock stays, and says what holds it', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer
  const vehicles = await theFleet(customer)
  const stored = vehicles.find(({ tyres }) => tyres.filter(tyre => tyre.tyre_status === 'in_stock').length === 4)
  if (!stored) throw new Error('the demo has no vehicle with four tyres in stock')

  await page.getByRole('link', { name: 'Vehicles' }).first().click()
  await page.getByLabel('Filter').fill(formatPlate(stored.license_plate).toLowerCase())
  await page.getByText(`1 vehicle of ${vehicles.length}`).waitFor()
  await page.getByRole('cell', { name: stored.description }).first().click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog', { name: 'Remove vehicle?' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText("This vehicle can't be removed yet.").waitFor()
  await page.getByText('4 tyres of it are in stock.').waitFor()
  expect((await kept(customer, stored.flt_id)).license_plate).toBe(stored.license_plate)

  customer.expectNoTroubles(/409/)
  await customer.close()
})

test('a configuration is set once, after a question', async () => {
  const customer = await visit(browser, portal.url)
  await customer.signIn('customer')
  const { page } = customer
  const bare = (await theFleet(customer)).find(({ configuration }) => configuration === null)
  if (!bare) throw new Error('the demo has no vehicle without a configuration')

  await page.goto(`${portal.url}/fleet/vehicle?id=${bare.flt_id}`)
  await choose(page, 'Configuration', 'Van, 4 wheels')
  const set = page.getByRole('tabpanel').getByRole('button', { name: 'Set configuration' })
  await set.click()
  await page
    .getByRole('dialog', { name: 'Set this configuration for good?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  expect((await kept(customer, bare.flt_id)).configuration).toBeNull()
  await set.click()
  await page
    .getByRole('dialog', { name: 'Set this configuration for good?' })
    .getByRole('button', { name: 'Set configuration' })
    .click()
  await page.getByText('Vehicle updated').waitFor()
  await page.getByRole('button', { name: '1A, empty' }).click()
  await page.getByText('There is no tyre at 1A.').waitFor()
  expect((await kept(customer, bare.flt_id)).configuration).toBe('Van, 4 wheels')
  expect(await page.getByRole('button', { name: 'Set configuration' }).count()).toBe(0)

  await page.goto(`${portal.url}/fleet/vehicle`)
  await page.getByText('Error - no vehicle id retrieved from state').waitFor()
  customer.expectNoTroubles()
  await customer.close()
})
