/** An account restricted to the warehouse works there and sees nothing else (docs/product/accounts.md "Accounts of the warehouse"). */
import { expect, test } from 'vitest'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()
const handheld = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

test('an account of the warehouse has four entries, and no screen of them asks for what it may not have', async () => {
  const worker = await journeys.visit(handheld)
  const { page } = worker
  const refused: string[] = []
  page.on('response', reply => void (reply.status() === 403 && refused.push(reply.url())))
  await worker.signIn('warehouse')
  await page.waitForURL('**/admin/intake*')
  const bar = page.getByRole('navigation', { name: 'Menu' })
  expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Scan', 'Jobs', 'Places', 'Find'])
  expect(await bar.getByRole('button').count()).toBe(0)

  await bar.getByRole('link', { name: 'Jobs' }).tap()
  for (const job of ['Pick for outbound', 'Load', 'Count stock', 'To clear up']) {
    await page.getByRole('main').getByRole('link', { name: job }).tap()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await worker.networkIdle()
    expect(await bar.getByRole('link', { name: 'Jobs' }).getAttribute('aria-current')).toBe('page')
    await bar.getByRole('link', { name: 'Jobs' }).tap()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  }

  const all = locations.all.output.parse(await worker.call('/locations/all', {}))
  const place = all.find(({ kind, tyre_count }) => kind === 'place' && tyre_count > 0)?._id ?? 0
  await page.goto(`/admin/locations?id=${place}`)
  await page.getByRole('button', { name: 'Print labels' }).waitFor()
  await worker.networkIdle()
  for (const name of ['Edit', 'Remove', 'New site'])
    expect(await page.getByRole('main').getByRole('button', { name, exact: true }).count(), name).toBe(0)
  // whose tyres lie there is read, and leads nowhere
  expect(await page.getByRole('main').locator('a[href*="vehicle"]').count()).toBe(0)

  await page.goto('/account')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  await worker.networkIdle()
  expect(await page.getByRole('heading').allInnerTexts()).not.toContain('Access for other programs')
  expect(refused).toEqual([])

  for (const path of ['/admin/customers', '/admin/invoicing', '/admin/config', '/fleet', '/admin/audit']) {
    await page.goto(path)
    await page.getByText('404 - Page not found.').waitFor()
  }
  expect(refused).toEqual([])
  worker.expectNoPageErrors()
})

test('the number at the jobs of a warehouse account is that of what waits behind it', { tags: 'whole' }, async () => {
  const worker = await journeys.signedIn('warehouse', handheld)
  const { page } = worker
  const all = locations.all.output.parse(await worker.call('/locations/all', {}))
  const numbers = async () => {
    await page.goto('/admin/jobs')
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    await worker.networkIdle()
    const entry = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Jobs' })
    const texts = [await entry.innerText(), ...(await page.getByRole('main').getByRole('listitem').allInnerTexts())]
    const [shown = 0, ...waiting] = texts.map(text => Number(/\d+/.exec(text)?.[0] ?? 0))
    return { shown, waits: waiting.reduce((sum, count) => sum + count, 0) }
  }
  const before = await numbers()
  expect(before.shown).toBe(before.waits)
  await worker.call('/counts/start', { location: all.find(({ kind }) => kind === 'zone')?._id ?? 0 })
  expect(await numbers()).toEqual({ shown: before.shown + 1, waits: before.waits + 1 })
  worker.expectNoPageErrors()
})

test('an account of the warehouse finds a wheel by its plate, and scans it in', { tags: 'whole' }, async () => {
  const worker = await journeys.signedIn('warehouse', handheld)
  const { page } = worker
  await page.goto('/')
  const submitted = operations.admin.output.parse(await worker.call('/operations/admin', { status: 'submitted' }))
  const storage = submitted.find(({ type, tyres }) => type === 'to_stock' && tyres.every(tyre => !tyre.scanned))
  const plate = storage?.vehicle.license_plate ?? ''
  const tyre = storage?.tyres[0]?.db_id ?? 0

  await page.getByRole('link', { name: 'Find' }).tap()
  await page.getByRole('main').getByRole('textbox').fill(plate)
  await page.getByRole('main').getByRole('button', { name: 'Find' }).tap()
  const card = page.getByRole('complementary', { name: 'Card' })
  await card.getByText(formatPlate(plate)).first().waitFor()
  // the card of one wheel is longer than the display: what closes it stays in sight
  await worker.scan(encodeBarcode({ tyre, site: 1 }))
  await card.getByRole('list', { name: 'Last events' }).waitFor()
  const close = card.getByRole('button', { name: 'Close' })
  expect((await close.boundingBox())?.y).toBeGreaterThan(0)
  await close.tap()

  await page.goto('/admin/intake?type=to_stock')
  await page.getByText('Ready to scan').first().waitFor()
  // sent by itself, once the timer says so
  const kept = page.waitForResponse(reply => reply.url().endsWith(operations.markscan.path))
  await worker.scan(encodeBarcode({ tyre, site: 1 }))
  await page.getByText('Tyre found').first().waitFor()
  expect((await kept).status()).toBe(200)
  worker.expectNoPageErrors()
})

test('an administrator restricts another one to the warehouse', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  // where they were once
  await page.goto('/admin/customers?tab=administrators')
  await page.waitForURL('**/admin/config?page=team*')
  await page.getByRole('button', { name: 'New administrator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Username' }).fill('new-hall')
  await dialog.getByRole('checkbox', { name: 'Warehouse only' }).check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row').filter({ hasText: 'new-hall' })
  await row.getByText('Warehouse only').waitFor()
  await row.getByRole('button', { name: 'Edit new-hall' }).click()
  await dialog.getByRole('checkbox', { name: 'Warehouse only' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => row.getByText('Warehouse only').count()).toBe(0)
  admin.expectNoPageErrors()
})
