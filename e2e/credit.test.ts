/**
 * An invoice that is credited line by line, on the desk and on a phone.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { invoices } from '#contract/invoices.ts'
import { whole } from '../src/server/testing/whole.ts'
import { sellerDetails } from '../src/server/testing/bodies.ts'
import { violations } from './axe.ts'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test.each(whole ? (['desk', 'phone'] as const) : (['desk'] as const))(
  'on the %s a line of an invoice is credited, and then what is left',
  async device => {
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    await admin.call('/invoices/setup', sellerDetails)
    const documents = await journeys.portal.sql<{ id: number; customer: number }>(
      `select d.id, d.customer_id as customer from document d
       where d.site_id = 1 and d.amount_excl > 0 and d.withdrawn_at is null
         and not exists (select from invoice_document o where o.document_id = d.id and not o.credited)
         and d.customer_id = (select customer_id from document where site_id = 1 and amount_excl > 0 group by customer_id
           order by count(*) desc, customer_id limit 1)
       order by d.id limit 3`,
    )
    expect(documents).toHaveLength(3)
    const answer = await admin.call('/invoices/make', {
      seq_id: documents[0]?.customer,
      documents: documents.map(({ id }) => id),
    })
    const { _id, number } = invoices.make.output.parse(answer)
    const lines = async () => invoices.lines.output.parse(await admin.call('/invoices/lines', { _id }))
    const [first] = await lines()

    await page.goto('/admin/invoicing?tab=invoices')
    await page.getByRole('button', { name: `Credit ${number}`, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Credit ${number}?` })
    await dialog.getByRole('checkbox', { name: 'All lines' }).uncheck()
    await dialog.getByRole('button', { name: 'Create credit note' }).click()
    await dialog.getByText('Choose at least one line.').waitFor()
    await dialog
      .getByRole('checkbox', { name: `Credit ${first?.description}` })
      .first()
      .check()
    await dialog.getByText(/^1 line, €/).waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A wrong price')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create credit note' }).click()
    await page.getByText(/^Credit note CN-2026-\d+ created\.$/).waitFor()
    await page.getByText('Partly credited').first().waitFor()
    expect((await lines()).filter(({ credited_by }) => credited_by !== null).map(({ line }) => line)).toEqual([1])

    await page.getByRole('button', { name: `Credit ${number}`, exact: true }).click()
    await dialog.getByText(/^Credited by CN-/).waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('All of it')
    await dialog.getByRole('button', { name: 'Create credit note' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Credited', { exact: true }).first().waitFor()
    expect((await lines()).every(({ credited_by }) => credited_by !== null)).toBe(true)
    expect(await page.getByRole('button', { name: `Credit ${number}`, exact: true }).count()).toBe(0)
  },
)
