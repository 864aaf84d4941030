/** Work by scanner alone: command barcodes, questions, and a slow server (docs/product/warehouse.md "Commands by barcode"). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cards } from '#contract/cards.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { wheels } from '#contract/wheels.ts'
import type { Operation } from '#contract/wire.ts'
import { type Command, encodeBarcode, encodeCommand, encodeLocation } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }
const anyway = 'Not all tyres scanned, confirm anyway?'

const submitted = async (visitor: Visitor): Promise<Operation[]> =>
  operations.admin.output.parse(await visitor.call('/operations/admin', { status: 'submitted' }))
/** The first storage of four tyres of which none is scanned. */
async function untouched(visitor: Visitor, nth = 0): Promise<Operation> {
  const storage = (await submitted(visitor)).filter(
    ({ type, tyres }) => type === 'to_stock' && tyres.length === 4 && tyres.every(tyre => !tyre.scanned),
  )[nth]
  if (!storage) throw new Error('the demo has too few storages')
  return storage
}
const isSubmitted = async (visitor: Visitor, { _id }: Operation) =>
  (await submitted(visitor)).some(operation => operation._id === _id)
const cardOf = async (visitor: Visitor, tyre: number) =>
  cards.read.output.parse(await visitor.call('/cards/read', { tyre })).wheels[0]

const scanTyre = (visitor: Visitor, tyre: number) => visitor.scan(encodeBarcode({ tyre, site: 1 }))
const command = (visitor: Visitor, what: Command) => visitor.scan(encodeCommand({ command: what, site: 1 }))
const cardIn = (page: Page) => page.getByRole('complementary', { name: 'Card' })

async function openCardScreen({ page, networkIdle }: Visitor, path = '/admin/operations'): Promise<void> {
  await page.goto(path)
  await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
  await networkIdle()
}

/** Holds back the answers of a call until it is released; later calls are answered at once. */
async function holdBack(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(`**${path}`, async route => {
    await released
    await route.continue().catch(() => {})
  })
  return async () => {
    release()
    await page.unroute(`**${path}`)
  }
}

/** Three of a storage's tyres are scanned; the fourth is answered. */
async function threeOf(visitor: Visitor, storage: Operation): Promise<number> {
  const [lost, ...others] = storage.tyres.map(({ db_id }) => db_id)
  await visitor.call('/operations/markscan', { tyres: others.map(tyreId => ({ tyreId })) })
  return lost ?? 0
}

test('Missing, then Confirm, on a slow network: the question names the missing one, a further Confirm answers it', async () => {
  const admin = await journeys.signedIn('admin', phone)
  const { page } = admin
  const card = cardIn(page)
  const storage = await untouched(admin)
  const lost = await threeOf(admin, storage)
  await openCardScreen(admin)
  const scans: string[] = []
  page.on('request', request => void (request.url().endsWith(operations.markscan.path) && scans.push(request.url())))
  await scanTyre(admin, lost)
  await card.getByText('In hand: 1 tyre of').waitFor()

  const release = await holdBack(page, wheels.step.path)
  await command(admin, 'missing')
  await card.getByText('1 tyre missing').waitFor()
  expect(await card.getByText('In hand:').count()).toBe(0)
  await command(admin, 'confirm')
  await card.getByText('Checking…').waitFor()
  await release()
  const question = page.getByRole('dialog', { name: anyway })
  await question.getByText(/^1 tyre is recorded as missing/).waitFor()
  expect(await question.getByRole('listitem').count()).toBe(1)
  await question.getByText(storage.tyres[0]?.position ?? '', { exact: true }).waitFor()
  expect(await isSubmitted(admin, storage)).toBe(true)
  expect(scans).toEqual([])

  await command(admin, 'confirm')
  await page.getByText('Operation confirmed').waitFor()
  const missing = operations.missing.output.parse(await admin.call('/operations/missing', {}))
  expect(missing.find(({ operation }) => operation === storage._id)?.db_id).toBe(lost)
  expect((await cardOf(admin, lost))?.tyre_status).toBe('at_customer')
  expect(scans).toEqual([])
  admin.expectNoPageErrors()
})

