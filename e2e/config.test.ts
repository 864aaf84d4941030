/** Vehicle configurations, label formats, transports and closed days: created, used by a customer at once, removed. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/config.ts'
import { labelReports } from '#contract/labelReports.ts'
import { operations } from '#contract/operations.ts'
import { vehicleConfigs } from '#contract/vehicleConfigs.ts'
import { operation, siteConfig } from '#contract/wire.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { formatDate } from '#domain/texts/date.ts'
import { firstDeliveryDate } from '#domain/operations/delivery.ts'
import { openPdf } from '../src/server/testing/pdf.ts'
import { nextPdf, shareJourneys } from './browser.ts'
import { answer, choose } from './fleet.ts'

const journeys = shareJourneys()

test(
  'a vehicle configuration is created, used by a customer, and its wheels are then fixed',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/fleet')
    const { page } = admin
    const kept = async (name: string) =>
      vehicleConfigs.all.output
        .parse(await admin.call(vehicleConfigs.all.path, {}))
        .find(({ config }) => config.description === name)

    await page.goto('/admin/config?page=vehicles')
    await page.getByRole('button', { name: 'Add configuration' }).click()
    const form = page.getByRole('dialog', { name: 'New vehicle configuration' })
    const add = form.getByRole('button', { name: 'Add', exact: true })
    const name = form.getByRole('textbox', { name: 'Description' })

    // A duplicate name is refused, and the input is kept.
    await name.fill('Truck 4x2')
    await choose(page, 'Start from', 'Truck 4x2')
    await add.click()
    const taken = form.getByText('There is already a vehicle configuration with this description.')
    await taken.waitFor()
    await name.fill('Truck 6x2 for forestry')
    // A third axle from the front: a lift axle with single wheels.
    await form.getByRole('button', { name: 'Add axle' }).click()
    const third = form.getByRole('group', { name: 'Axle 3', exact: true })
    for (const side of ['left', 'right'])
      await third.getByRole('button', { name: `One less: Wheels on the ${side}` }).click()
    await third.getByRole('button', { name: 'Lift axle' }).click()
    expect(await third.getByRole('button', { name: 'Lift axle' }).getAttribute('aria-pressed')).toBe('true')
    await form.getByRole('button', { name: 'Move Axle 3 towards the front' }).click()
    await add.click()
    await page.getByText('Vehicle configuration saved.').waitFor()
    const saved = await kept('Truck 6x2 for forestry')
    expect(positionsOf(saved?.config.axles ?? [])).toEqual(['1A', '1B', '2A', '2B', '3A', '3B', '3C', '3D'])
    expect(saved?.config.axles.map(({ lift }) => lift)).toEqual([false, true, false])

    // The customer, whose page was open all the time, has a vehicle with it.
    await customer.page.getByRole('button', { name: 'New vehicle' }).click()
    const vehicle = customer.page.getByRole('dialog', { name: 'New vehicle' })
    await vehicle.getByRole('textbox', { name: 'License plate' }).fill('2FOR001')
    await vehicle.getByLabel('Brand').fill('Scania')
    await vehicle.getByLabel('Description').fill('G 500 XT')
    await choose(customer.page, 'Type', 'Truck')
    await choose(customer.page, 'Configuration', 'Truck 6x2 for forestry')
    await vehicle.getByRole('button', { name: 'Add vehicle' }).click()
    await customer.page.getByRole('button', { name: '2A, empty' }).waitFor()

    // Now it can be renamed, but its wheels are fixed and it can't be removed.
    await page.reload()
    await page.getByLabel('Filter configurations').fill('forestry')
    const row = page.locator('#vehicleConfigs tbody tr').filter({ hasText: 'Truck 6x2 for forestry' })
    await row.getByText('1', { exact: true }).waitFor()
    expect(await row.getByRole('button', { name: 'Remove' }).getAttribute('aria-disabled')).toBe('true')
    await row.getByRole('button', { name: 'Edit' }).click()
    const change = page.getByRole('dialog', { name: 'Configuration Truck 6x2 for forestry' })
    await change.getByText('1 vehicle has or had this configuration.').waitFor()
    expect(await change.getByRole('button', { name: 'Add axle' }).isDisabled()).toBe(true)
    await change.getByRole('textbox', { name: 'Description' }).fill('Forestry truck')
    // Unsaved input is confirmed before it is discarded.
    await page.keyboard.press('Escape')
    await answer(page, 'Leave without saving?', 'Stay')
    await change.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Vehicle configuration saved.').waitFor()
    expect((await kept('Forestry truck'))?.vehicle_count).toBe(1)

    // An unused duplicate is removed after a question.
    await page.getByLabel('Filter configurations').fill('forestry truck')
    await page.getByRole('button', { name: 'Duplicate Forestry truck' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Description' }).fill('Forestry truck, spare')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Forestry truck, spare' }).click()
    await answer(page, 'Remove vehicle configuration?', 'Remove')
    await page.getByText('Vehicle configuration removed.').waitFor()
    expect(await kept('Forestry truck, spare')).toBeUndefined()
    admin.expectNoPageErrors(/409/)
    customer.expectNoPageErrors()
  },
)

test('a label format is created, used by a customer, and removed', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const names = async () =>
    labelReports.all.output.parse(await admin.call(labelReports.all.path, {})).map(({ rpt_name }) => rpt_name)

  await page.goto('/admin/config?page=vehicles')
  await page.getByRole('button', { name: 'Add label format' }).click()
  const form = page.getByRole('dialog', { name: 'New label format' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('Required.').waitFor()
  await form.getByRole('textbox', { name: 'Name' }).fill('Sheets at the gate')
  await form
    .getByRole('radio', { name: /A4 sheet/ })
    .first()
    .check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Label format saved.').waitFor()
  expect(await names()).toContain('Sheets at the gate')

  const customer = await journeys.signedIn('customer')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(({ configuration, tyres }) => configuration !== null && tyres.length > 0)
  await customer.page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
  await customer.page.getByRole('button', { name: 'Print labels' }).click()
  await choose(customer.page, 'Label format', 'Sheets at the gate')
  const print = nextPdf(customer.page, fleet.getTyreLabels.path)
  await customer.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Print/ })
    .click()
  const pdf = await openPdf(await print)
  // all on one sheet of A4, in points
  expect((await pdf.getPage(1)).view.slice(2).map(Math.round)).toEqual([595, 842])
  customer.expectNoPageErrors()

  await page.getByRole('button', { name: 'Edit Sheets at the gate' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Sheets at the dock')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Sheets at the dock' }).click()
  await answer(page, 'Remove label format?', 'Remove')
  await page.getByText('Label format removed.').waitFor()
  expect(await names()).not.toContain('Sheets at the dock')
  admin.expectNoPageErrors()
})

test(
  'removing a transport method moves its recalls to another one; a recall without one can’t be submitted',
  { tags: 'whole' },
  async () => {
    const { sql } = journeys.portal
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const [used] = await sql<{ id: number; name: string; called: string; recalls: number }>(
      `select m.id, m.name, m.description_en as called, count(*)::int as recalls from transport_method m
     join operation o on o.transport_id = m.id and o.status in ('pending', 'submitted')
     where m.site_id = 1 and m.is_default group by m.id, m.name, called`,
    )
    if (!used) throw new Error('the demo has no such transport method')
    await page.goto('/admin/config?page=transport')
    const transports = page.getByRole('region', { name: 'Transport methods' })
    await transports.getByRole('button', { name: 'Duplicate' }).first().click()
    const copy = page.getByRole('dialog', { name: 'New transport method' })
    const days = copy.getByRole('group', { name: 'Operation days' }).getByRole('checkbox', { checked: true })
    await days.first().waitFor()
    while ((await days.count()) > 0) await days.first().click()
    await copy.getByRole('button', { name: 'Add', exact: true }).click()
    await copy.getByText('This is already in use.').waitFor()
    await copy.getByText('Choose at least one day, or nothing can be delivered.').waitFor()
    await copy.getByRole('button', { name: 'Cancel' }).click()
    await copy.waitFor({ state: 'hidden' })

    await transports.getByRole('button', { name: `Remove ${used.name}` }).click()
    const question = page.getByRole('dialog', { name: 'Remove transport?' })
    await question.getByText(`${used.recalls} open operations then go with another transport method`).waitFor()
    await question.getByRole('button', { name: `Remove and reassign ${used.recalls} operations` }).click()
    await page.getByText('Transport removed successfully.').waitFor()
    const [left] = await sql<{ n: number }>(
      `select count(*)::int as n from operation where transport_id = $1 and status in ('pending', 'submitted')`,
      [used.id],
    )
    expect(left?.n).toBe(0)

    // a pending recall without a transport method opens at that field
    const [recall] = await sql<{ id: number }>(
      `update operation set transport_id = null, delivery_date = null where id = (
       select min(id) from operation where site_id = 1 and type = 'to_customer' and status = 'pending') returning id`,
    )
    await page.goto('/operations')
    const card = page.locator(`[data-operation="${recall?.id}"]`)
    await card.getByRole('button', { name: 'Process' }).click()
    await card.getByText('Choose a transport method.').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox')
    const field = card.getByRole('combobox', { name: 'Transport' })
    expect(await field.evaluate(input => input === document.activeElement)).toBe(true)
  },
)

test(
  'two administrators edit at once: entries meet field by field, and a field that both changed asks',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const whole = async () => hotelconfig.adminconfig.output.parse(await admin.call(hotelconfig.adminconfig.path, {}))
    await page.goto('/admin/config?page=services')
    const services = page.getByRole('region', { name: 'Services', exact: true })
    await services.getByRole('button', { name: /^Edit/ }).first().click()
    const dialog = page.getByRole('dialog', { name: /^Service/ })
    await dialog.getByRole('textbox', { name: 'English' }).fill('Washed by me')

    // A colleague saves another field of the same service meanwhile; the open dialog takes it over.
    const [service] = (await whole()).services
    const colleague = { ...service, price_excl: 77.5 }
    await admin.call(hotelconfig.editentries.path, { services: [colleague] })
    await expect.poll(() => dialog.getByLabel('Price excl. VAT').inputValue()).toBe('77.50')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await whole()).services[0]).toEqual({ ...colleague, description_en: 'Washed by me' })

    // Of the fields of the site one that was left alone follows, and one that both changed is asked about.
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first()
    await name.fill('Mine')
    await admin.call(hotelconfig.edit.path, { ...(await whole()), name: 'Theirs', adminEmail: 'theirs@example.org' })
    await page.getByText('The other person changed: Name.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Administrator’s e-mail' }).inputValue()).toBe('theirs@example.org')
    expect(await name.inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Shop config updated successfully.').waitFor()
    expect(await whole()).toMatchObject({ name: 'Mine', adminEmail: 'theirs@example.org' })
    admin.expectNoPageErrors()
  },
)

test('a click while a dialog closes reaches the page', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/config?page=vehicles')
  await page.getByRole('button', { name: /^Edit A4/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Label format/ })
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
  const beneath = await page.getByRole('button', { name: /^Remove A4/ }).boundingBox()
  if (!beneath) throw new Error('the row is not on the page')

  // The clock of the page is paused, so the dialog is still there at the click.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.mouse.click(beneath.x + beneath.width / 2, beneath.y + beneath.height / 2)
  expect(await page.locator('[role="dialog"]').count(), 'dialogs still drawn').toBe(1)
  await page.clock.resume()
  await answer(page, 'Remove label format?', 'Cancel')
  admin.expectNoPageErrors()
})

test('a toast does not cover the focused control', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/config?page=vehicles')
  await page.getByRole('switch', { name: 'Show the profile depth' }).click()
  const button = page.getByRole('button', { name: /^Remove A4/ })
  await button.focus()
  // to where toasts usually are
  await button.evaluate(element => scrollBy(0, element.getBoundingClientRect().bottom + 30 - innerHeight))
  await page.route(`**${hotelconfig.edit.path}`, () => {})
  await page.keyboard.press('Control+s')
  const toast = page.getByRole('status').filter({ hasText: 'Updating configuration' })
  await toast.waitFor()
  await page.waitForFunction(() =>
    document.getAnimations().every(animation => animation.effect?.getComputedTiming().iterations !== 1),
  )
  const covered = await button.evaluate(element => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return !element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })
  expect(covered).toBe(false)
})

test('the calendar of a dialog is not cut off, and Escape closes it before the dialog', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/config?page=transport')
  await page.getByRole('button', { name: 'Add day' }).click()
  const form = page.getByRole('dialog', { name: 'New closed day' })
  const next = form.getByRole('button', { name: 'Next month' })
  await next.waitFor()
  const covered = () =>
    form.locator('[data-dates-dropdown] button').evaluateAll(buttons =>
      buttons.flatMap(button => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return button.contains(document.elementFromPoint(x + width / 2, y + height / 2)) ? [] : [button.textContent]
      }),
    )
  await expect.poll(covered).toEqual([])
  await page.keyboard.press('Escape')
  await next.waitFor({ state: 'hidden' })
  expect(await form.getByRole('textbox', { name: 'Date' }).evaluate(date => date === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
  admin.expectNoPageErrors()
})

test('closing a day counts its recalls, marks them and keeps their date', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const stocked = vehicles
    .map(({ flt_id, tyres }) => ({
      flt_id,
      tyres: tyres.filter(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null),
    }))
    .find(({ tyres }) => tyres.length > 0)
  const config = siteConfig.parse(await customer.call('/gsc', undefined, 'GET'))
  const transport = config.transportMethods.find(method => method.default)
  if (!stocked || !transport) throw new Error('the demo has no tyres in stock, or no transport')
  const recall = operation.parse(
    await customer.call(operations.new.path, {
      flt_id: stocked.flt_id,
      tyres: stocked.tyres.map(({ db_id }) => db_id),
      operationType: 'to_customer',
    }),
  )
  // far enough for no other recall of the demo to be planned on it
  const at = { now: new Date(), timeZone: config.time_zone, closedDays: config.closedDays.map(({ day }) => day) }
  const day = firstDeliveryDate({ ...transport, advanceDays: 60 }, at) ?? ''
  await customer.call(operations.update.path, { _id: recall._id, transport: transport._id, deliveryDate: day })
  await customer.page.goto('/operations')
  const card = customer.page.locator(`[data-operation="${recall._id}"]`)
  await card.getByText(`delivery ${formatDate(day)}`).waitFor()
  expect(await card.getByText('Closed day').count()).toBe(0)

  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/config?page=transport')
  await page.getByRole('button', { name: 'Add day' }).click()
  const form = page.getByRole('dialog', { name: 'New closed day' })
  await form.getByRole('textbox', { name: 'Date' }).fill(formatDate(day))
  await form.getByRole('textbox', { name: 'Name' }).fill('Stocktaking')
  // Nothing is saved yet; the effect is shown.
  await form.getByText('1 open operation is planned on days that you close.').waitFor()
  expect(await card.getByText('Closed day').count()).toBe(0)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  const row = page.locator('#closedDays tbody tr').filter({ hasText: 'Stocktaking' })
  await row.getByText('1', { exact: true }).waitFor()

  // The holidays of a later year are offered, those of this one are there already.
  const year = Number(day.slice(0, 4)) + 2
  await page.getByRole('button', { name: 'Public holidays' }).click()
  const offer = page.getByRole('dialog', { name: 'Public holidays' })
  await offer.getByText('already closed').first().waitFor()
  await choose(page, 'Year', String(year))
  await offer.getByRole('checkbox', { name: 'Armistice Day' }).uncheck()
  await offer.getByRole('button', { name: 'Add 9 days' }).click()
  await offer.waitFor({ state: 'hidden' })
  await page.getByText('Shop config updated successfully.').waitFor()
  const { closedDays } = siteConfig.parse(await customer.call('/gsc', undefined, 'GET'))
  expect(closedDays).toContainEqual({ day, holiday: null, name: 'Stocktaking' })
  expect(closedDays.filter(closed => closed.day.startsWith(String(year)))).toHaveLength(9)

  // One that is closed by mistake is opened again, after a question.
  const spare = page
    .locator('#closedDays tbody tr')
    .filter({ hasText: `/${year}` })
    .last()
  await spare.getByRole('button', { name: /^Remove/ }).click()
  await answer(page, 'Remove closed day?', 'Remove')
  await page.getByText('Closed day removed.').waitFor()
  expect(siteConfig.parse(await customer.call('/gsc', undefined, 'GET')).closedDays).toHaveLength(closedDays.length - 1)

  // The customer's open page shows it and offers other days.
  await card.getByText('Closed day').waitFor()
  await card.getByRole('button', { name: 'Process' }).click()
  await card.getByText('The tyre hotel is closed on that day. Choose another one.').waitFor()
  // the field has the focus and shows its calendar
  await customer.page.getByRole('button', { name: 'Previous month' }).waitFor()
  await customer.page.keyboard.press('Escape')
  await customer.page.getByRole('button', { name: 'Previous month' }).waitFor({ state: 'hidden' })
  await card.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button').first().click()
  await card.getByText('Closed day').waitFor({ state: 'hidden' })
  await card.getByRole('button', { name: 'Process' }).click()
  await customer.page.getByText('Operation submitted').waitFor()
  admin.expectNoPageErrors()
  customer.expectNoPageErrors()
})
