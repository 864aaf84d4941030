/** Input stays as it is, with an error where it can't be accepted; an empty search says where it has searched. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { screens, shareJourneys, timeoutMs } from './browser.ts'
import { choose } from './fleet.ts'
import { recordTexts } from './recordTexts.ts'

const journeys = shareJourneys()

test(
  'numbers and days that can’t be taken stay in their fields with why, and nothing is saved with them',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
    const vehicle = vehicles.find(({ tyres }) => tyres.some(tyre => tyre.tyre_status !== 'waste'))
    await page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
    await page.getByRole('button', { name: 'Enter profile depths' }).click()
    const dialog = page.getByRole('dialog', { name: 'Profile depths' })
    const depth = dialog.getByLabel('Profile depth of').first()
    await depth.pressSequentially('-5')
    await depth.press('Enter')
    await dialog.getByText('-5 → 0.0. Did you mean 5.0?').waitFor()
    expect(await depth.inputValue()).toBe('0 mm')
    await dialog.getByRole('button', { name: '5.0 mm' }).click()
    const day = dialog.getByLabel('Measured on')
    const saves: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/fleet/measuretyres')) saves.push(request.url())
    })
    for (const [typed, complaint] of [
      ['31/02/2026', 'Enter a date as DD/MM/YYYY.'],
      ['01/01/2999', /^Enter a date up to /],
    ] as const) {
      await day.fill(typed)
      await depth.focus()
      await dialog.getByText(complaint).waitFor()
      expect(await day.inputValue()).toBe(typed)
      await depth.press('Control+Enter')
    }
    await day.fill('01/11/2026')
    await depth.press('Control+Enter')
    await expect.poll(() => saves.length).toBe(1)

    const admin = await journeys.signedIn('admin')
    await admin.page.goto('/admin/locations')
    await admin.page.getByRole('button', { name: 'New location' }).first().click()
    const capacity = admin.page.getByRole('dialog').getByLabel('Room for tyres')
    for (const [typed, kept] of [
      ['99999', '99,999'],
      ['-5', '-5'],
    ] as const) {
      await capacity.fill(typed)
      await capacity.press('Tab')
      expect(await capacity.inputValue()).toBe(kept)
      await admin.page.getByText('Enter a number from 0 to 10,000.').waitFor()
    }
    await admin.page.goto('/admin/config?page=vehicles')
    await admin.page.getByRole('button', { name: 'Add configuration' }).click()
    const width = admin.page.getByRole('dialog').getByLabel('Width of the picture')
    await width.fill('99999')
    await width.press('Tab')
    expect(await width.inputValue()).toBe('99,999')
    await admin.page.getByText(/^Enter a number from /).waitFor()
  },
)

test(
  'the form of a new vehicle opens in its first field, of a customer and of an administrator',
  { tags: 'whole' },
  async () => {
    for (const [username, path, field] of [
      ['customer', '/fleet', 'License plate'],
      ['admin', '/fleet', 'Customer'],
    ] as const) {
      const visitor = await journeys.signedIn(username)
      const { page } = visitor
      await page.goto(path)
      await page.getByRole('button', { name: 'New vehicle' }).click()
      const first = page.getByRole('dialog', { name: 'New vehicle' }).getByLabel(field, { exact: false }).first()
      await expect.poll(() => first.evaluate(input => input === document.activeElement)).toBe(true)
    }
  },
)

test(
  'a period that ends before it begins stays as typed, with why, and is not asked for',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const admin = await journeys.signedIn('admin')
    const periods = [
      [customer, '/operations?tab=completed', 'Start date', 'End date', 'The period ends before it begins.'],
      [admin, '/admin/operations?tab=completed', 'Start date', 'End date', 'The period ends before it begins.'],
      [admin, '/', 'From', 'To', 'The period ends before it begins.'],
      [admin, '/admin/audit', 'From', 'To', 'The period ends before it begins.'],
      [admin, '/admin/security', 'From', 'To', 'The period ends before it begins.'],
    ] as const
    for (const [{ page, networkIdle }, path, start, end, complaint] of periods) {
      await page.goto(path)
      const [from, to] = [start, end].map(name => page.getByRole('main').getByRole('textbox', { name, exact: true }))
      await to?.fill('01/02/2026')
      await to?.press('Tab')
      await networkIdle()
      const turned: string[] = []
      page.on('request', request => {
        const { startDate, endDate, from: first, to: last } = JSON.parse(request.postData() ?? '{}')
        if ((startDate ?? first ?? '') > (endDate ?? last ?? '~')) turned.push(request.url())
      })
      await from?.fill('02/02/2026')
      await from?.press('Tab')
      await page.getByText(complaint).waitFor()
      expect([await from?.inputValue(), await to?.inputValue()]).toEqual(['02/02/2026', '01/02/2026'])
      await networkIdle()
      expect(turned).toEqual([])
    }
    customer.expectNoPageErrors()
    admin.expectNoPageErrors()
  },
)

test('on a phone the audit is filtered in a sheet, and a calendar has its own', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', screens.phone)
  const { page } = admin
  await page.goto('/admin/audit')
  await page.getByRole('main').getByRole('button', { name: 'Filter', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter', exact: true })
  const from = sheet.getByRole('textbox', { name: 'From' })
  const calendar = page.getByRole('dialog', { name: 'From' }).getByRole('button', { name: 'Next month' })
  await from.click()
  await calendar.waitFor()
  await page.keyboard.press('Escape')
  await calendar.waitFor({ state: 'hidden' })
  // the field has the focus again, and takes what is typed
  await from.fill('01/01/2026')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await page.waitForURL(/from=2026-01-01/)
  await page.getByRole('main').getByRole('button', { name: 'Filter (1)' }).click()
  await sheet.getByRole('button', { name: 'Clear the filters' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  admin.expectNoPageErrors()
})

test('tyres that need the name of a set are added without a word about a missing name', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicleData = {
    license_plate: '9SET001',
    brand: 'Opel',
    description: 'Corsa',
    type: 'car',
    configuration: 'Car, 4 wheels',
  }
  const { flt_id } = fleet.new.output.parse(await customer.call('/fleet/new', { vehicleData }))
  await page.goto(`/fleet/vehicle?id=${flt_id}`)
  const dialog = page.getByRole('dialog')
  const complaints = await recordTexts(page, '[role="dialog"] .mantine-InputWrapper-error')
  const rows = page.locator('tr[data-tyre]')
  const other = await journeys.signedIn('customer')
  // The first tyres fill all positions without a set: from then on a name is needed, and these are taken. The vehicle
  // shows them before their answer is here.
  for (const [nth, name] of ['', 'Winter'].entries()) {
    await page.getByRole('button', { name: 'Add tyres' }).first().click()
    // also when the dialog is opened for the first time, and its content comes after it
    await dialog.locator('input[type="search"]:focus').waitFor()
    await page.keyboard.type('205/55R16')
    await dialog.getByRole('list').getByRole('button').first().click()
    await dialog.getByRole('button', { name: 'All (4)' }).click()
    await dialog.getByRole('combobox', { name: 'Tyre set name' }).fill(name)
    const answered = Promise.withResolvers<void>()
    await page.route('**/fleet/addtyres', async route => {
      const response = await route.fetch()
      await other.call('/fleet/update', { flt_id, description: `Corsa ${nth}` })
      await answered.promise
      await route.fulfill({ response })
    })
    await dialog.getByRole('button', { name: /^Add 4 tyres/ }).click()
    await rows.nth(4 * nth + 3).waitFor({ state: 'attached' })
    answered.resolve()
    await dialog.waitFor({ state: 'detached' })
    await page.unroute('**/fleet/addtyres')
  }
  expect(await complaints()).toEqual([])
  customer.expectNoPageErrors()
})

