/** The whole job without a mouse: signing in, storing tyres, scanning them in, confirming. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { encodeBarcode } from '#domain/barcode.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

/** Presses Tab until what has the focus is called this, as somebody without a mouse does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 120; presses++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      if (!element || element === document.body) return ''
      const labelled = (element.getAttribute('aria-labelledby') ?? '')
        .split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '')
      const labels = [...((element as HTMLInputElement).labels ?? [])].map(label => label.textContent ?? '')
      return [element.getAttribute('aria-label') ?? '', ...labelled, ...labels, element.textContent ?? '']
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
    })
    if (name.test(focused)) {
      const ring = await page.evaluate(() => {
        const style = getComputedStyle(document.activeElement as Element)
        return (
          style.outlineStyle !== 'none' ||
          style.boxShadow !== 'none' ||
          (document.activeElement as Element).matches('input')
        )
      })
      expect(ring, `${focused} shows that it has the focus`).toBe(true)
      return
    }
    passed.push(focused)
    await page.keyboard.press('Tab')
  }
  throw new Error(`no ${name} among ${passed.join(' | ')}`)
}

test('tyres are stored and confirmed by keyboard alone', async () => {
  const customer = await journeys.visit()
  await customer.signIn('customer2')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(
    one =>
      one.configuration !== null &&
      vehicles.filter(other => other.license_plate === one.license_plate).length === 1 &&
      one.tyres.some(tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null),
  )
  if (!vehicle) throw new Error('the demo has no vehicle of customer2 with tyres at the customer')
  const { page } = customer
  await tabTo(page, /^New operation$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.keyboard.type(vehicle.license_plate)
  await page.keyboard.press('Enter')
  await page.getByText('Pick a service').waitFor()
  await tabTo(page, /^Tyres to stock/)
  await page.keyboard.press('Enter')
  await page.getByText('Pick tyres to proceed').waitFor()
  await tabTo(page, /^All \(/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Proceed/)
  await page.keyboard.press('Enter')
  await page.getByText('Add final information and confirm').waitFor()
  await tabTo(page, /^Process/)
  await page.keyboard.press('Enter')
  await page.getByText('The operation is submitted.').waitFor()

  const admin = await journeys.visit()
  await admin.signIn('admin')
  const submitted = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const operation = submitted.find(
    one => one.flt_id === vehicle.flt_id && one.type === 'to_stock' && one.tyres.every(tyre => !tyre.scanned),
  )
  if (!operation) throw new Error('the operation is not among the submitted ones')
  const { site_number: site } = (await admin.call('/gsc', undefined, 'GET')) as { site_number: number }
  await tabTo(admin.page, /^Intake/)
  await admin.page.keyboard.press('Enter')
  await admin.page.getByText('Pick an operation type').waitFor()
  await tabTo(admin.page, /^Storage/)
  await admin.page.keyboard.press('Enter')
  await admin.page.getByText('Ready to scan').first().waitFor()
  for (const tyre of operation.tyres) {
    await admin.scan(encodeBarcode({ tyre: tyre.db_id, site }))
    await admin.page.getByText('Tyre found').first().waitFor()
  }
  await tabTo(admin.page, /^Confirm/)
  await admin.page.keyboard.press('Enter')
  await admin.page.getByText('Insert a document into the invoicing system?').waitFor()
  await tabTo(admin.page, /^Insert document/)
  await admin.page.keyboard.press('Enter')
  await admin.page.getByText('Operation confirmed').first().waitFor()

  customer.expectNoTroubles()
  admin.expectNoTroubles()
})
