/**
 * `npm run bench:fleet`: a customer with 2,000 vehicles and 10,000 tyres in a real browser: from the login to a usable fleet
 * list, from a filter's keystroke or a checkbox to the paint of the rows, and what the tab holds. Medians of five visits.
 */
import { hashPassword } from '../src/server/features/session/password.ts'
import { openBrowser, visit } from '../e2e/browser.ts'
import { openPortal } from '../e2e/portal.ts'
import { median } from './figures.ts'
import { heldBy, timed } from './page.ts'

const vehicles = 2000
const visits = 5
/** The largest page of the tyre list. */
const rowsPerPage = '250'

// as in production: no demo, answers are not checked against the contract
const portal = await openPortal({ NODE_ENV: 'production' })
const axles = [1, 2].map(() => ({ type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 }))
const first = await portal.asOwner(async client => {
  await client.query(
    `with site as (
       insert into site (code, name, admin_email, language) values ('bench', 'Bench', 'bench@example.org', 'eng') returning id),
     owner as (insert into customer (site_id, name, company) select id, 'Large fleet', 'Large fleet' from site returning site_id, id),
     account as (
       insert into account (site_id, customer_id, username, fullname, type, language, password)
       select site_id, id, 'large', 'Large fleet', 'user', 'eng', $1 from owner),
     config as (insert into vehicle_config (site_id, description, axles) select id, 'Car', $2 from site returning id),
     article as (
       insert into article (site_id, brand, description, dimension)
       select id, 'Michelin', 'Michelin Alpin 6 205/55R16 91H', '205/55R16' from site returning id, description),
     made as (
       insert into vehicle (site_id, customer_id, license_plate, number, brand, description, type, config_id, driver_name)
       select o.site_id, o.id, '2L' || lpad(n::text, 6, '0'), n::text, (array['Volvo', 'Škoda', 'Renault', 'BMW'])[1 + n % 4],
         'Fleet car ' || n, 'car', config.id, 'Driver ' || n
       from owner o, config, generate_series(1, ${vehicles}) n returning site_id, customer_id, id)
   insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, profile_depth)
   select m.site_id, m.customer_id, m.id, article.id, p.position, article.description, p.set, p.status, current_date - 30, 6.5
   from made m, article, (values ('1A', 'Summer', 'on_vehicle'), ('1B', 'Summer', 'on_vehicle'), ('2A', 'Summer', 'on_vehicle'),
     ('2B', 'Summer', 'on_vehicle'), ('1A', 'Winter', 'in_stock')) p (position, set, status)`,
    [await hashPassword('wheelhouse'), JSON.stringify(axles)],
  )
  await client.query('analyze')
  const { rows } = await client.query<{ first: number }>(
    "select min(id) as first from vehicle where license_plate like '2L%'",
  )
  return rows[0]?.first ?? Number.NaN
})

/** The first row of a list, when it is this vehicle's. */
const firstIs = (number: number) => `tbody:first-of-type tr:first-child a[href$="id=${number}"]`

const browser = await openBrowser()
const usable: number[] = []
const heapMegabytes: number[] = []
type Figures = { painted: number[]; longest: number[] }
const figures = (): Figures => ({ painted: [], longest: [] })
const searched = { fleet: figures(), sets: figures(), tyres: figures() }
const ticked = { sets: figures(), tyres: figures() }
const note = (into: Figures, { painted, longest }: { painted: number; longest: number }) => {
  into.painted.push(painted)
  into.longest.push(longest)
}
try {
  for (let nth = 0; nth < visits; nth++) {
    const visitor = await visit(browser, portal.url)
    const { page } = visitor
    await page.goto('/fleet')
    await page.locator('input[autocomplete="username"]').fill('large')
    await page.locator('input[type="password"]').fill('wheelhouse')
    const begun = performance.now()
    await page.keyboard.press('Enter')
    await page.locator(firstIs(first)).waitFor()
    usable.push(performance.now() - begun)
    const type = (text: string) => async () => {
      await page.getByRole('searchbox').first().focus()
      await page.keyboard.type(text)
    }
    note(searched.fleet, await timed(page, firstIs(first + 1233), type('Driver 1234')))
    heapMegabytes.push(await heldBy(page))
    for (const tab of ['sets', 'tyres'] as const) {
      // All that the customer has, on the largest pages.
      await page.evaluate(
        rows => ['sets', 'tyres'].forEach(each => localStorage.setItem(`wheelhouse.large.${each}PerPage`, rows)),
        rowsPerPage,
      )
      await page.goto(`${portal.url}/tyres?tab=${tab}&status=`)
      await page.locator(firstIs(first)).waitFor()
      const checkbox = page.locator('tbody input[type="checkbox"]').nth(1)
      note(ticked[tab], await timed(page, 'tr[data-selected]', () => checkbox.click()))
      // A hundred vehicles have such a plate: the rows are all others, and as many.
      note(searched[tab], await timed(page, firstIs(first + 1899), type('2L0019')))
    }
    await visitor.close()
  }
} finally {
  await browser.close()
  await portal.close()
}

const shown = (values: readonly number[], unit: string, digits = 0): string =>
  `${median(values).toFixed(digits)} ${unit}  (${values.map(value => value.toFixed(digits)).join(', ')})`
const both = ({ painted, longest }: Figures) => `${shown(painted, 'ms')}  longest task ${shown(longest, 'ms')}`
console.log(`${vehicles} vehicles, ${vehicles * 5} tyres, ${visits} visits, each with an empty cache`)
console.log(`login to usable fleet list    ${shown(usable, 'ms')}`)
console.log('filter keystroke to paint, of which 200 ms are the debounce')
console.log(`  fleet list                  ${both(searched.fleet)}`)
console.log(`  tyre list, sets             ${both(searched.sets)}`)
console.log(`  tyre list, tyres            ${both(searched.tyres)}`)
console.log('checkbox to paint')
console.log(`  tyre list, sets             ${both(ticked.sets)}`)
console.log(`  tyre list, tyres            ${both(ticked.tyres)}`)
console.log(`held by the fleet list        ${shown(heapMegabytes, 'MB', 1)}`)
