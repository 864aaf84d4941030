/** The administrator's and the superuser's work without a mouse, from the sign-in on. */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { invoicing } from '#contract/invoicing.ts'
import { locations } from '#contract/locations.ts'
import { nextPdf, shareJourneys } from './browser.ts'
import { signInByKeyboard, type Keys, poll } from './keys.ts'

const journeys = shareJourneys()

/** Expects a PDF in a new tab, which it closes, or as a file where the browser shows none. */
async function expectPdf(page: Page, path: string, press: () => Promise<void>): Promise<void> {
  const answer = nextPdf(page, path)
  const tab = (await page.evaluate(() => navigator.pdfViewerEnabled)) ? page.waitForEvent('popup') : null
  const file = tab ? null : page.waitForEvent('download')
  await press()
  expect((await answer).subarray(0, 4).toString()).toBe('%PDF')
  expect((await file)?.suggestedFilename() ?? 'a tab.pdf').toMatch(/\.pdf$/)
  await (await tab)?.close()
  await page.bringToFront()
}

/** Confirms a question; its other button has the focus first. */
async function confirmQuestion(keys: Keys, question: string | RegExp, verb: string, keep = 'Cancel'): Promise<void> {
  await keys.expectFocus('button', keep)
  await keys.insideDialog(question)
  await keys.activate('button', verb)
}

test('vehicles of a customer are found, changed, added and removed by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  const customers = fleet.findcustomerbyname.output.parse(
    await visitor.call('/fleet/findcustomerbyname', { string: '' }),
  )
  const [customer] = customers.toSorted((a, b) => b.vehicles - a.vehicles)
  if (!customer) throw new Error('the demo has no customers')
  const name = customer.companyname || customer.name
  const vehicles = fleet.fetch.output.parse(await visitor.call('/fleet/fetch', { seq_id: customer.seq_id }))
  const plates = vehicles.map(vehicle => vehicle.license_plate)
  const vehicle = vehicles.find(
    candidate => plates.filter(plate => plate.includes(candidate.license_plate)).length === 1,
  )
  if (!vehicle) throw new Error('the customer has no vehicles')

  // the skip link leads past the navigation
  await keys.goTo(/^Fleet management/)
  await keys.fill('searchbox', 'Search for a customer', name)
  await page.getByText('1 customer', { exact: true }).waitFor()
  await keys.activate('button', new RegExp(`^${name}`), { by: 'ArrowDown' })
  await keys.expectFocus('main', '')

  await keys.to('tab', name)
  await keys.fill('searchbox', 'Filter', vehicle.license_plate)
  await page.getByText('1 vehicle of').waitFor()
  await keys.activate('link', /\d/)
  await keys.expectFocus('tab', /\d/)
  const plate = await page.getByRole('tab', { selected: true }).first().innerText()
  await keys.press('ArrowLeft')
  await keys.expectFocus('tab', name)
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', plate)

  // its details
  await keys.to('tab', 'Tyres')
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Vehicle data')
  await keys.fill('textbox', 'Brand', 'Keyboard')
  await keys.fill('textbox', 'Name', 'Driver of keys')
  await keys.activate('button', 'Save')
  await page.getByText('Vehicle updated').waitFor()
  await keys.expectFocus('button', 'Save')
  expect(await journeys.portal.sql('select brand, driver_name from vehicle where id = $1', [vehicle.flt_id])).toEqual([
    { brand: 'Keyboard', driver_name: 'Driver of keys' },
  ])
  await keys.to('tab', plate, { by: 'Shift+Tab' })
  await keys.press('Delete')
  await keys.expectFocus('tab', name)
  expect(await page.getByRole('tab').allInnerTexts()).toEqual([name])

  // another one
  await keys.activate('button', 'New vehicle')
  await keys.expectFocus('textbox', 'License plate')
  await keys.insideDialog('New vehicle')
  await keys.type('1-key-001')
  await keys.fill('textbox', 'Brand', 'Keyboard')
  await keys.press('Escape')
  await confirmQuestion(keys, 'Leave without saving?', 'Leave', 'Stay')
  await keys.expectFocus('button', 'New vehicle')
  await keys.press('Enter')
  await keys.expectFocus('textbox', 'License plate')
  await keys.type('1-key-001')
  await keys.fill('textbox', 'Brand', 'Keyboard')
  await keys.fill('textbox', 'Description', 'Ninety keys')
  await keys.choose('Type', 'Van')
  await keys.choose('Configuration', 'Van, 4 wheels', { typed: 'van' })
  await keys.fill('textbox', 'Name', 'Driver of keys')
  await keys.fill('textbox', 'E-mail', 'keys@example.com')
  await keys.activate('button', 'Add vehicle')
  await keys.expectFocus('tab', '1-KEY-001')
  expect(
    await journeys.portal.sql(
      `select customer_id, driver_email, config_id is not null as configured from vehicle where license_plate = '1KEY001'`,
    ),
  ).toEqual([{ customer_id: customer.seq_id, driver_email: 'keys@example.com', configured: true }])

  await keys.activate('button', 'Remove')
  await keys.expectFocus('button', 'Cancel')
  await keys.press('Escape')
  await keys.expectFocus('button', 'Remove')
  await keys.press('Enter')
  await confirmQuestion(keys, 'Remove vehicle?', 'Remove')
  await page.getByText('Vehicle removed').waitFor()
  await keys.expectFocus('tab', name)
  expect(await page.getByRole('tab').allInnerTexts()).toEqual([name])

  // and back to all customers
  await keys.to('button', /^Acting for/, { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.expectFocus('searchbox', 'Search for a customer')
  await keys.insideDialog('Act for a customer', { most: 80 })
  await keys.press('Escape')
  await keys.expectFocus('button', /^Acting for/)
  await keys.activate('button', `Stop acting for ${name}`)
  await keys.expectFocus('button', /^Showing/)
  visitor.expectNoPageErrors()
})

