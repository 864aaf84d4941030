/** The scanner at the intake screen: its input is a scan wherever the focus is, and never lost. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { encodeBarcode, encodeLocation, type Layout } from '#domain/warehouse/barcode.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { locations } from '#contract/locations.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { keyIntervals, suffixDelays, suffixes, typeByHand, typeCode, typeSlowly } from './scanner.ts'

const journeys = shareJourneys()

/** The submitted operations of a type without scans. */
async function untouched(admin: Visitor, type: Operation['type']): Promise<Operation[]> {
  return (await submitted(admin)).filter(
    operation => operation.type === type && operation.tyres.every(tyre => !tyre.scanned),
  )
}

const submitted = async (admin: Visitor): Promise<Operation[]> =>
  operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))

async function openIntake(admin: Visitor, type: string): Promise<void> {
  await admin.page.goto(`/admin/intake?type=${type}`)
  await admin.page.getByText(/tyres left/).waitFor()
}

const latest = (page: Page) => page.locator('article').first()

test(
  'scans are read on any keyboard layout, leave fields unchanged and press no button',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
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

    admin.expectNoPageErrors()
  },
)

const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

/** Scans a tyre, and waits for its card. */
const scanning = (admin: Visitor) => async (tyre: number) => {
  await admin.scan(encodeBarcode({ tyre, site: 1 }))
  await latest(admin.page).getByText(`Tyre ${tyre}`).waitFor()
}

/** An empty place for `count` tyres. */
async function makePlace(admin: Visitor, capacity: number): Promise<number> {
  const levels = [
    { kind: 'site', pattern: `Little ${capacity}` },
    { kind: 'place', pattern: '1' },
  ]
  await admin.call('/locations/make', { parent: null, levels, capacity })
  const places = locations.all.output.parse(await admin.call('/locations/all', {}))
  const place = places.find(
    ({ kind, stock_site_name: siteName }) => kind === 'place' && siteName === `Little ${capacity}`,
  )
  return place?._id ?? 0
}

test(
  'scanner keys press nothing, move no focus and leave no screen, even with a late Enter or Tab',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const keyboard = await page.context().newCDPSession(page)
    const [operation] = await untouched(admin, 'to_waste')
    const code = encodeBarcode({ tyre: operation?.tyres[0]?.db_id ?? 0, site: 1 })
    const screens = [
      '/admin/intake',
      '/admin/intake?type=to_waste',
      '/admin/intake?type=to_waste&scan=true',
      '/admin/operations',
      '/admin/locations',
      '/admin/invoicing',
    ]
    for (const screen of screens) {
      await page.goto(screen)
      await admin.networkIdle()
      const button = page.locator('[role="dialog"] button:enabled, main button:enabled').first()
      await button.focus()
      const before = await button.evaluateHandle(element => {
        const seen = { element, pressed: 0 }
        element.addEventListener('click', () => seen.pressed++)
        return seen
      })
      for (const pace of keyIntervals)
        for (const after of suffixDelays)
          for (const suffix of suffixes) {
            await typeSlowly(keyboard, code, { pace, after, suffix })
            const focusAndPresses = await before.evaluate(({ element, pressed }) => [
              element === document.activeElement,
              pressed,
            ])
            expect(
              [...focusAndPresses, page.url().endsWith(screen)],
              `${screen}, ${pace} ms a key, ${suffix} after ${after} ms`,
            ).toEqual([true, 0, true])
          }
    }
    admin.expectNoPageErrors()
  },
)

