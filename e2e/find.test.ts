/** A fleet manager finds a vehicle, asks for its tyres and takes that back, by a few keys and clicks (docs/product/screens.md "Find"). */
import { expect, test } from 'vitest'
import { find } from '#contract/find.ts'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Vehicle } from '#contract/wire.ts'
import { today } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { isTyreOffered } from '#domain/tyres/tyre.ts'
import { violations } from './axe.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()
const day = () => today({ now: new Date(), timeZone: 'Europe/Brussels' })

const vehiclesOf = async (customer: Visitor): Promise<Vehicle[]> =>
  fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))

/** A vehicle with a set in stock that nothing else is done with. */
const stored = (vehicles: readonly Vehicle[]): Vehicle => {
  const vehicle = vehicles.find(
    ({ tyres }) =>
      tyres.filter(tyre => isTyreOffered('to_customer', tyre)).length === 4 && tyres.every(tyre => !tyre.operation),
  )
  if (!vehicle) throw new Error('the demo has no vehicle with a set in stock')
  return vehicle
}

/** As many letters of the end of a plate as tell it from all others. */
function telling({ license_plate: plate }: Vehicle, vehicles: readonly Vehicle[]): string {
  for (let letters = 3; letters < plate.length; letters++) {
    const end = plate.slice(-letters)
    if (vehicles.filter(other => JSON.stringify(other).includes(end)).length === 1) return end
  }
  return plate
}

test('a vehicle is found in five keys, and first among those opened last', async () => {
  const customer = await journeys.signedIn('customer')
  await customer.page.goto('/')
  const { page } = customer
  const vehicles = await vehiclesOf(customer)
  const match = vehicles.find(vehicle => telling(vehicle, vehicles).length === 3)
  if (!match) throw new Error('the demo has no plate that ends in letters of its own')
  const plate = formatPlate(match.license_plate)
  const keys = ['Control+k', ...telling(match, vehicles), 'Enter']
  const [open = '', ...others] = keys
  await page.getByText('Ctrl K').waitFor()
  await page.keyboard.press(open)
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  await dialog.getByRole('combobox').waitFor()
  for (const key of others.slice(0, -1)) await page.keyboard.press(key.toLowerCase())
  await dialog.locator('[role="option"][data-combobox-selected]').filter({ hasText: plate }).waitFor()
  expect(await violations(page, { part: '[role="dialog"]' })).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: plate }).waitFor()
  expect(keys).toHaveLength(5)
  // oxlint-disable-next-line no-console -- the keys that it takes
  console.log(`Finding a vehicle: ${keys.length} keys`)

  await page.goto('/')
  await page.getByText('Ctrl K').waitFor()
  await page.keyboard.press('Control+k')
  await dialog.locator('[role="option"][data-combobox-selected]').filter({ hasText: plate }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('Enter before the answer waits for it, as a scanner presses it at once', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicles = await vehiclesOf(customer)
  const [visited, wanted] = vehicles.filter(vehicle => telling(vehicle, vehicles).length === 3)
  if (!visited || !wanted) throw new Error('the demo has no two plates that end in letters of their own')
  await page.goto(`/fleet/vehicle?id=${visited.flt_id}`)
  await page.getByText('Ctrl K').waitFor()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  await dialog
    .locator('[role="option"]')
    .filter({ hasText: formatPlate(visited.license_plate) })
    .waitFor()
  // the letters and Enter in one task: no answer can be there in between
  await page.evaluate(
    letters => {
      const field = document.activeElement as HTMLInputElement
      document.execCommand('insertText', false, letters)
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }))
    },
    telling(wanted, vehicles),
  )
  await page.getByRole('heading', { level: 1, name: formatPlate(wanted.license_plate) }).waitFor()
})

test('what the arrows have chosen stays chosen when the answer comes', { tags: 'whole' }, async () => {
  const { page } = await journeys.signedIn('customer')
  const released = Promise.withResolvers<void>()
  await page.goto('/')
  await page.getByText('Ctrl K').waitFor()
  await page.keyboard.press('Control+k')
  const options = page.getByRole('dialog', { name: 'Find anything' }).getByRole('option')
  await options.first().waitFor()
  await page.route(`**${find.all.path}`, async route => {
    await released.promise
    await route.continue()
  })
  // screens, and vehicles that the server finds
  await page.keyboard.press('e')
  await page.keyboard.press('ArrowDown')
  const chosen = options.and(page.locator('[data-combobox-selected]'))
  const second = await chosen.innerText()
  expect(second).toBe(await options.nth(1).innerText())
  const looking = page.getByRole('dialog').getByText('Searching …')
  await looking.waitFor()
  const before = await options.count()
  released.resolve()
  await looking.waitFor({ state: 'hidden' })
  expect(await options.count()).not.toBe(before)
  expect(await chosen.innerText()).toBe(second)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: second }).waitFor()
})

