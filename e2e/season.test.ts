/** The change of season of a whole fleet, from Home, counted in clicks. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { formatDate } from '#domain/texts/date.ts'
import { type Axle, positionsOf } from '#domain/vehicles/axle.ts'
import { violations } from './axe.ts'
import { screens, shareJourneys } from './browser.ts'
import { signInByKeyboard } from './keys.ts'
import type { Portal } from './portal.ts'
import { configureSite } from './site.ts'

const journeys = shareJourneys()

/** The most clicks that a change may take. */
const mostClicks = 8

type Fleet = { vehicles: number; configuration: string; type: string; prefix: string }

/** Gives the customer of an account vehicles with a winter set in stock and a summer set that it wears, and no others. */
async function giveFleet({ sql }: Portal, { vehicles, configuration, type, prefix }: Fleet): Promise<number> {
  const [config] = await sql<{ id: number; axles: Axle[] }>(
    `select c.id, c.axles from vehicle_config c join site s on s.id = c.site_id
     where s.code = 'zevenwegen' and c.description = $1`,
    [configuration],
  )
  if (!config) throw new Error(`the demo has no configuration ${configuration}`)
  const positions = positionsOf(config.axles)
  // the days of four weeks have room for one of the fleets, and the journeys have several
  await sql(`update transport_method set operations_per_day = 20, tyres_per_day = 80 where is_default`)
  await sql(
    `with owner as (
       select a.site_id, a.customer_id from account a join site s on s.id = a.site_id
       where s.code = 'zevenwegen' and a.username = 'customer'),
     gone as (
       update vehicle v set removed_at = now() from owner
       where v.site_id = owner.site_id and v.customer_id = owner.customer_id and v.removed_at is null),
     made as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select site_id, customer_id, $1 || lpad(nth::text, 3, '0'), 'DAF', 'XF', $2, $3 from owner, generate_series(1, $4::int) nth
       returning site_id, customer_id, id)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date,
       profile_depth, profile_date, season)
     select m.site_id, m.customer_id, m.id, a.id, position, a.description, initcap(sets.season), sets.status, current_date - 200, 7,
       current_date - 200, sets.season
     from made m, unnest($5::text[]) position, (values ('winter', 'in_stock'), ('summer', 'at_customer')) sets(season, status),
       lateral (select id, description from article where site_id = m.site_id and season = sets.season limit 1) a`,
    [prefix, type, config.id, vehicles, positions],
  )
  return positions.length
}

/** Gives the fleet a vehicle like another one, with the same tyres. */
const giveMore = ({ sql }: Portal, like: string, plate: string) =>
  sql(
    `with made as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select site_id, customer_id, $2, brand, description, type, config_id from vehicle where license_plate = $1
       returning id)
     insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date,
       profile_depth, profile_date, season)
     select t.site_id, t.customer_id, made.id, t.article_id, t.position, t.description, t.tyre_set, t.status, t.status_date,
       t.profile_depth, t.profile_date, t.season
     from made, tyre t join vehicle v on v.id = t.vehicle_id where v.license_plate = $1`,
    [like, plate],
  )

/** Several vehicles are visible at once, and the actions on the chosen ones stay in sight and cover none of them. */
async function expectBarBelow(page: Page) {
  await page.goto('/season')
  const rows = page.locator('[data-vehicle]')
  await rows.first().waitFor()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? 0
  const bottomOf = (element: Locator) => element.evaluate(box => box.getBoundingClientRect().bottom)
  expect(await bottomOf(rows.nth(2))).toBeLessThanOrEqual(await topOf(menu))
  await rows.getByRole('checkbox').first().check()
  const bar = page.getByRole('group', { name: 'Planning' })
  await bar.getByRole('button', { name: 'Plan 1 vehicle' }).waitFor()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(() => bottomOf(rows.last())).toBeLessThanOrEqual(await topOf(bar))
  expect(await bottomOf(bar)).toBeLessThanOrEqual(await topOf(menu))
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
}

/** Changes the whole fleet from Home, and counts the clicks. */
async function changeFrom(page: Page, vehicles: number): Promise<number> {
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks += 1
  }
  await page.goto('/')
  await click(page.getByRole('link', { name: 'Season', exact: true }))
  await click(page.getByRole('button', { name: `Select all ${vehicles} with a set in storage` }))
  await click(page.getByRole('button', { name: `Plan ${vehicles} vehicles` }))
  await click(page.getByRole('button', { name: `Submit ${vehicles} vehicles` }))
  await page.getByRole('link', { name: 'To the operations' }).waitFor({ timeout: 60_000 })
  return clicks
}

