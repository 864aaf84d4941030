/** The card of a scan on any screen: what a worker with gloves does with a scanner only (docs/product/warehouse.md "The card of a scan"). */
import { expect, test } from 'vitest'
import { cards } from '#contract/cards.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { tyres } from '#contract/tyres.ts'
import type { Operation } from '#contract/wire.ts'
import { encodeBarcode, encodeCommand, encodeLocation } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { typeByHand } from './scanner.ts'

const journeys = shareJourneys()
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

const untouched = async (admin: Visitor, type: Operation['type']): Promise<Operation[]> =>
  operations.admin.output
    .parse(await admin.call('/operations/admin', { status: 'submitted' }))
    .filter(
      operation =>
        operation.type === type && operation.tyres.length === 4 && operation.tyres.every(tyre => !tyre.scanned),
    )

/** An empty place for so many tyres. */
async function makePlace(admin: Visitor, name: string, capacity = 4): Promise<number> {
  const levels = [
    { kind: 'site', pattern: name },
    { kind: 'place', pattern: '1' },
  ]
  await admin.call('/locations/make', { parent: null, levels, capacity })
  const places = locations.all.output.parse(await admin.call('/locations/all', {}))
  return places.find(({ kind, stock_site_name: siteName }) => kind === 'place' && siteName === name)?._id ?? 0
}

const cardOf = async (admin: Visitor, tyre: number) =>
  cards.read.output.parse(await admin.call('/cards/read', { tyre })).wheels[0]

/** Counts touches and scans from here on, as an observer of the worker would. */
function counted(admin: Visitor) {
  const count = { scans: 0, touches: 0 }
  return {
    count,
    scan: async (code: string) => {
      count.scans++
      await admin.scan(code)
    },
    touch: async (name: RegExp | string) => {
      count.touches++
      await admin.page.getByRole('complementary', { name: 'Card' }).getByRole('button', { name }).first().tap()
    },
  }
}

