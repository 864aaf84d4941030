/** The operations desk: how it asks before it confirms, what undoing a submission says, and a mode that changes under it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { siteConfig, type Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { answer } from './fleet.ts'
import { recordTexts } from './recordTexts.ts'
import { configureSite } from './site.ts'

const journeys = shareJourneys()

/** Submitted storages without a scan. */
const storages = async (admin: Visitor): Promise<Operation[]> =>
  operations.admin.output
    .parse(await admin.call('/operations/admin', { status: 'submitted' }))
    .filter(({ type, tyres }) => type === 'to_stock' && tyres.length > 1 && tyres.every(tyre => !tyre.scanned))

async function take(admin: Visitor): Promise<Operation> {
  const [storage] = await storages(admin)
  if (!storage) throw new Error('the demo has no storage that waits')
  return storage
}

const scanAll = (admin: Visitor, { tyres }: Operation) =>
  admin.call('/operations/markscan', { tyres: tyres.map(({ db_id: tyreId }) => ({ tyreId })) })

/** Opens the desk with this operation alone. */
async function showAlone(page: Page, { vehicle, _id }: Operation) {
  await page.goto('/admin/operations?type=to_stock')
  await page.getByRole('searchbox', { name: 'Plate or tyre' }).fill(vehicle.license_plate)
  await page.getByText('1 operation ·').waitFor()
  return page.locator(`[data-operation="${_id}"]`)
}

test('a site that does not ask makes the document without a question', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const question = page.getByRole('dialog', { name: 'Insert a document into the invoicing system?' })
  const documents = async ({ _id }: Operation) =>
    (
      await journeys.portal.sql<{ count: number }>('select count(*)::int from document where operation_id = $1', [_id])
    )[0]?.count

  const storage = await take(admin)
  await scanAll(admin, storage)
  await showAlone(page, storage)
  await page.getByRole('button', { name: /^Confirm/ }).click()
  // which vehicle and how many tyres it is about
  await page
    .getByRole('heading', {
      name: `Insert a document into the invoicing system? ${formatPlate(storage.vehicle.license_plate)}, ${storage.tyres.length} tyres`,
    })
    .waitFor()
  await answer(page, 'Insert a document into the invoicing system?', 'Without document')
  await page.getByText('Operation confirmed').waitFor()
  expect(await documents(storage)).toBe(0)

  await page.goto('/admin/config?page=services')
  await page.getByRole('switch', { name: 'Ask before a document is created' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Shop config updated successfully.').waitFor()
  expect(siteConfig.parse(await admin.call('/gsc', undefined, 'GET')).docInsertAsks).toBe(false)

  const unasked = await take(admin)
  await scanAll(admin, unasked)
  await showAlone(page, unasked)
  await page.getByRole('button', { name: /^Confirm/ }).click()
  await page.getByText('Operation confirmed').waitFor()
  expect(await question.count()).toBe(0)
  expect(await documents(unasked)).toBe(1)
  admin.expectNoPageErrors()
})

test(
  'undoing a submission asks first, says what becomes of the scans and where the operation went',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const storage = await take(admin)
    const { companyname } = storage.user
    await admin.call('/operations/markscan', {
      tyres: storage.tyres.slice(0, 2).map(({ db_id: tyreId }) => ({ tyreId })),
    })
    await showAlone(page, storage)
    const undo = async () => {
      await page.getByRole('button', { name: /^More actions/ }).click()
      await page.getByRole('menuitem', { name: 'Undo submission' }).click()
    }
    await undo()
    const question = page.getByRole('dialog', { name: 'Undo the submission?' })
    await question.getByText(`The operation goes back to ${companyname} as a draft`).waitFor()
    await question.getByText('Its 2 scans are kept.').waitFor()
    await answer(page, 'Undo the submission?', 'Go back')
    await page.getByText('1 operation ·').waitFor()

    await undo()
    await answer(page, 'Undo the submission?', 'Undo submission')
    await page.getByText(`${formatPlate(storage.vehicle.license_plate)} is a draft of ${companyname} again.`).waitFor()
    const [after] = operations.fetch.output
      .parse(await admin.call('/operations/fetch', {}))
      .filter(({ _id }) => _id === storage._id)
    expect([after?.status, after?.tyres.filter(({ scanned }) => scanned).length]).toEqual(['pending', 2])
    admin.expectNoPageErrors()
  },
)

test('that nobody was there is noted once, for the delivery day', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const storage = await take(admin)
  const plate = formatPlate(storage.vehicle.license_plate)
  const offered = async () => {
    await page.getByRole('button', { name: /^More actions/ }).click()
    const item = page.getByRole('menuitem', { name: 'Nobody was there' })
    await item.waitFor()
    return item
  }
  const setDay = (days: number) =>
    journeys.portal.sql('update operation set delivery_date = current_date + $2::int where id = $1', [
      storage._id,
      days,
    ])

  await setDay(7)
  await showAlone(page, storage)
  expect(await (await offered()).isDisabled()).toBe(true)

  await setDay(-1)
  await showAlone(page, storage)
  await (await offered()).click()
  await answer(page, `Was nobody there for ${plate}?`, 'Cancel')
  await (await offered()).click()
  await answer(page, `Was nobody there for ${plate}?`, 'Nobody was there')
  await page.getByText(/^Noted for /).waitFor()
  await (await offered()).click()
  await answer(page, `Was nobody there for ${plate}?`, 'Nobody was there')
  await page.getByText('It is already recorded that nobody was there on this day.').waitFor()
  admin.expectNoPageErrors(/409/)
})

test.each([
  ['admin', '/admin/operations', 'Orders', '/operations/admin'],
  ['customer', '/operations', 'Operations overview', '/operations/fetch'],
])(
  'a site that becomes a fleet register while %s has operations open shows no error',
  { tags: 'whole' },
  async (user, path, title, call) => {
    await configureSite(journeys, { mode: 'both' })
    const visitor = await journeys.signedIn(user)
    const { page } = visitor
    await page.goto(path)
    await page.getByRole('heading', { name: title }).waitFor()
    await visitor.networkIdle()
    const errors = await recordTexts(page, '[role="alert"]')
    // the operations are refused before the page knows of the mode
    const refused = page.waitForResponse(reply => reply.url().endsWith(call) && !reply.ok())
    await page.route('**/gsc', async route => {
      await refused
      await route.continue().catch(() => {})
    })
    await configureSite(journeys, { mode: 'fleetonly' })
    await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' })
    await visitor.networkIdle()
    expect(await errors()).toEqual([])
    visitor.expectNoPageErrors(/403/)
  },
)