// before the others, which leave the customer's tyres in store
test(
  'a fleet without a hotel has its health and what to buy, and nothing of operations',
  { tags: 'whole' },
  async () => {
    await configureSite(journeys, { mode: 'fleetonly' })
    // the demo has such tyres at some moments only
    await journeys.portal.sql(
      `update tyre set profile_depth = 1, profile_date = current_date where id = (
         select min(t.id) from tyre t join account a on a.site_id = t.site_id and a.customer_id = t.customer_id
         where a.username = 'customer' and t.status = 'on_vehicle' and t.removed_at is null)`,
    )
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/')
    const { page } = customer
    await page.locator('[data-line="illegal"]').waitFor()
    expect(await page.locator('[data-tab]').count()).toBe(0)
    // without a hotel a season is what is to be bought for it
    await page.getByRole('link', { name: 'Season', exact: true }).click()
    await page
      .getByRole('row')
      .filter({ hasText: /\d+\/\d+/ })
      .first()
      .waitFor()
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    customer.expectNoPageErrors()
    await configureSite(journeys, { mode: 'both' })
  },
)

test.each([
  ['desk', { vehicles: 40, configuration: 'Car, 4 wheels', type: 'car', prefix: '1SEA' }],
  ['phone', { vehicles: 40, configuration: 'Car, 4 wheels', type: 'car', prefix: '2SEA' }],
  [
    'desk',
    { vehicles: 10, configuration: 'Truck 6x2 with centre-axle trailer, 2 axles', type: 'truck', prefix: '3SEA' },
  ],
] as const)(
  `on the %s a fleet is changed from Home in at most ${mostClicks} clicks`,
  { tags: 'whole' },
  async (device, fleet) => {
    const tyres = await giveFleet(journeys.portal, fleet)
    const customer = await journeys.signedIn('customer', screens[device])
    if (device === 'phone') await expectBarBelow(customer.page)
    const clicks = await changeFrom(customer.page, fleet.vehicles)
    process.stdout.write(`\n${fleet.vehicles} vehicles with ${tyres} tyres each, ${device}: ${clicks} clicks\n`)
    expect(clicks).toBeLessThanOrEqual(mostClicks)
    const created = operations.fetch.output
      .parse(await customer.call('/operations/fetch', {}))
      .filter(({ vehicle }) => vehicle.license_plate.startsWith(fleet.prefix))
    expect(Map.groupBy(created, ({ type }) => type).get('to_customer')).toHaveLength(fleet.vehicles)
    // what comes back arrives with the delivery
    expect(Map.groupBy(created, ({ type }) => type).get('to_stock')).toHaveLength(fleet.vehicles)
    for (const [, both] of Map.groupBy(created, ({ flt_id }) => flt_id)) {
      expect(new Set(both.map(({ deliveryDate }) => deliveryDate)).size).toBe(1)
      expect(both.map(({ status, tyres: some }) => [status, some.length])).toEqual([
        ['submitted', tyres],
        ['submitted', tyres],
      ])
    }
    await customer.close()
  },
)

/** How many keys have been pressed on this page from now on. */
async function keysPressed(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as { keysPressed?: number }
    counted.keysPressed = 0
    addEventListener('keydown', () => (counted.keysPressed = (counted.keysPressed ?? 0) + 1), { capture: true })
  })
  return () => page.evaluate(() => (window as { keysPressed?: number }).keysPressed ?? -1)
}

test('a fleet is changed, and a set asked for, by keyboard alone', { tags: 'whole' }, async () => {
  await giveFleet(journeys.portal, { vehicles: 40, configuration: 'Car, 4 wheels', type: 'car', prefix: '4SEA' })
  // one more, for the request
  await giveMore(journeys.portal, '4SEA001', '5SEA001')
  const { visitor, page, keys } = await signInByKeyboard(journeys, 'customer')
  const pressed = await keysPressed(page)
  await keys.activate('link', 'Season')
  await keys.expectFocus('main', '')
  await keys.fill('searchbox', 'Filter', '4-SEA')
  await page.getByText('40 vehicles', { exact: true }).waitFor()
  await keys.activate('button', 'Select all 40 with a set in storage')
  await keys.expectFocus('button', 'Clear selection')
  await keys.activate('button', 'Plan 40 vehicles', { by: 'Shift+Tab' })
  await page.getByText('40 vehicles planned').waitFor()
  await keys.expectAnyFocus()
  // moved to the last day a vehicle stays in its row, and keeps the focus
  const last = formatDate((await page.locator('[data-day]').last().getAttribute('data-day')) ?? '')
  await keys.choose('Day of 4-SEA-001', new RegExp(`${last}$`))
  await keys.activate('button', 'Submit 40 vehicles', { by: 'Shift+Tab', most: 120 })
  await page.getByRole('link', { name: 'To the operations' }).waitFor()
  await keys.expectAnyFocus()
  const ofChange = await pressed()

  await page.goto('/fleet')
  await page.getByRole('searchbox', { name: 'Filter' }).waitFor()
  const keysBefore = await keysPressed(page)
  await keys.fill('searchbox', 'Filter', '5-SEA')
  await page.getByText('1 vehicle of').waitFor()
  await keys.activate('link', '5-SEA-001')
  await keys.expectFocus('main', '')
  await keys.activate('button', 'Recall')
  await keys.insideDialog('New operation')
  await keys.activate('button', /^[A-Z][a-z]{2} \d{2}\/\d{2}$/)
  await keys.activate('button', 'Submit')
  await page.getByText('The operation is submitted.').waitFor()
  await keys.expectFocus('button', 'Close')
  await keys.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keys.expectAnyFocus()
  process.stdout.write(`\n40 vehicles in ${ofChange} keys, one request in ${await keysBefore()}\n`)
  visitor.expectNoPageErrors()
})