test('a set is stored and placed in 5 scans and no touch, a plate is found by typing, a missing wheel takes 2 touches', async () => {
  const admin = await journeys.signedIn('admin', phone)
  const { page } = admin
  const card = page.getByRole('complementary', { name: 'Card' })
  const [stored, other] = await untouched(admin, 'to_stock')
  if (!stored || !other) throw new Error('the demo has too few storages')
  const place = await makePlace(admin, 'Card one')
  const plate = formatPlate(stored.vehicle.license_plate)
  await page.goto('/admin/operations')
  await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
  await admin.networkIdle()

  const storing = counted(admin)
  for (const [nth, { db_id }] of stored.tyres.entries()) {
    await storing.scan(encodeBarcode({ tyre: db_id, site: 1 }))
    await card.getByText(`In hand: ${nth + 1} tyre`).waitFor()
  }
  await storing.scan(encodeLocation({ location: place, site: 1 }))
  await card.getByText('4 tyres put on').waitFor()
  expect(storing.count).toEqual({ scans: 5, touches: 0 })
  for (const { db_id } of stored.tyres)
    await expect
      .poll(async () => {
        const wheel = await cardOf(admin, db_id)
        return [wheel?.state, wheel?.location, wheel?.operation?.scanned]
      })
      .toEqual(['at_place', place, true])

  // by a command the last wheel is taken off the list again
  await admin.scan(encodeBarcode({ tyre: stored.tyres[0]?.db_id ?? 0, site: 1 }))
  await card.getByText('Tyre found').waitFor()
  await admin.scan(encodeCommand({ command: 'next', site: 1 }))
  await expect.poll(() => card.count()).toBe(0)

  // where is plate X
  const keyboard = await page.context().newCDPSession(page)
  await typeByHand(keyboard, stored.vehicle.license_plate)
  await expect
    .poll(() => card.getByRole('textbox').inputValue())
    .toMatch(new RegExp(`^${stored.vehicle.license_plate}$`, 'i'))
  await page.keyboard.press('Enter')
  await card
    .getByText(/tyres found/)
    .first()
    .waitFor()
  await card.getByText(plate).first().waitFor()
  await card.getByText('On its place').first().waitFor()

  // a card that closes leads the keys of a gauge into no field of the screen below
  await admin.scan(encodeCommand({ command: 'next', site: 1 }))
  await expect.poll(() => card.count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await admin.scan(encodeLocation({ location: place, site: 1 }))
  await card.getByText(plate).first().waitFor()

  // a missing wheel
  const missing = counted(admin)
  const lost = stored.tyres[3]
  await missing.touch(new RegExp(`${lost?.position}.*On its place`))
  await missing.touch('Missing')
  await card.getByText('1 tyre missing').waitFor()
  expect(missing.count.touches).toBe(2)
  await expect.poll(async () => (await cardOf(admin, lost?.db_id ?? 0))?.state).toBe('missing')

  // it is found again and taken back to the place, which was scanned first
  await admin.scan(encodeCommand({ command: 'next', site: 1 }))
  await admin.scan(encodeLocation({ location: place, site: 1 }))
  await card.getByText('scan the tyres that go there').waitFor()
  await admin.scan(encodeBarcode({ tyre: lost?.db_id ?? 0, site: 1 }))
  await expect.poll(async () => (await cardOf(admin, lost?.db_id ?? 0))?.location).toBe(place)

  // a gauge types three readings, and the lowest is recorded
  await admin.scan(encodeCommand({ command: 'measure', site: 1 }))
  await card.getByText('1 to 3 readings').waitFor()
  for (const reading of ['0.5', '0.4', '0.6']) {
    await admin.scan(reading)
    await admin.networkIdle()
  }
  await card.getByText('0.4 mm recorded').waitFor()
  await expect.poll(async () => (await cardOf(admin, lost?.db_id ?? 0))?.profile_depth).toBe(0.4)

  // without a network scans wait on the device, and the wheel is where it was put once there is one
  const next = await makePlace(admin, 'Card two')
  await page.getByText('Everything is sent').count()
  await page.context().setOffline(true)
  const [first] = stored.tyres
  await admin.scan(encodeCommand({ command: 'next', site: 1 }))
  await admin.scan(encodeBarcode({ tyre: first?.db_id ?? 0, site: 1 }))
  await card.getByText('In hand: 1 tyre').waitFor()
  await admin.scan(encodeLocation({ location: next, site: 1 }))
  await card.getByText('1 scan waiting').waitFor()
  await page.context().setOffline(false)
  await expect.poll(async () => (await cardOf(admin, first?.db_id ?? 0))?.location).toBe(next)
  admin.expectNoPageErrors(/ERR_INTERNET_DISCONNECTED|409/)
})

test(
  'Undo brings each wheel back to where it was, and only what was done on this card',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const card = page.getByRole('complementary', { name: 'Card' })
    const [storage] = await untouched(admin, 'to_stock')
    const [first = 0, second = 0, coming = 0] = storage?.tyres.map(({ db_id }) => db_id) ?? []
    const [firstPlace, secondPlace, wrongPlace] = [
      await makePlace(admin, 'U1'),
      await makePlace(admin, 'U2'),
      await makePlace(admin, 'U3'),
    ]
    const scanned = [first, second].map((tyreId, nth) => ({ tyreId, ticsId: 1, timestamp: Date.now() + nth }))
    await admin.call('/operations/markscan', { type: 'to_stock', tyres: scanned })
    await admin.call('/locations/move', { tyres: [first], location: firstPlace })
    await admin.call('/locations/move', { tyres: [second], location: secondPlace })
    const where = async () => {
      const wheels = await Promise.all([first, second, coming].map(tyre => cardOf(admin, tyre)))
      return wheels.map(wheel => wheel?.location)
    }
    const scanWheel = async (tyre: number, inHand: number) => {
      await admin.scan(encodeBarcode({ tyre, site: 1 }))
      await card.getByText(`In hand: ${inHand} tyre`).waitFor()
    }
    await page.goto('/admin/operations')
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    await admin.networkIdle()

    // two from their places and one that comes, put on a wrong place together
    for (const [nth, tyre] of [first, second, coming].entries()) await scanWheel(tyre, nth + 1)
    await admin.scan(encodeLocation({ location: wrongPlace, site: 1 }))
    await card.getByText('3 tyres put on').waitFor()
    await expect.poll(where).toEqual([wrongPlace, wrongPlace, wrongPlace])
    await admin.scan(encodeCommand({ command: 'undo', site: 1 }))
    await card.getByText('Undone', { exact: true }).waitFor()
    await expect.poll(where).toEqual([firstPlace, secondPlace, null])
    expect((await cardOf(admin, coming))?.operation?.scanned).toBe(false)

    // on the card of another wheel there is nothing to undo
    await scanWheel(first, 1)
    await admin.scan(encodeLocation({ location: wrongPlace, site: 1 }))
    await card.getByText('1 tyre put on').waitFor()
    await scanWheel(second, 1)
    await admin.scan(encodeCommand({ command: 'undo', site: 1 }))
    await card.getByText('There is nothing to undo.').waitFor()
    admin.expectNoPageErrors()
  },
)

