/**
 * A page that is open and that nobody uses says so with what it asks for by itself.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { unattendedHeader } from '#contract/call.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test('what a page asks for by itself is marked, and what its user asks for is not', async () => {
  const { page, networkIdle, expectNoPageErrors } = await journeys.signedIn('admin')
  await page.clock.install()
  await page.goto('/admin/operations')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await networkIdle()
  const isMarked = async (path: RegExp, cause: () => Promise<unknown>) => {
    const [request] = await Promise.all([page.waitForRequest(candidate => path.test(candidate.url())), cause()])
    return (await request.headerValue(unattendedHeader)) !== null
  }
  expect(await isMarked(/\/operations\/admin$/, () => page.clock.fastForward('06:00'))).toBe(true)
  await networkIdle()
  const customers = page.getByRole('navigation').first().getByRole('link', { name: 'Customers' })
  expect(await isMarked(/\/customers\/\w+$/, () => customers.click())).toBe(false)
  expectNoPageErrors()
})