test('a wheel in stock that was just said to be missing is not found by Confirm', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', phone)
  const card = cardIn(admin.page)
  const all = locations.all.output.parse(await admin.call('/locations/all', {}))
  const place = all.find(({ kind, tyre_count }) => kind === 'place' && tyre_count > 0)?._id
  const stored = locations.tyres.output.parse(await admin.call('/locations/tyres', { _id: place }))
  const tyre = stored.find(({ coming }) => coming === null)?.db_id ?? 0
  await openCardScreen(admin)
  await scanTyre(admin, tyre)
  await card
    .getByText(/^(Tyre found|In hand)/)
    .first()
    .waitFor()
  await command(admin, 'missing')
  await card.getByText('1 tyre missing').waitFor()
  await expect.poll(async () => (await cardOf(admin, tyre))?.state).toBe('missing')
  await command(admin, 'confirm')
  await card.getByText(/nothing to confirm|to be scanned/).waitFor()
  await admin.networkIdle()
  expect((await cardOf(admin, tyre))?.state).toBe('missing')
  // scanned again it is here, and that is what Confirm says then
  await scanTyre(admin, tyre)
  await card.getByRole('button', { name: 'Found' }).waitFor()
  await command(admin, 'confirm')
  await expect.poll(async () => (await cardOf(admin, tyre))?.state).toBe('received')
  admin.expectNoPageErrors()
})

test(
  'an account of the warehouse hears that the desk finishes it, until the site lets it name the missing one',
  { tags: 'whole' },
  async () => {
    const worker = await journeys.signedIn('warehouse', phone)
    const { page } = worker
    const card = cardIn(page)
    const storage = await untouched(worker)
    const lost = await threeOf(worker, storage)
    await openCardScreen(worker, '/admin/jobs')
    await scanTyre(worker, lost)
    await card.getByText('In hand: 1 tyre of').waitFor()
    await command(worker, 'missing')
    await card.getByText('1 tyre missing').waitFor()
    await command(worker, 'confirm')
    await card.getByText('An administrator completes this operation.').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await isSubmitted(worker, storage)).toBe(true)

    const admin = await journeys.signedIn('admin')
    await admin.page.goto('/admin/config?page=services')
    await admin.page.getByRole('switch', { name: 'Warehouse accounts may confirm with tyres missing' }).check()
    await admin.page.getByRole('button', { name: 'Save', exact: true }).click()
    await admin.page.getByText('Shop config updated successfully.').waitFor()

    await openCardScreen(worker, '/admin/jobs')
    await scanTyre(worker, storage.tyres[1]?.db_id ?? 0)
    await card.getByText('Tyre found').waitFor()
    await command(worker, 'confirm')
    await page
      .getByRole('dialog', { name: anyway })
      .getByText(/^1 tyre is recorded as missing/)
      .waitFor()
    await command(worker, 'confirm')
    await page.getByText('Operation confirmed').waitFor()
    worker.expectNoPageErrors()
    admin.expectNoPageErrors()
  },
)

test(
  'a slow answer is not lost: what arrives replaces what was said, and a place waits for it',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const card = cardIn(page)
    const all = locations.all.output.parse(await admin.call('/locations/all', {}))
    const place = all.find(({ kind, tyre_count }) => kind === 'place' && tyre_count > 1)?._id ?? 0
    const stored = locations.tyres.output.parse(await admin.call('/locations/tyres', { _id: place }))
    const [first, second] = stored.filter(({ coming }) => coming === null)
    if (!first || !second) throw new Error('the demo has no place with two tyres')
    await openCardScreen(admin)

    let release = await holdBack(page, cards.read.path)
    await scanTyre(admin, first.db_id)
    await card.getByText('Not checked yet: the server is slow').waitFor()
    await card.getByText('In hand: 1 tyre. Scan its place.').waitFor()
    await release()
    await card.getByText('Tyre found').waitFor()
    await card.getByText(`In hand: 1 tyre of ${formatPlate(first.license_plate)}. Scan its place.`).waitFor()
    expect(await card.getByText(/Not checked/).count()).toBe(0)

    release = await holdBack(page, cards.read.path)
    await scanTyre(admin, second.db_id)
    await card.getByText('Not checked yet: the server is slow').waitFor()
    await admin.scan(encodeLocation({ location: place, site: 1 }))
    await card.getByText('Waiting for the server').waitFor()
    await release()
    await card.getByText(/tyres? put on/).waitFor()
    await expect.poll(async () => (await cardOf(admin, second.db_id))?.location).toBe(place)
    admin.expectNoPageErrors(/409/)
  },
)