test('a plan that is not submitted yet is not left without a question', { tags: 'whole' }, async () => {
  await giveFleet(journeys.portal, { vehicles: 2, configuration: 'Car, 4 wheels', type: 'car', prefix: '6SEA' })
  const { page, expectNoPageErrors } = await journeys.signedIn('customer')
  await page.goto('/season')
  await page.getByRole('button', { name: 'Select all 2 with a set in storage' }).click()
  await page.getByRole('button', { name: 'Plan 2 vehicles' }).click()
  await page.getByText('2 vehicles planned').waitFor()
  await page.getByRole('link', { name: '6-SEA-001' }).click()
  await page.getByText('2 vehicles of the plan are not submitted yet.').waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  // back to the vehicles they are still selected; a day of one's own is not lost without a question
  await page.getByRole('button', { name: 'Back to the vehicles' }).click()
  await page.getByRole('button', { name: 'Plan 2 vehicles' }).click()
  const day = page.locator('[data-vehicle]').filter({ hasText: '6-SEA-001' }).getByRole('combobox')
  await day.click()
  const last = page.getByRole('option').last()
  const moved = await last.innerText()
  await last.click()
  await page.getByRole('button', { name: 'Back to the vehicles' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await day.inputValue()).toBe(moved)
  await page.getByRole('button', { name: 'Submit 2 vehicles' }).click()
  // then nothing is lost
  await page.getByRole('link', { name: 'To the operations' }).click()
  await page.waitForURL(/\/operations/)
  expectNoPageErrors()
})

test(
  'a plan says what is worn, what does not come back, and which services come with it',
  { tags: 'whole' },
  async () => {
    const { sql } = journeys.portal
    await giveFleet(journeys.portal, { vehicles: 2, configuration: 'Car, 4 wheels', type: 'car', prefix: '7SEA' })
    const tyresOf = `from vehicle v where v.id = t.vehicle_id and v.license_plate =`
    await sql(`update tyre t set profile_depth = 0.8 ${tyresOf} '7SEA001' and t.status = 'in_stock'`)
    await sql(`update tyre t set status = 'waste' ${tyresOf} '7SEA002' and t.status = 'at_customer'`)
    const { page, call, expectNoPageErrors } = await journeys.signedIn('customer')
    await page.goto('/season?to=winter')
    await page.getByRole('button', { name: 'Select all 2 with a set in storage' }).click()
    await page.getByText('4 tyres come back. Nothing comes back for 1 vehicle.').waitFor()
    await page.getByRole('button', { name: 'Plan 2 vehicles' }).click()
    const rowOf = (plate: string) => page.locator('[data-vehicle]').filter({ hasText: plate })
    await rowOf('7-SEA-001').getByText('To be replaced').waitFor()
    await rowOf('7-SEA-002').getByText('Nothing comes back: its mounted tyres are not recorded.').waitFor()
    await page.getByText('1 of the 2 sets is to be replaced.').waitFor()
    const services = await Promise.all(
      ['to_customer', 'to_stock'].map(type => page.locator(`[data-services="${type}"]`).innerText()),
    )
    await page.getByRole('radio', { name: 'Deliver them, and send me a quote for new ones' }).check()
    // what the portal knows of the rims of each set, until all of them are said to have others
    await page.getByRole('switch', { name: 'Tyres come back with the rims' }).uncheck()
    await page.getByText('Steel', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Wheel bolts' }).check()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Submit 2 vehicles' }).click()
    await page.getByText('2 vehicles submitted.').waitFor()
    const created = operations.fetch.output
      .parse(await call('/operations/fetch', {}))
      .filter(({ vehicle }) => vehicle.license_plate.startsWith('7SEA'))
      .toSorted(
        (a, b) => a.vehicle.license_plate.localeCompare(b.vehicle.license_plate) || a.type.localeCompare(b.type),
      )
    expect(created.map(({ type, wornTyres, withRims, withBolts }) => [type, wornTyres, withRims, withBolts])).toEqual([
      ['to_customer', 'quote', null, false],
      ['to_stock', null, 'steel', true],
      ['to_customer', null, null, false],
    ])
    const names = new Map(
      (await sql<{ id: number; name: string }>('select id, description_en as name from service')).map(
        ({ id, name }) => [id, name],
      ),
    )
    const namesOf = (nth: number) => created[nth]?.services.map(id => names.get(id)).join(', ')
    expect(services).toEqual([`Services on delivery: ${namesOf(0)}`, `Services on storage: ${namesOf(1)}`])
    expectNoPageErrors()
  },
)

