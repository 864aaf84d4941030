/** Stock statement and proof of disposal, by the administrator and then by the customer (docs/product/warehouse.md "Proof of disposal"). */
import { expect, test } from 'vitest'
import { disposals } from '#contract/disposals.ts'
import { stock } from '#contract/stock.ts'
import { today } from '#domain/texts/date.ts'
import { shareJourneys } from './browser.ts'
import { itemOfList } from './fleet.ts'

const journeys = shareJourneys()

test(
  'what was in store on a day is counted by customer, and scrap that a collector took is proved to each of them',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const day = today({ now: new Date(), timeZone: 'Europe/Brussels' })
    const statement = stock.statement.output.parse(await admin.call('/stock/statement', { date: day }))
    await page.goto('/admin/stock')
    await page.getByText(`${statement.wheel_count} tyres were in storage`).waitFor()
    const [first] = statement.customers
    await page.getByRole('button', { name: first?.companyname ?? '', exact: true }).click()
    await page.getByText(`${first?.wheel_count} tyres of ${first?.companyname} were in storage`).waitFor()
    expect(new URL(page.url()).searchParams.get('customer')).toBe(String(first?.seq_id))

    const waiting = disposals.waiting.output.parse(await admin.call('/disposals/waiting', {}))
    await page.goto('/admin/stock?tab=disposals')
    await page.getByRole('checkbox', { name: 'Select all scrapped tyres' }).check()
    await page.getByRole('button', { name: `Record pick-up of ${waiting.length} tyres` }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Record pick-up' }).click()
    // missing values are reported at their fields, and nothing is sent
    await expect.poll(() => form.locator('[aria-invalid="true"]').count()).toBe(2)
    await form.getByLabel('Transport form').fill('IF-2026-0042')
    await form.getByLabel('Collector', { exact: false }).first().fill('Rubber Retour bv')
    await form.getByRole('button', { name: 'Record pick-up' }).click()
    await page.getByRole('cell', { name: 'Rubber Retour bv' }).waitFor()
    await page.getByText('No scrapped tyres are waiting.').waitFor()
    admin.expectNoPageErrors()
    await admin.close()

    const customer = await journeys.signedIn('customer')
    const own = disposals.list.output.parse(await customer.call('/disposals/list', { startDate: day, endDate: day }))
    await customer.page.goto('/tyres')
    await (await itemOfList(customer.page, 'Statements')).click()
    await customer.page.getByRole('tab', { name: 'Disposals' }).click()
    await customer.page.getByRole('button', { name: 'Proof IF-2026-0042 as PDF' }).waitFor()
    expect(own).toMatchObject([{ form_number: 'IF-2026-0042' }])
    expect(own[0]?.tyre_count).toBeLessThan(waiting.length)
    customer.expectNoPageErrors()
    await customer.close()
  },
)