test('letters and Enter choose the first one of a list, once what was typed has been looked for', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const customers = fleet.findcustomerbyname.output.parse(await admin.call('/fleet/findcustomerbyname', { string: '' }))
  const [other, wanted] = customers.filter(({ companyname }) => companyname !== '')
  if (!other || !wanted) throw new Error('the demo has no two customers')
  const released = Promise.withResolvers<void>()
  await page.goto('/fleet')
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New vehicle' })
  const customer = dialog.getByRole('combobox', { name: 'Customer' })
  await customer.click()
  await dialog.getByRole('option', { name: other.companyname }).waitFor()
  await page.route(`**${fleet.findcustomerbyname.path}`, async route => {
    await released.promise
    await route.continue()
  })
  await customer.pressSequentially(wanted.companyname)
  await customer.press('Enter')
  // the answer to fewer letters is still shown, and not taken
  await dialog.getByRole('option', { name: other.companyname }).waitFor()
  released.resolve()
  await expect.poll(() => customer.inputValue()).toContain(wanted.companyname)
  await dialog.getByRole('option').first().waitFor({ state: 'hidden' })
  expect(await dialog.getByText('This field is required.').count()).toBe(0)
  // and another one in its place
  await customer.fill(other.companyname)
  await customer.press('Enter')
  await expect.poll(() => customer.inputValue()).toContain(other.companyname)

  // a list that is all there
  await page.goto('/admin/counts')
  await page.getByRole('button', { name: 'Start a count' }).first().click()
  const place = page.getByRole('dialog').getByRole('combobox')
  await place.click()
  await place.pressSequentially('b-0')
  await place.press('Enter')
  expect(await place.inputValue()).toBe('B-01')
  // an unknown location is not mistaken for the earlier choice, and neither is an empty field
  for (const text of ['Z-99', '']) {
    await place.fill(text)
    await place.press('Enter')
    expect(await place.inputValue()).toBe(text)
  }
  await place.press('Tab')
  expect(await place.inputValue()).toBe('B-01')
  await page.getByRole('dialog').getByRole('button', { name: 'Start a count' }).waitFor()
})

test('a set is recalled in three clicks from its vehicle, and withdrawn in one', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicle = stored(await vehiclesOf(customer))
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  let clicks = 0
  const click = async (what: ReturnType<Visitor['page']['locator']>) => {
    clicks++
    await what.click()
  }
  await click(page.locator('[data-request="to_customer"]').first())
  const sheet = page.getByRole('dialog', { name: 'New operation' })
  await click(sheet.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button').first())
  // what it gets, and is charged for, is said before and after
  const services = sheet.getByText(/^Services: /)
  const servicesBefore = await services.innerText()
  await click(sheet.getByRole('button', { name: 'Submit' }))
  await sheet.getByText('The operation is submitted.').waitFor()
  expect(await services.innerText()).toBe(servicesBefore)
  expect(clicks).toBeLessThanOrEqual(3)
  // oxlint-disable-next-line no-console -- the clicks that it takes
  console.log(`Recalling a set from its vehicle: ${clicks} clicks`)

  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Operation withdrawn: it is a draft again, under Pending.').waitFor()
  const plate = formatPlate(vehicle.license_plate)
  const card = page.getByRole('article').filter({ hasText: plate })
  await card.getByRole('button', { name: 'Process' }).waitFor()

  // Once the warehouse has begun with it, only the warehouse can change it.
  const [operation] = operations.fetch.output
    .parse(await customer.call('/operations/fetch', {}))
    .filter(({ flt_id, status }) => flt_id === vehicle.flt_id && status === 'pending')
  if (!operation) throw new Error('the request is not there')
  await customer.call('/operations/update', { operation: { _id: operation._id, status: 'submitted' } })
  const warehouse = await journeys.signedIn('admin')
  await warehouse.call('/operations/markscan', { tyres: [{ tyreId: operation.tyres[0]?.db_id }] })
  await page.goto('/operations?tab=submitted')
  const ask = card.getByRole('link', { name: 'Request a change' })
  expect(decodeURIComponent((await ask.getAttribute('href')) ?? '')).toMatch(
    new RegExp(`^mailto:\\S+@\\S+\\?subject=Please change operation ${operation._id}, ${plate}$`),
  )
  expect(await card.getByRole('button', { name: 'Withdraw' }).count()).toBe(0)
})

