/**
 * A billing run on the desk and on a phone: previewed, made, printed and undone.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { billing } from '#contract/billing.ts'
import { nextPdf, screens, shareJourneys, type Visitor } from './browser.ts'
import { whole } from '../src/server/testing/whole.ts'

const journeys = shareJourneys()

/** Documents that stand, and days that they charge. */
const charged = async () => {
  const [row] = await journeys.portal.sql<{ documents: number; entries: number }>(
    `select (select count(*)::int from document where reason = 'storage' and withdrawn_at is null) as documents,
       (select count(*)::int from storage_ledger where document_id is not null and released_at is null) as entries`,
  )
  return row
}

/** Opens a new run from the screen and waits for its preview. */
async function preview({ page }: Visitor): Promise<void> {
  await page.goto('/admin/invoicing?tab=runs')
  const today = new Date()
  const form = page.getByRole('region', { name: 'New billing run' })
  await form
    .getByLabel('Up to and including')
    .fill(`01/${String(today.getMonth() + 1).padStart(2, '0')}/${today.getFullYear()}`)
  await form.getByRole('textbox', { name: 'Days' }).fill('30')
  await form.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Preview', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /^Create \d+ documents?$/ }).waitFor()
}

test.each(whole ? (['desk', 'phone'] as const) : (['desk'] as const))(
  'on the %s storage of all customers is charged at once, and undone',
  async device => {
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    const before = await charged()
    await preview(admin)
    expect(await charged()).toEqual(before)

    // a customer left out gets no document
    const choices = page.getByRole('checkbox', { name: /^Create a document for / })
    const customers = await choices.count()
    expect(customers).toBeGreaterThan(1)
    await choices.last().uncheck()
    await page.getByRole('button', { name: `Create ${customers - 1} document${customers === 2 ? '' : 's'}` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create/ })
      .click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText('left out').filter({ visible: true }).waitFor()
    expect((await charged())?.documents).toBe((before?.documents ?? 0) + customers - 1)

    const pdf = nextPdf(page, billing.pdf.path)
    await page.getByRole('button', { name: 'All documents', exact: true }).click()
    expect((await pdf).subarray(0, 5).toString()).toBe('%PDF-')

    await page.getByRole('button', { name: 'Undo the run' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('A wrong price')
    await dialog.getByRole('button', { name: 'Undo the run' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    await page.getByText('Reason: A wrong price').waitFor()
    expect(await charged()).toEqual(before)
    admin.expectNoPageErrors()
  },
)

test('a preview is discarded, and two are not under way at once', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await preview(admin)
  await page.getByRole('button', { name: 'All billing runs' }).click()
  await page
    .getByRole('link', { name: /^Open the billing run/ })
    .first()
    .waitFor()
  expect(await page.getByRole('region', { name: 'New billing run' }).count()).toBe(0)
  await page
    .getByRole('link', { name: /^Open the billing run/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Preview discarded').first().waitFor()
  await page.getByRole('region', { name: 'New billing run' }).waitFor()
  admin.expectNoPageErrors()
})
