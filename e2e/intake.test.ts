/** The scanner at the intake screen: what it types is a scan wherever the focus is, and never lost. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { encodeBarcode, type Layout } from '#domain/barcode.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { typeByHand, typeCode } from './scanner.ts'

const journeys = shareJourneys()

/** The submitted operations of a type that nobody has begun to scan. */
async function untouched(admin: Visitor, type: Operation['type']): Promise<Operation[]> {
  const list = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  return list.filter(operation => operation.type === type && operation.tyres.every(tyre => !tyre.scanned))
}

async function openIntake(admin: Visitor, type: string): Promise<void> {
  await admin.page.goto(`/admin/intake?type=${type}`)
  await admin.page.getByText(/tyres left/).waitFor()
}

const latest = (page: Page) => page.locator('article').first()

test('a scanner is read on any layout; fields keep what was typed, and its Enter presses no button', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  const tyres = (await untouched(admin, 'to_customer')).flatMap(operation => operation.tyres.map(tyre => tyre.db_id))
  const next = () => {
    const tyre = tyres.shift()
    if (!tyre) throw new Error('the demo has too few recalls')
    return tyre
  }
  await openIntake(admin, 'to_customer')

  const pairs: [Layout, Layout][] = [
    ['us', 'be'],
    ['us', 'fr'],
    ['us', 'de'],
    ['be', 'be'],
    ['de', 'us'],
  ]
  for (const [scanner, machine] of pairs) {
    const tyre = next()
    await admin.scan(encodeBarcode({ tyre, site: 1 }), { scanner, machine })
    await latest(page).getByText(`Tyre ${tyre}`).waitFor()
  }

  const field = page.getByLabel('Label damaged?')
  await field.click()
  await typeByHand(await page.context().newCDPSession(page), '1-ab')
  const second = next()
  await admin.scan(encodeBarcode({ tyre: second, site: 1 }))
  await latest(page).getByText(`Tyre ${second}`).waitFor()
  expect(await field.inputValue()).toBe('1-ab')

  const sounds = page.getByRole('button', { name: 'Sounds' })
  await sounds.focus()
  const third = next()
  await admin.scan(encodeBarcode({ tyre: third, site: 1 }))
  await latest(page).getByText(`Tyre ${third}`).waitFor()
  expect(await sounds.getAttribute('aria-pressed')).toBe('true')

  await admin.scan(encodeBarcode({ tyre: third, site: 1 }))
  await latest(page).getByText('Already scanned').waitFor()
  await admin.scan(encodeBarcode({ tyre: third, site: 2 }))
  await latest(page).getByText('Label of another site').waitFor()
  await admin.scan(encodeBarcode({ tyre: 9_999_999, site: 1 }))
  await latest(page).getByText('Tyre not found').waitFor()
  await admin.scan(encodeBarcode({ tyre: 1, site: 1 }).replace('T$L', 'T$M'))
  await latest(page).getByText('Error decoding scanned barcode').waitFor()

  admin.expectNoTroubles()
})

test('two tabs send each scan once, and both show it', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const [operation] = (await untouched(admin, 'to_stock')).filter(({ tyres }) => tyres.length >= 3)
  const [a, b] = operation?.tyres.map(tyre => tyre.db_id) ?? []
  if (!a || !b) throw new Error('the demo has no submitted storage of three tyres')
  const sent: string[] = []
  admin.page.context().on('request', request => {
    if (request.url().endsWith(operations.markscan.path))
      for (const scan of (request.postDataJSON() as { tyres: { scanId: string }[] }).tyres) sent.push(scan.scanId)
  })
  await openIntake(admin, 'to_stock')
  const other = await admin.page.context().newPage()
  await other.goto('/admin/intake?type=to_stock')
  await other.getByText(/tyres left/).waitFor()

  await typeCode(await other.context().newCDPSession(other), encodeBarcode({ tyre: a, site: 1 }))
  await latest(other).getByText(`Tyre ${a}`).waitFor()
  await admin.page.bringToFront()
  await admin.scan(encodeBarcode({ tyre: b, site: 1 }))
  await latest(admin.page).getByText(`Tyre ${b}`).waitFor()
  await Promise.all([admin.page, other].map(page => page.getByText('Everything is sent').first().waitFor()))

  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(2)
  for (const page of [admin.page, other])
    await expect.poll(() => page.locator('article').filter({ hasText: 'Registered' }).count()).toBe(2)
  admin.expectNoTroubles()
})

test('an expired session loses no scan: scanning goes on, and signing in again sends everything', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const [operation] = (await untouched(admin, 'to_waste')).filter(({ tyres }) => tyres.length >= 2)
  if (!operation) throw new Error('the demo has no submitted disposal of two tyres')
  await openIntake(admin, 'to_waste')
  await admin.page.context().clearCookies()
  for (const tyre of operation.tyres) {
    await admin.scan(encodeBarcode({ tyre: tyre.db_id, site: 1 }))
    await latest(admin.page).getByText(`Tyre ${tyre.db_id}`).waitFor()
  }
  await admin.page.getByText('Your session has ended').waitFor()
  await admin.page.getByRole('button', { name: 'Sign in again' }).click()
  await admin.page.getByLabel('Password of admin').fill('wheelhouse')
  await admin.page.keyboard.press('Enter')
  await admin.page.getByText('Everything is sent').waitFor()

  const after = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const same = after.find(one => one._id === operation._id)
  expect(same?.tyres.map(tyre => tyre.scanTimes)).toEqual(operation.tyres.map(() => 1))
})