test('a set is stored in two clicks from its vehicle, with the rims that it had, and with what is said to come along', async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicle = (await vehiclesOf(customer)).find(({ tyres }) => {
    const free = tyres.filter(tyre => isTyreOffered('to_stock', tyre))
    return free.length === 4 && new Set(free.map(tyre => tyre.tyre_set)).size === 1
  })
  if (!vehicle) throw new Error('the demo has no vehicle with a set to store')
  await journeys.portal.sql(`update tyre set rims = 'steel' where vehicle_id = $1 and status = 'at_customer'`, [
    vehicle.flt_id,
  ])
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  await page.locator('[data-request="to_stock"]').first().click()
  const sheet = page.getByRole('dialog', { name: 'New operation' })
  await sheet.getByText(/^Services: .*Putting away/).waitFor()
  await expect.poll(() => sheet.getByRole('radio', { name: 'Steel' }).isChecked()).toBe(true)
  // the rest is no click that it needs
  await sheet.getByRole('checkbox', { name: 'Wheel bolts' }).check()
  const tachometer = sheet.getByLabel('Tachometer')
  await tachometer.fill('0')
  await sheet.getByRole('button', { name: 'Submit' }).click()
  await expect.poll(() => tachometer.evaluate(field => field === document.activeElement)).toBe(true)
  await tachometer.fill('120500')
  expect(await violations(page, { part: '[role="dialog"]' })).toEqual([])
  await sheet.getByRole('button', { name: 'Submit' }).click()
  await sheet.getByText('The operation is submitted.').waitFor()
  const created = operations.fetch.output
    .parse(await customer.call('/operations/fetch', {}))
    .filter(({ flt_id, type, status }) => flt_id === vehicle.flt_id && type === 'to_stock' && status === 'submitted')
  expect(created).toMatchObject([{ withRims: 'steel', withBolts: true, withHubcaps: false, tachometer: 120500 }])
})

test(
  'a request whose answer was lost is sent again as the same, though the fleet says that its tyres are taken',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    const vehicles = await vehiclesOf(customer)
    const vehicle = stored(vehicles)
    const elsewhere = stored(vehicles.filter(other => other !== vehicle))
    const operationsOf = async () =>
      operations.fetch.output
        .parse(await customer.call('/operations/fetch', {}))
        .filter(({ flt_id }) => flt_id === vehicle.flt_id)
    const before = (await operationsOf()).length
    const keys: (string | undefined)[] = []
    await page.route('**/operations/new', async route => {
      keys.push(route.request().headers()['idempotency-key'])
      const reply = await route.fetch()
      if (keys.length > 3) return route.fulfill({ response: reply })
      // it is done, and the first and both further tries of the page hear nothing of it
      await route.abort()
    })
    await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
    await page.locator('[data-request="to_customer"]').first().click()
    const sheet = page.getByRole('dialog', { name: 'New operation' })
    await sheet.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button').first().click()
    await sheet.getByLabel('Remarks').fill('at the gate')
    await sheet.getByRole('button', { name: 'Submit' }).click()
    await expect.poll(() => keys.length).toBe(3)
    await expect.poll(async () => (await operationsOf()).map(({ status }) => status)).toContain('pending')
    // The vehicle page hears of it with the next change of somebody else.
    const another = operations.new.output.parse(
      await customer.call('/operations/new', {
        operation: {
          flt_id: elsewhere.flt_id,
          tyres: elsewhere.tyres.filter(tyre => isTyreOffered('to_customer', tyre)).map(({ db_id }) => db_id),
          operationType: 'to_customer',
          vehicle: { type: [elsewhere.type], license_plate: [elsewhere.license_plate] },
        },
      }),
    )
    await customer.call('/operations/delete', { operation: { _id: another._id } })
    await page.locator('[data-request="to_customer"]').first().waitFor({ state: 'detached' })
    await sheet.getByRole('button', { name: 'Submit' }).click()
    await sheet.getByText('The operation is submitted.').waitFor()
    expect(new Set(keys).size).toBe(1)
    const after = await operationsOf()
    expect(after).toHaveLength(before + 1)
    expect(after.find(({ remarks }) => remarks === 'at the gate')?.status).toBe('submitted')
  },
)