test('a plan that is left while it is sent begins no more vehicles', { tags: 'whole' }, async () => {
  await giveFleet(journeys.portal, { vehicles: 8, configuration: 'Car, 4 wheels', type: 'car', prefix: '8SEA' })
  const { page, call, expectNoPageErrors } = await journeys.signedIn('customer')
  const answered = Promise.withResolvers<void>()
  let begun = 0
  await page.route('**/operations/swap', async route => {
    begun += 1
    await answered.promise
    await route.continue()
  })
  await page.goto('/season')
  await page.getByRole('button', { name: 'Select all 8 with a set in storage' }).click()
  await page.getByRole('button', { name: 'Plan 8 vehicles' }).click()
  await page.getByRole('button', { name: 'Submit 8 vehicles' }).click()
  await expect.poll(() => begun).toBe(4)
  await page.getByRole('link', { name: '8-SEA-001' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(/vehicle/)
  answered.resolve()
  const submitted = async () => {
    const all = operations.fetch.output.parse(await call('/operations/fetch', {}))
    const ours = all.filter(({ vehicle }) => vehicle.license_plate.startsWith('8SEA'))
    return new Set(ours.map(({ flt_id }) => flt_id)).size
  }
  await expect.poll(submitted).toBe(4)
  expect(begun).toBe(4)
  expectNoPageErrors()
})

/** Gives every tyre of the fleet less tread than any law allows, and a vehicle none at all. */
const wearDown = ({ sql }: Portal) =>
  sql(
    `with worn as (update tyre set profile_depth = 0.8 where status in ('at_customer', 'on_vehicle') returning vehicle_id)
     insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
     select v.site_id, v.customer_id, '9BARE' || v.customer_id, 'DAF', 'XF', v.type, v.config_id
     from vehicle v join (select distinct on (o.customer_id) o.id from vehicle o order by o.customer_id, o.id) first using (id)`,
  )

// These two change the site: they come last.
test('hidden depth hides every verdict but missing tyres', { tags: 'whole' }, async () => {
  await wearDown(journeys.portal)
  const shown = async () => {
    const customer = await journeys.signedIn('customer')
    await customer.page.goto('/')
    const { page } = customer
    const lines = page.getByRole('region', { name: 'What needs attention' }).locator('[data-line]')
    await lines.first().waitFor()
    const atHome = await lines.evaluateAll(all => all.map(line => line.getAttribute('data-line') ?? ''))
    await page.goto('/season?to=winter')
    const rows = page.locator('[data-vehicle]')
    await rows.filter({ hasText: 'No winter tyres' }).first().waitFor()
    const judged = await rows.filter({ hasText: /To be replaced|Not measured|Good/ }).count()
    await page.getByRole('combobox', { name: 'Verdict' }).click()
    const offered = await page.getByRole('option').count()
    await customer.close()
    return { atHome, judged, offered }
  }
  const open = await shown()
  expect(open.atHome).toContain('illegal')
  expect(open.judged).toBeGreaterThan(0)
  expect(open.offered).toBe(4)
  await configureSite(journeys, { allowProfileDepth: false })
  const hidden = await shown()
  for (const line of ['illegal', 'worn', 'reaching', 'unmeasured']) expect(hidden.atHome).not.toContain(line)
  expect(hidden.atHome.length).toBeGreaterThan(0)
  expect(hidden.judged).toBe(0)
  expect(hidden.offered).toBe(1)
  await configureSite(journeys, { allowProfileDepth: true })
})