test('customers and their accounts are kept by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  await keys.goTo('Customers')
  await keys.activate('button', 'New customer')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('New customer')
  await keys.type('Key Board')
  await keys.fill('textbox', 'Company name', 'Keys alone bv')
  await keys.activate('button', 'Create')
  await page.getByRole('heading', { level: 1, name: 'Keys alone bv' }).waitFor()
  await keys.expectFocus('main', '')

  await keys.fill('textbox', 'City', 'Gent')
  await keys.activate('button', 'Save')
  await page.getByText('Customer updated.').waitFor()
  await keys.expectFocus('button', 'Save')

  await keys.activate('button', 'New account')
  await keys.expectFocus('textbox', 'Username')
  await keys.insideDialog('New account')
  await keys.type('keysalone')
  await keys.choose('Language', 'Deutsch')
  await keys.activate('button', 'Create')
  await keys.expectFocus('button', 'New account')
  await page.getByText('keysalone', { exact: true }).first().waitFor()
  await keys.to('button', 'Copy', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await page.getByText('Password copied').waitFor()
  await keys.activate('button', 'I have it')
  await keys.expectFocus('button', 'Edit keysalone')

  await keys.to('button', 'New password for keysalone', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.expectFocus('textbox', 'Password')
  await keys.insideDialog('New password for keysalone')
  await keys.type('a keyboard and nothing else')
  await keys.activate('button', 'Set password')
  await page.getByText('Password set.').waitFor()
  await keys.expectFocus('button', 'New password for keysalone')
  await keys.activate('button', 'Disable keysalone')
  await confirmQuestion(keys, 'Disable the account keysalone?', 'Disable')
  await page.getByText('Account disabled.').waitFor()
  await keys.expectFocus('button', 'Enable keysalone')
  const [account] = await journeys.portal.sql<{ language: string; disabled: boolean }>(
    `select language, disabled_at is not null as disabled from account where username = 'keysalone'`,
  )
  expect(account).toEqual({ language: 'ger', disabled: true })

  await keys.activate('button', 'Data of keysalone')
  await keys.expectFocus('menuitem', 'Export this person’s data')
  await keys.press('ArrowDown')
  await keys.expectFocus('menuitem', 'Erase account')
  await keys.press('Escape')
  await keys.expectFocus('button', 'Data of keysalone')
  await keys.press('Enter')
  await keys.expectFocus('menuitem', 'Export this person’s data')
  await keys.press('ArrowUp', 'Enter')
  await confirmQuestion(keys, 'Erase the account keysalone?', 'Erase account')
  await page.getByText('Account erased.').waitFor()
  await keys.expectFocus('button', 'New account')

  await keys.to('link', 'All customers', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.expectFocus('main', '')
  const download = page.waitForEvent('download')
  await keys.activate('button', 'Export')
  expect((await download).suggestedFilename()).toMatch(/^customers-.*\.csv$/)
  await keys.expectFocus('button', 'Export')
  await keys.to('tab', 'Customers')
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Administrators')
  await keys.press('ArrowLeft')
  await keys.expectFocus('tab', 'Customers')
  await keys.fill('searchbox', 'Filter', 'keys alone')
  await page.getByText('1 customer found').waitFor()
  await keys.activate('link', 'Keys alone bv')
  await keys.expectFocus('main', '')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Keys alone bv')
  visitor.expectNoPageErrors()
})

test('the warehouse is built, renamed, labelled and filled by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  // in a browser that shows PDFs, whichever this one is
  await page.evaluate(() => Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true }))
  const all = async () => locations.all.output.parse(await visitor.call('/locations/all', {}))
  const full = (await all()).find(({ tyre_count, kind }) => tyre_count > 1 && kind === 'place')
  const before = await all()
  const site = before.find(({ kind }) => kind === 'site')
  if (!full || !site) throw new Error('the demo has no warehouse')

  await keys.goTo('Warehouse')
  await keys.goTo('Places')
  await keys.to('treeitem', /./)
  await keys.press('Home')
  await keys.expectFocus('treeitem', new RegExp(`^${site.name}`))
  await keys.press('ArrowLeft', 'ArrowRight', 'ArrowRight')
  await keys.expectFocus('treeitem', /Zone/)
  await keys.press('ArrowLeft')
  await keys.expectFocus('treeitem', new RegExp(`^${site.name}`))
  await keys.press('Enter')
  await page.getByRole('heading', { level: 2, name: site.name }).waitFor()
  await keys.expectFocus('treeitem', new RegExp(`^${site.name}`))

  // a zone of its own, in one go
  await keys.activate('button', 'Add sub-locations')
  await keys.expectFocus('textbox', 'Zones')
  await keys.insideDialog('New locations')
  await keys.type('K')
  await keys.fill('textbox', 'Racks', '1 to 2')
  await keys.fill('textbox', 'Shelves', '1 to 3')
  await keys.activate('button', 'Create')
  await page.getByText('locations created.').waitFor()
  await keys.expectFocus('button', 'Add sub-locations')
  expect((await all()).length).toBe(before.length + 1 + 2 + 2 * 3)

  // renamed, and its labels
  await keys.to('treeitem', /./, { by: 'Shift+Tab' })
  await keys.to('treeitem', /^K Zone/, { by: 'ArrowDown' })
  await keys.press('Enter')
  await keys.activate('button', 'Edit')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('Edit K')
  await keys.type('KEYS')
  await keys.activate('button', 'Save')
  await keys.expectFocus('button', 'Edit')
  expect((await all()).some(({ stock_rack }) => stock_rack === 'KEYS-2-3')).toBe(true)
  await keys.activate('button', 'Print labels')
  await keys.insideDialog('Print labels')
  await expectPdf(page, locations.labels.path, () => keys.activate('button', 'Print labels'))
  await keys.expectFocus('button', 'Print labels')

  // tyres move there
  await keys.fill('searchbox', 'Search for a rack', full.stock_rack, { by: 'Shift+Tab' })
  await page.getByText('found').first().waitFor()
  await keys.to('treeitem', new RegExp(`^${full.stock_rack} Place`))
  await keys.press('Enter')
  await page.getByRole('heading', { level: 2, name: full.stock_rack }).waitFor()
  await keys.activate('checkbox', /^Select .*, tyre/)
  await keys.to('button', 'Move', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await page.getByText('1 tyre is being moved').waitFor()
  await keys.expectAnyFocus()
  await keys.fill('searchbox', 'Search for a rack', 'KEYS-1-1', { by: 'Shift+Tab' })
  await page.getByText('1 location found').waitFor()
  await keys.activate('treeitem', /^KEYS-1-1/, { most: 60 })
  await keys.activate('button', 'Put on KEYS-1-1')
  await page.getByText('1 tyre is at KEYS-1-1.').waitFor()
  await keys.expectAnyFocus()
  expect((await all()).find(({ stock_rack }) => stock_rack === 'KEYS-1-1')?.tyre_count).toBe(1)

  // an empty branch is removed
  await keys.fill('searchbox', 'Search for a rack', 'KEYS-2', { by: 'Shift+Tab' })
  await page.getByText('4 locations found').waitFor()
  await keys.activate('treeitem', /^KEYS-2 Rack/)
  await keys.activate('button', 'Remove')
  await confirmQuestion(keys, 'Remove location?', 'Remove')
  await expect
    .poll(async () => (await all()).filter(({ stock_rack }) => stock_rack.startsWith('KEYS-2')).length, poll)
    .toBe(0)
  await page.getByRole('heading', { level: 2, name: 'KEYS' }).waitFor()
  await keys.expectAnyFocus()
  visitor.expectNoPageErrors()
})

