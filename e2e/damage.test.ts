/** Damage and photos of a wheel, and a wheel that goes to another vehicle, as a worker with a phone and a scanner does it. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cards } from '#contract/cards.ts'
import { damages } from '#contract/damages.ts'
import { fleet } from '#contract/fleet.ts'
import { encodeBarcode, encodeCommand } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

const wheelOf = async (admin: Visitor, tyre: number) =>
  cards.read.output.parse(await admin.call('/cards/read', { tyre })).wheels[0]

/** A phone's photo: larger than the stored one, and with the location where it was taken. */
const taken = (mean: number) =>
  sharp({
    create: {
      width: 2400,
      height: 1800,
      channels: 3,
      noise: { type: 'gaussian', mean, sigma: 20 },
      background: '#345',
    },
  })
    .withExif({ IFD0: { Make: 'Camera of a phone' }, IFD3: { GPSLatitude: '51/1 3/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()

test(
  'damage is reported by 2 scans and no touch, or by 2 touches, with photos that the customer sees; another vehicle by 3 touches',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', phone)
    const { page } = admin
    const card = page.getByRole('complementary', { name: 'Card' })
    const customer = await journeys.signedIn('customer')
    const mine = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    const stored = mine.find(({ tyres }) =>
      tyres.some(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null && tyre.tyre_set),
    )
    const tyre = stored?.tyres.find(
      candidate => candidate.tyre_status === 'in_stock' && candidate.operation === null && candidate.tyre_set,
    )
    const other = mine.find(
      vehicle => vehicle.flt_id !== stored?.flt_id && vehicle.configuration === stored?.configuration,
    )
    if (!stored || !tyre || !other) throw new Error('the demo has no stored tyre of a customer with two vehicles')
    await page.goto('/admin/operations')
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    await admin.networkIdle()
    const touches = { count: 0 }
    const touch = async (name: string | RegExp) => {
      touches.count++
      await card.getByRole('button', { name, exact: true }).first().tap()
    }

    // by barcodes
    await admin.scan(encodeBarcode({ tyre: tyre.db_id, site: 1 }))
    await card.getByText('Tyre found').waitFor()
    await admin.scan(encodeCommand({ command: 'nail', site: 1 }))
    await card.getByText('Damage recorded: Nail').waitFor()
    expect(touches.count).toBe(0)

    // by touches, with two photos
    await touch('Damaged')
    await card.getByLabel('Note, if needed').fill('Kerb')
    await touch('Rim bent')
    await card.getByText('Damage recorded: Rim bent').waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/reported.png` })
    expect(touches.count).toBe(2)
    await card.getByText('Kerb', { exact: true }).waitFor()
    // damage already marked is not recorded again
    await card.getByRole('button', { name: 'Rim bent', exact: true, pressed: true }).tap()
    await card.getByText('Recorded already: Rim bent').waitFor()
    const reports = damages.list.output.parse(await admin.call('/damages/list', { tyres: [tyre.db_id] }))
    expect(reports.map(({ code }) => code).toSorted()).toEqual(['nail', 'rim_bent'])
    // what leaves the device is small enough, and without a word of the camera
    await page.evaluate(() => {
      const real = window.fetch
      window.fetch = async (input, init) => {
        const photo = init?.body instanceof FormData ? init.body.get('photo') : null
        if (photo instanceof Blob) {
          const { width } = await createImageBitmap(photo)
          Object.assign(window, { left: { width, camera: (await photo.text()).includes('Camera of a phone') } })
        }
        return real(input, init)
      }
    })
    for (const [nth, mean] of [60, 150].entries()) {
      const chosen = page.waitForEvent('filechooser')
      await touch('Add photo: Rim bent')
      await (await chosen).setFiles({ name: 'DSC_0001.jpg', mimeType: 'image/jpeg', buffer: await taken(mean) })
      await card
        .getByRole('button', { name: `Photo ${nth + 1}: Rim bent` })
        .locator('img')
        .waitFor()
    }
    expect(await page.evaluate(() => (window as { left?: unknown }).left)).toEqual({ width: 1600, camera: false })
    // those that could not be sent are sent again
    await page.route(`**${damages.addphoto.path}`, route => route.abort())
    const chosen = page.waitForEvent('filechooser')
    await touch('Add photo: Rim bent')
    const more = [90, 120].map(async mean => ({
      name: `DSC_${mean}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await taken(mean),
    }))
    await (await chosen).setFiles(await Promise.all(more))
    const again = card.getByRole('button', { name: 'Send 2 photos again' })
    await again.waitFor()
    await page.unroute(`**${damages.addphoto.path}`)
    await again.tap()
    await card.getByRole('button', { name: 'Photo 4: Rim bent' }).locator('img').waitFor()
    await again.waitFor({ state: 'hidden' })
    await card.getByRole('button', { name: 'Photo 1: Rim bent' }).tap()
    const large = page.getByRole('dialog').getByRole('img', { name: 'Photo 1: Rim bent' })
    await large.waitFor()
    expect(await large.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(1600)
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/photo.png` })
    await page.keyboard.press('Escape')
    await touch('Back to the tyre')
    await card.getByRole('button', { name: 'Last photo' }).locator('img').waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/card.png` })
    expect(await wheelOf(admin, tyre.db_id)).toMatchObject({ damages: ['nail', 'rim_bent'] })

    // the command opens the same, a repair ends one, and a reason the other
    await admin.scan(encodeCommand({ command: 'damaged', site: 1 }))
    await touch('Repaired: Nail')
    await card.getByText('Repaired on').waitFor()
    await touch('No damage: Rim bent')
    await page.getByRole('dialog').getByLabel('Reason').fill('Only dirt')
    await page.getByRole('dialog').getByRole('button', { name: 'No damage' }).tap()
    await card.getByText('Only dirt').waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/ended.png` })
    expect(await wheelOf(admin, tyre.db_id)).toMatchObject({ damages: [] })
    await touch('Back to the tyre')

    // another vehicle of the customer
    touches.count = 0
    await touch('Other vehicle')
    await card.getByLabel('Vehicle', { exact: true }).fill(other.license_plate)
    await touch(new RegExp(`^${formatPlate(other.license_plate)}`))
    await card.getByLabel('Set').fill('Moved here')
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/refit.png` })
    await touch('Move 1 tyre')
    await card.getByText(`Now of ${formatPlate(other.license_plate)}`).waitFor()
    expect(touches.count).toBe(3)
    expect(await wheelOf(admin, tyre.db_id)).toMatchObject({ flt_id: other.flt_id, tyre_set: 'Moved here' })

    // the customer finds the photos in the tyre's details
    await customer.page.goto(`/tyres?tab=tyres&filter=${other.license_plate}&status=in_stock`)
    await customer.page.locator(`[data-tyre="${tyre.db_id}"]`).getByRole('button').last().click()
    const details = customer.page.getByRole('dialog')
    await details.getByRole('button', { name: 'Photo 2: Rim bent' }).locator('img').waitFor()
    await details.getByText('Only dirt').waitFor()
    expect(await details.getByRole('button', { name: /Repaired|Add photo/ }).count()).toBe(0)
    if (process.env['SHOTS']) await customer.page.screenshot({ path: `${process.env['SHOTS']}/customer.png` })
  },
)
