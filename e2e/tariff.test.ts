/** The tariff on the desk and on a phone: a rule is added, gets another price, and what it charges is waived. */
import { expect, test } from 'vitest'
import { charges } from '#contract/charges.ts'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test.each(['desk', 'phone'] as const)(
  'on the %s a rule is added and succeeded, and what it charges is waived',
  { tags: 'whole' },
  async device => {
    await journeys.portal.sql('delete from billing_run')
    await journeys.portal.sql('delete from charge_ledger')
    await journeys.portal.sql('delete from charge')
    await journeys.portal.sql('delete from tariff_rule')
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    await page.goto('/admin/invoicing?tab=prices')
    const tariff = page.getByRole('region', { name: 'Tariff' })
    await tariff.getByRole('button', { name: 'Add rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'What' }).click()
    await page.getByRole('option', { name: 'Stored for too long' }).click()
    // a missing field is named, the price too, and the input stays
    const price = dialog.getByLabel('Price excl. VAT')
    await dialog.getByLabel('From').fill('01/01/2020')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByLabel('After so many days').fill('20')
    await expect.poll(() => price.getAttribute('aria-invalid')).toBe('true')
    await dialog.getByText('Required.', { exact: true }).waitFor()
    await price.fill('2,50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await tariff.getByText('Stored for too long · after 20 days').first().waitFor()

    await tariff.getByRole('button', { name: /^New price/ }).click()
    await price.fill('')
    await dialog.getByRole('button', { name: 'New price' }).click()
    await dialog.getByText('Required.', { exact: true }).waitFor()
    await price.fill('3,75')
    await dialog.getByRole('button', { name: 'New price' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const rules = await journeys.portal.sql<{ price: string; ends: boolean }>(
      'select price_excl::text as price, until is not null as ends from tariff_rule order by id',
    )
    expect(rules).toEqual([
      { price: '2.50', ends: true },
      { price: '3.75', ends: false },
    ])

    // the next count of what customers owe charges what has been stored for longer
    const today = new Date().toISOString().slice(0, 10)
    const run = { covers: 'all', until: today, days: 0, marks: false }
    await admin.call('/billing/begin', run)
    await expect
      .poll(async () => (await journeys.portal.sql('select from charge')).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    await page.goto('/admin/invoicing?tab=charges')
    const row = page.locator('main tbody tr').first()
    await row.waitFor()
    await row.getByRole('checkbox').check()
    await page.route(`**${charges.preview.path}`, route => route.abort())
    await page.getByRole('button', { name: /^Create document of all that .+ owes$/ }).click()
    await page.getByText('The server can’t be reached.').first().waitFor()
    await page.unroute(`**${charges.preview.path}`)
    await page.getByRole('button', { name: 'Waive', exact: true }).click()
    await dialog.getByRole('textbox').fill('A loyal customer')
    await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
    await page.getByText('Waived.').waitFor()
    expect(await journeys.portal.sql('select reason from charge_ledger')).toEqual([{ reason: 'A loyal customer' }])
    await page.getByRole('switch', { name: 'Also charged and waived' }).check()
    await page.getByText('A loyal customer').waitFor()
  },
)
