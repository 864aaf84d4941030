/**
 * Whether invoices are paid: a bank file, a line that is assigned by hand, and what is left over.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { invoices } from '#contract/invoices.ts'
import { whole } from '../src/server/testing/whole.ts'
import { sellerDetails } from '../src/server/testing/bodies.ts'
import { camtFile } from '../src/server/testing/statements.ts'
import { violations } from './axe.ts'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test.each(whole ? (['desk', 'phone'] as const) : (['desk'] as const))(
  'on the %s a bank file pays an invoice, asks about a line, and too much is given back',
  async device => {
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    await admin.call('/invoices/setup', sellerDetails)
    await admin.call('/payments/setup', { followed_from: null })
    const documents = await journeys.portal.sql<{ id: number; customer: number }>(
      `select distinct on (d.customer_id) d.id, d.customer_id as customer from document d
       where d.site_id = 1 and d.amount_excl > 0 and d.withdrawn_at is null
         and not exists (select from invoice_document o where o.document_id = d.id and not o.credited)
       order by d.customer_id, d.id limit 2`,
    )
    const created = []
    for (const { id, customer } of documents)
      created.push(
        invoices.make.output.parse(await admin.call('/invoices/make', { seq_id: customer, documents: [id] })),
      )
    const rows = await journeys.portal.sql<{ number: string; reference: string; gross: number }>(
      `select series || '-' || year || '-' || lpad(number::text, 5, '0') as number, payment_reference as reference, gross::float as gross
       from invoice where id = any ($1) order by id`,
      [created.map(({ _id }) => _id)],
    )
    const [paid, other] = rows
    if (!paid || !other) throw new Error('the demo has no two customers with documents')

    await page.goto('/admin/invoicing?tab=bank')
    await page.getByRole('button', { name: 'Follow payments' }).click()
    const settings = page.getByRole('dialog', { name: 'Following of payments' })
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Followed for invoices from/).waitFor()
    const today = new Date().toISOString().slice(0, 10)
    await page.locator('input[type="file"]').setInputFiles({
      name: 'statement.xml',
      mimeType: 'application/xml',
      buffer: camtFile([
        { amount: paid.gross.toFixed(2), booked: today, payments: [{ reference: paid.reference, payer: 'Somebody' }] },
        {
          amount: (other.gross + 10).toFixed(2),
          booked: today,
          payments: [{ payer: 'Unknown Ltd', message: 'storage' }],
        },
      ]),
    })
    await page.getByText('2 lines: 1 matched, 1 to check.').waitFor()
    await page.getByText('Unknown payer').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /^Assign .* from Unknown Ltd$/ }).click()
    const assign = page.getByRole('dialog', { name: /^What does .* pay\?$/ })
    await assign.getByRole('button', { name: 'Assign' }).click()
    await assign.getByText('Choose at least one invoice.').waitFor()
    const [customer] = await journeys.portal.sql<{ name: string }>(
      `select coalesce(nullif(c.company, ''), c.name) as name from customer c where c.id = $1 and c.site_id = 1`,
      [documents[1]?.customer],
    )
    await assign.getByRole('combobox', { name: 'Invoices of a customer' }).fill(customer?.name ?? '')
    await assign.getByRole('option').first().click()
    await assign.getByRole('checkbox', { name: `Choose ${other.number}` }).check()
    expect(await violations(page)).toEqual([])
    await assign.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('No line is waiting for you.').waitFor()

    await page.goto('/admin/invoicing?tab=invoices')
    await page.getByRole('button', { name: `Payment of ${other.number}` }).click()
    const payment = page.getByRole('dialog', { name: `Payment of ${other.number}` })
    await payment.getByText('€ 10.00 in hand').or(payment.getByText('€10.00 in hand')).waitFor()
    expect(await violations(page)).toEqual([])
    await payment.getByRole('button', { name: 'Refund' }).click()
    await page
      .getByRole('dialog', { name: /^Record a refund of/ })
      .getByRole('button', { name: 'Refund' })
      .click()
    await page.getByText('Refund recorded.').waitFor()
    await payment.getByText(/in hand/).waitFor({ state: 'hidden' })
  },
)