/** The descriptions of an entry in each language. */
async function describe(keys: Keys, text: string): Promise<void> {
  for (const language of ['Nederlands', 'Français', 'English', 'Deutsch'])
    await keys.fill('textbox', language, `${text} (${language})`)
}

test('a website is configured by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  const { sql } = journeys.portal
  await keys.goTo('Settings')
  await keys.activate('link', /^Transport and closed days/)

  // how recalls are delivered
  await keys.activate('button', 'Add transport method')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('New transport method')
  await keys.type('Bicycle')
  await keys.fill('textbox', 'Code', 'BIKE')
  await keys.activate('checkbox', 'Saturday')
  await keys.fill('textbox', 'Cut-off time', '15:30')
  await keys.fill('textbox', 'Days in advance', '2')
  await keys.activate('button', 'Add')
  // the missing field has the focus
  await keys.expectFocus('textbox', 'Nederlands')
  await describe(keys, 'By bicycle')
  await keys.activate('button', 'Add')
  await keys.expectFocus('button', 'Add transport method')
  await page.getByText('New, not saved').waitFor()
  await keys.press('Control+s')
  await page.getByText('Everything is saved.').waitFor()
  await keys.expectFocus('button', 'Add transport method')
  expect(await sql(`select code, operation_days, advance_days from transport_method where name = 'Bicycle'`)).toEqual([
    { code: 'BIKE', operation_days: [1, 2, 3, 4, 5, 6], advance_days: 2 },
  ])

  // what can be ordered with an operation
  await keys.goTo('Settings')
  await keys.activate('link', /^Services and prices/)
  await keys.activate('button', 'Add service')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('New service')
  await keys.type('Polishing')
  await keys.choose('Operation type', 'Storage')
  await keys.activate('button', 'Choose an icon')
  await keys.fill('searchbox', 'Search icons', 'wheel')
  await keys.to('radio', /./)
  await keys.press('ArrowRight', 'ArrowRight')
  await keys.choose('Article insertion', 'Line of text')
  await keys.activate('switch', /^Preselected/)
  await describe(keys, 'Polished')
  await keys.activate('button', 'Add')
  await keys.expectFocus('button', 'Add service')
  await keys.activate('button', 'Save')
  await page.getByText('Everything is saved.').waitFor()
  await keys.expectFocus('button', 'Save')
  expect(
    await sql(`select operation_type, icon is not null as signed, preselected from service where name = 'Polishing'`),
  ).toEqual([{ operation_type: 'to_stock', signed: true, preselected: true }])
  await keys.to('button', 'Remove Polishing', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await confirmQuestion(keys, 'Remove service?', 'Remove')
  await page.getByText('Service removed successfully.').waitFor()
  await keys.expectFocus('button', 'Add service')

  // which axles vehicles have
  await keys.goTo('Settings')
  await keys.activate('link', /^Vehicles and labels/)
  await keys.activate('button', 'Add configuration')
  await keys.expectFocus('textbox', 'Description')
  await keys.insideDialog('New vehicle configuration', { most: 60 })
  await keys.choose('Start from', 'Semitrailer, 2 axles', { typed: 'Semitrailer, 2' })
  await keys.activate('button', 'Add axle')
  await keys.expectFocus('button', /^One more: Wheels on the left, Axle 3/)
  await keys.press('Enter')
  await keys.to('button', 'Move Axle 3 towards the front', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.expectFocus('button', 'Move Axle 2 towards the front')
  await keys.to('button', 'Lift axle')
  await keys.press(' ')
  await keys.fill('textbox', 'Description', 'Semitrailer of keys', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await page.getByText('Vehicle configuration saved.').waitFor()
  await keys.expectFocus('button', 'Add configuration')
  const [created] = await sql<{ axles: { left: number; lift: boolean }[] }>(
    `select axles from vehicle_config where description = 'Semitrailer of keys'`,
  )
  expect(created?.axles.length).toBe(3)
  expect(created?.axles[1]).toMatchObject({ lift: true })
  await keys.activate('button', 'Remove Semitrailer of keys')
  await confirmQuestion(keys, 'Remove vehicle configuration?', 'Remove')
  await page.getByText('Vehicle configuration removed.').waitFor()
  await keys.expectFocus('button', 'Add configuration')

  // what labels are printed on
  await keys.activate('button', 'Add label format')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('New label format')
  await keys.type('Labels of keys')
  await keys.to('radio', /./)
  await keys.press('ArrowDown')
  await keys.activate('button', 'Add')
  await page.getByText('Label format saved.').waitFor()
  await keys.expectFocus('button', 'Add label format')
  const [report] = await sql<{ layout: string }>(`select layout from label_report where name = 'Labels of keys'`)
  expect(report?.layout).toBe('roll_57x32')
  await keys.activate('button', 'Edit Labels of keys')
  await keys.expectFocus('textbox', 'Name')
  await keys.press('Escape')
  await keys.expectFocus('button', 'Edit Labels of keys')
  await keys.activate('button', 'Remove Labels of keys')
  await confirmQuestion(keys, 'Remove label format?', 'Remove')
  await page.getByText('Label format removed.').waitFor()
  await keys.expectFocus('button', 'Add label format')
  visitor.expectNoPageErrors()
})

test('storage is charged, marked and cleared by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  // a list of more than eight customers has a filter; how many owe storage depends on the day of the demo
  let days = 30
  const ask = async () => invoicing.customers.output.parse(await visitor.call('/invoicing/customers', { days }))
  let owing = await ask()
  while (owing.length <= 8 && days > 1) {
    days = Math.ceil(days / 2)
    owing = await ask()
  }
  const [most] = owing
  if (!most || owing.length <= 8) throw new Error('the demo has too little overdue storage')
  const name = most.companyname || most.name

  await keys.goTo('Billing')
  await keys.fill('textbox', 'Days', String(days))
  await keys.activate('button', 'Fetch')
  await keys.fill('searchbox', 'Filter customers', name)
  await page.getByText('1 customer', { exact: true }).waitFor()
  await keys.activate('button', new RegExp(`^${name}`))
  await page.getByRole('heading', { level: 2, name }).waitFor()
  await keys.expectFocus('button', new RegExp(`^${name}`))

  // marked
  await keys.activate('checkbox', /^Select .*, tyre/)
  await keys.to('button', 'Mark as invoiced', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/ owed days?(, counted for each tyre,)? (is|are) on no document and will never be charged/)
    .waitFor()
  await keys.expectFocus('button', 'Cancel')
  await keys.insideDialog(/^Mark .* as invoiced/)
  await keys.press('Escape')
  await keys.expectFocus('button', 'Mark as invoiced')
  await keys.press('Enter')
  await page.getByRole('dialog').waitFor()
  const today = await page.getByRole('textbox', { name: 'Invoice date' }).inputValue()
  await keys.fill('textbox', 'Invoice date', today)
  await keys.activate('button', 'Mark as invoiced')
  await page.getByText('marked as invoiced').first().waitFor()
  await keys.expectAnyFocus()

  // and cleared
  await keys.to('switch', 'Show all tyres in storage', { by: 'Shift+Tab' })
  await keys.press(' ')
  await keys.activate('checkbox', 'Select all tyres')
  await keys.to('button', 'Clear last invoice date', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await confirmQuestion(keys, /^Clear the last invoice date of/, 'Clear last invoice date')
  await page.getByText('Last invoice date removed').waitFor()
  await keys.expectAnyFocus()

  // charged by a document
  await keys.to('switch', 'Show all tyres in storage', { by: 'Shift+Tab' })
  await keys.press(' ')
  await keys.activate('checkbox', /^Select .*, tyre/)
  await keys.to('button', 'Create document', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await page.getByRole('button', { name: 'Create document' }).last().waitFor()
  await keys.insideDialog('Insert a document into the invoicing system?')
  const [before] = await journeys.portal.sql<{ count: number }>('select count(*)::int as count from document')
  await expectPdf(page, fleet.historydocument.path, () => keys.activate('button', 'Create document'))
  await keys.insideDialog('Document created successfully')
  await keys.activate('button', 'Later')
  await keys.expectAnyFocus()
  const [after] = await journeys.portal.sql<{ count: number }>('select count(*)::int as count from document')
  expect(after?.count).toBe((before?.count ?? 0) + 1)

  await keys.to('tab', 'Overdue storage', { by: 'Shift+Tab' })
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Charges')
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Left, not charged')
  await page.getByText('No tyres left storage with days that are not charged.').waitFor()
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Waived')
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', 'Documents')
  await page
    .getByRole('button', { name: /^PDF: Open document/ })
    .first()
    .waitFor()
  await expectPdf(page, fleet.historydocument.path, () => keys.activate('button', /^PDF: Open document/))
  await keys.expectFocus('button', /^PDF: Open document/)

  // and withdrawn
  await keys.to('button', 'Withdraw', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.insideDialog(/^Withdraw document/)
  await keys.fill('textbox', 'Reason', 'Made for the wrong month')
  await keys.activate('button', 'Withdraw')
  await page.getByText('Withdrawn', { exact: true }).first().waitFor()
  visitor.expectNoPageErrors()
})

test('the audit is searched, filtered and taken along by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
  await keys.goTo('Settings')
  await keys.goTo('Audit log')
  await page.locator('tr[data-entry]').first().waitFor()
  await keys.fill('textbox', 'From', '01/01/2020')
  await keys.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('from'), poll).toBe('2020-01-01')
  await keys.activate('button', 'Filter')
  await keys.choose('What', 'Operations')
  await keys.choose('Who', /\(/)
  await keys.press('Escape')
  await keys.expectFocus('button', 'Filter')
  const download = page.waitForEvent('download')
  await keys.activate('button', 'Export')
  expect((await download).suggestedFilename()).toMatch(/^audit-.*\.csv$/)
  await keys.expectFocus('button', 'Export')
  await keys.to('button', 'Clear the filters')
  await keys.press('Enter')
  await expect.poll(() => new URL(page.url()).search, poll).toBe('')
  await keys.expectFocus('button', 'Filter')
  await keys.fill('searchbox', 'Search', 'operation', { by: 'Shift+Tab' })
  await expect.poll(() => new URL(page.url()).searchParams.get('search'), poll).toBe('operation')
  visitor.expectNoPageErrors()
})

test(
  'the figures of the customers and one’s own account are worked with by keyboard alone',
  { tags: 'whole' },
  async () => {
    const { visitor, page, keys } = await signInByKeyboard(journeys, 'admin')
    const head = page.getByRole('columnheader', { name: 'Recalls' })
    await page.getByRole('heading', { name: 'Operations per customer' }).waitFor()
    await keys.to('link', 'Skip to content')
    await keys.press('Enter')
    await keys.fill('textbox', 'From', '01/01/2020')
    await keys.press('Tab')
    await keys.activate('button', 'Recalls')
    await expect.poll(() => head.getAttribute('aria-sort'), poll).toBe('descending')
    await keys.press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort'), poll).toBe('ascending')
    await keys.expectFocus('button', 'Recalls')
    const download = page.waitForEvent('download')
    await keys.activate('button', 'Export')
    expect((await download).suggestedFilename()).toMatch(/^operations-per-customer-.*\.csv$/)

    await page.reload()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await keys.activate('button', /Administrator$/)
    for (const [name, lang, account] of [
      ['Français', 'fr', /Administrateur$/],
      ['English', 'en', /Administrator$/],
    ] as const) {
      await keys.to('menuitemradio', name, { by: 'ArrowDown' })
      await keys.press('Enter')
      await expect.poll(() => page.locator('html').getAttribute('lang'), poll).toBe(lang)
      await visitor.networkIdle()
      await keys.press('Escape')
      await keys.expectFocus('button', account)
      await keys.press('Enter')
    }
    await keys.to('menuitem', 'Change password', { by: 'ArrowUp' })
    await keys.press('Enter')
    await keys.expectFocus('textbox', 'Current password')
    await keys.insideDialog('Change password')
    await keys.press('Escape')
    await keys.expectFocus('button', /Administrator$/)
    visitor.expectNoPageErrors()
  },
)

test('the dictionary is searched, changed, exported and imported by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'superuser')
  await page.request.post('/locales/add/nl/fleet', { data: { 'keys.missing': 'keys.missing' } })
  await page.request.post('/locales/add/nl/fleet', { data: { 'keys.lost': 'keys.lost' } })
  await keys.goTo('Texts')
  await page.getByRole('grid').waitFor()
  await keys.fill('searchbox', 'Search', 'deskText')
  await page.getByText('1 text', { exact: true }).waitFor()
  await keys.to('gridcell', /^Nederlands/)
  await keys.to('gridcell', /^Deutsch/, { by: 'ArrowRight' })
  await keys.press('Enter')
  await keys.expectFocus('textbox', 'Deutsch')
  await keys.insideDialog('Edit text')
  await keys.type('Mit Tasten allein')
  await keys.press('Enter')
  await keys.expectFocus('gridcell', 'Deutsch, changed: Mit Tasten allein')
  await keys.press('Delete')
  await confirmQuestion(keys, 'Delete translation?', 'Delete translation')
  await page.getByText('Translation deleted').waitFor()
  await keys.expectFocus('gridcell', /^Deutsch: /)

  await keys.to('tab', /^Texts/, { by: 'Shift+Tab' })
  await keys.press('ArrowRight')
  await keys.expectFocus('tab', /^Missing keys/)
  await keys.activate('button', 'Dismiss fleet:keys.lost')
  await page.getByText('1 report dismissed.').waitFor()
  await keys.expectAnyFocus()
  await keys.to('button', 'Dismiss all', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await confirmQuestion(keys, /^Dismiss .* missing key/, 'Dismiss all')
  await page.getByText('No key is missing.').waitFor()
  await keys.expectAnyFocus()

  await keys.to('button', 'Export', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.insideDialog('Export a language')
  await keys.choose('Language', 'Français')
  await keys.to('radio', 'JSON, for translation tools')
  await keys.press('ArrowDown')
  await keys.expectFocus('radio', 'CSV, for spreadsheets')
  const download = page.waitForEvent('download')
  await keys.activate('button', 'Download')
  expect((await download).suggestedFilename()).toBe('wheelhouse-fr.csv')
  await keys.expectFocus('button', 'Export')
  await keys.to('button', 'Import', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.insideDialog('Import a language')
  const chooser = page.waitForEvent('filechooser')
  await keys.press('Enter')
  const text = JSON.stringify({ home: { deskText: 'Au clavier seulement' } })
  await (await chooser).setFiles({ name: 'x-fr.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await keys.activate('button', 'Import 1 text')
  await keys.expectFocus('button', 'Import')
  expect(await journeys.portal.sql(`select language from translation where value = 'Au clavier seulement'`)).toEqual([
    { language: 'fre' },
  ])
  visitor.expectNoPageErrors()
})

test('a site is made, gets its administrator and is retired by keyboard alone', { tags: 'whole' }, async () => {
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'superuser')
  const picture = { create: { width: 60, height: 60, channels: 3, background: '#205060' } } as const
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: await sharp(picture).png().toBuffer() }
  await keys.to('link', 'Skip to content')
  await keys.press('Enter')
  await keys.activate('button', 'New site')
  await keys.expectFocus('textbox', 'Name')
  await keys.insideDialog('New site')
  await keys.press('Escape')
  await keys.expectFocus('button', 'New site')
  await keys.press('Enter')
  await keys.expectFocus('textbox', 'Name')
  await keys.type('Hotel of keys')
  await keys.fill('textbox', 'Administrator’s e-mail', 'keys@example.com')
  await keys.fill('textbox', 'Account', 'KEYS')
  await keys.choose('Mode', 'Tyre hotel only')
  await keys.fill('textbox', 'URL 1', 'keys.example.com')
  await keys.activate('button', 'Add URL')
  await keys.expectFocus('textbox', 'URL 2')
  await keys.activate('button', 'Remove URL 2')
  await keys.expectFocus('textbox', /^URL 1/)
  // each holds a mark that is drawn from the name
  for (const image of [
    'Logo of the login screen landinglogo.png',
    'Logo of the navigation navlogo.png',
    'Favicon favicon.png',
  ]) {
    const chooser = page.waitForEvent('filechooser')
    await keys.activate('button', image)
    await (await chooser).setFiles(file)
  }
  await keys.activate('button', 'Create site')
  await page.getByRole('heading', { level: 1, name: 'Hotel of keys: Team and sign-in' }).waitFor()
  await keys.expectFocus('main', '')

  await keys.fill('textbox', 'Username', 'keysadmin')
  // without an address the password is made up, and shown
  await keys.to('textbox', 'E-mail')
  await keys.press('Backspace')
  await keys.activate('button', 'Create first administrator')
  await page.getByText('The password of keysadmin').waitFor()
  await keys.expectAnyFocus()
  await keys.to('button', 'I have it', { by: 'Shift+Tab' })
  await keys.press('Enter')
  await keys.expectFocus('button', 'Add administrator')
  await keys.press('Enter')
  await keys.expectFocus('textbox', 'Username')
  await keys.type('another')
  await keys.activate('button', 'Cancel')
  await keys.expectFocus('button', 'Add administrator')

  // behind the end the page begins again
  await keys.goTo('Sites')
  await keys.fill('searchbox', 'Filter', 'keys')
  await keys.activate('button', 'More actions for Hotel of keys')
  await keys.expectFocus('menuitem', 'Delete Hotel of keys')
  await keys.press('Enter')
  await confirmQuestion(keys, 'Delete the config of Hotel of keys?', 'Delete')
  await page.getByText('Config deleted successfully.').waitFor()
  await keys.expectAnyFocus()
  expect(await journeys.portal.sql(`select count(*)::int as count from account where username = 'keysadmin'`)).toEqual([
    { count: 1 },
  ])
  visitor.expectNoPageErrors()
})
