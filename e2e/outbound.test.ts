/** Recalls leave: picked in a wave, staged, loaded and signed, with a scanner on a hand terminal (docs/product/warehouse.md "Waves", "The loading gate"). */
import { expect, test } from 'vitest'
import { gate } from '#contract/gate.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { waves } from '#contract/waves.ts'
import type { Operation } from '#contract/wire.ts'
import { encodeBarcode, encodeCommand, encodeLocation } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()
const handheld = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

/** Recalls of whole sets that lie on places, all for one transport and day of which nothing is loaded yet, with enough tread. */
async function threeRecalls(admin: Visitor) {
  const { due } = waves.all.output.parse(await admin.call('/waves/all', {}))
  const load = due.find(({ wheel_count, free_count }) => wheel_count === free_count)
  const submitted = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const recalls = submitted
    .filter(
      ({ type, tyres }) =>
        type === 'to_customer' && tyres.length === 4 && tyres.every(tyre => tyre.stock_rack && !tyre.scanned),
    )
    .slice(0, 3)
  if (!load || recalls.length < 3) throw new Error('the demo has too few recalls')
  const ids = recalls.map(({ _id }) => _id)
  const { sql } = journeys.portal
  await sql(
    `update operation set delivery_date = delivery_date + 1 where status = 'submitted' and type = 'to_customer' and delivery_date = $1`,
    [load.day],
  )
  await sql(`update operation set delivery_date = $1, transport_id = $2 where id = any ($3)`, [
    load.day,
    load.transport,
    ids,
  ])
  await sql(
    `update tyre set profile_depth = 7 where id in (select tyre_id from operation_tyre where operation_id = any ($1))`,
    [ids],
  )
  return { load: { day: load.day, transport: load.transport }, recalls }
}