test('a mistaken scan can be corrected on its card, on the smallest phone', async () => {
  const admin = await journeys.signedIn('admin', phone)
  const { page } = admin
  const card = latest(page)
  const recall = (await untouched(admin, 'to_customer')).find(({ tyres }) => tyres.length > 1)
  if (!recall) throw new Error('the demo has no recall of two tyres')
  const scanTyre = scanning(admin)

  // the type that was chosen has the focus, and Space leaves it chosen
  await page.goto('/admin/intake')
  await page.getByRole('button', { name: /^Storage/ }).press('Space')
  const type = page.getByRole('radio', { name: 'Storage' })
  await expect.poll(() => type.evaluate(radio => radio === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  expect(await type.isChecked()).toBe(true)
  await page
    .getByText(/tyres left/)
    .first()
    .waitFor()

  const [leaving] = recall.tyres
  await scanTyre(leaving?.db_id ?? 0)
  await card.getByText('Tyre not found').waitFor()
  await card.getByText('Wrong type: Recall').waitFor()
  await card.getByRole('button', { name: 'Switch to Recall and register' }).click()
  await card.getByText('Tyre found').waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Recall' }).isChecked()).toBe(true)
  await card.getByText('Registered').waitFor()

  // a tyre in no operation: whose it is and where it lies
  await page.getByText('Storage', { exact: true }).click()
  await expect.poll(() => type.isChecked()).toBe(true)
  const elsewhere = recall.tyres[1]
  await admin.call('/operations/cancel', { operation: { _id: recall._id } })
  expect((await submitted(admin)).some(({ _id }) => _id === recall._id)).toBe(false)
  await page.reload()
  await page
    .getByText(/tyres left/)
    .first()
    .waitFor()
  await scanTyre(elsewhere?.db_id ?? 0)
  await card.getByText('Tyre not found').waitFor()
  await card.getByText(recall.user.companyname).waitFor()
  await card.getByText(elsewhere?.stock_rack ?? '').waitFor()

  admin.expectNoPageErrors()
})

test(
  'a tyre with a damaged label is typed and picked, by Enter where it is the only one',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const [storage] = (await untouched(admin, 'to_stock')).filter(({ tyres }) => tyres.length > 1)
    const [first, second] = storage?.tyres ?? []
    if (!storage || !first || !second) throw new Error('the demo has no storage of two tyres')
    await page.goto('/admin/intake?type=to_stock')
    const field = page.getByRole('searchbox', { name: 'Label damaged?' })
    await field.pressSequentially(String(first.db_id), { delay: 90 })
    await page.getByText('1 tyre found').waitFor()
    await field.press('Enter')
    await latest(page).getByText(`Tyre ${first.db_id}`).waitFor()
    await expect.poll(() => field.inputValue()).toBe('')

    await field.pressSequentially(formatPlate(storage.vehicle.license_plate), { delay: 90 })
    await page
      .getByRole('button', { name: `Pick tyre ${second.position} of ${formatPlate(storage.vehicle.license_plate)}` })
      .tap()
    await latest(page).getByText(`Tyre ${second.db_id}`).waitFor()
    const scanned = async () =>
      (await submitted(admin))
        .find(({ _id }) => _id === storage._id)
        ?.tyres.filter(tyre => tyre.scanned)
        .map(({ db_id }) => db_id)
        .toSorted((a, b) => a - b)
    await expect.poll(scanned).toEqual([first.db_id, second.db_id].toSorted((a, b) => a - b))
    admin.expectNoPageErrors()
  },
)

test('a full or partial place shows the remaining tyres, on the smallest phone', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', phone)
  const { page } = admin
  const card = latest(page)
  const scanTyre = scanning(admin)
  const [stored, other, filler] = (await untouched(admin, 'to_stock')).filter(({ tyres }) => tyres.length === 4)
  if (!stored || !other || !filler) throw new Error('the demo has too few storages')
  const [first, second, third] = [await makePlace(admin, 8), await makePlace(admin, 6), await makePlace(admin, 4)]
  const scanPlace = (location: number) => admin.scan(encodeLocation({ location, site: 1 }))
  await openIntake(admin, 'to_stock')

  // Confirm is fully visible, and within reach of the thumb
  for (const { db_id } of stored.tyres) await scanTyre(db_id)
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
  const box = async () => (await confirm.boundingBox()) ?? { width: 0, y: 0, height: 0 }
  await expect.poll(async () => (await box()).width).toBeGreaterThan(300)
  const { y, height } = await box()
  expect(y + height).toBeLessThanOrEqual(phone.viewport.height)
  expect(await confirm.evaluate(button => button.scrollWidth <= button.clientWidth)).toBe(true)

  // wheels of two vehicles before one place
  const [firstTyre, ...three] = other.tyres
  await scanTyre(firstTyre?.db_id ?? 0)
  await scanPlace(first)
  await card.getByText(`4 tyres of ${formatPlate(stored.vehicle.license_plate)} were scanned before`).waitFor()
  await card.getByRole('button', { name: 'Put them here too' }).click()
  await card.getByText(`4 tyres of ${formatPlate(stored.vehicle.license_plate)}`, { exact: true }).waitFor()
  await card.getByText('Registered').waitFor()

  // a place with room for some of them
  await admin.call('/locations/move', { tyres: filler.tyres.map(({ db_id }) => db_id), location: second })
  for (const { db_id } of three) await scanTyre(db_id)
  await scanPlace(second)
  await card.getByText('1 has no room for these tyres: 3 needed, 2 free.').waitFor()
  await card.getByText('Nearest with room:').waitFor()
  await card.getByRole('button', { name: 'Put 2 here, the rest elsewhere' }).click()
  await card.getByText(`2 tyres of ${formatPlate(other.vehicle.license_plate)}`, { exact: true }).waitFor()
  await scanPlace(third)
  await card.getByText(`1 tyre of ${formatPlate(other.vehicle.license_plate)}`, { exact: true }).waitFor()

  // the operation scanned here is confirmed on another device
  await page.getByText('Everything is sent').first().waitFor()
  const desk = await journeys.signedIn('admin')
  await openIntake(desk, 'to_stock')
  const ready = desk.page.getByRole('region', { name: /^Ready to confirm/ })
  await ready.getByRole('button', { name: `Confirm ${formatPlate(stored.vehicle.license_plate)}` }).click()
  const question = `Insert a document into the invoicing system? ${formatPlate(stored.vehicle.license_plate)}, 4 tyres`
  const dialog = desk.page.getByRole('dialog', { name: question, exact: true })
  await dialog.press('F2')
  await dialog.getByRole('button', { name: 'Without document' }).click()
  await desk.page.getByText('Operation confirmed').first().waitFor()
  // a full place was refused, on purpose
  admin.expectNoPageErrors(/409/)
  desk.expectNoPageErrors()
})