test(
  'while acting for a customer a plate of another is not simply new, and a vehicle that is gone offers a search',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    await page.goto('/wizard/step2?flt_id=2000000000')
    await page.getByRole('searchbox').last().waitFor()
    await page.goto('/admin/fleetmanagement')
    await page.locator('[data-customer]').first().click()
    await page.getByText(/^You now act for /).waitFor()
    await page.goto('/admin/fleetmanagement?vehicle=2000000000')
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
    await page.getByText('This vehicle does not exist').first().or(page.getByRole('searchbox')).first().waitFor()
    await page.goto('/wizard/step1?plate=XYZ999')
    await page.getByText(/^Only what belongs to .* is shown\.$/).waitFor()
    await page.getByRole('button', { name: 'Show all customers' }).waitFor()
  },
)

test('a form that is sent again after its answer was lost makes one record', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/customers')
  await page.getByRole('button', { name: 'New customer' }).first().click()
  const form = page.getByRole('dialog', { name: 'New customer' })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Lost Answer')
  // once, and twice more by itself
  await page.route(
    `**${customers.save.path}`,
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 3 },
  )
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The server can’t be reached.').first().waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Lost Answer', level: 1 }).waitFor()
  expect(await journeys.portal.sql(`select from customer where name = 'Lost Answer'`)).toHaveLength(1)
})