/** A wheel with too little tread is stopped, and goes along with a reason, which outlives a refusal. */
test('the gate lets a worn wheel through with a reason', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', handheld)
  const { page } = admin
  await page.goto('/')
  const { load, recalls } = await threeRecalls(admin)
  const [wheel] = recalls[0]?.tyres ?? []
  if (!wheel) throw new Error('a recall has no tyre')
  await journeys.portal.sql('update tyre set profile_depth = 1 where id = $1', [wheel.db_id])
  await page.goto(`/admin/waves/load?day=${load.day}&transport=${load.transport}`)
  await page.getByText('0/12').waitFor()
  await admin.scan(encodeBarcode({ tyre: wheel.db_id, site: 1 }))
  await page
    .locator('[data-tint]')
    .getByText(/^Stop: .* has 1 mm/)
    .waitFor()
  await page.getByRole('button', { name: 'Let through' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Let through' })
  const sendReason = () => dialog.getByRole('button', { name: 'Let through' }).tap()
  await sendReason()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Goes to be retreaded')
  await page.route('**/gate/load', route => route.abort())
  await sendReason()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Goes to be retreaded')
  await page.unroute('**/gate/load')
  await sendReason()
  await page
    .locator('[data-tint]')
    .getByText(/^Loaded: /)
    .waitFor()
  await page.getByText('1/12', { exact: true }).waitFor()
  const [kept] = await journeys.portal.sql<{ reason: string }>('select reason from loading_tyre where tyre_id = $1', [
    wheel.db_id,
  ])
  expect(kept?.reason).toBe('Goes to be retreaded')
})

async function makeLane(admin: Visitor): Promise<number> {
  const all = async () => locations.all.output.parse(await admin.call('/locations/all', {}))
  const parent = (await all()).find(({ kind }) => kind === 'site')?._id ?? 0
  await admin.call('/locations/make', { parent, levels: [{ kind: 'lane', pattern: 'Journey' }], capacity: 20 })
  return (await all()).find(({ kind, name }) => kind === 'lane' && name === 'Journey')?._id ?? 0
}

test(
  'sets are picked, staged and loaded by ten scans for one and no touch, and the note is signed',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin', handheld)
    await admin.page.goto('/')
    const { page } = admin
    const lane = await makeLane(admin)
    const { load, recalls } = await threeRecalls(admin)
    const { wave } = waves.plan.output.parse(await admin.call('/waves/plan', { ...load, most: 12, unit: 'wheels' }))
    let scans = 0
    const scan = async (code: string, says: RegExp | string) => {
      scans++
      await admin.scan(code)
      await page.locator('[data-tint]').getByText(says).waitFor()
    }
    const wheel = (tyre: number | undefined) => encodeBarcode({ tyre: tyre ?? 0, site: 1 })
    await page.goto(`/admin/waves/pick?wave=${wave}`)
    const round = page.locator('[data-round]')
    const left = new Set(recalls)
    const plateOf = ({ vehicle }: Operation) => formatPlate(vehicle.license_plate)
    /** The set that the screen shows. */
    const shown = async (): Promise<Operation> => {
      const find = async () => {
        const texts = await round.getByRole('region').innerText()
        return [...left].find(recall => texts.includes(plateOf(recall)))
      }
      await expect.poll(find).toBeDefined()
      return (await find()) as Operation
    }
    await round.getByRole('region').waitFor()
    await admin.scan(encodeCommand({ command: 'undo', site: 1 }))
    await page.locator('[data-tint]').getByText('There is nothing to do for this command').waitFor()

    // a wheel of another set stops nothing but the hand
    const first = await shown()
    const stranger = recalls.find(recall => recall !== first)
    await scan(wheel(stranger?.tyres[0]?.db_id), /^Wrong set/)
    scans = 0
    while (left.size > 0) {
      const set = await shown()
      for (const [nth, { db_id }] of set.tyres.entries()) {
        await scan(wheel(db_id), nth < 3 ? 'Picked' : 'Set complete')
        if (nth < 3) await round.getByText(`× ${3 - nth}`).waitFor()
      }
      left.delete(set)
    }
    await scan(encodeLocation({ location: lane, site: 1 }), '12 tyres staged')

    await page.goto('/admin/waves/load')
    await page.locator('[data-gate]').waitFor()
    await admin.scan(encodeLocation({ location: lane, site: 1 }))
    await page.getByText('0/12').waitFor()
    for (const set of recalls)
      for (const [nth, { db_id, position }] of set.tyres.entries())
        await scan(wheel(db_id), nth < 3 ? `Loaded: ${plateOf(set)} ${position}` : `Set complete: ${plateOf(set)}`)
    await scan(encodeCommand({ command: 'gate', site: 1 }), /^Left/)
    // four picks, lane, four loads, gate: ten for one set
    expect(scans).toBe(recalls.length * 8 + 2)
    process.stdout.write(`${recalls.length} sets out: ${scans} scans, 0 touches\n`)

    const dialog = page.getByRole('dialog')
    const pad = await dialog.getByRole('img', { name: 'Signature' }).boundingBox()
    if (!pad) throw new Error('there is nothing to sign on')
    await page.mouse.move(pad.x + 20, pad.y + 20)
    await page.mouse.down()
    await page.mouse.move(pad.x + 90, pad.y + 50, { steps: 5 })
    await page.mouse.up()
    // a signature alone is not thrown away by one key
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay' }).tap()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('An Driver')
    await dialog.getByRole('button', { name: 'Sign', exact: true }).tap()
    await page.getByText('signed by An Driver').first().waitFor()
    const { notes } = gate.read.output.parse(await admin.call('/gate/read', load))
    expect(notes.map(({ signed }) => signed)).toEqual(['An Driver', 'An Driver', 'An Driver'])
    const trail = operations.trail.output.parse(await admin.call('/operations/trail', {}))
    for (const { _id } of recalls)
      expect(trail.find(({ operation }) => operation === _id)).toMatchObject({ delivered_count: 4 })
    admin.expectNoPageErrors()
  },
)
