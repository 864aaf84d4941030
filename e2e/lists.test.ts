/** The room above the lists: where their first row begins, and how many controls come before it. */
import { expect, test } from 'vitest'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

type Begins = { top: number; controls: string[] }

/** Where the first row of the list begins, and what the Tab key stops at before the table. A row of tabs is one stop. */
const begins = (): Begins | null => {
  const shown = (element: Element) => element.getBoundingClientRect().height > 2
  const row = [...document.querySelectorAll('main table > tbody > tr')].find(shown)
  const table = row?.closest('table')
  if (!row || !table) return null
  const stops = [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select)')].filter(
    element =>
      shown(element) &&
      element.tabIndex >= 0 &&
      (element.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      // the links of the door belong to the navigation
      element.closest('nav') === null &&
      // chosen with the arrow keys from the one that is
      !element.matches('[type="radio"]:not(:checked)'),
  )
  return {
    top: Math.round(row.getBoundingClientRect().top + scrollY),
    controls: stops.map(stop => stop.getAttribute('aria-label') ?? stop.textContent ?? ''),
  }
}

const customers = ['/fleet', '/tyres', '/tyres?tab=tyres', '/season?to=winter']
const admins = ['/fleet', '/admin/customers']

test.for([
  ['customer', 1440, 200, customers],
  ['customer', 390, 260, customers.slice(0, 3)],
  ['admin', 1440, 200, admins],
] as const)(
  'for a %s at %i px the first row of each list begins within %i px, after eight controls at most',
  async ([user, width, most, paths]) => {
    const visitor = await journeys.signedIn(user, { viewport: { width, height: 900 } })
    const { page } = visitor
    for (const path of paths) {
      await page.goto(path)
      await page.locator('main table:not([data-loading]) > tbody > tr').first().waitFor()
      const { top, controls } = (await page.evaluate(begins)) ?? { top: 9999, controls: [] }
      expect.soft(top, path).toBeLessThanOrEqual(most)
      expect.soft(controls.length, `${path}: ${controls.join(' | ')}`).toBeLessThanOrEqual(8)
    }
    visitor.expectNoPageErrors()
  },
)