test('who recalls worn tyres is told, and what they decide reaches the desk', { tags: 'whole' }, async () => {
  const customer = await journeys.signedIn('customer')
  const { page } = customer
  const vehicle = stored(await vehiclesOf(customer))
  const warehouse = await journeys.signedIn('admin')
  await warehouse.call('/fleet/measuretyres', {
    readings: vehicle.tyres
      .filter(tyre => isTyreOffered('to_customer', tyre))
      .map(({ db_id }, nth) => ({ db_id, profile_date: day(), profile_depth: 2.2 + nth / 10 })),
  })
  await page.goto(`/fleet/vehicle?id=${vehicle.flt_id}`)
  await page.locator('[data-request="to_customer"]').first().click()
  const sheet = page.getByRole('dialog', { name: 'New operation' })
  await sheet.getByText('Worn: 4 tyres; the lowest depth is 2.2 mm.').waitFor()
  expect(await violations(page, { part: '[role="dialog"]' })).toEqual([])
  await sheet.getByRole('radio', { name: 'Deliver them, and send me a quote for new ones' }).check()
  await sheet.getByRole('group', { name: 'First possible delivery dates' }).getByRole('button').first().click()
  await sheet.getByRole('button', { name: 'Submit' }).click()
  await sheet.getByText('The operation is submitted.').waitFor()
  await warehouse.page.goto('/admin/operations')
  const plate = formatPlate(vehicle.license_plate)
  await warehouse.page.getByRole('row').filter({ hasText: plate }).getByText('Quote for new ones wanted').waitFor()
})

test('a request in words opens the filled sheet on a phone', async () => {
  const customer = await journeys.signedIn('customer', screens.phone)
  await customer.page.goto('/')
  const { page } = customer
  const vehicle = stored(await vehiclesOf(customer))
  await page.getByRole('button', { name: 'Find' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  await dialog.getByRole('combobox').waitFor()
  const plate = formatPlate(vehicle.license_plate)
  await page.keyboard.type(`recall ${plate} friday`)
  await dialog
    // with its day, as before the last word is typed there is one without, and with its plate, as the answer to fewer letters has others
    .getByRole('option', { name: /^Recall.*\d{2}\/\d{2}\/\d{4}/ })
    .filter({ hasText: plate })
    .tap()
  const sheet = page.getByRole('dialog', { name: 'New operation' })
  await sheet.getByText('4 tyres').first().waitFor()
  expect(await sheet.getByLabel('Delivery date').first().inputValue()).not.toBe('')
  expect(await violations(page, { part: '[role="dialog"]' })).toEqual([])
  // input is not discarded without a question
  await sheet.getByLabel('Remarks').fill('before ten')
  await page.keyboard.press('Escape')
  await page.getByText('The operation is not submitted yet.').waitFor()
})

test(
  'single keys go to the filter, the wizard and the list of keys, and not where somebody types or a scanner does',
  { tags: 'whole' },
  async () => {
    const customer = await journeys.signedIn('customer')
    const { page } = customer
    await page.goto('/fleet')
    const filter = page.getByRole('searchbox').first()
    await filter.waitFor()
    /** Presses a key, at rest, until it has done something. */
    const press = async (key: string, done: () => Promise<boolean>): Promise<void> => {
      await expect
        .poll(
          async () => {
            if (!(await done())) await page.keyboard.press(key)
            return done()
          },
          { interval: 400 },
        )
        .toBe(true)
    }
    const keysShown = async () => (await page.getByRole('dialog', { name: 'Keys' }).count()) === 1
    const filterFocused = () => filter.evaluate(field => field === document.activeElement)
    await press('/', filterFocused)
    await page.keyboard.type('n?')
    expect(await filter.inputValue()).toBe('n?')
    const elsewhere = page.getByRole('heading', { level: 1 })
    await elsewhere.click()
    // as fast as a scanner
    await page.evaluate(() => {
      for (const key of 'xn') document.dispatchEvent(new KeyboardEvent('keydown', { key }))
    })
    await press('?', keysShown)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/fleet')
    await elsewhere.click()
    await press('n', async () => new URL(page.url()).pathname === '/wizard/step1')

    await page.goto('/account')
    await page.getByLabel('Use single keys').uncheck()
    await page.goto('/fleet')
    await filter.waitFor()
    await page.keyboard.press('/')
    expect(await filterFocused()).toBe(false)
  },
)

test('the navigation shows which screen is open, and what finds anything can be closed without a key', async () => {
  const { page } = await journeys.signedIn('admin')
  for (const screen of ['/admin/audit', '/']) {
    await page.goto(screen)
    await expect
      .poll(() =>
        page
          .getByRole('navigation')
          .first()
          .locator('ul [aria-current="page"]')
          .evaluate(entry => {
            const { left, top, width, height } = entry.getBoundingClientRect()
            return entry.contains(document.elementFromPoint(left + width / 2, top + height / 2))
          }),
      )
      .toBe(true)
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }

  const { page: phone } = await journeys.signedIn('customer', screens.phone)
  await phone.goto('/fleet')
  await phone.getByRole('button', { name: 'Find' }).click()
  const dialog = phone.getByRole('dialog', { name: 'Find anything' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})