test(
  'the next wheel puts the document question off, only a command or a touch answers it, and today it is asked once',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const [first, second] = [await untouched(admin), await untouched(admin, 1)]
    const plate = formatPlate(first.vehicle.license_plate)
    const question = page.getByRole('dialog', { name: /^Insert a document into the invoicing system\?/ })
    await page.goto('/admin/intake?type=to_stock')
    await page.getByText(/tyres left/).waitFor()
    const latest = page.locator('article').first()
    const scanSet = async ({ tyres }: Operation) => {
      for (const { db_id } of tyres) {
        await scanTyre(admin, db_id)
        await latest.getByText(`Tyre ${db_id}`).waitFor()
      }
    }
    await scanSet(first)
    await command(admin, 'confirm')
    await question.waitFor()
    // the keys of a scanner do not stop its clock
    await admin.scan('4019238817294')
    await latest.getByText('Read: “4019238817294”').waitFor()
    expect(await question.locator('[data-paused]').count()).toBe(0)
    const [next] = second.tyres
    await scanTyre(admin, next?.db_id ?? 0)
    await question.waitFor({ state: 'hidden' })
    await latest.getByText(`Tyre ${next?.db_id}`).waitFor()
    expect(await isSubmitted(admin, first)).toBe(true)

    const ready = page.getByRole('region', { name: /^Ready to confirm/ })
    await ready.getByRole('button', { name: `Confirm ${plate}` }).tap()
    await question.getByRole('checkbox', { name: 'The same for the rest of today' }).check()
    await command(admin, 'confirm')
    await expect.poll(() => isSubmitted(admin, first)).toBe(false)
    await page.getByText('Today each confirmation inserts the document.').waitFor()

    await scanSet({ ...second, tyres: second.tyres.slice(1) })
    await command(admin, 'confirm')
    await expect.poll(() => isSubmitted(admin, second)).toBe(false)
    expect(await question.count()).toBe(0)
    await page.getByRole('button', { name: 'Ask again' }).tap()
    await page.getByText('Today each confirmation').waitFor({ state: 'hidden' })
    admin.expectNoPageErrors()
  },
)

test(
  'an unreadable label says what was read and leads to the field, where what is still to pick comes first',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const storage = await untouched(admin)
    const plate = formatPlate(storage.vehicle.license_plate)
    await page.goto('/admin/intake?type=to_stock')
    await page.getByText(/tyres left/).waitFor()
    const latest = page.locator('article').first()
    await admin.scan('4019238817294')
    await latest.getByText('Read: “4019238817294”').waitFor()
    await latest.getByRole('button', { name: 'Find by plate or ID' }).tap()
    const field = page.getByRole('searchbox', { name: 'Label damaged?' })
    await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
    await field.pressSequentially(storage.vehicle.license_plate, { delay: 90 })
    const results = page.getByRole('region', { name: 'Tyres found' }).getByRole('listitem')
    await expect.poll(() => results.count()).toBeGreaterThan(3)
    const firstPosition = await results.first().innerText()

    const release = await holdBack(page, locations.plan.path)
    await results
      .first()
      .getByRole('button', { name: new RegExp(`of ${plate}$`) })
      .tap()
    await latest.getByText('Looking for a place…').waitFor()
    await release()
    await latest.getByText(/Put away at|No place proposed/).waitFor()
    await expect.poll(() => results.first().innerText()).not.toBe(firstPosition)
    await results
      .first()
      .getByRole('button', { name: /^Pick tyre/ })
      .waitFor()
    await results.last().getByText('Scanned').waitFor()
    admin.expectNoPageErrors()
  },
)