test('made-up passwords stay until they are taken', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  // one with accounts: whose first account it is, is proposed with an address, and invited
  const [owner] = fleet.findcustomerbyname.output.parse(
    await admin.call('/fleet/findcustomerbyname', { string: 'Kempenrand' }),
  )
  await page.goto(`/admin/customers?id=${owner?.seq_id}`)
  for (const username of ['answer-one', 'answer-two']) {
    await page.getByRole('button', { name: 'New account' }).click()
    const account = page.getByRole('dialog', { name: 'New account' })
    await account.getByRole('textbox', { name: 'Username', exact: true }).fill(username)
    await account.getByRole('button', { name: 'Create' }).click()
    await account.waitFor({ state: 'detached' })
    await page.getByText(`The password of ${username}`).waitFor()
  }
  const passwordOf = (username: string) => page.getByRole('status').filter({ hasText: `The password of ${username}` })
  await passwordOf('answer-two').getByRole('button', { name: 'I have it' }).click()
  await passwordOf('answer-two').waitFor({ state: 'detached' })
  await passwordOf('answer-one').getByRole('button', { name: 'I have it' }).click()
  await passwordOf('answer-one').waitFor({ state: 'detached' })
})

/** The drafts of forms that the device keeps, as text. */
const onDevice = (page: Page) => page.evaluate(() => localStorage.getItem('wheelhouse.drafts') ?? '')

/** Ends the session somewhere else, and sends a form without it. */
async function sendWithoutSession(page: Page, form: Locator) {
  await page.context().clearCookies()
  await form.getByRole('button', { name: /^(?:Save|Create|Add vehicle)$/ }).click()
  await page.getByText('Unauthorized, returning to login.').waitFor()
}

async function signInAt(page: Page, username: string) {
  await page.getByLabel('Username').waitFor()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('wheelhouse')
  await page.keyboard.press('Enter')
  await page.getByLabel('Username').waitFor({ state: 'detached' })
}

async function signOutAt(page: Page, name: RegExp) {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
}

test('a session that ends in a form loses nothing: one signs in on the spot and saves', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  // a slow machine takes longer than the 7.5 s after which the sign-in shows
  await page.addInitScript(() => {
    const { setTimeout: later } = window
    Object.assign(window, { setTimeout: (work: () => void, ms = 0) => later(work, ms === 7500 ? 600_000 : ms) })
  })
  const [vehicle] = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  await page.goto(`/fleet/vehicle?id=${vehicle?.flt_id}`)
  await page.getByRole('tab', { name: 'Vehicle data' }).click()
  const description = page.getByLabel('Description')
  await description.fill('Typed on the spot')
  await sendWithoutSession(page, page.getByRole('tabpanel'))
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  const password = dialog.getByLabel('Password of customer')
  await password.fill('wrong')
  await password.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await password.fill('wheelhouse')
  await password.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await description.inputValue()).toBe('Typed on the spot')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Vehicle updated').waitFor()
  expect(await onDevice(page)).toBe('')
})