test('a depth is recorded once, whatever is pressed while it is', async () => {
  const admin = await journeys.signedIn('admin', phone)
  const { page } = admin
  const card = page.getByRole('complementary', { name: 'Card' })
  const [storage] = await untouched(admin, 'to_stock')
  const [first = 0] = storage?.tyres.map(({ db_id }) => db_id) ?? []
  await page.goto('/admin/operations')
  await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
  await admin.networkIdle()
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  let recordings = 0
  await page.route(`**${tyres.measure.path}`, async route => {
    recordings++
    await released
    await route.continue()
  })
  await admin.scan(encodeBarcode({ tyre: first, site: 1 }))
  await card.getByText('In hand: 1 tyre').waitFor()
  await admin.scan(encodeCommand({ command: 'measure', site: 1 }))
  for (const reading of ['0.5', '0.4', '0.6']) {
    // by keys: an Enter right after a label, without one between, is the scanner's
    await card.getByLabel(/^Reading \d in mm/).pressSequentially(reading)
    await page.keyboard.press('Enter')
  }
  await card
    .getByRole('button', { name: /^Save 0.4/ })
    .and(page.locator('[data-loading]'))
    .waitFor()
  await page.keyboard.press('Enter')
  await admin.scan(encodeCommand({ command: 'confirm', site: 1 }))
  // scans are taken one after the other: once this one is refused, the command before it was taken
  await admin.scan(encodeCommand({ command: 'gate', site: 1 }))
  await card.getByText('That is not possible for this tyre now.').waitFor()
  release()
  await card.getByText('0.4 mm recorded').waitFor()
  await admin.networkIdle()
  expect(recordings).toBe(1)
  admin.expectNoPageErrors()
})

test(
  'a scan closes the panel of the wheel before, and Find opens its field while a depth is measured',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const card = page.getByRole('complementary', { name: 'Card' })
    const [storage] = await untouched(admin, 'to_stock')
    const [first = 0, second = 0] = storage?.tyres.map(({ db_id }) => db_id) ?? []
    await page.goto('/admin/operations')
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    await admin.networkIdle()
    await admin.scan(encodeBarcode({ tyre: first, site: 1 }))
    await card.getByText('In hand: 1 tyre').waitFor()
    await admin.scan(encodeCommand({ command: 'damaged', site: 1 }))
    await card.getByText('What is damaged?').waitFor()
    await admin.scan(encodeBarcode({ tyre: second, site: 1 }))
    await card.getByText('In hand: 2 tyres').waitFor()
    await card.getByRole('button', { name: 'Damaged' }).waitFor()
    expect(await card.getByText('What is damaged?').count()).toBe(0)

    await admin.scan(encodeCommand({ command: 'measure', site: 1 }))
    await card.getByText('1 to 3 readings').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Find a tyre' }).click()
    await card.getByRole('textbox', { name: 'Plate, tyre ID, document or EAN' }).waitFor()
    admin.expectNoPageErrors()
  },
)

test(
  'a button of the card has its place whatever the wheel waits for, and Missing comes last',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const card = page.getByRole('complementary', { name: 'Card' })
    const [storage] = await untouched(admin, 'to_stock')
    const [recall] = await untouched(admin, 'to_customer')
    const places = locations.all.output.parse(await admin.call('/locations/all', {}))
    const full = places.find(({ kind, tyre_count }) => kind === 'place' && tyre_count > 0)
    const stored = locations.tyres.output.parse(await admin.call('/locations/tyres', { _id: full?._id }))
    const wheels = [storage?.tyres[0], recall?.tyres[0], stored[0]]
    await page.goto('/admin/operations')
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    await admin.networkIdle()

    const boxOf = (name: string) => card.getByRole('button', { name, exact: true }).boundingBox()
    const seen: object[] = []
    for (const wheel of wheels) {
      await admin.scan(encodeBarcode({ tyre: wheel?.db_id ?? 0, site: 1 }))
      await card.getByText(`#${wheel?.db_id}`).waitFor()
      const first = await boxOf('Measure')
      const step = await card
        .getByRole('button', { name: /^(Store|Load|Pick)/ })
        .first()
        .boundingBox()
      if (!first || !step) throw new Error('the card has no buttons')
      const boxes = ['Damaged', 'Photograph', 'Print label', 'Missing'].map(async name => {
        const box = await boxOf(name)
        return [name, box && [box.x, Math.round(box.y - first.y), Math.round(box.width)]]
      })
      seen.push({ step: Math.round(first.y - step.y), ...Object.fromEntries(await Promise.all(boxes)) })
    }
    expect(seen).toEqual(seen.map(() => seen[0]))
    const rows = Object.values(seen[0] ?? {}).flatMap(box => (Array.isArray(box) ? [box[1]] : []))
    expect(Math.max(...rows)).toBe(rows.at(-1))

    // in a hand, where it lies is what the records say, and that once
    await card.getByText('Recorded on').waitFor()
    expect(await card.getByText('On its place').count()).toBe(0)
    admin.expectNoPageErrors()
  },
)