test('two tabs send each scan once, and both show it', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
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
  admin.expectNoPageErrors()
})

test('an expired session loses no scan: scanning continues, and signing in again sends all', async () => {
  const admin = await journeys.signedIn('admin')
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

  const after = await submitted(admin)
  const same = after.find(candidate => candidate._id === operation._id)
  expect(same?.tyres.map(tyre => tyre.scanTimes)).toEqual(operation.tyres.map(() => 1))
})

test('signing out with fifty waiting scans loses none', { tags: 'whole' }, async () => {
  const admin = await journeys.visit()
  const { page } = admin
  await admin.signIn('admin')
  await page.route(`**${operations.markscan.path}`, route => route.abort())
  const scans: number[] = []
  // the demo has fewer than fifty tyres to store
  for (const type of offeredTypes) {
    const operationsOfType = (await submitted(admin)).filter(operation => operation.type === type)
    const wheels = operationsOfType.flatMap(({ tyres }) => tyres.filter(tyre => !tyre.scanned).map(tyre => tyre.db_id))
    await openIntake(admin, type)
    for (const wheel of wheels.slice(0, 50 - scans.length)) {
      await admin.scan(encodeBarcode({ tyre: wheel, site: 1 }))
      await latest(page).getByText(`Tyre ${wheel}`).waitFor()
      scans.push(wheel)
    }
  }
  expect(scans.length).toBe(50)
  await page.getByText('50 scans waiting').first().waitFor()
  await page.getByRole('button', { name: /Administrator$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()

  await page.unroute(`**${operations.markscan.path}`)
  await admin.signIn('admin')
  await openIntake(admin, 'to_stock')
  await page.getByText('Everything is sent').first().waitFor()
  const after = await submitted(admin)
  const scanned = new Set(after.flatMap(({ tyres }) => tyres.filter(tyre => tyre.scanned).map(tyre => tyre.db_id)))
  expect(scans.filter(wheel => !scanned.has(wheel))).toEqual([])
})