test(
  'what was typed when a session ended is offered again to the same account only, until it signs out',
  { tags: 'whole' },
  async () => {
    const { page } = await journeys.signedIn('customer')
    const form = page.getByRole('dialog', { name: 'New vehicle' })
    const brand = form.getByLabel('Brand')
    const openForm = async () => {
      await page.goto('/fleet')
      await page.getByRole('button', { name: 'New vehicle' }).click()
      await brand.waitFor()
    }
    await openForm()
    await form.getByLabel('License plate').fill('1TYP303')
    await brand.fill('Typed before')
    await form.getByLabel('Description').fill('Corsa')
    await choose(page, 'Type', 'Car')
    await choose(page, 'Configuration', 'Car, 4 wheels')
    await sendWithoutSession(page, form)
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor({ timeout: timeoutMs })
    expect(await onDevice(page)).toContain('Typed before')

    // in the language of this journey
    await (await journeys.signedIn('customer2')).close()
    await signInAt(page, 'customer2')
    await openForm()
    expect(await form.getByRole('button', { name: 'Restore it' }).count()).toBe(0)
    expect(await brand.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await signOutAt(page, /Customer$/)
    expect(await onDevice(page)).toContain('Typed before')

    await signInAt(page, 'customer')
    const toast = page.getByText('What you typed when your session ended has been kept.')
    await toast.waitFor()
    await openForm()
    await form.getByText('“Typed before”').waitFor()
    // it would lie over the buttons on a phone
    await toast.waitFor({ state: 'hidden', timeout: 3000 })
    await form.getByRole('button', { name: 'Restore it' }).click()
    expect(await brand.inputValue()).toBe('Typed before')
    expect(await form.getByLabel('License plate').inputValue()).toBe('1TYP303')
    expect(await onDevice(page)).not.toContain('Typed before')

    await sendWithoutSession(page, form)
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor({ timeout: timeoutMs })
    expect(await onDevice(page)).toContain('Typed before')
    await signInAt(page, 'customer')
    await signOutAt(page, /Customer$/)
    expect(await onDevice(page)).toBe('')
  },
)

test('no password and no bank account is kept when a session ends', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const secret = 'Zomerband-Regenlaan-47'
  // one with accounts: the first account of a customer is invited, and has no password
  const [owner] = fleet.findcustomerbyname.output.parse(
    await admin.call('/fleet/findcustomerbyname', { string: 'Kempenrand' }),
  )
  await page.goto(`/admin/customers?id=${owner?.seq_id}`)
  await page.getByRole('button', { name: 'New account' }).click()
  const account = page.getByRole('dialog', { name: 'New account' })
  await account.getByRole('textbox', { name: 'Username', exact: true }).fill('typed-account')
  await account.locator('input[type="password"]').fill(secret)
  await sendWithoutSession(page, account)
  await page.getByRole('heading', { name: /^Sign in to/ }).waitFor({ timeout: timeoutMs })
  expect(await onDevice(page)).toContain('typed-account')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(secret)

  await signInAt(page, 'admin')
  await page.goto('/admin/config?page=company')
  await page.getByRole('button', { name: 'Edit billing details' }).click()
  const billing = page.getByRole('dialog', { name: 'Billing details' })
  await billing.getByLabel('IBAN').fill('BE68539007547034')
  await billing.getByLabel('City').fill('Typed city')
  await sendWithoutSession(page, billing)
  await page.getByRole('heading', { name: /^Sign in to/ }).waitFor({ timeout: timeoutMs })
  expect(await onDevice(page)).toContain('Typed city')
  expect(await onDevice(page)).not.toContain('539007547034')

  // saved without taking it over: it is not offered once more
  await signInAt(page, 'admin')
  await page.goto('/admin/config?page=company')
  await page.getByRole('button', { name: 'Edit billing details' }).click()
  await billing.getByText('“Typed city”').waitFor()
  await billing.getByLabel('City').fill('Another city')
  await billing.getByRole('button', { name: 'Save', exact: true }).click()
  await billing.waitFor({ state: 'hidden' })
  expect(await onDevice(page)).not.toContain('Typed city')
})

test('the browser’s Back asks before it takes a dialog away with what was typed in it', async () => {
  const { page, expectNoPageErrors } = await journeys.signedIn('admin')
  await page.goto('/admin/articles')
  await page.getByRole('navigation').first().getByRole('link', { name: 'Customers' }).click()
  await page.waitForURL('**/admin/customers*')
  await page.getByRole('button', { name: 'New customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Garage Back & Forth')
  await dialog.getByLabel('City').fill('Ghent')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })

  await page.goBack({ waitUntil: 'commit' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/customers')
  expect(await name.inputValue()).toBe('Garage Back & Forth')

  await page.goBack({ waitUntil: 'commit' })
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/articles')
  await dialog.waitFor({ state: 'detached' })
  expectNoPageErrors()
})
